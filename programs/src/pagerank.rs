//! Page rank (Brin and Page 1998) of a graph of which each party has some links. A rank is
//! the probability of being at a node after a random walk, which in each step follows a random link
//! with probability 85 %, and otherwise jumps to a random node.
//!
//! A link exists if either party has it. A node without links counts as linking to all nodes. Ranks
//! have [`FRACTION`] bits after the point and are rounded down, so their sum is 1 or slightly less.
//! An iteration takes about `17 NODES (NODES + 16)` ANDs: a division and a product by a constant
//! for each node, and a selection for each link.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// Bits of a rank after its point.
pub const FRACTION: u32 = 16;
/// Bits of a rank.
const BITS: u32 = FRACTION + 1;
/// The number 1.
const ONE: u32 = 1 << FRACTION;
/// Probability that a step follows a link: 85 %.
const DAMPING: u32 = ONE * 85 / 100;

/// `pagerank`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "pagerank",
    params: "NODESxITERATIONS",
    default: "4x10",
    summary: "page rank of a graph of which each party has some links",
    ports: "garbler a, evaluator b: NODES*NODES bits each, bit i*NODES+j being the link from node i to node j; output \
            ranks: NODES numbers of 17 bits, 16 of them after the point",
    types: &[PortType::list(
        "ranks",
        Element::FixedUnsigned { fraction: FRACTION },
        Width::Bits(BITS),
    )],
    make: Make::Flat(|params: Params| {
        let (nodes, iterations) = params.two(["NODES", "ITERATIONS"], 'x')?;
        circuit(nodes, iterations)
    }),
};

/// Garbler's `a` and evaluator's `b`, the links that each party has, row by row; output `ranks`.
///
/// # Errors
/// If `nodes` is not 2 to 64 or `iterations` not 1 to 100, or the gates cannot be stored.
pub fn circuit(nodes: u32, iterations: u32) -> Result<Circuit, MakeError> {
    check("NODES", nodes.into(), 2..=64)?;
    check("ITERATIONS", iterations.into(), 1..=100)?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, nodes * nodes);
    let y = b.input("b", Party::Evaluator, nodes * nodes);
    let mut links: Vec<Bit> = x.iter().zip(&y).map(|(&x, &y)| b.or(x, y)).collect();
    let rows = links.chunks_mut(nodes as usize);
    let degrees: Vec<Vec<Bit>> = rows.map(|row| degree(&mut b, row)).collect();

    let number = |value: u32| int::constant(BITS as usize, value.into());
    let (elsewhere, damping) = (number((ONE - DAMPING) / nodes), number(DAMPING));
    let mut ranks = vec![number(ONE / nodes); nodes as usize];
    for _ in 0..iterations {
        let shares: Vec<Vec<Bit>> = ranks
            .iter()
            .zip(&degrees)
            .map(|(rank, degree)| int::div_unsigned(&mut b, rank, degree))
            .collect();
        for (node, rank) in ranks.iter_mut().enumerate() {
            let from = links.chunks(nodes as usize).map(|row| row[node]);
            let followed: Vec<Vec<Bit>> = from
                .zip(&shares)
                .map(|(link, share)| share.iter().map(|&bit| b.and(link, bit)).collect())
                .collect();
            let followed: Vec<&[Bit]> = followed.iter().map(Vec::as_slice).collect();
            let sum = int::sum(&mut b, &followed, BITS as usize);
            let damped = int::mul_full(&mut b, &sum, &damping);
            *rank = int::add(&mut b, &damped[FRACTION as usize..][..BITS as usize], &elsewhere);
        }
    }
    b.output("ranks", &ranks.concat());
    Ok(b.finish()?)
}

/// The number of links in `row`. If there is none, sets all links of the row first.
fn degree(b: &mut Builder, row: &mut [Bit]) -> Vec<Bit> {
    let none = row.iter().fold(Bit::TRUE, |none, &link| b.and(none, !link));
    for link in row.iter_mut() {
        *link = b.or(none, *link);
    }
    int::popcount(b, row)
}

/// The same function in plain Rust: links row by row; ranks times 2^[`FRACTION`].
pub fn plain(nodes: usize, iterations: u32, links: &[bool]) -> Vec<u32> {
    let is_link = |i: usize, j: usize| {
        let row = &links[i * nodes..][..nodes];
        row[j] || row.iter().all(|&link| !link)
    };
    let degree = |i: usize| (0..nodes).filter(|&j| is_link(i, j)).count() as u32;
    let mut ranks = vec![ONE / nodes as u32; nodes];
    for _ in 0..iterations {
        let shares: Vec<u32> = (0..nodes).map(|i| ranks[i] / degree(i)).collect();
        ranks = (0..nodes)
            .map(|j| {
                let sum: u32 = (0..nodes).filter(|&i| is_link(i, j)).map(|i| shares[i]).sum();
                let damped = (u64::from(sum) * u64::from(DAMPING)) >> FRACTION;
                damped as u32 + (ONE - DAMPING) / nodes as u32
            })
            .collect();
    }
    ranks
}
