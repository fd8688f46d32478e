//! The curve of programs with functions over numbers of threads, from one to all cores, without a
//! session: tables stay in buffers.
//!
//! Times are elapsed times. All numbers of threads are measured in turns.

use crate::threads::{ROLES, program};
use halfgate_engine::cpu::Threads;
use halfgate_record::engine::TURNS;
use halfgate_record::measure::Spread;
use halfgate_record::record::Figure;
use halfgate_record::timed::{Ran, Timed};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// Programs of some 10^8 ANDs and of some 10^7.
const PROGRAMS: [&str; 2] = ["aes128-batch:16384", "join:20000x20000"];
/// Characters of a bar as long as the number of cores.
const BAR: usize = 40;

/// Measures speed-ups over one thread, with a bar for each.
///
/// # Errors
/// If a program cannot be built or run.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let counts = counts(cores);
    let mut figures = Vec::new();
    for spec in PROGRAMS {
        report(&format!("  {spec} on {counts:?} threads"));
        let program = program(spec)?;
        let on = |count: &NonZeroUsize| Timed::structured_on(&program, Threads::new(*count));
        let mut all = counts.iter().map(on).collect::<Result<Vec<_>, _>>()?;
        let mut turns: [Vec<Vec<Ran>>; 2] = Default::default();
        for _ in 0..TURNS {
            turns[0].push(all.iter_mut().map(|t| t.garble(None)).collect::<Result<_, _>>()?);
            turns[1].push(all.iter_mut().map(|t| t.evaluate(None)).collect::<Result<_, _>>()?);
        }
        for (role, turns) in ROLES.iter().zip(&turns) {
            for (at, &count) in counts.iter().enumerate() {
                let name = format!("{spec}, {role}, {count} threads over one");
                figures.push(speed_up(&name, turns, at, cores));
            }
        }
    }
    Ok(figures)
}

/// The speed-up of entry `at` of each turn over entry 0.
fn speed_up(name: &str, turns: &[Vec<Ran>], at: usize, cores: usize) -> Figure {
    let times = Spread::of(turns.iter().map(|t| t[0].elapsed / t[at].elapsed).collect());
    let rates = turns.iter().map(|t| t[at].ands as f64 / t[at].elapsed / 1e6).collect();
    let bar = bar(times.median, cores);
    let note = format!("{bar} {times}; {} M AND/s", Spread::of(rates));
    Figure::measured(name, "times", times.median).note(note)
}

/// A bar for a speed-up, beside the longest that is possible on this number of cores.
fn bar(speed_up: f64, cores: usize) -> String {
    let filled = (speed_up / cores as f64 * BAR as f64).round() as usize;
    let filled = filled.min(BAR);
    format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled))
}

/// Powers of two up to the number of cores, and that number.
fn counts(cores: usize) -> Vec<NonZeroUsize> {
    let powers = (0..usize::BITS).map(|power| 1 << power).take_while(|&count| count < cores);
    powers.chain([cores]).filter_map(NonZeroUsize::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cores_are_measured() {
        let numbers = |cores| counts(cores).into_iter().map(NonZeroUsize::get).collect::<Vec<_>>();
        assert_eq!(numbers(1), [1]);
        assert_eq!(numbers(2), [1, 2]);
        assert_eq!(numbers(6), [1, 2, 4, 6]);
        assert_eq!(numbers(16), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn a_bar_is_as_long_as_the_share_of_the_cores() {
        assert_eq!(bar(8.0, 16).matches('#').count(), BAR / 2);
        assert_eq!(bar(17.0, 16).len(), BAR + 2);
    }
}
