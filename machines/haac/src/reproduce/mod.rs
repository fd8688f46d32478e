//! Reproduces the paper HAAC (Mo, Gopinath and Reagen, ISCA 2023): its tables and figures on our
//! model of its machine, with each number beside the published one, and the targets of the
//! scoreboard.
//!
//! [`published`] has the paper's numbers. [`lab`] runs a program on a machine once. [`vip`] and
//! [`small`] run a program in all required variants, and [`sets`] runs our circuits and the
//! paper's. [`traffic`] counts wires as the paper does. [`tables`], [`figures`] and [`mod@text`]
//! turn the results into [parts](halfgate_record::part). [`headlines`] has the most prominent
//! figures, and [`targets`] the figures for the scoreboard. [`cpu`] measures this processor, and
//! [`mod@dram`] puts a simulated DRAM behind the machine.
//!
//! Memory: one program at a time. `haac:full` needs 24 bytes per gate, and the measurement of the
//! CPU engine all tables of the program.

pub mod cpu;
pub mod dram;
pub mod figures;
pub mod headlines;
pub mod lab;
pub mod published;
pub mod sets;
pub mod small;
pub mod tables;
pub mod targets;
pub mod text;
pub mod traffic;
pub mod vip;

use halfgate_programs::vip::SMALL;
use halfgate_record::part::{Effort, Part, Wanted};
use halfgate_record::record::{Figure, in_part};
use sets::Sets;

/// All parts that can be requested, in the order of printing.
pub const PARTS: [&str; 13] = [
    "headlines",
    "table2",
    "table3",
    "table5",
    "figure6",
    "figure7",
    "figure8",
    "figure9",
    "figure10",
    "text",
    "orders",
    "targets",
    "dram",
];

/// The parts whose rows in the record are reproducible; rows relative to this processor are not.
/// Each program has one or more rows, and takes under two minutes.
pub const CHECKS: [(&str, Effort); 5] = [
    ("headlines", Effort::Minutes),
    ("table2", Effort::Minutes),
    ("table3", Effort::Minutes),
    ("table5", Effort::Seconds),
    ("orders", Effort::Minutes),
];

/// The eight programs in sizes that run within seconds, in the order of
/// [`VIP`](halfgate_programs::vip::VIP).
const QUICK: [&str; 8] = [
    "bubble-sort:6x8",
    "dot-product:4x8",
    "mersenne:2",
    "triangle:5x8",
    "hamming:100",
    "matmult:2x8",
    "relu:8x8",
    "gradient-descent:2x1",
];

/// The requested parts.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)] // One for each of `PARTS`.
pub struct Want {
    pub headlines: bool,
    pub table2: bool,
    pub table3: bool,
    pub table5: bool,
    pub figure6: bool,
    pub figure7: bool,
    pub figure8: bool,
    pub figure9: bool,
    pub figure10: bool,
    pub text: bool,
    pub orders: bool,
    pub targets: bool,
    pub dram: bool,
    /// Use small sizes.
    pub quick: bool,
}

impl Want {
    /// The parts in `names`, or all if it is empty.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn of(names: &[String], quick: bool) -> Result<Want, String> {
        let wanted = Wanted::of(names, &PARTS)?;
        let has = |part: &str| wanted.has(part);
        Ok(Want {
            headlines: has("headlines"),
            table2: has("table2"),
            table3: has("table3"),
            table5: has("table5"),
            figure6: has("figure6"),
            figure7: has("figure7"),
            figure8: has("figure8"),
            figure9: has("figure9"),
            figure10: has("figure10"),
            text: has("text"),
            orders: has("orders"),
            targets: has("targets"),
            // Without the simulator it is left out, unless it is asked for.
            dram: has("dram") && (halfgate_dram::IS_BUILT_IN || !names.is_empty()),
            quick,
        })
    }

    /// Whether the paper's orders are needed.
    fn paper(&self) -> bool {
        self.table2
            || self.table3
            || self.figure6
            || self.figure9
            || self.figure10
            || self.text
            || self.best()
            || self.heads()
    }

    /// Whether the headlines are needed. They are targets as well.
    fn heads(&self) -> bool {
        self.headlines || self.targets
    }

    /// Whether our orders are needed.
    fn best(&self) -> bool {
        self.orders || self.targets
    }

    /// Whether runs on this processor are needed.
    fn cpu(&self) -> bool {
        let figures = self.figure6 || self.figure8 || self.figure9 || self.figure10;
        figures || self.text || self.heads()
    }

    fn vips(&self) -> bool {
        self.paper() || self.figure7 || self.figure8
    }

    fn smalls(&self) -> bool {
        self.table5 || self.targets
    }
}

/// Results of a reproduction.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// Tables and figures.
    pub parts: Vec<Part>,
    /// The targets: those of the requested parts, and possibly more.
    pub targets: Vec<Figure>,
}

/// Runs the requested parts; calls `report` with the progress.
///
/// # Errors
/// Any error that keeps a program from being built, lowered or simulated.
pub fn reproduce(want: &Want, report: &mut dyn FnMut(&str)) -> Result<Reproduced, String> {
    let sets = match want.vips() {
        true => Sets::measure(want, report)?,
        false => Sets::default(),
    };
    let mut smalls = Vec::new();
    if want.smalls() {
        for benchmark in &SMALL {
            report(&format!("{}: {}", benchmark.paper, benchmark.program));
            smalls.push(small::measure(benchmark)?);
        }
    }
    let mut parts = Vec::new();
    let heads = match want.heads() {
        true => headlines::figures(&sets, cpu::block()?),
        false => Vec::new(),
    };
    if want.headlines {
        parts.push(headlines::part(heads.clone()));
    }
    if want.table2 {
        parts.push(sets.part(tables::table2));
    }
    if want.table3 {
        parts.push(sets.part(tables::table3));
    }
    if want.table5 {
        parts.push(tables::table5(&smalls));
    }
    if want.figure6 {
        parts.push(sets.part(figures::figure6));
    }
    if want.figure7 {
        parts.push(sets.part(figures::figure7));
    }
    if want.figure8 {
        parts.push(sets.part(figures::figure8));
    }
    if want.figure9 {
        let machine = lab::machine(16, vip::WINDOW, "hbm2")?;
        parts.push(sets.part(|vips| figures::figure9(vips, &machine)));
    }
    if want.figure10 {
        parts.push(sets.part(figures::figure10));
    }
    if want.text {
        report("re-keying on this processor");
        parts.push(text::text(&sets.ours)?);
    }
    let mut drams = Vec::new();
    if want.dram {
        report("programs with a simulated DRAM");
        let part = dram::part(want, report)?;
        drams = in_part("dram", part.figures.clone());
        parts.push(part);
    }
    let mut targets = in_part("headlines", heads);
    targets.extend(drams);
    targets.extend(targets::targets(&sets, &smalls));
    if want.orders {
        let mut part = Part::new("orders", "our orders beside the paper's, and our encoding");
        part.figures = targets.iter().filter(|row| row.part == part.name).cloned().collect();
        parts.push(part);
    }
    if want.quick {
        for part in &mut parts {
            part.remark("the sizes are not the paper's: this run only shows that all parts work");
        }
    }
    Ok(Reproduced { parts, targets })
}
