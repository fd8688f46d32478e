//! Tables 4 and 5: the resources of the machines, counted by Yosys part by part.

use super::published::{MHZ, MODULES, UNITS, resources};
use crate::synthesis as fase;
use halfgate_fase_model::Shape;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use halfgate_synthesis::{folders, sources};
use std::path::Path;
use std::time::Duration;

/// The index of block RAM in [`UNITS`].
const BLOCK_RAM: usize = 3;

/// The resources of all machines.
pub struct Resources {
    /// The published machines with one and two pipelines, or why Yosys did not count them.
    published: Result<[Machine; 2], String>,
    /// Our machines.
    best: [Machine; 2],
}

/// A machine: for each part its name, its number of instances, and its counts.
struct Machine {
    name: String,
    pipelines: usize,
    parts: Vec<(String, u64, Counts)>,
}

impl Machine {
    fn sum(&self, is_part: impl Fn(&str) -> bool) -> [f64; 4] {
        let parts = self.parts.iter().filter(|(name, ..)| is_part(name));
        figures(parts.fold(Counts::default(), |sum, (_, count, counts)| sum.plus(*counts, *count)))
    }

    /// Sums the parts that make up one of the paper's modules: the part of the module's name, and
    /// the part with its flags.
    fn module(&self, module: &str) -> [f64; 4] {
        let name = module.replace('_', " ");
        self.sum(|part| part == name || part == format!("flags of {name}"))
    }
}

impl Resources {
    /// Synthesises all parts of all machines in the repository's folder, and reuses earlier results
    /// that are found there.
    ///
    /// # Errors
    /// If tools or sources are missing, or Yosys fails.
    pub fn count(report: &mut dyn FnMut(&str)) -> Result<Resources, String> {
        let work = Path::new("target/synth");
        let (files, hash) = sources(&folders(Path::new("."))?, work)?;
        let tools = Tools::find(work, Duration::from_secs(3600), hash)?;
        let mut machine = |name: String, pipelines, parts: Vec<halfgate_synthesis::Part>| {
            let mut all = Vec::new();
            for part in parts {
                report(&format!("{}: Yosys", part.design.name));
                let counts = yosys::count(&tools, &files, &part.design, Family::UltraScalePlus);
                let counts = counts.map_err(|e| format!("{}: {e}", part.design.name))?;
                let (_, what) = part.design.name.split_once(": ").unwrap_or_default();
                all.push((what.to_owned(), part.count, counts));
            }
            Ok::<_, String>(Machine { name, pipelines, parts: all })
        };
        let mut published = |pipelines| {
            machine(
                format!("fase-paper-{pipelines}"),
                pipelines as usize,
                fase::published(pipelines),
            )
        };
        let published = published(1).and_then(|one| Ok([one, published(2)?]));
        let mut best = |pipelines| {
            machine(
                Shape::best(pipelines).name(),
                pipelines as usize,
                fase::parts(Shape::best(pipelines)),
            )
        };
        let best = [best(1)?, best(2)?];
        Ok(Resources { published, best })
    }

    /// Returns the machine called `name`.
    ///
    /// # Errors
    /// The reason why Yosys did not count the machine.
    fn machine(&self, name: &str) -> Result<&Machine, &str> {
        let published = self.published.as_ref().map_err(String::as_str);
        if let Some(machine) = self.best.iter().find(|machine| machine.name == name) {
            return Ok(machine);
        }
        let found = published?.iter().find(|machine| machine.name == name);
        found.ok_or("there is no such machine")
    }

    /// Block RAM of our machine with two pipelines, divided by that of our machine with one.
    pub fn block_ram_ratio(&self) -> f64 {
        let [one, two] = self.best.each_ref().map(|machine| machine.sum(|_| true)[BLOCK_RAM]);
        two / one
    }

    /// The same ratio for the published machines.
    ///
    /// # Errors
    /// The reason why Yosys did not count them.
    pub fn published_block_ram_ratio(&self) -> Result<f64, &str> {
        let machines = self.published.as_ref().map_err(String::as_str)?;
        let [one, two] = machines.each_ref().map(|machine| machine.sum(|_| true)[BLOCK_RAM]);
        Ok(two / one)
    }
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
    let ours = found.map(Resources::block_ram_ratio);
    let ours = ratio("best, 2 pipelines: block RAM over 1 pipeline", ours);
    let of_paper = found.and_then(Resources::published_block_ram_ratio);
    let of_paper = ratio("paper, 2 pipelines: block RAM over 1 pipeline", of_paper);
    let mut figures =
        vec![ours.published(8.53).at_most(3.0).unlike(OWN_DENOMINATOR), of_paper.published(8.53)];
    for (name, pipelines) in
        [("fase-paper-1", 1), ("fase-paper-2", 2), ("fase-1", 1), ("fase-2", 2)]
    {
        let machine = found.and_then(|found| found.machine(name));
        figures.extend(recorded(name, "total", pipelines, machine));
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
    for (name, pipelines) in [("fase-paper-1", 1), ("fase-paper-2", 2)] {
        let machine = found.and_then(|found| found.machine(name));
        for module in MODULES {
            figures.extend(recorded(name, module, pipelines, machine));
        }
    }
    figures
}

/// Makes a row for each unit for which the paper has a figure.
fn recorded(
    name: &str,
    module: &str,
    pipelines: usize,
    machine: Result<&Machine, &str>,
) -> Vec<Figure> {
    let published = resources(module, pipelines).unwrap_or_default();
    let units = UNITS.into_iter().zip(published).enumerate();
    let row = |(place, (unit, most)): (usize, (&str, f64))| {
        let what = format!("{name}, {}, {unit}", module.replace('_', " "));
        let figure = match machine {
            Ok(machine) => {
                let sum = match module {
                    "total" => machine.sum(|_| true),
                    module => machine.module(module),
                };
                Figure::measured(&what, unit, sum[place])
            }
            Err(why) => Figure::not_run(&what, unit, why),
        };
        let figure = Figure { how: How::Synthesis, ..figure }.published(most).at_most(most);
        figure.unlike_if(machine.is_ok().then_some(ESTIMATE))
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
    let (published, best) = match found {
        Ok(Resources { published, best }) => (published.as_ref(), Ok(best)),
        Err(why) => (Err(why), Err(why)),
    };
    let modules: &[&str] = if name == "table4" { &["total"] } else { &MODULES };
    for (place, pipelines) in [1, 2].into_iter().enumerate() {
        for &module in modules {
            let wanted = resources(module, pipelines).unwrap_or_default();
            let what = format!("fase-paper-{pipelines}, {}", module.replace('_', " "));
            match published {
                Ok(machines) if module == "total" => {
                    rows(&mut part, &what, machines[place].sum(|_| true), Some(wanted));
                }
                Ok(machines) => {
                    rows(&mut part, &what, machines[place].module(module), Some(wanted));
                }
                Err(why) => {
                    for (unit, value) in UNITS.into_iter().zip(wanted) {
                        part.missing(&format!("{what}, {unit}"), unit, value, why);
                    }
                }
            }
        }
    }
    let Ok(best) = best else { return part };
    if name == "table4" {
        for machine in best {
            let wanted = resources("total", machine.pipelines);
            rows(&mut part, &format!("{}, total", machine.name), machine.sum(|_| true), wanted);
        }
        return part;
    }
    for machine in published.into_iter().flatten().chain(best) {
        for (what, count, counts) in &machine.parts {
            let times = if *count > 1 { format!(" ({count} of them)") } else { String::new() };
            let what = format!("{}: {what}{times}", machine.name);
            rows(&mut part, &what, figures(Counts::default().plus(*counts, *count)), None);
        }
    }
    part
}

/// Adds a row for each unit whose figure is not 0.
fn rows(part: &mut Part, what: &str, found: [f64; 4], published: Option<[f64; 4]>) {
    for (place, (unit, value)) in UNITS.into_iter().zip(found).enumerate() {
        let wanted = published.map_or(0.0, |published| published[place]);
        if value == 0.0 && wanted == 0.0 {
            continue;
        }
        let name = format!("{what}, {unit}");
        let figure = Figure { how: How::Synthesis, ..Figure::measured(&name, unit, value) };
        part.figures.push(if wanted > 0.0 { figure.published(wanted) } else { figure });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_have_rows_and_no_verdict() {
        let machine = |name: &str, pipelines, luts| {
            let counts = Counts { luts, ..Counts::default() };
            Machine { name: name.to_owned(), pipelines, parts: vec![("all".to_owned(), 1, counts)] }
        };
        let published = Err("Yosys took too long".to_owned());
        let best = [machine("fase-1", 1, 52_111), machine("fase-2", 2, 100_354)];
        let found = Ok(Resources { published, best });
        let rows = totals(&found);
        let of = |name: &str| rows.iter().find(|row| row.name == name).expect(name);
        assert_eq!(rows.len(), 2 + 16 + 1);
        let ours = of("fase-2, total, LUT");
        let found_of = (ours.measured, ours.published, ours.met);
        assert_eq!(found_of, (Some(100_354.0), Some(158_902.0), None));
        let missing = of("fase-paper-1, total, LUT");
        assert_eq!((missing.measured, missing.published), (None, Some(56_111.0)));
        assert!(missing.not_run && missing.note == "Yosys took too long");
        assert!(modules(&found).iter().all(|row| row.not_run));
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
                (what.to_owned(), 1, Counts { luts, registers: 1, ..Counts::default() })
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
        let published = [machine("fase-paper-1", 1), machine("fase-paper-2", 2)];
        let best = [machine("fase-1", 1), machine("fase-2", 2)];
        let rows = modules(&Ok(Resources { published: Ok(published), best }));
        // Of 24 figures, six are 0 in the paper's Table 5.
        assert_eq!(rows.len(), 18);
        let of = |name: &str| rows.iter().find(|row| row.name == name).expect(name);
        let luts = of("fase-paper-2, input labels, LUT");
        assert_eq!((luts.measured, luts.published, luts.met), (Some(35.0), Some(4965.0), None));
        assert!(rows.iter().all(|row| row.how == How::Synthesis && row.target == row.published));
        assert!(rows.iter().all(|row| row.note.ends_with(ESTIMATE)));
    }
}
