//! Circuits with the gate counts of papers, for comparison with the published figures. Our own
//! programs of the same names are smaller.
//!
//! Each circuit has the ports and the function of our program of that name. Differences are
//! documented below, and at each program.
//!
//! - `sifo` (Fang, Ioannidis and Leeser, Table 1). The paper does not describe how its circuits
//!   are built. These circuits are derived from its counts, and have the same ones row by row:
//!   layers, wires, gates, one-to-one wires, and the layers that read them. `tests/it/published.rs`
//!   has each number, and explains the few that differ. [`sort`] compares by the sign of a
//!   difference of BITS bits, as the paper's netlist does, and so sorts only numbers below
//!   2^(BITS-1).
//! - `haac` (Mo, Gopinath and Reagen, Table 2): VIP-Bench's programs on the EMP toolkit's
//!   [integers](emp).

mod arithmetic;
mod emp;
mod netlist;
mod sort;

pub use emp::plain_gradient_descent;

use crate::error::{MakeError, ProgramError};
use crate::find;
use crate::program::Params;
use halfgate_circuit::Circuit;

type Make = fn(Params) -> Result<Circuit, MakeError>;
type Programs = &'static [(&'static str, Make)];

/// The papers whose circuits are available.
pub const PAPERS: [&str; 2] = ["sifo", "haac"];

/// Each paper's programs, in the order of [`PAPERS`].
static PUBLISHED: [Programs; 2] = [&SIFO, &emp::PROGRAMS];

static SIFO: [(&str, Make); 5] = [
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

/// The circuit of `spec`, which has the form of [`build`](crate::build), as in the first of
/// [`PAPERS`] that has this program.
///
/// # Errors
/// As for [`build`](crate::build), or if no paper has this program; the error lists those that the
/// papers have.
pub fn build(spec: &str) -> Result<Circuit, ProgramError> {
    of(&PUBLISHED, spec)
}

/// The circuit of `spec` as in `paper`, which is one of [`PAPERS`].
///
/// # Errors
/// As for [`build()`], and if there is no such paper.
pub fn build_as(paper: &str, spec: &str) -> Result<Circuit, ProgramError> {
    let place = PAPERS.iter().position(|name| *name == paper);
    of(place.map_or(&[], |place| &PUBLISHED[place..=place]), spec)
}

fn of(papers: &[Programs], spec: &str) -> Result<Circuit, ProgramError> {
    let all = || papers.iter().flat_map(|programs| programs.iter());
    let found = find(spec).and_then(|(program, text)| {
        let (_, make) = all().find(|(name, _)| *name == program.name)?;
        Some((program, make, text))
    });
    let Some((program, make, text)) = found else {
        let name = spec.split(':').next().unwrap_or_default().to_owned();
        let mut known: Vec<&str> = Vec::new();
        for (name, _) in all() {
            if !known.contains(name) {
                known.push(name);
            }
        }
        return Err(ProgramError::NotPublished { name, known: known.join(", ") });
    };
    let made = make(Params { text }).map_err(|reason| program.wrong(reason))?;
    Ok(program.describe(text, made))
}
