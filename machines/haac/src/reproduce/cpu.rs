//! Measurements of this computer's processor: our engine on a program, the cost of re-keying
//! compared with a fixed key, and the same functions in plain Rust.

use super::lab::Source;
use halfgate_compiler::{Order, compile};
use halfgate_engine::Suite;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{self, Load, Rate};
use halfgate_record::engine;
use halfgate_record::measure::{Spread, timed};

/// Seconds that a program takes on this processor.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    /// Garbling; the tables are written to memory.
    pub garble: f64,
    /// Evaluating.
    pub evaluate: f64,
    /// Evaluating with the portable kernel, which uses no instructions for AES.
    pub portable: f64,
    /// ANDs of the program.
    pub ands: u64,
}

/// Measures our engine on `source` in its default order, on one core. Times are medians.
///
/// # Errors
/// If the program cannot be built, compiled or run.
pub fn time(source: Source<'_>) -> Result<CpuTime, String> {
    let program = compile(source.circuit()?, Order::default()).map_err(|e| e.to_string())?;
    let ands = program.ands_per_cycle() * program.circuit.cycles;
    let measured = engine::measure(&program)?;
    let seconds = |each: Spread| each.median * ands as f64;
    let (garble, evaluate) = (seconds(measured.garble), seconds(measured.evaluate));
    let portable = CpuEngine::new(Some("portable")).map_err(|e| e.to_string())?;
    let portable = engine::evaluating_seconds(&portable, &program)?;
    Ok(CpuTime { garble, evaluate, portable, ands })
}

/// The best kernel's name, and the seconds that it takes for an AES-128 block in registers. Rates
/// of other computers are scaled by this time.
///
/// # Errors
/// If no kernel runs.
pub fn block() -> Result<(&'static str, f64), String> {
    let kernel = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let turns = (0..9).map(|_| rate::block(kernel, 0.02)).collect();
    Ok((kernel.name, Spread::of(turns).median))
}

/// The extra time, in percent, of an AND with its own key compared with one under a fixed key. For
/// garbling and evaluating, on the best kernel, with data in the second-level cache.
pub fn rekeying_percent() -> Result<[f64; 2], String> {
    const TURNS: usize = 9;
    const SECONDS: f64 = 0.02;
    let kernel = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let [mut fresh, mut fixed] = [Suite::HalfGates, Suite::HalfGatesFixedKey]
        .map(|suite| Rate::of_suite(kernel, Load::Ands, suite));
    let mut more: [Vec<f64>; 2] = Default::default();
    for _ in 0..TURNS {
        more[0].push(fresh.garble(SECONDS) / fixed.garble(SECONDS));
        more[1].push(fresh.evaluate(SECONDS) / fixed.evaluate(SECONDS));
    }
    Ok(more.map(|ratios| (Spread::of(ratios).median - 1.0) * 100.0))
}

/// Seconds that `plaintext` takes: the median of rounds. Each round has enough calls to take at
/// least a millisecond.
pub fn plaintext(plaintext: fn() -> u64) -> f64 {
    const ROUNDS: usize = 7;
    const LEAST: f64 = 1e-3;
    let many = |calls: u32| {
        let rounds = || (0..calls).fold(0, |all, _| all ^ std::hint::black_box(plaintext)());
        timed(|| std::hint::black_box(rounds())).1
    };
    let mut calls = 1;
    while many(calls) < LEAST && calls < 1 << 20 {
        calls *= 2;
    }
    Spread::of((0..ROUNDS).map(|_| many(calls) / f64::from(calls)).collect()).median
}
