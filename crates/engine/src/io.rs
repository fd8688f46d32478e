//! The input and output of an engine, supplied by its caller piece by piece.
//!
//! **Order of inputs.** Both roles request input bits in the program's own order of first use, so
//! that the two parties agree on it, whichever engines they use. First come the input bits that
//! initialise flip-flops, in the order of the flip-flops. Then comes each input bit where a gate
//! first names it (first operand before second), in program order. Then come the input bits that
//! only `next` bits of flip-flops name, in order. The last are the input bits that only outputs
//! name, in order. A per-run input bit is requested once per run, a per-cycle one once per cycle,
//! in the same order in each cycle. Bits that nothing reads are never requested. The engine chooses
//! how many bits it requests in one call.
//!
//! **A program that skips** always requests the constant, and all input bits of a cycle whether or
//! not a remaining gate reads them. The label of a public output bit is that of the constant; the
//! garbler inverts it if the bit is 1.
//!
//! **Cycles** do not overlap. An engine begins a cycle when it requests an input bit, gives an
//! output, or requests tables or space for tables. Before that it has made or used all tables of
//! the earlier cycles, requested all their input bits and given all their outputs. No piece of
//! tables spans two cycles. Within a cycle, the engine chooses the order of inputs, tables and
//! outputs, and the parties' engines may differ.
//!
//! **A program with functions** has one cycle, which is longer than either party would wait. An
//! engine that [runs functions](crate::Engine::runs_functions) takes it [block by
//! block](halfgate_circuit::structured::blocks): it requests the input bits that a block reads
//! first when it has made or used all tables of the blocks before, and gives the output bits that a
//! block of a map gives before it begins the next block. It gives all other output bits at the end.

use crate::{IoError, LabelSeed};
pub use halfgate_circuit::first_uses;
use halfgate_circuit::{Circuit, Init, Wire};
use halfgate_kernels::{Delta, Label, Suite};

/// Most ANDs whose tables an engine makes or requests at once, unless ANDs that do not depend on
/// each other are more.
pub const PIECE_ANDS: usize = 4096;

/// The public randomness of one garbling: its suite, and `S` (`half-gates`) or the key `K` of π
/// (fixed-key suites).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunKey {
    /// The suite.
    pub suite: Suite,
    /// S or K: public, random, drawn for each run.
    pub point: u128,
}

/// Amount of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Gates of the program, of all kinds, in all cycles.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// Number of cycles.
    pub cycles: u64,
}

/// Whether a flip-flop of `circuit` starts with or takes a constant, so that the run needs a label
/// for the constant.
pub fn needs_constant(circuit: &Circuit) -> bool {
    let constant = |init| matches!(init, Init::Constant(_));
    let mut flip_flops = circuit.flip_flops.iter();
    flip_flops.any(|found| constant(found.init) || found.next.as_constant().is_some())
}

/// The garbler's input and output. An error returned from a method ends the run and reaches the
/// caller.
pub trait GarblerIo {
    /// Fills `labels[i]` with the false label of input bit `bits[i]` in `cycle`. The callee makes
    /// sure that the evaluator gets the active label.
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError>;

    /// Returns the label of a public constant 0, which the evaluator gets unchanged. Called at most
    /// once per run, before anything else, if a flip-flop starts with or takes a constant, or the
    /// program skips.
    fn constant(&mut self) -> Result<Label, IoError>;

    /// The seed of all labels of the run, for a machine that makes them itself: it gives the labels
    /// of [`false_labels`](GarblerIo::false_labels) before they are requested. The machine must
    /// still request the bits, in their order. `None` if the labels come from no seed.
    fn label_seed(&mut self) -> Option<LabelSeed> {
        None
    }

    /// Returns space for `bytes` bytes of tables, to be filled before the next call of any method.
    /// Tables are in program order.
    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError>;

    /// Reports that the last space returned by [`table_space`](GarblerIo::table_space) is filled.
    fn tables_ready(&mut self) -> Result<(), IoError>;

    /// Takes tables that were made elsewhere, the next in program order: whole ones, of at most
    /// [`PIECE_ANDS`] ANDs.
    fn give_tables(&mut self, tables: &[u8]) -> Result<(), IoError> {
        self.table_space(tables.len())?.copy_from_slice(tables);
        self.tables_ready()
    }

    /// The number of ANDs, from the run's start, at which the part of the run ends that has AND
    /// number `and`. An engine with several threads may request the input bits of a block before
    /// the tables of earlier blocks are made, if all of them are in one part.
    fn part_end(&self, and: u64) -> u64 {
        let _ = and;
        u64::MAX
    }

    /// Takes false labels of output bits (numbered through all outputs, in order) in `cycle`.
    /// Constants have no label and never appear. For a bit that is an inverted wire, the inversion
    /// is applied. A per-run output appears in the last cycle only. All outputs of a cycle come
    /// before those of the next.
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;

    /// Announces how many bytes of tables `cycle` has. An engine calls it before anything else of
    /// the cycle if the program [skips](halfgate_compiler::skip).
    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        let _ = (cycle, table_bytes);
        Ok(())
    }

    /// Passes on a note for the user.
    fn note(&mut self, what: &str) -> Result<(), IoError> {
        let _ = what;
        Ok(())
    }

    /// Reports progress, from time to time: the cycles and ANDs done, including skipped ANDs.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        let _ = (cycles, ands);
        Ok(())
    }
}

/// One of several garblings that run [together](crate::Prepared::garble_together).
pub struct Garbling<'a> {
    /// The public randomness.
    pub key: RunKey,
    /// The secret offset.
    pub delta: &'a Delta,
    /// Input and output.
    pub io: &'a mut (dyn GarblerIo + Send),
}

/// The evaluator's input and output. An error returned from a method ends the run and reaches the
/// caller.
pub trait EvaluatorIo {
    /// Fills `labels[i]` with the active label of input bit `bits[i]` in `cycle`.
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError>;

    /// Returns the label that the garbler sent for a public constant 0.
    fn constant(&mut self) -> Result<Label, IoError>;

    /// Returns the next `bytes` bytes of tables.
    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError>;

    /// The number of ANDs, from the run's start, at which the part of the run ends that has AND
    /// number `and`. An engine with several threads may request the tables of a block before the
    /// outputs of earlier blocks are given, if all of them are in one part.
    fn part_end(&self, and: u64) -> u64 {
        let _ = and;
        u64::MAX
    }

    /// Takes active labels of output bits: see [`GarblerIo::output`].
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;

    /// Announces how many bytes of tables `cycle` has. An engine calls it before anything else of
    /// the cycle if the program [skips](halfgate_compiler::skip).
    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        let _ = (cycle, table_bytes);
        Ok(())
    }

    /// Passes on a note for the user.
    fn note(&mut self, what: &str) -> Result<(), IoError> {
        let _ = what;
        Ok(())
    }

    /// Reports progress, from time to time: the cycles and ANDs done, including skipped ANDs.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        let _ = (cycles, ands);
        Ok(())
    }
}
