//! The published machines, with one pipeline and with several.
//!
//! The paper fixes the following. An AND takes 11 clocks in the garbling engine, a flip-flop or a
//! free gate takes 1. A fetch and decode stage precedes, a write-back stage follows (section 3.4).
//! Netlist cycles do not overlap (section 3.3). As soon as the labels of a pipeline's gate are
//! ready, the pipeline goes on to the next gate that no pipeline holds (section 5.6). Input labels
//! are made two per pipeline and clock (section 5.2). Tables and labels of outputs leave in order
//! (sections 5.7 to 5.9).
//!
//! The paper leaves other parameters open ([`Open`]). We found their values by comparison with the
//! clocks of the public RTL, which has one pipeline, and with the paper's Table 3.
//!
//! [`Code`] is the input of the machine. [`Machine`] runs it clock by clock, on any
//! [`Labels`](super::model::Labels).

mod code;
mod generator;
mod memory;
mod model;
mod outside;

pub use code::{Code, Kind, Operand, Size, Slot, Source};
pub use model::{Machine, Report, Seen};

use super::check::Symbols;
use super::model::Fault;
use super::{Body, Netlist};

/// Clocks from taking an AND, whose labels are then ready, to writing its result: 1 for fetch and
/// decode, 11 for execution.
const AND: u64 = 12;

/// The parameters that the paper leaves open. Their values were fitted to clocks measured
/// elsewhere; [`Code::with`] sets other values, for fitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// Clocks from taking a free gate or a flip-flop to writing its result. 1 means that it
    /// executes in the stage that fetches the next slot. This value was measured, and is enough to
    /// explain Table 3.
    pub free: u64,
    /// Clocks at the end of a netlist cycle, after the last label is written. In the first of them
    /// the machine detects that all labels are written. Then it waits for mask bits (state MASKS)
    /// and resets counters (RSTCOUNTERS). Mask bits leave while gates run, so the number of clocks
    /// does not depend on the number of mask bits. At least 3.
    pub end: u64,
    /// With one pipeline: capacity of the queue of labels that wait for a memory port. The next
    /// gate is taken only if the queue has free space. The paper says only that "the order of
    /// reading and writing is adjusted to suppress stalls".
    pub waiting: usize,
}

impl Open {
    /// The values that the models and the RTL use.
    pub const FOUND: Open = Open { free: 1, end: 10, waiting: 2 };
}

/// Clocks from starting an input label to writing it.
const GENERATE: u64 = 10;

/// Runs `cycles` netlist cycles, and checks every label.
///
/// # Errors
/// If a label is wrong, which would be a bug of this package.
pub fn run(code: &Code, cycles: u64) -> Result<Report, Fault> {
    let mut symbols = Symbols::new(&code.body, cycles);
    let mut machine = Machine::new(code, cycles);
    while machine.clock(&mut symbols, true)? {}
    symbols.finish()?;
    Ok(machine.report())
}

/// Like [`run`], for a netlist without outputs, on `pipelines` pipelines.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// If `pipelines` is 0.
pub fn run_netlist(netlist: &Netlist, cycles: u64, pipelines: usize) -> Result<Report, Fault> {
    run(&Code::new(Body::unread(netlist.clone().without_rings()), pipelines), cycles)
}
