//! The host of a scheduled evaluator. It receives tables and input labels in program order, and
//! supplies them in the machine's order.

use super::error::SupplyError;
use halfgate_compiler::Program;
use halfgate_engine::EngineError;
use halfgate_engine::io::{Counters, EvaluatorIo, needs_constant};
use halfgate_kernels::Label;
use halfgate_scheduled::Kept;
use halfgate_scheduled_model::Code;
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Bytes of a table.
const TABLE: usize = 32;

/// Limit on the tables that are taken from the caller in one piece.
const PIECE: u64 = 1024;

/// Takes tables and labels from a caller, one netlist cycle after another, and supplies them to a
/// machine in any order. Passes the machine's outputs to the caller.
///
/// Memory holds tables, from the first that the machine has not taken to the last that it has
/// taken; these are at most the tables of the netlist cycles under way. It also holds the labels of
/// all input bits of the first netlist cycle, and the labels for [outputs](Kept). Labels are wiped
/// when they are no longer needed.
pub struct Supply<'a> {
    io: &'a mut dyn EvaluatorIo,
    kept: Kept<'a>,
    /// Whether the current netlist cycle's input labels were received.
    entered: bool,
    /// Input labels of the first netlist cycle.
    first: Zeroizing<Vec<Label>>,
    /// Input labels of the current netlist cycle and of earlier ones that the machine may still
    /// request, without those of the first netlist cycle.
    labels: VecDeque<Zeroizing<Vec<Label>>>,
    /// Maximum length of `labels`.
    late: usize,
    /// Number of tables received, and the latest of these tables, oldest first. The first one in
    /// `window` is one that the machine has not taken.
    tables: u64,
    window: VecDeque<Option<[u8; TABLE]>>,
    counters: Counters,
}

impl<'a> Supply<'a> {
    /// Starts a run of `cycles` netlist cycles. Requests the constant's label, if the circuit
    /// needs one.
    ///
    /// # Errors
    /// Errors of the caller.
    pub fn begin(
        program: &Program,
        code: &'a Code,
        cycles: u64,
        io: &'a mut dyn EvaluatorIo,
    ) -> Result<Supply<'a>, EngineError> {
        let late = code.words.iter().filter_map(|word| word.expand).map(|expand| expand.stage);
        let constant = match needs_constant(&program.circuit) {
            true => io.constant().map_err(EngineError::Io)?,
            false => Label::ZERO,
        };
        Ok(Supply {
            io,
            // For an evaluator, inversions change no label, so the offset is zero.
            kept: Kept::new(&program.circuit, &code.body, cycles, Label::ZERO, constant),
            entered: false,
            first: Zeroizing::default(),
            labels: VecDeque::new(),
            late: late.max().unwrap_or(0) as usize + 1,
            tables: 0,
            window: VecDeque::new(),
            counters: Counters {
                gates: cycles.saturating_mul(program.gates_per_cycle()),
                ..Counters::default()
            },
        })
    }

    /// The label of the constant 0.
    pub fn constant(&self) -> Label {
        self.kept.constant
    }

    /// Returns the label of the input bit with this sequence number. `None` if the machine must
    /// make outputs before the label is available.
    ///
    /// # Errors
    /// Errors of the caller, and if there is no such input bit.
    pub fn input(&mut self, sequence: u64) -> Result<Option<Label>, EngineError> {
        let requested = &self.kept.body.requested;
        let (cycle, place) = match sequence.checked_sub(requested.first) {
            None => (0, sequence),
            Some(after) if requested.each > 0 => {
                (1 + after / requested.each, after % requested.each)
            }
            Some(_) => return Err(wrong(SupplyError::NoInput { sequence })),
        };
        while cycle > self.kept.cycle {
            if !self.leave()? {
                return Ok(None);
            }
        }
        self.enter()?;
        let labels = match (self.kept.cycle - cycle) as usize {
            _ if cycle == 0 => Some(&self.first),
            ago => self.labels.len().checked_sub(ago + 1).map(|place| &self.labels[place]),
        };
        let label = labels.and_then(|labels| labels.get(place as usize));
        let out_of_turn = || wrong(SupplyError::Input { sequence });
        label.copied().map(Some).ok_or_else(out_of_turn)
    }

    /// Returns and removes the table of an AND. `None` if the machine must make outputs before the
    /// table is available.
    ///
    /// # Errors
    /// Errors of the caller, and if the table was taken before or there is no such AND.
    pub fn table(&mut self, number: u64) -> Result<Option<[u8; TABLE]>, EngineError> {
        let out_of_turn = || wrong(SupplyError::Table { number });
        if number >= self.kept.tables() {
            return Err(out_of_turn());
        }
        while self.tables <= number {
            if self.tables == (self.kept.cycle + 1) * self.kept.body.ands && !self.leave()? {
                return Ok(None);
            }
            self.take_tables()?;
        }
        let oldest = self.tables - self.window.len() as u64;
        let place = number.checked_sub(oldest).ok_or_else(out_of_turn)?;
        let table = self.window[place as usize].take().ok_or_else(out_of_turn)?;
        while let Some(None) = self.window.front() {
            self.window.pop_front();
        }
        Ok(Some(table))
    }

    /// Stores the label that the machine made for the gate with this tag.
    ///
    /// # Errors
    /// If the label was stored before, or the tag or netlist cycle is unknown.
    pub fn label(&mut self, tag: u32, cycle: u64, label: Label) -> Result<(), EngineError> {
        self.kept.label(tag, cycle, label)
    }

    /// Ends the run, after the machine has ended it.
    ///
    /// # Errors
    /// If outputs are missing or tables are left, and errors of the caller.
    pub fn finish(mut self) -> Result<Counters, EngineError> {
        while !self.kept.is_over() && self.leave()? {}
        self.kept.check_over(self.tables)?;
        match self.window.iter().all(Option::is_none) {
            true => Ok(self.counters),
            false => Err(wrong(SupplyError::TablesLeft)),
        }
    }

    /// Receives the input labels of the netlist cycle, if this was not done yet.
    fn enter(&mut self) -> Result<(), EngineError> {
        if std::mem::replace(&mut self.entered, true) {
            return Ok(());
        }
        let wires = self.kept.requested();
        let mut labels = Zeroizing::new(vec![Label::ZERO; wires.len()]);
        if !wires.is_empty() {
            let given = self.io.active_labels(self.kept.cycle, wires, &mut labels);
            given.map_err(EngineError::Io)?;
        }
        self.kept.enter(&labels);
        if self.kept.cycle == 0 {
            self.first = labels;
        } else {
            self.labels.push_back(labels);
            while self.labels.len() > self.late {
                self.labels.pop_front();
            }
        }
        Ok(())
    }

    /// Receives the next tables of the netlist cycle, if there are any.
    fn take_tables(&mut self) -> Result<(), EngineError> {
        self.enter()?;
        let left = (self.kept.cycle + 1) * self.kept.body.ands - self.tables;
        let piece = left.min(PIECE);
        if piece > 0 {
            let bytes = self.io.tables(piece as usize * TABLE).map_err(EngineError::Io)?;
            let (tables, _) = bytes.as_chunks::<TABLE>();
            self.window.extend(tables.iter().map(|table| Some(*table)));
            self.tables += piece;
        }
        Ok(())
    }

    /// Passes on the outputs of the netlist cycle, and goes on to the next netlist cycle. Returns
    /// false if the machine has not made the outputs yet.
    fn leave(&mut self) -> Result<bool, EngineError> {
        if !self.kept.has_outputs() {
            return Ok(false);
        }
        self.enter()?;
        while self.tables < (self.kept.cycle + 1) * self.kept.body.ands {
            self.take_tables()?;
        }
        let (bits, labels) = self.kept.outputs()?;
        if !bits.is_empty() {
            self.io.output(self.kept.cycle, &bits, &labels).map_err(EngineError::Io)?;
        }
        self.counters.cycles += 1;
        self.counters.ands += self.kept.body.ands;
        self.kept.next();
        self.entered = false;
        let (cycles, ands) = (self.counters.cycles, self.counters.ands);
        self.io.progress(cycles, ands).map_err(EngineError::Io)?;
        Ok(true)
    }
}

fn wrong(error: SupplyError) -> EngineError {
    EngineError::machine(error)
}
