//! Tests of the models of GarbledCPU's evaluators: fusion, and schedules of fused bodies, run on
//! symbols.

use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_circuit::{Bit, Builder, Circuit, Init, Party};
use halfgate_garbledcpu_model::encode::{self, Numbered, Size};
use halfgate_garbledcpu_model::{Machine, body};
use halfgate_scheduled_model::{Body, Code, Netlist, model};
use proptest::prelude::*;

fn machines() -> impl Iterator<Item = Machine> {
    let names = ["1", "2", "4", "short-1", "short-4", "paper", "folded"];
    names.into_iter().map(|name| Machine::named(&format!("garbledcpu-{name}")).expect("a machine"))
}

fn check(code: &Code, cycles: u64) {
    let report =
        model::run(code, cycles).unwrap_or_else(|fault| panic!("{:?}: {fault}", code.shape));
    encode::words(code, Size::MOST, Numbered::InRun).unwrap();
    assert_eq!(report.clocks, code.clocks(cycles));
    assert_eq!(report.gates, code.body.netlist.gates.len() as u64 * cycles);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn schedules_find_every_label(seed: u64, gates in 1u32..300, flip_flops in 0u32..40, cycles in 1u64..6) {
        let circuit = random::circuit(seed, &Circuits { gates, flip_flops, ..Circuits::default() });
        for machine in machines() {
            let code = machine.code(&circuit, cycles).unwrap();
            prop_assert_eq!(code.body.ands, circuit.gates.ands());
            check(&code, cycles);
            check(&machine.code_of(body(&circuit), cycles).unwrap(), cycles);
        }
    }
}

/// Number of entries, and number of entries with three operands.
fn entries(circuit: &Circuit) -> (usize, usize) {
    let body = body(circuit);
    let gates = &body.netlist.gates;
    (gates.len(), gates.iter().filter(|gate| gate.operands[2].is_some()).count())
}

#[test]
fn a_multiplexer_is_one_entry() {
    let mut b = Builder::new();
    let (s, x, y) = (
        b.input("s", Party::Garbler, 1)[0],
        b.input("x", Party::Garbler, 8),
        b.input("y", Party::Evaluator, 8),
    );
    let chosen: Vec<Bit> = x.iter().zip(&y).map(|(&x, &y)| b.mux(s, x, y)).collect();
    b.output("chosen", &chosen);
    let circuit = b.finish().unwrap();
    assert_eq!((circuit.gates.len(), circuit.gates.ands()), (24, 8));
    assert_eq!(entries(&circuit), (8, 8));
}

#[test]
fn what_is_read_elsewhere_too_is_not_fused() {
    let mut b = Builder::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, Party::Garbler, 1)[0]);
    // Nothing is fused: the XOR before the AND is read twice, the AND is read twice, and the XOR
    // after it is an output.
    let before = b.xor(x, y);
    let and = b.and(before, z);
    let after = b.xor(and, y);
    b.output("all", &[before, and, after]);
    let circuit = b.finish().unwrap();
    assert_eq!(entries(&circuit), (3, 0));
}

#[test]
fn outputs_and_flip_flops_follow_what_is_fused() {
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Evaluator, 1)[0];
    let state = b.flip_flop(Init::Constant(false));
    let and = b.and(state, x);
    let next = b.xor(and, x);
    b.set_next(state, next);
    b.output("state", &[next]);
    let circuit = b.finish().unwrap();
    let plain = Body::of(&circuit, Netlist::of(&circuit));
    let fused = body(&circuit);
    assert_eq!((plain.netlist.gates.len(), fused.netlist.gates.len()), (2, 1));
    assert_eq!(fused.tags.keys().copied().collect::<Vec<_>>(), [0]);
    for machine in machines() {
        check(&machine.code(&circuit, 9).unwrap(), 9);
    }
}

/// Shifts of a register by secret amounts. All its ANDs are multiplexers, as in a processor.
#[test]
fn about_one_and_a_clock() {
    let mut b = Builder::new();
    let amounts = b.input("amounts", Party::Garbler, 5);
    let given = b.input("given", Party::Evaluator, 32);
    let states: Vec<Bit> =
        given.iter().map(|bit| b.flip_flop(Init::Input(bit.wire().unwrap()))).collect();
    let mut shifted = states.clone();
    for (place, &amount) in amounts.iter().enumerate() {
        let by = 1 << place;
        shifted = (0..32).map(|at| b.mux(amount, shifted[(at + by) % 32], shifted[at])).collect();
    }
    for (&state, &next) in states.iter().zip(&shifted) {
        b.set_next(state, next);
    }
    b.output("shifted", &states);
    let circuit = b.finish().unwrap();
    let interval = |name: &str| {
        let machine = Machine::named(name).unwrap();
        let code = machine.code_of(body(&circuit), 100).unwrap();
        check(&code, 20);
        code.interval()
    };
    let ands = circuit.gates.ands();
    assert!((ands..ands + ands / 10).contains(&interval("garbledcpu-1")));
    assert!(interval("garbledcpu-paper") > ands);
    assert!(interval("garbledcpu-folded") >= 10 * ands);
}
