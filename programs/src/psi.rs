//! Size of a private set intersection: how many elements two sets share, and nothing else.
//!
//! It follows the sort-compare-shuffle circuit of Huang, Evans and Katz ("Private Set Intersection:
//! Are Garbled Circuits Better than Custom Protocols?", NDSS 2012). Each party sorts its own set.
//! The circuit merges the two sorted lists, so that equal elements become neighbours, compares
//! neighbours, and counts the equal ones. The output is only a count, so nothing needs to be
//! shuffled. The paper merges with a bitonic network. This circuit uses Batcher's odd-even merge,
//! which needs fewer comparisons (385 instead of 448 for two sets of 64) and works for any length.
//!
//! **Inputs** are exactly COUNT distinct unsigned integers in ascending order, the smallest in the
//! lowest bits. `halfgate_values::prepare_set` makes them from a set of up to COUNT elements in any
//! order. The circuit cannot check the order: for an unsorted list, the size is wrong, but nothing
//! else is revealed.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::sort::{self, Key};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `psi`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "psi",
    params: "COUNTxBITS",
    default: "64x32",
    summary: "the number of elements that two sets of COUNT integers share",
    ports: "garbler a, evaluator b: COUNT*BITS each, distinct integers in ascending order, \
            number i at bits i*BITS to (i+1)*BITS-1; output size, as wide as COUNT in binary",
    types: &[
        PortType::set("a", Element::Unsigned, Width::Parameter(1)),
        PortType::set("b", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        circuit(count, bits)
    }),
};

/// Garbler's `a` and evaluator's `b`, each `count` distinct integers of `bits` bits in ascending
/// order; output `size`, the number of integers in both, as wide as `count` in binary.
///
/// The merge has about `count * log2(2 * count)` comparisons of `2 * bits` ANDs each; comparing
/// neighbours takes about `2 * count * bits` ANDs more.
///
/// # Errors
/// If `count` is not 1 to 65,536 or `bits` not 1 to 128, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 1..=1 << 16)?;
    check("BITS", bits.into(), 1..=MAX_BITS.into())?;
    check_size(&[count.into(), u64::from(count.ilog2()) + 2, 2 * u64::from(bits)])?;
    let mut b = Builder::new();
    let a = b.input("a", Party::Garbler, count * bits);
    let other = b.input("b", Party::Evaluator, count * bits);

    let (a, other) = (numbers(&a, bits), numbers(&other, bits));
    let merged = sort::merge(&mut b, &a, &other, Key::unsigned(bits as usize));
    let equal: Vec<Bit> =
        merged.windows(2).map(|pair| int::eq(&mut b, &pair[0], &pair[1])).collect();
    // A set's elements are distinct, so of two neighbouring pairs at most one is equal. Their sum
    // is then their XOR, and only half as many bits remain to be counted.
    let matches: Vec<Bit> =
        equal.chunks(2).map(|two| two.iter().fold(Bit::FALSE, |x, &y| b.xor(x, y))).collect();
    let size = int::popcount(&mut b, &matches);
    b.output("size", &size);
    Ok(b.finish()?)
}

const MAX_BITS: u32 = 128;

fn numbers(port: &[Bit], bits: u32) -> Vec<Vec<Bit>> {
    port.chunks(bits as usize).map(<[Bit]>::to_vec).collect()
}
