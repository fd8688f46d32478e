//! How often each wire is read, and which gate reads it first. A pass from the body's end records
//! this for the pass from its beginning.

use halfgate_circuit::{Bit, Circuit, GateKind};
use halfgate_compiler::reverse_spool::ReverseSpool;
use rustc_hash::FxHashMap;
use std::io;

/// What is known about the reads of a wire when its gate is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Read {
    /// Number of reads of the wire and of its copies, by gates and outputs.
    pub times: u32,
    /// Position in the body of the first gate that reads the wire; `None` if only outputs read it.
    pub first: Option<u32>,
    /// Whether the host needs the wire's label, because the wire or a copy of it is an output or a
    /// flip-flop's next value.
    pub is_wanted: bool,
}

/// Reads of all wires.
pub(super) struct Reads {
    spool: ReverseSpool<8>,
    /// Reads of inputs and flip-flops.
    pub inputs: Vec<Read>,
}

const NONE: u32 = u32::MAX;
/// Flag in the word that counts reads. Counts stay below it, because circuits have fewer gates.
const WANTED: u32 = 1 << 31;

impl Reads {
    /// Records the reads of a circuit.
    ///
    /// Memory: some fifty bytes per live wire, input or output; and eight bytes per gate up to
    /// 32 MiB, beyond that a temporary file.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    pub fn of(circuit: &Circuit) -> io::Result<Reads> {
        let first_gate = circuit.first_gate_wire();
        let mut alive: FxHashMap<usize, Read> = FxHashMap::default();
        for wire in outputs(circuit) {
            let read = alive.entry(wire).or_default();
            read.times += 1;
            read.is_wanted = true;
        }
        let mut spool = ReverseSpool::new();
        for (at, gate) in (0..circuit.gates.len()).rev().zip(circuit.gates.iter_rev()) {
            let own = alive.remove(&(first_gate + at)).unwrap_or_default();
            match gate.kind() {
                // A read of a copy counts as a read of the copied wire.
                GateKind::Copy { a, .. } => {
                    let read = alive.entry(a.index()).or_default();
                    read.times += own.times;
                    read.first = own.first.or(read.first);
                    read.is_wanted |= own.is_wanted;
                }
                GateKind::Xor { .. } if own.times == 0 => (),
                _ => {
                    for wire in gate.operands() {
                        let read = alive.entry(wire.index()).or_default();
                        read.times += 1;
                        read.first = Some(at as u32);
                    }
                }
            }
            let mut record = [0; 8];
            let times = own.times | if own.is_wanted { WANTED } else { 0 };
            record[..4].copy_from_slice(&times.to_le_bytes());
            record[4..].copy_from_slice(&own.first.unwrap_or(NONE).to_le_bytes());
            spool.push(record)?;
        }
        let inputs = (0..first_gate).map(|wire| alive.remove(&wire).unwrap_or_default());
        Ok(Reads { spool, inputs: inputs.collect() })
    }

    /// Returns the reads of the next gate's wire.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Read>> {
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let read = |record: [u8; 8]| {
            let first = number(&record[4..]);
            let times = number(&record);
            Read {
                times: times & !WANTED,
                first: (first != NONE).then_some(first),
                is_wanted: times & WANTED != 0,
            }
        };
        Ok(self.spool.pop()?.copied().map(read))
    }
}

/// Wires of outputs and of flip-flops' next values, with repetitions.
pub(super) fn outputs(circuit: &Circuit) -> impl Iterator<Item = usize> + '_ {
    let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
    let nexts = circuit.flip_flops.iter().map(|flip_flop| flip_flop.next);
    ends.chain(nexts).filter_map(Bit::wire).map(|wire| wire.index())
}
