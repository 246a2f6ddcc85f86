//! Rows into a folder of Parquet files, a file for each kind of rows and range of slots.
//!
//! ```text
//! OUT/trades/0417750000.parquet       rows of slots 417,750,000 to 417,759,999
//! OUT/creations/0417750000.parquet
//! ```
//!
//! A range's files are written under other names, and renamed when all of them are whole; a range whose files are there
//! is done, and a second run passes over it. So a run that was killed is taken up where its last whole range ended, and
//! ends with the same bytes as one that ran through. What a file was made of stands in it: the names and sizes of the
//! sources, what was asked for, and the version that wrote it. Where there is more of it than before, the range is made
//! anew; where a file has rows that this run would not put into it, nothing is written, unless that is asked for.

mod columns;
mod range;

pub use columns::{Batches, Tables};
pub use range::{Found, RangeFiles, RangePlan, RangeWriter};
