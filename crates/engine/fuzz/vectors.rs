//! Checks any text as a vector file. Either it is refused with a reason, or the reference and the
//! engine, which share no code, reach the same verdict. Longer files are left out: they have the
//! same parts and take most of the time.
//!
//! seeds: spec/vectors
//! longest: 6144
//! sanitizer: address

use halfgate_engine::Engine;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::vectors::{Verdict, check};
use std::sync::LazyLock;

static ENGINE: LazyLock<CpuEngine> =
    LazyLock::new(|| CpuEngine::new(None).expect("every processor has a kernel"));

const LONGEST: usize = 6 << 10;

pub fn run(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let engine: &dyn Engine = &*ENGINE;
    let outcome = match check(text, "fuzz", &[engine]) {
        Ok(outcome) => outcome,
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz: "), "{error}");
            return;
        }
    };
    let [reference, engine] = &outcome.checks[..] else { panic!("two checkers: {outcome}") };
    match (&reference.verdict, &engine.verdict) {
        (Verdict::Agrees, Verdict::Agrees) | (Verdict::Differs(_), Verdict::Differs(_)) => {}
        // The engine would have to run too many gates to reach the file's cycle.
        (_, Verdict::NotRun(_)) => {}
        _ => panic!("the reference and the engine disagree: {outcome}"),
    }
}
