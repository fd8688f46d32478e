//! Machines of many shapes with memories of many kinds. Tables and labels equal those of the
//! reference, and every cycle equals that of the exact model.

use crate::rtl::common::*;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::Program;
use halfgate_haac::engine::Machine;
use halfgate_haac::rtl::Options;

/// Latency, bytes per cycle, bytes per access to a label.
type Memory = (u32, (u32, u32), u32);

/// Memories from fast to slow and from wide to narrow. All of them work with the same build of a
/// machine.
const MEMORIES: [Memory; 5] =
    [(8, (8, 1), 64), (20, (16, 1), 16), (60, (11, 3), 64), (130, (5, 2), 16), (200, (7, 1), 16)];

fn with_memory(machine: &Machine, (latency, bytes_per_cycle, wire_bytes): Memory) -> Machine {
    let mut machine = machine.clone();
    machine.memory.latency = latency;
    machine.memory.bytes_per_cycle = bytes_per_cycle;
    machine.memory.wire_bytes = wire_bytes;
    machine
}

/// Runs the programs, each with the next of the memories in turn.
fn sweep(machine: &Machine, options: &Options, programs: &[Program]) {
    for (number, program) in programs.iter().enumerate() {
        let memory = MEMORIES[number % MEMORIES.len()];
        let cycles = program.circuit.cycles.min(2);
        equal(&with_memory(machine, memory), options, program, number as u64, cycles);
    }
}

/// Random programs with more or fewer ANDs, inputs and outputs, and one with flip-flops.
fn random_programs(seed: u64, gates: u32) -> Vec<Program> {
    let shape = Shape { gates, ..Shape::default() };
    let shapes = [
        shape,
        Shape { and_percent: 80, output_bits: 60, ..shape },
        Shape { input_bits: 300, ..shape },
        Shape { and_percent: 5, input_bits: 4, ..shape },
        Shape { flip_flops: 30, output_bits: 20, gates: gates / 2, ..shape },
    ];
    let orders = ["haac:full", "given", "haac:segment:50", "haac:baseline", "grouped"];
    let all = (0..).zip(shapes).zip(orders);
    all.map(|((n, shape), order)| program(random::circuit(seed + n, &shape), order)).collect()
}

/// The small machine with a change.
fn machine(name: &str, change: impl FnOnce(&mut Machine)) -> Machine {
    let mut machine = small();
    machine.name = name.to_owned();
    change(&mut machine);
    machine
}

/// The smallest queues and windows, so that all of them are always full.
fn tight() -> Machine {
    machine("tight", |machine| {
        machine.shape.engines = 4;
        machine.shape.window = 32;
        machine.banks_per_engine = 1;
        machine.rtl.ports = 1;
        machine.latency.and_garbler = 5;
        machine.latency.and_evaluator = 4;
        let queues = &mut machine.queues;
        (queues.instruction_bytes, queues.issue, queues.inputs) = (128, 2, 4);
        (queues.tables, queues.oor_addresses, queues.oor_wires, queues.live) = (2, 16, 1, 1);
    })
}

#[test]
fn two_engines_before_all_memories() {
    let _turn = one_at_a_time();
    for memory in MEMORIES {
        let machine = with_memory(&small(), memory);
        equal(&machine, &quick(), &random_program(40, 300), 40, 1);
    }
    sweep(&small(), &quick(), &random_programs(50, 400));
}

#[test]
fn four_engines_with_the_smallest_queues() {
    let _turn = one_at_a_time();
    sweep(&tight(), &quick(), &random_programs(60, 300));
    let circuit = halfgate_programs::build("divide:8").expect("builds");
    sweep(&tight(), &quick(), &[program(circuit, "haac:full")]);
}

#[test]
#[ignore = "long: make rtl"]
fn machines_of_many_shapes() {
    let _turn = one_at_a_time();
    let machines = [
        machine("one", |machine| (machine.shape.engines, machine.rtl.ports) = (1, 1)),
        machine("three", |machine| machine.shape.engines = 3),
        machine("banks", |machine| {
            (machine.shape.engines, machine.banks_per_engine) = (4, 16);
            machine.shape.window = 128;
        }),
        machine("slow-xor", |machine| {
            machine.latency.xor = 3;
            (machine.latency.and_garbler, machine.latency.and_evaluator) = (3, 7);
        }),
        machine("eight", |machine| {
            (machine.shape.engines, machine.rtl.ports) = (8, 8);
            machine.queues.issue = 5;
            machine.queues.tables = 7;
            machine.queues.oor_wires = 3;
        }),
        machine("sixteen", |machine| {
            (machine.shape.engines, machine.rtl.ports) = (16, 16);
            machine.shape.window = 256;
        }),
    ];
    for (seed, machine) in (70..).step_by(10).zip(&machines) {
        sweep(machine, &long(), &random_programs(seed, 1500));
    }
}

#[test]
#[ignore = "long: make rtl"]
fn built_in_programs_in_all_orders() {
    let _turn = one_at_a_time();
    let specs = ["millionaires:32", "adder:64", "psi:6x10", "divide:16", "relu:20x8", "hamming:64"];
    let orders = ["given", "grouped", "haac:baseline", "haac:full", "haac:segment:100"];
    for machine in [built_in("haac-1ge"), built_in("haac-4ge")] {
        for (spec, n) in specs.iter().zip(0..) {
            let programs =
                orders.map(|order| program(halfgate_programs::build(spec).expect("builds"), order));
            sweep(&machine, &long(), &programs[n % orders.len()..]);
        }
    }
}
