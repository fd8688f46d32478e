//! What a machine garbles, as its host sees it: gates and flip-flops, which input bits it asks for, and of which
//! gates it gives the labels.

mod requested;
mod resolve;

pub use requested::Requested;
pub use resolve::{Given, Maker, Resolved};

use super::netlist::{Netlist, Operand};
use halfgate_circuit::Circuit;
use std::collections::{BTreeSet, HashMap};

/// A body and what goes in and out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The gates and flip-flops.
    pub netlist: Netlist,
    /// ANDs of a netlist cycle.
    pub ands: u64,
    /// Which input bits are asked for.
    pub requested: Requested,
    /// The tags of gates whose labels the host gets: their places among those gates.
    pub tags: HashMap<u32, u32>,
    /// What the circuit's output bits are, one for each, and whether inverted; `None` for a constant.
    pub outputs: Vec<Option<(Resolved, bool)>>,
}

impl Body {
    /// That of a circuit, of which `netlist` is the netlist.
    pub fn of(circuit: &Circuit, netlist: Netlist) -> Body {
        let requested = Requested::of(circuit, &netlist.per_cycle);
        let outputs: Vec<_> = outputs(circuit, &netlist).collect();
        Body::new(netlist, requested, outputs)
    }

    /// A netlist alone, of which nobody wants an output: for its time only.
    pub fn unread(netlist: Netlist) -> Body {
        let requested = Requested::by(&netlist);
        Body::new(netlist, requested, Vec::new())
    }

    /// The body of `netlist`: which input bits it asks for, and what each output bit is, inverted
    /// if `true`.
    pub fn new(
        netlist: Netlist,
        requested: Requested,
        outputs: Vec<Option<(Resolved, bool)>>,
    ) -> Body {
        let makers = outputs.iter().flatten().filter_map(|(output, _)| match output.maker {
            Maker::Gate(gate) => Some(gate),
            _ => None,
        });
        let kept: BTreeSet<u32> = makers.collect();
        Body {
            ands: netlist.ands() as u64,
            requested,
            tags: kept.into_iter().zip(0..).collect(),
            outputs,
            netlist,
        }
    }
}

/// What the output bits of a circuit are.
fn outputs<'a>(
    circuit: &'a Circuit,
    netlist: &'a Netlist,
) -> impl Iterator<Item = Option<(Resolved, bool)>> + 'a {
    let (inputs, first_gate) = (circuit.input_bits(), circuit.first_gate_wire());
    let bits = circuit.outputs.iter().flat_map(|output| &output.bits);
    bits.map(move |bit| {
        let wire = bit.wire()?;
        let operand = match wire.index() {
            index if index < inputs => Operand::Input(wire),
            index if index < first_gate => Operand::FlipFlop((index - inputs) as u32),
            index => Operand::Gate((index - first_gate) as u32),
        };
        Some((Resolved::of(netlist, operand), bit.is_inverted()))
    })
}
