//! Compares sizes of floating-point gadgets with their documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::float::{self, BINARY32, BINARY64, Format};
use halfgate_circuit::{Bit, Builder, int};

type Operation = fn(&mut Builder, Format, &[Vec<Bit>]) -> Vec<Bit>;

/// Name, number of operands, operation, whether it multiplies significands, and the documented ANDs
/// for binary32 and binary64 without the significands' product.
type Row = (&'static str, usize, Operation, bool, [u64; 2]);

#[test]
fn floats() {
    let rows: [Row; 4] = [
        ("add", 2, |b, f, x| float::add(b, f, &x[0], &x[1]), false, [525, 1127]),
        ("sub", 2, |b, f, x| float::sub(b, f, &x[0], &x[1]), false, [525, 1127]),
        ("mul", 2, |b, f, x| float::mul(b, f, &x[0], &x[1]), true, [471, 978]),
        ("fma", 3, |b, f, x| float::fma(b, f, &x[0], &x[1], &x[2]), true, [1242, 2616]),
    ];
    let mut gadgets = Vec::new();
    for (name, operands, operation, multiplies, documented) in rows {
        for (format, ands) in [BINARY32, BINARY64].into_iter().zip(documented) {
            let widths = vec![format.width() as u32; operands];
            let name = format!("{name} binary{}", format.width());
            let gadget = Gadget::new(name, &widths, |b, x| operation(b, format, x));
            let product = if multiplies { product(format) } else { 0 };
            let gadget = gadget.ands(ands + product);
            gadgets.push(match (multiplies, format) {
                (true, _) => gadget,
                (false, BINARY32) => gadget.and_depth(120),
                (false, _) => gadget.and_depth(199),
            });
        }
    }
    check("float", &gadgets);
}

/// The ANDs of a product of two significands.
fn product(format: Format) -> u64 {
    let widths = [format.precision() as u32; 2];
    Gadget::new("product", &widths, |b, x| int::mul_full(b, &x[0], &x[1])).stats.ands
}
