//! Circuits of VIP-Bench's programs with the counts of HAAC (Mo, Gopinath and Reagen, Table 2): for
//! comparison with what is published. Ours, of the same name, are smaller.
//!
//! The paper's authors wrote the benchmark's programs in C++ for the EMP toolkit, whose netlists
//! their compiler reads. Neither is published. Here are EMP's integers ([`gadgets`]) and, on them,
//! the programs from the benchmark's sources, and with each what the table's counts say beyond. Of
//! the dot and the matrix product ours are the paper's already.

mod bubble_sort;
mod counting;
mod float;
mod gadgets;
mod gradient_descent;
mod mersenne;
mod words;

use super::Make;

pub use gradient_descent::plain as plain_gradient_descent;

/// The programs that there is such a circuit of.
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
