//! Sizes of our processors and of the paper's: ANDs and flip-flops.

use super::programs::{benchmark, program};
use super::published::{Processor, TABLE_2};
use halfgate_mips::core::Core;
use halfgate_mips::isa::InstructionSet;
use halfgate_mips::processor::Size;
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

/// ANDs and flip-flops of a circuit.
type Count = [u64; 2];

/// The rows of Table 2: a processor's size with all registers and, if the processor is for one
/// program, also its size with only the registers that our program uses.
pub struct Sizes(Vec<(&'static Processor, Count, Option<Count>)>);

impl Sizes {
    /// Reads all processors.
    ///
    /// # Errors
    /// If Yosys or the compiler is missing.
    pub fn count(report: &mut dyn FnMut(&str)) -> Result<Sizes, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut rows = Vec::new();
        for row in TABLE_2.iter() {
            report(&format!("{} set, {} words", row.set, row.words));
            let of = set(row.set).1;
            let core = core(row)?;
            let (size, set) = (core.size, core.set);
            let all = count(&core)?;
            let own = of.map(|name| {
                let (set_name, file, _) = benchmark(name);
                // The registers do not depend on the size of the input.
                let image =
                    program(folder.path(), file, set_name, (512, 512), None, "-O2".to_owned())?;
                count(&Core { size, set, registers: image.application().registers, shallow: false })
            });
            rows.push((row, all, own.transpose()?));
        }
        Ok(Sizes(rows))
    }

    /// Table 2.
    pub fn table(&self) -> Part {
        let mut part = Part::new("table2", "processors: non-XOR gates and flip-flops");
        for (row, all, own) in &self.0 {
            let mut both = |what: &str, [ands, flip_flops]: &Count| {
                let name = |of: &str| format!("{}, {} words{what}, {of}", row.set, row.words);
                part.measured(&name("non-XOR"), "gates", Some(row.non_xor), *ands as f64);
                part.measured(&name("flip-flops"), "", Some(row.flip_flops), *flip_flops as f64);
            };
            both("", all);
            if let Some(own) = own {
                both(", our program's registers", own);
            }
        }
        part.remark("ours have delay slots, so a second program counter; of the published, sets of one program have counters of so many bits as the memory wants, others 30 bits");
        part.remark("instruction memory is input wires; multiplication and division take one step (full set)");
        part
    }

    /// The targets: with all registers, a processor is at most as large as published. There is a
    /// verdict only where the published program counter is as short as ours. Further rows, without
    /// a verdict, show a processor without the registers that its program never names.
    pub fn targets(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (row, all, own) in &self.0 {
            // The published processors for these programs have short program counters, like all of
            // ours.
            let is_short = ["Hamming distance", "PSI"].contains(&row.set);
            let counter = match row.set {
                "full" => Some(format!("{LONG_COUNTER}; {ONE_STEP}")),
                _ => (!is_short).then(|| LONG_COUNTER.to_owned()),
            };
            let mut both = |what: &str, [ands, flip_flops]: &Count, why: Option<&str>| {
                let name = |of: &str| format!("{} set, {} words{what}, {of}", row.set, row.words);
                for (of, unit, value, published) in [
                    ("non-XOR", "gates", ands, row.non_xor),
                    ("flip-flops", "", flip_flops, row.flip_flops),
                ] {
                    let figure = Figure::measured(&name(of), unit, *value as f64);
                    let figure = figure.published(published).at_most(published).note(OURS);
                    figures.push(figure.unlike_if(why.or(counter.as_deref())));
                }
            };
            both("", all, None);
            if let Some(own) = own {
                both(", our program's registers", own, Some(FEWER_REGISTERS));
            }
        }
        figures
    }
}

/// Description of the counted processors.
const OURS: &str = "a processor of our own, with the same instructions, memories and registers; its \
                    second program counter, for delay slots, adds gates; published: Plasma, by \
                    Design Compiler";

/// Why processors are not compared with published ones that have 30-bit program counters: computing
/// the next value of such a counter takes more gates.
const LONG_COUNTER: &str = "the published processor's program counter has 30 bits, each of our two \
                            as many as the memory wants";

/// Another difference in the full set.
const ONE_STEP: &str =
    "ours multiplies and divides in one step, the published one multiplies in 15";

/// Why a processor for one of our programs is not comparable with the paper's.
const FEWER_REGISTERS: &str = "registers that our program never names are left out; the published \
                               processors have 32 words of registers";

/// Returns our instruction set for one of the paper's and, if the set is made for a benchmark, that
/// benchmark.
fn set(published: &str) -> (&'static str, Option<&'static str>) {
    match published {
        "Hamming distance" => ("hamming", Some("Hamming distance")),
        "PSI" => ("psi", Some("PSI cardinality")),
        "AES" => ("aes", Some("AES")),
        "ALU and shift" => ("alu-shift", None),
        "ALU only" => ("alu", None),
        _ => ("full", None),
    }
}

/// Returns our processor for a row, with all registers.
///
/// # Errors
/// If there is no such set.
pub fn core(row: &Processor) -> Result<Core, String> {
    let set = InstructionSet::named(set(row.set).0).map_err(|e| e.to_string())?;
    Ok(Core::new(Size { instructions: row.words, data: row.words }, set))
}

fn count(core: &Core) -> Result<Count, String> {
    let circuit = core.circuit().map_err(|e| e.to_string())?;
    Ok([circuit.gates.ands(), circuit.flip_flops.len() as u64])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_of_processors_with_all_registers() {
        let row = &TABLE_2[0];
        assert_eq!((row.set, row.flip_flops), ("Hamming distance", 2021.0));
        let rows = Sizes(vec![(row, [6521, 2026], Some([4359, 1322]))]).targets();
        let found: Vec<_> = rows.iter().map(|row| (row.measured, row.met)).collect();
        let full = TABLE_2.iter().find(|row| row.set == "full").expect("a row");
        let long = Sizes(vec![(full, [9762, 2090], None)]).targets();
        assert!(long.iter().all(|row| row.met.is_none() && row.note.contains("30 bits")));
        let wanted = [(6521.0, Some(true)), (2026.0, Some(false)), (4359.0, None), (1322.0, None)];
        assert_eq!(found, wanted.map(|(value, met)| (Some(value), met)));
    }
}
