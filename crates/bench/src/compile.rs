//! Measures how fast circuits are compiled to code, or to programs in the orders of gate engines,
//! and the cost of 10^8 gates in one body.

use halfgate_compiler::{Order, OrderError, compile};
use halfgate_engine::Engine;
use halfgate_engine::cpu::CpuEngine;
use halfgate_record::measure::{Spread, timed};
use halfgate_record::processes;
use halfgate_record::record::Figure;
use std::path::Path;

/// Circuits without repetition, with the number of times each is compiled.
const SPECS: [(&str, usize); 2] = [("sort:256x32", 3), ("sha256:32+23", 15)];
/// Orders for gate engines, with their target rates in M gates/s.
const GATE_ENGINE_ORDERS: [(&str, f64); 3] =
    [("haac:full", 5.0), ("haac:segment", 5.0), ("haac:best", 1.0)];
/// A circuit of 10^8 gates without repetition, with the number of bytes of each party's input.
const LARGE: &str = "sort:900x32";
const LARGE_INPUT: usize = 450 * 4;

/// Measures how fast one core compiles circuits to code, and to programs in the orders of gate
/// engines, in M gates/s. Also measures the resident memory of two processes that compile and run
/// 10^8 gates.
///
/// # Errors
/// If a program cannot be compiled, or a process fails.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = speed(report, 5.0)?;
    for (order, target) in GATE_ENGINE_ORDERS {
        for (spec, turns) in SPECS {
            report(&format!("  {spec} in {order}"));
            let rates = (0..turns).map(|_| order_rate(spec, order)).collect::<Result<_, _>>()?;
            let rates = Spread::of(rates);
            figures.push(
                Figure::measured(&format!("compile {spec}, {order}"), "M gates/s", rates.median)
                    .at_least(target)
                    .note(format!("{rates}; dead gates, inversions, order and hash, on one core")),
            );
        }
    }
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        figures.push(Figure::missing("10^8 gates without a cycle, resident memory", "MB", why));
        return Ok(figures);
    }
    report(&format!("  {LARGE}: 10^8 gates, compiled and run by two processes (minutes)"));
    let input = format!("bytes:{}", "5ac3".repeat(LARGE_INPUT / 2));
    let (large, seconds) = timed(|| processes::run(command, LARGE, [&input, &input]));
    let large = large?;
    let name = |what: &str| format!("{LARGE}, 10^8 gates without a cycle, {what}");
    let memory = |party: &str, bytes: u64| {
        Figure::measured(
            &name(&format!("resident memory of the {party}")),
            "MB",
            bytes as f64 / 1e6,
        )
        .at_most(256.0)
        .note("the fixed shares of circuit, program, notes and code are 200 MB at most")
    };
    figures.push(memory("garbler", large.garbler_bytes));
    figures.push(memory("evaluator", large.evaluator_bytes));
    figures.push(
        Figure::measured(&name("built, compiled and run"), "s", seconds)
            .note(format!("the run alone at {:.1} M AND/s", large.rate)),
    );
    Ok(figures)
}

/// Measures how fast one core compiles circuits to code, in M gates/s, with the least rate wanted.
///
/// # Errors
/// If a program cannot be compiled.
pub fn speed(report: &mut dyn FnMut(&str), target: f64) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for (spec, turns) in SPECS {
        report(&format!("  {spec}"));
        let rates = (0..turns).map(|_| rate(spec)).collect::<Result<_, _>>()?;
        let rates = Spread::of(rates);
        figures.push(
            Figure::measured(&format!("compile {spec}"), "M gates/s", rates.median)
                .at_least(target)
                .note(format!("{rates}; dead gates, order, hash and lowering, on one core")),
        );
    }
    Ok(figures)
}

/// Returns the rate at which a circuit is compiled to code, in M gates/s of the input circuit.
fn rate(spec: &str) -> Result<f64, String> {
    let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let gates = circuit.gates.len() as f64;
    let (result, seconds) = timed(|| {
        let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
        engine.prepare(&program).map(drop).map_err(|e| e.to_string())
    });
    result?;
    Ok(gates / seconds * 1e-6)
}

/// Returns the rate at which a circuit is compiled to a program in `order`, in M gates/s of the
/// input circuit.
fn order_rate(spec: &str, order: &str) -> Result<f64, String> {
    let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
    let order: Order = order.parse().map_err(|e: OrderError| e.to_string())?;
    let gates = circuit.gates.len() as f64;
    let (result, seconds) = timed(|| compile(circuit, order).map(drop).map_err(|e| e.to_string()));
    result?;
    Ok(gates / seconds * 1e-6)
}
