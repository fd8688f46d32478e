//! The paper's overlays step by step (Tables 5 to 9 and 11), on the model, with two fitted
//! constants.
//!
//! Values from the paper's text are fixed: 50 ns per register, 180 ns for DDR, 82 clock cycles per
//! AND, the clocks, the cells, and the block RAM. The text does not give the time that the host
//! takes to notice that the overlay has finished, and to continue. We call this time `R` after each
//! XOR of the base design, and `S` after all other waits. Both are fitted on the multipliers of 8,
//! 16 and 32 bits. A modelled time is the time without waits, plus the number of waits times `R` or
//! `S`.

use super::published::{Problem, Times, problems, times};
use halfgate_overlay_model::model::{Board, Shape, Timing, Waits};
use halfgate_overlay_model::{Cells, Overlay, Policy};
use halfgate_programs::published;

/// Labels in the board's block RAM: 13 Mbit in words of 108 bits.
pub const LABELS: u32 = 13_000_000 / 108;

/// A step of the paper's optimisations: a column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Name of the table.
    pub table: &'static str,
    /// What the step changes.
    pub what: &'static str,
    cells: Cells,
    /// Words of block RAM that commands use, and the policy for their labels.
    block_ram: u32,
    policy: Policy,
    /// Whether the host waits for a handshake after each XOR.
    checks_xors: bool,
    /// Whether registers are queued and have their own clock.
    pipelined: bool,
    /// Selects the step's published time from a problem's row.
    published: fn(&Times) -> Option<f64>,
    /// Problems with a published time, if not all have one.
    only: &'static [&'static str],
}

const BASE: Step = Step {
    table: "table5",
    what: "5 ANDs",
    cells: Cells { ands: 5, xors: 1 },
    block_ram: 0,
    policy: Policy::DirectlyUsed,
    checks_xors: true,
    pipelined: false,
    published: |times| times.and5,
    only: &[],
};

const TEN: Cells = Cells { ands: 10, xors: 1 };

/// All published steps, in the paper's order.
pub const STEPS: [Step; 9] = [
    BASE,
    Step { what: "10 ANDs", cells: TEN, published: |times| times.and10, ..BASE },
    Step {
        table: "table6",
        what: "10 ANDs, no check of XORs",
        cells: TEN,
        checks_xors: false,
        published: |times| times.no_check,
        ..BASE
    },
    Step {
        table: "table7",
        what: "10 ANDs, block RAM directly used",
        block_ram: LABELS,
        published: |times| times.hybrid,
        ..WITHOUT_CHECK
    },
    Step {
        table: "table8",
        what: "10 ANDs, block RAM most frequently used",
        block_ram: LABELS,
        policy: Policy::MostFrequentlyUsed,
        published: |times| times.most_frequent(),
        ..WITHOUT_CHECK
    },
    Step {
        what: "5 of each",
        cells: Cells { ands: 5, xors: 5 },
        published: |_| Some(18_677.0),
        ..NINE
    },
    Step {
        what: "10 of each",
        cells: Cells { ands: 10, xors: 10 },
        published: |_| Some(14_888.0),
        ..NINE
    },
    Step { what: "15 of each", published: |_| Some(12_252.0), ..NINE },
    Step { table: "table11", what: "15 of each", published: |times| times.last, only: &[], ..NINE },
];

const WITHOUT_CHECK: Step = Step { cells: TEN, checks_xors: false, ..BASE };

const NINE: Step = Step {
    table: "table9",
    cells: Cells { ands: 15, xors: 15 },
    block_ram: LABELS,
    checks_xors: false,
    pipelined: true,
    only: &["multiplier-full:64"],
    ..BASE
};

/// The problems on which the two constants are fitted.
const FITTED: [&str; 3] = ["multiplier-full:8", "multiplier-full:16", "multiplier-full:32"];

impl Step {
    /// The overlay of this step. Its host waits as in the paper, but continues without delay.
    pub fn overlay(&self) -> Overlay {
        let paper = Overlay::named("overlay-paper").expect("a built-in overlay");
        let zero = Some(0.0);
        let waits = match (self.checks_xors || self.pipelined, zero) {
            (true, zero) => Waits { each_xors: zero, layer_xors: None, each_ands: zero },
            (false, zero) => Waits { each_xors: None, layer_xors: zero, each_ands: zero },
        };
        let shape = Shape { cells: self.cells, batch: self.cells, ..paper.shape };
        let board = Board { waits, ..paper.board };
        let (shape, board) = match self.pipelined {
            true => (shape, board),
            false => (
                Shape { depth: 4, link_clock: false, hold: true, ..shape },
                Board { link_mhz: board.clock_mhz, ..board },
            ),
        };
        Overlay { shape, board, block_ram: self.block_ram, policy: self.policy, ..paper }
    }
}

/// One time: a problem in a step.
#[derive(Clone, Debug)]
pub struct Row {
    /// The step.
    pub step: Step,
    /// The problem.
    pub problem: Problem,
    /// Published time in microseconds.
    pub published: f64,
    /// Modelled time without the host's waits, in microseconds.
    pub base: f64,
    /// Number of waits that take `R`, and number that take `S`.
    pub waits: [f64; 2],
}

impl Row {
    /// Modelled time with these `R` and `S`, all in microseconds.
    pub fn time(&self, fitted: [f64; 2]) -> f64 {
        self.base + self.waits[0] * fitted[0] + self.waits[1] * fitted[1]
    }

    /// Whether `R` and `S` are fitted on this row.
    pub fn is_fitted(&self) -> bool {
        FITTED.contains(&self.problem.spec)
    }
}

/// Runs all steps on the model.
///
/// # Errors
/// If a circuit cannot be built or the model fails.
pub fn rows(report: &mut dyn FnMut(&str)) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (problem, times) in problems().into_iter().zip(times()) {
        // Row 11 fits no known circuit.
        if problem.spec == "matmult:10x4" {
            continue;
        }
        let circuit = published::build(problem.spec).map_err(|error| error.to_string())?;
        for step in STEPS {
            let is_there = step.only.is_empty() || step.only.contains(&problem.spec);
            let Some(published) = (step.published)(&times).filter(|_| is_there) else { continue };
            report(&format!("{}, {}: {}", step.table, step.what, problem.name));
            let overlay = step.overlay();
            let plan = overlay.plan(&circuit).map_err(|error| error.to_string())?;
            let timing = Timing::of(&overlay, &plan).map_err(|error| error.to_string())?;
            let [xors, ands] = plan.waits(overlay.board.waits).map(|count| count as f64);
            let waits = if step.checks_xors { [xors, ands] } else { [0.0, xors + ands] };
            rows.push(Row { step, problem, published, base: timing.ns / 1000.0, waits });
        }
    }
    Ok(rows)
}

/// Fits `R` and `S`, in microseconds: least squares of the relative differences from the published
/// times.
pub fn fit(rows: &[Row]) -> [f64; 2] {
    // (a b; b c) (R; S) = (d; e)
    let [mut a, mut b, mut c, mut d, mut e] = [0.0; 5];
    for row in rows.iter().filter(|row| row.is_fitted()) {
        let [r, s] = row.waits.map(|count| count / row.published);
        let left = 1.0 - row.base / row.published;
        (a, b, c) = (a + r * r, b + r * s, c + s * s);
        (d, e) = (d + r * left, e + s * left);
    }
    let determinant = a * c - b * b;
    [(d * c - b * e) / determinant, (a * e - b * d) / determinant]
}
