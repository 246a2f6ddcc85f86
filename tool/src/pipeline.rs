//! Blocks through all cores, results in order.
//!
//! ```text
//!            readers, a source at a time           workers, a block at a time
//! sources ─▶ read, decompress, split ── block ───▶ handle ── result ─╮
//!                       ╰── where the result will be, in order ──────┴─▶ take, in order
//! ```
//!
//! A reader puts each block into the workers' queue, and the place where its result will be into a queue of the
//! source's own. The caller empties the sources' queues in the order of the sources. All queues are bounded, so that
//! memory holds some dozen blocks a core, whatever the input's size. Nothing can wait for itself: readers take the
//! sources in their order, so the source whose queue is being emptied always has its reader; that one waits for
//! workers at most, who wait for nobody, as the place for a result is there before its block is.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use anyhow::{Context, Result};

use crate::input::{Meter, Source, SourceBlock};

/// Blocks whose results wait in a source's queue.
const QUEUE: usize = 16;

/// Sources that are given out for each reader.
const SOURCES_AHEAD: usize = 2;

/// Where the result of a block will be.
type Pending<T> = Receiver<Result<T>>;

struct Job<T> {
    source: Source,
    results: SyncSender<Pending<T>>,
}

struct Task<T> {
    label: String,
    block: SourceBlock,
    result: SyncSender<Result<T>>,
}

/// Calls `handle` with each block of the sources on `threads` workers, while as many readers read, and `take` with
/// each result in the order of the blocks. What cannot be read or handled is a result too, its error naming source
/// and place, and the rest goes on.
///
/// # Errors
///
/// The first error of `take`, which ends all; or when not even one thread of each kind can be started.
pub fn run<T: Send>(
    sources: Vec<Result<Source>>,
    threads: NonZero<usize>,
    meter: &Meter,
    handle: impl Fn(&SourceBlock) -> Result<T> + Sync,
    mut take: impl FnMut(Result<T>) -> Result<()>,
) -> Result<()> {
    let (jobs, next_job) = mpsc::channel::<Job<T>>();
    let (tasks, next_task) = mpsc::sync_channel::<Task<T>>(threads.get());
    let (next_job, next_task) = (Mutex::new(next_job), Mutex::new(next_task));
    thread::scope(|scope| {
        let readers = threads.get().min(sources.len());
        for count in 0..threads.get().max(1) {
            let worker = thread::Builder::new().spawn_scoped(scope, || work(&next_task, &handle));
            let tasks = tasks.clone();
            let next_job = &next_job;
            let reader = match count < readers {
                true => thread::Builder::new()
                    .spawn_scoped(scope, move || read(next_job, tasks, meter))
                    .map(drop),
                false => Ok(()),
            };
            match worker.map(drop).and(reader) {
                Ok(()) => {}
                // Fewer threads do it too.
                Err(_) if count > 0 => break,
                Err(error) => return Err(error).context("no thread can be started"),
            }
        }
        drop(tasks);

        // The queues live in this closure: when it returns early, sending fails, and readers and workers end.
        let jobs = jobs;
        let mut sources = sources.into_iter();
        let mut ahead: VecDeque<Result<Receiver<Pending<T>>>> = VecDeque::new();
        loop {
            while ahead.len() < readers * SOURCES_AHEAD {
                let Some(source) = sources.next() else { break };
                ahead.push_back(source.map(|source| {
                    let (results, queue) = mpsc::sync_channel(QUEUE);
                    // Fails only if every reader is gone; the queue is then closed, which ends it below.
                    let _ = jobs.send(Job { source, results });
                    queue
                }));
            }
            match ahead.pop_front() {
                Some(Ok(queue)) => {
                    for pending in queue {
                        take(
                            pending
                                .recv()
                                .context("a worker has ended before its time")?,
                        )?;
                    }
                }
                Some(Err(error)) => take(Err(error))?,
                None => return Ok(()),
            }
        }
    })
}

/// A reader: takes sources until there are none.
fn read<T>(jobs: &Mutex<Receiver<Job<T>>>, tasks: SyncSender<Task<T>>, meter: &Meter) {
    while let Some(Job { source, results }) = next(jobs) {
        source.blocks(meter, |block| {
            let (result, pending) = mpsc::sync_channel(1);
            // Sending fails where nobody takes results any more: then this source is not read on.
            results.send(pending).is_ok()
                && match block {
                    Ok(block) => tasks
                        .send(Task {
                            label: source.to_string(),
                            block,
                            result,
                        })
                        .is_ok(),
                    Err(error) => result.send(Err(error)).is_ok(),
                }
        });
    }
}

/// A worker: takes blocks until there are none.
fn work<T>(tasks: &Mutex<Receiver<Task<T>>>, handle: &impl Fn(&SourceBlock) -> Result<T>) {
    while let Some(Task {
        label,
        block,
        result,
    }) = next(tasks)
    {
        let handled = handle(&block).with_context(|| match block.record {
            Some(record) => format!("{label}: record {record}"),
            None => label,
        });
        // Fails where nobody takes results any more.
        let _ = result.send(handled);
    }
}

/// The next of a shared queue; `None` when it is empty and closed.
fn next<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    queue.lock().ok()?.recv().ok()
}
