//! Tables 4 and 5: what the machines take, by Yosys, part by part.

use super::published::{MODULES, UNITS, resources};
use crate::synthesis as fase;
use halfgate_fase_model::Shape;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use halfgate_synthesis::{folders, sources};
use std::path::Path;
use std::time::Duration;

/// The place of block RAM among [`UNITS`].
const BLOCK_RAM: usize = 3;

/// What machines take.
pub struct Resources {
    /// The published ones with one and two pipelines, or why Yosys did not count them.
    published: Result<[Machine; 2], String>,
    /// Ours.
    best: [Machine; 2],
}

/// A machine: each part's name, how often it is there, and its counts.
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

    /// One of the paper's modules: its parts' names begin with it or end with it.
    fn module(&self, module: &str) -> [f64; 4] {
        let name = module.replace('_', " ");
        self.sum(|part| part == name || part == format!("flags of {name}"))
    }
}

impl Resources {
    /// Synthesises all parts of all, in the repository's folder; what was done before is taken from there.
    ///
    /// # Errors
    /// If the tools or the sources are not there, or Yosys fails.
    pub fn count(say: &mut dyn FnMut(&str)) -> Result<Resources, String> {
        let work = Path::new("target/synth");
        let (files, hash) = sources(&folders(Path::new("."))?, work)?;
        let tools = Tools::find(work, Duration::from_secs(3600), hash)?;
        let mut machine = |name: String, pipelines, parts: Vec<halfgate_synthesis::Part>| {
            let mut all = Vec::new();
            for part in parts {
                say(&format!("{}: Yosys", part.design.name));
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

    /// Block RAM of two pipelines of ours over that of one.
    pub fn block_ram_ratio(&self) -> f64 {
        let [one, two] = self.best.each_ref().map(|machine| machine.sum(|_| true)[BLOCK_RAM]);
        two / one
    }

    /// The same of the published machines.
    ///
    /// # Errors
    /// Why Yosys did not count them.
    pub fn published_block_ram_ratio(&self) -> Result<f64, &str> {
        let machines = self.published.as_ref().map_err(String::as_str)?;
        let [one, two] = machines.each_ref().map(|machine| machine.sum(|_| true)[BLOCK_RAM]);
        Ok(two / one)
    }
}

/// Machines beside the paper's totals: as published in our SystemVerilog, and ours.
pub fn targets(found: &Result<Resources, String>) -> Vec<Figure> {
    let counted = |name: &str| {
        let found = found.as_ref().map_err(Clone::clone)?;
        let published = found.published.as_ref().map(|machines| machines.iter());
        let all = published.into_iter().flatten().chain(&found.best);
        let machine = all.into_iter().find(|machine| machine.name == name);
        let why = || found.published.as_ref().err().cloned().unwrap_or_default();
        machine.map(|machine| machine.sum(|_| true)).ok_or_else(why)
    };
    let mut figures = Vec::new();
    for (name, pipelines) in
        [("fase-paper-1", 1), ("fase-paper-2", 2), ("fase-1", 1), ("fase-2", 2)]
    {
        let (sum, published) = (counted(name), resources("total", pipelines).unwrap_or_default());
        for (place, unit) in UNITS.into_iter().enumerate() {
            let what = format!("{name}, total, {unit}");
            let figure = match &sum {
                Ok(sum) => Figure::measured(&what, unit, sum[place]),
                Err(why) => Figure::missing(&what, unit, why),
            };
            let most = published[place];
            let figure = Figure { how: How::Synthesis, ..figure }.published(most).at_most(most);
            figures.push(figure.unlike_if(sum.is_ok().then_some(ESTIMATE)));
        }
    }
    figures
}

/// Why no verdict is given on what Yosys counts.
const ESTIMATE: &str = "parts by Yosys for UltraScale+, added up and not placed; the paper's are \
                        Vivado's for a Virtex UltraScale";

fn figures(counts: Counts) -> [f64; 4] {
    // The paper's unit of block RAM is 36 Kbit.
    let block_rams = counts.block_rams as f64 / 2.0;
    [counts.luts as f64, counts.lut_rams as f64, counts.registers as f64, block_rams]
}

/// Tables 4 and 5, with what was found or why nothing was.
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

/// A row for each unit of which there is any.
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
        let rows = targets(&Ok(Resources { published, best }));
        let of = |name: &str| rows.iter().find(|row| row.name == name).expect(name);
        assert_eq!(rows.len(), 16);
        let ours = of("fase-2, total, LUT");
        let found = (ours.measured, ours.published, ours.met);
        assert_eq!(found, (Some(100_354.0), Some(158_902.0), None));
        let missing = of("fase-paper-1, total, LUT");
        assert_eq!((missing.measured, missing.published), (None, Some(56_111.0)));
        assert_eq!(missing.note, "Yosys took too long");
        let none = targets(&Err("no Yosys".to_owned()));
        assert!(none.iter().all(|row| row.measured.is_none() && row.note == "no Yosys"));
    }
}
