//! The netlist that a machine garbles: gates in the program's order, with their operands.

use halfgate_circuit::{Circuit, GateKind, Init, Wire};

/// The source of an operand's label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A label that no gate makes: that of a per-run or per-cycle input bit, or of a constant.
    Given,
    /// The label that gate `gate` made `ago` netlist cycles before the read.
    Gate {
        /// The gate's number.
        gate: u32,
        /// Number of netlist cycles since the label was made.
        ago: u32,
    },
}

/// A gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// Whether the gate is an AND, which has a table. Other gates are XORs, and copies with or
    /// without an inversion.
    pub is_and: bool,
    /// The operands. A copy has one. Only an AND that the lowering fused with XORs has three.
    pub operands: [Option<Operand>; OPERANDS],
    /// Whether the first operand, the second and the output are inverted.
    pub inverts: [bool; 3],
    /// Whether the third operand is XORed to the first operand, the second, the AND's output.
    pub xors: [bool; 3],
    /// An AND's index in the program's body, which the hashes of some suites use.
    pub position: u32,
}

/// The largest number of operands of a gate.
pub const OPERANDS: usize = 3;

/// A wire that a gate reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An input bit.
    Input(Wire),
    /// The value of a flip-flop.
    FlipFlop(u32),
    /// Another gate's output.
    Gate(u32),
}

/// A flip-flop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlipFlop {
    /// The value in the first netlist cycle.
    pub init: Init,
    /// The wire whose value the flip-flop takes over. It may be a flip-flop, even this one. `None`
    /// for a constant 0.
    pub next: Option<Operand>,
    /// Whether the flip-flop takes over the inverse.
    pub invert: bool,
}

/// A body: gates and flip-flops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Netlist {
    /// Gates in order: a gate reads only earlier ones.
    pub gates: Vec<Gate>,
    /// Flip-flops.
    pub flip_flops: Vec<FlipFlop>,
    /// For each input bit, whether it belongs to a per-cycle input.
    pub per_cycle: Vec<bool>,
}

impl Netlist {
    /// Makes the netlist of a circuit's body, with gates in the circuit's order.
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

    /// Number of bits of per-cycle inputs that gates or flip-flops read.
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

    /// Adds a copy to each ring that consists only of flip-flops, except to a single flip-flop that
    /// keeps its value.
    pub fn without_rings(mut self) -> Netlist {
        for start in self.rings() {
            if !self.keeps(start) {
                self.copy_next(start);
            }
        }
        self
    }

    /// Like [`without_rings`](Netlist::without_rings), and adds a copy after every `longest`
    /// flip-flops of a chain: for machines without flip-flops.
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

    /// Whether a flip-flop keeps its value for the whole run.
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

    /// The first flip-flop of each ring, in increasing order.
    fn rings(&self) -> Vec<usize> {
        let mut rings = Vec::new();
        // For each flip-flop the start of the search that reached it first.
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
            // If the same search has reached this flip-flop before, there is a ring.
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

    /// Returns the netlist with its gates in the order of their times in a schedule. The result is
    /// another program, whose order suits a machine that takes gates in order.
    ///
    /// # Panics
    /// If `times` does not have one time for each gate, or puts a gate before a gate that it reads.
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

    /// Number of gates with tables.
    pub fn ands(&self) -> usize {
        self.gates.iter().filter(|gate| gate.is_and).count()
    }

    /// Returns the source of an operand's label. The operand is followed through flip-flops,
    /// because a flip-flop holds the label that a gate made some netlist cycles earlier (or, in the
    /// first netlist cycles, an initial value).
    pub fn source(&self, operand: Operand) -> Source {
        let mut number = match operand {
            Operand::Input(_) => return Source::Given,
            Operand::Gate(gate) => return Source::Gate { gate, ago: 0 },
            Operand::FlipFlop(number) => number,
        };
        // A chain of flip-flops is a shift register; a ring of flip-flops never gets a new label.
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

    /// The gates that a gate reads. Each item is the operand's index, the gate that made the label,
    /// and the number of netlist cycles since then.
    pub fn reads(&self, gate: usize) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        let operands = self.gates[gate].operands.into_iter().enumerate();
        operands.filter_map(|(number, operand)| match self.source(operand?) {
            Source::Given => None,
            Source::Gate { gate, ago } => Some((number, gate as usize, ago)),
        })
    }

    /// Clock cycles of the longest chain of dependent gates in `cycles` netlist cycles. A label can
    /// be read `and` clock cycles after an AND was taken, and `xor` clock cycles after another gate
    /// was taken. No machine with these latencies takes fewer clock cycles.
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

    /// Lower bound on the clock cycles of one netlist cycle, if `slots` gates of any kind are taken
    /// per clock cycle. Consider the n gates with paths of at least `d` clock cycles before them
    /// and of at least `h` clock cycles from their start to the end.
    ///
    /// The first of these gates is taken at `d` at the earliest, taking all needs n / `slots` clock
    /// cycles, and at least `h` clock cycles remain when the last one is taken. The bound is the
    /// greatest such sum over a grid of `d` and all `h`. For `d` = 0 and the smallest `h` it is
    /// about the number of gates divided by `slots`; for n = 1 it is the longest path.
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
            // `after` is sorted from the greatest down, so the first `count` gates have at least
            // `h`.
            for (count, h) in (1..).zip(&after) {
                least = least.max(d + u64::div_ceil(count, slots) - 1 + h);
            }
        }
        least
    }
}

/// Number of values of `d` that [`Netlist::least_clocks`] tries.
const GRID: u64 = 200;
