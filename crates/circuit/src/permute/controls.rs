//! Computes the control bits of a permutation, in the clear.

use crate::bits::Bits;
use thiserror::Error;
use zeroize::Zeroizing;

/// Errors in a permutation. Messages show no element, because permutations are secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PermutationError {
    /// A place is missing or repeated.
    #[error("not a permutation: each of the places 0 to {n} - 1 must be in the list once")]
    NotAPermutation {
        /// Length of the list.
        n: usize,
    },
}

/// Returns the control bits with which [`permute`](super::permute) puts element `permutation[i]` at
/// place `i`: [`switches`](super::switches)`(n)` bits, as the value of a party's input.
///
/// This is Waksman's looping algorithm, in `n log n` steps. It branches on the permutation and uses
/// it to index memory. So it must run at the party that knows the permutation, and it is not
/// constant time.
///
/// # Errors
/// If `permutation` does not contain each of `0 .. n` once.
pub fn waksman_controls(permutation: &[usize]) -> Result<Bits, PermutationError> {
    let n = permutation.len();
    let mut seen = vec![false; n];
    for &place in permutation {
        match seen.get_mut(place) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(PermutationError::NotAPermutation { n }),
        }
    }
    let mut controls = Bits::new();
    append(permutation, &mut controls);
    Ok(controls)
}

/// Marks an output whose half is not chosen yet.
const OPEN: u8 = 2;
const UPPER: u8 = 0;
const LOWER: u8 = 1;

/// Appends the controls of a permutation's network: first column, halves, last column.
fn append(permutation: &[usize], controls: &mut Bits) {
    let n = permutation.len();
    if n < 2 {
        return;
    }
    let half_of = halves(permutation);
    let mut input_half = Zeroizing::new(vec![OPEN; n]);
    for (&input, &half) in permutation.iter().zip(half_of.iter()) {
        input_half[input] = half;
    }
    // A switch crosses if the first of its pair goes to, or comes from, the lower half.
    for pair in 0..super::first_column(n) {
        controls.push(input_half[2 * pair] == LOWER);
    }
    for half in [UPPER, LOWER] {
        let inner = permutation.iter().zip(half_of.iter()).filter(|(_, chosen)| **chosen == half);
        let inner: Zeroizing<Vec<usize>> =
            Zeroizing::new(inner.map(|(input, _)| input / 2).collect());
        append(&inner, controls);
    }
    for pair in 0..super::last_column(n) {
        controls.push(half_of[2 * pair] == LOWER);
    }
}

/// Returns, for each output, the half of the network from which it comes. The two outputs of a pair
/// never share a half, and neither do the two inputs of a pair.
fn halves(permutation: &[usize]) -> Zeroizing<Vec<u8>> {
    let n = permutation.len();
    let mut inverse = Zeroizing::new(vec![0; n]);
    for (output, &input) in permutation.iter().enumerate() {
        inverse[input] = output;
    }
    let mut half_of = Zeroizing::new(vec![OPEN; n]);
    // The last output has no switch and comes from the lower half. If `n` is odd, the last input
    // has no switch either and goes to the lower half. So the loop that contains the last output
    // must begin there.
    for start in (0..n).rev() {
        let mut output = start;
        while half_of[output] == OPEN {
            half_of[output] = LOWER;
            let other_input = permutation[output] ^ 1;
            if other_input >= n {
                break;
            }
            let other_output = inverse[other_input];
            half_of[other_output] = UPPER;
            output = other_output ^ 1;
        }
    }
    half_of
}
