//! The whole machine, from its registers to its memory ports: tables and outputs are the reference's,
//! cycles and every counter the exact model's.

mod machine_common;

use halfgate_circuit::random::{self, Shape};
use halfgate_rtl::haac::{Aes, Options, RtlEngine};
use machine_common::*;

#[test]
fn random_programs_take_the_models_time() {
    let _turn = one_at_a_time();
    for (seed, gates) in [(1, 40), (2, 300), (3, 900)] {
        conform_and_measure(&small(), &quick(), &random_program(seed, gates), seed);
    }
}

#[test]
fn so_they_do_with_any_memory() {
    let _turn = one_at_a_time();
    // Latency, bytes a cycle, bytes of a label: no wider than two ports are, and no nearer than what
    // waits for one of them.
    for (latency, bytes, wire_bytes) in [(17, (40, 1), 16), (23, (7, 1), 64), (60, (3, 2), 16)] {
        let mut machine = small();
        machine.memory.latency = latency;
        machine.memory.bytes_per_cycle = bytes;
        machine.memory.wire_bytes = wire_bytes;
        let program = random_program(u64::from(latency), 400);
        conform_and_measure(&machine, &quick(), &program, 7);
    }
}

#[test]
fn flip_flops_and_constants() {
    let _turn = one_at_a_time();
    let engine = RtlEngine::new(small(), quick());
    for index in 0..random::machines().len() {
        for cycles in [1, 3] {
            let (_, circuit) = random::machines().swap_remove(index);
            conform(&engine, &program(circuit, "grouped"), 5, cycles);
        }
    }
    let shape = Shape { gates: 150, flip_flops: 9, output_bits: 12, ..Shape::default() };
    for seed in 0..3 {
        let program = program(random::circuit(seed, &shape), "haac:full");
        conform(&engine, &program, seed, 1 + 2 * seed);
    }
}

/// Every order lays a program out in another way.
#[test]
fn small_programs_in_all_orders() {
    let _turn = one_at_a_time();
    let engine = RtlEngine::new(small(), quick());
    let orders = ["given", "grouped", "haac:baseline", "haac:full", "haac:segment:32"];
    let specs = ["millionaires:8", "adder:16", "psi:3x5", "divide:6", "xors:50", "relu:5x6"];
    for (index, spec) in specs.iter().enumerate() {
        let circuit = halfgate_programs::build(spec).expect("builds");
        let program = program(circuit, orders[index % orders.len()]);
        let cycles = program.circuit.cycles.min(4);
        conform(&engine, &program, index as u64, cycles);
    }
}

#[test]
fn the_smallest_named_machine() {
    let _turn = one_at_a_time();
    let options = Options { aes: Aes::Table, ..quick() };
    conform_and_measure(&built_in("haac-1ge"), &options, &random_program(4, 500), 4);
}

#[test]
#[ignore = "long: make rtl"]
fn four_engines_with_aes_in_rtl() {
    let _turn = one_at_a_time();
    let options = Options { aes: Aes::Table, fast: true, ..quick() };
    let aes = program(halfgate_programs::build("aes128").expect("builds"), "haac:full");
    for program in [random_program(5, 2000), aes] {
        conform_and_measure(&built_in("haac-4ge"), &options, &program, 5);
    }
}

#[test]
#[ignore = "long: make rtl"]
fn every_aes_gives_the_same() {
    let _turn = one_at_a_time();
    let program = random_program(6, 600);
    let mut machine = small();
    machine.shape.engines = 1;
    machine.name = "one".to_owned();
    let [table, composite, dpi] = [Aes::Table, Aes::Composite, Aes::Dpi].map(|aes| {
        let options = Options { aes, ..quick() };
        conform_and_measure(&machine, &options, &program, 6);
        garble(&RtlEngine::new(machine.clone(), options), &program).expect("garbles")
    });
    assert!(table == composite && table == dpi);
}

#[test]
#[ignore = "long: make rtl"]
fn ports_of_any_number_and_width() {
    let _turn = one_at_a_time();
    let program = random_program(8, 700);
    let mut machine = built_in("haac-4ge");
    machine.shape.window = 256;
    for (ports, data_bits) in [(4, 128), (2, 256), (4, 512)] {
        // A narrow port takes four cycles for a burst: memory must be no faster than all of them.
        machine.memory.bytes_per_cycle = (16, 1);
        machine.name = format!("ports-{ports}x{data_bits}");
        let options = Options { ports: Some((ports, data_bits)), ..quick() };
        conform_and_measure(&machine, &options, &program, 8);
    }
}

#[test]
#[ignore = "long: make rtl"]
fn sixteen_engines() {
    let _turn = one_at_a_time();
    let options = Options { fast: true, ..quick() };
    let aes = program(halfgate_programs::build("aes128").expect("builds"), "haac:full");
    conform_and_measure(&built_in("haac-16ge"), &options, &aes, 9);
}
