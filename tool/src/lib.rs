//! The command-line tool `pumpfun`, as a library: what its commands do, and what the tests use of it.

pub mod bundle;
#[cfg(feature = "wasm")]
pub mod commands;
pub mod input;
pub mod log;
#[cfg(feature = "wasm")]
pub mod package;
pub mod pipeline;
pub mod rows;
pub mod rpc;
pub mod schema;
pub mod selection;
pub mod slots;
pub mod summary;
pub mod warehouse;
#[cfg(feature = "wasm")]
pub mod wasm;
