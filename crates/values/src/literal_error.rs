//! What can be wrong with one value.

use std::fmt;

/// The most digits of a decimal number: longer ones take quadratic time to convert.
pub const MAX_DECIMAL_DIGITS: usize = 10_000;

/// Why a text is no value, or does not fit its port. Messages never repeat the text: it may be a
/// secret.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LiteralError {
    /// Nothing between two commas, or after a prefix.
    #[error("there are no digits; write a number, 0x…, 0b…, bytes:…, text:…, [LIST], @FILE or -")]
    Empty,
    /// A character that the base does not have.
    #[error(
        "character {position} is not a {base} digit; write a number, 0x…, 0b…, bytes:…, text:…, [LIST], @FILE or -"
    )]
    Digit {
        /// Place of the character after the prefix, from 1.
        position: usize,
        /// decimal, hexadecimal or binary.
        base: &'static str,
    },
    /// A decimal number beyond [`MAX_DECIMAL_DIGITS`].
    #[error(
        "a decimal number of {0} digits is too long (at most {MAX_DECIMAL_DIGITS}); write it as 0x…"
    )]
    TooLong(usize),
    /// `bytes:` with a lone digit.
    #[error("bytes: wants two hexadecimal digits a byte, there are {0} digits")]
    HalfByte(usize),
    /// A non-negative integer above 2^width - 1.
    #[error("the value needs {needs} bits, the input has {width}")]
    TooWide {
        /// Bits that the value needs.
        needs: u64,
        /// Bits of the port.
        width: u64,
    },
    /// A negative integer below -2^(width-1).
    #[error("the value is below -2^{}, the least that two's complement holds in {width} bits", width.saturating_sub(1))]
    TooNegative {
        /// Bits of the port.
        width: u64,
    },
    /// An integer outside the range that was declared.
    #[error("the value is not {}", range(*width, *signed))]
    Range {
        /// Bits of an element.
        width: usize,
        /// Whether the elements are signed.
        signed: bool,
    },
    /// A negative number for bytes.
    #[error("the input is bytes, and the value is negative: write bytes:… or @FILE.bin")]
    NegativeBytes,
    /// A text for a port of numbers.
    #[error("the input is a number, and a text is given: write the number without text:")]
    WantsNumber,
    /// Another number of bytes than the port has.
    #[error("{got} bytes were given, the input has {width} bits: {wanted} bytes")]
    Bytes {
        /// Bytes given.
        got: u64,
        /// Bytes wanted.
        wanted: u64,
        /// Bits of the port.
        width: u64,
    },
    /// A list without its end.
    #[error("the list has no ] at its end")]
    OpenList,
    /// An `@` without a file's name.
    #[error("there is no file name behind the @")]
    NoFile,
    /// A file that is named in a file.
    #[error("a value in a file names no other file")]
    FileInFile,
    /// Several values on a line of a file.
    #[error("there are several values in a line: a list is written [1,2,3], a table is @FILE.csv")]
    Comma,
    /// Something behind a list.
    #[error("something follows the ] of the list: a comma separates values")]
    AfterList,
    /// A list in a list.
    #[error("a list has no lists in it: write its elements one after the other")]
    NestedList,
    /// A type of elements that there is not.
    #[error("the elements of a list are u1 to u128, i1 to i128, f32 or f64, as in u8:[1,2,3]")]
    ElementType,
    /// No value after a text without quotes, whose comma may have been meant as part of it.
    #[error("this is no value; a comma ends a text unless that is in quotes: text:\"a, b\"")]
    CommaInText,
    /// A list in a file whose type is not the one before the file's name.
    #[error("the list says another type of its elements than what stands before the @")]
    OtherType,
    /// A quoted text without its end, or with something behind that.
    #[error("a text in quotes is written as in JSON: text:\"a, b\" with \\\" for a quote in it")]
    Quotes,
    /// `f32:` or `f64:` with something else than a number after it.
    #[error("{0} wants a number, such as 1.5, -2e-3, inf or nan")]
    NotAFloat(&'static str),
    /// A finite number beyond the largest of its format.
    #[error("the number is beyond the largest finite {0}; write inf for infinity")]
    FloatOverflow(&'static str),
    /// `f32:` or `f64:` for a port of another width.
    #[error("{format} has {is} bits, the input {width}")]
    FloatWidth {
        /// `f32:` or `f64:`.
        format: &'static str,
        /// Bits of the format.
        is: u64,
        /// Bits of the port.
        width: u64,
    },
    /// A number with a point for a port that does not say what that is to be.
    #[error("an integer is wanted here; f32:… or f64:… gives the bits of a float")]
    Integer,
    /// A number beyond a fixed-point port.
    #[error(
        "the number is not from {least} to {most}, which is what the input's {width} bits with {fraction} after the point hold"
    )]
    FixedRange {
        /// The least number.
        least: f64,
        /// The greatest number.
        most: f64,
        /// Bits of the port.
        width: u64,
        /// Bits after the point.
        fraction: u32,
    },
    /// A number for a port of several elements.
    #[error(
        "the input is a list: write [1, …] with a value for each element, or a JSON array in @FILE.json"
    )]
    List,
    /// A number for a port of text.
    #[error("the input is text: write text:…, or a string in @FILE.json")]
    WantsText,
    /// A text beyond its port.
    #[error("the text has {got} {unit}, the input holds {most}")]
    TextTooLong {
        /// Elements that the text takes.
        got: usize,
        /// Elements of the port.
        most: usize,
        /// What an element is.
        unit: TextUnit,
    },
    /// A character that does not fit an element.
    #[error(
        "character {position} of the text does not fit an element of {width} bits, or is a zero, which marks the end"
    )]
    Character {
        /// Its place, from 1.
        position: usize,
        /// Bits of an element.
        width: usize,
    },
    /// The last byte has bits beyond the port.
    #[error("the last byte has bits set beyond the input's {width} bits")]
    SpareBits {
        /// Bits of the port.
        width: u64,
    },
}

/// What an element of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnit {
    /// A byte of UTF-8: elements have 8 bits.
    Bytes,
    /// A character: a Unicode scalar value.
    Characters,
}

impl fmt::Display for TextUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextUnit::Bytes => "bytes of UTF-8",
            TextUnit::Characters => "characters",
        })
    }
}

/// The integers of `width` bits, in words.
fn range(width: usize, signed: bool) -> String {
    let bits = if signed { width.saturating_sub(1) } else { width };
    let most = match 1_u128.checked_shl(bits as u32) {
        Some(end) if bits < 128 => (end - 1).to_string(),
        _ => format!("2^{bits} - 1"),
    };
    match (signed, 1_u128.checked_shl(bits as u32)) {
        (false, _) => format!("from 0 to {most}, the range of {width} unsigned bits"),
        (true, Some(end)) if bits < 128 => {
            format!("from -{end} to {most}, the range of {width} signed bits")
        }
        (true, _) => format!("from -2^{bits} to {most}, the range of {width} signed bits"),
    }
}
