//! Compares FASE in SystemVerilog with the model, clock by clock, and with the reference.

use crate::rtl::common::*;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_fase::rtl::Options;
use halfgate_fase_model::Shape;
use halfgate_fase_model::code::Size;
use halfgate_verilated::Aes;

fn all_on(shape: Shape, cases: u64) {
    if !can_build() {
        return;
    }
    let options = Options::default();
    for (cycles, circuit) in machines() {
        equal(cycles, circuit, cycles, shape, &options).unwrap();
    }
    for (cycles, stalls) in [(1, None), (12, None), (30, Some(5))] {
        let options = Options { stalls, ..Options::default() };
        equal(3, random::gated_shift_register(), cycles, shape, &options).unwrap();
        equal(3, random::late_inputs(), cycles, shape, &options).unwrap();
    }
    for seed in 0..cases {
        let (gates, flip_flops) = (1 + 37 * seed as u32 % 300, seed as u32 % 23);
        let circuits = Circuits { gates, flip_flops, ..Circuits::default() };
        let circuit = random::circuit(seed, &circuits);
        let cycles = circuit.cycles;
        let options = Options { stalls: (seed % 3 == 1).then_some(seed + 1), ..Options::default() };
        equal(seed, circuit, cycles, shape, &options).unwrap();
    }
}

#[test]
fn two_pipelines_equal_the_model() {
    all_on(Shape::best(2), 24);
}

#[test]
fn wide_slots_equal_the_model() {
    all_on(Shape::wide(1), 12);
}

#[test]
#[ignore = "builds a machine"]
fn one_pipeline_equals_the_model() {
    all_on(Shape::best(1), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn three_pipelines_equal_the_model() {
    all_on(Shape::best(3), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn four_pipelines_equal_the_model() {
    all_on(Shape::best(4), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn two_wide_pipelines_equal_the_model() {
    all_on(Shape::wide(2), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn four_wide_pipelines_equal_the_model() {
    all_on(Shape::wide(4), 6);
}

/// Real functions. The machine's own AES is a DPI call, or the form for synthesis.
#[test]
#[ignore = "builds two machines"]
fn programs_equal_the_model() {
    if !can_build() {
        return;
    }
    for (spec, aes) in
        [("aes128-chained:2", Aes::Dpi), ("millionaires:16", Aes::Composite), ("psi:3x5", Aes::Dpi)]
    {
        let shape = Shape::best(2);
        let size = Size { kernel: 1 << 15, bank: 1 << 12, ..Size::published(shape) };
        let options = Options { aes, size: Some(size), stalls: Some(7), ..Options::default() };
        let circuit = halfgate_programs::build(spec).expect("builds");
        let cycles = circuit.cycles;
        equal(1, circuit, cycles, shape, &options).unwrap();
    }
}
