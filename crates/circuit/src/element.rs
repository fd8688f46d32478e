//! The types of ports, which allow values to be read and shown as people write them.
//!
//! A type is not part of the program: two parties that interpret a port differently still run the
//! same program.

use std::fmt;

/// The interpretation of the bits of one element of a port. Bit 0 is always the first wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// An unsigned integer.
    Unsigned,
    /// An integer in two's complement.
    Signed,
    /// An IEEE 754 binary32 number.
    Float32,
    /// An IEEE 754 binary64 number.
    Float64,
    /// An integer in two's complement times `2^-fraction`.
    Fixed {
        /// Bits after the point.
        fraction: u32,
    },
    /// An unsigned integer times `2^-fraction`.
    FixedUnsigned {
        /// Bits after the point.
        fraction: u32,
    },
    /// Bytes in order: byte `k`, bit `j` is bit `8k + j`.
    Bytes,
    /// Characters, with zeros after the last: bytes of UTF-8 if an element has 8 bits, else one
    /// Unicode scalar value per element.
    Text,
}

/// The type of a port's bits: one element, or a list of elements of the same width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementType {
    /// Interpretation of an element.
    pub element: Element,
    /// Bits of an element. A port's width is a multiple of it.
    pub width: u32,
}

impl Element {
    /// The kind in one word, as in machine-readable lists.
    pub fn kind(&self) -> &'static str {
        match self {
            Element::Unsigned => "unsigned",
            Element::Signed => "signed",
            Element::Float32 => "binary32",
            Element::Float64 => "binary64",
            Element::Fixed { .. } => "fixed",
            Element::FixedUnsigned { .. } => "fixed-unsigned",
            Element::Bytes => "bytes",
            Element::Text => "text",
        }
    }

    /// Bits after the point of a fixed-point number.
    pub fn fraction(&self) -> Option<u32> {
        match *self {
            Element::Fixed { fraction } | Element::FixedUnsigned { fraction } => Some(fraction),
            _ => None,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Fixed { fraction } => write!(f, "fixed point, {fraction} bits of fraction"),
            Element::FixedUnsigned { fraction } => {
                write!(f, "unsigned fixed point, {fraction} bits of fraction")
            }
            kind => f.write_str(kind.kind()),
        }
    }
}
