//! Compares every floating-point operation with the processor's arithmetic, bit for bit.
//!
//! [`operations()`] lists the operations. [`compare`] runs one operation's circuit in lanes, on all
//! combinations of special values and on random ones, and counts differences. A short run is part
//! of the tests; `halfgate bench floats` makes a long one.
//!
//! The expected results come from Rust's `f32` and `f64`. Where Rust leaves a result open (the
//! payload of a NaN, and the sign of a zero from `min` and `max`), the list defines it. Modules:
//! `operations` (the list), `values` (the operands), `lanes` (conversion between values and lanes).

pub(super) mod lanes;
mod operations;
mod values;

pub use operations::{Kind, Operation, operations};

use crate::clear::LanesEvaluator;
use crate::random::Random;

/// Number of words evaluated at once; each word holds 64 lanes.
pub(super) const WORDS: usize = 8;
/// Number of sets of operands evaluated at once, one per lane.
pub(super) const BATCH: usize = WORDS * 64;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of sets of operands compared: all combinations of special values, and random ones.
    pub compared: u64,
    /// Number of sets that were combinations of special values.
    pub special: u64,
    /// Number of results that differed.
    pub different: u64,
    /// The first difference: operands, the circuit's result, the expected result.
    pub first: Option<String>,
}

/// Compares `operation` with the processor on all combinations of the special values of its
/// operands, and on `random` random sets of operands, which depend only on `seed`.
///
/// # Panics
/// If the operation's circuit cannot be built.
pub fn compare(operation: &Operation, random: u64, seed: u64) -> Outcome {
    let circuit = operation.circuit();
    let mut evaluator = LanesEvaluator::<WORDS>::new(&circuit).expect("builders make valid ones");
    let special = values::Combinations::new(&operation.operands);
    let mut source = Random::new(seed);
    let random = (0..random).map(|_| values::random(&operation.operands, &mut source));
    let mut outcome = Outcome { special: special.len(), ..Outcome::default() };
    let mut sets = special.chain(random);
    let mut batch = Vec::with_capacity(BATCH);
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    loop {
        batch.clear();
        batch.extend(sets.by_ref().take(BATCH));
        if batch.is_empty() {
            return outcome;
        }
        lanes::spread(&batch, &operation.operands, &mut inputs);
        evaluator.evaluate(&inputs, 1, &mut outputs).expect("one value for each operand");
        let found = lanes::gather(&outputs[0]);
        for (operands, found) in batch.iter().zip(found) {
            let expected = (operation.expected)(*operands);
            outcome.compared += 1;
            if found != expected {
                outcome.different += 1;
                let operands = &operands[..operation.operands.len()];
                outcome.first.get_or_insert_with(|| {
                    format!("{operands:x?}: found {found:#x}, expected {expected:#x}")
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
