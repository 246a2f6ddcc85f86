//! How fast the package reads Pump.fun trades out of raw Solana blocks, against everything else that does, measured
//! side by side in one run.
//!
//! `main.rs` runs guards before it times anything; each table has a module of its own and ends as a [`table::Table`],
//! from which the report, the CSV files and by those the charts are made.

pub mod base58;
pub mod charts;
pub mod corpus;
pub mod decode;
pub mod encode;
pub mod json;
pub mod memory;
pub mod process;
pub mod range;
pub mod report;
pub mod stats;
pub mod table;
pub mod wasm;
