//! Cycle models: the execution of a lowered program on a machine, and its time.
//!
//! There are two, written independently and tested to be equal in cycles and every counter.
//! [`exact`] works stage by stage like the hardware and carries wire addresses through slots,
//! latches, bus, queues and memory. [`fast`] keeps times only and skips cycles in which nothing can
//! happen. Both implement `machines/haac/spec/machine.md`.
//!
//! Read [`config`] (the numbers from a description), [`rows`] (the instruction stream), then
//! [`exact`], then [`fast`]. [`attached`] is a memory with times of its own behind either, with a
//! [`layout`] of streams and [`places`] of labels. [`bounds`] has lower bounds of a run, [`energy`]
//! its energy, and [`trace`] shows it.

pub mod attached;
pub mod bounds;
pub mod config;
pub mod energy;
pub mod exact;
pub mod fast;
pub mod layout;
pub mod packed;
pub mod places;
pub mod rows;
pub mod trace;

use halfgate_circuit::Party;
use std::io;

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The machine's role: garbler or evaluator.
    pub role: Party,
    /// Starts with full queues of instructions, tables and out-of-range addresses, and with the
    /// inputs in the window. The figures of the paper's Table 5 evidently do so.
    pub preloaded: bool,
}

impl Options {
    /// A cold start in `role`.
    pub fn new(role: Party) -> Options {
        Options { role, preloaded: false }
    }
}

/// Why a model stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error<E> {
    /// The machine's numbers are impossible.
    #[error("machine: {0}")]
    Machine(config::ConfigError),
    /// The code was lowered for another machine, or is inconsistent.
    #[error("code: {0}")]
    Code(rows::CodeError),
    /// A temporary file could not be read.
    #[error("reading the code: {0}")]
    Io(#[from] io::Error),
    /// Nothing can happen any more, though the program has not ended.
    #[error("stuck from cycle {cycle} on: engine {engine} waits for ever ({waits_for})")]
    Stuck {
        /// The last cycle in which something happened.
        cycle: u64,
        /// The engine with the oldest instruction.
        engine: u32,
        /// The event for which it waits.
        waits_for: &'static str,
    },
    /// An output's label was never written to memory.
    #[error("output wire {address} is not in memory at the end")]
    Output {
        /// Its address.
        address: u32,
    },
    /// The sink's own error.
    #[error("{0}")]
    Sink(E),
}

/// Why an engine did not issue in a cycle; see [`Causes`](crate::report::Causes).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The fields of `Causes` document them.
pub enum Cause {
    Issue,
    Operand,
    Bank,
    Interlock,
    OorEmpty,
    Input,
    Table,
    LiveFull,
    WritePort,
    Instructions,
    Behind,
    Nop,
    Finished,
}

impl Cause {
    /// Number of causes.
    pub const COUNT: usize = 13;

    /// All causes, in the order of their numbers.
    pub const ALL: [Cause; Cause::COUNT] = [
        Cause::Issue,
        Cause::Operand,
        Cause::Bank,
        Cause::Interlock,
        Cause::OorEmpty,
        Cause::Input,
        Cause::Table,
        Cause::LiveFull,
        Cause::WritePort,
        Cause::Instructions,
        Cause::Behind,
        Cause::Nop,
        Cause::Finished,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        crate::report::Causes::default().named()[self as usize].0
    }

    /// The counts in the form of a report.
    pub fn report(counts: &[u64; Cause::COUNT]) -> crate::report::Causes {
        let count = |cause: Cause| counts[cause as usize];
        crate::report::Causes {
            issue: count(Cause::Issue),
            operand: count(Cause::Operand),
            bank: count(Cause::Bank),
            interlock: count(Cause::Interlock),
            oor_empty: count(Cause::OorEmpty),
            input: count(Cause::Input),
            table: count(Cause::Table),
            live_full: count(Cause::LiveFull),
            write_port: count(Cause::WritePort),
            instructions: count(Cause::Instructions),
            behind: count(Cause::Behind),
            nop: count(Cause::Nop),
            finished: count(Cause::Finished),
        }
    }
}
