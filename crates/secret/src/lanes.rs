//! The arguments of maps and folds: lists, and values that all lanes or steps share.

use crate::secret::{Secret, bits_of};
use crate::trace::{Pack, Tag};
use halfgate_circuit::Bit;
use halfgate_circuit::builder::Arg;

/// Arguments of a map or a fold that give each lane or step an `I`: a list of `I`, or a tuple whose
/// members are lists and [`shared`] values. The lists must have the same length.
///
/// A list is a slice, a vector or an array, or a reference to one. Its elements must have the same
/// shape. Applications pass these types, and need not implement the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give each lane or step a `{I}`",
    label = "wanted: a list of `{I}`, or for a tuple a list or `shared(value)` for each member",
    note = "a list is a `Vec`, a slice or an array, or a reference to one"
)]
pub trait Lanes<I: Secret> {
    /// Appends the arguments to `to`. Returns the shape that they have in a lane or step, or `None`
    /// if a list is empty.
    ///
    /// # Panics
    /// If the elements of a list have different shapes.
    fn pass(&self, to: &mut Arguments) -> Option<I::Shape>;
}

/// A value that all lanes or steps share: see [`shared`].
#[derive(Clone, Copy, Debug)]
pub struct Shared<T>(T);

/// Passes the same value to all lanes of a map, or all steps of a fold. Constants in it cost
/// nothing: the circuit calls a variant of the function that is made for them.
pub fn shared<T: Secret>(value: impl Into<T>) -> Shared<T> {
    Shared(value.into())
}

/// Collects the arguments of a map or a fold.
pub struct Arguments {
    tag: Tag,
    passed: Vec<Passed>,
}

enum Passed {
    Shared(Vec<Bit>),
    /// The bits of all elements, and the number of elements.
    List(Vec<Bit>, usize),
}

impl Passed {
    fn arg(&self) -> Arg<'_> {
        match self {
            Passed::Shared(bits) => Arg::Shared(bits),
            Passed::List(bits, _) => Arg::Sliced(bits),
        }
    }

    /// The number of elements of a list.
    fn length(&self) -> Option<usize> {
        match self {
            Passed::List(_, length) => Some(*length),
            Passed::Shared(_) => None,
        }
    }
}

impl Arguments {
    pub(crate) fn new() -> Arguments {
        Arguments { tag: Tag::CONSTANT, passed: Vec::new() }
    }

    /// The tag of all values.
    pub(crate) fn tag(&self) -> Tag {
        self.tag
    }

    /// The number of lanes or steps, which is the length of each list.
    ///
    /// # Panics
    /// If there is no list, or two lists have different lengths. `name` is that of the function.
    #[track_caller]
    pub(crate) fn runs(&self, name: &str) -> usize {
        let mut lengths = self.passed.iter().filter_map(Passed::length);
        let Some(first) = lengths.next() else {
            panic!("function {name:?}: all arguments are shared, but a map or fold needs a list")
        };
        if let Some(other) = lengths.find(|&other| other != first) {
            panic!(
                "function {name:?}: one list has {first} elements and another one {other}; the \
                 lists of a map or fold must have the same length"
            )
        }
        first
    }

    /// The arguments for the builder, which finds out whether a list's bits are consecutive wires.
    pub(crate) fn list(&self) -> Vec<Arg<'_>> {
        self.passed.iter().map(Passed::arg).collect()
    }
}

impl<T: Secret> Lanes<T> for Shared<T> {
    #[track_caller]
    fn pass(&self, to: &mut Arguments) -> Option<T::Shape> {
        let (tag, bits) = bits_of(&self.0);
        to.tag = to.tag.join(tag);
        to.passed.push(Passed::Shared(bits));
        Some(self.0.shape())
    }
}

impl<T: Secret> Lanes<T> for [T] {
    #[track_caller]
    fn pass(&self, to: &mut Arguments) -> Option<T::Shape> {
        let shape = self.first().map(T::shape);
        for element in self {
            assert!(
                shape.as_ref() == Some(&element.shape()),
                "a map or fold: the elements of a list must have the same length"
            );
        }
        let mut pack = Pack::new();
        self.iter().for_each(|element| element.pack(&mut pack));
        let (tag, bits) = pack.into_parts();
        to.tag = to.tag.join(tag);
        to.passed.push(Passed::List(bits, self.len()));
        shape
    }
}

impl<T: Secret> Lanes<T> for Vec<T> {
    #[track_caller]
    fn pass(&self, to: &mut Arguments) -> Option<T::Shape> {
        self.as_slice().pass(to)
    }
}

impl<T: Secret, const L: usize> Lanes<T> for [T; L] {
    #[track_caller]
    fn pass(&self, to: &mut Arguments) -> Option<T::Shape> {
        self.as_slice().pass(to)
    }
}

impl<I: Secret, L: Lanes<I> + ?Sized> Lanes<I> for &L {
    #[track_caller]
    fn pass(&self, to: &mut Arguments) -> Option<I::Shape> {
        (**self).pass(to)
    }
}

macro_rules! tuples {
    ($($T:ident $L:ident $i:tt),*) => {
        impl<$($T: Secret, $L: Lanes<$T>),*> Lanes<($($T,)*)> for ($($L,)*) {
            #[track_caller]
            fn pass(&self, to: &mut Arguments) -> Option<($($T::Shape,)*)> {
                let shapes = ($(self.$i.pass(to),)*);
                Some(($(shapes.$i?,)*))
            }
        }
    };
}

tuples!(A K 0);
tuples!(A K 0, B L 1);
tuples!(A K 0, B L 1, C M 2);
tuples!(A K 0, B L 1, C M 2, D N 3);
tuples!(A K 0, B L 1, C M 2, D N 3, E O 4);
tuples!(A K 0, B L 1, C M 2, D N 3, E O 4, F P 5);
tuples!(A K 0, B L 1, C M 2, D N 3, E O 4, F P 5, G Q 6);
tuples!(A K 0, B L 1, C M 2, D N 3, E O 4, F P 5, G Q 6, H R 7);
