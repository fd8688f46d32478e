//! Resources of the cells, counted by Yosys.

use crate::synthesis as overlay;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::folders;
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use std::path::Path;
use std::time::Duration;

/// A garbled AND of the published overlay on a Stratix V (section 3.1.1): adaptive logic modules
/// and registers.
const PUBLISHED: [f64; 2] = [3070.0, 3750.0];

/// Synthesises the cells and other modules of the published overlay, in the repository's folder,
/// with cached results. If a tool is missing, the part lists its rows as not run, with the reason.
pub fn table(report: &mut dyn FnMut(&str)) -> Part {
    let mut part = Part::new("resources", "resources of the cells and of other modules (7 series)");
    let units = ["LUT or ALM", "FF"];
    match count(report) {
        Err(why) => {
            for (unit, published) in units.into_iter().zip(PUBLISHED) {
                part.missing(&format!("{}, {unit}", overlay::ROWS), unit, published, &why);
            }
        }
        Ok(counted) => {
            for (name, counts) in counted {
                let found = [counts.luts, counts.registers];
                for ((unit, found), published) in units.into_iter().zip(found).zip(PUBLISHED) {
                    let what = format!("{name}, {unit}");
                    let figure = Figure::measured(&what, unit, found as f64);
                    let figure = Figure { how: How::Synthesis, ..figure };
                    part.figures.push(match name == overlay::ROWS {
                        true => figure.published(published),
                        false => figure,
                    });
                }
                if counts.block_rams > 0 {
                    part.note(format!("and {} block RAMs of 18 Kbit", counts.block_rams));
                }
            }
        }
    }
    part.remark(
        "published: adaptive logic modules of a Stratix V, each with up to two look-up tables of six inputs; ours: look-up \
         tables of a 7 series; Yosys synthesises each module by itself, and nothing is placed",
    );
    part
}

/// The clocks that the overlay's times assume.
pub fn clocks() -> [Figure; 2] {
    let why = "assumed, not shown: the overlay is not placed here";
    [
        Figure::missing("SIFO: clock of the overlay", "MHz", why).published(200.0),
        Figure::missing("SIFO: clock of the host's registers", "MHz", why).published(300.0),
    ]
}

fn count(report: &mut dyn FnMut(&str)) -> Result<Vec<(String, Counts)>, String> {
    let work = Path::new("target/synth");
    let (tools, files) = Tools::open(&folders(Path::new("."))?, work, Duration::from_secs(3600))?;
    let mut counted = Vec::new();
    for design in overlay::designs() {
        report(&format!("{}: Yosys", design.name));
        let found = yosys::count(&tools, &files, &design, Family::Series7);
        let found = found.map_err(|why| format!("{}: {why}", design.name))?;
        let (_, what) = design.name.split_once(": ").unwrap_or_default();
        counted.push((what.to_owned(), found));
    }
    Ok(counted)
}
