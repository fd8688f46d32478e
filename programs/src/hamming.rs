//! Hamming distance: the number of places in which two bit strings differ. The differences are
//! free; a tree of adders counts them. The number of ANDs is BITS minus the number of ones in BITS
//! in binary.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

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
