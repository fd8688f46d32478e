//! Garblings that run together give what each gives alone.

use crate::cpu::{CpuEngine, Threads};
use crate::testing::{MemoryGarbler, seeded_labels};
use crate::{Delta, Engine, EngineError, Garbling, Label, RunKey, Suite};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::structured::random as structured;
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::{Order, Program, compile, compile_structured};
use std::num::NonZeroUsize;

/// The secrets of garbling number `number`.
struct Secrets {
    seed: u64,
    key: RunKey,
    delta: Delta,
    constant: Label,
}

impl Secrets {
    fn new(suite: Suite, number: u64) -> Secrets {
        let mut label = seeded_labels(number);
        let mut draw = |n| suite.clip(label(0, Wire::new(Wire::MAX - 1 - n)));
        let point = draw(0).to_u128();
        let (delta, constant) = (Delta::new(draw(1)), draw(2));
        Secrets { seed: number, key: RunKey { suite, point }, delta, constant }
    }

    fn io(&self) -> MemoryGarbler<'static> {
        let (suite, mut label) = (self.key.suite, seeded_labels(self.seed));
        MemoryGarbler::new(move |cycle, wire| suite.clip(label(cycle, wire)), self.constant)
    }
}

/// Garbles `program` `count` times together and one after another, and compares everything that
/// the callers got.
fn check(program: &Program, suite: Suite, count: u64, threads: usize, cycles: u64) {
    let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
    let engine = CpuEngine::new(None).unwrap().with_threads(threads);
    let mut prepared = engine.prepare(program).unwrap();
    let all: Vec<Secrets> = (0..count).map(|number| Secrets::new(suite, number)).collect();
    let mut together: Vec<_> = all.iter().map(Secrets::io).collect();
    let mut garblings: Vec<Garbling<'_>> = together
        .iter_mut()
        .zip(&all)
        .map(|(io, secrets)| Garbling { key: secrets.key, delta: &secrets.delta, io })
        .collect();
    prepared.garble_together(cycles, &mut garblings).unwrap();
    drop(garblings);
    for (secrets, got) in all.iter().zip(&together) {
        let mut wanted = secrets.io();
        prepared.garble(secrets.key, &secrets.delta, cycles, &mut wanted).unwrap();
        assert!(got.tables() == wanted.tables(), "tables of {} of {count}", secrets.seed);
        assert!(got.outputs() == wanted.outputs(), "outputs of {} of {count}", secrets.seed);
        assert_eq!(got.requested(), wanted.requested(), "inputs of {} of {count}", secrets.seed);
    }
}

fn flat(seed: u64) -> Circuit {
    let flip_flops = if seed.is_multiple_of(2) { 0 } else { 6 };
    random::circuit(seed, &Shape { flip_flops, gates: 6_000, ..Default::default() })
}

#[test]
fn flat_programs() {
    for seed in 0..10 {
        let program = compile(flat(seed), Order::default()).unwrap();
        let cycles = 1 + 2 * (seed % 2);
        let (count, threads) = ([1, 2, 5, 16, 17, 40][seed as usize % 6], 1 + seed as usize % 3);
        check(&program, Suite::ALL[seed as usize % 5], count, threads, cycles);
    }
}

#[test]
fn structured_programs() {
    for seed in 0..10 {
        let circuit = structured::circuit(seed, &structured::Shape::default());
        let program = compile_structured(circuit, Order::default()).unwrap();
        check(&program, Suite::ALL[seed as usize % 5], 1 + seed % 4, 1 + seed as usize % 3, 1);
    }
}

#[test]
fn nothing_and_errors() {
    let program = compile(flat(0), Order::default()).unwrap();
    let engine = CpuEngine::new(None).unwrap();
    let mut prepared = engine.prepare(&program).unwrap();
    prepared.garble_together(1, &mut []).unwrap();

    let secrets = Secrets::new(Suite::HalfGates, 1);
    let (mut first, mut used) = (secrets.io(), secrets.io());
    prepared.garble(secrets.key, &secrets.delta, 1, &mut used).unwrap();
    let mut garblings =
        [&mut first, &mut used].map(|io| Garbling { key: secrets.key, delta: &secrets.delta, io });
    let error = prepared.garble_together(1, &mut garblings).unwrap_err();
    assert!(matches!(error, EngineError::Io(_)), "{error}");
}
