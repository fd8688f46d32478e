//! Sizes of the floating-point gadgets, against their documentation and a golden file.

mod golden;

use golden::{Gadget, check};
use halfgate_circuit::float::{self, BINARY32, BINARY64, Format};
use halfgate_circuit::{Bit, Builder};

type Operation = fn(&mut Builder, Format, &[Vec<Bit>]) -> Vec<Bit>;

/// An operation and, for binary32 and binary64, the ANDs and the AND depth that it documents.
type Row = (&'static str, usize, Operation, [(u64, u32); 2]);

#[test]
fn floats() {
    let rows: [Row; 4] = [
        ("add", 2, |b, f, x| float::add(b, f, &x[0], &x[1]), [(525, 120), (1127, 199)]),
        ("sub", 2, |b, f, x| float::sub(b, f, &x[0], &x[1]), [(525, 120), (1127, 199)]),
        ("mul", 2, |b, f, x| float::mul(b, f, &x[0], &x[1]), [(1599, 108), (6543, 205)]),
        ("fma", 3, |b, f, x| float::fma(b, f, &x[0], &x[1], &x[2]), [(2370, 176), (8181, 313)]),
    ];
    let mut gadgets = Vec::new();
    for (name, operands, operation, documented) in rows {
        for (format, (ands, depth)) in [BINARY32, BINARY64].into_iter().zip(documented) {
            let width = format.width() as u32;
            let widths = vec![width; operands];
            let gadget =
                Gadget::new(format!("{name} {width}"), &widths, |b, x| operation(b, format, x));
            gadgets.push(gadget.ands(ands).and_depth(depth));
        }
    }
    check("float", &gadgets);
}
