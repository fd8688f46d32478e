//! Sizes of the floating-point gadgets, against their documentation and a golden file.

mod golden;

use golden::{Gadget, check};
use halfgate_circuit::float::{self, BINARY32, BINARY64, Format};
use halfgate_circuit::{Bit, Builder};

type Operation = fn(&mut Builder, Format, &[Vec<Bit>]) -> Vec<Bit>;

fn gadget(name: &str, format: Format, operands: usize, operation: Operation) -> Gadget {
    let width = format.width() as u32;
    Gadget::new(format!("{name} {width}"), &vec![width; operands], |b, x| operation(b, format, x))
}

#[test]
fn floats() {
    let add: Operation = |b, format, x| float::add(b, format, &x[0], &x[1]);
    let sub: Operation = |b, format, x| float::sub(b, format, &x[0], &x[1]);
    let mul: Operation = |b, format, x| float::mul(b, format, &x[0], &x[1]);
    let gadgets = [
        gadget("add", BINARY32, 2, add),
        gadget("add", BINARY64, 2, add),
        gadget("sub", BINARY32, 2, sub),
        gadget("sub", BINARY64, 2, sub),
        gadget("mul", BINARY32, 2, mul),
        gadget("mul", BINARY64, 2, mul),
    ];
    check("float", &gadgets);
}
