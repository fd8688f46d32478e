//! The two roles on the host's side: where labels come from and where they go.

use halfgate_circuit::Party;
use halfgate_circuit::Wire;
use halfgate_engine::EngineError;
use halfgate_engine::io::{EvaluatorIo, GarblerIo};
use halfgate_kernels::{Delta, Label};

/// A role, garbler or evaluator, with the caller of the run.
pub trait Side {
    /// The role.
    const ROLE: Party;

    /// The label that an inversion adds to another label.
    fn offset(&self) -> Label;

    /// The label of the public constant false.
    ///
    /// # Errors
    /// The caller's own.
    fn constant(&mut self) -> Result<Label, EngineError>;

    /// The labels of input bits that a cycle of the circuit reads.
    ///
    /// # Errors
    /// The caller's own.
    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError>;

    /// Hands on the labels of output bits, identified by their numbers.
    ///
    /// # Errors
    /// The caller's own.
    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError>;

    /// Reports the number of finished cycles of the circuit and of ANDs.
    ///
    /// # Errors
    /// The caller's own, which may stop the run here.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError>;
}

/// The role that makes tables.
pub struct Garbler<'a> {
    /// The offset.
    pub delta: &'a Delta,
    /// The caller.
    pub io: &'a mut dyn GarblerIo,
}

impl Side for Garbler<'_> {
    const ROLE: Party = Party::Garbler;

    fn offset(&self) -> Label {
        self.delta.label()
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.false_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }
}

/// The role that uses tables.
pub struct Evaluator<'a> {
    /// The caller.
    pub io: &'a mut dyn EvaluatorIo,
}

impl Side for Evaluator<'_> {
    const ROLE: Party = Party::Evaluator;

    fn offset(&self) -> Label {
        Label::ZERO
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.active_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }
}
