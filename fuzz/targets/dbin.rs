//! Any bytes, taken for a merged bundle or a single block, not compressed.
#![no_main]

use std::cell::Cell;
use std::io::{BufReader, Read, Result};

use pumpfun_fuzz::write;
use pumpfun_tool::input::{SourceBlock, read_blocks};

/// The content's type, as bundles of version 1 name it.
const TYPE_URL: &[u8] = b"type.googleapis.com/sf.solana.type.v1.Block";

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // What zstd makes of bytes is zstd's matter.
    if input.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return;
    }
    let blocks = blocks(input);
    // Blocks are parts of the input, each at another place.
    assert!(blocks.iter().map(|block| block.bytes.len()).sum::<usize>() <= input.len());
    for block in &blocks {
        assert!(
            input
                .windows(block.bytes.len())
                .any(|window| window == block.bytes)
        );
    }
    // What was read is read again from a bundle that is written as it should be.
    let again = self::blocks(&bundle(&blocks));
    assert_eq!(again.len(), blocks.len());
    for (again, block) in again.iter().zip(&blocks) {
        assert_eq!((again.slot, &again.bytes), (block.slot, &block.bytes));
    }
});

/// The blocks that can be read, of which no more is read than there is.
fn blocks(bytes: &[u8]) -> Vec<SourceBlock> {
    let read = Cell::new(0);
    let counted = BufReader::new(Counted { bytes, read: &read });
    let mut blocks = Vec::new();
    let mut faults = 0;
    let ended = read_blocks(counted, Some(430_000_000), &mut |block| {
        match block {
            Ok(block) => blocks.push(block),
            Err(_) => faults += 1,
        }
        true
    });
    // Each record has a length of four bytes.
    assert!(faults + blocks.len() <= 1 + bytes.len() / 4);
    assert!(ended.is_err() || read.get() == bytes.len());
    assert!(read.get() <= bytes.len());
    blocks
}

struct Counted<'a> {
    bytes: &'a [u8],
    read: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let read = self.bytes.read(out)?;
        self.read.set(self.read.get() + read);
        Ok(read)
    }
}

/// A bundle of version 1.
fn bundle(blocks: &[SourceBlock]) -> Vec<u8> {
    let mut bundle = b"dbin\x01\0".to_vec();
    bundle.push(TYPE_URL.len() as u8);
    bundle.extend(TYPE_URL);
    for block in blocks {
        let (mut any, mut envelope) = (Vec::new(), Vec::new());
        write::bytes(1, TYPE_URL, &mut any);
        write::bytes(2, &block.bytes, &mut any);
        write::number(1, block.slot, &mut envelope);
        write::bytes(11, &any, &mut envelope);
        bundle.extend((envelope.len() as u32).to_be_bytes());
        bundle.extend(envelope);
    }
    bundle
}
