//! Keeps the labels of gates and of input bits that outputs need, until the outputs are complete.

use crate::RunError;
use halfgate_circuit::{Circuit, Wire};
use halfgate_engine::EngineError;
use halfgate_engine::io::first_uses;
use halfgate_kernels::Label;
use halfgate_scheduled_model::Body;
use halfgate_scheduled_model::body::{Given, Maker, Resolved};
use std::collections::BTreeMap;
use zeroize::{Zeroize, Zeroizing};

/// Labels for outputs by netlist cycle, and the netlist cycle whose outputs are completed next.
///
/// Memory: labels of outputs, and of input bits that outputs use. They are kept for as many netlist
/// cycles as flip-flops delay them, or as the machine runs ahead. Labels are wiped when they are no
/// longer needed.
pub struct Kept<'a> {
    /// The body.
    pub body: &'a Body,
    /// The difference of a wire's labels; zero for an evaluator, for whom an inversion changes no
    /// label.
    offset: Label,
    /// The label of the constant 0.
    pub constant: Label,
    cycles: u64,
    /// The netlist cycle whose outputs are completed next.
    pub cycle: u64,
    /// The input bits that the first netlist cycle requests, and those that every later one
    /// requests.
    requested: [Vec<Wire>; 2],
    /// Labels that outputs need: of gates by netlist cycle and tag, and of per-cycle input bits by
    /// netlist cycle and wire.
    gates: BTreeMap<(u64, u32), Label>,
    inputs: BTreeMap<(u64, Wire), Label>,
    /// Labels of per-run input bits.
    lasting: BTreeMap<Wire, Label>,
    /// Indices of the output bits that every netlist cycle has, and of those that only the last one
    /// has.
    outputs: [Vec<u32>; 2],
    /// Number of netlist cycles for which a label is kept.
    longest: u64,
}

impl<'a> Kept<'a> {
    /// Starts a run of `cycles` netlist cycles of `circuit`. `offset` is the difference of a wire's
    /// labels.
    pub fn new(
        circuit: &Circuit,
        body: &'a Body,
        cycles: u64,
        offset: Label,
        constant: Label,
    ) -> Kept<'a> {
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
        Kept {
            body,
            offset,
            constant,
            cycles,
            cycle: 0,
            requested: [first, again],
            gates: BTreeMap::new(),
            inputs: BTreeMap::new(),
            lasting: BTreeMap::new(),
            outputs,
            longest: agos.max().unwrap_or(0),
        }
    }

    /// Number of tables of the run.
    pub fn tables(&self) -> u64 {
        self.cycles.saturating_mul(self.body.ands)
    }

    /// Whether all outputs are complete.
    pub fn is_over(&self) -> bool {
        self.cycle >= self.cycles
    }

    /// Checks that all outputs are complete.
    ///
    /// # Errors
    /// If an output is missing.
    pub fn check_over(&self, tables: u64) -> Result<(), EngineError> {
        if self.is_over() {
            return Ok(());
        }
        let (cycle, cycles, all) = (self.cycle, self.cycles, self.tables());
        Err(EngineError::machine(RunError::Ended { cycle, cycles, tables, all }))
    }

    /// The input bits that the current netlist cycle requests.
    pub fn requested(&self) -> &[Wire] {
        &self.requested[usize::from(self.cycle > 0)]
    }

    /// Stores the labels of the requested input bits.
    pub fn enter(&mut self, labels: &[Label]) {
        let wires = &self.requested[usize::from(self.cycle > 0)];
        for (read, _) in self.body.outputs.iter().flatten() {
            if let Maker::Input(wire) = read.maker
                && let Some(place) = wires.iter().position(|requested| *requested == wire)
            {
                self.inputs.insert((self.cycle, wire), labels[place]);
            }
        }
        if self.cycle == 0 {
            self.lasting = wires.iter().copied().zip(labels.iter().copied()).collect();
        }
    }

    /// Stores the label that the machine made for the gate with this tag.
    ///
    /// # Errors
    /// If the label was stored before, or the tag or netlist cycle is unknown.
    pub fn label(&mut self, tag: u32, cycle: u64, label: Label) -> Result<(), EngineError> {
        // An output that is needed only after the last netlist cycle does not need the labels of
        // early ones.
        if cycle < self.oldest() {
            return Ok(());
        }
        let is_there = cycle < self.cycles && (tag as usize) < self.body.tags.len();
        if !is_there || self.gates.insert((cycle, tag), label).is_some() {
            return Err(EngineError::machine(RunError::Label { tag, cycle }));
        }
        Ok(())
    }

    /// The earliest netlist cycle whose labels a later output can need.
    fn oldest(&self) -> u64 {
        self.cycle.saturating_sub(self.longest)
    }

    /// The output bits of the current netlist cycle.
    fn due(&self) -> impl Iterator<Item = u32> + '_ {
        let [each, once] = &self.outputs;
        let once = once.iter().filter(|_| self.cycle + 1 == self.cycles);
        each.iter().chain(once).copied()
    }

    /// Whether the labels of all gates that the current netlist cycle's outputs need are stored.
    pub fn has_outputs(&self) -> bool {
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

    /// Returns the output bits of the current netlist cycle, and their labels.
    ///
    /// # Errors
    /// If a label is missing.
    pub fn outputs(&self) -> Result<(Vec<u32>, Zeroizing<Vec<Label>>), EngineError> {
        let mut bits: Vec<u32> = self.due().collect();
        bits.sort_unstable();
        let mut labels = Zeroizing::new(Vec::with_capacity(bits.len()));
        for &number in &bits {
            let (read, invert) = self.body.outputs[number as usize].as_ref().expect("no constant");
            let missing = || EngineError::machine(RunError::Output { bit: number });
            let label = self.output(read).ok_or_else(missing)?;
            labels.push(label ^ self.offset.masked(read.invert ^ invert));
        }
        Ok((bits, labels))
    }

    /// Goes on to the next netlist cycle, and wipes labels that no output needs any more.
    pub fn next(&mut self) {
        self.cycle += 1;
        let oldest = self.oldest();
        wipe_before(&mut self.gates, (oldest, 0));
        wipe_before(&mut self.inputs, (oldest, Wire::new(0)));
    }

    /// Returns the label of an output's wire, before the output is inverted.
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
}

/// Wipes and removes all labels whose keys are smaller than `key`.
fn wipe_before<K: Ord + Copy>(labels: &mut BTreeMap<K, Label>, key: K) {
    while let Some(mut entry) = labels.first_entry() {
        if *entry.key() >= key {
            break;
        }
        entry.get_mut().zeroize();
        entry.remove();
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.gates.values_mut().for_each(Zeroize::zeroize);
        self.inputs.values_mut().for_each(Zeroize::zeroize);
        self.lasting.values_mut().for_each(Zeroize::zeroize);
        self.offset.zeroize();
        self.constant.zeroize();
    }
}
