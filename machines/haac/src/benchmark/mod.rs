//! Benchmarks of simulated machines in SystemVerilog.
//!
//! Each measurement is a process of the command `halfgate`. The process ends with an error if
//! tables or outputs differ from those of the CPU engine, or if cycles or a counter differ from
//! those of the cycle model.

mod own_time;
mod programs;
mod speed;

use halfgate_record::record::{Figure, How};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// The groups: name, and what is measured.
pub const GROUPS: [(&str, &str); 3] = [
    ("rtl", "building and simulating machines in SystemVerilog (ten minutes)"),
    (
        "rtl-programs",
        "the paper's eight programs at full size on four engines in RTL (ten minutes)",
    ),
    ("rtl-own-time", "cycles without pacing, on 4 engines and on 16, AES in RTL (half an hour)"),
];

/// Measures the group `name`.
///
/// # Errors
/// If a machine cannot be built, or differs from the model.
pub fn run(
    name: &str,
    command: &Path,
    report: &mut dyn FnMut(&str),
) -> Result<Vec<Figure>, String> {
    let figures = match name {
        "rtl-programs" => programs::run(command, report),
        "rtl-own-time" => own_time::run(command, report),
        _ => speed::run(command, report),
    };
    Ok(figures?.into_iter().map(|figure| Figure { how: How::Rtl, ..figure }).collect())
}

/// Text in notes: what a process has compared.
const EQUAL: &str = "tables, outputs, counters and cycles equal CPU engine and model";

/// The reason why nothing can be simulated, if there is one.
fn why_not() -> Option<&'static str> {
    let verilator = std::env::var_os("VERILATOR").unwrap_or("verilator".into());
    let found = Command::new(verilator).arg("--version").stdout(Stdio::null()).status();
    (!found.is_ok_and(|status| status.success())).then_some("verilator is not installed")
}

/// A run of one role, as reported by `halfgate simulate --model rtl` in JSON. Machines are built in
/// the folder `cache` if it is given.
fn simulate(command: &Path, words: &[&str], cache: Option<&Path>) -> Result<Value, String> {
    let mut process = Command::new(command);
    process.arg("simulate").args(words).args(["--model", "rtl", "--json"]).stdin(Stdio::null());
    if let Some(cache) = cache {
        process.env("HALFGATE_RTL_DIR", cache);
    }
    let output = process.output().map_err(|error| format!("{}: {error}", command.display()))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("simulating {}: {}", words.join(" "), why.trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// A number of the run.
fn number(of: &Value, name: &str) -> Result<f64, String> {
    of["runs"][0][name].as_f64().ok_or_else(|| format!("no {name} in {of}"))
}
