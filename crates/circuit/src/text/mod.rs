//! Strings: occurrences of a pattern, common prefixes, edit distance, and automata.
//!
//! A string is a `&[Vec<Bit>]` of characters of one width `w`, such as 8 bits for bytes or 2 for
//! the letters of DNA. Lengths are public; pad a shorter string with a character that it cannot
//! contain.
//!
//! | with a text of `n` and a pattern of `m` characters | ANDs | AND depth |
//! |---|---|---|
//! | [`occurrences`] | `(n - m + 1) (m w - 1)` | `ceil(log2 (m w))` |
//! | [`occurrences_with_wildcards`] | `(n - m + 1) (m w + m - 1)` | |
//! | [`first`] of `n` bits | `n - 1` | `n - 1` |
//! | [`common_prefix`] of two strings of `n` | `n w - 1` | |
//! | [`edit_distance`] of `m` and `n` | `m n (w + 3)` and `O(m + n)` | |
//! | [`Dfa::accepts`] | `n` times [`Dfa::step_ands`] at most | |
//!
//! [`int::popcount`] of the occurrences counts them, overlapping ones included.

mod dfa;
mod edit;
#[cfg(test)]
mod tests;

pub use dfa::Dfa;
pub use edit::{Step, edit_distance};

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::{int, prefix};

/// For each of the `n - m + 1` places where the pattern could begin, whether it occurs there; no
/// bits if the pattern is longer than the text. `(n - m + 1) (m w - 1)` ANDs; fewer for a constant
/// pattern, because comparisons with equal characters are shared.
///
/// # Panics
/// If characters differ in width.
pub fn occurrences(b: &mut Builder, text: &[Vec<Bit>], pattern: &[Vec<Bit>]) -> Vec<Bit> {
    occurrences_with_wildcards(b, text, pattern, &vec![Bit::FALSE; pattern.len()])
}

/// Like [`occurrences`], but character `j` of the pattern matches every character if `wildcards[j]`
/// is 1. `(n - m + 1) (m w + m - 1)` ANDs.
///
/// # Panics
/// If characters differ in width, or the number of wildcard bits differs from the pattern's length.
pub fn occurrences_with_wildcards(
    b: &mut Builder,
    text: &[Vec<Bit>],
    pattern: &[Vec<Bit>],
    wildcards: &[Bit],
) -> Vec<Bit> {
    one_width(&[text, pattern].concat());
    let (found, m) = (wildcards.len(), pattern.len());
    assert_eq!(found, m, "{found} wildcard bits for a pattern of {m} characters");
    let Some(last) = text.len().checked_sub(m) else { return Vec::new() };
    let mut occurs = |start: usize| {
        let here = &text[start..start + m];
        let differs = |((x, y), &any): ((&Vec<Bit>, &Vec<Bit>), &Bit)| {
            let equal = int::eq(b, x, y);
            b.and(!any, !equal)
        };
        let differs: Vec<Bit> = here.iter().zip(pattern).zip(wildcards).map(differs).collect();
        int::is_zero(b, &differs)
    };
    (0..=last).map(&mut occurs).collect()
}

/// Whether any bit is 1, and the number of the first such bit (0 if there is none), in just enough
/// bits for the highest number. `n - 1` ANDs, of depth `n - 1`.
pub fn first(b: &mut Builder, bits: &[Bit]) -> (Bit, Vec<Bit>) {
    let so_far = prefix::any(b, bits);
    let width = bits.len().max(1).next_power_of_two().ilog2() as usize;
    // `is_first` is 1 only for the first bit that is 1, so XORs are enough to select its number.
    let mut index = vec![Bit::FALSE; width];
    for (i, &here) in so_far.iter().enumerate().skip(1) {
        let is_first = b.xor(here, so_far[i - 1]);
        for (_, sum) in index.iter_mut().enumerate().filter(|(place, _)| i >> place & 1 == 1) {
            *sum = b.xor(*sum, is_first);
        }
    }
    (so_far.last().copied().unwrap_or(Bit::FALSE), index)
}

/// The number of characters before the first difference of two strings, in just enough bits for the
/// shorter string's length `n`. `n w - 1` ANDs.
///
/// # Panics
/// If characters differ in width.
pub fn common_prefix(b: &mut Builder, x: &[Vec<Bit>], y: &[Vec<Bit>]) -> Vec<Bit> {
    one_width(&[x, y].concat());
    let mut differs: Vec<Bit> = x.iter().zip(y).map(|(x, y)| !int::eq(b, x, y)).collect();
    // The strings count as different after the end of the shorter one.
    differs.push(Bit::TRUE);
    first(b, &differs).1
}
