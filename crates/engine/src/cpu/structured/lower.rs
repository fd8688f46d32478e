//! Lowers each body of a structured program once, whatever the number of its runs.
//!
//! Every wire that is alive has a slot and a polarity. XOR operations have no inversion, so a slot
//! may hold the label of the wire's inverse. XORs and copies pass polarities on. ANDs take those of
//! their operands as flags. A label is inverted, if needed, when it is copied to a port or given
//! out. The wires that a call drives have consecutive slots, which are freed together, after the
//! last read of any of them. A gate that drives an output of a function writes to the output's
//! port, unless the output repeats another or is the inverse of what the gate computes.

use super::code::{
    ArgumentCode, Blocks, BodyCode, CallCode, Chunk, Driven, Give, Home, InputReads, Rule, SlotBit,
    Step,
};
use super::ranges::{Kind, NEVER, Range, Ranges};
use super::slots::{MAX_SLOTS, Slots};
use halfgate_circuit::structured::blocks::Plan;
use halfgate_circuit::structured::uses::input_uses;
use halfgate_circuit::structured::{
    Argument, Body, Call, Form, Function, FunctionId, Item, Sizes, StructuredCircuit,
};
use halfgate_circuit::{Bit, Gate, GateKind, Wire};
use halfgate_compiler::StructuredProgram;
use halfgate_kernels::ops::And;
use std::collections::HashMap;

/// Most gates of a chunk.
const CHUNK: u32 = 4096;

/// The code of a structured program.
#[derive(Debug)]
pub(super) struct Code {
    pub functions: Vec<BodyCode>,
    pub outermost: BodyCode,
    /// Input bits of the program.
    pub input_bits: u32,
    /// The place of each input port; `None` if it has no slots.
    pub inputs: Vec<Option<Home>>,
    /// The outputs that have slots, in parts.
    pub gives: Vec<Give>,
}

/// A body needs more slots than can be numbered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a run of {body} needs {slots} labels at once, more than {MAX_SLOTS}")]
pub(super) struct TooManySlots {
    body: String,
    slots: u64,
}

/// Lowers a program.
///
/// Memory: that of the code, which is some 10 bytes for each gate of the text; and 8 bytes for each
/// gate of one body.
///
/// # Errors
/// If a body needs too many slots.
pub(super) fn lower(program: &StructuredProgram, plan: &Plan) -> Result<Code, TooManySlots> {
    let (circuit, sizes) = (plan.circuit(&program.circuit), program.sizes());
    let mut functions: Vec<BodyCode> = Vec::new();
    for ((number, function), uses) in (0..).zip(&circuit.functions).zip(plan.uses()) {
        let lowered = lower_function(function, &circuit.functions, sizes);
        let code = checked(lowered, || format!("function {:?}", function.name))?;
        let size = sizes.get(FunctionId(number));
        let has_passes = uses.passes.iter().any(Option::is_some);
        functions.push(BodyCode { uses: uses.clone(), has_passes, size, ..code });
    }
    let (outermost, inputs, gives) = lower_outermost(circuit, sizes, plan.given());
    let mut outermost = checked(outermost, || "the outermost body".to_owned())?;
    outermost.size = sizes.of_body(&circuit.body).expect("a valid circuit's gates can be counted");
    let input_bits = circuit.input_bits() as u32;
    for step in &mut outermost.steps {
        let Step::Call(CallCode { function, reads_inputs: Some(reads), .. }) = step else {
            continue;
        };
        let callee = &functions[function.index()];
        let uses =
            [false, true].map(|later| input_uses(&reads.call, &callee.uses, input_bits, later));
        reads.uses = uses;
    }
    Ok(Code { functions, outermost, input_bits, inputs, gives })
}

fn checked(
    (code, slots): (BodyCode, u64),
    body: impl FnOnce() -> String,
) -> Result<BodyCode, TooManySlots> {
    match slots <= MAX_SLOTS {
        true => Ok(BodyCode { slots: slots as u32, ..code }),
        false => Err(TooManySlots { body: body(), slots }),
    }
}

fn lower_function(function: &Function, functions: &[Function], sizes: &Sizes) -> (BodyCode, u64) {
    let (inputs, outputs) = (function.inputs, function.outputs.len() as u32);
    let ends = function.outputs.iter().map(|&bit| (bit, 1));
    let ranges = Ranges::of(&function.body, functions, &[inputs], ends);
    let mut lowerer = Lowerer::new(ranges, functions, sizes, inputs + outputs);
    lowerer.inputs = vec![Some(home(0, inputs, Rule::Flat(0)))];
    for (port, bit) in (inputs..).zip(&function.outputs) {
        let wire = bit.wire().expect("outputs are wires").number();
        if let Kind::Gates(gate) = lowerer.ranges.range_of(wire).kind {
            let gate = gate + (wire - lowerer.ranges.range_of(wire).first) as usize;
            lowerer.ports.entry(gate).or_insert((port, bit.is_inverted()));
        }
    }
    lowerer.body(&function.body, inputs as usize);
    for (port, &bit) in (inputs..).zip(&function.outputs) {
        let from = lowerer.bit(bit);
        if from != port << 1 {
            lowerer.slots.copy(from >> 1, Some(port), from & 1 == 1);
        }
    }
    lowerer.end_chunk();
    let slots = lowerer.slots.count();
    lowerer.note_independent();
    (BodyCode { steps: lowerer.steps, inputs, outputs, ..BodyCode::default() }, slots)
}

fn lower_outermost(
    circuit: &StructuredCircuit,
    sizes: &Sizes,
    given: &HashMap<usize, u32>,
) -> ((BodyCode, u64), Vec<Option<Home>>, Vec<Give>) {
    let widths: Vec<u32> = circuit.inputs.iter().map(|port| port.width).collect();
    let ends = circuit.outputs.iter().flat_map(|output| output.bits.runs());
    let ranges = Ranges::of(&circuit.body, &circuit.functions, &widths, ends);
    let mut lowerer = Lowerer::new(ranges, &circuit.functions, sizes, 0);
    lowerer.place_inputs(&circuit.body);
    lowerer.streamed.clone_from(given);
    lowerer.reads = Some(HashMap::new());
    lowerer.body(&circuit.body, circuit.input_bits());
    lowerer.end_chunk();
    let mut gives = Vec::new();
    let mut number = 0;
    for (first, count) in circuit.outputs.iter().flat_map(|output| output.bits.runs()) {
        lowerer.give(number, first, count, &mut gives);
        number += count;
    }
    let slots = lowerer.slots.count();
    lowerer.note_independent();
    let code = BodyCode { steps: lowerer.steps, ..BodyCode::default() };
    ((code, slots), lowerer.inputs, gives)
}

pub(super) fn home(first: u32, count: u32, rule: Rule) -> Home {
    Home { first, count, rule }
}

pub(super) struct Lowerer<'a> {
    pub(super) ranges: Ranges,
    pub(super) functions: &'a [Function],
    pub(super) sizes: &'a Sizes,
    pub(super) slots: Slots,
    pub(super) steps: Vec<Step>,
    /// The slot of each gate's wire while it is alive.
    gates: Vec<SlotBit>,
    /// The place of each input port; `None` if it is fetched block after block.
    pub(super) inputs: Vec<Option<Home>>,
    /// The place of what each call drives; `None` if it is given out block after block.
    pub(super) calls: Vec<Option<Home>>,
    /// For each call whose results are given out block after block: the output bit at which they
    /// begin.
    pub(super) streamed: HashMap<usize, u32>,
    /// For each gate that drives a port: the port, and whether the output is the inverse of the
    /// gate's wire.
    ports: HashMap<usize, (u32, bool)>,
    /// In the outermost body: the input bits that gates of the chunk read, each with its number in
    /// the order of first reads.
    reads: Option<HashMap<u32, u32>>,
    /// The last maps, which may run together: how many, and the first wire that they drive. No gate
    /// follows the first, and none reads what another drives.
    pub(super) maps: Option<(usize, u32)>,
    /// Ranges of slots that these maps are the last to read, so that later ones may not write there
    /// while they run.
    pub(super) read_last: Vec<(u32, u32)>,
    /// Position of the next item in the flattening.
    position: u64,
    /// Position of the chunk's first gate, and how many gates it has.
    chunk: (u64, u32),
}

impl<'a> Lowerer<'a> {
    fn new(ranges: Ranges, functions: &'a [Function], sizes: &'a Sizes, ports: u32) -> Self {
        Lowerer {
            ranges,
            functions,
            sizes,
            slots: Slots::new(ports),
            steps: Vec::new(),
            gates: Vec::new(),
            inputs: Vec::new(),
            calls: Vec::new(),
            streamed: HashMap::new(),
            ports: HashMap::new(),
            reads: None,
            maps: None,
            read_last: Vec::new(),
            position: 0,
            chunk: (0, 0),
        }
    }

    /// Lowers the items of a body, which follow `first` wires.
    fn body(&mut self, body: &Body, first: usize) {
        let functions = self.functions;
        for (time, item) in (0..).zip(body.items(first, functions)) {
            match item {
                Item::Gate(_, gate) => self.gate(gate, time),
                Item::Call(wire, call) => self.call(call, wire, time),
            }
        }
    }

    fn gate(&mut self, gate: Gate, time: u32) {
        self.end_maps();
        if self.chunk.1 == CHUNK {
            self.end_chunk();
        }
        if self.chunk.1 == 0 {
            self.chunk.0 = self.position;
        }
        self.chunk.1 += 1;
        let place = (self.position - self.chunk.0) as u32;
        self.position += 1;
        let number = self.gates.len();
        // The labels of inputs are requested in the order of all gates, also of those left out.
        gate.operands().for_each(|wire| self.note_read(wire.number()));
        let last_read = self.ranges.last_read_of_gate(number);
        if last_read == NEVER && !gate.is_and() {
            self.gates.push(0);
        } else {
            let result = self.operation(gate, (number, time, place));
            self.gates.push(result);
            if last_read == NEVER {
                self.slots.free(result >> 1);
            }
        }
        for range in self.ranges.ending(time).collect::<Vec<Range>>() {
            self.free_range(range);
        }
    }

    /// Adds the operation of a gate. Returns the slot of its wire.
    fn operation(&mut self, gate: Gate, (number, time, place): (usize, u32, u32)) -> SlotBit {
        let wires: Vec<Wire> = gate.operands().collect();
        let bits = |lowerer: &Self, [a, b]: [Bit; 2]| [lowerer.bit(a), lowerer.bit(b)];
        match gate.kind() {
            GateKind::Xor { a, b, invert } => {
                let bits = bits(self, [a.bit(), b.bit()]);
                let slots = bits.map(|bit| bit >> 1);
                self.slots.before_reading(slots);
                let inverted = invert ^ (bits[0] & 1 == 1) ^ (bits[1] & 1 == 1);
                let last = self.last_of([a, b], time);
                let port = self.port(number, inverted);
                self.slots.xor(slots, last, port) << 1 | u32::from(inverted)
            }
            GateKind::And { a, b, invert } => {
                let bits = bits(self, [a, b]);
                let slots = bits.map(|bit| bit >> 1);
                self.slots.before_reading(slots);
                let flag = |bit: SlotBit, flag: u16| (bit & 1) as u16 * flag;
                let flags = flag(bits[0], And::INVERT_A) | flag(bits[1], And::INVERT_B);
                let last = self.last_of([wires[0], wires[1]], time);
                let port = self.port(number, invert);
                self.slots.and(slots, last, (flags, place), port) << 1 | u32::from(invert)
            }
            GateKind::Copy { a, invert } => {
                let bit = self.bit(a.bit());
                let to = self.slots.copy(bit >> 1, None, false);
                if self.last_of([a, a], time)[0] {
                    self.slots.free(bit >> 1);
                }
                to << 1 | (bit & 1) ^ u32::from(invert)
            }
        }
    }

    /// The port that a gate drives, if the label that it computes is that of the output.
    fn port(&self, gate: usize, inverted: bool) -> Option<u32> {
        let &(port, invert) = self.ports.get(&gate)?;
        (invert == inverted).then_some(port)
    }

    /// For each operand, whether its slot is free after item `time`. Only gates' wires have slots
    /// of their own.
    fn last_of(&self, wires: [Wire; 2], time: u32) -> [bool; 2] {
        let last = wires.map(|wire| {
            let range = self.ranges.range_of(wire.number());
            let Kind::Gates(first) = range.kind else { return false };
            let gate = first + (wire.number() - range.first) as usize;
            self.ranges.last_read_of_gate(gate) == time
        });
        // If both operands are one wire, it is freed once.
        [last[0] && wires[0] != wires[1], last[1]]
    }

    /// Records that a gate of the chunk reads a wire, if it is an input of the outermost body.
    fn note_read(&mut self, wire: u32) {
        if let Some(reads) = &mut self.reads
            && let Kind::Input(_) = self.ranges.range_of(wire).kind
        {
            let next = reads.len() as u32;
            reads.entry(wire).or_insert(next);
        }
    }

    /// The slot of a bit.
    fn bit(&self, bit: Bit) -> SlotBit {
        let wire = bit.wire().expect("operands, arguments and outputs are wires").number();
        let range = self.ranges.range_of(wire);
        let slot = match range.kind {
            Kind::Gates(first) => self.gates[first + (wire - range.first) as usize],
            Kind::Input(port) => self.inputs[port].as_ref().expect("has slots").slot(wire),
            Kind::Call(call) => self.calls[call].as_ref().expect("has slots").slot(wire),
        };
        slot ^ u32::from(bit.is_inverted())
    }

    /// Frees the slots of a range, unless gates drive it.
    fn free_range(&mut self, range: Range) {
        let home = match range.kind {
            Kind::Gates(_) => return,
            // A function's inputs are ports.
            Kind::Input(_) if self.reads.is_none() => return,
            Kind::Input(port) => &self.inputs[port],
            Kind::Call(call) => &self.calls[call],
        };
        let base = match home.as_ref().map(|home| &home.rule) {
            Some(Rule::Flat(base)) => *base,
            Some(Rule::Blocks(blocks)) => blocks.base,
            Some(Rule::Listed(_)) | None => return,
        };
        match self.maps {
            None => self.slots.free_range(base, range.count),
            Some(_) => self.read_last.push((base, range.count)),
        }
    }

    fn end_chunk(&mut self) {
        // Gates that are left out read inputs too.
        let reads = self.reads.as_ref().is_some_and(|reads| !reads.is_empty());
        if !self.slots.is_empty() || reads {
            let mut chunk: Chunk = self.slots.end_chunk();
            chunk.first_position = self.chunk.0;
            if let Some(reads) = &mut self.reads {
                let mut read: Vec<(u32, u32)> = reads.drain().collect();
                read.sort_unstable_by_key(|&(_, order)| order);
                chunk.reads = read.into_iter().map(|(wire, _)| wire).collect();
            }
            self.steps.push(Step::Gates(chunk));
        }
        self.chunk = (self.position, 0);
    }

    fn call(&mut self, call: &Call, first: Wire, time: u32) {
        self.end_chunk();
        self.join_maps(call, first);
        let number = self.calls.len();
        let arguments = call.arguments.iter().map(|argument| self.argument(call, argument));
        let arguments = arguments.collect();
        let driven = self.drive(call, number, first);
        self.steps.push(Step::Call(CallCode {
            function: call.function,
            form: call.form,
            block: self.sizes.block(call),
            arguments,
            driven,
            first_position: self.position,
            reads_inputs: self.reads_inputs(call).map(Box::new),
            together: 0,
        }));
        self.position += self.sizes.get(call.function).gates * call.form.runs();
        self.free_after_call(call, time);
        if self.ranges.range_of(first.number()).last_read == NEVER
            && let Some(range) = self.range_of_call(number, first)
        {
            self.free_range(range);
        }
    }

    fn range_of_call(&self, number: usize, first: Wire) -> Option<Range> {
        let range = self.ranges.range_of(first.number());
        (range.kind == Kind::Call(number)).then_some(range)
    }

    /// What a call of the outermost body reads of the body's inputs.
    fn reads_inputs(&self, call: &Call) -> Option<InputReads> {
        self.reads.as_ref()?;
        let mut ports: Vec<usize> = Vec::new();
        for (low, high) in call.intervals() {
            let ranges = self.ranges.between(low, high).iter();
            ports.extend(ranges.filter_map(|range| match range.kind {
                Kind::Input(port) => Some(port),
                _ => None,
            }));
        }
        ports.sort_unstable();
        ports.dedup();
        let uses = Default::default();
        (!ports.is_empty()).then(|| InputReads { call: call.clone(), ports, uses })
    }

    /// Takes slots for what a call drives, unless it is given out block after block.
    fn drive(&mut self, call: &Call, number: usize, first: Wire) -> Driven {
        if let Some(&output) = self.streamed.get(&number) {
            self.calls.push(None);
            return Driven::Output(output);
        }
        let outputs = self.functions[call.function.index()].outputs.len();
        let count = call.wires(outputs).expect("a valid call") as u32;
        let base = self.slots.take_range(count);
        let rule = match call.form {
            Form::Map { lanes } => {
                // A map drives a wire or more for each lane, so the number of lanes fits 32 bits.
                let (lanes, block) = (lanes as u32, self.sizes.block(call) as u32);
                Rule::Blocks(Blocks { base, width: outputs as u32, lanes, block })
            }
            Form::Once | Form::Fold { .. } => Rule::Flat(base),
        };
        self.calls.push(Some(home(first.number(), count, rule)));
        Driven::Slots(base)
    }

    fn argument(&self, call: &Call, argument: &Argument) -> ArgumentCode {
        let bits = |bits: &[Bit]| bits.iter().map(|&bit| self.bit(bit)).collect();
        match argument {
            Argument::Shared(shared) => ArgumentCode::Shared(bits(shared)),
            Argument::Listed { width, bits: listed } => {
                ArgumentCode::Listed { width: *width, bits: bits(listed) }
            }
            &Argument::Sliced { width, first, run_stride, bit_stride } => {
                let first = first.number();
                let range = self.ranges.range_of(first);
                if let Kind::Input(port) = range.kind
                    && self.inputs[port].is_none()
                {
                    return ArgumentCode::Fetched { width };
                }
                let (low, high) = argument.interval(call.form.runs());
                let homes = self.homes(low, high);
                ArgumentCode::Sliced { width, first, run_stride, bit_stride, homes }
            }
        }
    }

    /// The places of the wires `low` to `high`. The place of a wire between them that is not alive
    /// has no meaning.
    pub(super) fn homes(&self, low: u32, high: u32) -> Vec<Home> {
        let place = |range: &Range| match range.kind {
            Kind::Input(port) => self.inputs[port].clone(),
            Kind::Call(call) => self.calls[call].clone(),
            Kind::Gates(first) => {
                let from = low.max(range.first);
                let count = high.min(range.first + range.count - 1) - from + 1;
                let gate = first + (from - range.first) as usize;
                let slots = self.gates[gate..gate + count as usize].to_vec();
                Some(home(from, count, Rule::Listed(slots)))
            }
        };
        self.ranges.between(low, high).iter().filter_map(place).collect()
    }

    /// Frees the slots that a call is the last to read.
    fn free_after_call(&mut self, call: &Call, time: u32) {
        let mut ended: Vec<usize> = Vec::new();
        for (low, high) in call.intervals() {
            for range in self.ranges.between(low, high) {
                let Kind::Gates(first) = range.kind else { continue };
                let from = low.max(range.first) - range.first;
                let to = high.min(range.first + range.count - 1) - range.first;
                let gates = first + from as usize..=first + to as usize;
                ended.extend(gates.filter(|&gate| self.ranges.last_read_of_gate(gate) == time));
            }
        }
        ended.sort_unstable();
        ended.dedup();
        for gate in ended {
            self.slots.free(self.gates[gate] >> 1);
        }
        for range in self.ranges.ending(time).collect::<Vec<Range>>() {
            self.free_range(range);
        }
    }
}
