//! The three gates, each packed into eight bytes.

use crate::id::{Bit, Wire};
use std::fmt;

/// The function of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GateKind {
    /// `a ^ b ^ invert`. Free. Inverting an input is the same as inverting the output.
    Xor {
        /// The first operand.
        a: Wire,
        /// The second operand.
        b: Wire,
        /// Whether the output is inverted.
        invert: bool,
    },
    /// `((a ^ invert_a) & (b ^ invert_b)) ^ invert`; the two bits hold the inversions of the
    /// inputs. One garbled table.
    And {
        /// The first operand, perhaps inverted; never a constant.
        a: Bit,
        /// The second operand.
        b: Bit,
        /// Whether the output is inverted.
        invert: bool,
    },
    /// `a ^ invert`. Free. The builder never makes copies. A netlist that is read without changes
    /// has them for its buffers and inverters, so that its gate numbers stay the same.
    Copy {
        /// The operand.
        a: Wire,
        /// Whether the output is inverted.
        invert: bool,
    },
}

/// One gate. Its operands are wires, never constants. Its place in the list determines the wire it
/// drives (see [`Wire`]).
///
/// Packed as two words, `wire << 2 | flag << 1 | flag`. The first holds `a`, its inversion and
/// whether the gate is an AND; the second holds `b`, its inversion and the inversion of the output.
/// In a gate that is not an AND, the inversion flag of `a` marks a copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Gate {
    a: u32,
    b: u32,
}

const AND: u32 = 1;
const OUT: u32 = 1;
const INVERT: u32 = 2;
const FLAGS: u32 = 3;

impl Gate {
    /// `a ^ b ^ invert`; inversions of `a` and `b` move to the output.
    ///
    /// # Panics
    /// If an operand is a constant: constants must be folded before gates are made.
    #[inline]
    pub fn xor(a: Bit, b: Bit, invert: bool) -> Gate {
        let invert = invert ^ a.is_inverted() ^ b.is_inverted();
        let (a, b) = (operand(a), operand(b));
        Gate { a: a.number() << 2, b: (b.number() << 2) | (invert as u32 * OUT) }
    }

    /// `(a & b) ^ invert`, with the inversions of `a` and `b`.
    ///
    /// # Panics
    /// If an operand is a constant.
    #[inline]
    pub fn and(a: Bit, b: Bit, invert: bool) -> Gate {
        let (inv_a, inv_b) = (a.is_inverted(), b.is_inverted());
        let (a, b) = (operand(a), operand(b));
        Gate {
            a: (a.number() << 2) | (inv_a as u32 * INVERT) | AND,
            b: (b.number() << 2) | (inv_b as u32 * INVERT) | (invert as u32 * OUT),
        }
    }

    /// `a ^ invert`, as a separate gate.
    ///
    /// # Panics
    /// If the operand is a constant.
    #[inline]
    pub fn copy(a: Bit, invert: bool) -> Gate {
        let invert = invert ^ a.is_inverted();
        Gate { a: operand(a).number() << 2 | INVERT, b: invert as u32 * OUT }
    }

    /// Returns the gate's function.
    #[inline]
    pub fn kind(self) -> GateKind {
        let (a, b) = (Wire::new(self.a >> 2), Wire::new(self.b >> 2));
        let invert = self.b & OUT != 0;
        if self.is_and() {
            let a = Bit::new(a, self.a & INVERT != 0);
            let b = Bit::new(b, self.b & INVERT != 0);
            GateKind::And { a, b, invert }
        } else if self.a & INVERT != 0 {
            GateKind::Copy { a, invert }
        } else {
            GateKind::Xor { a, b, invert }
        }
    }

    /// Whether the gate is an AND, the only kind that needs a garbled table.
    #[inline]
    pub fn is_and(self) -> bool {
        self.a & AND != 0
    }

    /// The gate's operands, in order: two, or one for a copy.
    #[inline]
    pub fn operands(self) -> impl ExactSizeIterator<Item = Wire> {
        self.wires().into_iter().take(2 - usize::from(self.shape().is_copy()))
    }

    /// The gate's operands, where a copy has its operand twice.
    #[inline]
    pub fn wires(self) -> [Wire; 2] {
        let b = if self.shape().is_copy() { self.a } else { self.b };
        [Wire::new(self.a >> 2), Wire::new(b >> 2)]
    }

    /// The gate without its operands.
    #[inline]
    pub fn shape(self) -> Shape {
        Shape((self.a & FLAGS | (self.b & FLAGS) << 2) as u8)
    }

    /// The same gate with its operands renamed. `f` may return an inverted bit; the inversion moves
    /// to where the gate stores it.
    #[inline]
    pub fn map_operands(self, mut f: impl FnMut(Wire) -> Bit) -> Gate {
        match self.kind() {
            GateKind::Xor { a, b, invert } => Gate::xor(f(a), f(b), invert),
            GateKind::And { a, b, invert } => {
                let new_a = f(operand(a)).invert_if(a.is_inverted());
                let new_b = f(operand(b)).invert_if(b.is_inverted());
                Gate::and(new_a, new_b, invert)
            }
            GateKind::Copy { a, invert } => Gate::copy(f(a), invert),
        }
    }

    /// The eight bytes of the gate, little endian, as used in program hashes and spools.
    #[inline]
    pub fn to_bytes(self) -> [u8; 8] {
        (u64::from(self.a) | u64::from(self.b) << 32).to_le_bytes()
    }

    /// Decodes the eight bytes of [`to_bytes`](Gate::to_bytes).
    #[inline]
    pub fn from_bytes(bytes: [u8; 8]) -> Gate {
        let word = u64::from_le_bytes(bytes);
        Gate { a: word as u32, b: (word >> 32) as u32 }
    }
}

/// A gate without its operands: its kind and its inversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape(u8);

impl Shape {
    /// Whether the gate is an AND.
    #[inline]
    pub fn is_and(self) -> bool {
        u32::from(self.0) & AND != 0
    }

    /// Whether the gate is a copy.
    #[inline]
    pub fn is_copy(self) -> bool {
        u32::from(self.0) & (AND | INVERT) == INVERT
    }

    /// The gate with these operands; a copy reads the first.
    #[inline]
    pub fn with_wires(self, [a, b]: [Wire; 2]) -> Gate {
        let b = if self.is_copy() { 0 } else { b.number() };
        let flags = u32::from(self.0);
        Gate { a: a.number() << 2 | flags & FLAGS, b: b << 2 | flags >> 2 }
    }
}

#[inline]
fn operand(bit: Bit) -> Wire {
    match bit.wire() {
        Some(wire) => wire,
        None => panic!("a gate's operand is the constant {bit:?}: fold constants first"),
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of gate with every inversion, with operands 5 and the highest wire.
    fn all() -> impl Iterator<Item = Gate> {
        (0..8).flat_map(|flags: u32| {
            let flag = |i: u32| flags >> i & 1 == 1;
            let a = Bit::new(Wire::new(5), flag(0));
            let b = Bit::new(Wire::new(Wire::MAX - 1), flag(1));
            [Gate::and(a, b, flag(2)), Gate::xor(a, b, flag(2)), Gate::copy(a, flag(2))]
        })
    }

    #[test]
    fn gates_survive_packing_and_renaming_nothing() {
        for gate in all() {
            assert_eq!(Gate::from_bytes(gate.to_bytes()), gate);
            assert_eq!(gate.map_operands(Wire::bit), gate);
            let inverted_twice = gate.map_operands(|w| !w.bit()).map_operands(|w| !w.bit());
            assert_eq!(inverted_twice, gate);
            let operands: Vec<usize> = gate.operands().map(Wire::index).collect();
            let both = [5, Wire::MAX as usize - 1];
            let is_copy = matches!(gate.kind(), GateKind::Copy { .. });
            assert_eq!(operands, if is_copy { &both[..1] } else { &both[..] });
            assert_eq!(gate.shape().with_wires(gate.wires()), gate);
            assert_eq!((gate.shape().is_and(), gate.shape().is_copy()), (gate.is_and(), is_copy));
        }
    }

    #[test]
    fn inversions_of_free_gates_move_to_the_output() {
        let wire = |i| Wire::new(i).bit();
        assert_eq!(Gate::xor(!wire(1), wire(2), false), Gate::xor(wire(1), wire(2), true));
        assert_eq!(Gate::xor(!wire(1), !wire(2), false), Gate::xor(wire(1), wire(2), false));
        assert_eq!(Gate::copy(!wire(1), true), Gate::copy(wire(1), false));
    }
}
