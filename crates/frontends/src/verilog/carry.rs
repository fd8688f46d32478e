//! Finds sums of three operands of which one is a single bit, and makes that bit the carry into the
//! sum of the other two.
//!
//! Yosys treats `a + b + c` as two additions, which take twice the ANDs of one addition. Designs
//! that count ones have such sums, and so does every serial adder.

use super::cells::{Cell, Kind, Signal, Word};
use super::netlist::Netlist;

/// Merges each pair of additions whose second one adds a single bit.
pub(super) fn take_as_carries(netlist: &mut Netlist) {
    for number in 0..netlist.cells.len() {
        let Some((inner, carry)) = pair(netlist, &netlist.cells[number]) else { continue };
        let inner = &netlist.cells[inner];
        let (a, b) = (inner.signals("A").to_vec(), inner.signals("B").to_vec());
        let signed = inner.number("A_SIGNED");
        let outer = &mut netlist.cells[number];
        outer.kind = Kind::Word(Word::AddWithCarry);
        outer.connect("A", a);
        outer.connect("B", b);
        outer.connect("CI", vec![carry]);
        outer.set("A_SIGNED", signed);
    }
}

/// If `outer` adds a single bit to the sum of another addition, returns the index of that addition,
/// and the bit.
fn pair(netlist: &Netlist, outer: &Cell) -> Option<(usize, Signal)> {
    if outer.kind != Kind::Word(Word::Add) || outer.number("A_SIGNED") == 1 {
        return None;
    }
    let (a, b) = (outer.signals("A"), outer.signals("B"));
    let (sum, carry) = match (a, b) {
        (_, &[carry]) => (a, carry),
        (&[carry], _) => (b, carry),
        _ => return None,
    };
    let &Signal::Net(first) = sum.first()? else { return None };
    let (inner, _) = netlist.driving_cell_number(first)?;
    let cell = &netlist.cells[inner];
    let operands = cell.signals("A").len().max(cell.signals("B").len());
    let whole = cell.signals("Y").starts_with(sum);
    // Merging is allowed if the second addition also drops all bits that the first one drops, or if
    // the first one drops none.
    let same_range = outer.signals("Y").len() <= sum.len()
        || cell.number("A_SIGNED") == 0 && sum.len() > operands;
    (cell.kind == Kind::Word(Word::Add) && whole && same_range).then_some((inner, carry))
}
