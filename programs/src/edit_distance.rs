//! Edit distance (Levenshtein): the minimum number of characters to insert, delete or replace to
//! turn one text into the other. The texts and their lengths stay secret: each text is padded with
//! zeros to the public LENGTH.
//!
//! The textbook's table has a number `D[i][j]` for the first `i` characters of one text and the
//! first `j` of the other. This circuit computes only differences of neighbours, which are -1, 0 or
//! 1 (Ukkonen, "Algorithms for approximate string matching", 1985). A cell gets the differences
//! along its upper and left sides, and computes those along its lower and right sides. Let `step`,
//! which is 0 or 1, be the difference along the cell's diagonal:
//!
//! ```text
//! step = 0  if and only if the characters are equal, or the upper or left difference is -1
//! lower difference = step - left difference      right difference = step - upper difference
//! ```
//!
//! This takes 4 ANDs besides the comparison of the two characters, and no number gets wider for
//! longer texts. (With two bits per difference, 3 ANDs are not enough: a SAT solver finds no such
//! circuit.) The distance is the sum of the steps on the table's diagonal.
//!
//! **Lengths.** The circuit reads the texts backwards, so the padding comes first. A zero equals
//! only a zero, and along the edge of the table a zero adds nothing. So all cells in the padding of
//! both texts are 0, and the rest of the table is as without padding.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Bool, Function, Length, U8, U32};
//!
//! /// The table in numbers, row by row: simpler, and several times as large.
//! fn distance(a: &[U8], b: &[U8]) -> U8 {
//!     let mut row: Vec<U8> = (0..=b.len() as u8).map(U8::from).collect();
//!     for (i, from_a) in a.iter().enumerate() {
//!         let mut diagonal = row[0];
//!         row[0] = U8::from(i as u8 + 1);
//!         for (j, &from_b) in b.iter().enumerate() {
//!             let differs: Bool = from_a.differs(from_b);
//!             let replaced = diagonal + differs.select(U8::from(1), 0);
//!             diagonal = row[j + 1];
//!             row[j + 1] = replaced.min(row[j].min(diagonal) + 1);
//!         }
//!     }
//!     row[b.len()]
//! }
//!
//! let function = Function::with_shapes("distance", Length(6), Length(7), |a: Vec<U8>, b: Vec<U8>|
//! {
//!     distance(&a, &b).cast::<32>() as U32
//! });
//! let program = function.compile()?;
//! assert_eq!(program.run(b"kitten".to_vec(), b"sitting".to_vec())?, 3);
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::{Circuit, Party, int};
use halfgate_secret::{Bool, Length, Secret, list, output, trace, with_builder};

/// `edit-distance`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "edit-distance",
    params: "LENGTHxBITS",
    default: "32x8",
    summary: "Levenshtein distance between two texts of up to LENGTH characters of BITS bits",
    ports: "garbler a: LENGTH*BITS, evaluator b: LENGTH*BITS, texts with zeros after them (text:, \
            or [list of characters]); output distance: as wide as LENGTH in binary",
    types: &[
        PortType::list("a", Element::Text, Width::Parameter(1)),
        PortType::list("b", Element::Text, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (length, bits) = params.two(["LENGTH", "BITS"], 'x')?;
        circuit(length, bits)
    }),
};

/// Garbler's `a` and evaluator's `b`, texts of up to `length` characters of `bits` bits, padded
/// with zeros at the end and without other zeros; output `distance`, as wide as `length` in binary.
///
/// With `n = length`, `k = bits` and `h` the number of ones in `n` in binary:
/// `n^2 (k + 3) + n (2k - 5) - h` ANDs; 11,615 for `32x8`.
///
/// # Errors
/// If `length` is not 1 to 4,096 or `bits` not 1 to 32, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(length: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("LENGTH", length.into(), 1..=1 << 12)?;
    check("BITS", bits.into(), 1..=32)?;
    check_size(&[length.into(), length.into(), u64::from(bits) + 3])?;
    let width = (length * bits) as usize;
    Ok(trace(|| {
        let a: Vec<Bool> = list("a", Party::Garbler, width);
        let b: Vec<Bool> = list("b", Party::Evaluator, width);
        let from_the_end = |text: Vec<Bool>| -> Vec<Vec<Bool>> {
            text.chunks(bits as usize).rev().map(<[Bool]>::to_vec).collect()
        };
        let steps = diagonal(&from_the_end(a), &from_the_end(b));
        let distance = with_builder(|b| int::popcount(b, &steps.to_bits()));
        output("distance", &Vec::<Bool>::from_bits(&Length(distance.len()), &distance));
    })?)
}

/// The difference of two neighbours in the table: -1, 0 or 1.
#[derive(Clone, Copy)]
struct Difference {
    is_minus_1: Bool,
    is_plus_1: Bool,
}

impl Difference {
    /// The difference along the table's edge, where `character` is inserted: 0 for padding, else 1.
    fn of_rim(character: &[Bool]) -> Difference {
        let is_plus_1 = !all(character.iter().map(|&bit| !bit).collect());
        Difference { is_minus_1: false.into(), is_plus_1 }
    }

    /// `step - self`; `step` must be 0 if this is -1. One AND.
    fn subtracted_from(self, step: Bool) -> Difference {
        let both = step & self.is_plus_1;
        Difference { is_minus_1: self.is_plus_1 ^ both, is_plus_1: self.is_minus_1 ^ step ^ both }
    }
}

/// The steps along the table's diagonal, for two texts of equal length.
fn diagonal(a: &[Vec<Bool>], b: &[Vec<Bool>]) -> Vec<Bool> {
    let last = a.len() - 1;
    let mut above: Vec<Difference> = b.iter().map(|c| Difference::of_rim(c)).collect();
    let mut diagonal = Vec::with_capacity(a.len());
    for (i, from_a) in a.iter().enumerate() {
        let mut left = Difference::of_rim(from_a);
        for (j, from_b) in b.iter().enumerate() {
            let upper = above[j];
            let same = all(from_a.iter().zip(from_b).map(|(x, &y)| x.equals(y)).collect());
            let step = !(same | upper.is_minus_1 | left.is_minus_1);
            if i == j {
                diagonal.push(step);
            }
            // No cell reads the differences below the last row or right of the last column.
            if i < last {
                above[j] = left.subtracted_from(step);
            }
            if j < last {
                left = upper.subtracted_from(step);
            }
        }
    }
    diagonal
}

/// Whether all `bits` are true. One AND less than there are bits.
fn all(bits: Vec<Bool>) -> Bool {
    bits.into_iter().reduce(|x, y| x & y).unwrap_or(true.into())
}

/// The same function in plain Rust, by the textbook's table. Texts end at their first zero.
pub fn plain(a: &[u32], b: &[u32]) -> usize {
    let text = |padded: &[u32]| -> Vec<u32> {
        padded.iter().copied().take_while(|&character| character != 0).collect()
    };
    let (a, b) = (text(a), text(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from_a) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, from_b) in b.iter().enumerate() {
            let replaced = row[j] + usize::from(from_a != from_b);
            next.push(replaced.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
    }
    row[b.len()]
}
