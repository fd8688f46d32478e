//! Sets: a list without repetitions, in any order, as the sorted and padded list that a circuit
//! such as that of the built-in program `psi` takes.

use halfgate_circuit::{Bits, Party};
use thiserror::Error;
use zeroize::Zeroizing;

/// Most bits of an element.
const MAX_BITS: u32 = 128;

/// Why a set cannot be given to the circuit. No message shows an element: they are secret.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// More elements than the circuit takes.
    #[error("the set has {given} elements, more than the circuit's {count}")]
    TooMany {
        /// How many there are.
        given: usize,
        /// How many there may be.
        count: u32,
    },
    /// The same element twice.
    #[error("an element of the set appears more than once")]
    Repeated,
    /// An element that does not fit, or is one of the values kept for padding.
    #[error(
        "an element of the set is not below 2^{bits} - {reserved} (the highest {reserved} values \
         are kept to pad small sets with)"
    )]
    OutOfRange {
        /// Width of an element.
        bits: u32,
        /// Values kept for padding: two for each place of a set.
        reserved: u64,
    },
    /// The circuit's elements have an impossible width.
    #[error("elements have {bits} bits, but a set's may have 1 to 128")]
    Width {
        /// The width.
        bits: u32,
    },
}

/// The bits of a port that takes a set of `count` integers of `bits` bits each, for a set in any
/// order and of any size up to `count`, the empty set included: `count * bits` bits.
///
/// Smaller sets are padded with values from the highest `2 * count`, the even ones for the garbler
/// and the odd ones for the evaluator, so that padding never matches anything. Elements
/// must be below those. So nothing tells the other party the size of the set.
///
/// # Errors
/// If `elements` has more than `count`, a repeated one, or one that is not below
/// `2^bits - 2 * count`.
pub fn prepare_set(
    party: Party,
    elements: &[u128],
    count: u32,
    bits: u32,
) -> Result<Bits, SetError> {
    if bits == 0 || bits > MAX_BITS {
        return Err(SetError::Width { bits });
    }
    if elements.len() > count as usize {
        return Err(SetError::TooMany { given: elements.len(), count });
    }
    let reserved = 2 * u64::from(count);
    let highest = u128::MAX >> (128 - bits);
    // The lowest of the values for padding, 2^bits - reserved.
    let out_of_range = SetError::OutOfRange { bits, reserved };
    let Some(padding) = (highest - 1).checked_sub(u128::from(reserved).saturating_sub(2)) else {
        return Err(out_of_range);
    };
    let mut sorted = Zeroizing::new(Vec::with_capacity(count as usize));
    sorted.extend_from_slice(elements);
    sorted.sort_unstable();
    if sorted.last().is_some_and(|&largest| largest >= padding) {
        return Err(out_of_range);
    }
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(SetError::Repeated);
    }
    let parity = u128::from(party == Party::Evaluator);
    let missing = count as usize - sorted.len();
    sorted.extend((0..missing as u128).map(|i| padding + 2 * i + parity));

    let mut port = Bits::new();
    for element in sorted.iter() {
        port.append(&Bits::from_integer(*element, bits as usize));
    }
    Ok(port)
}
