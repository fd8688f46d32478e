//! Triangle: the number of triangles in a graph with the adjacency matrix `A`, which is a sixth of
//! the trace of `A^3`. Entries are integers of BITS bits (32 in the benchmark), so an entry may
//! also be the number of edges between two vertices. All results are modulo 2^BITS before the
//! division, which is unsigned.
//!
//! **Size.** 13 vertices, as in the benchmark's graph. In the table, the difference between wires
//! and gates (5k) is 13 * 13 inputs of 32 bits. The square takes 13^3 products and the diagonal of
//! the cube 13^2: 2,366 products, with 2,196 additions. With multipliers of 993 ANDs and adders of
//! 31, this is 2.42 million ANDs and 7.0 million gates; the table has 2.37 and 6.98 million.
//!
//! **Fewer ANDs.** `a_ij a_ji` occurs in two entries on the diagonal of the square, but is computed
//! once. A square takes half the ANDs of a product. Multipliers are Karatsuba's, of 975 ANDs.
//!
//! Each party has the edges of half of the vertices, as rows of the matrix. The garbler has the
//! first half, rounded up.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `triangle`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "triangle",
    params: "VERTICESxBITS",
    default: "13x32",
    summary: "the number of triangles in a graph, by the trace of its matrix's cube (VIP-Bench)",
    ports: "garbler a: the first half (rounded up) of the adjacency matrix's rows; evaluator b: \
            the others; output triangles:BITS; entry j of a row is at bits j*BITS to (j+1)*BITS-1",
    types: &[
        PortType::list("a", Element::Unsigned, Width::Parameter(1)),
        PortType::list("b", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (vertices, bits) = params.two(["VERTICES", "BITS"], 'x')?;
        circuit(vertices, bits)
    }),
};

/// Garbler's `a` and evaluator's `b`, together the `vertices` by `vertices` entries of `bits` bits
/// of an adjacency matrix, row by row; output `triangles`, the trace of its cube modulo `2^bits`,
/// divided by 6.
///
/// # Errors
/// If `vertices` is not 2 to 256 or `bits` not 4 to 128, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(vertices: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("VERTICES", vertices.into(), 2..=1 << 8)?;
    check("BITS", bits.into(), 4..=128)?;
    check_size(&[u64::from(vertices).pow(3), bits.into(), bits.into()])?;
    let mut b = Builder::new();
    let a = b.input("a", Party::Garbler, vertices.div_ceil(2) * vertices * bits);
    let rest = b.input("b", Party::Evaluator, vertices / 2 * vertices * bits);
    let entries: Vec<&[Bit]> = a.chunks(bits as usize).chain(rest.chunks(bits as usize)).collect();
    let n = vertices as usize;
    let entry = |i: usize, j: usize| entries[i * n + j];

    // a_ij a_ji for i < j, once it is computed.
    let mut both_ways: Vec<Option<Vec<Bit>>> = vec![None; n * n];
    let mut trace = None;
    for i in 0..n {
        // Entry i of the cube's diagonal, which needs all of row i of the square.
        let mut diagonal = None;
        for j in 0..n {
            let mut squared = None;
            for k in 0..n {
                let product = if i != j {
                    int::mul(&mut b, entry(i, k), entry(k, j))
                } else if i == k {
                    int::square(&mut b, entry(i, i))
                } else {
                    let known = &mut both_ways[i.min(k) * n + i.max(k)];
                    known.get_or_insert_with(|| int::mul(&mut b, entry(i, k), entry(k, i))).clone()
                };
                squared = Some(add_to(&mut b, squared, product));
            }
            let closed = int::mul(&mut b, &squared.unwrap_or_default(), entry(j, i));
            diagonal = Some(add_to(&mut b, diagonal, closed));
        }
        trace = Some(add_to(&mut b, trace, diagonal.unwrap_or_default()));
    }
    let (sixth, _) = int::div_rem_constant(&mut b, &trace.unwrap_or_default(), 6);
    b.output("triangles", &sixth);
    Ok(b.finish()?)
}

fn add_to(b: &mut Builder, sum: Option<Vec<Bit>>, value: Vec<Bit>) -> Vec<Bit> {
    match sum {
        Some(sum) => int::add(b, &sum, &value),
        None => value,
    }
}

/// The same function in plain Rust, modulo 2^32; the matrix is row by row.
pub fn plain(vertices: usize, matrix: &[u32]) -> u32 {
    let squared = super::matmult::plain(vertices, matrix, matrix);
    let cubed = super::matmult::plain(vertices, &squared, matrix);
    let trace = (0..vertices).fold(0u32, |sum, i| sum.wrapping_add(cubed[i * vertices + i]));
    trace / 6
}
