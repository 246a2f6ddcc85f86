//! Blocks as Solana's JSON-RPC gives them: answers of `getBlock`, and fetching them.
//!
//! ```text
//! client.rs ─ answer ─▶ answer.rs ─ block of JSON ─▶ block.rs ─▶ sf.solana.type.v1.Block
//!                                     transaction.rs ──╯ (base64)
//! ```

mod answer;
mod block;
mod client;
mod transaction;

pub use answer::{Answer, parse};
pub use client::{Client, Encoding, Endpoint, Fetched};
