//! Selection by a secret bit.

use crate::boolean::Bool;
use crate::secret::{Secret, bits_of};
use crate::trace::{Unpack, combine};
use halfgate_circuit::Bit;

impl Bool {
    /// `if_true` if this is true, else `if_false`. The two values must have the same type and
    /// shape. One AND per bit, depth 1.
    ///
    /// # Panics
    /// If the values have different shapes, that is, vectors of different lengths.
    #[track_caller]
    pub fn select<T: Secret>(self, if_true: T, if_false: impl Into<T>) -> T {
        let if_false = if_false.into();
        let shape = if_true.shape();
        assert!(shape == if_false.shape(), "select: the two values must have the same length");
        let (condition_tag, condition) = self.parts();
        let ((tag_true, if_true), (tag_false, if_false)) = (bits_of(&if_true), bits_of(&if_false));
        let (tag, bits) = combine(&[condition_tag, tag_true, tag_false], |b| {
            let pairs = if_true.iter().zip(&if_false);
            pairs.map(|(&t, &f)| b.mux(condition, t, f)).collect::<Vec<_>>()
        });
        T::unpack(&shape, &mut Unpack::new(tag, &bits))
    }

    /// `(y, x)` if this is true, else `(x, y)`. One AND per bit, depth 1: half the cost of two
    /// selections.
    ///
    /// # Panics
    /// If the values have different shapes, that is, vectors of different lengths.
    #[track_caller]
    pub fn swap<T: Secret>(self, x: T, y: impl Into<T>) -> (T, T) {
        let y = y.into();
        let shape = x.shape();
        assert!(shape == y.shape(), "swap: the two values must have the same length");
        let (condition_tag, condition) = self.parts();
        let ((tag_x, x), (tag_y, y)) = (bits_of(&x), bits_of(&y));
        let (tag, (x, y)) = combine(&[condition_tag, tag_x, tag_y], |b| {
            halfgate_circuit::int::swap_if(b, condition, &x, &y)
        });
        let unpack = |bits: &[Bit]| T::unpack(&shape, &mut Unpack::new(tag, bits));
        (unpack(&x), unpack(&y))
    }
}

/// An `if` on a secret condition. All branches are computed, and [`Bool::select`] selects one of
/// the results. There must be an `else`.
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
