//! Compares GarbledCPU's evaluator in SystemVerilog with the model, clock by clock, and with the
//! reference.

use crate::rtl::common::{at_the_ends, dense, equal, small};
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_garbledcpu::rtl::Options;
use halfgate_garbledcpu_model::Machine;
use halfgate_scheduled::testing::machines;
use halfgate_verilated::Aes;
use halfgate_verilated::testing::can_build;

fn all_on(name: &str, cases: u64) {
    if !can_build() {
        return;
    }
    let machine = Machine::named(name).expect("a machine");
    for (cycles, circuit) in machines() {
        equal(cycles, circuit, cycles, machine, &small()).unwrap();
    }
    for (cycles, circuit) in machines() {
        equal(cycles, at_the_ends(circuit), cycles, machine, &small()).unwrap();
    }
    for (cycles, stalls) in [(1, None), (12, None), (30, Some(5))] {
        let options = Options { stalls, ..small() };
        equal(3, random::gated_shift_register(), cycles, machine, &options).unwrap();
        equal(3, random::late_inputs(), cycles, machine, &options).unwrap();
    }
    for stalls in [None, Some(9)] {
        let options = Options { stalls, ..small() };
        equal(3, dense(), 1, machine, &options).unwrap();
    }
    for seed in 0..cases {
        let (gates, flip_flops) = (1 + 37 * seed as u32 % 300, seed as u32 % 23);
        let circuits = Circuits { gates, flip_flops, ..Circuits::default() };
        let options = Options { stalls: (seed % 3 == 1).then_some(seed + 1), ..small() };
        for overlaps in [false, true] {
            let circuit = random::circuit(seed, &circuits);
            let cycles = circuit.cycles;
            let circuit = if overlaps { at_the_ends(circuit) } else { circuit };
            equal(seed, circuit, cycles, machine, &options).unwrap();
        }
    }
}

#[test]
fn one_pipeline_equals_the_model() {
    all_on("garbledcpu-1", 18);
}

#[test]
fn units_without_stages_equal_the_model() {
    all_on("garbledcpu-folded", 9);
}

#[test]
#[ignore = "builds a machine"]
fn the_published_pipeline_equals_the_model() {
    all_on("garbledcpu-paper", 9);
}

#[test]
#[ignore = "builds a large machine"]
fn short_pipelines_equal_the_model() {
    all_on("garbledcpu-short-2", 9);
}

#[test]
#[ignore = "builds a large machine"]
fn four_pipelines_equal_the_model() {
    all_on("garbledcpu-4", 9);
}

/// Built-in programs instead of random circuits. The half-gate units compute AES by a DPI call, or
/// in the form for synthesis.
#[test]
#[ignore = "builds two machines"]
fn programs_equal_the_model() {
    if !can_build() {
        return;
    }
    let machine = Machine::named("garbledcpu-2").expect("a machine");
    for (spec, aes) in
        [("aes128-chained:2", Aes::Dpi), ("millionaires:16", Aes::Composite), ("psi:3x5", Aes::Dpi)]
    {
        let options = Options { aes, stalls: Some(7), ..Options::default() };
        let circuit = halfgate_programs::build(spec).expect("builds");
        let cycles = circuit.cycles;
        equal(1, circuit, cycles, machine, &options).unwrap();
    }
}
