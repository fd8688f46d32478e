//! MatMult: the product of two square matrices of integers, modulo 2^BITS. Gates are in element
//! order: by row, then by column, then by the summation index.
//!
//! **Size.** 8 by 8 numbers of 32 bits, as in the paper. 512 multipliers of 993 ANDs (low half of
//! the product, row by row) and 448 adders of 31 are 522,304 ANDs: the table's 1,515k gates times
//! 34.48 %.
//!
//! **Table 5** has 5x5Matx-8 and 3x3Matx-16: here `matmult:5x8` and `matmult:3x16`. Products and
//! sums are modulo 2^8 and 2^16, the width of the operands, as in the benchmark. They have 7,825
//! and 6,777 ANDs.
//!
//! `matmult-fast` is the same function with the shortest path.
//!
//! `matmult-mapped` is `matmult` as a map over the rows of the product. A row is a map over its
//! entries, and an entry is a map of multipliers and a tree of maps of adders. The fast form has no
//! structured one, as for [`dot_product`](super::dot_product).

use super::product::{Form, mapped_sum_of_products, sum_of_products};
use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use crate::vip::check_input;
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `matmult`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "matmult",
    params: "SIZExBITS",
    default: "8x32",
    summary: "product of two SIZE by SIZE matrices, modulo 2^BITS, in element order (VIP-Bench)",
    ports: "garbler a, evaluator b; output product: SIZE*SIZE numbers each, row by row; number i \
            is at bits i*BITS to (i+1)*BITS-1 of its port",
    types: &[
        PortType::list("a", Element::Unsigned, Width::Parameter(1)),
        PortType::list("b", Element::Unsigned, Width::Parameter(1)),
        PortType::list("product", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (size, bits) = params.two(["SIZE", "BITS"], 'x')?;
        circuit(size, bits, Form::Ripple)
    }),
};

/// `matmult-fast`.
pub const FAST: ProgramInfo = ProgramInfo {
    name: "matmult-fast",
    summary: "matmult with the shortest path: carry-save trees, at more ANDs",
    make: Make::Flat(|params: Params| {
        let (size, bits) = params.two(["SIZE", "BITS"], 'x')?;
        circuit(size, bits, Form::Fast)
    }),
    ..INFO
};

/// `matmult-mapped`.
pub const MAPPED: ProgramInfo = ProgramInfo {
    name: "matmult-mapped",
    summary: "matmult as a map over rows and columns: a short text at any SIZE",
    make: Make::Structured(|params: Params| {
        let (size, bits) = params.two(["SIZE", "BITS"], 'x')?;
        mapped(size, bits)
    }),
    ..INFO
};

/// Garbler's `a` and evaluator's `b`, matrices of `size` by `size` integers of `bits` bits, row by
/// row; output `product`, a matrix of the same form, modulo `2^bits`.
fn circuit(size: u32, bits: u32, form: Form) -> Result<Circuit, MakeError> {
    check("SIZE", size.into(), 1..=1 << 10)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[size.into(), size.into(), size.into(), bits.into(), bits.into()])?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, size * size * bits);
    let y = b.input("b", Party::Evaluator, size * size * bits);
    let x: Vec<&[Bit]> = x.chunks(bits as usize).collect();
    let y: Vec<&[Bit]> = y.chunks(bits as usize).collect();
    let size = size as usize;
    let mut product = Vec::new();
    for row in 0..size {
        for column in 0..size {
            let pair = |k: usize| (x[row * size + k], y[k * size + column]);
            let pairs: Vec<_> = (0..size).map(pair).collect();
            product.extend(sum_of_products(&mut b, form, &pairs));
        }
    }
    b.output("product", &product);
    Ok(b.finish()?)
}

/// The function of `matmult` as maps, with as many ANDs.
///
/// # Errors
/// If `size` or `bits` is not 1 to 1,024, if a matrix has more than
/// [`MAX_INPUT_BITS`](crate::vip::MAX_INPUT_BITS) bits, or if the gates cannot be stored.
pub fn mapped(size: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("SIZE", size.into(), 1..=1 << 10)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_input(&[size, size, bits])?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, size * size * bits);
    let y = b.input("b", Party::Evaluator, size * size * bits);
    let (lanes, width) = (u64::from(size), bits as usize);
    let rows = b.map("row", lanes, &[Arg::Sliced(&x), Arg::Shared(&y)], |b, arguments| {
        let rows_of_y = arguments[1].chunks(size as usize * width).map(Arg::Sliced);
        let arguments: Vec<Arg<'_>> =
            [Arg::Shared(&arguments[0])].into_iter().chain(rows_of_y).collect();
        let entries = b.map("entry", lanes, &arguments, |b, arguments| {
            let column = arguments[1..].concat();
            mapped_sum_of_products(b, width, &arguments[0], &column, int::mul_by_rows)
        });
        entries.bits()
    });
    b.output_array("product", rows);
    Ok(b.finish_structured()?)
}

/// The same function in plain Rust, modulo 2^32; matrices are row by row.
pub fn plain(size: usize, x: &[u32], y: &[u32]) -> Vec<u32> {
    let element = |row: usize, column: usize| {
        let products = (0..size).map(|k| x[row * size + k].wrapping_mul(y[k * size + column]));
        products.fold(0u32, u32::wrapping_add)
    };
    (0..size * size).map(|i| element(i / size, i % size)).collect()
}
