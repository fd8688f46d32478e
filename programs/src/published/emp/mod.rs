//! Circuits of VIP-Bench's programs with the gate counts of HAAC (Mo, Gopinath and Reagen, Table
//! 2), for comparison with the published figures. Our own programs of the same names are smaller.
//!
//! The paper's authors wrote the benchmark's programs in C++ for the EMP toolkit, and their
//! compiler reads EMP's netlists. Neither these programs nor the netlists are published. This
//! module has EMP's integers ([`gadgets`]), and on them the programs, written from the benchmark's
//! sources. Each program documents what else follows from the table's counts. Dot and matrix
//! product are not here: our own programs already have the paper's counts.

mod bubble_sort;
mod counting;
mod float;
mod gadgets;
mod gradient_descent;
mod mersenne;
mod words;

use super::Make;

pub use gradient_descent::plain as plain_gradient_descent;

/// The programs that have such a circuit.
pub(super) static PROGRAMS: [(&str, Make); 6] = [
    ("bubble-sort", |params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        bubble_sort::circuit(count, bits)
    }),
    ("mersenne", |params| mersenne::circuit(params.one("OUTPUTS")?)),
    ("triangle", |params| {
        let (vertices, bits) = params.two(["VERTICES", "BITS"], 'x')?;
        counting::triangle(vertices, bits)
    }),
    ("hamming", |params| counting::hamming(params.one("BITS")?)),
    ("relu", |params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        counting::relu(count, bits)
    }),
    ("gradient-descent", |params| {
        let (points, rounds) = params.two(["POINTS", "ROUNDS"], 'x')?;
        gradient_descent::circuit(points, rounds)
    }),
];
