//! The body that a machine garbles: gates in the program's order, and what their operands are.

use halfgate_circuit::{Bit, Circuit, Wire};

/// Where a label comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A label that is not a gate's: an input bit, of the run or of the netlist cycle, or a constant.
    Given,
    /// What gate `gate` made, in this netlist cycle if `ago` is 0, and else that many before.
    Gate {
        /// The gate's number.
        gate: u32,
        /// Netlist cycles between the two.
        ago: u32,
    },
}

/// A gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// Whether it has a table: an AND. Others are XORs, and copies with or without an inversion.
    pub is_and: bool,
    /// Its operands; a copy has one.
    pub operands: [Option<Operand>; 2],
}

/// What a gate reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An input bit.
    Input(Wire),
    /// What a flip-flop holds.
    FlipFlop(u32),
    /// Another gate's output.
    Gate(u32),
}

/// What a flip-flop takes over, or starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A constant or an input bit.
    Given,
    /// What another flip-flop held, or the same one.
    FlipFlop(u32),
    /// A gate's output.
    Gate(u32),
}

/// A body of gates and its flip-flops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Netlist {
    /// In order: a gate reads only earlier ones.
    pub gates: Vec<Gate>,
    /// For each flip-flop what it holds in the next netlist cycle.
    pub flip_flops: Vec<Value>,
}

impl Netlist {
    /// The netlist of a circuit's body, gates in the circuit's order.
    pub fn of(circuit: &Circuit) -> Netlist {
        let (inputs, first_gate) = (circuit.input_bits(), circuit.first_gate_wire());
        let operand = |wire: Wire| match wire.index() {
            index if index < inputs => Operand::Input(wire),
            index if index < first_gate => Operand::FlipFlop((index - inputs) as u32),
            index => Operand::Gate((index - first_gate) as u32),
        };
        let value = |bit: Bit| match bit.wire().map(operand) {
            None | Some(Operand::Input(_)) => Value::Given,
            Some(Operand::FlipFlop(number)) => Value::FlipFlop(number),
            Some(Operand::Gate(number)) => Value::Gate(number),
        };
        let gate = |gate: halfgate_circuit::Gate| {
            let mut wires = gate.operands().map(operand);
            Gate { is_and: gate.is_and(), operands: [wires.next(), wires.next()] }
        };
        Netlist {
            gates: circuit.gates.iter().map(gate).collect(),
            flip_flops: circuit.flip_flops.iter().map(|found| value(found.next)).collect(),
        }
    }

    /// The same netlist with its gates in the order of their clocks in a schedule, which is another program:
    /// what an in-order machine is best given.
    ///
    /// # Panics
    /// If `times` are not one for each gate, or put a gate before one that it reads.
    pub fn in_order(&self, times: &[u32]) -> Netlist {
        assert_eq!(times.len(), self.gates.len(), "a clock for each gate");
        let mut order: Vec<usize> = (0..self.gates.len()).collect();
        order.sort_by_key(|&gate| times[gate]);
        let mut places = vec![0; order.len()];
        for (place, &gate) in order.iter().enumerate() {
            places[gate] = place as u32;
        }
        let operand = |operand: Operand| match operand {
            Operand::Gate(gate) => Operand::Gate(places[gate as usize]),
            other => other,
        };
        let gates = order.iter().enumerate().map(|(place, &gate)| {
            let old = self.gates[gate];
            let operands = old.operands.map(|found| found.map(operand));
            for operand in operands.into_iter().flatten() {
                assert!(!matches!(operand, Operand::Gate(read) if read as usize >= place));
            }
            Gate { operands, ..old }
        });
        let flip_flops = self.flip_flops.iter().map(|value| match *value {
            Value::Gate(gate) => Value::Gate(places[gate as usize]),
            other => other,
        });
        Netlist { gates: gates.collect(), flip_flops: flip_flops.collect() }
    }

    /// Gates with tables.
    pub fn ands(&self) -> usize {
        self.gates.iter().filter(|gate| gate.is_and).count()
    }

    /// Where an operand's label comes from, through flip-flops, which move none: what a flip-flop holds is
    /// what a gate made netlist cycles ago. (In the first ones it is what the flip-flops started from.)
    pub fn source(&self, operand: Operand) -> Source {
        let mut number = match operand {
            Operand::Input(_) => return Source::Given,
            Operand::Gate(gate) => return Source::Gate { gate, ago: 0 },
            Operand::FlipFlop(number) => number,
        };
        // A chain of flip-flops is a shift register; one that comes back to itself never changes.
        for ago in 1..=self.flip_flops.len() as u32 {
            match self.flip_flops[number as usize] {
                Value::Given => return Source::Given,
                Value::Gate(gate) => return Source::Gate { gate, ago },
                Value::FlipFlop(next) => number = next,
            }
        }
        Source::Given
    }

    /// The gates that a gate reads: which operand, which gate, and how many netlist cycles ago.
    pub fn reads(&self, gate: usize) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        let operands = self.gates[gate].operands.into_iter().enumerate();
        operands.filter_map(|(number, operand)| match self.source(operand?) {
            Source::Given => None,
            Source::Gate { gate, ago } => Some((number, gate as usize, ago)),
        })
    }

    /// The clocks that the longest chain of dependent gates takes in `cycles` netlist cycles, if an AND takes
    /// `and` clocks until its label can be read and any other gate `xor`: less than that no machine takes.
    pub fn critical_path(&self, cycles: u64, and: u64, xor: u64) -> u64 {
        let mut held = vec![0; self.flip_flops.len()];
        let mut made = vec![0; self.gates.len()];
        let mut longest = 0;
        for _ in 0..cycles {
            for (number, gate) in self.gates.iter().enumerate() {
                let ready = gate.operands.iter().flatten().map(|operand| match *operand {
                    Operand::Input(_) => 0,
                    Operand::FlipFlop(number) => held[number as usize],
                    Operand::Gate(number) => made[number as usize],
                });
                let ready: u64 = ready.max().unwrap_or(0);
                made[number] = ready + if gate.is_and { and } else { xor };
                longest = longest.max(made[number]);
            }
            held = self
                .flip_flops
                .iter()
                .map(|value| match *value {
                    Value::Given => 0,
                    Value::FlipFlop(number) => held[number as usize],
                    Value::Gate(number) => made[number as usize],
                })
                .collect();
        }
        longest
    }

    /// A bound from below on the clocks of one netlist cycle, if `slots` gates of any kind are taken in a clock:
    /// of the gates that no fewer than `d` clocks come before and no fewer than `h` follow, the first is taken
    /// at `d` at the earliest, and after the last there are `h` to go. The greatest such sum over a grid of
    /// `d` and `h`; with both 0 it is gates over slots, and with one gate on the longest path that path.
    pub fn least_clocks(&self, slots: u64, and: u64, xor: u64) -> u64 {
        let latency = |gate: usize| if self.gates[gate].is_and { and } else { xor };
        let reads = |gate| self.reads(gate).filter(|(.., ago)| *ago == 0).map(|(_, read, _)| read);
        let mut before = vec![0; self.gates.len()];
        for gate in 0..self.gates.len() {
            let ready = reads(gate).map(|read| before[read] + latency(read));
            before[gate] = ready.max().unwrap_or(0);
        }
        let mut after: Vec<u64> = (0..self.gates.len()).map(latency).collect();
        for gate in (0..self.gates.len()).rev() {
            for read in reads(gate) {
                after[read] = after[read].max(after[gate] + latency(read));
            }
        }
        let longest = before.iter().zip(&after).map(|(before, after)| before + after).max();
        let Some(longest) = longest else { return 0 };
        let step = (longest / GRID).max(1) as usize;
        let mut least = longest;
        for d in (0..=longest).step_by(step) {
            let late = before.iter().zip(&after).filter(|(before, _)| **before >= d);
            let mut after: Vec<u64> = late.map(|(_, after)| *after).collect();
            after.sort_unstable_by(|a, b| b.cmp(a));
            // The first n of them are those that no fewer than the last one's clocks follow.
            for (count, h) in (1..).zip(&after) {
                least = least.max(d + u64::div_ceil(count, slots) - 1 + h);
            }
        }
        least
    }
}

/// Values of `d` that [`Netlist::least_clocks`] tries.
const GRID: u64 = 200;
