//! Counts the accesses of DDR that remain under the host's policies: the paper's two (section
//! 3.4.2), and ours by live ranges.

use super::published::problems;
use super::steps::LABELS;
use halfgate_overlay_model::{Allocation, Batches, Cells, Policy, Traffic};
use halfgate_programs::published;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};

/// Cells of the paper's largest overlay.
const CELLS: Cells = Cells { ands: 15, xors: 15 };
/// Gates per window, where batches follow the circuit's own gate order.
const WINDOW: usize = 1024;

/// Accesses of DDR by problem.
pub struct Accesses(Vec<(&'static str, [Traffic; 4])>);

impl Accesses {
    /// Allocates all problems, in the paper's circuits.
    ///
    /// # Errors
    /// If a circuit cannot be built.
    pub fn count(report: &mut dyn FnMut(&str)) -> Result<Accesses, String> {
        let each = problems().into_iter().map(|problem| {
            report(&format!("{}: memories", problem.name));
            let circuit = published::build(problem.spec).map_err(|error| error.to_string())?;
            let layers = Batches::by_layers(&circuit, CELLS);
            let windows = Batches::by_windows(&circuit, CELLS, WINDOW);
            let traffic = |batches, policy| {
                Allocation::new(&circuit, batches, policy, LABELS).traffic(&circuit)
            };
            let ways = [
                traffic(&layers, Policy::DirectlyUsed),
                traffic(&layers, Policy::MostFrequentlyUsed),
                traffic(&layers, Policy::LiveRange),
                traffic(&windows, Policy::LiveRange),
            ];
            Ok((problem.name, ways))
        });
        Ok(Accesses(each.collect::<Result<_, String>>()?))
    }

    /// All accesses as a part.
    pub fn part(&self) -> Part {
        let mut part = Part::new("memory", "accesses of DDR, in the paper's circuits");
        for (name, [direct, frequent, live, windows]) in &self.0 {
            for (what, traffic) in [
                ("directly used, by layers", direct),
                ("most frequently used, by layers", frequent),
                ("live range, by layers", live),
                ("live range, our order", windows),
            ] {
                part.model(&format!("{name}, {what}"), "accesses", None, traffic.ddr() as f64);
                part.note(format!(
                    "{} of them of inputs and outputs",
                    traffic.ddr() - traffic.spilled()
                ));
            }
        }
        part.remark(
            "block RAM holds 120,370 labels (13 Mbit); the paper gives times, but no counts of accesses",
        );
        part.remark(
            "\"our order\" is the circuit's own gate order in windows of 1,024 gates, each window layer by layer",
        );
        part
    }

    /// The targets.
    pub fn targets(&self) -> Vec<Figure> {
        let model = |figure: Figure| Figure { how: How::Model, ..figure };
        let spilled: u64 = self.0.iter().map(|(_, ways)| ways[3].spilled()).sum();
        let largest = self.0.last().map_or(0.0, |(_, [direct, _, live, _])| {
            direct.ddr() as f64 / live.ddr().max(1) as f64
        });
        vec![
            model(
                Figure::measured(
                    "SIFO: DDR accesses, directly used over live range, by layers, 20x20 matrices",
                    "x",
                    largest,
                )
                .at_least(3.0)
                .note("both by our model, with 13 Mbit of block RAM (section 3.4.2; 3.1.3 says 6.75)"),
            ),
            model(
                Figure::measured(
                    "SIFO: DDR accesses but of inputs and outputs, live range, our order, all problems",
                    "accesses",
                    spilled as f64,
                )
                .at_most(0.0),
            ),
        ]
    }
}
