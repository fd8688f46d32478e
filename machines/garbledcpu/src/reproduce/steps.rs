//! Counts the ANDs that are garbled for public programs, if each step garbles only the gates that
//! it needs. These gates are either selected before the run, as a circuit per step, or during the
//! run.

use super::programs::program;
use halfgate_circuit::Party;
use halfgate_compiler::{Order, compile, skip};
use halfgate_mips::image::{Image, Owner};
use halfgate_mips::privacy::Privacy;
use halfgate_record::record::Figure;
use std::time::Instant;

/// The set intersection as a circuit, and the allowed ratio of a program's ANDs to it.
const PSI: (&str, f64) = ("psi:64x32", 1.5);

/// The target rate, for one party: gates per second for which it decides whether to skip them.
const DECISIONS: f64 = 20e6;

/// The targets: the ANDs of programs (first the programs without a branch on a secret), and the
/// rate of decisions.
///
/// # Errors
/// If a program cannot be built.
pub fn targets(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let psi = halfgate_programs::build(PSI.0).map_err(|e| e.to_string())?;
    let psi = compile(psi, Order::default()).map_err(|e| e.to_string())?.circuit.gates.ands();
    let (psi_most, psi_note) = (PSI.1 * psi as f64, format!("; {} as a circuit: {psi}", PSI.0));
    let mut figures = Vec::new();
    let (mut gates, mut seconds) = (0.0, 0.0);
    for (name, file, flag, size, most, note) in [
        ("Hamming distance 128", "hamming_branchless.c", "-DBITS=128", (64, 64), Some(4500.0), ""),
        (
            "PSI cardinality 64",
            "psi_merge.c",
            "-DSIZE=64",
            (128, 512),
            Some(psi_most),
            psi_note.as_str(),
        ),
        ("AES, bitsliced", "aes_bitsliced.c", "-O2", (512, 256), Some(7700.0), ""),
        ("AES, with a table", "aes.c", "-O2", (256, 256), None, ""),
        ("Hamming distance 128, branching", "hamming.c", "-DBITS=128", (32, 64), None, ""),
        ("PSI cardinality 64, branching", "psi.c", "-DSIZE=64", (64, 256), None, ""),
    ] {
        let image = program(folder.path(), file, "full", size, None, flag.to_owned())?;
        // Two sets without common elements. In sorted order, elements of the two sets alternate.
        let values = image.inputs().map(|port| {
            let first = u64::from(port.owner == Owner::Input(Party::Evaluator));
            (0..u64::from(port.count)).map(|at| (2 * at + first) & 0xff).collect()
        });
        let values: Vec<Vec<u64>> = values.collect();
        let steps = image.run(&values, 1_000_000).map_err(|e| e.to_string())?.steps;
        let mut add = |how: &str, ands: u64| {
            let name = format!("{name}, public, {how}");
            let figure = Figure::measured(&name, "ANDs", ands as f64);
            let figure = figure.note(format!("{steps} steps{note}"));
            figures.push(match most {
                Some(most) => figure.at_most(most),
                None => figure,
            });
        };
        if !name.ends_with("branching") {
            report(&format!("{name}, a circuit for each step"));
            add("a circuit for each step", per_step(&image, steps, report)?);
        }
        report(&format!("{name}, skipping"));
        let skipped = skipping(&image, steps, report)?;
        add("skipping", skipped.ands);
        gates += skipped.gates;
        seconds += skipped.seconds;
    }
    let figure = Figure::measured("Decisions of what to skip", "gates/s", gates / seconds);
    figures.push(figure.at_least(DECISIONS).note("of all these programs, by one core"));
    Ok(figures)
}

/// Returns the ANDs of the circuit of all steps.
fn per_step(image: &Image, steps: u64, report: &mut dyn FnMut(&str)) -> Result<u64, String> {
    let bound = Privacy::PublicPerStep.circuit(image, Some(steps), report);
    let circuit = bound.map_err(|e| e.to_string())?.circuit;
    let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
    Ok(program.circuit.gates.ands())
}

/// The result of a run with skipped gates.
struct Skipped {
    ands: u64,
    /// Gates for which a decision was made, and the seconds that this took.
    gates: f64,
    seconds: f64,
}

fn skipping(image: &Image, steps: u64, report: &mut dyn FnMut(&str)) -> Result<Skipped, String> {
    let bound =
        Privacy::PublicSkip.circuit(image, Some(steps), report).map_err(|e| e.to_string())?;
    let program = compile(bound.circuit, Order::default()).map_err(|e| e.to_string())?;
    let program = program.skipping(bound.skips.unwrap_or_default());
    let start = Instant::now();
    let ands = skip::left(&program, steps, &mut |what| report(what));
    let seconds = start.elapsed().as_secs_f64();
    Ok(Skipped { ands, gates: (program.gates_per_cycle() * steps) as f64, seconds })
}
