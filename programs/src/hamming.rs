//! Hamming distance: the number of places in which two bit strings differ. The differences are
//! free; a tree of adders counts them. The number of ANDs is BITS minus the number of ones in BITS
//! in binary.
//!
//! `hamming-mapped` counts the differences by maps. The strings are divided into blocks, each as
//! long as possible, whose lengths are one below a power of two. A map counts pieces of 127 bits of
//! a block. Further maps add the counts in pairs, with a bit of the block as carry. No adder gets a
//! constant, so the ANDs are as many as in the flat program. The text grows with the square of the
//! logarithm of BITS.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};
use std::collections::VecDeque;

/// `hamming`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "hamming",
    params: "BITS",
    default: "1024",
    summary: "the number of places in which two bit strings differ",
    ports: "garbler a:BITS; evaluator b:BITS; output distance: as wide as BITS in binary",
    types: &[],
    make: Make::Flat(|params: Params| circuit(params.one("BITS")?)),
};

/// `hamming-mapped`.
pub const MAPPED: ProgramInfo = ProgramInfo {
    name: "hamming-mapped",
    summary: "hamming as maps that count the differences: a short text at any number of BITS",
    make: Make::Structured(|params: Params| mapped(params.one("BITS")?)),
    ..INFO
};

/// Maximum number of bits of a string in [`mapped`].
pub const MAX_MAPPED_BITS: u32 = 1 << 26;

/// Logarithm of one more than the bits that a lane counts.
const LOG_PIECE: u32 = 7;

/// Garbler's `a` and evaluator's `b`, strings of `bits` bits; output `distance`, an unsigned
/// integer as wide as `bits` in binary.
///
/// # Errors
/// If `bits` is 0 or above 2^20, or the gates cannot be stored.
pub fn circuit(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 20)?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, bits);
    let y = b.input("b", Party::Evaluator, bits);
    let differences: Vec<Bit> = x.iter().zip(&y).map(|(&x, &y)| b.xor(x, y)).collect();
    let distance = int::popcount(&mut b, &differences);
    b.output("distance", &distance);
    Ok(b.finish()?)
}

/// The function of [`circuit`] as maps, with as many ANDs.
///
/// # Errors
/// If `bits` is 0 or above [`MAX_MAPPED_BITS`], or the gates cannot be stored.
pub fn mapped(bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("BITS", bits.into(), 1..=MAX_MAPPED_BITS.into())?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, bits);
    let y = b.input("b", Party::Evaluator, bits);
    let (mut x, mut y) = (&x[..], &y[..]);
    let mut columns = vec![VecDeque::new(); bits.ilog2() as usize + 1];
    while !x.is_empty() {
        let log = (x.len() + 1).ilog2();
        let ((first, rest), (other, others)) =
            (x.split_at((1 << log) - 1), y.split_at((1 << log) - 1));
        (x, y) = (rest, others);
        for (column, bit) in columns.iter_mut().zip(differences(&mut b, log, first, other)) {
            column.push_back(bit);
        }
    }
    let distance = int::sum_columns(&mut b, columns);
    b.output("distance", &distance);
    Ok(b.finish_structured()?)
}

/// The number of differences between two strings of `2^log - 1` bits.
fn differences(b: &mut Builder, log: u32, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let count = |b: &mut Builder, x: &[Bit], y: &[Bit]| {
        let differences = int::xor(b, x, y);
        int::popcount(b, &differences)
    };
    if log <= LOG_PIECE {
        return count(b, x, y);
    }
    let mut lanes = 1 << (log - LOG_PIECE);
    let pieces = lanes * ((1 << LOG_PIECE) - 1);
    let ((counted, mut x), (other, mut y)) = (x.split_at(pieces), y.split_at(pieces));
    let arguments = [Arg::Sliced(counted), Arg::Sliced(other)];
    let mut counts = b.map("count", lanes as u64, &arguments, |b, x| count(b, &x[0], &x[1]));
    while lanes > 1 {
        lanes /= 2;
        let ((carries, rest), (others, other_rest)) = (x.split_at(lanes), y.split_at(lanes));
        (x, y) = (rest, other_rest);
        let pairs = counts.regroup(2 * counts.width());
        let arguments = [Arg::Array(pairs), Arg::Sliced(carries), Arg::Sliced(others)];
        counts = b.map("add", lanes as u64, &arguments, |b, arguments| {
            let (first, second) = arguments[0].split_at(arguments[0].len() / 2);
            let mut columns: Vec<VecDeque<Bit>> =
                first.iter().zip(second).map(|(&x, &y)| VecDeque::from([x, y])).collect();
            columns[0].push_back(b.xor(arguments[1][0], arguments[2][0]));
            columns.push(VecDeque::new());
            int::sum_columns(b, columns)
        });
    }
    counts.bits()
}
