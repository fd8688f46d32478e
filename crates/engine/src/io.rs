//! What an engine needs from whoever runs it, a piece at a time.
//!
//! **Order of inputs.** Both roles ask for input bits in the program's own order of first use, so
//! that the two parties agree on it whatever machine each has: first the input bits that
//! initialise flip-flops, in the order of the flip-flops; then each input bit where a gate first
//! names it (first operand before second), in program order; then those that only `next` bits of
//! flip-flops name, in order; then those that only outputs name, in order. A per-run input bit is
//! asked for once a run, a per-cycle one once a cycle (in each cycle in the same order). Bits that
//! nothing reads are never asked for. How many bits come in one call is the engine's affair.
//!
//! **A program that skips** asks for the constant in any case, and for all input bits of a cycle whether a gate that is
//! left reads them or not. Of an output bit that is public the label is that of the constant, for the garbler inverted
//! if the bit is 1.
//!
//! **Cycles** do not overlap. An engine that has begun a cycle (asked for an input bit, given an output,
//! wanted room for tables or tables) has made or used all tables of the cycles before, asked for all
//! their input bits and given all their outputs, and no piece of tables spans two cycles. When inputs,
//! tables and outputs come within a cycle is the engine's affair, and the parties' engines need not do
//! the same.

use crate::{IoError, LabelSeed};
pub use halfgate_circuit::first_uses;
use halfgate_circuit::{Circuit, Init, Wire};
use halfgate_kernels::{Label, Suite};

/// The public randomness of one garbling: which suite, and `S` (`half-gates`) or the key `K` of π
/// (fixed-key suites).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunKey {
    /// The suite.
    pub suite: Suite,
    /// S or K: public, random, drawn for each run.
    pub point: u128,
}

/// What was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Gates of the program, all kinds, all cycles.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// Runs of the body.
    pub cycles: u64,
}

/// Whether a flip-flop of `circuit` starts with a constant or takes one, so that there must be a label for it.
pub fn needs_constant(circuit: &Circuit) -> bool {
    let constant = |init| matches!(init, Init::Constant(_));
    let mut flip_flops = circuit.flip_flops.iter();
    flip_flops.any(|found| constant(found.init) || found.next.as_constant().is_some())
}

/// The garbler's side. An error returned here ends the run and reaches its caller.
pub trait GarblerIo {
    /// Fills `labels[i]` with the false label of input bit `bits[i]` in `cycle`, having made sure
    /// that the evaluator gets the active one.
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError>;

    /// The label of a public constant 0, which the evaluator gets as it is. Asked for at most
    /// once a run, before anything else, if a flip-flop starts with a constant or has one next, or the program
    /// skips.
    fn constant(&mut self) -> Result<Label, IoError>;

    /// What [`false_labels`](GarblerIo::false_labels) gives, before it is asked: the seed of all labels of
    /// the run, for a machine that makes them itself. The bits must be asked for all the same, in their
    /// order. `None` if the labels come from no seed.
    fn label_seed(&mut self) -> Option<LabelSeed> {
        None
    }

    /// Room for `bytes` bytes of tables, to be filled before the next call of any method. Tables
    /// come in program order.
    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError>;

    /// The room last given has been filled.
    fn tables_ready(&mut self) -> Result<(), IoError>;

    /// False labels of output bits (numbered through all outputs, in order) in `cycle`. Constants
    /// have none and never appear; a bit that is an inverted wire comes with the inversion
    /// applied. A per-run output appears in the last cycle only. All outputs of a cycle come before
    /// those of the next.
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;

    /// Called by an engine that runs a program that [skips](halfgate_compiler::skip), and before anything else
    /// of `cycle`: how many bytes of tables it has.
    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        let _ = (cycle, table_bytes);
        Ok(())
    }

    /// Something that the user may want to know.
    fn note(&mut self, what: &str) -> Result<(), IoError> {
        let _ = what;
        Ok(())
    }

    /// Called now and then with the number of cycles and ANDs done, those counted that were skipped.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        let _ = (cycles, ands);
        Ok(())
    }
}

/// The evaluator's side. An error returned here ends the run and reaches its caller.
pub trait EvaluatorIo {
    /// Fills `labels[i]` with the active label of input bit `bits[i]` in `cycle`.
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError>;

    /// The label that the garbler sent for a public constant 0.
    fn constant(&mut self) -> Result<Label, IoError>;

    /// The next `bytes` bytes of tables.
    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError>;

    /// Active labels of output bits: see [`GarblerIo::output`].
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;

    /// Called by an engine that runs a program that [skips](halfgate_compiler::skip), and before anything else
    /// of `cycle`: how many bytes of tables it has.
    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        let _ = (cycle, table_bytes);
        Ok(())
    }

    /// Something that the user may want to know.
    fn note(&mut self, what: &str) -> Result<(), IoError> {
        let _ = what;
        Ok(())
    }

    /// Called now and then with the number of cycles and ANDs done, those counted that were skipped.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        let _ = (cycles, ands);
        Ok(())
    }
}
