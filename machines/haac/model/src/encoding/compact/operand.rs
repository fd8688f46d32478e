//! Operands in the form that the encoder uses for comparisons, and the widths of their numbers.

use super::REACHES;

/// An operand and its difference from each distance that a class can compare it with.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    OutOfRange,
    /// In the window.
    Near {
        slot: u32,
        distance: u32,
        left: i64,
        up: i64,
        cross: i64,
        recent: [(usize, i64); REACHES],
    },
}

/// Width of a number with a sign; 0 if the number is 0.
pub(super) fn signed_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (u64::BITS - (number.unsigned_abs() - 1).leading_zeros()) as usize,
    }
}

/// Width of a number in two's complement; 0 if the number is 0.
pub(super) fn complement_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (i64::BITS - (number ^ number >> 63).leading_zeros()) as usize,
    }
}

/// Width of the field for a distance, which holds the distance minus 1.
pub(super) fn unsigned_width(distance: u32) -> usize {
    (u32::BITS - (distance - 1).leading_zeros()) as usize
}
