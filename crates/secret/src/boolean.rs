//! One secret bit, and choosing by it.

use crate::secret::{Secret, bits_of};
use crate::trace::{Pack, Tag, Unpack, combine};
use halfgate_circuit::Bit;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A secret `bool`.
///
/// Rust's `if` wants to know the condition; a circuit cannot, so both ways are computed and
/// [`select`](Bool::select) takes one of the results. [`when!`](crate::when) writes that as an
/// `if`. `&`, `|` and `^` work as on `bool`; `&&` and `||` do not, as there is nothing to skip.
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

    /// `if_true` where this is true, else `if_false`: any two values of one type and shape. One
    /// AND a bit, depth 1.
    ///
    /// # Panics
    /// If the two have different shapes: vectors of different lengths.
    pub fn select<T: Secret>(self, if_true: T, if_false: impl Into<T>) -> T {
        let if_false = if_false.into();
        let shape = if_true.shape();
        assert!(shape == if_false.shape(), "select: the two values must have the same length");
        let ((tag_true, if_true), (tag_false, if_false)) = (bits_of(&if_true), bits_of(&if_false));
        let (tag, bits) = combine(&[self.tag, tag_true, tag_false], |b| {
            let pairs = if_true.iter().zip(&if_false);
            pairs.map(|(&t, &f)| b.mux(self.bit, t, f)).collect::<Vec<_>>()
        });
        T::unpack(&shape, &mut Unpack::new(tag, &bits))
    }

    /// `(y, x)` where this is true, else `(x, y)`. One AND a bit, depth 1: half of what two
    /// selections cost.
    ///
    /// # Panics
    /// If the two have different shapes: vectors of different lengths.
    pub fn swap<T: Secret>(self, x: T, y: impl Into<T>) -> (T, T) {
        let y = y.into();
        let shape = x.shape();
        assert!(shape == y.shape(), "swap: the two values must have the same length");
        let ((tag_x, x), (tag_y, y)) = (bits_of(&x), bits_of(&y));
        let (tag, (x, y)) = combine(&[self.tag, tag_x, tag_y], |b| {
            halfgate_circuit::int::swap_if(b, self.bit, &x, &y)
        });
        let unpack = |bits: &[Bit]| T::unpack(&shape, &mut Unpack::new(tag, bits));
        (unpack(&x), unpack(&y))
    }

    /// Whether the two are the same. Free.
    pub fn equals(self, other: impl Into<Bool>) -> Bool {
        !(self ^ other)
    }

    /// Whether the two are different. Free.
    pub fn differs(self, other: impl Into<Bool>) -> Bool {
        self ^ other
    }
}

/// A public value where a secret one is wanted.
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

impl Secret for Bool {
    type Shape = ();

    fn shape(&self) {}

    fn width(&(): &()) -> usize {
        1
    }

    fn pack(&self, to: &mut Pack) {
        to.push(self.tag, &[self.bit]);
    }

    fn unpack(&(): &(), from: &mut Unpack<'_>) -> Bool {
        let (tag, [bit]) = from.take();
        Bool::new(tag, bit)
    }
}

/// Free.
impl Not for Bool {
    type Output = Bool;
    fn not(self) -> Bool {
        Bool::new(self.tag, !self.bit)
    }
}

macro_rules! operator {
    ($($Op:ident::$op:ident, $Assign:ident::$assign:ident, $gate:ident, $cost:literal;)*) => { $(
        #[doc = $cost]
        impl<T: Into<Bool>> $Op<T> for Bool {
            type Output = Bool;
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
            fn $op(self, other: Bool) -> Bool {
                Bool::from(self).$op(other)
            }
        }

        #[doc = $cost]
        impl<T: Into<Bool>> $Assign<T> for Bool {
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

/// Shows no value, as there is none yet.
impl std::fmt::Debug for Bool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bool(secret)")
    }
}

/// An `if` on a secret condition: all ways are computed, and the result of one is taken, as
/// [`Bool::select`] does. There must be an `else`.
///
/// ```
/// use halfgate_secret::{U32, when};
/// fn tax(income: U32) -> U32 {
///     when!(if income.gt(100_000) {
///         income / 4
///     } else if income.gt(10_000) {
///         income / 10
///     } else {
///         U32::from(0)
///     })
/// }
/// # use halfgate_secret::{Party, input, output, trace};
/// # trace(|| output("tax", &tax(input("income", Party::Garbler)))).unwrap();
/// ```
#[macro_export]
macro_rules! when {
    (if $($rest:tt)+) => { $crate::when!(@condition [] $($rest)+) };
    (@condition [$($condition:tt)+] $then:block else if $($rest:tt)+) => {
        $crate::Bool::select($($condition)+, $then, $crate::when!(if $($rest)+))
    };
    (@condition [$($condition:tt)+] $then:block else $else:block) => {
        $crate::Bool::select($($condition)+, $then, $else)
    };
    (@condition [$($condition:tt)*] $next:tt $($rest:tt)*) => {
        $crate::when!(@condition [$($condition)* $next] $($rest)*)
    };
}
