//! Where a label is found, if flip-flops are but names.

use super::super::Netlist;
use super::super::netlist::Operand;
use halfgate_circuit::{Init, Wire};

/// A label that there is before the first netlist cycle: a constant 0's or an input bit's, or its inverse's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Given {
    /// The input bit; `None` for the constant.
    pub input: Option<Wire>,
    /// Whether it is the inverse's.
    pub invert: bool,
}

/// What makes a label that is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Maker {
    /// A gate.
    Gate(u32),
    /// A bit of a per-cycle input.
    Input(Wire),
    /// Nothing in the run: the label stays the same.
    Given(Given),
}

/// A wire, followed through flip-flops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// What makes it, [`ago`](Resolved::ago) netlist cycles before it is read.
    pub maker: Maker,
    /// Whether it is the inverse of what is made.
    pub invert: bool,
    /// The flip-flops on the way, from the one that is read: netlist cycle c < [`ago`](Resolved::ago) finds what the one at c
    /// starts from.
    pub through: Vec<u32>,
}

impl Resolved {
    /// Follows `operand`. Rings of flip-flops must have been [cut](Netlist::with_copies).
    pub fn of(netlist: &Netlist, operand: Operand) -> Resolved {
        let mut found = Resolved {
            maker: Maker::Given(Given { input: None, invert: false }),
            invert: false,
            through: Vec::new(),
        };
        let mut next = Some(operand);
        loop {
            match next {
                // An inversion on the way is the constant's value.
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

    /// Netlist cycles between making and reading: in so many at the beginning it is what flip-flops start from.
    pub fn ago(&self) -> u32 {
        self.through.len() as u32
    }

    /// What the flip-flop at `place` of [`through`](Resolved::through) starts from, so inverted that it is right
    /// for whoever applies the inversion of the whole.
    pub fn start(&self, netlist: &Netlist, place: usize) -> Given {
        let passed = self.through[..place].iter();
        let passed =
            passed.filter(|&&next| netlist.flip_flops[next as usize].invert).count() % 2 == 1;
        let Given { input, invert } = initial(netlist, self.through[place]);
        Given { input, invert: invert ^ passed ^ self.invert }
    }
}

/// What a flip-flop starts from.
fn initial(netlist: &Netlist, number: u32) -> Given {
    match netlist.flip_flops[number as usize].init {
        Init::Constant(value) => Given { input: None, invert: value },
        Init::Input(wire) => Given { input: Some(wire), invert: false },
    }
}
