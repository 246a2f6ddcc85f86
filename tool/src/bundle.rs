//! Writing merged bundles: `NUMBER.dbin.zst`, dbin version 1, as the engine reads them.
//!
//! The engine holds a chain to be whole: each block names the one before it by hash and slot, also across files; every
//! file up to the one that a request stops in is there, and one behind it, and none of them is empty. Blocks of a
//! test or of a backfill with holes are no such chain, so the envelopes are linked whatever the blocks in them say,
//! and where a bundle would be missing, one with a block without transactions stands in for it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use prost::Message;

use crate::input::dbin::{Any, Envelope, Timestamp, write_header, write_record};
use crate::input::{BUNDLE_SLOTS, BlockHead, SourceBlock};

/// Bundles that are made up between two blocks, at most: more are a mistake, and thousands of files.
const MAX_FILLERS: u64 = 1_000;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Bundles, those without a real block among them.
    pub bundles: u64,
    /// Real blocks.
    pub blocks: u64,
    /// Real blocks whose previous block is not the one before them here.
    pub unlinked: u64,
    /// Blocks without transactions, put in where a bundle would have been missing.
    pub fillers: u64,
}

/// Writes bundles of blocks that come in ascending order.
pub struct BundleWriter {
    folder: PathBuf,
    /// The bundle in hand: its first slot and its file.
    open: Option<(u64, OpenBundle)>,
    /// Slot, hash, time and height of the block that was written last.
    last: Option<BlockHead>,
    written: Written,
}

type Encoder = zstd::Encoder<'static, BufWriter<File>>;

/// A bundle under another name, until it is whole.
struct OpenBundle {
    encoder: Encoder,
    partial: PathBuf,
    path: PathBuf,
}

impl BundleWriter {
    /// A writer into `folder`, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or holds bundles already: they would be taken for one chain with the new ones.
    pub fn new(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let name = entry?.file_name();
            ensure!(
                !name.as_encoded_bytes().ends_with(b".dbin.zst"),
                "{}: holds {} already; name an empty folder",
                folder.display(),
                name.display()
            );
        }
        Ok(Self {
            folder: folder.to_owned(),
            open: None,
            last: None,
            written: Written::default(),
        })
    }

    /// Adds a block.
    ///
    /// # Errors
    ///
    /// When its slot is not above that of the block before, it has no hash, or a file cannot be written.
    pub fn push(&mut self, block: &SourceBlock) -> Result<()> {
        let head = BlockHead::of(&block.bytes).with_context(|| block.to_string())?;
        ensure!(
            !head.blockhash.is_empty(),
            "{block}: it has no hash, by which the next one would name it"
        );
        if let Some(last) = &self.last {
            ensure!(last.slot != head.slot, "{block}: comes twice");
            ensure!(
                last.slot < head.slot,
                "{block}: comes behind slot {}: give the blocks in ascending order",
                last.slot
            );
            self.written.unlinked += u64::from(last.blockhash != head.previous_blockhash);
            let (behind, ahead) = (
                base(last.slot) / BUNDLE_SLOTS,
                base(head.slot) / BUNDLE_SLOTS,
            );
            let missing = ahead.saturating_sub(behind).saturating_sub(1);
            ensure!(
                missing <= MAX_FILLERS,
                "{block}: lies {} slots behind the block before it, slot {}: an engine wants every bundle in between, \
                 and {missing} would have to be made up; give the blocks of one range at a time",
                head.slot - last.slot,
                last.slot
            );
            for bundle in (behind + 1)..ahead {
                self.push_filler(bundle * BUNDLE_SLOTS)?;
            }
        }
        self.written.blocks += 1;
        self.write(head, &block.bytes)
    }

    /// Ends the last bundle, and adds `behind` more with a block without transactions each.
    ///
    /// # Errors
    ///
    /// When no block was added, or a file cannot be written.
    pub fn finish(mut self, behind: u64) -> Result<Written> {
        let last = self.last.as_ref().context("no block to bundle")?.slot;
        for n in 1..=behind {
            let slot = base(last).saturating_add(n.saturating_mul(BUNDLE_SLOTS));
            self.push_filler(slot)?;
        }
        self.close()?;
        Ok(self.written)
    }

    /// Adds a block without transactions that follows the last one.
    fn push_filler(&mut self, slot: u64) -> Result<()> {
        let last = self.last.as_ref().context("nothing to follow")?;
        let head = BlockHead {
            slot,
            blockhash: format!("filler{slot}"),
            previous_blockhash: last.blockhash.clone(),
            parent_slot: last.slot,
            // 0.4 seconds a slot. Both numbers are the block's own, whatever they say.
            block_time: last.block_time.map(|time| {
                let seconds = slot.saturating_sub(last.slot).saturating_mul(2) / 5;
                time.saturating_add_unsigned(seconds)
            }),
            block_height: last.block_height.map(|height| height.saturating_add(1)),
        };
        let bytes = head.encode();
        self.written.fillers += 1;
        self.write(head, &bytes)
    }

    fn write(&mut self, head: BlockHead, bytes: &[u8]) -> Result<()> {
        let bundle = base(head.slot);
        if self.open.as_ref().is_none_or(|(open, _)| *open != bundle) {
            self.close()?;
            self.open = Some((bundle, OpenBundle::create(&self.folder, bundle)?));
            self.written.bundles += 1;
        }
        // Where this is the first block, what it says itself.
        let (parent_id, parent_num) = match &self.last {
            Some(last) => (last.blockhash.clone(), last.slot),
            None => (head.previous_blockhash.clone(), head.parent_slot),
        };
        let envelope = Envelope {
            number: head.slot,
            id: head.blockhash.clone(),
            parent_id,
            timestamp: Some(Timestamp {
                seconds: head.block_time.unwrap_or_default(),
            }),
            lib_num: parent_num,
            payload_buffer: Default::default(),
            parent_num,
            payload: Some(Any::of_block(bytes)),
        };
        if let Some((_, open)) = &mut self.open {
            write_record(&mut open.encoder, &envelope.encode_to_vec())
                .with_context(|| open.path.display().to_string())?;
        }
        self.last = Some(head);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        match self.open.take() {
            Some((_, open)) => open.finish(),
            None => Ok(()),
        }
    }
}

impl OpenBundle {
    fn create(folder: &Path, base: u64) -> Result<Self> {
        let path = folder.join(format!("{base:010}.dbin.zst"));
        let partial = path.with_extension("partial");
        let create = || {
            let file = BufWriter::with_capacity(1 << 16, File::create(&partial)?);
            let mut encoder = zstd::Encoder::new(file, 3)?;
            write_header(&mut encoder)?;
            Ok(encoder)
        };
        let encoder = create().map_err(|error: std::io::Error| {
            anyhow::Error::new(error).context(path.display().to_string())
        })?;
        Ok(Self {
            encoder,
            partial,
            path,
        })
    }

    /// Renamed when whole: who finds a bundle can rely on it.
    fn finish(self) -> Result<()> {
        let finish = || {
            self.encoder.finish()?.flush()?;
            fs::rename(&self.partial, &self.path)
        };
        finish().with_context(|| self.path.display().to_string())
    }
}

/// First slot of the bundle that a slot lies in.
fn base(slot: u64) -> u64 {
    slot - slot % BUNDLE_SLOTS
}
