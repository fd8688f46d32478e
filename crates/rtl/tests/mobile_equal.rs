//! The mobile coprocessor in SystemVerilog: labels against the reference, every clock against the model, any memory, any link.

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::mobile::{Link, SUITES};
use halfgate_engine::{Engine, Suite};
use halfgate_programs::build;
use halfgate_rtl::mobile::{Memory, Options, RtlMobile};

/// Whether there is a Verilator; what cannot run is named.
fn can_build() -> bool {
    let is_there = std::process::Command::new("verilator").arg("--version").output().is_ok();
    if !is_there {
        println!("not run: verilator is not installed");
    }
    is_there
}

fn check(options: Options, suite: Suite, seed: u64, circuit: Circuit) -> RtlMobile {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let evaluator = RtlMobile::new(options.clone());
    let run = Run { suite, seed, cycles };
    if let Err(what) = check_pair(&garbler, &evaluator, &program, &inputs, run) {
        panic!("{suite}, {options:?}, {cycles} cycles, seed {seed}: {what}");
    }
    evaluator
}

fn links() -> [Link; 3] {
    [Link::spi(42.0, 30.0), Link { mhz: 42.0, clocks: 1.0 }, Link::serial(42.0, 12.0)]
}

#[test]
fn the_chip_is_its_model_in_every_clock() {
    if !can_build() {
        return;
    }
    for seed in 0..16 {
        let shape = Shape {
            gates: 20 + 137 * seed as u32 % 700,
            flip_flops: seed as u32 % 5,
            ..Shape::default()
        };
        let link = links()[seed as usize % 3];
        let options = Options { link, modelled: true, ..Options::default() };
        check(options, SUITES[seed as usize / 3 % 2], seed, random::circuit(seed, &shape));
    }
}

#[test]
fn any_memory_will_do() {
    if !can_build() {
        return;
    }
    for seed in 0..8 {
        let shape = Shape { gates: 200, flip_flops: seed as u32 % 3, ..Shape::default() };
        let link = Link { mhz: 42.0, clocks: 1.0 };
        let options = Options { link, memory: Memory::Slow(seed + 9), ..Options::default() };
        check(options, SUITES[seed as usize % 2], seed, random::circuit(seed, &shape));
    }
}

#[test]
fn a_division_is_evaluated_as_fast_as_the_link_brings_it() {
    if !can_build() {
        return;
    }
    let options = Options { modelled: true, ..Options::default() };
    let link = options.link;
    let engine = check(options, Suite::HalfGates, 1, build("divide:64").unwrap());
    let (clocks, sent) = (engine.simulated().unwrap().clock_cycles, engine.sent());
    let bound = sent.traffic.to_chip as f64 * link.clocks;
    println!("{clocks} clocks, {bound:.0} for the link; {sent:?}");
    assert!(bound / clocks as f64 > 0.9, "{clocks} clocks, {bound} for the link");
}
