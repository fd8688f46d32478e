//! Checks that some faults of the machine are detected in the labels, by a table, an output or an
//! error: those that let a wrong wire through, or number ANDs wrongly. `make mutants` runs this
//! test and prints what detected each fault.

use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::Suite;
use halfgate_engine::conformance::{Run, check};
use halfgate_haac::engine::{Description, Disturbance, HaacEngine, Model, Mutation, Overrides};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random cases to try before a fault counts as undetected.
const CASES: u64 = 40;

/// Faults that misplace or lose wires, change an AND's number, or let a machine wait for ever. All
/// other faults change times only, and the tests of `halfgate-haac-model` find them.
const SEEN: [Mutation; 12] = [
    Mutation::NoForwardAcross,
    Mutation::StaleEpoch,
    Mutation::NoReadInterlock,
    Mutation::NoWriteInterlock,
    Mutation::NoMemoryInterlock,
    Mutation::OorSecondFirst,
    Mutation::ReadsBeforeWrites,
    Mutation::AndNumberCountsAll,
    Mutation::LostLiveWrite,
    Mutation::SlotZeroGiven,
    Mutation::InputsAssumedLoaded,
    Mutation::TablesSwapped,
];

/// The difference from the reference, if any, with `mutation` in the machine.
fn seen_in(seed: u64, mutation: Option<Mutation>) -> Option<String> {
    let (engines, window) = [(1, 16), (2, 16), (4, 32), (5, 16), (8, 32)][seed as usize % 5];
    let shape = Shape {
        gates: 100 + 10 * seed as u32 % 200,
        input_bits: 20 + seed as u32 % 60,
        flip_flops: 0,
        ..Shape::default()
    };
    let circuit = random::circuit(seed, &shape);
    let inputs = random::inputs_for(&circuit, seed, 1);
    let order = if seed.is_multiple_of(2) { Order::Given } else { Order::HaacFull };
    let program = compile(circuit, order).expect("compiles");
    let description = Description::built_in("haac-16ge").expect("built in");
    let mut machine = description.machine(&Overrides::default()).expect("possible");
    (machine.shape.engines, machine.shape.window) = (engines, window);
    let mut engine = HaacEngine::new(machine).with_model(Model::Exact);
    if seed % 4 > 1 {
        let latency = 30 + seed as u32;
        engine = engine.with_disturbance(Disturbance {
            seed,
            extra_latency: latency,
            refuse_percent: 20,
            stall_percent: 30,
        });
    }
    if let Some(mutation) = mutation {
        engine = engine.with_mutation(mutation);
    }
    let run = Run { suite: Suite::HalfGates, seed, cycles: 1 };
    // A fault may break an assumption of the model, which panics. That counts as detected, too.
    let checked = catch_unwind(AssertUnwindSafe(|| check(&engine, &program, &inputs, run)));
    match checked {
        Ok(result) => result.err(),
        Err(_) => Some("the model stopped with a panic".into()),
    }
}

#[test]
fn faults_show_in_labels() {
    assert!((0..CASES).all(|seed| seen_in(seed, None).is_none()), "the machine itself is right");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let mut missed = Vec::new();
    println!("{:22} {:>5} seen by", "fault", "case");
    for mutation in Mutation::ALL {
        let name = format!("{mutation:?}");
        let found = (0..CASES).find_map(|seed| seen_in(seed, Some(mutation)).map(|by| (seed, by)));
        match found {
            Some((seed, by)) => println!("{name:22} {seed:5} {by}"),
            None if SEEN.contains(&mutation) => missed.push(mutation),
            None => println!("{name:22}     - not in labels"),
        }
    }
    std::panic::set_hook(hook);
    assert!(missed.is_empty(), "not seen: {missed:?}");
}
