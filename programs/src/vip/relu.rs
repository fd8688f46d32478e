//! ReLU: the maximum of each number and 0. Numbers are in two's complement.
//!
//! **Size.** 2,048 numbers of 32 bits. Table 2 of the HAAC paper counts 33 gates per number: one
//! inverts the sign, and 32 AND the inverted sign with each bit, the sign bit included. Here the
//! sign of the result is 0 without a gate, so 31 ANDs per number remain. As in the paper, a value
//! belongs to one party and is not a sum of shares, which would take an adder per value. Each party
//! has half of the numbers.
//!
//! `relu-mapped` is the same function as a map over the numbers.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use crate::vip::check_input;
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party};

/// `relu`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "relu",
    params: "COUNTxBITS",
    default: "2048x32",
    summary: "the maximum of 0 and each of COUNT signed numbers (VIP-Bench)",
    ports: "garbler a: the first half (rounded up) of the numbers; evaluator b: the others; \
            output positive: all COUNT; number i is at bits i*BITS to (i+1)*BITS-1 of its port",
    types: &[
        PortType::list("a", Element::Signed, Width::Parameter(1)),
        PortType::list("b", Element::Signed, Width::Parameter(1)),
        PortType::list("positive", Element::Signed, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        circuit(count, bits)
    }),
};

/// `relu-mapped`.
pub const MAPPED: ProgramInfo = ProgramInfo {
    name: "relu-mapped",
    summary: "relu as a map over the numbers: a short text at any COUNT",
    make: Make::Structured(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        mapped(count, bits)
    }),
    ..INFO
};

/// Garbler's `a` (the first half, rounded up, of `count` numbers of `bits` bits in two's
/// complement) and evaluator's `b` (the others); output `positive`, the same numbers with 0 for the
/// negative ones. `count * (bits - 1)` ANDs of depth 1.
///
/// # Errors
/// If `count` is not 2 to 2^20 or `bits` not 2 to 1,024, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 20)?;
    check("BITS", bits.into(), 2..=1 << 10)?;
    check_size(&[count.into(), bits.into()])?;
    let mut b = Builder::new();
    let a = b.input("a", Party::Garbler, count.div_ceil(2) * bits);
    let rest = b.input("b", Party::Evaluator, count / 2 * bits);
    let mut positive = Vec::with_capacity((count * bits) as usize);
    for number in a.chunks(bits as usize).chain(rest.chunks(bits as usize)) {
        positive.extend(maximum_with_0(&mut b, number));
    }
    b.output("positive", &positive);
    Ok(b.finish()?)
}

/// The function of [`circuit`] as a map over the numbers, with as many ANDs.
///
/// # Errors
/// As for [`circuit`], but the numbers may have up to
/// [`MAX_INPUT_BITS`](crate::vip::MAX_INPUT_BITS) bits together.
pub fn mapped(count: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 20)?;
    check("BITS", bits.into(), 2..=1 << 10)?;
    check_input(&[count, bits])?;
    let mut b = Builder::new();
    let mut numbers = b.input("a", Party::Garbler, count.div_ceil(2) * bits);
    numbers.extend(b.input("b", Party::Evaluator, count / 2 * bits));
    let positive = b.map("positive", count.into(), &[Arg::Sliced(&numbers)], |b, number| {
        maximum_with_0(b, &number[0])
    });
    b.output_array("positive", positive);
    Ok(b.finish_structured()?)
}

fn maximum_with_0(b: &mut Builder, number: &[Bit]) -> Vec<Bit> {
    let (sign, size) = number.split_last().expect("a number has bits");
    let positive = size.iter().map(|&bit| b.and(bit, !*sign));
    positive.chain([Bit::FALSE]).collect()
}

/// The same function in plain Rust.
pub fn plain(numbers: &[i32]) -> Vec<i32> {
    numbers.iter().map(|&number| number.max(0)).collect()
}
