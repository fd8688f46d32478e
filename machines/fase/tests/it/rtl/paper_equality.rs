//! Compares the published FASE in SystemVerilog with its model, clock by clock, and with the
//! reference.

use crate::rtl::common::*;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_engine::Suite;
use halfgate_fase::rtl::Options;
use halfgate_fase::rtl::paper::RtlPaper;
use halfgate_fase_model::paper::Size;
use halfgate_verilated::Aes;

/// Small capacities, because reset and wiping step through all memories.
const SIZE: Size = Size { slots: 1 << 10, inputs: 1 << 9, outputs: 1 << 9 };

fn options(stalls: Option<u64>) -> Options<Size> {
    Options { size: Some(SIZE), stalls, ..Options::default() }
}

fn all_on(pipelines: usize, suite: Suite, cases: u64) {
    if !can_build() {
        return;
    }
    let equal = |seed, circuit, cycles, stalls| {
        let garbler = RtlPaper::new(pipelines, options(stalls));
        let garbler = match suite {
            Suite::HalfGatesFase => garbler.like_the_public_rtl(),
            _ => garbler,
        };
        equal_to_paper(seed, circuit, cycles, garbler, pipelines, suite).unwrap();
    };
    for (cycles, circuit) in machines() {
        equal(cycles, circuit, cycles, None);
    }
    for (cycles, stalls) in [(1, None), (12, None), (30, Some(5))] {
        equal(3, random::gated_shift_register(), cycles, stalls);
        equal(3, random::late_inputs(), cycles, stalls);
        equal(3, random::many_ands(), cycles, stalls);
    }
    for seed in 0..cases {
        let (gates, flip_flops) = (1 + 37 * seed as u32 % 300, seed as u32 % 23);
        let shape = Circuits { gates, flip_flops, ..Circuits::default() };
        let circuit = random::circuit(seed, &shape);
        let cycles = circuit.cycles;
        equal(seed, circuit, cycles, (seed % 3 == 1).then_some(seed + 1));
    }
}

#[test]
fn one_published_pipeline_equals_the_model() {
    all_on(1, Suite::HalfGatesFixedKey, 24);
}

#[test]
fn two_published_pipelines_equal_the_model() {
    all_on(2, Suite::HalfGatesFixedKey, 24);
}

#[test]
#[ignore = "builds a machine"]
fn the_suite_of_the_public_rtl_is_garbled() {
    all_on(1, Suite::HalfGatesFase, 12);
    all_on(2, Suite::HalfGatesFase, 12);
}

#[test]
#[ignore = "builds a large machine"]
fn three_published_pipelines_equal_the_model() {
    all_on(3, Suite::HalfGatesFixedKey, 24);
}

#[test]
#[ignore = "builds a large machine"]
fn four_published_pipelines_equal_the_model() {
    all_on(4, Suite::HalfGatesFixedKey, 24);
}

/// Real functions, one of them with the machine's AES in the form for synthesis.
#[test]
#[ignore = "builds two machines"]
fn programs_equal_the_model_of_the_published_machine() {
    if !can_build() {
        return;
    }
    for (spec, aes, pipelines) in
        [("aes128-chained:1", Aes::default(), 2), ("millionaires:16", Aes::Composite, 1)]
    {
        let size = Size { slots: 1 << 15, ..SIZE };
        let options = Options { aes, size: Some(size), stalls: Some(7), ..Options::default() };
        let circuit = halfgate_programs::build(spec).expect("builds");
        let (cycles, garbler) = (circuit.cycles, RtlPaper::new(pipelines, options));
        equal_to_paper(1, circuit, cycles, garbler, pipelines, Suite::HalfGatesFixedKey).unwrap();
    }
}
