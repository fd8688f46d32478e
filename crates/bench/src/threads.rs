//! Measures programs with functions on several threads, without a session: tables stay in buffers.
//!
//! Times are elapsed times. One thread and several are measured in turns.

use halfgate_compiler::{Order, Program, StructuredProgram, compile, compile_structured};
use halfgate_engine::cpu::Threads;
use halfgate_record::engine::TURNS;
use halfgate_record::measure::Spread;
use halfgate_record::record::Figure;
use halfgate_record::timed::{Ran, Timed};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

/// What is measured of each program.
pub(crate) const ROLES: [&str; 2] = ["garble", "evaluate"];
/// Programs with the least speed-up of garbling on two threads.
const PROGRAMS: [(&str, f64); 2] = [("aes128-batch:4096", 1.9), ("join:20000x20000", 1.5)];
/// A flat program, with the same.
const FLAT: (&str, f64) = ("sort:256x32", 1.4);
/// The program whose serial fraction has a target, and the most per cent.
const SERIAL: (&str, f64) = ("aes128-batch:4096", 1.0);

/// Measures two threads beside one, and the share of the thread that others wait for.
///
/// # Errors
/// If a program cannot be built or run.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let two = NonZeroUsize::MIN.saturating_add(1);
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let mut figures = Vec::new();
    for (spec, target) in PROGRAMS {
        report(&format!("  {spec}"));
        let program = program(spec)?;
        let mut one = Timed::structured(&program)?;
        let mut both = Timed::structured_on(&program, Threads::new(two))?;
        let mut turns: [Vec<[Ran; 2]>; 2] = Default::default();
        for _ in 0..TURNS {
            turns[0].push([one.garble(None)?, both.garble(None)?]);
            turns[1].push([one.evaluate(None)?, both.evaluate(None)?]);
        }
        for (role, turns) in ROLES.iter().zip(&turns) {
            let speed_up = turns.iter().map(|[one, both]| one.elapsed / both.elapsed).collect();
            let speed_up = Spread::of(speed_up);
            let rate = turns.iter().map(|[one, _]| one.ands as f64 / one.elapsed / 1e6).collect();
            let name = format!("{spec}, {role}, two threads over one");
            let note = format!("{speed_up}; one thread: {} M AND/s", Spread::of(rate));
            let figure = Figure::measured(&name, "times", speed_up.median).note(note);
            figures.push(match *role {
                "garble" => figure.at_least(target).unlike_if(too_few(cores)),
                _ => figure,
            });
            figures.push(serial(spec, role, turns));
        }
    }
    report(&format!("  {}, flat", FLAT.0));
    figures.push(flat(Threads::new(two))?.unlike_if(too_few(cores)));
    Ok(figures)
}

/// Two threads beside one on a flat program, which the engine runs on one thread.
fn flat(two: Threads) -> Result<Figure, String> {
    let circuit = halfgate_programs::build(FLAT.0).map_err(|e| e.to_string())?;
    let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
    let mut one = Timed::flat(&program)?;
    let mut both = Timed::flat_on(&program, two)?;
    let mut speed_up = Vec::new();
    for _ in 0..TURNS {
        speed_up.push(one.garble(None)?.elapsed / both.garble(None)?.elapsed);
    }
    let speed_up = Spread::of(speed_up);
    let name = format!("{}, flat, garble, two threads over one", FLAT.0);
    let note = format!("{speed_up}; the engine divides maps among threads, but no flat program");
    Ok(Figure::measured(&name, "times", speed_up.median).note(note).at_least(FLAT.1))
}

/// The processor time of the thread that exchanges labels and tables, of that of the run on one
/// thread, in per cent: what more threads do not make shorter.
fn serial(spec: &str, role: &str, turns: &[[Ran; 2]]) -> Figure {
    let shares = turns.iter().map(|[one, both]| 100.0 * both.seconds / one.seconds).collect();
    let shares = Spread::of(shares);
    let serial = shares.median / 100.0;
    let at_most = |threads: f64| 1.0 / (serial + (1.0 - serial) / threads);
    let note = format!(
        "{shares}; by Amdahl's law at most {:.1} times on 16 threads and {:.1} on 64",
        at_most(16.0),
        at_most(64.0)
    );
    let name = format!("{spec}, {role}, serial fraction");
    let figure = Figure::measured(&name, "%", shares.median).note(note);
    match (spec, role) == (SERIAL.0, "garble") {
        true => figure.at_most(SERIAL.1),
        false => figure,
    }
}

/// Why a speed-up on two threads has no verdict here.
fn too_few(cores: usize) -> Option<&'static str> {
    (cores < 2).then_some("this computer has one core")
}

/// A program of the library, with its functions.
pub(crate) fn program(spec: &str) -> Result<Arc<StructuredProgram>, String> {
    let circuit = halfgate_programs::build_structured(spec).map_err(|e| e.to_string())?;
    let program: Program =
        compile_structured(circuit, Order::default()).map_err(|e| e.to_string())?;
    program.structure.ok_or_else(|| format!("{spec} has no functions"))
}
