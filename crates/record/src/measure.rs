//! Medians of repeated measurements.

use std::fmt;
use std::time::Instant;

/// Minimum, median and maximum of some measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The minimum.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// Computes the spread of `values`.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        Spread { min: values[0], median: values[values.len() / 2], max: values[last] }
    }

    /// Applies `f`, which must be monotonic, to every value.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Spread {
        Spread::of(vec![f(self.min), f(self.median), f(self.max)])
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} to {:.2}", self.min, self.max)
    }
}

/// Returns the result of `call` and the seconds that it took.
pub fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = call();
    (result, start.elapsed().as_secs_f64())
}

/// Returns the result of `call` and the seconds of processor time that this thread spent on it. For
/// work on one core, that is the time on an idle computer. This system does not report that time,
/// so it is the elapsed time.
#[cfg(not(unix))]
pub fn cpu_timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    timed(call)
}

/// Returns the result of `call` and the seconds of processor time that this thread spent on it. For
/// work on one core, that is the time on an idle computer.
#[cfg(unix)]
pub fn cpu_timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let start = now();
    let result = call();
    (result, now() - start)
}
