//! The body that a machine garbles, as its host sees it: gates and flip-flops, the input bits that
//! it requests, and the gates whose labels it returns.

mod requested;
mod resolve;

pub use requested::Requested;
pub use resolve::{Given, Maker, Resolved};

use super::netlist::{Netlist, Operand};
use halfgate_circuit::Circuit;
use std::collections::{BTreeSet, HashMap};

/// A body with its inputs and outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The gates and flip-flops.
    pub netlist: Netlist,
    /// ANDs per netlist cycle.
    pub ands: u64,
    /// The input bits that the machine requests.
    pub requested: Requested,
    /// Tags of the gates whose labels the host gets, by gate. A tag is the index among these
    /// gates.
    pub tags: HashMap<u32, u32>,
    /// For each output bit of the circuit its wire, and whether the output is the inverse of the
    /// wire. `None` for a constant.
    pub outputs: Vec<Option<(Resolved, bool)>>,
}

impl Body {
    /// Makes the body of `circuit`, whose netlist is `netlist`.
    pub fn of(circuit: &Circuit, netlist: Netlist) -> Body {
        let requested = Requested::of(circuit, &netlist.per_cycle);
        let outputs: Vec<_> = outputs(circuit, &netlist).collect();
        Body::new(netlist, requested, outputs)
    }

    /// Makes a body without outputs, from a netlist alone. Its only use is timing.
    pub fn unread(netlist: Netlist) -> Body {
        let requested = Requested::by(&netlist);
        Body::new(netlist, requested, Vec::new())
    }

    /// Makes the body of `netlist` from the requested input bits and the output bits. An output bit
    /// is a wire and a flag, which is true if the output is the inverse of the wire.
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

/// The wires of a circuit's output bits.
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
