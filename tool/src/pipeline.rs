//! Blocks through all cores, results in order.
//!
//! One job a source: a worker reads it and handles its blocks, and gives the results into a bounded queue of the
//! job's own. The caller empties these queues in the order of the sources. Workers take jobs in that order too, so
//! the job whose queue is being emptied always has a worker, and all others may wait. Memory holds at most
//! `JOBS_AHEAD` queues a worker.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use anyhow::{Error, Result};

use crate::input::{Meter, Source};

/// Results that wait in a job's queue.
const QUEUE: usize = 16;

/// Jobs that are given out for each worker.
const JOBS_AHEAD: usize = 2;

struct Job<T> {
    source: Source,
    results: SyncSender<Result<T>>,
}

/// Calls `handle` with each block of the sources, on `workers` threads, and `take` with each result in the order of
/// the blocks. What cannot be read or handled is a result too, its error naming the source, and the rest goes on.
///
/// # Errors
///
/// The first error of `take`, which ends all.
pub fn run<T: Send>(
    sources: Vec<Result<Source>>,
    workers: NonZero<usize>,
    meter: &Meter,
    handle: impl Fn(&[u8]) -> Result<T> + Sync,
    mut take: impl FnMut(Result<T>) -> Result<()>,
) -> Result<()> {
    let (jobs, next_job) = mpsc::channel::<Job<T>>();
    let next_job = Mutex::new(next_job);
    thread::scope(|scope| {
        for _ in 0..workers.get() {
            scope.spawn(|| work(&next_job, meter, &handle));
        }
        let mut sources = sources.into_iter();
        let mut ahead: VecDeque<Result<Receiver<Result<T>>>> = VecDeque::new();
        // The queues live in this closure: when it returns early, sending fails and the workers end.
        let jobs = jobs;
        loop {
            while ahead.len() < workers.get() * JOBS_AHEAD {
                let Some(source) = sources.next() else { break };
                ahead.push_back(source.map(|source| {
                    let (results, queue) = mpsc::sync_channel(QUEUE);
                    // Fails only if every worker is gone; the queue is then closed, which ends it below.
                    let _ = jobs.send(Job { source, results });
                    queue
                }));
            }
            match ahead.pop_front() {
                Some(Ok(queue)) => queue.iter().try_for_each(&mut take)?,
                Some(Err(error)) => take(Err(error))?,
                None => return Ok(()),
            }
        }
    })
}

/// A worker: takes jobs until there are none.
fn work<T>(jobs: &Mutex<Receiver<Job<T>>>, meter: &Meter, handle: &impl Fn(&[u8]) -> Result<T>) {
    loop {
        let job = match jobs.lock() {
            Ok(jobs) => jobs.recv(),
            Err(_) => return,
        };
        let Ok(Job { source, results }) = job else {
            return;
        };
        let in_source = |error: Error| error.context(source.to_string());
        let read = source.blocks(meter, |block| {
            results.send(handle(&block).map_err(in_source)).is_ok()
        });
        if let Err(error) = read {
            // As above: nobody takes results any more.
            let _ = results.send(Err(error));
        }
    }
}
