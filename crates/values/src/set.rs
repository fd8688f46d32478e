//! Sets: converts a list without repetitions, in any order, to the sorted and padded list that
//! circuits such as the built-in program `psi` take.

use halfgate_circuit::{Bits, Party};
use thiserror::Error;
use zeroize::Zeroizing;

/// The most bits of an element.
const MAX_BITS: u32 = 128;

/// Errors in a set. No message shows an element, because elements are secret.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// More elements than the circuit takes.
    #[error("the set has {given} elements, more than the circuit's {count}")]
    TooMany {
        /// Number of elements in the set.
        given: usize,
        /// Number of elements that the circuit takes.
        count: u32,
    },
    /// An element appears twice.
    #[error("an element of the set appears more than once")]
    Repeated,
    /// An element that does not fit, or is a value reserved for padding.
    #[error(
        "an element of the set is not below 2^{bits} - {reserved} (the highest {reserved} values \
         are reserved to pad smaller sets)"
    )]
    OutOfRange {
        /// Width of an element.
        bits: u32,
        /// Number of values reserved for padding: two per element that the circuit takes.
        reserved: u64,
    },
    /// The elements are too narrow for the circuit's sets.
    #[error(
        "elements of {bits} bits have fewer than the {reserved} values that pad sets of up to \
         {count}, so no set fits: take wider elements or smaller sets"
    )]
    NoSpace {
        /// Width of an element.
        bits: u32,
        /// Number of elements that the circuit takes.
        count: u32,
        /// Number of values reserved for padding.
        reserved: u64,
    },
    /// The circuit declares an element width that is not supported.
    #[error("the elements have {bits} bits, but elements of a set may have 1 to 128")]
    Width {
        /// Width of an element.
        bits: u32,
    },
}

/// Returns the bits of a port that takes a set of `count` integers of `bits` bits each:
/// `count * bits` bits. The set may be in any order and have any size up to `count`, also zero.
///
/// A smaller set is padded with values out of the highest `2 * count`: even values for the garbler
/// and odd values for the evaluator, so that padding never matches anything. The elements must be
/// below all of these values. The padding hides the size of the set from the peer.
///
/// # Errors
/// If `elements` has more than `count` elements, a repeated element, or an element that is not
/// below `2^bits - 2 * count`.
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
    // The lowest value for padding is 2^bits - reserved.
    let out_of_range = SetError::OutOfRange { bits, reserved };
    let Some(padding) = (highest - 1).checked_sub(u128::from(reserved).saturating_sub(2)) else {
        return Err(SetError::NoSpace { bits, count, reserved });
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
