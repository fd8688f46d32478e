use super::*;
use crate::bit_runs::BitRuns;
use crate::builder::Builder;
use crate::circuit::Party;
use crate::gate::Gate;

/// A valid circuit with one of everything: inputs `y` (wire 0, per cycle) and `x` (wires 1 and 2,
/// per run), a flip-flop (wire 3), gates (wires 4 and 5), outputs `sum` and `each`.
fn valid() -> Circuit {
    let mut b = Builder::new();
    let y = b.input_per_cycle("y", Party::Evaluator, 1);
    let x = b.input("x", Party::Garbler, 2);
    let q = b.flip_flop(Init::Input(Wire::new(2)));
    let both = b.and(x[0], y[0]);
    let sum = b.xor(both, q);
    b.set_next(q, !sum);
    b.output("sum", &[sum, Bit::TRUE]);
    b.output_per_cycle("each", &[both]);
    b.set_cycles(4);
    b.finish().unwrap()
}

/// Returns the error of [`verify`] for the valid circuit after `break_it`.
fn broken(break_it: impl FnOnce(&mut Circuit)) -> VerifyError {
    let mut circuit = valid();
    assert_eq!(verify(&circuit), Ok(()));
    break_it(&mut circuit);
    verify(&circuit).expect_err("the circuit is broken")
}

#[test]
fn too_many_wires() {
    let error = broken(|c| c.inputs[1].width = Wire::MAX - 3);
    assert_eq!(error, VerifyError::TooManyWires { wires: u64::from(Wire::MAX) + 1 });
    let error = broken(|c| {
        c.inputs[0].width = u32::MAX;
        c.inputs[1].width = u32::MAX;
    });
    assert!(matches!(error, VerifyError::TooManyWires { .. }));
}

#[test]
fn gates_out_of_order() {
    let first = |gate: Gate| {
        move |c: &mut Circuit| c.gates = std::iter::once(gate).chain(c.gates.iter()).collect()
    };
    let wire = |i| Wire::new(i).bit();
    for gate in [
        Gate::xor(wire(0), wire(4), false),
        Gate::and(!wire(4), wire(1), true),
        Gate::copy(wire(4), false),
    ] {
        let expected = VerifyError::NotInOrder { gate: 0, operand: Wire::new(4), output: 4 };
        assert_eq!(broken(first(gate)), expected);
    }
    let error = broken(|c| c.gates.push(Gate::copy(wire(9), true)).unwrap());
    assert_eq!(error, VerifyError::NotInOrder { gate: 2, operand: Wire::new(9), output: 6 });
}

#[test]
fn ports_without_name_or_bits() {
    let error = broken(|c| c.inputs[1].name.clear());
    assert_eq!(error, VerifyError::NoName { direction: Direction::Input, index: 1 });
    let error = broken(|c| c.outputs[0].name.clear());
    assert_eq!(error, VerifyError::NoName { direction: Direction::Output, index: 0 });
    let error = broken(|c| c.inputs[0].width = 0);
    let name = "y".to_owned();
    assert_eq!(error, VerifyError::NoBits { direction: Direction::Input, name });
    let error = broken(|c| c.outputs[1].bits = BitRuns::new());
    let name = "each".to_owned();
    assert_eq!(error, VerifyError::NoBits { direction: Direction::Output, name });
}

#[test]
fn ports_with_one_name() {
    let error = broken(|c| c.inputs[0].name = "x".to_owned());
    let name = "x".to_owned();
    assert_eq!(error, VerifyError::SameName { direction: Direction::Input, name });
    let error = broken(|c| c.outputs[1].name = "sum".to_owned());
    let name = "sum".to_owned();
    assert_eq!(error, VerifyError::SameName { direction: Direction::Output, name });
    let mut same_across = valid();
    same_across.outputs[0].name = "x".to_owned();
    assert_eq!(verify(&same_across), Ok(()), "an input and an output may share a name");
}

#[test]
fn outputs_of_no_wire() {
    let error = broken(|c| {
        let first = c.outputs[0].bits.get(0).unwrap();
        c.outputs[0].bits = vec![first, Bit::new(Wire::new(6), true)].into();
    });
    let (name, wire) = ("sum".to_owned(), Wire::new(6));
    assert_eq!(error, VerifyError::NoSuchOutputWire { name, bit: 1, wire, wires: 6 });
}

#[test]
fn flip_flops_cannot_start_from_other_wires_than_per_run_inputs() {
    // A per-cycle input, the flip-flop itself, a gate, and a wire that does not exist.
    for wire in [0, 3, 4, 100].map(Wire::new) {
        let error = broken(|c| c.flip_flops[0].init = Init::Input(wire));
        assert_eq!(error, VerifyError::NotAnInitialValue { flip_flop: 0, wire });
    }
}

#[test]
fn flip_flops_into_no_wire() {
    let wire = Wire::new(6);
    let error = broken(|c| c.flip_flops[0].next = wire.bit());
    assert_eq!(error, VerifyError::NoSuchNextWire { flip_flop: 0, wire, wires: 6 });
}

#[test]
fn cycles_that_do_nothing() {
    assert_eq!(broken(|c| c.cycles = 0), VerifyError::NoCycles);
    let without_state = |c: &mut Circuit| {
        c.inputs[1].width = 3;
        c.flip_flops.clear();
        c.outputs[1].per_cycle = false;
        c.inputs[0].per_cycle = false;
    };
    assert_eq!(broken(without_state), VerifyError::IdleCycles { cycles: 4 });
    for (input, output) in [(true, false), (false, true)] {
        let mut circuit = valid();
        without_state(&mut circuit);
        circuit.inputs[0].per_cycle = input;
        circuit.outputs[1].per_cycle = output;
        assert_eq!(verify(&circuit), Ok(()));
    }
}
