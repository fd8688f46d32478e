//! Operands as the encoder compares them, and the bits that their numbers take.

use super::REACHES;

/// An operand and what it can be compared with.
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

/// Bits that a number takes which is 0 in none.
pub(super) fn signed_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (u64::BITS - (number.unsigned_abs() - 1).leading_zeros()) as usize,
    }
}

/// Bits that a number takes as a two's complement, none if it is 0.
pub(super) fn complement_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (i64::BITS - (number ^ number >> 63).leading_zeros()) as usize,
    }
}

/// Bits that a distance takes.
pub(super) fn unsigned_width(distance: u32) -> usize {
    (u32::BITS - (distance - 1).leading_zeros()) as usize
}
