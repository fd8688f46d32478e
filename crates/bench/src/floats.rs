//! Compares every floating-point operation with the processor's arithmetic and counts its ANDs.
//!
//! Each operation's circuit is evaluated in the clear, 512 sets of operands at once, on all
//! combinations of special values and on [`RANDOM`] random sets: see
//! [`check`](halfgate_circuit::float::check).

use halfgate_circuit::Circuit;
use halfgate_circuit::float::check::{Operation, Outcome, compare, operations};
use halfgate_record::record::Figure;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Random sets of operands for each operation.
const RANDOM: u64 = 10_000_000;

/// Operations, the circuits of Bristol Fashion for them, and the ANDs of these: the upper bounds
/// for our circuits.
const PUBLISHED: [(&str, &str, f64); 10] = [
    ("binary64 add", "FP-add", 5_385.0),
    ("binary64 mul", "FP-mul", 19_626.0),
    ("binary64 div", "FP-div", 82_269.0),
    ("binary64 sqrt", "FP-sqrt", 91_504.0),
    ("binary64 eq", "FP-eq", 315.0),
    ("binary64 lt", "FP-lt", 381.0),
    ("binary64 floor", "FP-floor", 655.0),
    ("binary64 ceil", "FP-ceil", 650.0),
    ("binary64 to nearest i64", "FP-f2i", 1_467.0),
    ("binary64 from i64", "FP-i2f", 2_416.0),
];

/// Compares every operation, on all cores, and counts its ANDs.
///
/// # Errors
/// If a comparing thread panics.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let operations = operations();
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let next = AtomicUsize::new(0);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; operations.len()];
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            let (sender, next, operations) = (sender.clone(), &next, &operations);
            scope.spawn(move || {
                while let Some((index, operation)) = take(next, operations) {
                    let outcome = compare(operation, RANDOM, index as u64);
                    if sender.send((index, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, outcome) in receiver {
            report(&summary(&operations[index], &outcome));
            outcomes[index] = Some(outcome);
        }
    });
    let mut figures = Vec::new();
    for (operation, outcome) in operations.iter().zip(outcomes) {
        let name = &operation.name;
        let outcome = outcome.ok_or(format!("{name} was not compared: its thread died"))?;
        figures.extend(figures_of(operation, &operation.circuit(), outcome));
    }
    Ok(figures)
}

/// Takes the next operation that no thread has taken.
fn take<'a>(next: &AtomicUsize, operations: &'a [Operation]) -> Option<(usize, &'a Operation)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    operations.get(index).map(|operation| (index, operation))
}

fn summary(operation: &Operation, outcome: &Outcome) -> String {
    let Outcome { compared, special, different, first } = outcome;
    let first = first.as_ref().map_or(String::new(), |first| format!("; the first: {first}"));
    let name = &operation.name;
    format!("{name}: {compared} compared, {special} of them special, {different} differ{first}")
}

fn figures_of(operation: &Operation, circuit: &Circuit, outcome: Outcome) -> Vec<Figure> {
    let name = format!("float {}", operation.name);
    let ands = Figure::measured(&name, "AND", circuit.gates.ands() as f64);
    let published = PUBLISHED.iter().find(|(published, ..)| *published == operation.name);
    let ands = match published {
        Some(&(_, circuit, count)) => ands.published(count).at_most(count).note(format!(
            "published: {circuit} of Bristol Fashion; its results for NaNs are not compared"
        )),
        None => ands,
    };
    let compared = format!("{name}, compared with hardware");
    let compared = Figure::measured(&compared, "sets of operands", outcome.compared as f64)
        .at_least(RANDOM as f64)
        .note(format!("all {} combinations of special values included", outcome.special));
    let different = format!("{name}, differs from hardware");
    let mut different =
        Figure::measured(&different, "sets of operands", outcome.different as f64).at_most(0.0);
    if let Some(first) = outcome.first {
        different = different.note(format!("the first: {first}"));
    }
    vec![ands, compared, different]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_counts_are_of_operations() {
        let operations = operations();
        for (name, _, count) in PUBLISHED {
            let operation = operations.iter().find(|operation| operation.name == name);
            let ands = operation.expect(name).circuit().gates.ands();
            assert!((ands as f64) < count, "{name}: {ands} ANDs");
        }
    }

    #[test]
    fn a_difference_is_a_missed_target() {
        let operation = &operations()[0];
        let figures = |different| {
            let outcome = Outcome { compared: RANDOM, different, ..Outcome::default() };
            figures_of(operation, &operation.circuit(), outcome)
        };
        assert!(figures(0).iter().all(|figure| figure.met != Some(false)));
        assert_eq!(figures(0)[2].ratio(), Some(1.0));
        assert_eq!(figures(1)[2].met, Some(false));
    }
}
