//! BubbSt: bubble sort with COUNT - 1 passes over all COUNT - 1 pairs of neighbours. A program
//! without control flow cannot stop early. In [`sort`](crate::sort), passes get shorter.
//!
//! **Size.** 256 numbers of 32 bits, as in the benchmark's source: 255^2 exchanges of 64 ANDs, 4.16
//! million. The table's 12,534k gates and 33.33 % ANDs are exactly 256 * 255 exchanges of 64 ANDs
//! and 128 XORs: one pass more than sorting needs. An exchange here is one comparison (per bit, an
//! AND and two XORs besides the difference) and one swap (per bit, an AND and three XORs, which
//! include the difference).
//!
//! `bubble-sort-folded` is the same function as a fold over the passes. A pass is a fold over the
//! pairs, whose state is the largest number so far. Each exchange needs the one before, so its 2
//! BITS ANDs are all that run side by side.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use crate::vip::check_input;
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `bubble-sort`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "bubble-sort",
    params: "COUNTxBITS",
    default: "256x32",
    summary: "bubble sort with COUNT - 1 full passes (VIP-Bench)",
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

/// `bubble-sort-folded`.
pub const FOLDED: ProgramInfo = ProgramInfo {
    name: "bubble-sort-folded",
    default: "64x32",
    summary: "bubble-sort as a fold over passes and pairs: a short text at any COUNT",
    make: Make::Structured(|params: Params| {
        let (count, bits) = params.two(["COUNT", "BITS"], 'x')?;
        folded(count, bits)
    }),
    ..INFO
};

/// Garbler's `a` (the first half, rounded up, of `count` unsigned integers of `bits` bits) and
/// evaluator's `b` (the others); output `sorted`, all of them in ascending order.
/// `(count - 1)^2 * 2 * bits` ANDs.
///
/// # Errors
/// If `count` is not 2 to 65,536 or `bits` not 1 to 1,024, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[u64::from(count - 1), u64::from(count - 1), 2, bits.into()])?;
    let mut b = Builder::new();
    let a = b.input("a", Party::Garbler, count.div_ceil(2) * bits);
    let rest = b.input("b", Party::Evaluator, count / 2 * bits);
    let mut numbers: Vec<Vec<Bit>> =
        a.chunks(bits as usize).chain(rest.chunks(bits as usize)).map(<[Bit]>::to_vec).collect();

    for _pass in 1..numbers.len() {
        for i in 1..numbers.len() {
            (numbers[i - 1], numbers[i]) = in_order(&mut b, &numbers[i - 1], &numbers[i]);
        }
    }
    b.output("sorted", &numbers.concat());
    Ok(b.finish()?)
}

/// The function of [`circuit`] as a fold over passes, with as many ANDs.
///
/// # Errors
/// As for [`circuit`], but the numbers may have up to
/// [`MAX_INPUT_BITS`](crate::vip::MAX_INPUT_BITS) bits together.
pub fn folded(count: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_input(&[count, bits])?;
    let mut b = Builder::new();
    let mut numbers = b.input("a", Party::Garbler, count.div_ceil(2) * bits);
    numbers.extend(b.input("b", Party::Evaluator, count / 2 * bits));
    let sorted = b.fold("pass", u64::from(count) - 1, &numbers, &[], |b, numbers, _| {
        let (first, others) = numbers.split_at(bits as usize);
        let pairs = u64::from(count) - 1;
        let pass = b.fold("in order", pairs, first, &[Arg::Sliced(others)], |b, largest, next| {
            let (smaller, larger) = in_order(b, largest, &next[0]);
            (larger, smaller)
        });
        ([pass.outputs.bits(), pass.state].concat(), Vec::new())
    });
    b.output("sorted", &sorted.state);
    Ok(b.finish_structured()?)
}

/// The smaller and the larger of two numbers. Two ANDs for each bit.
fn in_order(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let swap = int::lt_unsigned(b, y, x);
    int::swap_if(b, swap, x, y)
}

/// The same function in plain Rust.
pub fn plain(mut numbers: Vec<u32>) -> Vec<u32> {
    for _pass in 1..numbers.len() {
        for i in 1..numbers.len() {
            if numbers[i] < numbers[i - 1] {
                numbers.swap(i - 1, i);
            }
        }
    }
    numbers
}
