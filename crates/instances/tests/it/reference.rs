//! Instances against `spec/instances.md`, step by step.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::MemoryGarbler;
use halfgate_engine::{Delta, Engine, Label, RunKey, Suite};
use halfgate_instances::{Job, Seed};
use halfgate_reference as reference;

/// The digest, from tables and labels that the engine gives for the labels of the specification.
fn digest(program: &Program, suite: Suite, cycles: u64, seed: &[u8; 32]) -> [u8; 32] {
    let mut bytes = [0; 48];
    let mut derivation = blake3::Hasher::new_derive_key("halfgate 2026-11-27 instance 1");
    let name = suite.name().as_bytes();
    let job = [&program.hash.0[..], &[name.len() as u8], name, &cycles.to_le_bytes()].concat();
    derivation.update(seed).update(&job).finalize_xof().fill(&mut bytes);
    let [labels, delta, point] =
        [0, 16, 32].map(|at| u128::from_le_bytes(bytes[at..at + 16].try_into().unwrap()));
    let cipher = reference::Aes128::new(labels);
    let cut = reference::Suite::from_name(suite.name()).unwrap();
    let label = move |n: u128| cut.clip(cipher.encrypt(n));
    let delta = cut.clip(delta | 1);
    let constant = label(u128::MAX);

    let mut number = 0;
    let mut inputs = Vec::new();
    let (tables, outputs, requested) = {
        let give = |_: u64, _: Wire| {
            number += 1;
            Label::from_u128(label(number - 1))
        };
        let mut io = MemoryGarbler::new(give, Label::from_u128(constant));
        let mut prepared = CpuEngine::new(Some("portable")).unwrap().prepare(program).unwrap();
        let delta = Delta::new(Label::from_u128(delta));
        prepared.garble(RunKey { suite, point }, &delta, cycles, &mut io).unwrap();
        (io.tables().to_vec(), io.outputs().clone(), io.requested().len() as u128)
    };
    (0..requested).for_each(|n| inputs.extend(label(n).to_le_bytes()));

    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    let colours: Vec<u8> = outputs.values().map(|label| (label.to_u128() & 1) as u8).collect();
    let secrets = [&delta.to_le_bytes()[..], &inputs].concat();
    hash(
        &[
            b"halfgate instance 1\n".as_slice(),
            &job,
            &point.to_le_bytes(),
            &constant.to_le_bytes(),
            &hash(&tables),
            &hash(&colours),
            &hash(&secrets),
        ]
        .concat(),
    )
}

fn check(circuit: Circuit, suite: Suite, cycles: u64, number: u64) {
    let program = compile(circuit, Order::default()).unwrap();
    let seeds: [[u8; 32]; 2] = [number as u8, 255].map(|byte| [byte; 32]);
    let job = Job { program: &program, suite, cycles };
    let mut prepared = CpuEngine::new(None).unwrap().prepare(&program).unwrap();
    let own = seeds.each_ref().map(Seed::from_bytes);
    let mut instances = Vec::new();
    halfgate_instances::garble(&mut *prepared, &job, &own, &mut instances, &|_, _, _| Ok(()))
        .unwrap();
    assert_eq!(instances.len(), 2);
    for (instance, seed) in instances.iter().zip(&seeds) {
        assert_eq!(instance.digest(&job), digest(&program, suite, cycles, seed), "{number}");
    }
}

/// All that are not broken.
const SUITES: [Suite; 4] =
    [Suite::HalfGates, Suite::HalfGatesFixedKey, Suite::Grr3Sha1, Suite::Grr3];

#[test]
fn random_circuits() {
    for number in 0..12 {
        let flip_flops = if number % 2 == 0 { 0 } else { 5 };
        let circuit = random::circuit(number, &Shape { flip_flops, ..Default::default() });
        check(circuit, SUITES[number as usize % 4], 1 + 3 * (number % 2), number);
    }
}

/// A change of the derivation, the digest or the program's compilation changes this.
#[test]
fn the_test_vector_of_the_specification() {
    let program = compile(halfgate_programs::build("aes128").unwrap(), Order::default()).unwrap();
    let seed: [u8; 32] = std::array::from_fn(|i| i as u8);
    let digest = digest(&program, Suite::HalfGates, 1, &seed);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(include_str!("../../../../spec/instances.md").contains(&digits), "{digits}");
}
