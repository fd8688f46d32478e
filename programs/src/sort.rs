//! Bubble sort of numbers of which each party has half: COUNT (COUNT - 1) / 2 exchanges of 2 BITS
//! ANDs. The accelerator papers and VIP-Bench use it as a benchmark with a long chain of dependent
//! comparisons.
//!
//! `sort-network` computes the same function by a sorting network ([`halfgate_circuit::sort`]),
//! which needs far fewer exchanges.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::sort::{self, Key};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `sort`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "sort",
    params: "COUNTxBITS",
    default: "256x32",
    summary: "bubble sort, ascending, of numbers of which each party has half",
    ports: "garbler a: the first half (rounded up) of the numbers; evaluator b: the others; \
            output sorted: all COUNT; number i is at bits i*BITS to (i+1)*BITS-1 of its port",
    types: &[
        PortType::list("a", Element::Unsigned, Width::Parameter(1)),
        PortType::list("b", Element::Unsigned, Width::Parameter(1)),
        PortType::list("sorted", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        circuit(count, bits)
    }),
};

/// `sort-network`.
pub const NETWORK: ProgramInfo = ProgramInfo {
    name: "sort-network",
    summary: "sort by a network: far fewer comparisons, on a shorter path",
    make: Make::Flat(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        network(count, bits)
    }),
    ..INFO
};

type Numbers = Vec<Vec<Bit>>;

/// Garbler's `a` (the first half, rounded up, of `count` unsigned integers of `bits` bits) and
/// evaluator's `b` (the others); output `sorted`, all of them in ascending order. Number `i` of a
/// port begins at its bit `i * bits`. `count * (count - 1) * bits` ANDs.
///
/// # Errors
/// If `count` is not 2 to 65,536 or `bits` not 1 to 1,024, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    sorted(count, bits, |count| u64::from(count) * u64::from(count - 1) / 2, bubbles)
}

/// The same function by a network. [`comparisons`](sort::comparisons) is the number of exchanges;
/// each takes `2 * bits` ANDs.
///
/// # Errors
/// As for [`circuit`].
pub fn network(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    let comparisons = |count: u32| sort::comparisons(count.into());
    sorted(count, bits, comparisons, |b, numbers| {
        sort::sort(b, &numbers, Key::unsigned(bits as usize))
    })
}

fn sorted(
    count: u32,
    bits: u32,
    exchanges: impl Fn(u32) -> u64,
    sort: impl Fn(&mut Builder, Numbers) -> Numbers,
) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[exchanges(count), 2, bits.into()])?;
    let mut b = Builder::new();
    let a = b.input("a", Party::Garbler, count.div_ceil(2) * bits);
    let rest = b.input("b", Party::Evaluator, count / 2 * bits);
    let numbers = a.chunks(bits as usize).chain(rest.chunks(bits as usize)).map(<[Bit]>::to_vec);
    let numbers = numbers.collect();
    let sorted = sort(&mut b, numbers);
    b.output("sorted", &sorted.concat());
    Ok(b.finish()?)
}

fn bubbles(b: &mut Builder, mut numbers: Numbers) -> Numbers {
    for unsorted in (2..=numbers.len()).rev() {
        // One pass carries the largest of the unsorted numbers to their end.
        for i in 1..unsorted {
            let swap = int::lt_unsigned(b, &numbers[i], &numbers[i - 1]);
            (numbers[i - 1], numbers[i]) = int::swap_if(b, swap, &numbers[i - 1], &numbers[i]);
        }
    }
    numbers
}
