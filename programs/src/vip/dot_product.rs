//! DotProd: the sum of the products of two vectors of integers, modulo 2^BITS.
//!
//! **Size.** Two vectors of 128 numbers of 32 bits, as in the paper. 128 multipliers of 993 ANDs
//! (low half of the product, row by row) and 127 adders of 31 are 131,041 ANDs: the table's 381k
//! gates times 34.39 %. So this program uses these multipliers, and not the smaller ones of
//! [`int::mul`].
//!
//! `dot-product-fast` is the same function with the shortest path: one carry-save tree for all
//! partial products, and a parallel-prefix adder.
//!
//! `dot-product-mapped` is `dot-product` as a map of multipliers and a tree of maps of adders. The
//! fast form has no structured one: its carry-save tree is not the same function repeated.

use super::product::{Form, mapped_sum_of_products, sum_of_products};
use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use crate::vip::check_input;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `dot-product`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "dot-product",
    params: "LENGTHxBITS",
    default: "128x32",
    summary: "the sum of products of two vectors, modulo 2^BITS (VIP-Bench)",
    ports: "garbler a (LENGTH numbers), evaluator b (LENGTH numbers); output product:BITS; number \
            i is at bits i*BITS to (i+1)*BITS-1 of its port",
    types: &[
        PortType::list("a", Element::Unsigned, Width::Parameter(1)),
        PortType::list("b", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (length, bits) = params.two(["LENGTH", "BITS"], 'x')?;
        circuit(length, bits, Form::Ripple)
    }),
};

/// `dot-product-fast`.
pub const FAST: ProgramInfo = ProgramInfo {
    name: "dot-product-fast",
    summary: "dot-product with the shortest path: a carry-save tree, at more ANDs",
    make: Make::Flat(|params: Params| {
        let (length, bits) = params.two(["LENGTH", "BITS"], 'x')?;
        circuit(length, bits, Form::Fast)
    }),
    ..INFO
};

/// `dot-product-mapped`.
pub const MAPPED: ProgramInfo = ProgramInfo {
    name: "dot-product-mapped",
    summary: "dot-product as a map of multipliers and maps of adders: a short text at any LENGTH",
    make: Make::Structured(|params: Params| {
        let (length, bits) = params.two(["LENGTH", "BITS"], 'x')?;
        mapped(length, bits)
    }),
    ..INFO
};

/// Garbler's `a` and evaluator's `b`, `length` integers of `bits` bits each; output `product`, the
/// sum of `a[i] * b[i]` modulo `2^bits`, for signed as for unsigned integers.
fn circuit(length: u32, bits: u32, form: Form) -> Result<Circuit, MakeError> {
    check("LENGTH", length.into(), 1..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[length.into(), bits.into(), bits.into()])?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, length * bits);
    let y = b.input("b", Party::Evaluator, length * bits);
    let pairs: Vec<(&[Bit], &[Bit])> =
        x.chunks(bits as usize).zip(y.chunks(bits as usize)).collect();
    let product = sum_of_products(&mut b, form, &pairs);
    b.output("product", &product);
    Ok(b.finish()?)
}

/// The function of `dot-product` as maps, with as many ANDs.
///
/// # Errors
/// If `length` is not 1 to 65,536 or `bits` not 1 to 1,024, if a vector has more than
/// [`MAX_INPUT_BITS`](crate::vip::MAX_INPUT_BITS) bits, or if the gates cannot be stored.
pub fn mapped(length: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("LENGTH", length.into(), 1..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_input(&[length, bits])?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, length * bits);
    let y = b.input("b", Party::Evaluator, length * bits);
    let product = mapped_sum_of_products(&mut b, bits as usize, &x, &y, int::mul_by_rows);
    b.output("product", &product);
    Ok(b.finish_structured()?)
}

/// The same function in plain Rust, modulo 2^32.
pub fn plain(x: &[u32], y: &[u32]) -> u32 {
    x.iter().zip(y).fold(0, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)))
}
