//! The host's part of garbling on a FASE: what the machine makes, handed on in the program's order.

use crate::io::{Counters, GarblerIo, first_uses, needs_constant};
use crate::{EngineError, LabelSeed};
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::Program;
use halfgate_kernels::{Delta, Label};
use halfgate_machines::fase::Body;
use halfgate_machines::fase::body::{Given, Maker, Resolved};
use std::collections::{BTreeMap, VecDeque};
use zeroize::{Zeroize, Zeroizing};

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
    body: &'a Body,
    io: &'a mut dyn GarblerIo,
    offset: Label,
    cycles: u64,
    /// The netlist cycle that is handed on, and whether its input bits were asked for.
    cycle: u64,
    entered: bool,
    /// Tables handed on.
    tables: u64,
    /// Those from there on, as far as they were made.
    waiting: VecDeque<Option<[u8; TABLE]>>,
    constant: Label,
    /// Input bits that are asked for in the first netlist cycle, and in each other.
    asked: [Vec<Wire>; 2],
    /// Labels of gates by tag, and of input bits, that outputs are made of, by netlist cycle.
    gates: BTreeMap<(u64, u32), Label>,
    inputs: BTreeMap<(u64, Wire), Label>,
    /// Those of the run.
    lasting: BTreeMap<Wire, Label>,
    /// Numbers of the output bits that are given in each cycle, and those in the last only.
    outputs: [Vec<u32>; 2],
    /// Netlist cycles for which a label is kept.
    longest: u64,
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
        let first = first_uses(circuit);
        let is_again = |wire: &Wire| body.netlist.per_cycle[wire.index()];
        let again = first.iter().copied().filter(is_again).collect();
        let mut outputs = [Vec::new(), Vec::new()];
        let bits = circuit.outputs.iter().flat_map(|o| o.bits.iter().map(|_| o.per_cycle));
        for ((number, per_cycle), found) in (0..).zip(bits).zip(&body.outputs) {
            if found.is_some() {
                outputs[usize::from(!per_cycle)].push(number);
            }
        }
        let agos = body.outputs.iter().flatten().map(|(read, _)| u64::from(read.ago()));
        Ok(Delivery {
            body,
            io,
            offset: delta.label(),
            cycles,
            cycle: 0,
            entered: false,
            tables: 0,
            waiting: VecDeque::new(),
            constant,
            asked: [first, again],
            gates: BTreeMap::new(),
            inputs: BTreeMap::new(),
            lasting: BTreeMap::new(),
            outputs,
            longest: agos.max().unwrap_or(0),
            counters: Counters::default(),
        })
    }

    /// The label of the constant 0.
    pub fn constant(&self) -> Label {
        self.constant
    }

    /// The machine made the table of an AND.
    ///
    /// # Errors
    /// If that was made before, or there is no such AND.
    pub fn table(&mut self, number: u64, table: [u8; TABLE]) -> Result<(), EngineError> {
        let wrong = || EngineError::Machine(format!("it made table {number} out of turn"));
        let place = number.checked_sub(self.tables).ok_or_else(wrong)?;
        if number >= self.cycles.saturating_mul(self.body.ands) {
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

    /// The machine made the label of the gate with this tag.
    ///
    /// # Errors
    /// If it was made before, or there is no such gate or netlist cycle.
    pub fn label(&mut self, tag: u32, cycle: u64, label: Label) -> Result<(), EngineError> {
        // An output that is given at the end alone has no use for it in earlier netlist cycles.
        if cycle < self.oldest() {
            return Ok(());
        }
        let is_there = cycle < self.cycles && (tag as usize) < self.body.tags.len();
        if !is_there || self.gates.insert((cycle, tag), label).is_some() {
            let what = format!("it gave label {tag} of netlist cycle {cycle} out of turn");
            return Err(EngineError::Machine(what));
        }
        Ok(())
    }

    /// The earliest netlist cycle that an output to come can name.
    fn oldest(&self) -> u64 {
        self.cycle.saturating_sub(self.longest)
    }

    /// Hands on what is in order.
    ///
    /// # Errors
    /// The caller's.
    pub fn hand_on(&mut self) -> Result<(), EngineError> {
        while self.cycle < self.cycles {
            let end = (self.cycle + 1) * self.body.ands;
            let ready = self.waiting.iter().take((end - self.tables) as usize);
            let ready = ready.take_while(|table| table.is_some()).count();
            let is_whole = self.tables + ready as u64 == end;
            let is_over = is_whole && self.has_outputs();
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
        if self.cycle < self.cycles {
            let what = format!(
                "it came to its end in netlist cycle {} of {}, {} tables of {} in order",
                self.cycle,
                self.cycles,
                self.tables,
                self.cycles.saturating_mul(self.body.ands)
            );
            return Err(EngineError::Machine(what));
        }
        Ok(self.counters)
    }

    /// Asks for the cycle's input bits, unless that was done.
    fn enter(&mut self) -> Result<(), EngineError> {
        if std::mem::replace(&mut self.entered, true) {
            return Ok(());
        }
        let wires = &self.asked[usize::from(self.cycle > 0)];
        let mut labels = Zeroizing::new(vec![Label::ZERO; wires.len()]);
        if !wires.is_empty() {
            let given = self.io.false_labels(self.cycle, wires, &mut labels);
            given.map_err(EngineError::Io)?;
        }
        for (read, _) in self.body.outputs.iter().flatten() {
            if let Maker::Input(wire) = read.maker
                && let Some(place) = wires.iter().position(|asked| *asked == wire)
            {
                self.inputs.insert((self.cycle, wire), labels[place]);
            }
        }
        if self.cycle == 0 {
            self.lasting = wires.iter().copied().zip(labels.iter().copied()).collect();
        }
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

    /// The outputs that the cycle gives.
    fn due(&self) -> impl Iterator<Item = u32> + '_ {
        let [each, once] = &self.outputs;
        let once = once.iter().filter(|_| self.cycle + 1 == self.cycles);
        each.iter().chain(once).copied()
    }

    /// Whether all labels of the cycle's outputs that gates make are there.
    fn has_outputs(&self) -> bool {
        self.due().all(|number| {
            let Some((read, _)) = &self.body.outputs[number as usize] else { return true };
            match (read.maker, self.cycle.checked_sub(read.ago().into())) {
                (Maker::Gate(gate), Some(made)) => {
                    self.gates.contains_key(&(made, self.body.tags[&gate]))
                }
                _ => true,
            }
        })
    }

    /// Gives the cycle's outputs, and goes on to the next.
    fn leave(&mut self) -> Result<(), EngineError> {
        let mut bits: Vec<u32> = self.due().collect();
        bits.sort_unstable();
        let mut labels = Zeroizing::new(Vec::with_capacity(bits.len()));
        for &number in &bits {
            let (read, invert) = self.body.outputs[number as usize].as_ref().expect("no constant");
            let label = self.output(read).ok_or_else(|| {
                EngineError::Machine(format!("the label of output bit {number} is not there"))
            })?;
            labels.push(label ^ self.offset.masked(read.invert ^ invert));
        }
        if !bits.is_empty() {
            self.io.output(self.cycle, &bits, &labels).map_err(EngineError::Io)?;
        }
        self.counters.cycles += 1;
        self.counters.ands += self.body.ands;
        self.cycle += 1;
        self.entered = false;
        // What no output can name any more.
        let oldest = self.oldest();
        wipe_before(&mut self.gates, (oldest, 0));
        wipe_before(&mut self.inputs, (oldest, Wire::new(0)));
        let (cycles, ands) = (self.counters.cycles, self.counters.ands);
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    /// The label of an output, before inversions.
    fn output(&self, read: &Resolved) -> Option<Label> {
        let given = |Given { input, invert }: Given| {
            let label = match input {
                Some(wire) => *self.lasting.get(&wire)?,
                None => self.constant,
            };
            Some(label ^ self.offset.masked(invert))
        };
        let Some(made) = self.cycle.checked_sub(read.ago().into()) else {
            return given(read.start(&self.body.netlist, self.cycle as usize));
        };
        match read.maker {
            Maker::Given(found) => given(found),
            Maker::Input(wire) => self.inputs.get(&(made, wire)).copied(),
            Maker::Gate(gate) => self.gates.get(&(made, self.body.tags[&gate])).copied(),
        }
    }

    /// Gates of the program in a cycle, for the counters.
    fn count_gates(&mut self, cycles: u64, each: u64) {
        self.counters.gates = cycles.saturating_mul(each);
    }
}

/// Wipes and drops all labels before a key.
fn wipe_before<K: Ord + Copy>(labels: &mut BTreeMap<K, Label>, key: K) {
    while let Some(mut entry) = labels.first_entry() {
        if *entry.key() >= key {
            break;
        }
        entry.get_mut().zeroize();
        entry.remove();
    }
}

impl Drop for Delivery<'_> {
    fn drop(&mut self) {
        self.gates.values_mut().for_each(Zeroize::zeroize);
        self.inputs.values_mut().for_each(Zeroize::zeroize);
        self.lasting.values_mut().for_each(Zeroize::zeroize);
        self.offset.zeroize();
        self.constant.zeroize();
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
    let seed = io.label_seed().ok_or_else(|| {
        let what = "makes input labels from a seed, and this run's labels come from none";
        EngineError::Unsupported(format!("engine {name} {what}"))
    })?;
    let mut delivery = Delivery::begin(&program.circuit, body, cycles, delta, io)?;
    delivery.count_gates(cycles, program.gates_per_cycle());
    Ok((seed, delivery))
}
