//! Public programs, each step with a circuit of its own: what is left to garble.

use super::programs::program;
use crate::record::Figure;
use halfgate_compiler::{Order, compile};
use halfgate_mips::privacy::Privacy;

/// ANDs of programs without a branch on a secret.
///
/// # Errors
/// If a program cannot be built.
pub fn targets(say: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut figures = Vec::new();
    for (name, file, flag, words, most) in [
        ("Hamming distance 128", "hamming_branchless.c", "-DBITS=128", 64, Some(4500.0)),
        ("AES", "aes.c", "-O2", 256, None),
    ] {
        say(&format!("{name}, a circuit for each step"));
        let image = program(folder.path(), file, "full", words, None, flag.to_owned())?;
        let inputs =
            image.ports.iter().filter(|port| port.owner != halfgate_mips::image::Owner::Output);
        let values: Vec<_> = inputs.map(|port| vec![5; port.count as usize]).collect();
        let steps = image.run(&values, 1_000_000).map_err(|e| e.to_string())?.steps;
        let circuit =
            Privacy::PublicPerStep.circuit(&image, Some(steps), say).map_err(|e| e.to_string())?;
        let ands =
            compile(circuit, Order::default()).map_err(|e| e.to_string())?.circuit.gates.ands();
        let figure = Figure::measured(
            &format!("{name}, public, a circuit for each step"),
            "ANDs",
            ands as f64,
        );
        let figure = figure.note(format!("{steps} steps"));
        figures.push(match most {
            Some(most) => figure.at_most(most),
            None => figure,
        });
    }
    Ok(figures)
}
