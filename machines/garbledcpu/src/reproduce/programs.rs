//! Counts the instructions that the paper's benchmarks execute, as C programs of our own.

use super::published::{Program, TABLE_1};
use halfgate_mips::image::Image;
use halfgate_mips::isa::InstructionSet;
use halfgate_mips::processor::Size;
use halfgate_mips::toolchain::{Options, build};
use halfgate_record::part::Part;
use halfgate_record::record::Figure;
use std::path::Path;

/// Limit on the steps of a benchmark.
const MOST_STEPS: u64 = 1_000_000;

/// Description of our programs; the paper's programs are not public.
const OUR_PROGRAM: &str =
    "a C program of our own; the paper's is not public, and its size is taken to be in bits";

/// Why fewer instructions show nothing about the published program.
const NOT_PUBLIC: &str =
    "ours may do less, or use instructions of the set that the paper's does not";

/// What our set intersection assumes.
const SORTED: &str = "ours merges two sorted lists; the paper does not say how its lists are given";

/// Executed instructions for each row of Table 1: with the instruction set that the paper names for
/// the benchmark, and with the full set.
pub struct Steps(Vec<(&'static Program, [u64; 2])>);

/// Returns the paper's set for a benchmark, our program, and the option that sets its size.
pub fn benchmark(name: &str) -> (&'static str, &'static str, &'static str) {
    match name {
        "Hamming distance" => ("hamming", "hamming.c", "-DBITS="),
        "PSI cardinality" => ("psi", "psi.c", "-DSIZE="),
        _ => ("aes", "aes.c", "-DBLOCK_BITS="),
    }
}

/// Builds the program `file` of `programs/mips` into the folder `folder`, for memories of these
/// numbers of words, first for instructions, then for data.
///
/// # Errors
/// If the compiler is missing, or the program does not fit.
pub fn program(
    folder: &Path,
    file: &str,
    set: &str,
    (instructions, data): (u32, u32),
    steps: Option<u64>,
    flag: String,
) -> Result<Image, String> {
    let text = halfgate_programs::mips::FILES.iter().find(|(name, _)| *name == file);
    let (_, text) = text.ok_or_else(|| format!("there is no program {file}"))?;
    let source = folder.join(file);
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let set = InstructionSet::named(set).map_err(|e| e.to_string())?;
    let size = Size { instructions, data };
    let options = Options { size, set, steps, flags: vec![flag] };
    build(&[source], &options, &folder.join("program.elf")).map_err(|e| e.to_string())
}

impl Steps {
    /// Builds and runs all benchmarks.
    ///
    /// # Errors
    /// As [`program`].
    pub fn measure(report: &mut dyn FnMut(&str)) -> Result<Steps, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut rows = Vec::new();
        for row in TABLE_1.iter() {
            report(&format!("{} {}: building and running it", row.name, row.size));
            let (own, file, option) = benchmark(row.name);
            let mut steps = [0; 2];
            for (steps, set) in steps.iter_mut().zip([own, "full"]) {
                let image = program(
                    folder.path(),
                    file,
                    set,
                    (512, 512),
                    None,
                    format!("{option}{}", row.size),
                )?;
                let run = image.run(&longest(row.name, &image), MOST_STEPS);
                *steps = run.map_err(|e| e.to_string())?.steps;
            }
            rows.push((row, steps));
        }
        Ok(Steps(rows))
    }

    /// Table 1.
    pub fn table(&self) -> Part {
        let mut part = Part::new(
            "table1",
            "instructions that benchmarks take, on the inputs that take the most",
        );
        for (row, [own, full]) in &self.0 {
            let name = |set: &str| format!("{} {}, {set} set", row.name, row.size);
            part.measured(
                &name("the paper's"),
                "instructions",
                Some(row.instructions),
                *own as f64,
            );
            part.measured(&name("full"), "instructions", Some(row.instructions), *full as f64);
        }
        part.remark("programs/mips, by gcc for MIPS I and fitted to the set; the end of the program is an instruction, too");
        part.remark("Hamming distance bit by bit; PSI of two sorted lists of so many words; AES with round keys given");
        part
    }

    /// The targets: at most as many instructions as published. No row has a verdict, since the
    /// paper's programs are not public and ours may do less.
    pub fn targets(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (row, [own, full]) in &self.0 {
            let other = if row.name == "PSI cardinality" { SORTED } else { NOT_PUBLIC };
            for (set, steps, why) in [
                ("the paper's set", own, other),
                ("full set", full, "the published program has fewer instructions to use"),
            ] {
                let name = format!("{} {}, {set}", row.name, row.size);
                let figure = Figure::measured(&name, "instructions", *steps as f64);
                let figure = figure.published(row.instructions).at_most(row.instructions);
                figures.push(figure.note(OUR_PROGRAM).unlike(why));
            }
        }
        figures
    }
}

/// The inputs that take the most steps. For the Hamming distance all bits differ. For the set
/// intersection no element is common, and the sorted elements come alternately from the two
/// parties.
fn longest(name: &str, image: &Image) -> Vec<Vec<u64>> {
    let inputs = image.inputs();
    let value = |party: u64, at: u64| match name {
        "Hamming distance" => party * u64::from(u32::MAX),
        "PSI cardinality" => 2 * at + party,
        _ => at,
    };
    inputs
        .enumerate()
        .map(|(party, port)| (0..u64::from(port.count)).map(|at| value(party as u64, at)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_our_own_have_no_verdict_and_say_why() {
        let steps = Steps(TABLE_1.iter().map(|row| (row, [100, 90])).collect());
        let rows = steps.targets();
        assert_eq!(rows.len(), 14);
        for row in rows {
            assert_eq!(row.met, None, "{}", row.name);
            assert!(row.note.contains("no verdict: "), "{}", row.note);
            assert_eq!(row.target, row.published, "{}", row.name);
        }
    }
}
