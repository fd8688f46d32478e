//! An engine's caller in memory, for tests, benchmarks and conformance vectors.
//!
//! [`MemoryGarbler`] takes labels from a function and keeps tables and outputs. [`MemoryEvaluator`]
//! takes active labels from a function and tables from an earlier garbling. Both check the contract
//! of [`io`](crate::io): each input bit is requested once, each output is given once, tables are
//! filled before any other call, and all is in order. An engine that breaks the contract gets an
//! error that names the breach.
//!
//! Memory: all tables, and one entry for each input and output bit of each cycle. Do not use it for
//! secrets: nothing is wiped.

use crate::{EvaluatorIo, GarblerIo, IoError, Label, LabelSeed};
use halfgate_circuit::{Circuit, Wire, first_uses};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Returns a label for an input bit in a cycle: `(cycle, bit)`. A per-run bit may be requested in
/// cycle 0 or in any later one, so a function for circuits with such bits must not depend on their
/// cycle.
pub type Labels<'a> = Box<dyn FnMut(u64, Wire) -> Label + Send + 'a>;

/// Output labels, by cycle and number of the bit through all outputs.
pub type Outputs = BTreeMap<(u64, u32), Label>;

/// Labels drawn from `seed`: equal for equal seed and bit, in every cycle.
///
/// They are not secret and not strong (splitmix64, twice); they let tests reproduce failures.
pub fn seeded_labels(seed: u64) -> impl FnMut(u64, Wire) -> Label + Clone {
    move |_cycle, bit| {
        let at = |half: u64| splitmix(seed ^ splitmix(2 * bit.index() as u64 + half));
        Label::from_u128(u128::from(at(0)) << 64 | u128::from(at(1)))
    }
}

fn splitmix(state: u64) -> u64 {
    let x = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A breach of an engine's contract with its input and output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// `bits` and `labels` must have equal lengths.
    #[error("{bits} bits come with {labels} labels")]
    Lengths {
        /// Number of bits.
        bits: usize,
        /// Number of labels.
        labels: usize,
    },
    /// An input bit was requested again in the same cycle.
    #[error("input bit {bit:?} was requested twice in cycle {cycle}")]
    InputTwice {
        /// The cycle.
        cycle: u64,
        /// The bit.
        bit: Wire,
    },
    /// The constant was requested again, or after another call.
    #[error("the constant was requested twice, or not before anything else")]
    Constant,
    /// An output bit was given again.
    #[error("output bit {bit} was given twice in cycle {cycle}")]
    OutputTwice {
        /// The cycle.
        cycle: u64,
        /// The bit.
        bit: u32,
    },
    /// An engine went back to a cycle, or began one before it had made or used all tables of the
    /// previous one.
    #[error("cycle {cycle} began after a later one, or before all tables of the previous one")]
    Cycles {
        /// The cycle.
        cycle: u64,
    },
    /// Space for tables was requested and not filled, or reported as filled without a request.
    #[error("table_space and tables_ready do not alternate")]
    Tables,
    /// More tables were requested than are left.
    #[error("{requested} bytes of tables were requested where {left} are left")]
    NoTables {
        /// Bytes requested.
        requested: usize,
        /// Bytes left.
        left: usize,
    },
}

/// State of the contract checks of both roles.
#[derive(Default)]
struct Ledger {
    requested: Vec<(u64, Wire)>,
    requested_already: HashSet<(u64, Wire)>,
    outputs: Outputs,
    anything_happened: bool,
    cycle: u64,
    /// Bytes of tables so far, and the bytes there were when each cycle began.
    tables: usize,
    begun: Vec<(u64, usize)>,
    /// Bytes of tables that were announced, and for how many cycles.
    promised: (u64, u64),
}

impl Ledger {
    /// Records that an input or output of `cycle` was requested or given.
    fn turn(&mut self, cycle: u64) -> Result<(), Broken> {
        if cycle < self.cycle {
            return Err(Broken::Cycles { cycle });
        }
        if cycle > self.cycle {
            self.cycle = cycle;
            self.begun.push((cycle, self.tables));
        }
        Ok(())
    }

    /// Records that a program that skips has `bytes` bytes of tables in `cycle`.
    fn begin_cycle(&mut self, cycle: u64, bytes: u64) -> Result<(), Broken> {
        if cycle != self.promised.1 || self.tables as u64 != self.promised.0 {
            return Err(Broken::Cycles { cycle });
        }
        self.promised = (self.promised.0 + bytes, cycle + 1);
        self.turn(cycle)
    }

    /// Checks that cycles of `bytes` bytes of tables each do not overlap.
    fn check_cycles(&self, bytes: usize) -> Result<(), Broken> {
        let late = |(cycle, tables): &&(u64, usize)| (*tables as u64) < cycle * bytes as u64;
        match self.begun.iter().find(late) {
            Some(&(cycle, _)) => Err(Broken::Cycles { cycle }),
            None => Ok(()),
        }
    }

    fn input(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
        source: &mut Labels<'_>,
    ) -> Result<(), Broken> {
        self.anything_happened = true;
        self.turn(cycle)?;
        same_length(bits.len(), labels.len())?;
        for (&bit, label) in bits.iter().zip(labels) {
            if !self.requested_already.insert((cycle, bit)) {
                return Err(Broken::InputTwice { cycle, bit });
            }
            self.requested.push((cycle, bit));
            *label = source(cycle, bit);
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<(), Broken> {
        let first = !std::mem::replace(&mut self.anything_happened, true);
        if first { Ok(()) } else { Err(Broken::Constant) }
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), Broken> {
        self.anything_happened = true;
        self.turn(cycle)?;
        same_length(bits.len(), labels.len())?;
        for (&bit, &label) in bits.iter().zip(labels) {
            if self.outputs.insert((cycle, bit), label).is_some() {
                return Err(Broken::OutputTwice { cycle, bit });
            }
        }
        Ok(())
    }
}

fn same_length(bits: usize, labels: usize) -> Result<(), Broken> {
    if bits == labels { Ok(()) } else { Err(Broken::Lengths { bits, labels }) }
}

/// The labels of `circuit`'s input bits, [expanded](LabelSeed) from `seed`.
pub fn expanded_labels(
    circuit: &Circuit,
    seed: &[u8; 16],
) -> impl Fn(u64, Wire) -> Label + Send + 'static {
    let mut per_cycle = Vec::with_capacity(circuit.input_bits());
    for input in &circuit.inputs {
        per_cycle.resize(per_cycle.len() + input.width as usize, input.per_cycle);
    }
    let first = first_uses(circuit);
    let again = first.iter().copied().filter(|wire| per_cycle[wire.index()]);
    let [all, each] = [first.len() as u64, again.clone().count() as u64];
    let again: HashMap<Wire, u64> = again.zip(0..).collect();
    let first: HashMap<Wire, u64> = first.into_iter().zip(0..).collect();
    let seed = LabelSeed::new(seed);
    move |cycle, wire| {
        let number = match cycle.checked_sub(1).filter(|_| per_cycle[wire.index()]) {
            Some(before) => again.get(&wire).map(|place| all + before * each + place),
            None => first.get(&wire).copied(),
        };
        // A bit that is never requested has an arbitrary label.
        number.map_or(Label::ZERO, |number| seed.label(number))
    }
}

/// A garbler's input and output in memory.
pub struct MemoryGarbler<'a> {
    labels: Labels<'a>,
    seed: Option<[u8; 16]>,
    constant: Label,
    tables: Vec<u8>,
    unfilled: bool,
    ledger: Ledger,
}

impl<'a> MemoryGarbler<'a> {
    /// Takes false labels from `labels`, and `constant` as the label of the public constant 0.
    pub fn new(
        labels: impl FnMut(u64, Wire) -> Label + Send + 'a,
        constant: Label,
    ) -> MemoryGarbler<'a> {
        let labels = Box::new(labels);
        let ledger = Ledger::default();
        MemoryGarbler { labels, seed: None, constant, tables: Vec::new(), unfilled: false, ledger }
    }

    /// Declares that the labels are [expanded](expanded_labels) from this seed.
    pub fn with_seed(self, seed: [u8; 16]) -> MemoryGarbler<'a> {
        MemoryGarbler { seed: Some(seed), ..self }
    }

    /// The tables so far, in order.
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The false labels of output bits so far.
    pub fn outputs(&self) -> &Outputs {
        &self.ledger.outputs
    }

    /// Checks that cycles of `bytes` bytes of tables each did not overlap.
    ///
    /// # Errors
    /// [`Broken::Cycles`] if one began before all tables of the previous one were made.
    pub fn check_cycles(&self, bytes: usize) -> Result<(), Broken> {
        self.ledger.check_cycles(bytes)
    }

    /// The input bits that were requested, in order.
    pub fn requested(&self) -> &[(u64, Wire)] {
        &self.ledger.requested
    }

    fn nothing_unfilled(&self) -> Result<(), Broken> {
        if self.unfilled { Err(Broken::Tables) } else { Ok(()) }
    }
}

impl GarblerIo for MemoryGarbler<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.nothing_unfilled()?;
        Ok(self.ledger.input(cycle, bits, labels, &mut self.labels)?)
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        self.nothing_unfilled()?;
        self.ledger.constant()?;
        Ok(self.constant)
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        self.nothing_unfilled()?;
        Ok(self.ledger.begin_cycle(cycle, table_bytes)?)
    }

    fn label_seed(&mut self) -> Option<LabelSeed> {
        self.seed.as_ref().map(LabelSeed::new)
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        self.nothing_unfilled()?;
        self.unfilled = true;
        self.ledger.anything_happened = true;
        self.ledger.tables += bytes;
        let start = self.tables.len();
        self.tables.resize(start + bytes, 0);
        Ok(&mut self.tables[start..])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        if std::mem::take(&mut self.unfilled) { Ok(()) } else { Err(Broken::Tables.into()) }
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.nothing_unfilled()?;
        Ok(self.ledger.output(cycle, bits, labels)?)
    }
}

/// An evaluator's input and output in memory.
pub struct MemoryEvaluator<'a> {
    labels: Labels<'a>,
    constant: Label,
    tables: &'a [u8],
    ledger: Ledger,
}

impl<'a> MemoryEvaluator<'a> {
    /// Takes active labels from `labels`, `constant` as the label that the garbler sent for the
    /// public constant 0, and `tables` in order.
    pub fn new(
        labels: impl FnMut(u64, Wire) -> Label + Send + 'a,
        constant: Label,
        tables: &'a [u8],
    ) -> MemoryEvaluator<'a> {
        MemoryEvaluator { labels: Box::new(labels), constant, tables, ledger: Ledger::default() }
    }

    /// The active labels of output bits so far.
    pub fn outputs(&self) -> &Outputs {
        &self.ledger.outputs
    }

    /// Checks that cycles of `bytes` bytes of tables each did not overlap.
    ///
    /// # Errors
    /// [`Broken::Cycles`] if one began before all tables of the previous one were used.
    pub fn check_cycles(&self, bytes: usize) -> Result<(), Broken> {
        self.ledger.check_cycles(bytes)
    }

    /// The input bits that were requested, in order.
    pub fn requested(&self) -> &[(u64, Wire)] {
        &self.ledger.requested
    }

    /// Bytes of tables not read yet: 0 after a whole run.
    pub fn tables_left(&self) -> usize {
        self.tables.len()
    }
}

impl EvaluatorIo for MemoryEvaluator<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        Ok(self.ledger.input(cycle, bits, labels, &mut self.labels)?)
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        self.ledger.constant()?;
        Ok(self.constant)
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        Ok(self.ledger.begin_cycle(cycle, table_bytes)?)
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        self.ledger.anything_happened = true;
        self.ledger.tables += bytes;
        let left = self.tables.len();
        let (now, rest) = self
            .tables
            .split_at_checked(bytes)
            .ok_or(Broken::NoTables { requested: bytes, left })?;
        self.tables = rest;
        Ok(now)
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        Ok(self.ledger.output(cycle, bits, labels)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(result: Result<(), IoError>) -> String {
        result.expect_err("a breach of the contract").to_string()
    }

    #[test]
    fn tables_pass_from_garbler_to_evaluator() {
        let mut garbler = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        for n in [3, 5] {
            garbler.table_space(n).unwrap().fill(n as u8);
            garbler.tables_ready().unwrap();
        }
        let mut evaluator = MemoryEvaluator::new(seeded_labels(1), Label::ZERO, garbler.tables());
        assert_eq!(evaluator.tables(4).unwrap(), [3, 3, 3, 5]);
        assert_eq!(evaluator.tables_left(), 4);
        let error = evaluator.tables(5).map(|_| ());
        assert_eq!(broken(error), Broken::NoTables { requested: 5, left: 4 }.to_string());
    }

    #[test]
    fn broken_promises_are_named() {
        let bit = Wire::new(7);
        let mut labels = [Label::ZERO];
        let mut io = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        io.constant().unwrap();
        assert_eq!(broken(io.constant().map(|_| ())), Broken::Constant.to_string());
        io.false_labels(0, &[bit], &mut labels).unwrap();
        io.false_labels(1, &[bit], &mut labels).unwrap();
        assert_eq!(
            broken(io.false_labels(1, &[bit], &mut labels)),
            Broken::InputTwice { cycle: 1, bit }.to_string()
        );
        io.output(1, &[2], &labels).unwrap();
        assert_eq!(
            broken(io.output(1, &[2], &labels)),
            Broken::OutputTwice { cycle: 1, bit: 2 }.to_string()
        );
        assert_eq!(
            broken(io.output(1, &[], &labels)),
            Broken::Lengths { bits: 0, labels: 1 }.to_string()
        );
        assert_eq!(broken(io.tables_ready()), Broken::Tables.to_string());
        assert_eq!(broken(io.output(0, &[3], &labels)), Broken::Cycles { cycle: 0 }.to_string());
        assert_eq!(io.check_cycles(32), Err(Broken::Cycles { cycle: 1 }));
        assert_eq!(io.check_cycles(0), Ok(()));
        io.table_space(32).unwrap();
        assert_eq!(broken(io.output(2, &[2], &labels)), Broken::Tables.to_string());
    }
}
