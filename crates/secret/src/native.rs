//! The plain Rust counterparts of secret values, and conversions to and from bits.

use crate::fixed::Format;
use crate::secret::Secret;
use halfgate_circuit::Bits;

/// A secret type with a plain Rust counterpart, which is used for inputs and outputs.
///
/// | secret | plain |
/// |---|---|
/// | [`Bool`](crate::Bool) | `bool` |
/// | [`Uint<N>`](crate::Uint), N up to 128 | the narrowest of `u8` to `u128` that holds N bits |
/// | [`Int<N>`](crate::Int), N up to 128 | the narrowest of `i8` to `i128` that holds N bits |
/// | [`F32`](crate::F32), [`F64`](crate::F64) | `f32`, `f64` |
/// | [`Fixed`](crate::Fixed), [`UFixed`](crate::UFixed) | `f64`, rounded to the nearest multiple |
/// | tuples, arrays, vectors | tuples, arrays, vectors of plain values |
///
/// A plain value that does not fit its secret type is an error, and so is a vector of another
/// length.
pub trait Native: Secret {
    /// The plain type.
    type Clear;

    /// The plain type of an output as a party learns it: an `Option`. For a tuple, whose members
    /// are separate outputs, a tuple of options.
    type Learned;

    /// Appends the value's bits to `to`.
    ///
    /// # Errors
    /// If the value does not fit. The error does not repeat the value.
    fn encode(
        shape: &Self::Shape,
        value: &Self::Clear,
        to: &mut dyn FnMut(bool),
    ) -> Result<(), ValueError>;

    /// Takes a value's bits from the front of `from`.
    fn decode(shape: &Self::Shape, from: &mut dyn FnMut() -> bool) -> Self::Clear;

    /// Returns the value of each port of [`port_widths`](Secret::port_widths), lowest bit first.
    ///
    /// # Errors
    /// As for [`encode`](Native::encode), with the index of the port.
    fn encode_ports(
        shape: &Self::Shape,
        value: &Self::Clear,
    ) -> Result<Vec<Bits>, (usize, ValueError)> {
        let mut bits = Bits::new();
        Self::encode(shape, value, &mut |bit| bits.push(bit)).map_err(|error| (0, error))?;
        Ok(vec![bits])
    }

    /// Converts the outputs that a party learned to plain values. `ports` has one entry per port:
    /// its bits, or `None` if the party did not learn them.
    ///
    /// # Panics
    /// If the number of entries differs from the number of ports, or an entry has another number of
    /// bits than its port.
    fn decode_ports(shape: &Self::Shape, ports: &[Option<Bits>]) -> Self::Learned;

    /// Returns the whole value, or `None` if a part of it was not learned.
    fn whole(learned: Self::Learned) -> Option<Self::Clear>;
}

/// Errors in converting a plain value. Messages do not repeat the value, because it is secret.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValueError {
    /// An integer that needs more bits than its type has.
    #[error("the value does not fit in {width} bits: it must be from {least} to {most}")]
    TooLarge {
        /// Number of bits of the secret type.
        width: usize,
        /// The least value that fits.
        least: i128,
        /// The greatest value that fits.
        most: u128,
    },
    /// A fixed-point number that is out of range or a NaN.
    #[error(
        "the value is not a number from {} to {}, the range of {bits} bits with {fraction} after the \
         point",
        fixed_limits(.bits, .fraction, .signed).0,
        fixed_limits(.bits, .fraction, .signed).1
    )]
    FixedRange {
        /// Number of bits of the secret type.
        bits: usize,
        /// Number of bits after the point.
        fraction: usize,
        /// Whether the type is signed.
        signed: bool,
    },
    /// A vector of another length.
    #[error("{found} values were given for a list of {expected}")]
    Length {
        /// Number of elements of the shape.
        expected: usize,
        /// Number of elements given.
        found: usize,
    },
    /// An error in an element of a list or tuple.
    #[error("element {index}: {error}")]
    Element {
        /// Index of the element, from 0.
        index: usize,
        /// The error in the element.
        error: Box<ValueError>,
    },
}

fn fixed_limits(&bits: &usize, &fraction: &usize, &signed: &bool) -> (f64, f64) {
    Format { bits, fraction, signed }.limits()
}

impl ValueError {
    fn of_element(index: usize) -> impl Fn(ValueError) -> ValueError {
        move |error| ValueError::Element { index, error: Box::new(error) }
    }
}

/// Returns the learned value of a port that carries one value of `T`.
pub(crate) fn decode_port<T: Native>(shape: &T::Shape, ports: &[Option<Bits>]) -> Option<T::Clear> {
    assert_eq!(ports.len(), 1, "a value that is no tuple has one port");
    let bits = ports[0].as_ref()?;
    assert_eq!(bits.len(), T::width(shape), "bits of a port");
    let mut bits = bits.iter();
    Some(T::decode(shape, &mut || bits.next().expect("the port's bits were counted")))
}

/// The two methods for types that use one port.
macro_rules! one_port {
    () => {
        type Learned = Option<Self::Clear>;

        fn decode_ports(
            shape: &Self::Shape,
            ports: &[Option<::halfgate_circuit::Bits>],
        ) -> Option<Self::Clear> {
            $crate::native::decode_port::<Self>(shape, ports)
        }

        fn whole(learned: Option<Self::Clear>) -> Option<Self::Clear> {
            learned
        }
    };
}
pub(crate) use one_port;

impl Native for crate::Bool {
    type Clear = bool;

    fn encode(_: &(), &value: &bool, to: &mut dyn FnMut(bool)) -> Result<(), ValueError> {
        to(value);
        Ok(())
    }

    fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> bool {
        from()
    }

    one_port!();
}

impl<T: Native, const L: usize> Native for [T; L]
where
    T::Shape: Default,
{
    type Clear = [T::Clear; L];

    fn encode(_: &(), value: &[T::Clear; L], to: &mut dyn FnMut(bool)) -> Result<(), ValueError> {
        encode_elements::<T>(value, to)
    }

    fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> [T::Clear; L] {
        std::array::from_fn(|_| T::decode(&T::Shape::default(), from))
    }

    one_port!();
}

impl<T: Native> Native for Vec<T>
where
    T::Shape: Default,
{
    type Clear = Vec<T::Clear>;

    fn encode(
        shape: &crate::Length,
        value: &Vec<T::Clear>,
        to: &mut dyn FnMut(bool),
    ) -> Result<(), ValueError> {
        if value.len() != shape.0 {
            return Err(ValueError::Length { expected: shape.0, found: value.len() });
        }
        encode_elements::<T>(value, to)
    }

    fn decode(shape: &crate::Length, from: &mut dyn FnMut() -> bool) -> Vec<T::Clear> {
        (0..shape.0).map(|_| T::decode(&T::Shape::default(), from)).collect()
    }

    one_port!();
}

fn encode_elements<T: Native<Shape: Default>>(
    values: &[T::Clear],
    to: &mut dyn FnMut(bool),
) -> Result<(), ValueError> {
    let shape = T::Shape::default();
    values.iter().enumerate().try_for_each(|(index, value)| {
        T::encode(&shape, value, to).map_err(ValueError::of_element(index))
    })
}

macro_rules! tuples {
    ($($T:ident $i:tt $learned:ident),*) => {
        impl<$($T: Native),*> Native for ($($T,)*) {
            type Clear = ($($T::Clear,)*);
            type Learned = ($(Option<$T::Clear>,)*);

            fn encode(
                _shape: &Self::Shape,
                _value: &Self::Clear,
                _to: &mut dyn FnMut(bool),
            ) -> Result<(), ValueError> {
                $($T::encode(&_shape.$i, &_value.$i, _to).map_err(ValueError::of_element($i))?;)*
                Ok(())
            }

            #[allow(clippy::unused_unit, reason = "needed for the empty tuple")]
            fn decode(_shape: &Self::Shape, _from: &mut dyn FnMut() -> bool) -> Self::Clear {
                ($($T::decode(&_shape.$i, _from),)*)
            }

            fn encode_ports(
                _shape: &Self::Shape,
                _value: &Self::Clear,
            ) -> Result<Vec<Bits>, (usize, ValueError)> {
                Ok(vec![$({
                    let mut bits = Bits::new();
                    $T::encode(&_shape.$i, &_value.$i, &mut |bit| bits.push(bit))
                        .map_err(|error| ($i, error))?;
                    bits
                }),*])
            }

            #[allow(clippy::unused_unit, reason = "needed for the empty tuple")]
            fn decode_ports(_shape: &Self::Shape, _ports: &[Option<Bits>]) -> Self::Learned {
                ($(decode_port::<$T>(&_shape.$i, &_ports[$i..=$i]),)*)
            }

            #[allow(clippy::unused_unit, reason = "needed for the empty tuple")]
            fn whole(learned: Self::Learned) -> Option<Self::Clear> {
                let ($($learned,)*) = learned;
                Some(($($learned?,)*))
            }
        }
    };
}

tuples!();
tuples!(A 0 a);
tuples!(A 0 a, B 1 b);
tuples!(A 0 a, B 1 b, C 2 c);
tuples!(A 0 a, B 1 b, C 2 c, D 3 d);
tuples!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e);
tuples!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f);
tuples!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f, G 6 g);
tuples!(A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f, G 6 g, H 7 h);

/// A number of bits, as a type that implements [`Width`].
pub struct Bitwidth<const N: usize>;

/// Widths of integers with a plain Rust counterpart: 1 to 128 bits.
pub trait Width {
    /// The narrowest unsigned integer with this many bits.
    type Unsigned: Copy + Into<u128> + TryFrom<u128>;
    /// The narrowest signed integer with this many bits.
    type Signed: Copy + Into<i128> + TryFrom<i128>;
}

macro_rules! widths {
    ($($unsigned:ty, $signed:ty: $($n:literal)*;)*) => { $($(
        impl Width for Bitwidth<$n> {
            type Unsigned = $unsigned;
            type Signed = $signed;
        }
    )*)* };
}

widths! {
    u8, i8: 1 2 3 4 5 6 7 8;
    u16, i16: 9 10 11 12 13 14 15 16;
    u32, i32: 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32;
    u64, i64: 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60
        61 62 63 64;
    u128, i128: 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91
        92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115
        116 117 118 119 120 121 122 123 124 125 126 127 128;
}
