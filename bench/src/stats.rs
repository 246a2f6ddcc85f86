//! Times of repeated rounds, and what a table may say of them: the median, with minimum and maximum beside it.
//!
//! A mean would let one hiccup of a shared machine speak, and a minimum alone the one lucky round.

use std::time::{Duration, Instant};

/// Timed rounds of each contender, after a warm-up.
pub const ROUNDS: usize = 9;

/// Times of one contender.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<Duration>);

/// What is told of a contender's times; seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The fastest round.
    pub min: f64,
    /// The slowest round.
    pub max: f64,
}

impl Samples {
    /// Adds the time of a round.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Median, minimum and maximum; zeros without a round.
    pub fn spread(&self) -> Spread {
        let mut seconds: Vec<_> = self.0.iter().map(Duration::as_secs_f64).collect();
        seconds.sort_by(f64::total_cmp);
        let at = |index: usize| seconds.get(index).copied().unwrap_or_default();
        Spread {
            median: at(seconds.len() / 2),
            min: at(0),
            max: at(seconds.len().saturating_sub(1)),
        }
    }
}

/// Times every contender in every round, one after the other, so that what disturbs the machine disturbs all of them
/// alike. `run` does the work of contender `i` once, unmeasured parts included, and gives the time of what counts.
///
/// # Errors
///
/// The first error of `run`.
pub fn measure<E>(
    contenders: usize,
    rounds: usize,
    mut run: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Spread>, E> {
    let mut samples = vec![Samples::default(); contenders];
    for round in 0..=rounds {
        for (contender, samples) in samples.iter_mut().enumerate() {
            // Each once before it counts: what the contender before left in the caches and in the allocator is not
            // what one that runs by itself finds.
            run(contender)?;
            let time = run(contender)?;
            // The first round is the warm-up.
            if round > 0 {
                samples.push(time);
            }
        }
    }
    Ok(samples.iter().map(Samples::spread).collect())
}

/// The time that `work` takes.
pub fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    std::hint::black_box(work());
    began.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_and_no_mean() {
        let mut samples = Samples::default();
        for seconds in [1, 2, 1000, 3, 4] {
            samples.push(Duration::from_secs(seconds));
        }
        let spread = samples.spread();
        assert_eq!(
            spread,
            Spread {
                median: 3.0,
                min: 1.0,
                max: 1000.0
            }
        );
        assert_eq!(Samples::default().spread().median, 0.0);
    }

    #[test]
    fn the_warm_up_does_not_count_and_all_take_turns() {
        let mut order = Vec::new();
        let spreads = measure::<()>(2, 3, |contender| {
            order.push(contender);
            let warm_up = order.len() <= 4;
            Ok(Duration::from_secs(if warm_up { 99 } else { 1 }))
        });
        assert_eq!(order, [0, 0, 1, 1].repeat(4));
        assert!(spreads.unwrap().iter().all(|spread| spread.max == 1.0));
    }
}
