//! The whole machine, from its registers to its memory ports. Tables and outputs equal those of the
//! reference; cycles and every counter equal those of the exact model.

use crate::rtl::common::*;
use halfgate_circuit::Party;
use halfgate_circuit::random::{self, Shape};
use halfgate_haac::engine::{Description, Overrides};
use halfgate_haac::rtl::{Aes, Effort, Options, RtlEngine};
use halfgate_haac_model::Machine;

#[test]
fn random_programs_take_the_models_time() {
    let _turn = one_at_a_time();
    for (seed, gates) in [(1, 40), (2, 300), (3, 900)] {
        equal(&small(), &quick(), &random_program(seed, gates), seed, 1);
    }
}

#[test]
fn random_programs_take_the_models_time_with_any_memory() {
    let _turn = one_at_a_time();
    // Latency, bytes per cycle, bytes per label. Two ports have enough bandwidth for all of these,
    // and latencies exceed the time for which a request may wait at a port.
    for (latency, bytes, wire_bytes) in [(17, (40, 1), 16), (23, (7, 1), 64), (60, (3, 2), 16)] {
        let mut machine = small();
        machine.memory.latency = latency;
        machine.memory.bytes_per_cycle = bytes;
        machine.memory.wire_bytes = wire_bytes;
        let program = random_program(u64::from(latency), 400);
        equal(&machine, &quick(), &program, 7, 1);
    }
}

/// Several launches in a run. Each takes as many cycles as in the model.
#[test]
fn flip_flops_and_constants() {
    let _turn = one_at_a_time();
    for index in 0..random::machines().len() {
        for cycles in [1, 3] {
            let (_, circuit) = random::machines().swap_remove(index);
            equal(&small(), &quick(), &program(circuit, "grouped"), 5, cycles);
        }
    }
    let shape = Shape { gates: 150, flip_flops: 9, output_bits: 12, ..Shape::default() };
    for seed in 0..3 {
        let program = program(random::circuit(seed, &shape), "haac:full");
        equal(&small(), &quick(), &program, seed, 1 + 2 * seed);
    }
}

/// Every order gives a program a different layout.
#[test]
fn small_programs_in_all_orders() {
    let _turn = one_at_a_time();
    let orders = ["given", "grouped", "haac:baseline", "haac:full", "haac:segment:32"];
    let specs = ["millionaires:8", "adder:16", "psi:3x5", "divide:6", "xors:50", "relu:5x6"];
    for (index, spec) in specs.iter().enumerate() {
        let circuit = halfgate_programs::build(spec).expect("builds");
        let program = program(circuit, orders[index % orders.len()]);
        let cycles = program.circuit.cycles.min(4);
        equal(&small(), &quick(), &program, index as u64, cycles);
    }
}

/// Checks that the comparison can fail. If the model is of another machine, the first different
/// cycle is reported with both sides. If the model has a fault, the comparison fails.
#[test]
fn another_machine_differs_in_a_cycle_that_is_reported() {
    let _turn = one_at_a_time();
    let program = random_program(2, 300);
    let code = code(&small(), &program);
    let against = |model: &Machine, mutation| {
        let models = ROLES.map(|role| traced(&code, model, role, mutation));
        let [Ok(garbler), Ok(evaluator)] = models else { return Err("the model ends".to_owned()) };
        compare(&small(), [&quick(); 2], &program, [garbler, evaluator], (2, 1))
    };
    assert_eq!(against(&small(), None), Ok(()));
    let mut slow = small();
    slow.memory.latency += 1;
    let difference = against(&slow, None).expect_err("memory has another latency");
    // Both sides are equal until the first response. Its request was accepted in the second cycle,
    // as a burst costs more than the credit of one cycle.
    let first = small().memory.latency + 1;
    assert!(
        difference.starts_with(&format!("Garbler, launch 0: cycle {first} is")),
        "{difference}"
    );
    assert!(difference.contains("\n  model ") && difference.contains("\n  RTL "), "{difference}");
    let mut slow = small();
    slow.latency.and_evaluator += 1;
    let difference = against(&slow, None).expect_err("an AND takes longer");
    assert!(difference.starts_with("Evaluator, launch 0: cycle "), "{difference}");
}

#[test]
fn the_smallest_named_machine() {
    let _turn = one_at_a_time();
    let options = Options { aes: Aes::Table, ..quick() };
    equal(&built_in("haac-1ge"), &options, &random_program(4, 500), 4, 1);
}

#[test]
#[ignore = "long: make rtl"]
fn four_engines_with_aes_in_rtl() {
    let _turn = one_at_a_time();
    let options = Options { aes: Aes::Table, effort: Effort::High, ..quick() };
    let aes = program(halfgate_programs::build("aes128").expect("builds"), "haac:full");
    for program in [random_program(5, 2000), aes] {
        equal(&built_in("haac-4ge"), &options, &program, 5, 1);
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
        equal(&machine, &options, &program, 6, 1);
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
    for (ports, data_bits) in [(2, 64), (4, 128), (2, 256), (4, 512)] {
        // A narrow port takes four cycles for a burst, so the memory of the model must not be
        // faster.
        machine.memory.bytes_per_cycle = (16, 1);
        machine.name = format!("ports-{ports}x{data_bits}");
        let options = Options { ports: Some((ports, data_bits)), ..quick() };
        equal(&machine, &options, &program, 8, 1);
    }
}

#[test]
#[ignore = "long: make rtl"]
fn sixteen_engines() {
    let _turn = one_at_a_time();
    let aes = program(halfgate_programs::build("aes128").expect("builds"), "haac:full");
    equal(&built_in("haac-16ge"), &long(), &aes, 9, 1);
}

/// The paper's machine with HBM2 garbles AES-128 in the same number of cycles as the model. This
/// number must not exceed a limit.
#[test]
#[ignore = "long: make rtl"]
fn sixteen_engines_garble_aes_in_2450_cycles() {
    let _turn = one_at_a_time();
    let overrides = Overrides { memory: Some("hbm2".to_owned()), ..Overrides::default() };
    let description = Description::built_in("haac-16ge").expect("built in");
    let machine = description.machine(&overrides).expect("possible");
    let circuit = halfgate_programs::build("aes128").expect("builds");
    let aes = program(circuit, "haac:best:engines=16,window=131072,and=21,memory=512");
    let (report, _) = traced(&code(&machine, &aes), &machine, Party::Garbler, None).expect("runs");
    assert!(report.cycles <= 2450, "{} cycles", report.cycles);
    println!("AES-128, garbling: {} cycles of the model", report.cycles);
    equal(&machine, &long(), &aes, 10, 1);
}
