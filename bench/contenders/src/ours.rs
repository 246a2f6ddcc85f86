//! The package itself, through its public API.

use prost::bytes::Bytes;
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, Base58};
use pumpfun_trades::transaction::Outcomes;

use crate::Error;

/// As the wasm's handler `map_trades` and `pumpfun extract` do it.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn ours(block: &Bytes) -> Result<Vec<u8>, Error> {
    Ok(row::encode::<Base58>(
        &Block::decode(block)?,
        Outcomes::Successful,
    )?)
}
