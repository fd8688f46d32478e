//! Public programs, each step with a circuit of its own: what is left to garble.

use super::programs::program;
use crate::record::Figure;
use halfgate_compiler::{Order, compile};
use halfgate_mips::privacy::Privacy;

/// The set intersection that is a circuit of its own, and how much more a program may garble.
const PSI: (&str, f64) = ("psi:64x32", 1.5);

/// ANDs of programs without a branch on a secret.
///
/// # Errors
/// If a program cannot be built.
pub fn targets(say: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let psi = halfgate_programs::build(PSI.0).map_err(|e| e.to_string())?;
    let psi = compile(psi, Order::default()).map_err(|e| e.to_string())?.circuit.gates.ands();
    let (psi_most, psi_note) = (PSI.1 * psi as f64, format!("{} as a circuit: {psi}", PSI.0));
    let mut figures = Vec::new();
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
    ] {
        say(&format!("{name}, a circuit for each step"));
        let image = program(folder.path(), file, "full", size, None, flag.to_owned())?;
        let inputs = image.inputs();
        let values: Vec<_> = inputs.map(|port| vec![5; port.count as usize]).collect();
        let steps = image.run(&values, 1_000_000).map_err(|e| e.to_string())?.steps;
        let circuit =
            Privacy::PublicPerStep.circuit(&image, Some(steps), say).map_err(|e| e.to_string())?;
        let ands =
            compile(circuit, Order::default()).map_err(|e| e.to_string())?.circuit.gates.ands();
        let name = format!("{name}, public, a circuit for each step");
        let note = if note.is_empty() {
            format!("{steps} steps")
        } else {
            format!("{steps} steps; {note}")
        };
        let figure = Figure::measured(&name, "ANDs", ands as f64).note(note);
        figures.push(match most {
            Some(most) => figure.at_most(most),
            None => figure,
        });
    }
    Ok(figures)
}
