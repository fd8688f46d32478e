//! Runs a netlist on all machines.

use super::netlists::Found;
use super::published::Row;
use halfgate_fase_model::code::Size;
use halfgate_fase_model::{Code, Schedule, Shape, model, paper};

/// The clock cycles of all machines.
pub struct Clocks {
    /// The paper's row.
    pub row: Row,
    /// The published machines, with one pipeline and with two.
    pub paper: [paper::Report; 2],
    /// The published machines on the gates in the order of our schedule for the same number of
    /// pipelines.
    pub in_our_order: [paper::Report; 2],
    /// [`Shape::best`] with 1 to 4 pipelines.
    pub best: Vec<Scheduled>,
    /// [`Shape::wide`] with 1, 2 and 4 pipelines.
    pub wide: Vec<Scheduled>,
    /// Gates executed in all netlist cycles.
    pub gates: u64,
}

/// The result of a schedule.
pub struct Scheduled {
    /// Number of pipelines.
    pub pipelines: u32,
    /// Clock cycles that the machine takes.
    pub clocks: u64,
    /// A lower bound for the clock cycles: the number of gates divided by the number of pipelines,
    /// or the longest chain of dependent gates if that takes longer.
    pub bound: u64,
    /// Whether the code fits a machine with the capacity of the published one.
    pub fits: bool,
    /// For a single netlist cycle, the fewest clock cycles that any schedule can take, without
    /// set-up.
    pub least: Option<u64>,
}

impl Scheduled {
    fn of(found: &Found, shape: Shape) -> Result<Scheduled, String> {
        let (netlist, cycles) = (&found.netlist, found.row.cycles);
        let name = found.row.name;
        let code =
            Code::of(&found.circuit, shape, cycles).map_err(|error| format!("{name}: {error}"))?;
        let report = model::run(&code, cycles)
            .map_err(|fault| format!("{name}: the code is wrong: {fault}"))?;
        let gates = netlist.gates.len() as u64 * cycles;
        let path = netlist.critical_path(cycles, shape.and.into(), shape.xor.into());
        let bound = gates.div_ceil(shape.pipelines.into()).max(path);
        // `least_clocks` assumes slots that take any gate.
        let least = (cycles == 1 && shape.xors == 0).then(|| {
            netlist.least_clocks(shape.pipelines.into(), shape.and.into(), shape.xor.into())
        });
        let (pipelines, clocks) = (shape.pipelines, report.clocks);
        let fits = code.fits(Size::published(shape)).is_ok();
        Ok(Scheduled { pipelines, clocks, bound, fits, least })
    }

    /// Clock cycles divided by the bound.
    pub fn over_bound(&self) -> f64 {
        self.clocks as f64 / self.bound as f64
    }
}

impl Clocks {
    /// Runs `found` on all machines.
    ///
    /// # Errors
    /// If there is no schedule, or it is wrong.
    pub fn of(found: &Found) -> Result<Clocks, String> {
        let (netlist, row) = (&found.netlist, found.row);
        let all = |shapes: &[Shape]| -> Result<Vec<Scheduled>, String> {
            shapes.iter().map(|&shape| Scheduled::of(found, shape)).collect()
        };
        let in_our_order = |pipelines: usize| -> Result<paper::Report, String> {
            // The schedule is for one run of the body, because netlist cycles of the published
            // machine do not overlap.
            let schedule = Schedule::of(netlist, Shape::best(pipelines as u32), 1);
            let schedule = schedule.map_err(|error| format!("{}: {error}", row.name))?;
            let netlist = netlist.in_order(&schedule.times);
            paper::run_netlist(&netlist, row.cycles, pipelines).map_err(|fault| fault.to_string())
        };
        let published = |pipelines: usize| -> Result<paper::Report, String> {
            let code = paper::Code::of(&found.circuit, pipelines);
            let report = paper::run(&code, row.cycles);
            report.map_err(|fault| format!("{}: {fault}", row.name))
        };
        Ok(Clocks {
            in_our_order: [in_our_order(1)?, in_our_order(2)?],
            row,
            paper: [published(1)?, published(2)?],
            best: all(&[1, 2, 3, 4].map(Shape::best))?,
            wide: all(&[1, 2, 4].map(Shape::wide))?,
            gates: netlist.gates.len() as u64 * row.cycles,
        })
    }

    /// Returns for each machine its name, the published clock cycles if any, and the actual ones.
    pub fn rows(&self) -> Vec<(String, Option<f64>, u64)> {
        let plural = |pipelines: u32| if pipelines == 1 { "" } else { "s" };
        let ours = |name: &str, all: &[Scheduled]| -> Vec<(String, Option<f64>, u64)> {
            let row = |found: &Scheduled| {
                let (count, s) = (found.pipelines, plural(found.pipelines));
                (format!("{name}, {count} pipeline{s}"), None, found.clocks)
            };
            all.iter().map(row).collect()
        };
        let published = [self.row.one, self.row.two];
        let paper =
            self.paper.iter().zip(published).zip(1..).map(|((report, published), count)| {
                (
                    format!("paper, {count} pipeline{}", plural(count)),
                    Some(published),
                    report.clocks,
                )
            });
        let reordered = self.in_our_order.iter().zip(1..).map(|(report, count)| {
            (format!("paper, {count} pipeline{}, our order", plural(count)), None, report.clocks)
        });
        let paper: Vec<_> = paper.collect();
        paper
            .into_iter()
            .chain(reordered)
            .chain(ours("best", &self.best))
            .chain(ours("wide", &self.wide))
            .collect()
    }

    /// Describes the stalls of the published machine with one pipeline.
    pub fn note(&self) -> String {
        let report = self.paper[0];
        let percent = |clocks: u64| clocks as f64 / report.clocks as f64 * 100.0;
        format!(
            "paper, 1 pipeline: {:.1} % of its clocks wait for ports, {:.1} % for labels",
            percent(report.port_stalls),
            percent(report.dependency_stalls)
        )
    }

    /// Clock cycles of the machine with `pipelines` pipelines among [`best`](Clocks::best).
    pub fn best_of(&self, pipelines: u32) -> u64 {
        self.best.iter().find(|found| found.pipelines == pipelines).map_or(0, |found| found.clocks)
    }
}
