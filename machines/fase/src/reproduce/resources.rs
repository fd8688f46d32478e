//! Tables 4 and 5: the resources of the machines, counted by Yosys part by part.

use super::published::{MHZ, MODULES, UNITS, resources};
use crate::synthesis as fase;
use halfgate_fase_model::Shape;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::folders;
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use std::path::Path;
use std::time::Duration;

/// The index of block RAM in [`UNITS`].
const BLOCK_RAM: usize = 3;

/// The resources of all machines: the published ones with one and two pipelines, then our own.
pub struct Resources([Machine; 4]);

/// A machine: for each part its name, its number of instances, and its counts, or why Yosys did not
/// count it.
struct Machine {
    name: String,
    pipelines: usize,
    parts: Vec<(String, u64, Result<Counts, String>)>,
}

impl Machine {
    /// Sums parts.
    ///
    /// # Errors
    /// The reason why Yosys did not count one of them.
    fn sum(&self, is_part: impl Fn(&str) -> bool) -> Result<[f64; 4], &str> {
        let mut sum = Counts::default();
        for (_, count, counts) in self.parts.iter().filter(|(name, ..)| is_part(name)) {
            sum = sum.plus(*counts.as_ref().map_err(String::as_str)?, *count);
        }
        Ok(figures(sum))
    }

    /// Sums the parts that make up one of the paper's modules: the part of the module's name, and
    /// the part with its flags; or all parts if it is `total`.
    ///
    /// # Errors
    /// As [`sum`](Machine::sum).
    fn module(&self, module: &str) -> Result<[f64; 4], &str> {
        let name = module.replace('_', " ");
        self.sum(|part| module == "total" || part == name || part == format!("flags of {name}"))
    }
}

impl Resources {
    /// Synthesises all parts of all machines in the repository's folder, and reuses earlier results
    /// that are found there. A part that Yosys cannot count leaves the others their figures.
    ///
    /// # Errors
    /// If tools or sources are missing.
    pub fn count(report: &mut dyn FnMut(&str)) -> Result<Resources, String> {
        let work = Path::new("target/synth");
        let rtl = folders(Path::new("."))?;
        let (tools, files) = Tools::open(&rtl, work, Duration::from_secs(3600))?;
        let mut machine = |name: String, pipelines, parts: Vec<halfgate_synthesis::Part>| {
            let parts = parts.into_iter().map(|part| {
                report(&format!("{}: Yosys", part.design.name));
                let counts = yosys::count(&tools, &files, &part.design, Family::UltraScalePlus);
                let counts = counts.map_err(|e| format!("{}: {e}", part.design.name));
                let (_, what) = part.design.name.split_once(": ").unwrap_or_default();
                (what.to_owned(), part.count, counts)
            });
            Machine { name, pipelines, parts: parts.collect() }
        };
        let [one, two] = [1, 2].map(Shape::best);
        Ok(Resources([
            machine("fase-paper-1".to_owned(), 1, fase::published(1)),
            machine("fase-paper-2".to_owned(), 2, fase::published(2)),
            machine(one.name(), 1, fase::parts(one)),
            machine(two.name(), 2, fase::parts(two)),
        ]))
    }

    fn published(&self) -> &[Machine] {
        &self.0[..2]
    }

    fn best(&self) -> &[Machine] {
        &self.0[2..]
    }

    /// Block RAM of our machine with two pipelines, divided by that of our machine with one.
    ///
    /// # Errors
    /// The reason why Yosys did not count them.
    pub fn block_ram_ratio(&self) -> Result<f64, &str> {
        ratio(self.best())
    }

    /// The same ratio for the published machines.
    ///
    /// # Errors
    /// The reason why Yosys did not count them.
    pub fn published_block_ram_ratio(&self) -> Result<f64, &str> {
        ratio(self.published())
    }
}

fn ratio(machines: &[Machine]) -> Result<f64, &str> {
    Ok(machines[1].module("total")?[BLOCK_RAM] / machines[0].module("total")?[BLOCK_RAM])
}

/// Table 4 for the record: the paper's totals, beside those of the published machines in our
/// SystemVerilog and of our own machines; the ratio of two pipelines to one; and the paper's clock
/// frequency.
pub fn totals(found: &Result<Resources, String>) -> Vec<Figure> {
    let found = found.as_ref().map_err(String::as_str);
    let ratio = |name: &str, ratio: Result<f64, &str>| match ratio {
        Ok(ratio) => Figure { how: How::Synthesis, ..Figure::measured(name, "x", ratio) },
        Err(why) => Figure::not_run(name, "x", why),
    };
    let ours = found.and_then(Resources::block_ram_ratio);
    let ours = ratio("best, 2 pipelines: block RAM over 1 pipeline", ours);
    let of_paper = found.and_then(Resources::published_block_ram_ratio);
    let of_paper = ratio("paper, 2 pipelines: block RAM over 1 pipeline", of_paper);
    let mut figures =
        vec![ours.published(8.53).at_most(3.0).unlike(OWN_DENOMINATOR), of_paper.published(8.53)];
    let names = [("fase-paper-1", 1), ("fase-paper-2", 2), ("fase-1", 1), ("fase-2", 2)];
    for (place, (name, pipelines)) in names.into_iter().enumerate() {
        let total = found.and_then(|found| found.0[place].module("total"));
        figures.extend(recorded(name, "total", pipelines, total));
    }
    let why = "assumed, not shown: neither machine is placed here";
    figures.push(Figure::missing("clock of the machines", "MHz", why).published(MHZ));
    figures
}

/// Table 5 for the record: the paper's modules, beside those of the published machines in our
/// SystemVerilog.
pub fn modules(found: &Result<Resources, String>) -> Vec<Figure> {
    let found = found.as_ref().map_err(String::as_str);
    let mut figures = Vec::new();
    for (place, name) in ["fase-paper-1", "fase-paper-2"].into_iter().enumerate() {
        for module in MODULES {
            let sum = found.and_then(|found| found.published()[place].module(module));
            figures.extend(recorded(name, module, place + 1, sum));
        }
    }
    figures
}

/// Makes a row for each unit for which the paper has a figure.
fn recorded(
    name: &str,
    module: &str,
    pipelines: usize,
    sum: Result<[f64; 4], &str>,
) -> Vec<Figure> {
    let published = resources(module, pipelines).unwrap_or_default();
    let units = UNITS.into_iter().zip(published).enumerate();
    let row = |(place, (unit, most)): (usize, (&str, f64))| {
        let what = format!("{name}, {}, {unit}", module.replace('_', " "));
        let figure = match sum {
            Ok(sum) => Figure::measured(&what, unit, sum[place]),
            Err(why) => Figure::not_run(&what, unit, why),
        };
        let figure = Figure { how: How::Synthesis, ..figure }.published(most).at_most(most);
        figure.unlike_if(sum.is_ok().then_some(ESTIMATE))
    };
    units.filter(|(_, (_, most))| *most > 0.0).map(row).collect()
}

/// Why figures of Yosys have no verdict.
const ESTIMATE: &str = "parts by Yosys for UltraScale+, added up and not placed; the paper's are \
                        Vivado's for a Virtex UltraScale";

/// Why the ratio of block RAMs has no verdict.
const OWN_DENOMINATOR: &str = "over our own machine of one pipeline, which takes more than FASE's \
                               69; the counts of both have rows";

fn figures(counts: Counts) -> [f64; 4] {
    // The paper's unit of block RAM is 36 Kbit.
    let block_rams = counts.block_rams as f64 / 2.0;
    [counts.luts as f64, counts.lut_rams as f64, counts.registers as f64, block_rams]
}

/// Tables 4 and 5, with the figures or the reason why they are missing.
pub fn table(name: &'static str, found: &Result<Resources, String>) -> Part {
    let mut part =
        Part::new(name, "resources: the paper's on a Virtex UltraScale, ours for UltraScale+");
    part.remark("fase-paper-N is the published machine in our SystemVerilog, fase-N ours, all with room for 2^13 gates as \
                 the paper's; parts are synthesised by Yosys one by one and added up: an estimate, not placed");
    let modules: &[&str] = if name == "table4" { &["total"] } else { &MODULES };
    let found = found.as_ref().map_err(String::as_str);
    for (place, pipelines) in [1, 2].into_iter().enumerate() {
        for &module in modules {
            let wanted = resources(module, pipelines).unwrap_or_default();
            let what = format!("fase-paper-{pipelines}, {}", module.replace('_', " "));
            let sum = found.and_then(|found| found.published()[place].module(module));
            rows(&mut part, &what, sum, Some(wanted));
        }
    }
    let Ok(found) = found else { return part };
    if name == "table4" {
        for machine in found.best() {
            let (wanted, sum) = (resources("total", machine.pipelines), machine.module("total"));
            rows(&mut part, &format!("{}, total", machine.name), sum, wanted);
        }
        return part;
    }
    for machine in &found.0 {
        for (what, count, counts) in &machine.parts {
            let times = if *count > 1 { format!(" ({count} of them)") } else { String::new() };
            let what = format!("{}: {what}{times}", machine.name);
            let counts = counts.as_ref().map_err(String::as_str);
            let all = counts.map(|counts| figures(Counts::default().plus(*counts, *count)));
            rows(&mut part, &what, all, None);
        }
    }
    part
}

/// Adds a row for each unit whose figure is not 0, or is not known.
fn rows(part: &mut Part, what: &str, found: Result<[f64; 4], &str>, published: Option<[f64; 4]>) {
    for (place, unit) in UNITS.into_iter().enumerate() {
        let wanted = published.map_or(0.0, |published| published[place]);
        let name = format!("{what}, {unit}");
        let figure = match found {
            Ok(found) if found[place] == 0.0 && wanted == 0.0 => continue,
            Ok(found) => Figure::measured(&name, unit, found[place]),
            Err(why) => Figure::not_run(&name, unit, why),
        };
        let figure = Figure { how: How::Synthesis, ..figure };
        part.figures.push(if wanted > 0.0 { figure.published(wanted) } else { figure });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_have_rows_and_no_verdict() {
        let machine = |name: &str, pipelines, luts| {
            let counts = Ok(Counts { luts, ..Counts::default() });
            Machine { name: name.to_owned(), pipelines, parts: vec![("all".to_owned(), 1, counts)] }
        };
        let mut late = machine("fase-paper-1", 1, 7);
        late.parts.push(("output labels".to_owned(), 1, Err("Yosys took too long".to_owned())));
        let found = Ok(Resources([
            late,
            machine("fase-paper-2", 2, 9),
            machine("fase-1", 1, 52_111),
            machine("fase-2", 2, 100_354),
        ]));
        let rows = totals(&found);
        let of = |name: &str| rows.iter().find(|row| row.name == name).expect(name);
        assert_eq!(rows.len(), 2 + 16 + 1);
        let ours = of("fase-2, total, LUT");
        let found_of = (ours.measured, ours.published, ours.met);
        assert_eq!(found_of, (Some(100_354.0), Some(158_902.0), None));
        let missing = of("fase-paper-1, total, LUT");
        assert_eq!((missing.measured, missing.published), (None, Some(56_111.0)));
        assert!(missing.not_run && missing.note == "Yosys took too long");
        assert_eq!(of("fase-paper-2, total, LUT").measured, Some(9.0));
        // Modules without the part that failed have their figures.
        for row in modules(&found) {
            assert_eq!(row.not_run, row.name.starts_with("fase-paper-1, output labels"), "{row:?}");
        }
        let none = Err("no Yosys".to_owned());
        let rows = totals(&none).into_iter().chain(modules(&none));
        for row in rows.filter(|row| row.name != "clock of the machines") {
            assert!(row.measured.is_none() && row.not_run, "{row:?}");
            assert_eq!(row.why_not_run(), "no Yosys", "{row:?}");
        }
    }

    #[test]
    fn modules_of_the_paper_have_rows_and_no_verdict() {
        let machine = |name: &str, pipelines| {
            let part = |what: &str, luts| {
                (what.to_owned(), 1, Ok(Counts { luts, registers: 1, ..Counts::default() }))
            };
            let parts = vec![
                part("garbling engine", 40),
                part("input labels", 30),
                part("flags of input labels", 5),
                part("output labels", 20),
                part("tables", 7),
            ];
            Machine { name: name.to_owned(), pipelines, parts }
        };
        let rows = modules(&Ok(Resources([
            machine("fase-paper-1", 1),
            machine("fase-paper-2", 2),
            machine("fase-1", 1),
            machine("fase-2", 2),
        ])));
        // Of 24 figures, six are 0 in the paper's Table 5.
        assert_eq!(rows.len(), 18);
        let of = |name: &str| rows.iter().find(|row| row.name == name).expect(name);
        let luts = of("fase-paper-2, input labels, LUT");
        assert_eq!((luts.measured, luts.published, luts.met), (Some(35.0), Some(4965.0), None));
        assert!(rows.iter().all(|row| row.how == How::Synthesis && row.target == row.published));
        assert!(rows.iter().all(|row| row.note.ends_with(ESTIMATE)));
    }
}
