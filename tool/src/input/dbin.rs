//! Firehose's merged bundles: the container `dbin`, and the envelope `sf.bstream.v1.Block` of each block in it.
//!
//! | part | version 0 | version 1 |
//! |---|---|---|
//! | magic | `dbin` | `dbin` |
//! | version | byte 0 | byte 1 |
//! | content type | 3 bytes (`SOL`), then 2 digits of its version | u16 big endian length, then the type's URL |
//! | each record | u32 big endian length, then the envelope | the same |
//! | block in the envelope | payload_buffer | payload, an Any |

use std::io::{self, BufRead, Read, Write};

use anyhow::{Context, Result, bail, ensure};
use prost::Message;
use prost::bytes::Bytes;

use super::{MAX_BLOCK_BYTES, SourceBlock};

/// First bytes of a bundle.
pub const MAGIC: &[u8] = b"dbin";

const TYPE_URL_PREFIX: &str = "type.googleapis.com/";
const SOLANA_TYPE: &str = "sf.solana.type.v1.Block";

/// `sf.bstream.v1.Block`, the envelope.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Envelope {
    #[prost(uint64, tag = "1")]
    pub(crate) number: u64,
    #[prost(string, tag = "2")]
    pub(crate) id: String,
    #[prost(string, tag = "3")]
    pub(crate) parent_id: String,
    #[prost(message, optional, tag = "4")]
    pub(crate) timestamp: Option<Timestamp>,
    #[prost(uint64, tag = "5")]
    pub(crate) lib_num: u64,
    /// The block, in bundles of version 0.
    #[prost(bytes = "bytes", tag = "8")]
    pub(crate) payload_buffer: Bytes,
    /// Must be set in version 1.
    #[prost(uint64, tag = "10")]
    pub(crate) parent_num: u64,
    /// The block, in bundles of version 1.
    #[prost(message, optional, tag = "11")]
    pub(crate) payload: Option<Any>,
}

/// `google.protobuf.Timestamp`, to the second.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(crate) seconds: i64,
}

/// `google.protobuf.Any`, without copying its value.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "bytes", tag = "2")]
    value: Bytes,
}

impl Any {
    /// A block.
    pub(crate) fn of_block(bytes: &[u8]) -> Self {
        Self {
            type_url: format!("{TYPE_URL_PREFIX}{SOLANA_TYPE}"),
            value: Bytes::copy_from_slice(bytes),
        }
    }
}

/// Writes the header of a bundle of version 1.
pub(crate) fn write_header(bundle: &mut impl Write) -> io::Result<()> {
    let content_type = format!("{TYPE_URL_PREFIX}{SOLANA_TYPE}");
    let length = u16::try_from(content_type.len()).map_err(io::Error::other)?;
    bundle.write_all(MAGIC)?;
    bundle.write_all(&[1])?;
    bundle.write_all(&length.to_be_bytes())?;
    bundle.write_all(content_type.as_bytes())
}

/// Writes an encoded envelope.
pub(crate) fn write_record(bundle: &mut impl Write, envelope: &[u8]) -> io::Result<()> {
    let length = u32::try_from(envelope.len()).map_err(io::Error::other)?;
    bundle.write_all(&length.to_be_bytes())?;
    bundle.write_all(envelope)
}

/// Calls `visit` with each block of a bundle, or why it cannot be read, until it gives `false`.
///
/// # Errors
///
/// When the container is broken, so that nobody can tell where the next record begins.
pub fn blocks(
    mut bundle: impl BufRead,
    visit: &mut impl FnMut(Result<SourceBlock>) -> bool,
) -> Result<()> {
    read_header(&mut bundle)?;
    for record in 0_u64.. {
        if bundle
            .fill_buf()
            .with_context(|| format!("record {record}"))?
            .is_empty()
        {
            break;
        }
        let bytes = read_record(&mut bundle).with_context(|| {
            format!("record {record}, with which the reading of this bundle ends")
        })?;
        let block = match block_of(bytes) {
            Ok((number, bytes)) => SourceBlock::new(bytes, Some(record)).and_then(|block| {
                ensure!(
                    number == block.slot,
                    "record {record}: the bundle says slot {number}, the block {}",
                    block.slot
                );
                Ok(block)
            }),
            Err(error) => Err(error.context(format!("record {record}"))),
        };
        if !visit(block) {
            break;
        }
    }
    Ok(())
}

/// Reads up to the first record, and checks that the bundle holds Solana blocks.
fn read_header(bundle: &mut impl Read) -> Result<()> {
    const CUT: &str = "the bundle's header is cut";
    let [_, _, _, _, version] = read_array::<5>(bundle).context(CUT)?;
    match version {
        0 => {
            let [a, b, c, _, _] = read_array::<5>(bundle).context(CUT)?;
            ensure!(
                [a, b, c] == *b"SOL",
                "the bundle holds {:?}, not SOL",
                String::from_utf8_lossy(&[a, b, c])
            );
        }
        1 => {
            let length = u16::from_be_bytes(read_array(bundle).context(CUT)?);
            let mut content_type = vec![0; length.into()];
            bundle.read_exact(&mut content_type).context(CUT)?;
            let content_type = String::from_utf8_lossy(&content_type);
            ensure!(
                is_solana_block(&content_type),
                "the bundle holds {content_type:?}, not {SOLANA_TYPE}"
            );
        }
        version => bail!("dbin version {version} is neither 0 nor 1"),
    }
    Ok(())
}

/// The next record. Its memory grows with what is there, not with what its length promises.
fn read_record(bundle: &mut impl BufRead) -> Result<Vec<u8>> {
    let length = u32::from_be_bytes(read_array(bundle).context("its length is cut")?);
    ensure!(
        u64::from(length) <= MAX_BLOCK_BYTES,
        "its length of {length} bytes is more than any block's (256 MiB)"
    );
    let mut record = Vec::new();
    let read = bundle.take(length.into()).read_to_end(&mut record)?;
    ensure!(
        read as u64 == u64::from(length),
        "cut: {read} of {length} bytes are there"
    );
    Ok(record)
}

/// Number and bytes of the block in an envelope.
fn block_of(envelope: Vec<u8>) -> Result<(u64, Vec<u8>)> {
    let envelope = Envelope::decode(Bytes::from(envelope)).context("not a sf.bstream.v1.Block")?;
    let number = envelope.number;
    let bytes = match envelope.payload {
        Some(payload) => {
            let type_url = payload.type_url;
            ensure!(
                is_solana_block(&type_url),
                "block {number} is a {type_url:?}"
            );
            payload.value
        }
        None => envelope.payload_buffer,
    };
    ensure!(!bytes.is_empty(), "block {number} has no payload");
    Ok((number, bytes.into()))
}

/// Whether a type's URL, or bare name, is that of a Solana block.
fn is_solana_block(type_url: &str) -> bool {
    type_url.rsplit('/').next() == Some(SOLANA_TYPE)
}

fn read_array<const N: usize>(reader: &mut impl Read) -> std::io::Result<[u8; N]> {
    let mut array = [0; N];
    reader.read_exact(&mut array)?;
    Ok(array)
}
