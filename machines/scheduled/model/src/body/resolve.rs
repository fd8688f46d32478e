//! Follows operands through flip-flops to the labels that they read, for machines without
//! flip-flops.

use super::super::Netlist;
use super::super::netlist::Operand;
use halfgate_circuit::{Init, Wire};

/// A label that exists before the first netlist cycle: the label of the constant 0 or of an input
/// bit, or its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Given {
    /// The input bit; `None` for the constant.
    pub input: Option<Wire>,
    /// Whether the label is inverted.
    pub invert: bool,
}

/// The source of a label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Maker {
    /// A gate.
    Gate(u32),
    /// A bit of a per-cycle input.
    Input(Wire),
    /// The constant or a bit that is given before the run. Its label never changes.
    Given(Given),
}

/// A wire, followed back through flip-flops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The source of the label. It made the label [`ago`](Resolved::ago) netlist cycles before the
    /// read.
    pub maker: Maker,
    /// Whether the wire is the inverse of the source.
    pub invert: bool,
    /// The flip-flops between the source and the read, starting with the flip-flop that is read. A
    /// read in netlist cycle c < [`ago`](Resolved::ago) gets the initial value of flip-flop c of
    /// this list.
    pub through: Vec<u32>,
}

impl Resolved {
    /// Follows `operand`. Rings of flip-flops must have been [cut](Netlist::with_copies) before.
    pub fn of(netlist: &Netlist, operand: Operand) -> Resolved {
        let mut found = Resolved {
            maker: Maker::Given(Given { input: None, invert: false }),
            invert: false,
            through: Vec::new(),
        };
        let mut next = Some(operand);
        loop {
            match next {
                // The source is the constant 0. Inversions on the way may turn it into 1.
                None => break,
                Some(Operand::Input(wire)) if netlist.per_cycle[wire.index()] => {
                    found.maker = Maker::Input(wire);
                    break;
                }
                Some(Operand::Input(wire)) => {
                    found.maker = Maker::Given(Given { input: Some(wire), invert: false });
                    break;
                }
                Some(Operand::Gate(gate)) => {
                    found.maker = Maker::Gate(gate);
                    break;
                }
                Some(Operand::FlipFlop(number)) if netlist.keeps(number as usize) => {
                    found.maker = Maker::Given(initial(netlist, number));
                    break;
                }
                Some(Operand::FlipFlop(number)) => {
                    let flip_flop = &netlist.flip_flops[number as usize];
                    found.through.push(number);
                    found.invert ^= flip_flop.invert;
                    next = flip_flop.next;
                }
            }
        }
        if let Maker::Given(given) = &mut found.maker {
            found.invert ^= std::mem::take(&mut given.invert);
        }
        found
    }

    /// Number of netlist cycles from making the label to reading it. In earlier netlist cycles than
    /// this number, the read gets initial values of flip-flops instead.
    pub fn ago(&self) -> u32 {
        self.through.len() as u32
    }

    /// Returns the initial value of the flip-flop at index `place` of
    /// [`through`](Resolved::through). The returned value includes inversions, such that applying
    /// [`invert`](Resolved::invert) to it gives the value that is read.
    pub fn start(&self, netlist: &Netlist, place: usize) -> Given {
        let passed = self.through[..place].iter();
        let passed =
            passed.filter(|&&next| netlist.flip_flops[next as usize].invert).count() % 2 == 1;
        let Given { input, invert } = initial(netlist, self.through[place]);
        Given { input, invert: invert ^ passed ^ self.invert }
    }
}

/// Returns a flip-flop's initial value.
fn initial(netlist: &Netlist, number: u32) -> Given {
    match netlist.flip_flops[number as usize].init {
        Init::Constant(value) => Given { input: None, invert: value },
        Init::Input(wire) => Given { input: Some(wire), invert: false },
    }
}
