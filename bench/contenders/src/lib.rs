//! Every way to read Pump.fun trades out of a raw block that the benches compare, for native and wasm benches alike.
//!
//! All do the same work, from a block's bytes to the bytes of `pumpfun.v1.Trades`, so that only reading differs:
//! [`eager`](mod@eager) and [`lazy`] walk what a protobuf library has decoded, with the same steps in the same order, and
//! [`hit`] writes what they find with the package's own row writer and base58. The walk is as good as we can
//! make it for the rivals: it looks for the event's tag first, compares keys as bytes, resolves only the accounts
//! that a row needs, and clones nothing.
//!
//! [`ordinary`] is the one exception: what an ordinary prost module would do, with owned messages and bs58.

pub mod eager;
pub mod hit;
pub mod lazy;
pub mod ordinary;
pub mod ours;

/// Types of `sf.solana.type.v1` by prost, bytes fields as `Vec<u8>`.
#[allow(missing_docs, clippy::all, clippy::restriction)]
pub mod prost_vec {
    include!(concat!(env!("OUT_DIR"), "/vec/sf.solana.r#type.v1.rs"));
}

/// Types of `sf.solana.type.v1` by prost, bytes fields as `Bytes`, which share the block's memory.
#[allow(missing_docs, clippy::all, clippy::restriction)]
pub mod prost_bytes {
    include!(concat!(env!("OUT_DIR"), "/bytes/sf.solana.r#type.v1.rs"));
}

/// Types of our output by prost.
#[allow(missing_docs, clippy::all, clippy::restriction)]
pub mod prost_rows {
    include!(concat!(env!("OUT_DIR"), "/pumpfun.v1.rs"));
}

use prost::bytes::Bytes;

/// Why a contender gave no rows.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A block's bytes to the bytes of its rows. The block comes as `Bytes`, so that the contender which needs it so does
/// not have to copy it; all others take it as a slice.
pub type Contender = fn(&Bytes) -> Result<Vec<u8>, Error>;

/// Every contender with the name that tables have, ours last.
pub const CONTENDERS: [(&str, Contender); 8] = [
    (ORDINARY, ordinary::prost_and_bs58),
    (PROST, eager::prost),
    ("prost with Bytes", eager::prost_with_bytes),
    ("buffa owned", eager::buffa_owned),
    ("buffa view", eager::buffa_view),
    ("buffa lazy, all opened", lazy::all_opened),
    ("buffa lazy, as needed", lazy::as_needed),
    (OURS, ours::ours),
];

/// Name of what an ordinary prost module does; its rows are equal, their bytes are not.
pub const ORDINARY: &str = "prost, ordinary";

/// Name of our own way in tables.
pub const OURS: &str = "pumpfun-trades";

/// Name of the way whose multiple the figures are told in.
pub const PROST: &str = "prost";
