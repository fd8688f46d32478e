//! Sizes of the integer gadgets, against their documentation and a golden file.

mod golden;

use golden::{Gadget, check};
use halfgate_circuit::int;

#[test]
fn integers() {
    let gadgets: Vec<Gadget> = [8, 32, 64]
        .into_iter()
        .map(|n| {
            Gadget::new(format!("add {n}"), &[n, n], |b, x| int::add(b, &x[0], &x[1]))
                .ands(u64::from(n) - 1)
                .and_depth(n - 1)
        })
        .collect();
    check("int", &gadgets);
}
