//! Random programs with functions on the models of all machines. Machines run the flattening, the
//! other party the functions as such; tables, labels and outputs are those of the reference.

use halfgate_circuit::builder::Arg;
use halfgate_circuit::random::inputs_for;
use halfgate_circuit::structured::random::{self, Shape};
use halfgate_circuit::{Builder, Party, int};
use halfgate_compiler::{Order, Program, StructuredProgram, compile_structured};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_registry::{MACHINES, OnCpu, engine};

/// Engines of each machine, and their suites. `overlay-paper` cannot invert, and so runs none of
/// these circuits.
const ENGINES: [(&str, &[Suite]); 17] = [
    ("model:haac-16ge", &[Suite::HalfGates]),
    ("model:haac-4ge,engines=5,window=256 labels", &[Suite::HalfGates]),
    ("model:haac-1ge,model=exact", &[Suite::HalfGates]),
    ("model:fase-1", &[Suite::HalfGates]),
    ("model:fase-3", &[Suite::HalfGates]),
    ("model:fase-wide-2", &[Suite::HalfGates]),
    ("model:fase-paper-2", &[Suite::HalfGatesFixedKey, Suite::HalfGatesFase]),
    ("model:garbledcpu-2", &[Suite::HalfGates]),
    ("model:garbledcpu-short-1", &[Suite::HalfGates]),
    ("model:garbledcpu-paper", &[Suite::HalfGatesFixedKey]),
    ("model:garbledcpu-folded", &[Suite::HalfGates]),
    ("model:overlay", &[Suite::HalfGates, Suite::Grr3Sha1]),
    ("model:overlay-registers", &[Suite::HalfGates]),
    ("model:overlay-dma", &[Suite::HalfGates]),
    ("model:overlay-pcie4", &[Suite::HalfGates]),
    ("model:mobile", &[Suite::HalfGates]),
    ("model:mobile-wide", &[Suite::HalfGates]),
];

/// Runs `program` on all engines of all machines: on both sides, or on the side that the machine
/// has.
fn check(program: &Program, seed: u64) {
    assert!(program.structure.is_some(), "seed {seed}: it has no functions");
    let inputs = inputs_for(&program.circuit, seed, 1);
    let cpu = CpuEngine::new(None).expect("an engine");
    for (name, suites) in ENGINES {
        let machine = MACHINES.iter().find(|machine| name[6..].starts_with(machine.name()));
        let roles = machine.expect("a machine").roles();
        let simulated = engine(name, OnCpu::default(), roles, None).expect(name);
        let side =
            |party| -> &dyn Engine { if roles.contains(&party) { &*simulated } else { &cpu } };
        for &suite in suites {
            let run = Run { suite, seed, cycles: 1 };
            let (garbles, evaluates) = (side(Party::Garbler), side(Party::Evaluator));
            check_pair(garbles, evaluates, program, &inputs, run)
                .unwrap_or_else(|error| panic!("{name}, {suite}, seed {seed}: {error}"));
        }
        assert!(simulated.simulated().is_some_and(|work| work.clock_cycles > 0), "{name}");
    }
}

#[test]
fn random_programs_with_functions_run_on_all_machines() {
    let shape = Shape { gates: 8, calls: 2, most_gates: 400, ..Shape::default() };
    let circuits = (0..).map(|seed| (seed, random::circuit(seed, &shape)));
    let mut checked = 0;
    let with_calls = circuits.filter(|(_, circuit)| !circuit.body.calls.is_empty());
    for (seed, circuit) in with_calls.take(12) {
        let window = 1 << (seed % 8);
        let program = match seed % 2 {
            0 => StructuredProgram::new(circuit),
            _ => StructuredProgram::grouped(circuit, window),
        };
        let program = program.and_then(StructuredProgram::into_program).expect("a program");
        if program.structure.is_some() {
            check(&program, seed);
            checked += 1;
        }
    }
    assert!(checked >= 8, "only {checked} programs have functions");
}

#[test]
fn a_map_and_a_fold_run_on_all_machines() {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 8, 17);
    let y = b.input_array("y", Party::Evaluator, 8, 17);
    let both = [Arg::Array(x), Arg::Array(y)];
    let products = b.map("multiply", 17, &both, |b, x| int::mul(b, &x[0], &x[1]));
    let zero = int::constant(8, 0);
    let sum = b.fold("sum", 17, &zero, &[Arg::Array(products)], |b, sum, x| {
        (int::add(b, sum, &x[0]), Vec::new())
    });
    b.output("sum", &sum.state);
    let circuit = b.finish_structured().expect("a circuit");
    check(&compile_structured(circuit, Order::Given).expect("compiles"), 1);
}

#[test]
fn every_machine_is_among_the_engines() {
    for machine in MACHINES {
        assert!(ENGINES.iter().any(|(name, _)| name[6..].starts_with(machine.name())));
    }
}
