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
//! **Structured.** `triangle-mapped` computes the trace from closed walks of three steps, in far
//! fewer ANDs. With `p_ij = a_ij a_ji`, the trace is
//!
//! ```text
//! sum over i          of  a_ii (a_ii^2 + 3 (sum over j != i of p_ij))
//! sum over i < j < k  of  3 (a_ij a_jk a_ki + a_ji a_ik a_kj)
//! ```
//!
//! since a walk may begin at each of its vertices. For each `j` there is a map over `i < j`, each
//! lane of which adds the walks over all `k > j`. The text grows with the square of VERTICES, as
//! the inputs do; most of it says which lane reads which entries.
//!
//! Each party has the edges of half of the vertices, as rows of the matrix. The garbler has the
//! first half, rounded up.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use crate::vip::product::{mapped_sum, mapped_sum_of_products};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
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

/// `triangle-mapped`.
pub const MAPPED: ProgramInfo = ProgramInfo {
    name: "triangle-mapped",
    summary: "triangle from closed walks, as maps over vertices: fewer ANDs and a short text",
    make: Make::Structured(|params: Params| {
        let (vertices, bits) = params.two(["VERTICES", "BITS"], 'x')?;
        mapped(vertices, bits)
    }),
    ..INFO
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

/// The function of [`circuit`] as maps.
///
/// # Errors
/// If `vertices` is not 2 to 256 or `bits` not 4 to 128, or if the gates cannot be stored.
pub fn mapped(vertices: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("VERTICES", vertices.into(), 2..=1 << 8)?;
    check("BITS", bits.into(), 4..=128)?;
    let mut b = Builder::new();
    let mut bits_of_entries = b.input("a", Party::Garbler, vertices.div_ceil(2) * vertices * bits);
    bits_of_entries.extend(b.input("b", Party::Evaluator, vertices / 2 * vertices * bits));
    let (n, width) = (vertices as usize, bits as usize);
    let matrix = Matrix { n, width, bits: bits_of_entries };
    let mut terms = on_diagonal(&mut b, &matrix);
    if n > 2 {
        let walks: Vec<Bit> = (1..n - 1).flat_map(|j| walks(&mut b, &matrix, j)).collect();
        let walks = mapped_sum(&mut b, width, &walks);
        terms.extend(tripled(&mut b, &walks));
    }
    let trace = mapped_sum(&mut b, width, &terms);
    let (sixth, _) = int::div_rem_constant(&mut b, &trace, 6);
    b.output("triangles", &sixth);
    Ok(b.finish_structured()?)
}

/// The entries of the adjacency matrix, `n` by `n` numbers of `width` bits, row by row.
struct Matrix {
    n: usize,
    width: usize,
    bits: Vec<Bit>,
}

impl Matrix {
    /// The entries at `places`, each a row and a column, one after the other.
    fn entries(&self, places: impl Iterator<Item = (usize, usize)>) -> Vec<Bit> {
        let entry = |(i, j)| {
            let first = (i * self.n + j) * self.width;
            &self.bits[first..first + self.width]
        };
        places.flat_map(entry).copied().collect()
    }
}

/// For each vertex, the walks that stay at it in at least one step.
fn on_diagonal(b: &mut Builder, matrix: &Matrix) -> Vec<Bit> {
    let (n, width) = (matrix.n, matrix.width);
    // p_ij row by row, without p_ii.
    let mut products = vec![Vec::new(); n * n];
    for i in 0..n - 1 {
        let ij = matrix.entries((i + 1..n).map(|j| (i, j)));
        let ji = matrix.entries((i + 1..n).map(|j| (j, i)));
        let lanes = (n - 1 - i) as u64;
        let row = b.map("product", lanes, &[Arg::Sliced(&ij), Arg::Sliced(&ji)], |b, entries| {
            int::mul(b, &entries[0], &entries[1])
        });
        for (lane, j) in (i + 1..n).enumerate() {
            products[i * n + j] = row.element(lane);
            products[j * n + i] = row.element(lane);
        }
    }
    let ii = matrix.entries((0..n).map(|i| (i, i)));
    let arguments = [Arg::Sliced(&ii), Arg::Sliced(&products.concat())];
    let terms = b.map("on diagonal", n as u64, &arguments, |b, arguments| {
        let (ii, products) = (&arguments[0], &arguments[1]);
        let square = int::square(b, ii);
        let sum = mapped_sum(b, width, products);
        let sum = tripled(b, &sum);
        let sum = int::add(b, &square, &sum);
        int::mul(b, &sum, ii)
    });
    terms.bits()
}

/// The sum of the walks over `i`, `j` and `k`, in either direction, with `i < j < k`.
fn walks(b: &mut Builder, matrix: &Matrix, j: usize) -> Vec<Bit> {
    let (n, width) = (matrix.n, matrix.width);
    let later = || j + 1..n;
    let ij = matrix.entries((0..j).map(|i| (i, j)));
    let ji = matrix.entries((0..j).map(|i| (j, i)));
    let jk = matrix.entries(later().map(|k| (j, k)));
    let ik = matrix.entries((0..j).flat_map(|i| later().map(move |k| (i, k))));
    // An argument for each k: in an argument, entries are at regular distances.
    let ki: Vec<Vec<Bit>> = later().map(|k| matrix.entries((0..j).map(|i| (k, i)))).collect();
    let kj = matrix.entries(later().map(|k| (k, j)));
    let mut arguments = vec![Arg::Sliced(&ij), Arg::Sliced(&ji)];
    arguments.extend([Arg::Shared(&jk), Arg::Sliced(&ik)]);
    arguments.extend(ki.iter().map(|bits| Arg::Sliced(bits)));
    arguments.push(Arg::Shared(&kj));
    let walks = b.map("walks", j as u64, &arguments, |b, arguments| {
        // Two lanes: a_ij (a_jk a_ki + …) and a_ji (a_ik a_kj + …).
        let first = [&arguments[0][..], &arguments[1]].concat();
        let second = [&arguments[2][..], &arguments[3]].concat();
        let third = arguments[4..].concat();
        let steps = [Arg::Sliced(&first), Arg::Sliced(&second), Arg::Sliced(&third)];
        let directions = b.map("direction", 2, &steps, |b, steps| {
            let sum = mapped_sum_of_products(b, width, &steps[1], &steps[2], int::mul);
            int::mul(b, &sum, &steps[0])
        });
        mapped_sum(b, width, &directions.bits())
    });
    mapped_sum(b, width, &walks.bits())
}

fn tripled(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    let doubled = [&[Bit::FALSE], &x[..x.len() - 1]].concat();
    int::add(b, x, &doubled)
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
