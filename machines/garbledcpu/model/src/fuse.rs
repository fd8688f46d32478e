//! Fuses XORs that are just before or just after an AND into the AND, so that the XORs need no
//! issue slots.
//!
//! A gate memory entry is `((a ^ c?) & (b ^ c?)) ^ c?`, with three reads and one write, where each
//! `c?` is the third operand or nothing. So a multiplexer `(s & (a ^ b)) ^ b` is one entry. The
//! carry of a full adder `((a ^ c) & (b ^ c)) ^ c` is one entry too, and so is any AND with one XOR
//! before or after it. ANDs keep their order, which determines their numbers.

use halfgate_scheduled_model::Body;
use halfgate_scheduled_model::body::Maker;
use halfgate_scheduled_model::netlist::{FlipFlop, Gate, Netlist, Operand};

/// Returns the body with XORs fused into ANDs. An XOR is fused only if nothing else reads the label
/// between the two gates.
pub fn fuse(body: Body) -> Body {
    let fused = Fusion::of(&body);
    let places = fused.places();
    let operand = |read: Operand| match read {
        Operand::Gate(gate) => Operand::Gate(places[gate as usize]),
        other => other,
    };
    let gates = fused.gates.iter().zip(&fused.became).enumerate();
    let gates = gates.filter(|(gate, (_, became))| **became == *gate as u32);
    let gates = gates.map(|(_, (gate, _))| Gate {
        operands: gate.operands.map(|read| read.map(operand)),
        ..*gate
    });
    let flip_flops = body.netlist.flip_flops.iter();
    let netlist = Netlist {
        gates: gates.collect(),
        flip_flops: flip_flops.map(|&f| FlipFlop { next: f.next.map(operand), ..f }).collect(),
        per_cycle: body.netlist.per_cycle.clone(),
    };
    let mut outputs = body.outputs;
    for (read, _) in outputs.iter_mut().flatten() {
        if let Maker::Gate(gate) = &mut read.maker {
            *gate = places[*gate as usize];
        }
    }
    Body::new(netlist, body.requested, outputs)
}

struct Fusion {
    gates: Vec<Gate>,
    /// For each gate, the gate that makes its label after fusion: the gate itself, an AND that
    /// contains it, or [`GONE`].
    became: Vec<u32>,
    /// How often each gate is read by gates, flip-flops and the host. A read by the host counts
    /// twice.
    reads: Vec<u32>,
}

/// Marks a gate whose label is no longer made, because an AND contains it.
const GONE: u32 = u32::MAX;

impl Fusion {
    fn of(body: &Body) -> Fusion {
        let gates = body.netlist.gates.clone();
        let mut reads = vec![0; gates.len()];
        let operands = gates.iter().flat_map(|gate| gate.operands).flatten();
        let nexts = body.netlist.flip_flops.iter().filter_map(|found| found.next);
        for read in operands.chain(nexts) {
            if let Operand::Gate(gate) = read {
                reads[gate as usize] += 1;
            }
        }
        // The host reads these labels, so they must be made. Counting two reads prevents their
        // fusion.
        for &gate in body.tags.keys() {
            reads[gate as usize] += 2;
        }
        let mut fusion = Fusion { became: (0..gates.len() as u32).collect(), reads, gates };
        for (gate, reader) in fusion.only_readers().into_iter().enumerate() {
            if fusion.gates[gate].is_and {
                fusion.fuse_after(gate, reader);
                fusion.fuse_before(gate);
            }
        }
        fusion
    }

    /// For each gate whose only reader is a gate, that reader.
    fn only_readers(&self) -> Vec<Option<u32>> {
        let mut readers = vec![None; self.gates.len()];
        for (reader, gate) in (0..).zip(&self.gates) {
            for read in gate.operands.into_iter().flatten() {
                if let Operand::Gate(read) = read
                    && self.reads[read as usize] == 1
                {
                    readers[read as usize] = Some(reader);
                }
            }
        }
        readers
    }

    /// Fuses `reader` into `and`, if it is an XOR whose other operand is made earlier than `and`.
    fn fuse_after(&mut self, and: usize, reader: Option<u32>) {
        let Some(xor) = reader.map(|reader| reader as usize) else { return };
        let Gate { is_and: false, operands: [Some(a), Some(b), None], inverts, .. } =
            self.gates[xor]
        else {
            return;
        };
        // The XOR of two ANDs is fused with the first AND.
        if self.became[xor] != xor as u32 {
            return;
        }
        let other = if a == Operand::Gate(and as u32) { b } else { a };
        let is_early = match other {
            Operand::Gate(gate) => self.maker(gate) < and as u32,
            _ => true,
        };
        if is_early {
            let gate = &mut self.gates[and];
            gate.operands[2] = Some(other);
            gate.xors[2] = true;
            gate.inverts[2] ^= inverts[2];
            self.became[xor] = and as u32;
        }
    }

    /// Fuses the XORs that make the operands of `and`, if only `and` reads them. The AND has only
    /// one third operand, so all its fused XORs must share that operand.
    fn fuse_before(&mut self, and: usize) {
        for place in [0, 1] {
            let Some(Operand::Gate(xor)) = self.gates[and].operands[place] else { continue };
            let xor = xor as usize;
            let Gate { is_and: false, operands: [Some(a), Some(b), None], inverts, .. } =
                self.gates[xor]
            else {
                continue;
            };
            // An XOR that became an AND's output is not an XOR any more.
            if self.reads[xor] != 1 || self.became[xor] != xor as u32 {
                continue;
            }
            let third = self.gates[and].operands[2];
            let rest = match third {
                Some(third) if third == a => b,
                Some(third) if third == b => a,
                Some(_) => continue,
                None => a,
            };
            let gate = &mut self.gates[and];
            gate.operands[2] = third.or(Some(b));
            gate.operands[place] = Some(rest);
            gate.xors[place] = true;
            gate.inverts[place] ^= inverts[2];
            self.became[xor] = GONE;
        }
    }

    /// Returns the gate that makes the label of `gate` after fusion.
    fn maker(&self, gate: u32) -> u32 {
        self.became[gate as usize]
    }

    /// Returns the new numbers of gates.
    fn places(&self) -> Vec<u32> {
        let mut places = vec![GONE; self.gates.len()];
        let mut next = 0;
        for (gate, &became) in self.became.iter().enumerate() {
            if became == gate as u32 {
                places[gate] = next;
                next += 1;
            } else if became != GONE {
                places[gate] = places[became as usize];
            }
        }
        places
    }
}
