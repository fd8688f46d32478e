//! One secret bit.

use crate::trace::{Tag, combine};
use halfgate_circuit::Bit;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A secret `bool`.
///
/// Rust's `if` needs a known condition. A circuit computes both branches instead, and
/// [`select`](Bool::select) takes one of the results. [`when!`](crate::when) writes that as an
/// `if`. `&`, `|` and `^` work as on `bool`. `&&` and `||` do not exist, because a circuit cannot
/// skip the second operand.
#[derive(Clone, Copy)]
pub struct Bool {
    tag: Tag,
    bit: Bit,
}

impl Bool {
    pub(crate) fn new(tag: Tag, bit: Bit) -> Bool {
        Bool { tag, bit }
    }

    pub(crate) fn parts(self) -> (Tag, Bit) {
        (self.tag, self.bit)
    }

    /// Whether the two are equal. Free.
    #[track_caller]
    pub fn equals(self, other: impl Into<Bool>) -> Bool {
        !(self ^ other)
    }

    /// Whether the two are different. Free.
    #[track_caller]
    pub fn differs(self, other: impl Into<Bool>) -> Bool {
        self ^ other
    }
}

/// Makes a secret constant of a public value.
impl From<bool> for Bool {
    fn from(value: bool) -> Bool {
        Bool::new(Tag::CONSTANT, Bit::constant(value))
    }
}

impl From<&Bool> for Bool {
    fn from(value: &Bool) -> Bool {
        *value
    }
}

/// Free.
impl Not for Bool {
    type Output = Bool;
    #[track_caller]
    fn not(self) -> Bool {
        Bool::new(self.tag, !self.bit)
    }
}

macro_rules! operator {
    ($($Op:ident::$op:ident, $Assign:ident::$assign:ident, $gate:ident, $cost:literal;)*) => { $(
        #[doc = $cost]
        impl<T: Into<Bool>> $Op<T> for Bool {
            type Output = Bool;
            #[track_caller]
            fn $op(self, other: T) -> Bool {
                let other = other.into();
                let (tag, bit) =
                    combine(&[self.tag, other.tag], |b| b.$gate(self.bit, other.bit));
                Bool::new(tag, bit)
            }
        }

        #[doc = $cost]
        impl $Op<Bool> for bool {
            type Output = Bool;
            #[track_caller]
            fn $op(self, other: Bool) -> Bool {
                Bool::from(self).$op(other)
            }
        }

        #[doc = $cost]
        impl<T: Into<Bool>> $Assign<T> for Bool {
            #[track_caller]
            fn $assign(&mut self, other: T) {
                *self = (*self).$op(other);
            }
        }
    )* };
}

operator! {
    BitAnd::bitand, BitAndAssign::bitand_assign, and, "One AND.";
    BitOr::bitor, BitOrAssign::bitor_assign, or, "One AND.";
    BitXor::bitxor, BitXorAssign::bitxor_assign, xor, "Free.";
}

/// Formats only the type: while the circuit is written, there is no value.
impl std::fmt::Debug for Bool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bool(secret)")
    }
}
