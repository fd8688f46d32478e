//! Measures programs with functions: on one core, with tables in the second-level cache, maps and
//! folds beside the kernel's rate on a flat program, and calls beside the same gates inline; and
//! sessions.
//!
//! Times on one core are processor time. The two values of a ratio are measured in turns.

mod gadgets;
mod sessions;

use halfgate_circuit::builder::{Arg, Array};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Party, aes, int};
use halfgate_compiler::{Order, Program, StructuredProgram, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_programs::sha256;
use halfgate_record::engine::TURNS;
use halfgate_record::measure::{Spread, cpu_timed, timed};
use halfgate_record::record::Figure;
use halfgate_record::timed::{Ran, Timed};
use std::path::Path;
use std::time::{Duration, Instant};

/// Seconds of each measurement of the kernel.
const KERNEL_SECONDS: f64 = 0.02;
/// Time for each measurement of the nested program, which would run for half a minute.
const NESTED_TIME: Duration = Duration::from_millis(300);
/// Measurements of a call, which takes a few milliseconds.
const CALL_TURNS: usize = 31;
const ROLES: [&str; 2] = ["garble", "evaluate"];

/// Measures maps of AES-128, of SHA-256 and of additions, folds in maps with 10^10 gates, calls of
/// a function, gadgets as functions, and sessions.
///
/// # Errors
/// If a program cannot be built or run.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    type Make = fn(&str) -> Result<StructuredCircuit, String>;
    let programs: [(&str, Make, Option<f64>, &str); 5] = [
        ("aes128-batch:4096", built_in, Some(100.0), "the key schedule is outside the map"),
        (
            "sha256-block in 1,024 lanes",
            |_| Ok(sha256_blocks(1024)),
            Some(95.0),
            "state and block of each lane",
        ),
        (
            "64-bit additions in 2^16 lanes",
            |_| Ok(additions(1 << 16, 48)),
            Some(100.0),
            "48 maps, each of what the one before drives and of the first input, in place in main \
             memory; fetching both inputs is included",
        ),
        (
            "64-bit additions in 2^9 lanes",
            |_| Ok(additions(1 << 9, 1024)),
            Some(100.0),
            "1,024 maps, as above, but with all labels in the second-level cache",
        ),
        ("sha256-chain:64", built_in, None, "a fold in one lane, in the order grouped"),
    ];
    for (name, make, target, note) in programs {
        report(&format!("  {name}"));
        figures.extend(over_kernel(name, make(name)?, target, note)?);
    }
    report("  folds in a map, 10^10 gates");
    figures.extend(nested()?);
    report("  calls of a function");
    figures.extend(calls()?);
    report("  gadgets as functions");
    figures.extend(gadgets::run()?);
    figures.extend(sessions::run(command, report)?);
    Ok(figures)
}

fn built_in(spec: &str) -> Result<StructuredCircuit, String> {
    halfgate_programs::build_structured(spec).map_err(|e| e.to_string())
}

/// The program in the default order.
fn program(circuit: StructuredCircuit) -> Result<StructuredProgram, String> {
    StructuredProgram::grouped(circuit, Order::DEFAULT_WINDOW).map_err(|e| e.to_string())
}

/// Measures both roles of `program`, and for each the flat kernel's rate, in turns.
fn over_kernel(
    name: &str,
    circuit: StructuredCircuit,
    target: Option<f64>,
    note: &str,
) -> Result<Vec<Figure>, String> {
    let program = program(circuit)?;
    let mut timed = Timed::structured(&program)?;
    let kernel = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let mut rate = Rate::new(kernel, Load::Ands);
    let mut turns: [Vec<[f64; 2]>; 2] = Default::default();
    for _ in 0..TURNS {
        turns[0].push([timed.garble(None)?.seconds, unshared(|| rate.garble(KERNEL_SECONDS))]);
        turns[1].push([timed.evaluate(None)?.seconds, unshared(|| rate.evaluate(KERNEL_SECONDS))]);
    }
    let figures = ROLES.iter().zip(turns).map(|(role, turns)| {
        ratio(&format!("{name}, {role}"), "the flat kernel's from L2", &turns, target, note)
    });
    Ok(figures.flatten().collect())
}

/// Seconds per operation that `measure` would return if this thread had a core for itself.
fn unshared(measure: impl FnOnce() -> f64) -> f64 {
    let ((seconds, elapsed), used) = cpu_timed(|| timed(measure));
    seconds * used / elapsed
}

/// The rate in each turn over that of what it is compared with, and the rate itself.
fn ratio(
    name: &str,
    over: &str,
    turns: &[[f64; 2]],
    target: Option<f64>,
    note: &str,
) -> [Figure; 2] {
    let shares = Spread::of(turns.iter().map(|[own, other]| other / own * 100.0).collect());
    let rates = |which: usize| Spread::of(turns.iter().map(|turn| 1e-6 / turn[which]).collect());
    let (own, other) = (rates(0), rates(1));
    let note = format!("{shares}; {over} is {:.0} M AND/s; {note}", other.median);
    let share = Figure::measured(&format!("{name}, rate over {over}"), "%", shares.median);
    [
        match target {
            Some(target) => share.at_least(target),
            None => share,
        }
        .note(note),
        Figure::measured(&format!("{name}, rate"), "M AND/s", own.median).note(own.to_string()),
    ]
}

fn finish(b: Builder) -> StructuredCircuit {
    b.finish_structured().expect("a valid circuit")
}

/// SHA-256's compression function of each lane's state and block.
fn sha256_blocks(lanes: u32) -> StructuredCircuit {
    let mut b = Builder::new();
    let states = b.input_array("states", Party::Garbler, 256, lanes);
    let blocks = b.input_array("blocks", Party::Evaluator, 512, lanes);
    let arguments = [Arg::Array(states), Arg::Array(blocks)];
    let next =
        b.map("compress", lanes.into(), &arguments, |b, x| sha256::compress_bytes(b, &x[0], &x[1]));
    b.output_array("next", next);
    finish(b)
}

/// Adds `y` to each element of `x`, `maps` times.
fn additions(lanes: u32, maps: usize) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 64, lanes);
    let y = b.input_array("y", Party::Evaluator, 64, lanes);
    let mut sum: Array = x;
    for _ in 0..maps {
        let arguments = [Arg::Array(sum), Arg::Array(y)];
        sum = b.map("add", lanes.into(), &arguments, |b, x| int::add(b, &x[0], &x[1]));
    }
    b.output_array("sum", sum);
    finish(b)
}

/// `state * x + y` on 64 bits.
fn multiply_add(b: &mut Builder, state: &[Bit], x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let product = int::mul(b, state, x);
    int::add(b, &product, y)
}

/// In each lane `outer` times `inner` steps of a multiply-add.
fn multiply_adds(lanes: u32, outer: u64, inner: u64) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 64, lanes);
    let y = b.input_array("y", Party::Evaluator, 64, lanes);
    let sums = b.map("lane", lanes.into(), &[Arg::Array(x), Arg::Array(y)], |b, x| {
        let shared = [Arg::Shared(&x[0]), Arg::Shared(&x[1])];
        let folded = b.fold("outer", outer, &x[0], &shared, |b, state, x| {
            let shared = [Arg::Shared(&x[0]), Arg::Shared(&x[1])];
            let folded = b.fold("inner", inner, state, &shared, |b, state, x| {
                (multiply_add(b, state, &x[0], &x[1]), Vec::new())
            });
            (folded.state, Vec::new())
        });
        folded.state
    });
    b.output_array("sums", sums);
    finish(b)
}

/// Multiply-adds in 64 lanes, with at least 10^10 gates.
fn ten_billion_gates() -> Result<StructuredCircuit, String> {
    let step = program(multiply_adds(64, 1, 1))?.size().gates;
    let steps = 10_000_000_000_u64.div_ceil(step);
    Ok(multiply_adds(64, 128, steps.div_ceil(128)))
}

/// A flat program of a few multiply-adds, in the default order.
fn flat_multiply_adds(lanes: u32, steps: usize) -> Result<Program, String> {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 64, lanes);
    let y = b.input_array("y", Party::Evaluator, 64, lanes);
    for lane in 0..lanes as usize {
        let (x, y) = (x.element(lane), y.element(lane));
        let state = (0..steps).fold(x.clone(), |state, _| multiply_add(&mut b, &state, &x, &y));
        b.output(format!("sum{lane}"), &state);
    }
    let circuit = b.finish().map_err(|e| e.to_string())?;
    compile(circuit, Order::default()).map_err(|e| e.to_string())
}

/// Measures folds in a map with 10^10 gates.
fn nested() -> Result<Vec<Figure>, String> {
    let name = "multiply-adds in 64 lanes, 10^10 gates";
    let circuit = ten_billion_gates()?;
    let start = Instant::now();
    let program = program(circuit)?;
    let mut timed = Timed::structured(&program)?;
    let first = timed.garble(Some(Duration::from_millis(1)))?.first;
    let first = first.map_or(f64::NAN, |first| (first - start).as_secs_f64());
    let flat = flat_multiply_adds(16, 4)?;
    let mut short = Timed::flat(&flat)?;
    let mut turns: [Vec<[f64; 2]>; 2] = Default::default();
    for _ in 0..TURNS {
        let long = |run: Ran, short: Ran| [run.seconds, short.seconds];
        turns[0].push(long(timed.garble(Some(NESTED_TIME))?, short.garble(None)?));
        turns[1].push(long(timed.evaluate(Some(NESTED_TIME))?, short.evaluate(None)?));
    }
    let mut figures = vec![
        Figure::measured(&format!("{name}, first table after the start of preparing"), "s", first)
            .at_most(0.3)
            .note(format!("{} gates; the circuit is built before", program.size().gates)),
    ];
    for (role, turns) in ROLES.iter().zip(&turns) {
        let (name, note) = (format!("{name}, {role}"), "a map of folds of folds, stopped early");
        figures.extend(ratio(&name, "a short flat program's", turns, Some(95.0), note));
    }
    Ok(figures)
}

/// A step of a fold: of the state and an operand that all steps share.
type Step = fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>;

/// A fold of `steps` steps in one lane over a state of the garbler's, with the evaluator's operand.
/// The widths are those of the state and of the operand.
fn chain(
    steps: u64,
    (state, operand): (u32, u32),
    step: Step,
) -> Result<StructuredProgram, String> {
    let mut b = Builder::new();
    let state = b.input("state", Party::Garbler, state);
    let x = b.input("x", Party::Evaluator, operand);
    let folded = b.fold("step", steps, &state, &[Arg::Shared(&x)], |b, state, x| {
        (step(b, state, &x[0]), Vec::new())
    });
    b.output("state", &folded.state);
    program(finish(b))
}

/// The times of `own` over those of `other`, to garble and to evaluate, measured in turns.
fn times_of(
    own: &mut Timed<'_>,
    other: &mut Timed<'_>,
    turns: usize,
) -> Result<[Spread; 2], String> {
    let mut times: [Vec<f64>; 2] = Default::default();
    for _ in 0..turns {
        times[0].push(own.garble(None)?.seconds / other.garble(None)?.seconds);
        times[1].push(own.evaluate(None)?.seconds / other.evaluate(None)?.seconds);
    }
    Ok(times.map(Spread::of))
}

/// Measures calls of functions of about 500 gates, beside the same gates inline.
fn calls() -> Result<Vec<Figure>, String> {
    let s_boxes = called("four S-boxes", 32, |b, state, x| {
        let bits = int::xor(b, state, x);
        let bytes: Vec<[Bit; 8]> =
            bits.chunks(8).map(|bits| std::array::from_fn(|i| bits[i])).collect();
        bytes.iter().flat_map(|byte| aes::sbox(b, byte)).collect()
    })?;
    let addition = called("an addition of 96 bits", 96, int::add)?;
    Ok(s_boxes.into_iter().chain(addition).collect())
}

/// Measures a fold of `step`, on one lane, beside its gates in a flat program, in the same order.
fn called(what: &str, width: u32, step: Step) -> Result<Vec<Figure>, String> {
    const STEPS: u64 = 2_000;
    let program = chain(STEPS, (width, width), step)?;
    let gates = program.size().gates / STEPS;
    let flat = program.flat().map_err(|e| e.to_string())?;
    let (mut calls, mut inline) = (Timed::structured(&program)?, Timed::flat(flat)?);
    let times = times_of(&mut calls, &mut inline, CALL_TURNS)?;
    let figures = ROLES.iter().zip(times).map(|(role, spread)| {
        let name = format!("fold of {what}, {gates} gates, {role}, time over the same inline");
        Figure::measured(&name, "times", spread.median)
            .at_most(1.05)
            .note(format!("{spread}; {STEPS} steps in one lane, in the default order"))
    });
    Ok(figures.collect())
}
