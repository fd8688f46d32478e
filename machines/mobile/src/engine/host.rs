//! The phone's part. It encodes tables and labels as items when they arrive, and sends the items to
//! the chip. It keeps labels that the chip returned as long as they are needed.

use super::error::PortError;
use halfgate_circuit::{Bit, Circuit, Init, Wire};
use halfgate_compiler::Program;
use halfgate_engine::io::{Counters, EvaluatorIo, RunKey, first_uses, needs_constant};
use halfgate_engine::{EngineError, Label, Suite, check_length, checked};
use halfgate_machine::MAX_CYCLES;
use halfgate_mobile_model::frame::PAYLOAD;
use halfgate_mobile_model::names::{SUITE_GRR3, SUITE_HALF_GATES};
use halfgate_mobile_model::transport::{LinkError, Transport};
use halfgate_mobile_model::{Begin, Encoder, Item, Lowering, SLOTS, Slot, Step};
use halfgate_model::Traffic;
use std::collections::{HashMap, VecDeque};
use zeroize::{Zeroize, Zeroizing};

/// Suites of the chip: the default suite, and the suite of the published machine.
pub const SUITES: [Suite; 2] = [Suite::HalfGates, Suite::Grr3];

/// The port of a chip: sends and receives bytes.
pub trait Port {
    /// Sends bytes. Bytes that arrive meanwhile are kept.
    ///
    /// # Errors
    /// If the port is gone.
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError>;

    /// Returns the bytes received so far. If there are none and `waits` is set, waits for bytes
    /// until the timeout. After the timeout, returns no bytes.
    ///
    /// # Errors
    /// If the port is gone.
    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError>;

    /// Whether the waits since the last [restart](Port::restart_timeout) exceed the timeout, even
    /// if bytes were received meanwhile.
    fn is_late(&self) -> bool;

    /// Restarts the timeout, after progress or a retransmission.
    fn restart_timeout(&mut self);
}

impl<P: Port + ?Sized> Port for &mut P {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        (**self).send(bytes)
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        (**self).receive(waits)
    }

    fn is_late(&self) -> bool {
        (**self).is_late()
    }

    fn restart_timeout(&mut self) {
        (**self).restart_timeout();
    }
}

/// Number of ANDs between progress reports. On a link, these ANDs take some milliseconds. A run can
/// be cancelled at each report.
const PROGRESS_INTERVAL_ANDS: u64 = 256;

/// Counts of what the host sent and received in a run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Bytes and frames on the link.
    pub traffic: Traffic,
    /// Number of ANDs, and number of XORs, including XORs without an item of their own.
    pub gates: [u64; 2],
    /// Number of items that are ANDs, and of items that are XORs.
    pub items: [u64; 2],
    /// Labels loaded into the chip: those of inputs and flip-flops, and those that were spilled
    /// before.
    pub loads: [u64; 2],
    /// Number of labels read back from the chip.
    pub reads: u64,
}

/// Evaluates a program on the chip at a port.
pub struct Evaluates<'a> {
    circuit: &'a Circuit,
    program: &'a Program,
    /// Engine name, shown in error messages.
    name: String,
    key: RunKey,
    transport: Transport,
    port: &'a mut dyn Port,
    /// Whether the chip may hold labels: bytes were sent to it, and the port works.
    has_labels: bool,
    /// Number of netlist cycles and ANDs sent so far.
    done: Counters,
    /// Input bits in the order in which the host requests their labels, each with whether it is
    /// requested in every netlist cycle.
    uses: Vec<(Wire, bool)>,
    /// Labels of this netlist cycle that the host has, by wire.
    known: HashMap<u32, Known>,
    /// Wires whose labels the chip will send, in this order.
    coming: VecDeque<u32>,
    /// Maximum number of slots to use.
    slots: Slot,
    sent: Sent,
}

/// A label that the host has. It is wiped on drop, and boxed so that the map never moves it.
struct Known(Box<Label>);

impl Drop for Known {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Returns a link error as an error of the engine with this name.
pub(super) fn refused(name: &str, error: LinkError) -> EngineError {
    EngineError::device(PortError::Link { engine: name.to_owned(), error })
}

impl<'a> Evaluates<'a> {
    /// Prepares a run of a program on the chip at a port.
    ///
    /// # Errors
    /// If the chip lacks the suite, or the program or its cycles exceed the machine's limits.
    pub fn new(
        name: &str,
        program: &'a Program,
        key: RunKey,
        cycles: u64,
        port: &'a mut dyn Port,
    ) -> Result<Evaluates<'a>, EngineError> {
        checked(name, &SUITES, program, key, cycles, MAX_CYCLES)?;
        let most = (u32::MAX.into(), Begin::NUMBERS - 1);
        check_length(name, (cycles, most.0), program.ands_per_cycle(), most.1)?;
        let circuit = &program.circuit;
        let each: Vec<bool> = (circuit.inputs.iter())
            .flat_map(|input| std::iter::repeat_n(input.per_cycle, input.width as usize))
            .collect();
        let uses = first_uses(circuit).into_iter().map(|wire| (wire, each[wire.index()])).collect();
        let tag = &program.hash.0;
        let suite = if key.suite == Suite::Grr3 { SUITE_GRR3 } else { SUITE_HALF_GATES };
        Ok(Evaluates {
            circuit,
            program,
            name: name.to_owned(),
            key,
            transport: Transport::new(u16::from_le_bytes([tag[0], tag[1]]), suite),
            port,
            has_labels: false,
            done: Counters::default(),
            uses,
            known: HashMap::new(),
            coming: VecDeque::new(),
            slots: SLOTS,
            sent: Sent::default(),
        })
    }

    /// Limits the number of label slots to `most`, which is at least five. Other labels are
    /// spilled.
    pub fn with_slots(mut self, most: Slot) -> Evaluates<'a> {
        self.slots = most.max(5);
        self
    }

    /// Evaluates all netlist cycles. Then, even after an error, the chip is reset so that it wipes
    /// its labels.
    ///
    /// # Errors
    /// If the caller, the port, the link or the chip fails.
    pub fn run(
        mut self,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<(Counters, Sent), EngineError> {
        let circuit = self.circuit;
        let constant = match needs_constant(circuit) {
            true => io.constant().map_err(EngineError::Io)?,
            false => Label::ZERO,
        };
        let constant = Zeroizing::new(constant);
        while self.transport.slots().is_none() {
            self.exchange(true, io)?;
        }
        let mut state = Zeroizing::new(vec![Label::ZERO; circuit.flip_flops.len()]);
        for cycle in 0..cycles {
            let is_last = cycle + 1 == cycles;
            self.inputs(cycle, io)?;
            for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
                let label = match (cycle, flip_flop.init) {
                    (0, Init::Constant(_)) => *constant,
                    (0, Init::Input(wire)) => self.label(wire.number()),
                    _ => state[at],
                };
                self.know((circuit.input_bits() + at) as u32, label);
            }
            let lowering = self.cycle(cycle, is_last, io)?;
            let of = |bit: Bit| match bit.wire() {
                Some(wire) => self.label(lowering.source(wire)),
                None => *constant,
            };
            outputs(circuit, cycle, is_last, io, of)?;
            for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
                state[at] = of(flip_flop.next);
            }
            let gates = lowering.counts();
            (0..2).for_each(|kind| self.sent.gates[kind] += gates[kind]);
            self.done.cycles += 1;
            self.done.ands = self.done.cycles * self.program.ands_per_cycle();
            self.done.gates += self.program.gates_per_cycle();
            self.progress(io)?;
        }
        self.leave();
        self.sent.traffic = self.transport.traffic();
        Ok((self.done, self.sent))
    }

    fn progress(&self, io: &mut dyn EvaluatorIo) -> Result<(), EngineError> {
        io.progress(self.done.cycles, self.done.ands).map_err(EngineError::Io)
    }

    /// Resets the chip so that it wipes its labels, if the port still works. The result of the run
    /// does not depend on this, so failures are ignored and no response is awaited.
    fn leave(&mut self) {
        if std::mem::take(&mut self.has_labels) {
            let _ = self.port.send(&self.transport.leave());
        }
    }

    fn know(&mut self, wire: u32, label: Label) {
        self.known.insert(wire, Known(Box::new(label)));
    }

    /// The label of a wire. The host has it, except for an input that was never requested: its
    /// label is zero.
    fn label(&self, wire: u32) -> Label {
        self.known.get(&wire).map_or(Label::ZERO, |known| *known.0)
    }

    fn inputs(&mut self, cycle: u64, io: &mut dyn EvaluatorIo) -> Result<(), EngineError> {
        let requested = self.uses.iter().filter(|(_, each)| cycle == 0 || *each);
        let requested: Vec<Wire> = requested.map(|(wire, _)| *wire).collect();
        if requested.is_empty() {
            return Ok(());
        }
        let mut labels = Zeroizing::new(vec![Label::ZERO; requested.len()]);
        io.active_labels(cycle, &requested, &mut labels).map_err(EngineError::Io)?;
        for (wire, label) in requested.iter().zip(labels.iter()) {
            self.know(wire.number(), *label);
        }
        Ok(())
    }

    /// Sends a whole netlist cycle, and waits until all requested labels have arrived.
    fn cycle(
        &mut self,
        cycle: u64,
        is_last: bool,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Lowering<'a>, EngineError> {
        let wrong = |error: std::io::Error| EngineError::Io(error.into());
        let slots = self.transport.slots().expect("the chip has sent a hello").min(self.slots);
        // The labels of a run's inputs are needed again in each netlist cycle.
        let is_input = |wire: u32| (wire as usize) < self.circuit.input_bits();
        let mut lowering = Lowering::new(self.circuit, slots).map_err(wrong)?;
        let is_grr3 = self.key.suite == Suite::Grr3;
        let mut encoder = Encoder::default();
        // Has space for two items. Items with long distances may exceed it, but they are rare.
        let mut bytes = Zeroizing::new(Vec::with_capacity(PAYLOAD));
        let begin = Begin {
            is_grr3,
            number: if is_grr3 { 0 } else { self.done.ands },
            cycle: cycle as u32,
            point: self.key.point,
        };
        encoder.push(Item::Begin, None, &begin.bytes(), &mut bytes);
        let mut position = 0;
        while let Some(step) = lowering.next_step().map_err(wrong)? {
            let Some(item) = step.item() else {
                if let Step::Forget { wire } = step
                    && !is_input(wire)
                {
                    self.known.remove(&wire);
                }
                continue;
            };
            match step {
                Step::Forget { .. } => (),
                Step::Load { wire, .. } => {
                    while self.coming.contains(&wire) {
                        encoder.flush(&mut bytes);
                        self.send(&mut bytes, true, io)?;
                        self.exchange(true, io)?;
                    }
                    let label = Zeroizing::new(self.label(wire).to_u128().to_le_bytes());
                    encoder.push(item, None, &label[..], &mut bytes);
                    let made = wire as usize >= self.circuit.first_gate_wire();
                    self.sent.loads[usize::from(made)] += 1;
                }
                Step::Read { wire, .. } => {
                    encoder.push(item, None, &[], &mut bytes);
                    self.coming.push_back(wire);
                    self.sent.reads += 1;
                }
                Step::Xor(_) => {
                    encoder.push(item, None, &[], &mut bytes);
                    self.sent.items[1] += 1;
                }
                Step::And(_, place) => {
                    let far = is_grr3.then(|| u64::from(place) - position);
                    position = place.into();
                    let table = io.tables(self.key.suite.table_bytes()).map_err(EngineError::Io)?;
                    encoder.push(item, far, table, &mut bytes);
                    self.sent.items[0] += 1;
                    self.done.ands += 1;
                    if self.done.ands.is_multiple_of(PROGRESS_INTERVAL_ANDS) {
                        self.progress(io)?;
                    }
                }
            }
            self.send(&mut bytes, false, io)?;
        }
        if is_last {
            encoder.push(Item::End, None, &[], &mut bytes);
        }
        encoder.flush(&mut bytes);
        self.send(&mut bytes, true, io)?;
        while !self.is_settled(is_last) {
            self.exchange(true, io)?;
        }
        Ok(lowering)
    }

    /// Whether the chip has acknowledged everything and returned all labels. In the last netlist
    /// cycle, the chip must also have reported the end.
    fn is_settled(&self, is_last: bool) -> bool {
        let is_over = !is_last || self.transport.is_over();
        self.coming.is_empty() && self.transport.is_acknowledged() && is_over
    }

    /// Queues encoded items, and sends frames until the queue has space.
    fn send(
        &mut self,
        bytes: &mut Vec<u8>,
        flush: bool,
        io: &mut dyn EvaluatorIo,
    ) -> Result<(), EngineError> {
        if !bytes.is_empty() {
            self.transport.send(bytes);
            bytes.clear();
        }
        if flush {
            self.transport.flush();
        }
        while !self.transport.has_space() {
            let full = self.exchange(false, io)?;
            if full && !self.transport.has_space() {
                self.exchange(true, io)?;
            }
        }
        Ok(())
    }

    /// Sends pending frames and handles received bytes. Returns whether there was nothing to send.
    /// Progress is reported before the wait, because the run may have been cancelled.
    fn exchange(&mut self, waits: bool, io: &mut dyn EvaluatorIo) -> Result<bool, EngineError> {
        let sends = self.transport.sends();
        // While the flag is false, a returning error causes no reset, because nothing can be sent
        // to a port that failed.
        self.has_labels = false;
        if !sends.is_empty() {
            self.port.send(&sends)?;
        }
        self.has_labels = true;
        if waits {
            self.progress(io)?;
        }
        self.has_labels = false;
        let receive_buffer = Zeroizing::new(self.port.receive(waits)?);
        self.has_labels = true;
        take(&mut self.transport, self.port, &receive_buffer)
            .map_err(|error| refused(&self.name, error))?;
        while let Some(label) = self.transport.label() {
            let unasked =
                || EngineError::device(PortError::UnreadLabel { engine: self.name.clone() });
            let wire = self.coming.pop_front().ok_or_else(unasked)?;
            self.know(wire, Label::from_u128(label));
        }
        Ok(sends.is_empty())
    }
}

/// After an error, too, the chip is reset, so no labels stay in it.
impl Drop for Evaluates<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Handles received bytes. After a timeout without progress, retransmits all unacknowledged frames.
pub(super) fn take(
    transport: &mut Transport,
    port: &mut dyn Port,
    receive_buffer: &[u8],
) -> Result<(), LinkError> {
    if !transport.receive(receive_buffer)? {
        if !port.is_late() {
            return Ok(());
        }
        transport.retransmit()?;
    }
    port.restart_timeout();
    Ok(())
}

fn outputs(
    circuit: &Circuit,
    cycle: u64,
    is_last: bool,
    io: &mut dyn EvaluatorIo,
    label: impl Fn(Bit) -> Label,
) -> Result<(), EngineError> {
    let all = circuit.outputs.iter().map(|output| output.bits.len()).sum();
    // The buffer is allocated once, so labels are never moved.
    let (mut numbers, mut labels) = (Vec::new(), Zeroizing::new(Vec::with_capacity(all)));
    let mut number = 0;
    for output in &circuit.outputs {
        for bit in &output.bits {
            if (output.per_cycle || is_last) && bit.as_constant().is_none() {
                numbers.push(number);
                labels.push(label(bit));
            }
            number += 1;
        }
    }
    match numbers.is_empty() {
        true => Ok(()),
        false => io.output(cycle, &numbers, &labels).map_err(EngineError::Io),
    }
}
