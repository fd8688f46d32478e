//! The benchmarks of the accelerator HAAC (Mo, Gopinath and Reagen, ISCA 2023): the eight programs
//! of VIP-Bench in its Table 2 ([`VIP`]) and the small circuits of its Table 5 ([`SMALL`]).
//!
//! The programs compute the functions of the benchmark's source, at the paper's sizes. If the paper
//! does not give a size, the program's module documents the chosen size and the reason. A program
//! may have fewer gates than the paper's; [`published`](crate::published) has circuits with the
//! paper's counts.
//!
//! The programs of Table 2 also have structured forms ([`STRUCTURED`]), with functions, maps and
//! folds. They compute the same outputs, with as many ANDs or fewer. The programs of Table 5 are
//! too small for such forms, except the matrix products.
//!
//! `cargo run --release -p halfgate-programs --example vip` prints the sizes of all programs.

pub mod bubble_sort;
pub mod dot_product;
pub mod gradient_descent;
mod hoisted;
pub mod matmult;
pub mod mersenne;
mod plain;
mod product;
pub mod relu;
pub mod small;
pub mod triangle;

use crate::error::MakeError;
use crate::program::check;

/// A row of the paper's Table 2 or 5.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// The paper's name of the benchmark.
    pub paper: &'static str,
    /// The program, as a spec for [`build`](crate::build).
    pub program: &'static str,
    /// The same function with a shorter path and more ANDs; `None` if there is no such program.
    pub latency: Option<&'static str>,
    /// The circuit with the paper's counts, if it is a different one.
    pub published: Option<Published>,
    /// The same function in plain Rust on deterministic random values of the same size, for timing.
    /// The returned value depends on the whole result, so nothing is optimised away.
    pub plaintext: fn() -> u64,
}

/// A program whose circuit is built [as the paper counts it](crate::published::build_as).
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The program, as a spec.
    pub program: &'static str,
    /// As [`Benchmark::plaintext`], for this program.
    pub plaintext: fn() -> u64,
}

impl Published {
    const fn new(program: &'static str, plaintext: fn() -> u64) -> Option<Published> {
        Some(Published { program, plaintext })
    }
}

/// The programs of Table 2, in its order.
pub const VIP: [Benchmark; 8] = [
    Benchmark {
        paper: "BubbSt",
        program: "bubble-sort:256x32",
        latency: None,
        published: Published::new("bubble-sort:256x32", plain::bubble_sort),
        plaintext: plain::bubble_sort,
    },
    Benchmark {
        paper: "DotProd",
        program: "dot-product:128x32",
        latency: Some("dot-product-fast:128x32"),
        published: None,
        plaintext: plain::dot_product,
    },
    Benchmark {
        paper: "Merse",
        program: "mersenne:1000",
        latency: None,
        published: Published::new("mersenne:1000", plain::mersenne),
        plaintext: plain::mersenne,
    },
    Benchmark {
        paper: "Triangle",
        program: "triangle:13x32",
        latency: None,
        published: Published::new("triangle:13x32", plain::triangle),
        plaintext: plain::triangle,
    },
    Benchmark {
        paper: "Hamm",
        program: "hamming:40960",
        latency: None,
        published: Published::new("hamming:40960", plain::hamming::<40960>),
        plaintext: plain::hamming::<40960>,
    },
    Benchmark {
        paper: "MatMult",
        program: "matmult:8x32",
        latency: Some("matmult-fast:8x32"),
        published: None,
        plaintext: plain::matmult::<8, 32>,
    },
    Benchmark {
        paper: "ReLU",
        program: "relu:2048x32",
        latency: None,
        published: Published::new("relu:2048x32", plain::relu),
        plaintext: plain::relu,
    },
    Benchmark {
        paper: "GradDesc",
        program: "gradient-descent:6x20",
        latency: Some("gradient-descent-fast:6x20"),
        published: Published::new("gradient-descent:9x20", plain::published_gradient_descent),
        plaintext: plain::gradient_descent,
    },
];

/// The structured forms of the programs of [`VIP`], in the same order and at the same sizes.
pub const STRUCTURED: [&str; 8] = [
    "bubble-sort-folded:256x32",
    "dot-product-mapped:128x32",
    "mersenne-folded:1000",
    "triangle-mapped:13x32",
    "hamming-mapped:40960",
    "matmult-mapped:8x32",
    "relu-mapped:2048x32",
    "gradient-descent-folded:6x20",
];

/// Maximum number of bits of all numbers, of a vector or of a matrix in [`STRUCTURED`] programs:
/// the inputs and what is computed from them must fit in the wires of a body.
pub const MAX_INPUT_BITS: u64 = 1 << 26;

/// Checks that the product of `factors`, which is the number of bits of a list of numbers, is at
/// most [`MAX_INPUT_BITS`].
fn check_input(factors: &[u32]) -> Result<(), MakeError> {
    let bits = factors.iter().fold(1u64, |product, &factor| product.saturating_mul(factor.into()));
    check("the number of bits", bits, 1..=MAX_INPUT_BITS)
}

/// A bubble sort whose passes get shorter: a row in addition to those of [`VIP`].
pub const SHRINKING_BUBBLE_SORT: Benchmark = Benchmark {
    paper: "BubbSt, shrinking",
    program: "sort:256x32",
    latency: None,
    published: None,
    plaintext: plain::shrinking_bubble_sort,
};

/// The programs of Table 5, each once: adders without carry out, multipliers that compute the low
/// half, matrix products modulo 2 to the width of an entry, and AES-128 with 32 ANDs per S-box and
/// the key schedule in the circuit, 6,400 ANDs.
pub const SMALL: [Benchmark; 9] = [
    Benchmark {
        paper: "Add-6",
        program: "adder:6",
        latency: Some("adder-fast:6"),
        published: None,
        plaintext: plain::add::<6>,
    },
    Benchmark {
        paper: "Add-16",
        program: "adder:16",
        latency: Some("adder-fast:16"),
        published: None,
        plaintext: plain::add::<16>,
    },
    Benchmark {
        paper: "Mult-32",
        program: "multiplier:32",
        latency: Some("multiplier-fast:32"),
        published: None,
        plaintext: plain::multiply,
    },
    Benchmark {
        paper: "Hamm-50",
        program: "hamming:50",
        latency: None,
        published: None,
        plaintext: plain::hamming::<50>,
    },
    Benchmark {
        paper: "Million-2",
        program: "millionaires:2",
        latency: Some("millionaires-fast:2"),
        published: None,
        plaintext: plain::millionaires::<2>,
    },
    Benchmark {
        paper: "Million-8",
        program: "millionaires:8",
        latency: Some("millionaires-fast:8"),
        published: None,
        plaintext: plain::millionaires::<8>,
    },
    Benchmark {
        paper: "5x5Matx-8",
        program: "matmult:5x8",
        latency: Some("matmult-fast:5x8"),
        published: None,
        plaintext: plain::matmult::<5, 8>,
    },
    Benchmark {
        paper: "3x3Matx-16",
        program: "matmult:3x16",
        latency: Some("matmult-fast:3x16"),
        published: None,
        plaintext: plain::matmult::<3, 16>,
    },
    Benchmark {
        paper: "AES-128",
        program: "aes128",
        latency: None,
        published: None,
        plaintext: plain::aes128,
    },
];
