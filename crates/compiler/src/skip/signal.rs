//! The signal of a wire in a cycle.

use std::fmt;

/// A public value, or the label of a wire or of its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Signal(u32);

impl Signal {
    /// The public value `value`.
    #[inline]
    pub fn constant(value: bool) -> Signal {
        Signal(u32::from(value))
    }

    /// The label of wire `wire`, not inverted.
    #[inline]
    pub fn label(wire: u32) -> Signal {
        Signal((wire + 1) << 1)
    }

    /// The value, if it is public.
    #[inline]
    pub fn public(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// The wire of the label, unless the signal is public.
    #[inline]
    pub fn wire(self) -> Option<u32> {
        (self.0 >> 1).checked_sub(1)
    }

    /// Whether the signal is the inverse of the wire of its label. For a public signal, its value.
    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The signal, inverted if `invert` is set.
    #[inline]
    #[must_use]
    pub fn invert_if(self, invert: bool) -> Signal {
        Signal(self.0 ^ u32::from(invert))
    }

    /// A number that is the same for a signal and its inverse: 0 for a public signal, else a number
    /// for the wire.
    #[inline]
    pub(super) fn kind(self) -> u32 {
        self.0 >> 1
    }

    /// The signal of a [`kind`](Signal::kind), not inverted.
    #[inline]
    pub(super) fn of_kind(kind: u32) -> Signal {
        Signal(kind << 1)
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wire() {
            Some(wire) => write!(f, "{}w{wire}", if self.is_inverted() { "!" } else { "" }),
            None => write!(f, "{}", u8::from(self.is_inverted())),
        }
    }
}
