//! The fastest of several lowerings, by the cycle model.
//!
//! Copies spare bytes and cost instructions, no-ops spare waiting and cost bytes, so what is best
//! depends on what the machine lacks: a memory that is slow wants wires kept in the window for long,
//! and engines that have nothing to wait for want no instruction more than the program's.

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

/// What the code is for.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Garbler or evaluator.
    pub role: Party,
    /// How instructions are encoded.
    pub encoding: Encoding,
}

/// The fastest code that was found.
#[derive(Debug)]
pub struct Choice {
    /// The code.
    pub code: Code,
    /// How the program was lowered. An assignment by simulation has no-ops without a comparison.
    pub how: Lowering,
    /// What the model says of it.
    pub report: Report,
}

/// Why nothing was chosen.
#[derive(Debug, Error)]
pub enum ChooseError {
    /// The program cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// The model does not run the code.
    #[error(transparent)]
    Model(#[from] model::Error<Infallible>),
}

/// Ways to place copies, after none at all.
const COPIES: [Copies; 4] = [
    Copies::Auto,
    Copies::Keep { halves: 1 },
    Copies::Keep { halves: 3 },
    Copies::Keep { halves: 5 },
];

/// Lowers `program` as `how` says but for copies and assignment, in several ways: without copies and
/// with more and more of them, each engine in turn; and the fastest of these also with an assignment by
/// simulation. Of equals the first is taken.
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
