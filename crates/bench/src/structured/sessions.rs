//! Measures sessions of programs with functions: two parties beside a flat program, and the memory
//! of two processes.

use halfgate_circuit::structured::{StructuredCircuit, flatten};
use halfgate_compiler::{Order, Program, compile, compile_structured};
use halfgate_frontends::hgc;
use halfgate_record::measure::Spread;
use halfgate_record::processes;
use halfgate_record::record::Figure;
use halfgate_record::session::{Over, parties, seconds};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const TURNS: usize = 5;
/// Blocks of AES-128 in a session in one process, whose flat program has some 2 M ANDs.
const BLOCKS: u32 = 400;
/// Blocks of AES-128 between two processes.
const MANY: usize = 1_000_000;

/// Measures two parties in one process, then workloads, then two processes.
///
/// # Errors
/// If a program cannot be built, or a session fails.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    report(&format!("  aes128-batch:{BLOCKS}, two parties in one process"));
    figures.push(over_flat()?);
    for spec in ["join:50000x50000", "mlp:784-128-10/7"] {
        report(&format!("  {spec}, two parties in one process"));
        figures.extend(workload(spec)?);
    }
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        figures.push(Figure::missing("resident memory of a party", "MB", why));
        return Ok(figures);
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    report(&format!("  aes128-batch:{MANY}, two processes (minutes)"));
    figures.extend(batch_memory(command, folder.path())?);
    report("  folds in a map, 10^10 gates, two processes (a minute)");
    figures.push(nested_start(command, folder.path())?);
    figures.extend(nested_memory(command, folder.path())?);
    Ok(figures)
}

fn built_in(spec: &str) -> Result<Program, String> {
    let circuit = halfgate_programs::build_structured(spec).map_err(|e| e.to_string())?;
    compile_structured(circuit, Order::default()).map_err(|e| e.to_string())
}

/// The time of the flat program of the same ANDs over that of the program with functions.
fn over_flat() -> Result<Figure, String> {
    let spec = format!("aes128-batch:{BLOCKS}");
    let program = built_in(&spec)?;
    let structure = program.structure.as_ref().ok_or("the program has no functions")?;
    let flat = flatten(&structure.circuit).map_err(|e| e.to_string())?;
    let flat = compile(flat, Order::default()).map_err(|e| e.to_string())?;
    let turn = |_| {
        let [own, other] = [&program, &flat].map(|program| seconds(program, Over::Memory));
        Ok(other? / own?)
    };
    let ratios = Spread::of((0..TURNS).map(turn).collect::<Result<_, String>>()?);
    Ok(Figure::measured(
        &format!("{spec}, both parties in process, rate over the flattening's"),
        "times",
        ratios.median,
    )
    .at_least(1.5)
    .note(format!("{ratios}; the flattening in the default order, with the same ANDs")))
}

/// ANDs, bytes and time of a session.
fn workload(spec: &str) -> Result<Vec<Figure>, String> {
    let program = built_in(spec)?;
    let (garbler, _) = parties(&program, Over::Memory)?;
    let (sent, seconds) = (garbler.bytes_sent as f64, garbler.total.as_secs_f64());
    let name = |what: &str| format!("{spec}, {what}");
    Ok(vec![
        Figure::measured(&name("ANDs"), "ANDs", garbler.counters.ands as f64),
        Figure::measured(&name("bytes from the garbler"), "MB", sent / 1e6),
        Figure::measured(&name("time of both parties in process"), "s", seconds)
            .note("random inputs; from the first label to the outputs"),
    ])
}

/// Memory of both parties with a million blocks, of which the evaluator has the inputs and learns
/// the outputs.
fn batch_memory(command: &Path, folder: &Path) -> Result<Vec<Figure>, String> {
    // Bytes that are no text: a file of text is refused as raw bytes.
    let key = file(folder, "key.bin", &[0x9c; 16])?;
    let blocks: Vec<u8> =
        (0..16 * MANY).map(|i| (i as u32).wrapping_mul(0x9e37_79b9) as u8).collect();
    let blocks = file(folder, "blocks.bin", &blocks)?;
    let inputs = [&in_bytes(&key)[..], &in_bytes(&blocks)];
    let spec = format!("aes128-batch:{MANY}");
    let ran = processes::run_for_evaluator(command, &spec, inputs)?;
    Ok(memory(&format!("aes128-batch:{MANY}"), &ran, 96.0))
}

/// The multiply-adds with 10^10 gates.
const NESTED: &str = "multiply-adds in 64 lanes, 10^10 gates";

/// The time from the start of the command to the first table is at most that of the whole command
/// on the same text with one step, instead of some ten thousand.
fn nested_start(command: &Path, folder: &Path) -> Result<Figure, String> {
    let (spec, input) = nested_file(folder, &super::multiply_adds(64, 1, 1))?;
    let turn = |_| {
        let start = Instant::now();
        let ran = Command::new(command)
            .args(["run", &spec, "--garbler", &input, "--evaluator", &input])
            .output()
            .map_err(|e| format!("{}: {e}", command.display()))?;
        match ran.status.success() {
            true => Ok(start.elapsed().as_secs_f64()),
            false => Err(format!("{spec}: {}", String::from_utf8_lossy(&ran.stderr))),
        }
    };
    let seconds = Spread::of((0..TURNS).map(turn).collect::<Result<_, String>>()?);
    let name = format!("{NESTED}, first table after the start of the command");
    Ok(Figure::measured(&name, "s", seconds.median).at_most(0.3).note(format!(
        "{seconds}; at most this: a whole command on the same text with one step, both parties in \
         one process"
    )))
}

/// Memory of both parties with 10^10 gates, from a circuit file.
fn nested_memory(command: &Path, folder: &Path) -> Result<Vec<Figure>, String> {
    let (spec, input) = nested_file(folder, &super::ten_billion_gates()?)?;
    let ran = processes::run_for_evaluator(command, &spec, [&input, &input])?;
    Ok(memory(NESTED, &ran, 64.0))
}

/// A file of the circuit, and either party's input for 64 lanes.
fn nested_file(folder: &Path, circuit: &StructuredCircuit) -> Result<(String, String), String> {
    let path = folder.join("nested.hgc");
    let mut text = Vec::new();
    hgc::write_structured(circuit, &mut text).map_err(|e| e.to_string())?;
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    let input = file(folder, "numbers.bin", &[0xa7; 64 * 8])?;
    Ok((path.display().to_string(), in_bytes(&input)))
}

fn memory(name: &str, ran: &processes::Processes, most: f64) -> Vec<Figure> {
    let party = |party: &str, bytes: u64| {
        let name = format!("{name}, two processes, resident memory of the {party}");
        Figure::measured(&name, "MB", bytes as f64 / 1e6).at_most(most)
    };
    vec![
        party("garbler", ran.garbler_bytes),
        party("evaluator", ran.evaluator_bytes),
        Figure::measured(&format!("{name}, two processes, rate"), "M AND/s", ran.rate)
            .note("over plaintext on loopback, both parties on this machine"),
    ]
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
    Ok(path)
}

/// The value of a file's raw bytes, in the command's notation.
fn in_bytes(path: &Path) -> String {
    format!("bytes:@{}", path.display())
}
