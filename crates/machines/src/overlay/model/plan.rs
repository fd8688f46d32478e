//! What the host sends for a circuit, batch by batch.

use super::host::{Sent, Waits};
use crate::overlay::command::{Command, Form, Lacks, ZERO};
use crate::overlay::stream::and_numbers;
use crate::overlay::{Allocation, Batches, Cells, Place, encode};
use halfgate_circuit::{Circuit, Gate};

/// A circuit's body as commands.
pub struct Plan {
    batches: Batches,
    allocation: Allocation,
    gates: Vec<Gate>,
    numbers: Vec<u32>,
    first_gate: usize,
    form: Form,
    /// Copies that go before the body, and how many of them to a batch.
    loads: Vec<Command>,
    most: usize,
}

impl Plan {
    /// Memory: some thirty bytes a gate of the body.
    ///
    /// # Errors
    /// The first gate that has no command in this form, by its place in the body, and what is not there.
    pub fn new(
        circuit: &Circuit,
        batches: Batches,
        allocation: Allocation,
        (form, cells): (Form, Cells),
    ) -> Result<Plan, (u32, Lacks)> {
        let gates: Vec<Gate> = circuit.gates.iter().collect();
        let numbers = and_numbers(&gates);
        let first_gate = circuit.first_gate_wire();
        let loads = allocation.loads.iter().enumerate().filter_map(|(wire, &at)| {
            let (a, out) = (allocation.places[wire], Place::BlockRam(at?));
            Some(Command { a, b: ZERO, out, ..Command::NONE })
        });
        let (loads, most) = (loads.collect(), cells.xors as usize);
        let plan = Plan { batches, allocation, gates, numbers, first_gate, form, loads, most };
        for gate in 0..plan.gates.len() as u32 {
            form.encode(plan.command(gate)).map_err(|lacks| (gate, lacks))?;
        }
        Ok(plan)
    }

    /// How commands lie in registers.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Where labels are.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Gates that are sent, loads among them.
    pub fn gates(&self) -> u64 {
        (self.loads.len() + self.gates.len()) as u64
    }

    /// How many batches there are, of loads and of the body.
    pub fn batches(&self) -> usize {
        self.loading() + self.batches.batches.len()
    }

    /// Batches of loads.
    fn loading(&self) -> usize {
        self.loads.len().div_ceil(self.most)
    }

    /// Words that the host sends, those before batches and the end's included.
    pub fn words(&self) -> u64 {
        let of = |ands| self.form.registers(ands) as u64;
        let batches = self.batches.batches.iter();
        let body = batches.map(|batch| 1 + u64::from(batch.gates) * of(batch.ands));
        let loads = self.loading() as u64 + self.loads.len() as u64 * of(false);
        loads + body.sum::<u64>() + 1
    }

    /// Whether ANDs are sent in their own order, so that nobody need say their numbers.
    pub fn is_in_order(&self) -> bool {
        let mut next = 0;
        self.batches.order.iter().all(|&gate| {
            let at = gate as usize;
            let is_next = !self.gates[at].is_and() || self.numbers[at] == next;
            next += u32::from(self.gates[at].is_and());
            is_next
        })
    }

    /// For how many batches of XORs the host waits, and for how many of ANDs.
    pub fn waits(&self, waits: Waits) -> [u64; 2] {
        let mut counts = [0; 2];
        for batch in &self.batches.batches {
            counts[usize::from(batch.ands)] += u64::from(waits.after(batch).is_some());
        }
        counts
    }

    /// A batch by its number.
    pub fn batch(&self, number: usize, waits: Waits) -> Sent {
        let Some(number) = number.checked_sub(self.loading()) else {
            return self.load(number);
        };
        let batch = self.batches.batches[number];
        let registers = self.form.registers(batch.ands);
        let mut words = Vec::with_capacity(1 + registers * batch.gates as usize);
        words.push(encode::batch(batch.gates, batch.ands));
        for &gate in self.batches.gates(batch) {
            let all = self.form.encode(self.command(gate)).expect("checked when the plan was made");
            words.extend_from_slice(&all[..registers]);
        }
        Sent { words, wait_ns: waits.after(&batch) }
    }

    /// A batch of loads.
    fn load(&self, number: usize) -> Sent {
        let loads = &self.loads[number * self.most..];
        let loads = &loads[..loads.len().min(self.most)];
        let mut words = vec![encode::batch(loads.len() as u32, false)];
        for &load in loads {
            let all = self.form.encode(load).expect("checked when the plan was made");
            words.extend_from_slice(&all[..self.form.registers(false)]);
        }
        Sent { words, wait_ns: None }
    }

    fn command(&self, gate: u32) -> Command {
        let at = gate as usize;
        let out = self.allocation.places[self.first_gate + at];
        let read_at = |wire| self.allocation.read_at(wire);
        Command::of(self.gates[at], self.numbers[at], out, read_at)
    }
}
