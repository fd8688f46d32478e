//! Table 3: the resources of the evaluator on a Virtex-7, counted by Yosys part by part.

use super::published::{Resources as Published, TABLE_3};
use crate::synthesis::{self as garbledcpu, MACHINES};
use halfgate_garbledcpu_model::Machine;
use halfgate_garbledcpu_model::encode::Size;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::folders;
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use std::path::Path;
use std::time::Duration;

/// A machine: for each part its counts and its number of instances.
struct Counted {
    name: &'static str,
    memory_bits: u64,
    parts: Vec<(String, u64, Counts)>,
}

impl Counted {
    fn sum(&self) -> Counts {
        let all = self.parts.iter();
        all.fold(Counts::default(), |sum, (_, count, found)| sum.plus(*found, *count))
    }
}

/// The resources of the machines, or the reason why nothing was counted.
pub struct Resources(Result<Vec<Counted>, String>);

impl Resources {
    /// Synthesises all parts in the repository's folder, and reuses earlier results that are found
    /// there.
    pub fn count(report: &mut dyn FnMut(&str)) -> Resources {
        Resources(count(report))
    }

    /// Table 3. If a tool is missing, the part lists the reason instead.
    pub fn table(&self) -> Part {
        let mut part = Part::new("table3", "resources on a Virtex-7 (7 series), of one pipeline");
        let counted = match &self.0 {
            Ok(counted) => counted,
            Err(why) => {
                for &Published { unit, value } in TABLE_3.iter() {
                    part.missing(&format!("garbledcpu-paper, {unit}"), unit, value, why);
                }
                return part;
            }
        };
        for machine in counted {
            rows(&mut part, machine.name, machine.sum(), true);
            let blocks = machine.memory_bits as f64 / BLOCK_BITS;
            part.note(format!("its memories hold {blocks:.0} times 36 Kbit"));
        }
        for machine in counted {
            for (what, count, found) in &machine.parts {
                let times = if *count > 1 { format!(" ({count} of them)") } else { String::new() };
                let name = format!("{}: {what}{times}", machine.name);
                rows(&mut part, &name, Counts::default().plus(*found, *count), false);
            }
        }
        part.remark("parts are synthesised by Yosys one by one and added up: an estimate, not placed; with room for processors \
                     of memories of up to 64 words (the paper does not say how much its evaluator holds)");
        part.remark("the input memory has a copy for each label that is read in a clock, five; half of the look-up tables stand \
                     between operands and the 16 banks of labels; the paper's two BUFG are clocks, of which ours has one");
        part
    }

    /// Compares the published evaluator in our SystemVerilog with Table 3, and adds the published
    /// clock frequency.
    pub fn targets(&self) -> Vec<Figure> {
        let of_paper = self.0.as_ref().map(|counted| {
            counted.iter().find(|machine| machine.name == MACHINES[0]).map(Counted::sum)
        });
        let row = |published: &Published| {
            let Published { unit, value } = *published;
            let name = format!("published evaluator in our SystemVerilog, {unit}");
            let figure = match &of_paper {
                Ok(found) => {
                    let counts = found.unwrap_or_default();
                    Figure::measured(&name, unit, in_unit(unit, counts))
                }
                Err(why) => Figure::not_run(&name, unit, why),
            };
            let figure = Figure { how: How::Synthesis, ..figure }.published(value).at_most(value);
            figure.unlike_if(of_paper.is_ok().then_some(ESTIMATE))
        };
        let mut figures: Vec<Figure> = TABLE_3.iter().map(row).collect();
        let why = "assumed, not shown: the evaluator is not placed here";
        figures.push(Figure::missing("clock of the evaluator", "MHz", why).published(100.0));
        figures
    }
}

/// Why figures of Yosys have no verdict.
const ESTIMATE: &str = "parts by Yosys for a 7 series, added up and not placed; the paper's are \
                        Vivado's of the whole, and it does not say what its memories hold";

const BLOCK_BITS: f64 = 36_864.0;

fn count(report: &mut dyn FnMut(&str)) -> Result<Vec<Counted>, String> {
    let work = Path::new("target/synth");
    let (tools, files) = Tools::open(&folders(Path::new("."))?, work, Duration::from_secs(3600))?;
    let mut counted = Vec::new();
    for name in MACHINES {
        let machine = Machine::named(name).expect("a name of a machine");
        let mut parts = Vec::new();
        for part in garbledcpu::parts(machine, Size::USUAL) {
            report(&format!("{}: Yosys", part.design.name));
            let found = yosys::count(&tools, &files, &part.design, Family::Series7);
            let found = found.map_err(|e| format!("{}: {e}", part.design.name))?;
            let (_, what) = part.design.name.split_once(": ").unwrap_or_default();
            parts.push((what.to_owned(), part.count, found));
        }
        let memory_bits = garbledcpu::memory_bits(machine, Size::USUAL);
        counted.push(Counted { name, memory_bits, parts });
    }
    Ok(counted)
}

/// Returns a count in one of the paper's units.
fn in_unit(unit: &str, found: Counts) -> f64 {
    match unit {
        "FF" => found.registers as f64,
        "LUT" => found.luts as f64,
        // The paper's unit of block RAM is 36 Kbit.
        _ => found.block_rams as f64 / 2.0,
    }
}

/// Adds a row for each of the paper's units.
fn rows(part: &mut Part, what: &str, found: Counts, is_total: bool) {
    for &Published { unit, value } in TABLE_3.iter() {
        let measured = in_unit(unit, found);
        if measured == 0.0 {
            continue;
        }
        let name = format!("{what}, {unit}");
        let figure = Figure { how: How::Synthesis, ..Figure::measured(&name, unit, measured) };
        part.figures.push(if is_total { figure.published(value) } else { figure });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_more_is_a_row_and_has_no_verdict() {
        let found = Counts { luts: 45_446, registers: 24_124, ..Counts::default() };
        let parts = vec![("all".to_owned(), 1, found)];
        let machine = Counted { name: MACHINES[0], memory_bits: 0, parts };
        let rows = Resources(Ok(vec![machine])).targets();
        let luts = rows.iter().find(|row| row.unit == "LUT").expect("a row");
        assert_eq!((luts.measured, luts.published), (Some(45_446.0), Some(21_229.0)));
        assert_eq!((luts.verdict(), luts.met), (Some(false), None));
        let without = Resources(Err("no Yosys".to_owned())).targets();
        assert_eq!(without.len(), rows.len());
        assert!(without.iter().all(|row| row.measured.is_none() && row.published.is_some()));
    }
}
