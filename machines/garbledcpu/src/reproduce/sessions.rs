//! Sessions in which two parties run AES as a program that only the garbler knows.

use super::programs::program;
use halfgate_compiler::{Order, compile};
use halfgate_mips::privacy::Privacy;
use halfgate_record::processes;
use halfgate_record::record::Figure;
use halfgate_record::session::{self, Over};
use std::path::Path;

/// Words of each memory.
const WORDS: u32 = 256;

/// The steps that the AES program of the paper takes.
const PUBLISHED_STEPS: u64 = 6178;

/// The targets: seconds over each channel, and the resident memory of the two processes.
///
/// # Errors
/// If the program cannot be built, or a session fails.
pub fn targets(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("program.elf");
    // The session runs as many steps as the paper's program takes. Our program ends earlier and
    // then idles.
    let image = program(
        folder.path(),
        "aes.c",
        "full",
        (WORDS, WORDS),
        Some(PUBLISHED_STEPS),
        "-O2".to_owned(),
    )?;
    let bound = Privacy::Private.circuit(&image, None, report).map_err(|e| e.to_string())?;
    let compiled = compile(bound.circuit, Order::default()).map_err(|e| e.to_string())?;
    let ands = compiled.circuit.gates.ands() * PUBLISHED_STEPS;
    let mut figures = Vec::new();
    for (over, name, most) in [
        (Over::Memory, "in process", 6.0),
        (Over::Tcp, "loopback TCP", 8.0),
        (Over::Tls, "TLS", 11.0),
    ] {
        report(&format!("AES in private mode, {name}"));
        let seconds = session::seconds(&compiled, over)?;
        let name = format!("AES, private, {WORDS} words, {PUBLISHED_STEPS} steps, {name}");
        let note = format!("{ands} ANDs, {:.1} M/s", ands as f64 / seconds * 1e-6);
        figures.push(Figure::measured(&name, "s", seconds).at_most(most).note(note));
    }
    let inputs = [format!("[{}]", ["1"; 44].join(",")), format!("[{}]", ["2"; 4].join(","))];
    let name = |party: &str| format!("AES, private, resident memory of the {party}");
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        figures.push(Figure::missing(&name("garbler"), "MB", why).at_most(100.0));
        return Ok(figures);
    }
    report("AES in private mode, two processes");
    let spec = path.display().to_string();
    let run = processes::run_secret(command, &spec, [&inputs[0], &inputs[1]])?;
    for (party, bytes) in [("garbler", run.garbler_bytes), ("evaluator", run.evaluator_bytes)] {
        let figure = Figure::measured(&name(party), "MB", bytes as f64 / 1e6);
        figures.push(figure.timed().at_most(100.0));
    }
    Ok(figures)
}
