//! The examples of `spec/functions.md`.

use super::{Bit, Call, Flat, Form, Function, Item, Size, flatten, sizes};
use crate::Gate;

/// `f` of the page: `(x & y) ^ !x`.
fn f() -> Function {
    let items = vec![Item::Gate(and(2, 0, 1)), Item::Gate(xor(3, 2, 0, true))];
    Function { inputs: 2, items, outputs: vec![wire(3)] }
}

/// `g` of the page: two lanes of `f`, with `x` shared.
fn g() -> Function {
    let items = vec![call(0, Form::Map, &[&[wire(0), wire(1)], &[wire(0), wire(2)]])];
    Function { inputs: 3, items, outputs: vec![wire(3), wire(4)] }
}

/// `h` of the page: two steps of `f`, with `x` as state.
fn h() -> Function {
    let form = Form::Fold { state: 1 };
    let items = vec![call(0, form, &[&[wire(0), wire(1)], &[wire(0), wire(2)]])];
    Function { inputs: 3, items, outputs: vec![wire(3)] }
}

#[test]
fn a_map() {
    let lanes: [&[Bit]; 3] = [&[wire(0), wire(1)], &[wire(0), wire(2)], &[wire(0), wire(3)]];
    let flat = flatten(&[f()], 4, &[call(0, Form::Map, &lanes)]);
    let gates = [
        and(4, 0, 1),
        and(5, 0, 2),
        and(6, 0, 3),
        xor(7, 4, 0, true),
        xor(8, 5, 0, true),
        xor(9, 6, 0, true),
    ];
    check(&flat, &gates, &[7, 8, 9]);
}

#[test]
fn a_fold() {
    let inverse = Bit { wire: 0, invert: true };
    let steps: [&[Bit]; 2] = [&[inverse, wire(1)], &[inverse, wire(2)]];
    let flat = flatten(&[f()], 4, &[call(0, Form::Fold { state: 1 }, &steps)]);
    let first =
        Gate::And { a: 0, b: 1, out: 4, invert_a: true, invert_b: false, invert_out: false };
    let gates = [first, xor(5, 4, 0, false), and(6, 5, 2), xor(7, 6, 5, true)];
    check(&flat, &gates, &[7]);
}

#[test]
fn a_map_of_maps() {
    let functions = [f(), g()];
    let size = Size { ands: 2, lanes: 2, wide: 0 };
    assert_eq!((sizes(&functions)[1], size.block()), (size, 16));
    let gates = [
        and(6, 0, 1),
        and(7, 3, 4),
        and(8, 0, 2),
        and(9, 3, 5),
        xor(10, 6, 0, true),
        xor(11, 7, 3, true),
        xor(12, 8, 0, true),
        xor(13, 9, 3, true),
    ];
    check(&flatten(&functions, 6, &[two_lanes()]), &gates, &[10, 12, 11, 13]);
}

#[test]
fn a_fold_in_a_map() {
    let gates = [
        and(6, 0, 1),
        and(7, 3, 4),
        xor(8, 6, 0, true),
        xor(9, 7, 3, true),
        and(10, 8, 2),
        and(11, 9, 5),
        xor(12, 10, 8, true),
        xor(13, 11, 9, true),
    ];
    check(&flatten(&[f(), h()], 6, &[two_lanes()]), &gates, &[12, 13]);
}

/// The call of examples 3 and 4: function 1 over two lanes, with wires 0 to 2 and 3 to 5.
fn two_lanes() -> Item {
    call(1, Form::Map, &[&[wire(0), wire(1), wire(2)], &[wire(3), wire(4), wire(5)]])
}

/// Checks a flattening's gates and the wires that the call drives.
fn check(flat: &Flat, gates: &[Gate], driven: &[usize]) {
    assert_eq!(flat.gates, gates);
    let (inputs, outputs) = flat.wires.split_at(flat.wires.len() - driven.len());
    assert!(inputs.iter().copied().eq((0..inputs.len()).map(wire)));
    assert!(outputs.iter().copied().eq(driven.iter().copied().map(wire)));
}

fn wire(wire: usize) -> Bit {
    Bit { wire, invert: false }
}

fn call(function: usize, form: Form, runs: &[&[Bit]]) -> Item {
    Item::Call(Call { function, form, runs: runs.iter().map(|run| run.to_vec()).collect() })
}

fn and(out: usize, a: usize, b: usize) -> Gate {
    Gate::And { a, b, out, invert_a: false, invert_b: false, invert_out: false }
}

fn xor(out: usize, a: usize, b: usize, invert: bool) -> Gate {
    Gate::Xor { a, b, out, invert }
}
