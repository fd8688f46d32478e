//! Tables 4 and 5: what the scheduled machine takes, by Yosys, part by part.

use super::published::RESOURCES;
use crate::part::Part;
use crate::record::{Figure, How};
use crate::synth::tools::Tools;
use crate::synth::yosys::{self, Counts, Family};
use crate::synth::{fase, sources};
use halfgate_machines::fase::Shape;
use std::path::Path;
use std::time::Duration;

/// The part that the paper calls so.
const OUTPUT_LABELS: &str = "output labels";

/// What one and two pipelines take: each part's name, how often it is there, and its counts.
pub struct Resources {
    machines: [Vec<(String, u64, Counts)>; 2],
}

impl Resources {
    /// Synthesises all parts of both, in the repository's folder; what was done before is taken from there.
    ///
    /// # Errors
    /// If the tools or the sources are not there, or Yosys fails.
    pub fn count(say: &mut dyn FnMut(&str)) -> Result<Resources, String> {
        let work = Path::new("target/synth");
        let (files, hash) = sources(Path::new("rtl"), work)?;
        let tools = Tools::find(work, Duration::from_secs(3600), hash)?;
        let mut machine = |pipelines: u32| -> Result<Vec<(String, u64, Counts)>, String> {
            let mut all = Vec::new();
            for part in fase::parts(Shape::best(pipelines)) {
                say(&format!("{}: Yosys", part.design.name));
                let counts = yosys::count(&tools, &files, &part.design, Family::UltraScalePlus);
                let counts = counts.map_err(|e| format!("{}: {e}", part.design.name))?;
                let (_, what) = part.design.name.split_once(": ").unwrap_or_default();
                all.push((what.to_owned(), part.count, counts));
            }
            Ok(all)
        };
        Ok(Resources { machines: [machine(1)?, machine(2)?] })
    }

    fn sum(&self, pipelines: usize, of: Option<&str>) -> Counts {
        let parts = self.machines[pipelines - 1].iter();
        let parts = parts.filter(|(name, ..)| of.is_none_or(|of| name == of));
        parts.fold(Counts::default(), |sum, (_, count, counts)| sum.plus(*counts, *count))
    }

    /// Block RAM of two pipelines over that of one.
    pub fn block_ram_ratio(&self) -> f64 {
        let [one, two] = [1, 2].map(|pipelines| self.sum(pipelines, None).block_rams as f64);
        two / one
    }

    fn figures(counts: Counts) -> [(&'static str, f64); 3] {
        [
            ("LUT", counts.luts as f64),
            ("FF", counts.registers as f64),
            // The paper's unit is 36 Kbit.
            ("BRAM", counts.block_rams as f64 / 2.0),
        ]
    }
}

/// Tables 4 and 5, with what was found or why nothing was.
pub fn table(name: &'static str, found: &Result<Resources, String>) -> Part {
    let mut part =
        Part::new(name, "resources: the paper's on a Virtex UltraScale, ours for UltraScale+");
    part.remark("ours is the scheduled machine, fase-1 and fase-2, with room for 2^13 gates as the paper's; parts are \
                 synthesised by Yosys one by one and added up: an estimate, not placed");
    match found {
        Err(why) => {
            for (what, unit, one, two) in RESOURCES {
                part.missing(&format!("{what}, 1 pipeline"), unit, one, why);
                part.missing(&format!("{what}, 2 pipelines"), unit, two, why);
            }
        }
        Ok(found) if name == "table4" => {
            for (pipelines, plural) in [(1, ""), (2, "s")] {
                let counts = Resources::figures(found.sum(pipelines, None));
                for ((unit, value), (what, _, one, two)) in counts.into_iter().zip(RESOURCES) {
                    let published = if pipelines == 1 { one } else { two };
                    let name = format!("{what}, {pipelines} pipeline{plural}");
                    part.figures.push(synthesis(&name, unit, value).published(published));
                }
            }
        }
        Ok(found) => {
            for (machine, pipelines) in found.machines.iter().zip(1..) {
                for (what, count, counts) in machine {
                    let times =
                        if *count > 1 { format!(" ({count} of them)") } else { String::new() };
                    for (unit, value) in Resources::figures(Counts::default().plus(*counts, *count))
                    {
                        if value == 0.0 {
                            continue;
                        }
                        let name = format!("fase-{pipelines}, {what}{times}");
                        let figure = synthesis(&name, unit, value);
                        let of_paper =
                            RESOURCES.iter().find(|_| what == OUTPUT_LABELS && unit == "BRAM");
                        part.figures.push(match of_paper.and(RESOURCES.last()) {
                            Some((.., one, two)) => {
                                figure.published(if pipelines == 1 { *one } else { *two })
                            }
                            None => figure,
                        });
                    }
                }
            }
        }
    }
    part
}

fn synthesis(name: &str, unit: &str, value: f64) -> Figure {
    Figure { how: How::Synthesis, ..Figure::measured(name, unit, value) }
}
