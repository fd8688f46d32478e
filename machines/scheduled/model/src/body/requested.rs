//! The sequence numbers of input bits, in the order in which a run requests them.

use super::super::netlist::{Netlist, Operand};
use halfgate_circuit::{Circuit, Init, Wire, first_uses};
use std::collections::{HashMap, HashSet};

/// The order of requests: the first netlist cycle requests all input bits, every later one the bits
/// of per-cycle inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requested {
    /// For each bit its index among the requests of the first netlist cycle, and among those of
    /// every later one.
    places: HashMap<Wire, [u32; 2]>,
    /// Number of requests in the first netlist cycle.
    pub first: u64,
    /// Number of requests in every later netlist cycle.
    pub each: u64,
}

impl Requested {
    /// The requests of a circuit. `per_cycle` is true for the bits of per-cycle inputs.
    pub(super) fn of(circuit: &Circuit, per_cycle: &[bool]) -> Requested {
        Requested::new(&first_uses(circuit), per_cycle)
    }

    /// The requests of the input bits that flip-flops and gates of a netlist read, in the order of
    /// [`first_uses`].
    pub(super) fn by(netlist: &Netlist) -> Requested {
        let inits = netlist.flip_flops.iter().filter_map(|found| match found.init {
            Init::Input(wire) => Some(wire),
            Init::Constant(_) => None,
        });
        let operands = netlist.gates.iter().flat_map(|gate| gate.operands);
        let nexts = netlist.flip_flops.iter().map(|found| found.next);
        let read = operands.chain(nexts).flatten().filter_map(|operand| match operand {
            Operand::Input(wire) => Some(wire),
            _ => None,
        });
        let mut seen = HashSet::new();
        let first: Vec<Wire> = inits.chain(read).filter(|wire| seen.insert(*wire)).collect();
        Requested::new(&first, &netlist.per_cycle)
    }

    fn new(first: &[Wire], per_cycle: &[bool]) -> Requested {
        let mut places = HashMap::with_capacity(first.len());
        let mut each = 0;
        for (wire, place) in first.iter().zip(0..) {
            places.insert(*wire, [place, each]);
            each += u32::from(per_cycle[wire.index()]);
        }
        Requested { places, first: first.len() as u64, each: each.into() }
    }

    /// Returns the index of an input bit among the requests of the first netlist cycle, and among
    /// those of every later one.
    ///
    /// # Panics
    /// If nothing reads the bit.
    pub fn places(&self, wire: Wire) -> [u32; 2] {
        self.places[&wire]
    }

    /// Returns the sequence number, in netlist cycle `cycle`, of the bit of a per-cycle input with
    /// these indices.
    pub fn number(&self, [first, again]: [u32; 2], cycle: u64) -> u64 {
        match cycle.checked_sub(1) {
            None => first.into(),
            Some(before) => self.first + before * self.each + u64::from(again),
        }
    }
}
