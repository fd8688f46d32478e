//! A section: consecutive gates of the body, planned as a circuit of their own.

use super::How;
use crate::allocate::Traffic;
use crate::command::{Command, Form, Lacks};
use crate::model::{Sent, Waits};
use crate::place::{CONSTANTS, ZERO};
use crate::{Allocation, Batch, Batches, Place, encode};
use halfgate_circuit::{Bit, Circuit, Gate, Gates, Input, Output, Party, Wire};
use std::collections::{HashMap, HashSet};

/// Address in DDR of an input or flip-flop.
pub(super) fn home(wire: usize) -> u32 {
    CONSTANTS + wire as u32
}

/// What a section's planning needs to know of the rest of the circuit.
#[derive(Clone, Copy)]
pub(super) struct Before<'b> {
    /// Number of the section.
    pub number: u32,
    /// Wire of the section's first gate.
    pub first: usize,
    /// Number of ANDs before the section.
    pub ands: u32,
    /// Number of the circuit's input and flip-flop wires.
    pub inputs: usize,
    /// Wires that this section computes and later sections read, each with the last section that
    /// reads it.
    pub crossing: &'b [(u32, u32)],
    /// Outputs of the circuit: the map's keys are their wires.
    pub outputs: &'b HashMap<u32, u32>,
}

/// Allocator of addresses in DDR.
pub(super) struct Ddr {
    free: Vec<u32>,
    next: u32,
    /// Crossing wires: the address of each, and the last section that reads it.
    live: HashMap<u32, (u32, u32)>,
}

impl Ddr {
    /// Reserves the addresses of `inputs` inputs and flip-flops.
    pub fn new(inputs: usize) -> Ddr {
        Ddr { free: Vec::new(), next: home(inputs), live: HashMap::new() }
    }

    /// Number of addresses used so far, including those that are free again.
    pub fn most(&self) -> u32 {
        self.next
    }

    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Frees the addresses of labels that nothing reads after this section: labels that the section
    /// computed, and labels of earlier sections for which it was the last reader.
    fn release(
        &mut self,
        made: &[u32],
        crosses: HashMap<u32, (u32, u32)>,
        outputs: &[(u32, u32)],
        before: Before<'_>,
    ) {
        let stays: HashSet<u32> =
            crosses.values().map(|(at, _)| *at).chain(outputs.iter().map(|(_, at)| *at)).collect();
        self.free.extend(made.iter().rev().filter(|at| !stays.contains(at)));
        self.live.extend(crosses);
        let over = self.live.extract_if(|_, (_, last)| *last <= before.number);
        let over = over.filter(|(wire, _)| !before.outputs.contains_key(wire));
        let mut over: Vec<u32> = over.map(|(_, (at, _))| at).collect();
        // The order of freed addresses must not depend on the hash map: planning a section again
        // must return the same addresses.
        over.sort_unstable();
        self.free.extend(over);
    }
}

/// A planned section: its gates as commands.
pub(super) struct Section {
    batches: Batches,
    allocation: Allocation,
    /// The gates, with the section's own wire numbers. Wires that the section reads from outside
    /// come first.
    gates: Vec<Gate>,
    numbers: Vec<u32>,
    first_gate: usize,
    /// Maps addresses of the section's allocation to addresses in DDR.
    ddr: Vec<u32>,
    /// Copies that are sent before the gates; and (`most`) the maximum number of copies per batch.
    loads: Vec<Command>,
    most: usize,
    /// Words of block RAM in use.
    pub block_ram: u32,
    /// Counts of the section's accesses.
    pub traffic: Traffic,
    /// Outputs of the circuit that the section computes, with their addresses in DDR.
    pub outputs: Vec<(u32, u32)>,
}

impl Section {
    /// Plans `gates`.
    ///
    /// # Errors
    /// If this form cannot encode a gate: the position of the first such gate in the body, and the
    /// reason.
    pub fn new(
        gates: &[Gate],
        before: Before<'_>,
        how: &How,
        ddr: &mut Ddr,
    ) -> Result<Section, (u32, Lacks)> {
        let crossing = before.crossing;
        let is_output = |wire: usize| before.outputs.contains_key(&(wire as u32));
        let last_wire = before.first + gates.len();
        let outputs: Vec<u32> =
            (before.first..last_wire).filter(|&wire| is_output(wire)).map(|w| w as u32).collect();
        let kept = crossing.iter().map(|(wire, _)| *wire).chain(outputs.iter().copied());
        let (circuit, outside) = circuit(gates, before.first, kept);
        let mut batches = match how.window {
            Some(window) => Batches::by_windows(&circuit, how.cells, window as usize),
            None => Batches::by_layers(&circuit, how.cells),
        };
        if let Some(lanes) = super::lanes(how.policy) {
            batches.spread(lanes);
        }
        let allocation = Allocation::new(&circuit, &batches, how.policy, how.block_ram);

        // Addresses in DDR: labels from outside already have addresses, and results get new ones.
        let mut places: Vec<u32> = (0..CONSTANTS).collect();
        places.extend(outside.iter().map(|&wire| match (wire as usize) < before.inputs {
            true => home(wire as usize),
            false => ddr.live[&wire].0,
        }));
        while places.len() < allocation.in_ddr as usize {
            places.push(ddr.take());
        }
        let first_gate = circuit.first_gate_wire();
        let of = |wire: u32| match allocation.places[first_gate + wire as usize - before.first] {
            Place::Ddr(at) => places[at as usize],
            Place::BlockRam(_) => unreachable!("an output is in DDR"),
        };
        let outputs: Vec<(u32, u32)> = outputs.into_iter().map(|wire| (wire, of(wire))).collect();
        let crosses = crossing.iter().map(|&(wire, last)| (wire, (of(wire), last)));
        let crosses: HashMap<u32, (u32, u32)> = crosses.collect();

        // After the section, only labels with later readers keep their addresses.
        let made = &places[CONSTANTS as usize + outside.len()..];
        ddr.release(made, crosses, &outputs, before);

        let loads = allocation.loads.iter().enumerate().filter_map(|(wire, &at)| {
            let (a, out) = (allocation.places[wire], Place::BlockRam(at?));
            Some(Command { a, b: ZERO, out, ..Command::NONE })
        });
        let gates: Vec<Gate> = circuit.gates.iter().collect();
        let mut numbers = and_numbers(&gates);
        numbers.iter_mut().for_each(|number| *number += before.ands);
        let section = Section {
            loads: loads.collect(),
            most: how.cells.xors as usize,
            block_ram: allocation.words,
            traffic: allocation.traffic(&circuit),
            batches,
            allocation,
            gates,
            numbers,
            first_gate,
            ddr: places,
            outputs,
        };
        for gate in 0..section.gates.len() as u32 {
            let place = (before.first - before.inputs) as u32 + gate;
            how.form.encode(section.command(gate)).map_err(|lacks| (place, lacks))?;
        }
        for &load in &section.loads {
            how.form.encode(section.placed(load)).map_err(|lacks| (0, lacks))?;
        }
        Ok(section)
    }

    /// Number of batches, including batches of loads.
    pub fn batches(&self) -> usize {
        self.loading() + self.batches.batches.len()
    }

    /// Batches of gates.
    pub fn body(&self) -> &[Batch] {
        &self.batches.batches
    }

    /// Number of batches that are loads.
    pub fn loading(&self) -> usize {
        self.loads.len().div_ceil(self.most)
    }

    /// Number of loads.
    pub fn loads(&self) -> usize {
        self.loads.len()
    }

    /// Number of gates, including loads.
    pub fn gates(&self) -> u64 {
        (self.loads.len() + self.gates.len()) as u64
    }

    /// Whether ANDs are sent in the order of their AND numbers.
    pub fn is_in_order(&self) -> bool {
        let ands = self.batches.order.iter().filter(|gate| self.gates[**gate as usize].is_and());
        ands.map(|gate| self.numbers[*gate as usize]).is_sorted()
    }

    /// Returns the batch with this number. Batches of loads come first.
    pub fn batch(&self, number: usize, form: Form, waits: Waits) -> Sent {
        let Some(number) = number.checked_sub(self.loading()) else {
            let loads = &self.loads[number * self.most..];
            let loads = loads[..loads.len().min(self.most)].iter();
            return sent(form, false, loads.map(|&load| self.placed(load)), None);
        };
        let batch = self.batches.batches[number];
        let commands = self.batches.gates(batch).iter().map(|&gate| self.command(gate));
        sent(form, batch.ands, commands, waits.after(&batch))
    }

    fn command(&self, gate: u32) -> Command {
        let at = gate as usize;
        let out = self.allocation.places[self.first_gate + at];
        let read_at = |wire| self.allocation.read_at(wire);
        self.placed(Command::of(self.gates[at], self.numbers[at], out, read_at))
    }

    /// Translates a command's addresses from the section's allocation to those in DDR.
    fn placed(&self, command: Command) -> Command {
        let of = |place| match place {
            Place::Ddr(at) => Place::Ddr(self.ddr[at as usize]),
            place => place,
        };
        Command { a: of(command.a), b: of(command.b), out: of(command.out), ..command }
    }
}

fn sent(
    form: Form,
    ands: bool,
    commands: impl ExactSizeIterator<Item = Command>,
    wait_ns: Option<f64>,
) -> Sent {
    let registers = form.registers(ands);
    let mut words = Vec::with_capacity(1 + registers * commands.len());
    words.push(encode::batch(commands.len() as u32, ands));
    for command in commands {
        let all = form.encode(command).expect("checked when the plan was made");
        words.extend_from_slice(&all[..registers]);
    }
    Sent { words, wait_ns }
}

/// Returns the gates as a circuit of their own whose outputs are `kept`; and the wires from
/// outside, which are the inputs of this circuit.
fn circuit(gates: &[Gate], first: usize, kept: impl Iterator<Item = u32>) -> (Circuit, Vec<u32>) {
    let mut outside: Vec<u32> = Vec::new();
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    for wire in gates.iter().flat_map(|gate| gate.operands()).map(|wire| wire.index()) {
        if wire < first {
            numbers.entry(wire as u32).or_insert_with(|| {
                outside.push(wire as u32);
                outside.len() as u32 - 1
            });
        }
    }
    let inside = |wire: usize| (outside.len() + wire - first) as u32;
    let own = |wire: Wire| match wire.index() < first {
        true => Wire::new(numbers[&(wire.index() as u32)]),
        false => Wire::new(inside(wire.index())),
    };
    let mut own_gates = Gates::new();
    for gate in gates {
        let pushed = own_gates.push(gate.map_operands(|wire| Bit::new(own(wire), false)));
        pushed.expect("a section is held in memory");
    }
    let bits: Vec<Bit> =
        kept.map(|wire| Bit::new(Wire::new(inside(wire as usize)), false)).collect();
    let input = Input {
        name: "outside".to_owned(),
        party: Party::Garbler,
        width: outside.len() as u32,
        per_cycle: false,
        elements: None,
        is_set: false,
    };
    let output =
        Output { name: "kept".to_owned(), bits: bits.into(), per_cycle: false, elements: None };
    let circuit = Circuit {
        inputs: if outside.is_empty() { Vec::new() } else { vec![input] },
        flip_flops: Vec::new(),
        gates: own_gates,
        outputs: vec![output],
        cycles: 1,
    };
    (circuit, outside)
}

/// For each gate, the number of ANDs before it. For an AND this is its AND number.
fn and_numbers(gates: &[Gate]) -> Vec<u32> {
    let count = |ands: &mut u32, gate: &Gate| {
        let before = *ands;
        *ands += u32::from(gate.is_and());
        Some(before)
    };
    gates.iter().scan(0, count).collect()
}
