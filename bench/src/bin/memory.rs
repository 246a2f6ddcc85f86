//! Allocations and memory of each contender: a program of its own, as counting would slow what is timed.
//!
//! Takes the number of blocks to generate and the paths. Prints one line a contender: name, allocations, peak in bytes beyond the block, by the block of the 50th
//! percentile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, anyhow};
use pumpfun_bench::corpus::Corpus;
use pumpfun_bench_contenders::CONTENDERS;

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn count(size: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    let live = LIVE.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came; only numbers are kept.
#[allow(unsafe_code, reason = "an allocator is")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        count(size);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let generate = arguments
        .next()
        .and_then(|number| number.to_str()?.parse().ok())
        .context("a number first")?;
    let paths: Vec<_> = arguments.map(PathBuf::from).collect();
    let corpus = Corpus::load(&paths, generate)?;
    let block = corpus.at_quantile(0.5).context("no blocks")?;
    for (name, contender) in CONTENDERS {
        let (allocations, live) = (ALLOCATIONS.load(Relaxed), LIVE.load(Relaxed));
        PEAK.store(live, Relaxed);
        let rows = contender(block).map_err(|error| anyhow!("{name}: {error}"))?;
        let (allocations, peak) = (
            ALLOCATIONS.load(Relaxed) - allocations,
            PEAK.load(Relaxed) - live,
        );
        drop(rows);
        println!("{name}\t{allocations}\t{peak}");
    }
    Ok(())
}
