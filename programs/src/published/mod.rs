//! Circuits as SIFO counts them (Fang, Ioannidis and Leeser, Table 1): for comparison with what is published. Ours, of
//! the same name, are smaller.
//!
//! Each computes what our program of that name does, from the same ports, but [`sort`], which compares by the sign of a
//! difference of BITS bits as the paper's netlist does, and so sorts numbers below 2^(BITS-1).
//!
//! The paper does not say how its circuits are built; these follow from its counts, which they meet
//! row by row: layers, wires, gates, one-to-one wires and where those are read
//! (`tests/it/published.rs` has each number, and the few that are explained otherwise).

mod arithmetic;
mod netlist;
mod sort;

use crate::error::{MakeError, ProgramError};
use crate::find;
use crate::program::Params;
use halfgate_circuit::Circuit;

type Make = fn(Params) -> Result<Circuit, MakeError>;

/// The programs that there is such a circuit of.
static PUBLISHED: [(&str, Make); 5] = [
    ("adder", |params| arithmetic::adder(params.one("BITS")?)),
    ("hamming", |params| arithmetic::hamming(params.one("BITS")?)),
    ("multiplier-full", |params| arithmetic::multiplier(params.one("BITS")?)),
    ("matmult", |params| {
        let (size, bits) = params.two(["SIZE", "BITS"], 'x')?;
        arithmetic::matmult(size, bits)
    }),
    ("sort", |params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        sort::circuit(count, bits)
    }),
];

/// The circuit of `spec`, as [`build`](crate::build) takes it, in the paper's form.
///
/// # Errors
/// As for [`build`](crate::build), or if the paper has no such problem: the error lists those it has.
pub fn build(spec: &str) -> Result<Circuit, ProgramError> {
    let found = find(spec).and_then(|(program, text)| {
        let (_, make) = PUBLISHED.iter().find(|(name, _)| *name == program.name)?;
        Some((program, make, text))
    });
    let Some((program, make, text)) = found else {
        let name = spec.split(':').next().unwrap_or_default().to_owned();
        let known: Vec<&str> = PUBLISHED.iter().map(|(name, _)| *name).collect();
        return Err(ProgramError::NotPublished { name, known: known.join(", ") });
    };
    let made = make(Params { text }).map_err(|reason| program.wrong(reason))?;
    Ok(program.describe(text, made))
}
