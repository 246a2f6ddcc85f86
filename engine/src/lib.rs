//! The real Substreams engine and the SQL sink on local blocks: for the tests, and for `make stream` and `make sink`.
//!
//! ```text
//! blocks ─ bundles.rs ─▶ merged bundles ─ engine.rs ─▶ tier 1 and tier 2 ─ command.rs ─▶ `substreams run`
//!                                                                        ─ sink.rs ─▶ PostgreSQL (postgres.rs)
//! ```
//!
//! Everything listens on loopback, on ports of its own, and ends with the value that started it; the engine also ends
//! with this process, however that ends.

pub mod bundles;
pub mod clickhouse;
pub mod command;
pub mod engine;
pub mod paths;
pub mod postgres;
pub mod process;
pub mod sink;
