//! The host of a garbling FASE: passes the machine's output to the caller in the program's order.

use halfgate_circuit::Circuit;
use halfgate_compiler::Program;
use halfgate_engine::io::{Counters, GarblerIo, needs_constant};
use halfgate_engine::{EngineError, LabelSeed};
use halfgate_fase_model::Body;
use halfgate_kernels::{Delta, Label};
use halfgate_scheduled::{Kept, RunError};
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Bytes of a table.
const TABLE: usize = 32;

/// Limit on the tables that are passed to the caller in one piece.
const PIECE: usize = 4096;

/// Receives tables and labels in the order in which the machine makes them, and passes them to the
/// caller in program order: netlist cycle by netlist cycle, first the tables in order, then the
/// outputs.
///
/// Memory holds tables that cannot be passed on yet, because an earlier one is missing; these are
/// at most the tables of the netlist cycles under way. It also holds labels of outputs, and of
/// input bits that outputs use, for as many netlist cycles as flip-flops delay them. Labels are
/// wiped when they are no longer needed.
pub struct Delivery<'a> {
    io: &'a mut dyn GarblerIo,
    /// The labels for outputs, and the netlist cycle that is being passed on.
    kept: Kept<'a>,
    /// Whether the labels of this netlist cycle's input bits were requested.
    entered: bool,
    /// Number of tables passed to the caller.
    tables: u64,
    /// The next tables in order; `None` is a table that was not made yet.
    waiting: VecDeque<Option<[u8; TABLE]>>,
    counters: Counters,
}

impl<'a> Delivery<'a> {
    /// Starts a run of `cycles` netlist cycles. Requests the constant's label, if the circuit
    /// needs one.
    ///
    /// # Errors
    /// Errors of the caller.
    fn begin(
        circuit: &Circuit,
        body: &'a Body,
        cycles: u64,
        delta: &Delta,
        io: &'a mut dyn GarblerIo,
    ) -> Result<Delivery<'a>, EngineError> {
        let constant = match needs_constant(circuit) {
            true => io.constant().map_err(EngineError::Io)?,
            false => Label::ZERO,
        };
        Ok(Delivery {
            io,
            kept: Kept::new(circuit, body, cycles, delta.label(), constant),
            entered: false,
            tables: 0,
            waiting: VecDeque::new(),
            counters: Counters::default(),
        })
    }

    /// The label of the constant 0.
    pub fn constant(&self) -> Label {
        self.kept.constant
    }

    /// Stores the label that the machine made for the gate with this tag.
    ///
    /// # Errors
    /// If the label was stored before, or the tag or netlist cycle is unknown.
    pub fn label(&mut self, tag: u32, cycle: u64, label: Label) -> Result<(), EngineError> {
        self.kept.label(tag, cycle, label)
    }

    /// Stores the table that the machine made for an AND.
    ///
    /// # Errors
    /// If the table was stored before, or there is no such AND.
    pub fn table(&mut self, number: u64, table: [u8; TABLE]) -> Result<(), EngineError> {
        let wrong = || EngineError::machine(RunError::Table { number });
        let place = number.checked_sub(self.tables).ok_or_else(wrong)?;
        if number >= self.kept.tables() {
            return Err(wrong());
        }
        let place = place as usize;
        if place >= self.waiting.len() {
            self.waiting.resize(place + 1, None);
        }
        match self.waiting[place].replace(table) {
            None => Ok(()),
            Some(_) => Err(wrong()),
        }
    }

    /// Passes on all tables and outputs that are in order.
    ///
    /// # Errors
    /// Errors of the caller.
    pub fn hand_on(&mut self) -> Result<(), EngineError> {
        while !self.kept.is_over() {
            let end = (self.kept.cycle + 1) * self.kept.body.ands;
            let ready = self.waiting.iter().take((end - self.tables) as usize);
            let ready = ready.take_while(|table| table.is_some()).count();
            let is_whole = self.tables + ready as u64 == end;
            let is_over = is_whole && self.kept.has_outputs();
            // Only the last piece of a netlist cycle is smaller than the limit.
            if ready < PIECE && !is_over {
                return Ok(());
            }
            self.enter()?;
            self.give_tables(ready)?;
            if is_over {
                self.leave()?;
            }
        }
        Ok(())
    }

    /// Ends the run, after the machine has ended it.
    ///
    /// # Errors
    /// If tables or outputs are missing.
    pub fn finish(self) -> Result<Counters, EngineError> {
        self.kept.check_over(self.tables)?;
        Ok(self.counters)
    }

    /// Requests the labels of the netlist cycle's input bits, if this was not done yet.
    fn enter(&mut self) -> Result<(), EngineError> {
        if std::mem::replace(&mut self.entered, true) {
            return Ok(());
        }
        let wires = self.kept.requested();
        let mut labels = Zeroizing::new(vec![Label::ZERO; wires.len()]);
        if !wires.is_empty() {
            let given = self.io.false_labels(self.kept.cycle, wires, &mut labels);
            given.map_err(EngineError::Io)?;
        }
        self.kept.enter(&labels);
        Ok(())
    }

    fn give_tables(&mut self, count: usize) -> Result<(), EngineError> {
        let mut left = count;
        while left > 0 {
            let piece = left.min(PIECE);
            let space = self.io.table_space(piece * TABLE).map_err(EngineError::Io)?;
            let (rows, _) = space.as_chunks_mut::<TABLE>();
            for (row, table) in rows.iter_mut().zip(self.waiting.drain(..piece)) {
                *row = table.unwrap_or([0; TABLE]);
            }
            self.io.tables_ready().map_err(EngineError::Io)?;
            self.tables += piece as u64;
            left -= piece;
        }
        Ok(())
    }

    /// Passes on the outputs of the netlist cycle, and goes on to the next netlist cycle.
    fn leave(&mut self) -> Result<(), EngineError> {
        let (bits, labels) = self.kept.outputs()?;
        if !bits.is_empty() {
            self.io.output(self.kept.cycle, &bits, &labels).map_err(EngineError::Io)?;
        }
        self.counters.cycles += 1;
        self.counters.ands += self.kept.body.ands;
        self.kept.next();
        self.entered = false;
        let (cycles, ands) = (self.counters.cycles, self.counters.ands);
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    /// Counts the gates of the run: `each` per netlist cycle.
    fn count_gates(&mut self, cycles: u64, each: u64) {
        self.counters.gates = cycles.saturating_mul(each);
    }
}

/// Starts a run on the machine called `name`: takes the seed of the input labels from the caller,
/// and makes the delivery.
///
/// # Errors
/// If the caller has no seed, and errors of the caller.
pub fn begin<'a>(
    name: &str,
    program: &Program,
    body: &'a Body,
    cycles: u64,
    delta: &Delta,
    io: &'a mut dyn GarblerIo,
) -> Result<(LabelSeed, Delivery<'a>), EngineError> {
    let seed = io.label_seed().ok_or_else(|| EngineError::NoSeed { engine: name.to_owned() })?;
    let mut delivery = Delivery::begin(&program.circuit, body, cycles, delta, io)?;
    delivery.count_gates(cycles, program.gates_per_cycle());
    Ok((seed, delivery))
}
