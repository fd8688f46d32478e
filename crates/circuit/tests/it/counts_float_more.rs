//! Compares sizes of floating-point comparisons, conversions, division and square root with their
//! documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::float::{self, BINARY32, BINARY64, Format};
use halfgate_circuit::{Bit, Builder};

/// A function of values of one format.
type Function = fn(&mut Builder, Format, &[Vec<Bit>]) -> Vec<Bit>;
/// Name, number of values, and function.
type Operation = (&'static str, usize, Function);

/// `float::$op` of two values, to a value.
macro_rules! binary {
    ($op:ident) => {
        (stringify!($op), 2, |b, format, x| float::$op(b, format, &x[0], &x[1]))
    };
}

/// `float::$op` of two values, to a bit.
macro_rules! predicate {
    ($op:ident) => {
        (stringify!($op), 2, |b, format, x| vec![float::$op(b, format, &x[0], &x[1])])
    };
}

/// `float::$op` of one value.
macro_rules! unary {
    ($op:ident) => {
        (stringify!($op), 1, |b, format, x| float::$op(b, format, &x[0]))
    };
}

/// Each operation with the documented ANDs and AND depth for binary32 and binary64.
const OPERATIONS: [(Operation, [u64; 2], [u32; 2]); 17] = [
    (predicate!(eq), [61, 125], [7, 8]),
    (predicate!(lt), [95, 191], [33, 65]),
    (predicate!(le), [95, 191], [33, 65]),
    (predicate!(gt), [95, 191], [33, 65]),
    (predicate!(ge), [95, 191], [33, 65]),
    (predicate!(unordered), [61, 125], [7, 8]),
    (predicate!(total_le), [32, 64], [32, 64]),
    (binary!(min), [151, 308], [41, 74]),
    (binary!(max), [151, 308], [41, 74]),
    (binary!(minimum), [151, 308], [41, 74]),
    (binary!(maximum), [151, 308], [41, 74]),
    (binary!(div), [1317, 4533], [660, 2963]),
    (unary!(sqrt), [559, 2046], [310, 1433]),
    (unary!(floor), [149, 286], [44, 80]),
    (unary!(ceil), [149, 286], [44, 80]),
    (unary!(trunc), [105, 207], [13, 18]),
    (unary!(round_ties_even), [145, 282], [44, 81]),
];

type ToInt = fn(&mut Builder, Format, &[Bit], usize) -> Vec<Bit>;
type FromInt = fn(&mut Builder, Format, &[Bit]) -> Vec<Bit>;

/// Each conversion with its ANDs for binary32 and binary64, first with 32, then with 64 bits.
const TO_INT: [(&str, ToInt, [[u64; 2]; 2]); 4] = [
    ("to_signed", float::to_signed, [[238, 286], [373, 538]]),
    ("to_unsigned", float::to_unsigned, [[208, 259], [308, 476]]),
    ("to_signed_nearest", float::to_signed_nearest, [[263, 329], [394, 593]]),
    ("to_unsigned_nearest", float::to_unsigned_nearest, [[274, 343], [403, 605]]),
];
const FROM_INT: [(&str, FromInt, [[u64; 2]; 2]); 2] = [
    ("from_signed", float::from_signed, [[231, 224], [551, 522]]),
    ("from_unsigned", float::from_unsigned, [[230, 197], [519, 519]]),
];

#[test]
fn more_of_floating_point() {
    let mut gadgets = Vec::new();
    for (i, (name, format)) in [("binary32", BINARY32), ("binary64", BINARY64)].iter().enumerate() {
        let width = format.width() as u32;
        for ((op, operands, f), ands, depth) in OPERATIONS {
            let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, *format, x);
            let gadget = Gadget::new(format!("{op} {name}"), &vec![width; operands], build);
            gadgets.push(gadget.ands(ands[i]).and_depth(depth[i]));
        }
        for (j, bits) in [32, 64].into_iter().enumerate() {
            for (op, f, ands) in TO_INT {
                let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, *format, &x[0], bits);
                let gadget = Gadget::new(format!("{op} {name} {bits}"), &[width], build);
                gadgets.push(gadget.ands(ands[j][i]));
            }
            for (op, f, ands) in FROM_INT {
                let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, *format, &x[0]);
                let gadget = Gadget::new(format!("{op} {bits} {name}"), &[bits as u32], build);
                gadgets.push(gadget.ands(ands[j][i]));
            }
        }
    }
    for (from, to, ands, depth) in [(BINARY32, BINARY64, 250, 30), (BINARY64, BINARY32, 336, 62)] {
        let name = format!("convert {} {}", from.width(), to.width());
        let build = |b: &mut Builder, x: &[Vec<Bit>]| float::convert(b, from, to, &x[0]);
        let gadget = Gadget::new(name, &[from.width() as u32], build);
        gadgets.push(gadget.ands(ands).and_depth(depth));
    }
    check("float_more", &gadgets);
}
