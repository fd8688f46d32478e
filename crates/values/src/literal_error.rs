//! Errors in one value.

use std::fmt;

/// The most digits of a decimal number. Conversion takes quadratic time.
pub const MAX_DECIMAL_DIGITS: usize = 10_000;

/// Errors in a written value, or of a value that does not fit its port. Messages never repeat the
/// text, because it may be secret.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LiteralError {
    /// No characters between two commas or after a prefix.
    #[error("there are no digits; write a number, 0x…, 0b…, bytes:…, text:…, [LIST], @FILE or -")]
    Empty,
    /// A character that is not a digit of the base.
    #[error(
        "character {position} is not a {base} digit; write a number, 0x…, 0b…, bytes:…, text:…, [LIST], @FILE or -"
    )]
    Digit {
        /// Position of the character after the prefix, from 1.
        position: usize,
        /// decimal, hexadecimal or binary.
        base: &'static str,
    },
    /// A decimal number with more digits than [`MAX_DECIMAL_DIGITS`].
    #[error(
        "a decimal number of {0} digits is too long (at most {MAX_DECIMAL_DIGITS}); write it as 0x…"
    )]
    TooLong(usize),
    /// `bytes:` with an odd number of digits.
    #[error("bytes: wants two hexadecimal digits per byte, but there are {0} digits")]
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
    /// An integer outside the declared range.
    #[error("the value is not {}", range(*width, *signed))]
    Range {
        /// Bits of an element.
        width: usize,
        /// Whether the elements are signed.
        signed: bool,
    },
    /// A negative number for a bytes port.
    #[error("the input is bytes, but the value is negative: write bytes:… or @FILE.bin")]
    NegativeBytes,
    /// A text for a number port.
    #[error("the input is a number, but the value is a text: write the number without text:")]
    WantsNumber,
    /// The number of bytes differs from the port's.
    #[error("{got} bytes were given, the input has {width} bits: {wanted} bytes")]
    Bytes {
        /// Bytes given.
        got: u64,
        /// Bytes that the port takes.
        wanted: u64,
        /// Bits of the port.
        width: u64,
    },
    /// A list without its closing bracket.
    #[error("the list has no ] at its end")]
    OpenList,
    /// An `@` without a file name.
    #[error("there is no file name after the @")]
    NoFile,
    /// A file name inside a file.
    #[error("a value in a file cannot name another file")]
    FileInFile,
    /// Several values on one line of a file.
    #[error("there are several values on a line: a list is written [1,2,3], a table is @FILE.csv")]
    Comma,
    /// Characters after the end of a list.
    #[error("something follows the ] of the list: a comma separates values")]
    AfterList,
    /// A list inside a list.
    #[error("a list cannot contain a list: write its elements one after the other")]
    NestedList,
    /// An unknown element type.
    #[error("the elements of a list are u1 to u128, i1 to i128, f32 or f64, as in u8:[1,2,3]")]
    ElementType,
    /// No value after an unquoted text. The comma may have been meant as part of the text.
    #[error("this is not a value; a comma ends a text unless the text is in quotes: text:\"a, b\"")]
    CommaInText,
    /// A list in a file whose element type differs from the type before the file's name.
    #[error("the element type of the list differs from the type before the @: write it only once")]
    OtherType,
    /// A quoted text without its closing quote, or with characters after it.
    #[error("a text in quotes is written as in JSON: text:\"a, b\" with \\\" for a quote in it")]
    Quotes,
    /// `f32:` or `f64:` without a number after it.
    #[error("{0} wants a number, such as 1.5, -2e-3, inf or nan")]
    NotAFloat(&'static str),
    /// A finite number beyond the largest of its format.
    #[error("the number is beyond the largest finite {0}; write inf for infinity")]
    FloatOverflow(&'static str),
    /// `f32:` or `f64:` for a port of another width.
    #[error("{format} has {is} bits, but the input has {width}")]
    FloatWidth {
        /// `f32:` or `f64:`.
        format: &'static str,
        /// Bits of the format.
        is: u64,
        /// Bits of the port.
        width: u64,
    },
    /// A number with a point for a port without a declared number format.
    #[error("the input takes an integer; write f32:… or f64:… for the bits of a float")]
    Integer,
    /// A number outside the range of a fixed-point port.
    #[error(
        "the number is not from {least} to {most}, the range of the input's {width} bits with {fraction} after the point"
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
    /// One number for a port of several elements.
    #[error(
        "the input is a list: write [1, …] with a value for each element, or a JSON array in @FILE.json"
    )]
    List,
    /// A number for a text port.
    #[error("the input is text: write text:…, or a string in @FILE.json")]
    WantsText,
    /// A text longer than its port.
    #[error("the text has {got} {unit}, the input holds {most}")]
    TextTooLong {
        /// Elements that the text takes.
        got: usize,
        /// Elements of the port.
        most: usize,
        /// Unit of an element.
        unit: TextUnit,
    },
    /// A character that does not fit an element.
    #[error(
        "character {position} of the text does not fit an element of {width} bits, or is a zero, which marks the end"
    )]
    Character {
        /// Position of the character, from 1.
        position: usize,
        /// Bits of an element.
        width: usize,
    },
    /// A character of a text behind a zero.
    #[error("it is behind a zero, which marks the end of the text")]
    AfterEnd,
    /// The last byte has bits beyond the port.
    #[error("the last byte has bits set beyond the input's {width} bits")]
    SpareBits {
        /// Bits of the port.
        width: u64,
    },
}

/// Unit of a text's elements.
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

/// Describes the range of integers of `width` bits in words.
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
