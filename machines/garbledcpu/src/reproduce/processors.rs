//! Our processors beside the paper's: ANDs and flip-flops.

use super::programs::{benchmark, program};
use super::published::{Processor, TABLE_2};
use halfgate_mips::core::Core;
use halfgate_mips::isa::InstructionSet;
use halfgate_mips::processor::Size;
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

/// ANDs and flip-flops of a circuit.
type Count = [u64; 2];

/// Each row of Table 2: with all registers, and, for the processor of one program, with the registers of ours.
pub struct Sizes(Vec<(&'static Processor, Count, Option<Count>)>);

impl Sizes {
    /// Reads all processors.
    ///
    /// # Errors
    /// If Yosys or the compiler is not there.
    pub fn count(say: &mut dyn FnMut(&str)) -> Result<Sizes, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut rows = Vec::new();
        for row in TABLE_2.iter() {
            say(&format!("{} set, {} words", row.set, row.words));
            let of = set(row.set).1;
            let core = core(row)?;
            let (size, set) = (core.size, core.set);
            let all = count(&core)?;
            let own = of.map(|name| {
                let (set_name, file, _) = benchmark(name);
                // The registers are the same for every size of input.
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

    /// No more than published; what is made for one program has that program's registers.
    pub fn targets(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (row, all, own) in &self.0 {
            let [ands, flip_flops] = own.unwrap_or(*all);
            let note = match own {
                Some(_) => format!("with all registers {} gates, {} flip-flops", all[0], all[1]),
                None => String::new(),
            };
            let name = |of: &str| format!("{} set, {} words, {of}", row.set, row.words);
            for (of, unit, value, published) in [
                ("non-XOR", "gates", ands, row.non_xor),
                ("flip-flops", "", flip_flops, row.flip_flops),
            ] {
                let figure = Figure::measured(&name(of), unit, value as f64);
                figures.push(figure.published(published).at_most(published).note(note.clone()));
            }
        }
        figures
    }
}

/// Our set for one of the paper's, and the benchmark that it is made for, if it is.
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

/// Our processor for a row, with all registers.
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
