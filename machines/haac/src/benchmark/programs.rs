//! The paper's eight programs at their full sizes, evaluated on four engines in SystemVerilog with
//! the paper's window.

use super::{EQUAL, number, simulate, why_not};
use halfgate_programs::vip::VIP;
use halfgate_record::record::Figure;
use std::path::Path;

/// The machine: four engines, and a window of the paper's size.
const MACHINE: [&str; 6] = ["--machine", "haac-4ge", "--window", "2MB", "--memory", "ddr4"];

/// How it is built: AES as rounds in SystemVerilog.
const BUILD: [&str; 6] = ["--build", "fast", "--aes", "rtl", "--role", "evaluator"];

const ALL: &str = "programs at full size in RTL, cycles equal to the model's";

/// The words for the command, after the program.
pub fn words() -> Vec<&'static str> {
    [&MACHINE[..], &BUILD].concat()
}

/// Evaluates each program once.
///
/// # Errors
/// If a machine cannot be built, or a table or an output is wrong.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let name = |paper: &str| format!("{paper} evaluated on the 4-engine RTL");
    if let Some(why) = why_not() {
        let rows = VIP.iter().map(|of| Figure::not_run(&name(of.paper), "cycles", why));
        return Ok(rows.chain([Figure::not_run(ALL, "of 8", why).at_least(8.0)]).collect());
    }
    let mut figures = Vec::new();
    let mut equal = 0;
    for benchmark in &VIP {
        let words = [&[benchmark.program][..], &words()].concat();
        let found = simulate(command, &words, None)?;
        let cycles = number(&found, "cycles")?;
        let wanted = found["runs"][0]["model"]["cycles"].as_f64();
        equal += u32::from(found["runs"][0]["equal"] == true && wanted == Some(cycles));
        report(&format!(
            "  {}: {cycles} cycles, {:.1} k cycles/s",
            benchmark.program,
            number(&found, "simulated_cycles_s")? / 1e3
        ));
        let order = found["order"].as_str().unwrap_or_default();
        let note = format!("{}, {order}, ddr4, AES in RTL; {EQUAL}", benchmark.program);
        figures.push(Figure::measured(&name(benchmark.paper), "cycles", cycles).note(note));
    }
    let all = Figure::measured(ALL, "of 8", equal.into()).at_least(8.0);
    figures.push(all.note("4 engines, a window of 2 MB, DDR4, evaluating; AES in RTL for all"));
    Ok(figures)
}
