//! The host's part of garbling on a FASE: what the machine makes, handed on in the program's order.

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

/// Tables that pass to the caller in one piece, at most.
const PIECE: usize = 4096;

/// Takes tables and labels as the machine makes them, and gives them to a caller as it wants them: a netlist cycle
/// after the other, tables in order, outputs when all tables of their cycle are there.
///
/// Memory: tables that were made before one that comes earlier, of as many netlist cycles as the machine has under
/// way at once; labels of outputs and of input bits that outputs name, of as many netlist cycles as flip-flops
/// hold them back. Labels are wiped when they are done with.
pub struct Delivery<'a> {
    io: &'a mut dyn GarblerIo,
    /// What outputs are made of, in the netlist cycle that is handed on.
    kept: Kept<'a>,
    /// Whether its input bits were asked for.
    entered: bool,
    /// Tables handed on.
    tables: u64,
    /// Those from there on, as far as they were made.
    waiting: VecDeque<Option<[u8; TABLE]>>,
    counters: Counters,
}

impl<'a> Delivery<'a> {
    /// For a run of `cycles` netlist cycles: asks for the constant's label, if the circuit needs one.
    ///
    /// # Errors
    /// The caller's.
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

    /// The machine made the label of the gate with this tag.
    ///
    /// # Errors
    /// If it was made before, or there is no such gate or netlist cycle.
    pub fn label(&mut self, tag: u32, cycle: u64, label: Label) -> Result<(), EngineError> {
        self.kept.label(tag, cycle, label)
    }

    /// The machine made the table of an AND.
    ///
    /// # Errors
    /// If that was made before, or there is no such AND.
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

    /// Hands on what is in order.
    ///
    /// # Errors
    /// The caller's.
    pub fn hand_on(&mut self) -> Result<(), EngineError> {
        while !self.kept.is_over() {
            let end = (self.kept.cycle + 1) * self.kept.body.ands;
            let ready = self.waiting.iter().take((end - self.tables) as usize);
            let ready = ready.take_while(|table| table.is_some()).count();
            let is_whole = self.tables + ready as u64 == end;
            let is_over = is_whole && self.kept.has_outputs();
            // Few tables at a time only at a cycle's end.
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

    /// The run is over on the machine.
    ///
    /// # Errors
    /// If something is missing.
    pub fn finish(self) -> Result<Counters, EngineError> {
        self.kept.check_over(self.tables)?;
        Ok(self.counters)
    }

    /// Asks for the cycle's input bits, unless that was done.
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

    /// Gives the cycle's outputs, and goes on to the next.
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

    /// Gates of the program in a cycle, for the counters.
    fn count_gates(&mut self, cycles: u64, each: u64) {
        self.counters.gates = cycles.saturating_mul(each);
    }
}

/// Begins a run of a machine that has this name: the seed of its input labels, and the host's part.
///
/// # Errors
/// If the caller has no seed, or any of the caller's.
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
