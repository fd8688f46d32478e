//! Circuits of VIP-Bench's programs as HAAC counts them (Mo, Gopinath and Reagen, Table 2): for
//! comparison with what is published. Ours, of the same name, are smaller.
//!
//! The paper's authors wrote the benchmark's programs in C++ for the EMP toolkit, whose netlists
//! their compiler reads. Here are EMP's integers ([`gadgets`]) and, on them, the programs from the
//! benchmark's sources. What else the table's counts say is with each program; of the dot and the
//! matrix product ours are the paper's already.

mod counting;
mod gadgets;

use super::Make;

/// The programs that there is such a circuit of.
pub(super) static PROGRAMS: [(&str, Make); 3] = [
    ("triangle", |params| {
        let (vertices, bits) = params.two(["VERTICES", "BITS"], 'x')?;
        counting::triangle(vertices, bits)
    }),
    ("hamming", |params| counting::hamming(params.one("BITS")?)),
    ("relu", |params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        counting::relu(count, bits)
    }),
];
