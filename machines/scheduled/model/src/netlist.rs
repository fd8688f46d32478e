//! The body that a machine garbles: gates in the program's order, and what their operands are.

use halfgate_circuit::{Circuit, GateKind, Init, Wire};

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
    /// Its operands; a copy has one, and only an AND that is fused by the lowering with XORs has
    /// three.
    pub operands: [Option<Operand>; OPERANDS],
    /// Whether the AND's operands and the output are inverted.
    pub inverts: [bool; 3],
    /// What the third operand is XORed to: the first operand, the second, the AND's output.
    pub xors: [bool; 3],
    /// Of an AND its place among the gates of the program's body, which some suites' hashes take.
    pub position: u32,
}

/// The most operands of a gate.
pub const OPERANDS: usize = 3;

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

/// A flip-flop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlipFlop {
    /// What it holds in the first netlist cycle.
    pub init: Init,
    /// What it takes over, which may be what a flip-flop held, the same one too; `None` for a constant 0.
    pub next: Option<Operand>,
    /// Whether it takes over the inverse.
    pub invert: bool,
}

/// A body of gates and its flip-flops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Netlist {
    /// In order: a gate reads only earlier ones.
    pub gates: Vec<Gate>,
    /// Flip-flops.
    pub flip_flops: Vec<FlipFlop>,
    /// For each input bit whether it is a per-cycle input's.
    pub per_cycle: Vec<bool>,
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
        let flip_flop = |found: &halfgate_circuit::FlipFlop| FlipFlop {
            init: found.init,
            next: found.next.wire().map(operand),
            invert: found.next.is_inverted(),
        };
        let gate = |(position, gate): (u32, halfgate_circuit::Gate)| {
            let mut wires = gate.operands().map(operand);
            let inverts = match gate.kind() {
                GateKind::Xor { invert, .. } | GateKind::Copy { invert, .. } => {
                    [false, false, invert]
                }
                GateKind::And { a, b, invert } => [a.is_inverted(), b.is_inverted(), invert],
            };
            let operands = [wires.next(), wires.next(), None];
            Gate { is_and: gate.is_and(), operands, inverts, xors: [false; 3], position }
        };
        let mut netlist = Netlist {
            gates: (0..).zip(circuit.gates.iter()).map(gate).collect(),
            flip_flops: circuit.flip_flops.iter().map(flip_flop).collect(),
            per_cycle: Vec::with_capacity(inputs),
        };
        for input in &circuit.inputs {
            let all = netlist.per_cycle.len() + input.width as usize;
            netlist.per_cycle.resize(all, input.per_cycle);
        }
        netlist
    }

    /// Bits of per-cycle inputs that gates or flip-flops read.
    pub fn each_cycle(&self) -> usize {
        let nexts = self.flip_flops.iter().filter_map(|found| found.next);
        let operands = self.gates.iter().flat_map(|gate| gate.operands).flatten();
        let mut read = vec![false; self.per_cycle.len()];
        for operand in nexts.chain(operands) {
            if let Operand::Input(wire) = operand {
                read[wire.index()] = self.per_cycle[wire.index()];
            }
        }
        read.into_iter().filter(|read| *read).count()
    }

    /// The same netlist with a copy in each ring of flip-flops that no gate is part of, unless it is a single one
    /// that keeps what it has.
    pub fn without_rings(mut self) -> Netlist {
        for start in self.rings() {
            if !self.keeps(start) {
                self.copy_next(start);
            }
        }
        self
    }

    /// The same [without rings](Netlist::without_rings), and with a copy after every `longest` flip-flops of a chain:
    /// for machines in which a flip-flop is but a name.
    ///
    /// # Panics
    /// If `longest` is 0.
    pub fn with_copies(self, longest: usize) -> Netlist {
        let mut this = self.without_rings();
        this.cut_chains(longest);
        this
    }

    fn cut_chains(&mut self, longest: usize) {
        for start in 0..self.flip_flops.len() {
            let mut at = start;
            for passed in 1.. {
                match self.flip_flops[at].next {
                    Some(Operand::FlipFlop(_)) if passed % longest == 0 => {
                        self.copy_next(at);
                        break;
                    }
                    Some(Operand::FlipFlop(next)) if next as usize != at => at = next as usize,
                    _ => break,
                }
            }
        }
    }

    /// Whether a flip-flop holds the same for the whole run.
    pub fn keeps(&self, flip_flop: usize) -> bool {
        let FlipFlop { next, invert, .. } = self.flip_flops[flip_flop];
        next == Some(Operand::FlipFlop(flip_flop as u32)) && !invert
    }

    fn copy_next(&mut self, flip_flop: usize) {
        let copy = Operand::Gate(self.gates.len() as u32);
        let found = &mut self.flip_flops[flip_flop];
        let (operands, inverts) = ([found.next, None, None], [false, false, found.invert]);
        (found.next, found.invert) = (Some(copy), false);
        let copy = Gate { is_and: false, operands, inverts, xors: [false; 3], position: 0 };
        self.gates.push(copy);
    }

    /// Of each ring of flip-flops the first in their order.
    fn rings(&self) -> Vec<usize> {
        let mut rings = Vec::new();
        // From which start a flip-flop was come to first.
        let mut from = vec![usize::MAX; self.flip_flops.len()];
        for start in 0..from.len() {
            let mut at = start;
            while from[at] == usize::MAX {
                from[at] = start;
                match self.flip_flops[at].next {
                    Some(Operand::FlipFlop(next)) => at = next as usize,
                    _ => break,
                }
            }
            // Back on its own way: round once, for the first.
            let closes = matches!(self.flip_flops[at].next, Some(Operand::FlipFlop(_)));
            if from[at] == start && closes {
                rings.push(self.first_of_ring(at));
            }
        }
        rings.sort_unstable();
        rings
    }

    fn first_of_ring(&self, start: usize) -> usize {
        let (mut at, mut first) = (start, start);
        while let Some(Operand::FlipFlop(next)) = self.flip_flops[at].next {
            at = next as usize;
            first = first.min(at);
            if at == start {
                break;
            }
        }
        first
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
        let flip_flops = self
            .flip_flops
            .iter()
            .map(|&found| FlipFlop { next: found.next.map(operand), ..found });
        Netlist {
            gates: gates.collect(),
            flip_flops: flip_flops.collect(),
            per_cycle: self.per_cycle.clone(),
        }
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
            match self.flip_flops[number as usize].next {
                None | Some(Operand::Input(_)) => return Source::Given,
                Some(Operand::Gate(gate)) => return Source::Gate { gate, ago },
                Some(Operand::FlipFlop(next)) if next == number => return Source::Given,
                Some(Operand::FlipFlop(next)) => number = next,
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
                .map(|found| match found.next {
                    None | Some(Operand::Input(_)) => 0,
                    Some(Operand::FlipFlop(number)) => held[number as usize],
                    Some(Operand::Gate(number)) => made[number as usize],
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
