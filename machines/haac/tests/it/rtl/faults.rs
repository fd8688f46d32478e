//! For every fault, the status register and the engine's error have its name, and no output is
//! claimed.

use crate::rtl::common::*;
use halfgate_circuit::random;
use halfgate_compiler::Program;
use halfgate_engine::Engine;
use halfgate_engine::cpu::CpuEngine;
use halfgate_haac::rtl::{Failure, Fault, Options, RtlEngine};
use halfgate_protocol::ring;
use halfgate_protocol::session::{
    PartyInputs, RunOptions, SessionError, evaluate, garble as garbles,
};
use std::time::Duration;

/// A machine with a fault and a short timeout for memory.
fn faulty(fault: Fault) -> RtlEngine {
    RtlEngine::new(small(), Options { fault: Some(fault), timeout: 2000, ..quick() })
}

#[test]
fn every_fault_is_named_and_nothing_is_claimed() {
    let _turn = one_at_a_time();
    let program = random_program(30, 500);
    assert!(garble(&RtlEngine::new(small(), quick()), &program).is_ok());
    assert_eq!(name_faults(&small(), &quick(), &program), Ok(()));
}

type Outcome = Result<(), SessionError>;

/// Runs both parties over a local channel, each with its engine.
fn session(program: &Program, engines: [&dyn Engine; 2]) -> [Outcome; 2] {
    let circuit = &program.circuit;
    let bits = random::inputs_for(circuit, 1, 1);
    let inputs = |party| -> Vec<PartyInputs> {
        let all = circuit.inputs.iter().zip(&bits);
        vec![all.map(|(input, bits)| (input.party == party).then(|| bits.clone())).collect()]
    };
    let options = RunOptions { timeout: Duration::from_secs(60), ..RunOptions::default() };
    let (mut a, mut b) = ring::pair();
    std::thread::scope(|scope| {
        let options = &options;
        let own = inputs(halfgate_circuit::Party::Evaluator);
        let evaluator = scope.spawn(move || {
            let reports = evaluate(&mut b, program, engines[1], &own, options, &mut |_| {});
            reports.map(|_| ())
        });
        let own = inputs(halfgate_circuit::Party::Garbler);
        let garbled = garbles(&mut a, program, engines[0], &own, options, &mut |_| {});
        drop(a);
        [garbled.map(|_| ()), evaluator.join().expect("no panic")]
    })
}

#[test]
fn a_session_ends_on_both_sides() {
    let _turn = one_at_a_time();
    let program = random_program(31, 500);
    let cpu = CpuEngine::new(None).expect("an engine");
    let sound = RtlEngine::new(small(), quick());
    for outcome in [session(&program, [&sound, &cpu]), session(&program, [&cpu, &sound])] {
        assert!(outcome.iter().all(Result::is_ok), "{outcome:?}");
    }
    for fault in [
        Fault::Short,
        Fault::CorruptInstructions(500),
        Fault::Memory(Failure::ErrorAfter(120)),
        Fault::Memory(Failure::IdleAfter(120)),
        Fault::ResetAfter(700),
    ] {
        let faulty = faulty(fault);
        for (engines, own) in [([&faulty as &dyn Engine, &cpu], 0), ([&cpu, &faulty], 1)] {
            let outcome = session(&program, engines);
            let text = format!("{fault:?}: {outcome:?}");
            let [own, other] = [&outcome[own], &outcome[1 - own]];
            let error = own.as_ref().expect_err("its machine is faulty").to_string();
            assert!(error.contains("the simulated machine went wrong"), "{text}");
            assert!(other.is_err(), "the peer of a faulty machine ends with an error: {text}");
        }
    }
}
