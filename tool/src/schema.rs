//! The modules that the tool knows, and the descriptors of what they give.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use prost_reflect::{DescriptorPool, MessageDescriptor};

/// A module of the package whose output can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Module {
    /// Trades, keys as base58 strings.
    #[value(name = "map_trades")]
    MapTrades,
    /// Trades, keys as bytes (base64 in JSON and CSV).
    #[value(name = "map_raw_trades")]
    MapRawTrades,
}

impl Module {
    /// Its name in the manifest, and so that of the wasm's function.
    pub fn name(self) -> &'static str {
        match self {
            Self::MapTrades => "map_trades",
            Self::MapRawTrades => "map_raw_trades",
        }
    }

    /// Descriptor of its output.
    ///
    /// # Errors
    ///
    /// When the descriptors that were built into the tool do not hold it.
    pub fn output(self) -> Result<MessageDescriptor> {
        static POOL: LazyLock<Result<DescriptorPool, String>> = LazyLock::new(|| {
            let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.binpb"));
            DescriptorPool::decode(descriptors.as_slice()).map_err(|error| error.to_string())
        });
        let name = match self {
            Self::MapTrades => "pumpfun.v1.Trades",
            Self::MapRawTrades => "pumpfun.v1.RawTrades",
        };
        let pool = POOL
            .as_ref()
            .map_err(|error| anyhow::anyhow!("descriptors: {error}"))?;
        pool.get_message_by_name(name)
            .with_context(|| format!("descriptors without {name}"))
    }
}
