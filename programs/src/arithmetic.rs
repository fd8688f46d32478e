//! Adders and multipliers: the smallest programs, useful to try an engine or an installation.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `adder`.
pub const ADDER: ProgramInfo = ProgramInfo {
    name: "adder",
    params: "BITS",
    default: "32",
    summary: "the sum of two integers, modulo 2^BITS",
    ports: "garbler a:BITS; evaluator b:BITS; output sum:BITS (signed or unsigned)",
    types: &[],
    make: Make::Flat(|params: Params| adder(params.one("BITS")?)),
};

/// `multiplier`.
pub const MULTIPLIER: ProgramInfo = ProgramInfo {
    name: "multiplier",
    params: "BITS",
    default: "32",
    summary: "the product of two integers, modulo 2^BITS",
    ports: "garbler a:BITS; evaluator b:BITS; output product:BITS (signed or unsigned)",
    types: &[],
    make: Make::Flat(|params: Params| multiplier(params.one("BITS")?)),
};

/// `multiplier-full`.
pub const FULL_MULTIPLIER: ProgramInfo = ProgramInfo {
    name: "multiplier-full",
    params: "BITS",
    default: "32",
    summary: "the full product of two unsigned integers, 2*BITS wide",
    ports: "garbler a:BITS; evaluator b:BITS; output product: 2*BITS",
    types: &[],
    make: Make::Flat(|params: Params| full_multiplier(params.one("BITS")?)),
};

/// Garbler's `a` and evaluator's `b` of `bits` bits; output `sum`, `a + b` modulo `2^bits`.
/// `bits - 1` ANDs.
///
/// # Errors
/// If `bits` is 0 or above 65,536, or the gates cannot be stored.
pub fn adder(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 16)?;
    two_operands(bits, "sum", int::add)
}

/// Garbler's `a` and evaluator's `b` of `bits` bits; output `product`, `a * b` modulo `2^bits`.
/// 975 ANDs for 32 bits.
///
/// # Errors
/// If `bits` is 0 or above 2,048, or the gates cannot be stored.
pub fn multiplier(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 11)?;
    two_operands(bits, "product", int::mul)
}

/// Garbler's `a` and evaluator's `b`, unsigned integers of `bits` bits; output `product`, `a * b`
/// in `2 * bits` bits.
///
/// # Errors
/// As for [`multiplier`].
pub fn full_multiplier(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 11)?;
    two_operands(bits, "product", int::mul_full)
}

fn two_operands(
    bits: u32,
    result: &str,
    operation: fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Result<Circuit, MakeError> {
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, bits);
    let y = b.input("b", Party::Evaluator, bits);
    let value = operation(&mut b, &x, &y);
    b.output(result, &value);
    Ok(b.finish()?)
}
