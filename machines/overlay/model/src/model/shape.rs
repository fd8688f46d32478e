//! Parameters of an overlay's build.

use crate::place::{ONE, ZERO};
use crate::{Build, Cells, Form, Place};
use std::fmt;

/// Suites that the AND cells support.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AndCells {
    /// `grr3-sha1` as published: four hashes of 82 clock cycles, one AND at a time.
    Rows,
    /// `half-gates` in a pipeline: one AND per clock cycle.
    HalfGates,
    /// Both suites; a run uses one of them.
    Both,
}

/// Parameters of an overlay's build. They are the parameters of `machines/overlay/rtl/overlay.sv`,
/// which describes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Gates that are executed in parallel, 1 to [`MOST_LANES`].
    pub lanes: u32,
    /// Number of cells of each kind, multiples of the lanes.
    pub cells: Cells,
    /// Suites that the AND cells support.
    pub and_cells: AndCells,
    /// Clock cycles of an AND under `half-gates`.
    pub latency: u32,
    /// Number of banks of block RAM, a power of two.
    pub banks: u32,
    /// Labels per bank, a power of two.
    pub rows: u32,
    /// Maximum number of groups that wait for operands or for cells, a power of two.
    pub slots: u32,
    /// Maximum number of groups in the cells or with results to write, a power of two.
    pub entries: u32,
    /// Words of 32 bits that the link transfers in a clock cycle.
    pub words: u32,
    /// Capacity of the queue of words.
    pub depth: u32,
    /// Whether the link has a clock of its own.
    pub link_clock: bool,
    /// Whether each step of a gate waits for the step before, as published.
    pub serial: bool,
    /// Whether no register is written while a command is in progress, as first published.
    pub hold: bool,
    /// Maximum number of gates of a batch. If [serial](Shape::serial), this is the number of cells.
    pub batch: Cells,
}

/// Maximum number of lanes.
pub const MOST_LANES: usize = 16;

/// Clock cycles of an AND under `grr3-sha1`.
pub const ROWS_LATENCY: u32 = 82;

/// Maximum number of requests without a response at a port of DDR.
pub(super) const PORT_DEPTH: usize = 64;

/// Why a shape is impossible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} of an overlay must be {wanted}, not {is}")]
pub struct ShapeError {
    what: &'static str,
    wanted: String,
    is: u32,
}

impl Shape {
    /// The overlay as finally published (Table 11): 15 AND cells, 15 XOR cells, two clocks, a queue
    /// of words.
    pub const PUBLISHED: Shape = Shape {
        lanes: 1,
        cells: Cells { ands: 15, xors: 15 },
        and_cells: AndCells::Rows,
        latency: 21,
        banks: 1,
        // The board's 13 Mbit are 120,370 words of 108 bits. This is the next power of two;
        // commands use only 120,370 words.
        rows: 1 << 17,
        slots: 16,
        entries: 64,
        words: 1,
        depth: 64,
        link_clock: true,
        serial: true,
        hold: false,
        batch: Cells { ands: 15, xors: 15 },
    };

    /// Checks that an overlay of this shape is possible.
    ///
    /// # Errors
    /// If a parameter is impossible; the error names it.
    pub fn check(&self) -> Result<(), ShapeError> {
        let lanes = self.lanes;
        let at_least = |what, is: u32, least: u32| match is >= least {
            true => Ok(()),
            false => Err(ShapeError { what, wanted: format!("{least} or more"), is }),
        };
        let within = |what, is: u32, least: u32, most: u32| match (least..=most).contains(&is) {
            true => Ok(()),
            false => Err(ShapeError { what, wanted: format!("{least} to {most}"), is }),
        };
        let power = |what, is: u32, least: u32, most: u32| match is.is_power_of_two()
            && (least..=most).contains(&is)
        {
            true => Ok(()),
            false => Err(ShapeError {
                what,
                wanted: format!("a power of two from {least} to {most}"),
                is,
            }),
        };
        within("lanes", lanes, 1, if self.serial { 1 } else { MOST_LANES as u32 })?;
        for (what, is) in [("AND cells", self.cells.ands), ("XOR cells", self.cells.xors)] {
            within(what, is, 1, 1 << 10)?;
            if is % lanes != 0 {
                return Err(ShapeError {
                    what,
                    wanted: format!("a multiple of its {lanes} lanes"),
                    is,
                });
            }
        }
        within("the latency of half gates", self.latency, 2, 64)?;
        power("banks", self.banks, 1, 64)?;
        power("labels of a bank", self.rows, 2, 1 << 20)?;
        power("groups waiting for operands", self.slots, 2, 256)?;
        power("groups in cells", self.entries, 2, 1 << 12)?;
        within("words of the link", self.words, 1, 64)?;
        // The queue must hold a whole group of ANDs and the words that arrive in the same clock
        // cycle. A serial overlay takes its words one after the other.
        let group = 4 * lanes;
        at_least(
            "the capacity of the queue of words",
            self.depth,
            if self.serial { group } else { group + self.words },
        )?;
        within("ANDs of a batch", self.batch.ands, 1, 1 << 20)?;
        within("XORs of a batch", self.batch.xors, 1, 1 << 20)?;
        if self.serial {
            // A whole batch must be in the cells or have its results before any label of it is
            // written.
            let most = self.entries;
            within("ANDs of a serial batch", self.batch.ands, 1, most)?;
            within("XORs of a serial batch", self.batch.xors, 1, most)?;
        }
        Ok(())
    }

    /// Capacity of block RAM in labels.
    pub fn block_ram(&self) -> u32 {
        self.banks * self.rows
    }

    /// Whether the overlay knows the label at `place`, that of a constant, without reading it.
    pub(super) fn knows(&self, place: Place) -> bool {
        !self.serial && matches!(place, ZERO | ONE)
    }

    /// The build whose streams of commands use `block_ram` labels of block RAM.
    pub fn build(&self, block_ram: u32, form: Form) -> Build {
        Build { cells: self.batch, block_ram, form }
    }

    /// Clock cycles of an AND.
    pub(super) fn and_latency(&self, half_gates: bool) -> u64 {
        if half_gates { self.latency.into() } else { ROWS_LATENCY.into() }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cells { ands, xors } = self.cells;
        let what = match self.and_cells {
            AndCells::Rows => "grr3-sha1",
            AndCells::HalfGates => "half-gates",
            AndCells::Both => "both suites",
        };
        let way = if self.serial { "one step after the other" } else { "flowing" };
        let lanes = if self.lanes == 1 { "lane" } else { "lanes" };
        write!(f, "{ands} AND cells ({what}), {xors} XOR cells, {} {lanes}, {way}", self.lanes)
    }
}
