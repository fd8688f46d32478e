//! The published machines, with one pipeline and with several.
//!
//! What the paper fixes: an AND is 11 clocks in the garbling engine between the stage that fetches and decodes
//! and the one that writes back, a flip-flop or a free gate 1 (section 3.4); netlist cycles do not overlap
//! (section 3.3); a pipeline takes the next gate of all as soon as its own has its labels (section 5.6); input
//! labels are made two a pipeline in a clock (section 5.2); tables and labels of outputs leave in order (sections
//! 5.7 to 5.9).
//!
//! What it leaves open was found by comparing with the clocks that the public RTL of one pipeline takes and with
//! the paper's Table 3; a comment says so at each place.
//!
//! [`Code`] is what the machine is given, [`Machine`] runs it clock by clock, on any [`Labels`](super::model::Labels).

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

/// Clocks from the one in which an AND has its labels to the one in which what it made is written: fetch and
/// decode, and 11 of execution.
const AND: u64 = 12;

/// What the paper leaves open, and what was found by comparison with clocks that others have
/// measured. [`Code::with`] has other values, to fit them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// The same as [`AND`] for other gates and for flip-flops, whose stage of execution is the one
    /// that fetches the next: measured, and it takes no more than that to explain Table 3.
    pub free: u64,
    /// Clocks at the end of a netlist cycle, when the last label is written: one in which that is
    /// seen, then mask bits are waited for (state MASKS) and counters reset (RSTCOUNTERS). Mask
    /// bits go out while gates run, so it is not one for each. At least 3.
    pub end: u64,
    /// With one pipeline: labels that wait for a port of the memory to be written through. The next
    /// gate is taken only if there is room. (The paper: "the order of reading and writing is
    /// adjusted to suppress stalls".)
    pub waiting: usize,
}

impl Open {
    /// What the machines have, in the RTL too.
    pub const FOUND: Open = Open { free: 1, end: 10, waiting: 2 };
}

/// Clocks from the one in which an input label begins to be made to the one in which it is written.
const GENERATE: u64 = 10;

/// What a machine takes for `cycles` netlist cycles, and whether what it makes is right.
///
/// # Errors
/// If a label is not what it should be, which would be a fault of ours.
pub fn run(code: &Code, cycles: u64) -> Result<Report, Fault> {
    let mut symbols = Symbols::new(&code.body, cycles);
    let mut machine = Machine::new(code, cycles);
    while machine.clock(&mut symbols, true)? {}
    symbols.finish()?;
    Ok(machine.report())
}

/// The same for a netlist of which nobody wants an output, on `pipelines` pipelines.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// If there is no pipeline.
pub fn run_netlist(netlist: &Netlist, cycles: u64, pipelines: usize) -> Result<Report, Fault> {
    run(&Code::new(Body::unread(netlist.clone().without_rings()), pipelines), cycles)
}
