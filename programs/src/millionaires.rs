//! Yao's millionaires' problem: which of two parties is richer, and nothing else. BITS ANDs.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Builder, Circuit, Party, int};

/// `millionaires`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "millionaires",
    params: "BITS",
    default: "32",
    summary: "whether the garbler has more than the evaluator",
    ports: "garbler a:BITS; evaluator b:BITS; output a_richer:1 (unsigned integers)",
    types: &[],
    make: Make::Flat(|params: Params| circuit(params.one("BITS")?)),
};

/// Garbler's `a` and evaluator's `b`, unsigned integers of `bits` bits; output `a_richer`, one
/// bit: `a > b`. `bits` ANDs.
///
/// # Errors
/// If `bits` is 0 or above 65,536, or the gates cannot be stored.
pub fn circuit(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 16)?;
    let mut b = Builder::new();
    let mine = b.input("a", Party::Garbler, bits);
    let yours = b.input("b", Party::Evaluator, bits);
    let a_richer = int::lt_unsigned(&mut b, &yours, &mine);
    b.output("a_richer", &[a_richer]);
    Ok(b.finish()?)
}
