//! The fastest of several lowerings, by the cycle model.
//!
//! A copy saves bytes and costs an instruction; a no-op saves waiting and costs bytes. So the best
//! choice depends on the machine's bottleneck: with a slow memory, wires should stay in the window
//! for long. If engines never wait for memory, every additional instruction costs time.

use super::assign::{Engines, Timing};
use super::{Assignment, Copies, LowerError, Lowering, lower, pass};
use crate::code::Code;
use crate::encoding::Encoding;
use crate::issue::NoSink;
use crate::machine::Machine;
use crate::model::packed::Packed;
use crate::model::{self, Options, fast};
use crate::report::Report;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use std::convert::Infallible;
use thiserror::Error;

/// The target of the code.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The role: garbler or evaluator.
    pub role: Party,
    /// The encoding of the instructions.
    pub encoding: Encoding,
}

/// The fastest code that was found.
#[derive(Debug)]
pub struct Choice {
    /// The code.
    pub code: Code,
    /// The lowering's parameters. An assignment by simulation is kept here even if round robin was
    /// faster in the small model.
    pub how: Lowering,
    /// The model's report on the code.
    pub report: Report,
}

/// Why no lowering was chosen.
#[derive(Debug, Error)]
pub enum ChooseError {
    /// The program cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// The model does not run the code.
    #[error(transparent)]
    Model(#[from] model::Error<Infallible>),
}

/// The placements of copies that are tried, after the one without copies.
const COPIES: [Copies; 4] = [
    Copies::Auto,
    Copies::Keep { halves: 1 },
    Copies::Keep { halves: 3 },
    Copies::Keep { halves: 5 },
];

/// Lowers `program` in several ways and returns the fastest code, of equals the first. Copies and
/// assignment vary; the rest is as in `how`. The first lowerings have engines in turn, without
/// copies and then with more and more copies. The last one has the copies of the fastest of these,
/// and an assignment by simulation.
///
/// Memory: that of two lowerings.
///
/// # Errors
/// If the program cannot be lowered, or the machine is impossible.
pub fn choose(program: &Program, goal: Goal<'_>, how: Lowering) -> Result<Choice, ChooseError> {
    let shape = goal.machine.shape;
    let plain = Lowering { copies: Copies::Never, assignment: Assignment::RoundRobin, ..how };
    let mut best = goal.time(lower(program, shape, plain)?, plain)?;
    let mut last = best.code.stats;
    let to_copy = if last.oor_reads > 0 { &COPIES[..] } else { &[] };
    for &copies in to_copy {
        let how = Lowering { copies, ..plain };
        let code = lower(program, shape, how)?;
        if code.stats != last {
            last = code.stats;
            best = best.or(goal.time(code, how)?);
        }
    }
    let timing = Timing::of(goal.machine, goal.role);
    let how = Lowering { assignment: Assignment::Simulated(timing), ..best.how };
    let (code, _) = pass(program, shape, how, Engines::simulated(shape, timing), true)?;
    if code.stats.nops > best.code.stats.nops {
        best = best.or(goal.time(code, how)?);
    }
    Ok(best)
}

impl Goal<'_> {
    fn time(self, code: Code, how: Lowering) -> Result<Choice, ChooseError> {
        let packed = Packed::of(&code, self.encoding).map_err(model::Error::Io)?;
        let options = Options::new(self.role);
        let report = fast::run(&code, self.machine, &options, &mut packed.sizes(), &mut NoSink)?;
        Ok(Choice { code, how, report })
    }
}

impl Choice {
    fn or(self, other: Choice) -> Choice {
        if other.report.cycles < self.report.cycles { other } else { self }
    }
}
