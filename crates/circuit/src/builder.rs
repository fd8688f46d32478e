//! A builder that writes circuits in Rust, one gate at a time.
//!
//! The builder folds constants, merges equal gates that are close to each other, and keeps one
//! normal form: an XOR gate never inverts (the inversion moves to the returned bit), an AND gate
//! inverts only its inputs, and there are no copies. So an inversion takes no gate.

use crate::bit_runs::BitRuns;
use crate::circuit::{Circuit, FlipFlop, Init, Input, Output, Party};
use crate::element::ElementType;
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};
use crate::structured::{Call, Function, StructureError};
use crate::verify::{self, VerifyError};
use std::io;
use std::sync::Arc;
use thiserror::Error;

mod array;
mod functions;
mod specialise;
pub use array::Array;
pub use functions::{Arg, Defined, Folded};

/// Builds a circuit.
///
/// Memory: the [`Circuit`], plus 4 MiB to find equal gates, whatever the number of gates is.
///
/// ```
/// use halfgate_circuit::{Builder, Party, int};
/// let mut b = Builder::new();
/// let alice = b.input("alice", Party::Garbler, 32);
/// let bob = b.input("bob", Party::Evaluator, 32);
/// let richer = int::lt_unsigned(&mut b, &bob, &alice);
/// b.output("alice_is_richer", &[richer]);
/// assert_eq!(b.finish()?.gates.ands(), 32);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
pub struct Builder {
    /// The circuit so far.
    circuit: Circuit,
    /// The functions defined so far.
    functions: Vec<Arc<Function>>,
    /// The calls in the body.
    calls: Vec<Call>,
    /// A gate whose value is 0, if there is one.
    zero: Option<Bit>,
    /// Whether the body is that of a function, which has no ports and flip-flops.
    is_function: bool,
    /// Number of wires so far.
    wires: u32,
    seen: SeenGates,
    /// The next state of each flip-flop, if it is set.
    next: Vec<Option<Bit>>,
    /// The first error, which [`finish`](Builder::finish) reports.
    error: Option<BuildError>,
    /// Whether gadgets with two forms use the one with the shorter path.
    short_paths: bool,
}

/// Errors in building a circuit.
#[derive(Debug, Error)]
pub enum BuildError {
    /// More wires than a [`Wire`] can number.
    #[error(
        "the circuit has more than {max} wires: repeat a smaller body over cycles instead",
        max = Wire::MAX
    )]
    TooManyWires,
    /// The temporary file for gates could not be written.
    #[error("cannot write the gates to a temporary file (in TMPDIR): {0}")]
    Spool(#[source] io::Error),
    /// [`Builder::set_next`] was called with a bit that is not a flip-flop's output.
    #[error(
        "{0:?} is not the output of a flip-flop: pass a bit that flip_flop returned to set_next"
    )]
    NotAFlipFlop(Bit),
    /// A flip-flop's next state was never set.
    #[error("flip-flop {0} has no next state: call set_next for it")]
    NoNextState(usize),
    /// The ports or flip-flops are invalid.
    #[error(transparent)]
    Invalid(#[from] VerifyError),
    /// The calls are invalid.
    #[error(transparent)]
    Structure(#[from] StructureError),
    /// [`Builder::finish`] was called for a circuit that calls functions.
    #[error("the circuit calls functions: finish it with finish_structured")]
    HasCalls,
    /// A constant is passed to a map or a fold where there is no wire to make it from.
    #[error("a constant is passed to a map or fold, and there is no wire yet: declare an input")]
    NoWires,
}

impl Builder {
    /// Creates an empty circuit of one cycle.
    pub fn new() -> Builder {
        let circuit = Circuit {
            inputs: Vec::new(),
            flip_flops: Vec::new(),
            gates: Gates::new(),
            outputs: Vec::new(),
            cycles: 1,
        };
        Builder {
            circuit,
            functions: Vec::new(),
            calls: Vec::new(),
            zero: None,
            is_function: false,
            wires: 0,
            seen: SeenGates::new(),
            next: Vec::new(),
            error: None,
            short_paths: false,
        }
    }

    /// Makes later integer and float operations (addition, subtraction, comparison, multiplication)
    /// use circuits of logarithmic depth (as [`int::add_fast`](crate::int::add_fast)) instead of
    /// those with the fewest ANDs. This suits a machine that waits for the longest path. The
    /// documented AND counts and depths then no longer apply.
    pub fn prefer_short_paths(&mut self) {
        self.short_paths = true;
    }

    /// Whether [`prefer_short_paths`](Builder::prefer_short_paths) was called.
    pub fn prefers_short_paths(&self) -> bool {
        self.short_paths
    }

    /// Declares an input value of `width` bits, the same in every cycle. Returns its bits, bit 0
    /// first.
    ///
    /// # Panics
    /// If a flip-flop, a gate or a call was made before: inputs are the first wires. If the body is
    /// that of a function.
    pub fn input(&mut self, name: impl Into<String>, party: Party, width: u32) -> Vec<Bit> {
        self.add_input(Input {
            name: name.into(),
            party,
            width,
            per_cycle: false,
            elements: None,
            is_set: false,
        })
    }

    /// Declares an input value of `width` bits with a new value in each cycle. Returns its bits.
    ///
    /// # Panics
    /// As for [`input`](Builder::input).
    pub fn input_per_cycle(
        &mut self,
        name: impl Into<String>,
        party: Party,
        width: u32,
    ) -> Vec<Bit> {
        self.add_input(Input {
            name: name.into(),
            party,
            width,
            per_cycle: true,
            elements: None,
            is_set: false,
        })
    }

    /// Declares a flip-flop and returns its bit. [`set_next`](Builder::set_next) sets its next
    /// state.
    ///
    /// # Panics
    /// If a gate or a call was made before: flip-flops are the wires after the inputs. If the body
    /// is that of a function.
    pub fn flip_flop(&mut self, init: Init) -> Bit {
        assert!(!self.is_function, "a function has no flip-flops: declare them outside");
        assert!(self.has_no_items(), "declare flip-flops before the first gate and call");
        let Some(wire) = self.new_wires(1) else { return Bit::FALSE };
        self.circuit.flip_flops.push(FlipFlop { init, next: wire.bit() });
        self.next.push(None);
        wire.bit()
    }

    /// Sets the state of flip-flop `q` in the following cycle to `next`.
    pub fn set_next(&mut self, q: Bit, next: Bit) {
        let first = self.circuit.first_flip_flop_wire();
        let slot = match q.wire() {
            Some(wire) if !q.is_inverted() => wire.index().checked_sub(first),
            _ => None,
        };
        match slot.and_then(|index| self.next.get_mut(index)) {
            Some(slot) => *slot = Some(next),
            None => self.fail(BuildError::NotAFlipFlop(q)),
        }
    }

    /// Sets the number of cycles for which the circuit runs by default; 1 if never called.
    pub fn set_cycles(&mut self, cycles: u64) {
        self.circuit.cycles = cycles;
    }

    /// Declares an output value, bit 0 first. In a circuit of several cycles, the output is the
    /// value in the last cycle.
    pub fn output(&mut self, name: impl Into<String>, bits: &[Bit]) {
        self.add_output(name.into(), bits, false);
    }

    /// Declares an output value that is revealed in each cycle.
    pub fn output_per_cycle(&mut self, name: impl Into<String>, bits: &[Bit]) {
        self.add_output(name.into(), bits, true);
    }

    /// Sets the type of the input that was declared last.
    pub fn describe_input(&mut self, elements: impl Into<Option<ElementType>>) {
        // A failed declaration added nothing; `finish` reports it.
        if let (None, Some(input)) = (&self.error, self.circuit.inputs.last_mut()) {
            input.elements = elements.into();
        }
    }

    /// Sets the type of the output that was declared last.
    pub fn describe_output(&mut self, elements: impl Into<Option<ElementType>>) {
        // A failed declaration added nothing; `finish` reports it.
        if let (None, Some(output)) = (&self.error, self.circuit.outputs.last_mut()) {
            output.elements = elements.into();
        }
    }

    /// `a & b`. One AND, unless it folds.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) | (_, Some(false)) => return Bit::FALSE,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return Bit::FALSE,
            _ => {}
        }
        self.gate(Gate::and(a.min(b), a.max(b), false))
    }

    /// `a ^ b`. Free.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        match (a.as_constant(), b.as_constant()) {
            (Some(value), _) => return b.invert_if(value),
            (_, Some(value)) => return a.invert_if(value),
            _ if a == b => return Bit::FALSE,
            _ if a == !b => return Bit::TRUE,
            _ => {}
        }
        let invert = a.is_inverted() ^ b.is_inverted();
        let (a, b) = (a.invert_if(a.is_inverted()), b.invert_if(b.is_inverted()));
        self.gate(Gate::xor(a.min(b), a.max(b), false)).invert_if(invert)
    }

    /// `a | b`. One AND, unless it folds.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// `!(a ^ b)`: whether the operands are equal. Free.
    pub fn xnor(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// `!(a & b)`. One AND, unless it folds.
    pub fn nand(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(a, b)
    }

    /// `!(a | b)`. One AND, unless it folds.
    pub fn nor(&mut self, a: Bit, b: Bit) -> Bit {
        self.and(!a, !b)
    }

    /// `if_true` if `select` is 1, else `if_false`. One AND, unless it folds.
    pub fn mux(&mut self, select: Bit, if_true: Bit, if_false: Bit) -> Bit {
        match (if_true.as_constant(), if_false.as_constant()) {
            (Some(false), _) => self.and(!select, if_false),
            (Some(true), _) => self.or(select, if_false),
            (_, Some(false)) => self.and(select, if_true),
            (_, Some(true)) => self.or(!select, if_true),
            _ if select.as_constant() == Some(true) => if_true,
            _ if select.as_constant() == Some(false) => if_false,
            _ => {
                let differ = self.xor(if_true, if_false);
                let change = self.and(select, differ);
                self.xor(change, if_false)
            }
        }
    }

    /// Sets the source line of the gates that follow, such as `sum.v:12`. An empty `line` means
    /// that no line is known. A gate that is merged with an equal one keeps that gate's line.
    pub fn at_line(&mut self, line: &str) {
        self.circuit.gates.begin_line(line);
    }

    /// Number of gates so far.
    pub fn gates(&self) -> usize {
        self.circuit.gates.len()
    }

    /// Number of ANDs so far.
    pub fn ands(&self) -> u64 {
        self.circuit.gates.ands()
    }

    /// Returns the finished circuit.
    ///
    /// # Errors
    /// The first error since [`new`](Builder::new), or an error in the ports. If the circuit calls
    /// functions: see [`finish_structured`](Builder::finish_structured).
    pub fn finish(mut self) -> Result<Circuit, BuildError> {
        self.finish_flip_flops()?;
        if !self.calls.is_empty() {
            return Err(BuildError::HasCalls);
        }
        verify::verify_ports(&self.circuit)?;
        Ok(self.circuit)
    }

    /// Reports the first error, and sets the flip-flops' next states.
    fn finish_flip_flops(&mut self) -> Result<(), BuildError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let next = std::mem::take(&mut self.next);
        for (index, (flip_flop, next)) in self.circuit.flip_flops.iter_mut().zip(next).enumerate() {
            flip_flop.next = next.ok_or(BuildError::NoNextState(index))?;
        }
        Ok(())
    }

    fn has_no_items(&self) -> bool {
        self.circuit.gates.is_empty() && self.calls.is_empty()
    }

    fn add_input(&mut self, input: Input) -> Vec<Bit> {
        let width = input.width;
        match self.declare_input(input) {
            Some(first) => (0..width).map(|i| Wire::new(first.number() + i).bit()).collect(),
            None => vec![Bit::FALSE; width as usize],
        }
    }

    /// Returns the first wire of the input, unless an error has occurred.
    fn declare_input(&mut self, input: Input) -> Option<Wire> {
        let name = &input.name;
        assert!(!self.is_function, "a function has no port {name:?}: declare it outside");
        assert!(
            self.circuit.flip_flops.is_empty() && self.has_no_items(),
            "declare input {name:?} before the first flip-flop, gate and call",
        );
        let first = self.new_wires(input.width)?;
        self.circuit.inputs.push(input);
        Some(first)
    }

    fn add_output(&mut self, name: String, bits: &[Bit], per_cycle: bool) {
        self.declare_output(name, bits.iter().copied().collect(), per_cycle);
    }

    fn declare_output(&mut self, name: String, bits: BitRuns, per_cycle: bool) {
        assert!(!self.is_function, "a function has no port {name:?}: declare it outside");
        self.circuit.outputs.push(Output { name, bits, per_cycle, elements: None });
    }

    /// Returns the output of `gate`, or of an equal gate if one is remembered.
    fn gate(&mut self, gate: Gate) -> Bit {
        if let Some(wire) = self.seen.find(gate) {
            return wire.bit();
        }
        let bit = self.add_gate(gate);
        if let Some(wire) = bit.wire() {
            self.seen.insert(gate, wire);
        }
        bit
    }

    fn add_gate(&mut self, gate: Gate) -> Bit {
        let Some(wire) = self.new_wires(1) else { return Bit::FALSE };
        if let Err(error) = self.circuit.gates.push(gate) {
            self.fail(BuildError::Spool(error));
        }
        wire.bit()
    }

    /// Returns the first of `count` new wires. Returns `None`, and stores an error, if there are
    /// too many wires or an error has occurred before.
    fn new_wires(&mut self, count: u32) -> Option<Wire> {
        if self.error.is_some() {
            return None;
        }
        let wires = self.wires.checked_add(count).filter(|&wires| wires <= Wire::MAX);
        let Some(wires) = wires else {
            self.fail(BuildError::TooManyWires);
            return None;
        };
        let first = self.wires;
        self.wires = wires;
        // A port of no bits at the very limit has no first wire; `finish` rejects such ports.
        Some(Wire::new(first.min(Wire::MAX - 1)))
    }

    fn fail(&mut self, error: BuildError) {
        self.error.get_or_insert(error);
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

/// Recently made gates, with the wires that they drive. This is a cache with two entries per place.
/// If a gate has been evicted, an equal gate is simply added again: the circuit stays correct. With
/// one entry per place this already happened in circuits of a thousand gates.
struct SeenGates {
    /// For each place, two entries of gate bytes and wire, the newer one first. An entry whose gate
    /// bytes are 0 is empty: this gate would be `w0 ^ w0`, which always folds.
    entries: Vec<[(u64, u32); 2]>,
}

impl SeenGates {
    const LOG_ENTRIES: u32 = 18;

    fn new() -> SeenGates {
        SeenGates { entries: vec![[(0, 0); 2]; 1 << (SeenGates::LOG_ENTRIES - 1)] }
    }

    fn find(&self, gate: Gate) -> Option<Wire> {
        let key = u64::from_le_bytes(gate.to_bytes());
        let entries = &self.entries[SeenGates::place(key)];
        entries.iter().find(|(found, _)| *found == key).map(|&(_, wire)| Wire::new(wire))
    }

    /// Adds `gate`, which must not be in the cache.
    fn insert(&mut self, gate: Gate, wire: Wire) {
        let key = u64::from_le_bytes(gate.to_bytes());
        let entries = &mut self.entries[SeenGates::place(key)];
        *entries = [(key, wire.number()), entries[0]];
    }

    /// Fibonacci hashing: the top bits of the product with 2^64 over the golden ratio.
    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (65 - SeenGates::LOG_ENTRIES)) as usize
    }
}

#[cfg(test)]
mod tests;
