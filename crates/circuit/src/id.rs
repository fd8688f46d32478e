//! Typed ids: a [`Wire`] carries a value; a [`Bit`] is a wire, perhaps inverted, or a constant.

use std::fmt;

/// The number of a wire.
///
/// Wires are numbered in this order: every input bit (ports in order, bit 0 first), then every
/// flip-flop's output, then every gate's output. So a gate does not name the wire it drives: gate
/// `i` of a body drives wire `inputs + flip_flops + i`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// The most wires that a circuit's body may have. A longer computation repeats its body.
    pub const MAX: u32 = 1 << 30;

    /// Returns wire number `index`, which must be below [`Wire::MAX`].
    #[inline]
    pub const fn new(index: u32) -> Wire {
        debug_assert!(index < Wire::MAX);
        Wire(index)
    }

    /// The wire's number, for indexing.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The wire's number.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The wire as a bit, not inverted.
    #[inline]
    pub const fn bit(self) -> Bit {
        Bit(self.0 << 1)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w{}", self.0)
    }
}

/// A wire, perhaps inverted, or a constant: the value on an edge of the circuit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(u32);

impl Bit {
    /// The constant 0.
    pub const FALSE: Bit = Bit(u32::MAX - 1);
    /// The constant 1.
    pub const TRUE: Bit = Bit(u32::MAX);

    /// The constant `value`.
    #[inline]
    pub const fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// `wire`, inverted if `inverted`.
    #[inline]
    pub const fn new(wire: Wire, inverted: bool) -> Bit {
        Bit(wire.0 << 1 | inverted as u32)
    }

    /// Returns the value of the bit if it is a constant.
    #[inline]
    pub const fn as_constant(self) -> Option<bool> {
        if self.0 >= Bit::FALSE.0 { Some(self.0 & 1 == 1) } else { None }
    }

    /// Returns the bit's wire, unless the bit is a constant.
    #[inline]
    pub const fn wire(self) -> Option<Wire> {
        if self.0 >= Bit::FALSE.0 { None } else { Some(Wire(self.0 >> 1)) }
    }

    /// Whether the bit is the inverse of its wire. For a constant, its value.
    #[inline]
    pub const fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The bit, inverted if `invert` is set.
    #[inline]
    pub const fn invert_if(self, invert: bool) -> Bit {
        Bit(self.0 ^ invert as u32)
    }

    /// The bit as one number (`wire * 2 + inverted`; constants are the two highest), for hashing
    /// and encodings.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// Decodes a [`code`](Bit::code).
    #[inline]
    pub const fn from_code(code: u32) -> Bit {
        Bit(code)
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;
    #[inline]
    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

impl From<Wire> for Bit {
    fn from(wire: Wire) -> Bit {
        wire.bit()
    }
}

impl fmt::Debug for Bit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wire() {
            None => write!(f, "{}", self.is_inverted() as u8),
            Some(wire) if self.is_inverted() => write!(f, "!{wire:?}"),
            Some(wire) => write!(f, "{wire:?}"),
        }
    }
}
