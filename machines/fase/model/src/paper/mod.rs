//! The published machines, with one pipeline and with several.
//!
//! The paper fixes the following. An AND takes 11 clocks in the garbling engine, between the stage
//! that fetches and decodes and the one that writes back; a flip-flop or a free gate takes 1
//! (section 3.4). Netlist cycles do not overlap (section 3.3). A pipeline takes the next free gate
//! as soon as its own gate has its labels (section 5.6). Input labels are made two per pipeline
//! and clock (section 5.2). Tables and labels of outputs leave in order (sections 5.7 to 5.9).
//!
//! The paper leaves other parameters open. They were found by comparison with the clocks of the
//! public RTL of one pipeline and with the paper's Table 3; a comment marks each.
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

/// Clocks from the one in which an AND has its labels to the one in which its result is written:
/// fetch and decode, and 11 of execution.
const AND: u64 = 12;

/// The parameters that the paper leaves open, found by comparison with clocks measured elsewhere.
/// [`Code::with`] sets other values, to fit them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// Like [`AND`], for free gates and flip-flops. Their execution stage is the one that fetches
    /// the next slot. This was measured, and no more is needed to explain Table 3.
    pub free: u64,
    /// Clocks at the end of a netlist cycle, after the last label is written: one detects this,
    /// then mask bits are waited for (state MASKS) and counters are reset (RSTCOUNTERS). Mask bits
    /// leave while gates run, so they take no clock each. At least 3.
    pub end: u64,
    /// With one pipeline: capacity of the queue of labels that wait for a memory port. The next
    /// gate is taken only if the queue has free space. (The paper: "the order of reading and
    /// writing is adjusted to suppress stalls".)
    pub waiting: usize,
}

impl Open {
    /// The values of the machines, also in the RTL.
    pub const FOUND: Open = Open { free: 1, end: 10, waiting: 2 };
}

/// Clocks from the one in which an input label is started to the one in which it is written.
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
