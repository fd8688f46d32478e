//! The common part of all secret values: they consist of bits in a fixed order.

use crate::boolean::Bool;
use crate::trace::{Pack, Unpack, combine};
use halfgate_circuit::{Bit, Element, ElementType};
use std::array;

/// A value whose bits are secret: [`Bool`], [`Uint`](crate::Uint), [`Int`](crate::Int), the
/// floats, and tuples, arrays and vectors of those.
///
/// To implement this trait for a type of your own, compose it of these types:
///
/// ```
/// use halfgate_secret::{Bool, Pack, Secret, U8, U32, Unpack};
///
/// #[derive(Clone, Copy)]
/// struct Bid { price: U32, bidder: U8 }
///
/// impl Secret for Bid {
///     type Shape = ();
///     fn shape(&self) {}
///     fn width(_: &()) -> usize { 32 + 8 }
///     fn pack(&self, to: &mut Pack) { self.price.pack(to); self.bidder.pack(to); }
///     fn unpack(_: &(), from: &mut Unpack<'_>) -> Bid {
///         Bid { price: U32::unpack(&(), from), bidder: U8::unpack(&(), from) }
///     }
/// }
///
/// fn better(a: Bid, b: Bid) -> Bid { a.price.ge(b.price).select(a, b) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a secret value",
    label = "a secret value is wanted: `U32` for `u32`, `F64` for `f64`, `Bool` for `bool`",
    note = "a plain value becomes a secret constant with `From`: `U32::from(7)`"
)]
pub trait Secret: Clone {
    /// The information needed to make such a value, in addition to its type: `()` for types whose
    /// values all have the same size, [`Length`] for vectors, a tuple for tuples.
    type Shape: Clone + PartialEq + std::fmt::Debug;

    /// The shape of this value.
    fn shape(&self) -> Self::Shape;

    /// Number of bits of a value of that shape.
    fn width(shape: &Self::Shape) -> usize;

    /// Appends the value's bits to `to`.
    fn pack(&self, to: &mut Pack);

    /// Takes a value of that shape from the front of `from`.
    fn unpack(shape: &Self::Shape, from: &mut Unpack<'_>) -> Self;

    /// The widths of the ports that carry such a value: one port, or one for each member of a
    /// tuple.
    fn port_widths(shape: &Self::Shape) -> Vec<usize> {
        vec![Self::width(shape)]
    }

    /// The type of the value's bits, if they are one element or several of the same type.
    fn elements(_shape: &Self::Shape) -> Option<ElementType> {
        None
    }

    /// For each port of [`port_widths`](Secret::port_widths), the type of its bits, as in
    /// [`elements`](Secret::elements).
    fn port_elements(shape: &Self::Shape) -> Vec<Option<ElementType>> {
        vec![Self::elements(shape)]
    }

    /// The bits, the lowest first, for gadgets that work on bits.
    ///
    /// # Panics
    /// If parts of the value belong to different circuits, or the value comes from outside the
    /// function that is being written.
    fn to_bits(&self) -> Vec<Bit> {
        let (tag, bits) = bits_of(self);
        tag.refuse_outside();
        bits
    }

    /// Makes a value of the circuit being written from its bits.
    ///
    /// # Panics
    /// If the number of bits differs from the shape's width, or no circuit is being written on this
    /// thread.
    fn from_bits(shape: &Self::Shape, bits: &[Bit]) -> Self {
        assert_eq!(bits.len(), Self::width(shape), "the bits must fill the value");
        let (tag, ()) = combine(&[], |_| ());
        Self::unpack(shape, &mut Unpack::new(tag, bits))
    }

    /// Assigns `value` if `condition` is true, like `if condition { x = value; }`. `n` ANDs, depth
    /// 1.
    ///
    /// # Panics
    /// If the values have different shapes, that is, vectors of different lengths.
    #[track_caller]
    fn assign_if(&mut self, condition: Bool, value: impl Into<Self>) {
        *self = condition.select(value.into(), self.clone());
    }
}

/// The tag and bits of a value.
pub(crate) fn bits_of<T: Secret>(value: &T) -> (crate::trace::Tag, Vec<Bit>) {
    let mut pack = Pack::new();
    value.pack(&mut pack);
    pack.into_parts()
}

/// The shape of a vector: its number of elements, which all have the same size.
///
/// A plain number converts to this type with [`From`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length(pub usize);

impl From<usize> for Length {
    fn from(count: usize) -> Length {
        Length(count)
    }
}

impl Secret for Bool {
    type Shape = ();

    fn shape(&self) {}

    fn width(&(): &()) -> usize {
        1
    }

    fn elements(&(): &()) -> Option<ElementType> {
        Some(ElementType { element: Element::Unsigned, width: 1 })
    }

    fn pack(&self, to: &mut Pack) {
        let (tag, bit) = self.parts();
        to.push(tag, &[bit]);
    }

    fn unpack(&(): &(), from: &mut Unpack<'_>) -> Bool {
        let (tag, [bit]) = from.take();
        Bool::new(tag, bit)
    }
}

impl<T: Secret, const L: usize> Secret for [T; L]
where
    T::Shape: Default,
{
    type Shape = ();

    fn shape(&self) {}

    fn width(&(): &()) -> usize {
        L * T::width(&T::Shape::default())
    }

    fn elements(&(): &()) -> Option<ElementType> {
        T::elements(&T::Shape::default())
    }

    fn pack(&self, to: &mut Pack) {
        self.iter().for_each(|element| element.pack(to));
    }

    fn unpack(&(): &(), from: &mut Unpack<'_>) -> [T; L] {
        array::from_fn(|_| T::unpack(&T::Shape::default(), from))
    }
}

impl<T: Secret> Secret for Vec<T>
where
    T::Shape: Default,
{
    type Shape = Length;

    fn shape(&self) -> Length {
        Length(self.len())
    }

    fn width(&Length(count): &Length) -> usize {
        count * T::width(&T::Shape::default())
    }

    fn elements(_: &Length) -> Option<ElementType> {
        T::elements(&T::Shape::default())
    }

    fn pack(&self, to: &mut Pack) {
        self.iter().for_each(|element| element.pack(to));
    }

    fn unpack(&Length(count): &Length, from: &mut Unpack<'_>) -> Vec<T> {
        (0..count).map(|_| T::unpack(&T::Shape::default(), from)).collect()
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<$($T: Secret),*> Secret for ($($T,)*) {
            type Shape = ($($T::Shape,)*);

            #[allow(clippy::unused_unit, reason = "needed for the empty tuple")]
            fn shape(&self) -> Self::Shape {
                ($(self.$i.shape(),)*)
            }

            fn width(_shape: &Self::Shape) -> usize {
                0 $(+ $T::width(&_shape.$i))*
            }

            fn pack(&self, _to: &mut Pack) {
                $(self.$i.pack(_to);)*
            }

            #[allow(clippy::unused_unit, reason = "needed for the empty tuple")]
            fn unpack(_shape: &Self::Shape, _from: &mut Unpack<'_>) -> Self {
                ($($T::unpack(&_shape.$i, _from),)*)
            }

            fn port_widths(_shape: &Self::Shape) -> Vec<usize> {
                vec![$($T::width(&_shape.$i)),*]
            }

            fn port_elements(_shape: &Self::Shape) -> Vec<Option<ElementType>> {
                vec![$($T::elements(&_shape.$i)),*]
            }
        }
    };
}

tuples!();
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
