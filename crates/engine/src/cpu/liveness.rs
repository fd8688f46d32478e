//! Computes when each wire is next read, in one pass over a program from its last gate to its
//! first. The results are recorded for the lowering, which goes forwards.
//!
//! Times decide which labels leave the window when it is full. A program whose labels always fit
//! needs to know only whether a wire is read again, so its records have one byte instead of twelve.

use crate::cpu::outputs::OutputBits;
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::reverse_spool::ReverseSpool;
use halfgate_compiler::wire_map::WireMap;
use std::io;

/// No later gate reads the wire.
pub(super) const NEVER: u32 = u32::MAX;
/// Only a flip-flop reads the wire, at the end of the body.
pub(super) const AT_END: u32 = u32::MAX - 1;
/// The wire is read again. The time is not recorded.
const SOMETIME: u32 = 0;

/// The later reads of one gate's operands and result. Times are positions of gates in the body,
/// [`AT_END`] or [`NEVER`]. If at most `most_alive` wires are alive at once, all times except
/// [`NEVER`] are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Next {
    /// When the gate's first operand is read again.
    pub a: u32,
    /// When the second is. If both are one wire, as those of a copy, both times are equal.
    pub b: u32,
    /// When the gate's result is read first. An XOR or a copy without readers that is not an output
    /// counts as reading nothing; an AND always reads, since all ANDs of a program are garbled.
    pub result: u32,
}

/// The results of the pass.
pub(super) struct Liveness {
    records: Records,
    /// For each input bit and each flip-flop: when a gate first reads it, not counting dead XORs
    /// and copies.
    pub first_reads: Vec<u32>,
}

enum Records {
    Short(ReverseSpool<1>),
    Long(ReverseSpool<12>),
}

impl Liveness {
    /// Goes through `circuit`, whose outputs are `outputs`, from its last gate to its first. Does
    /// not record times if at most `most_alive` wires are alive at once.
    ///
    /// Memory: the wires alive at once, plus input bits and flip-flops.
    pub fn of(circuit: &Circuit, outputs: &OutputBits, most_alive: usize) -> io::Result<Liveness> {
        let mut short = ReverseSpool::new();
        let record = |next: Next| short.push([next.to_byte()]);
        if let Some(first_reads) = go_back(circuit, outputs, most_alive, record)? {
            return Ok(Liveness { records: Records::Short(short), first_reads });
        }
        let mut long = ReverseSpool::new();
        let record = |next: Next| long.push(next.to_bytes());
        let first_reads = go_back(circuit, outputs, usize::MAX, record)?.expect("no limit");
        Ok(Liveness { records: Records::Long(long), first_reads })
    }

    /// Returns the later reads for the next gate, in gate order.
    ///
    /// # Panics
    /// After the last gate.
    #[inline]
    pub fn pop(&mut self) -> io::Result<Next> {
        let missing = "the pass has a record for each gate";
        Ok(match &mut self.records {
            Records::Short(spool) => Next::from_byte(spool.pop()?.expect(missing)[0]),
            Records::Long(spool) => Next::from_bytes(spool.pop()?.expect(missing)),
        })
    }
}

/// Calls `record` for each gate, from the last to the first. Returns when each input bit and
/// flip-flop is first read; or `None` as soon as more than `most_alive` wires are alive.
fn go_back(
    circuit: &Circuit,
    outputs: &OutputBits,
    most_alive: usize,
    mut record: impl FnMut(Next) -> io::Result<()>,
) -> io::Result<Option<Vec<u32>>> {
    let first = circuit.first_gate_wire();
    let mut outputs = outputs.backwards();
    let mut next = WireMap::new();
    for wire in circuit.flip_flops.iter().filter_map(|f| f.next.wire()) {
        next.insert(wire, AT_END);
    }
    let mut position = circuit.gates.len();
    for gate in circuit.gates.iter_rev() {
        position -= 1;
        let wire = Wire::new((first + position) as u32);
        let result = next.remove(wire).unwrap_or(NEVER);
        let live = outputs.contains(wire) | (result != NEVER);
        let (mut a, mut b) = (NEVER, NEVER);
        if live || gate.is_and() {
            let wires = gate.wires();
            a = next.insert(wires[0], position as u32).unwrap_or(NEVER);
            b = next.insert(wires[1], position as u32).unwrap_or(NEVER);
            if wires[0] == wires[1] {
                b = a;
            }
            if next.len() > most_alive {
                return Ok(None);
            }
        }
        record(Next { a, b, result })?;
    }
    let first_read = |wire| next.get(Wire::new(wire as u32)).unwrap_or(NEVER);
    Ok(Some((0..first).map(first_read).collect()))
}

impl Next {
    fn to_byte(self) -> u8 {
        let [a, b, result] = [self.a, self.b, self.result].map(|time| u8::from(time == NEVER));
        a | b << 1 | result << 2
    }

    fn from_byte(byte: u8) -> Next {
        let time = |bit: u8| if byte & bit != 0 { NEVER } else { SOMETIME };
        Next { a: time(1), b: time(2), result: time(4) }
    }

    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[0..4].copy_from_slice(&self.a.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.b.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.result.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; 12]) -> Next {
        let (words, _) = bytes.as_chunks();
        let [a, b, result] = [0, 1, 2].map(|index| u32::from_le_bytes(words[index]));
        Next { a, b, result }
    }
}
