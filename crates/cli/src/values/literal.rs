//! One value as it is written: an integer in three bases, or bytes in order.

use halfgate_circuit::Bits;
use zeroize::Zeroizing;

/// The most digits of a decimal number: longer ones take quadratic time to convert.
pub const MAX_DECIMAL_DIGITS: usize = 10_000;

/// A value as written, before the width of its port is known. It is a secret: it has no `Debug`
/// and its bytes are wiped.
pub struct Literal(Form);

enum Form {
    /// A magnitude, little-endian, and a sign.
    Integer { magnitude: Zeroizing<Vec<u8>>, negative: bool },
    /// Bytes in order: bit `j` of byte `k` is wire `8k + j`.
    Bytes(Zeroizing<Vec<u8>>),
}

/// Why a text is no value, or does not fit its port. Messages never repeat the text: it may be a
/// secret.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LiteralError {
    /// Nothing between two commas, or after a prefix.
    #[error("there are no digits; write a number, 0x…, 0b…, bytes:…, @FILE or -")]
    Empty,
    /// A character that the base does not have.
    #[error(
        "character {position} is not a {base} digit; write a number, 0x…, 0b…, bytes:…, @FILE or -"
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
    /// The last byte has bits beyond the port.
    #[error("the last byte has bits set beyond the input's {width} bits")]
    SpareBits {
        /// Bits of the port.
        width: u64,
    },
}

impl Literal {
    /// Reads `123`, `-5`, `0x…`, `0b…` or `bytes:…`; white space around it is dropped.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn parse(text: &str) -> Result<Literal, LiteralError> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix("bytes:") {
            return Ok(Literal(Form::Bytes(hex_bytes(digits)?)));
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let magnitude = if let Some(digits) = digits.strip_prefix("0x") {
            power_of_two_base(digits, 4, "hexadecimal")?
        } else if let Some(digits) = digits.strip_prefix("0b") {
            power_of_two_base(digits, 1, "binary")?
        } else {
            decimal(digits)?
        };
        Ok(Literal(Form::Integer { magnitude, negative }))
    }

    /// Raw bytes, as from a file: bit `j` of byte `k` is wire `8k + j`.
    pub fn from_bytes(bytes: Zeroizing<Vec<u8>>) -> Literal {
        Literal(Form::Bytes(bytes))
    }

    /// A non-negative integer.
    pub fn from_u64(value: u64) -> Literal {
        let magnitude = Zeroizing::new(value.to_le_bytes().to_vec());
        Literal(Form::Integer { magnitude, negative: false })
    }

    /// An integer.
    pub fn from_i64(value: i64) -> Literal {
        let magnitude = Zeroizing::new(value.unsigned_abs().to_le_bytes().to_vec());
        Literal(Form::Integer { magnitude, negative: value < 0 })
    }

    /// The value as exactly `width` bits, bit 0 first.
    ///
    /// # Errors
    /// If it does not fit: integers are range checked, bytes must be ceil(width / 8) with spare
    /// bits 0.
    pub fn to_bits(&self, width: usize) -> Result<Bits, LiteralError> {
        let bytes = match &self.0 {
            Form::Integer { magnitude, negative: false } => unsigned(magnitude, width)?,
            Form::Integer { magnitude, negative: true } => negated(magnitude, width)?,
            Form::Bytes(bytes) => {
                let wanted = width.div_ceil(8);
                if bytes.len() != wanted {
                    let (got, wanted) = (bytes.len() as u64, wanted as u64);
                    return Err(LiteralError::Bytes { got, wanted, width: width as u64 });
                }
                if bit_length(bytes) > width as u64 {
                    return Err(LiteralError::SpareBits { width: width as u64 });
                }
                bytes.clone()
            }
        };
        Ok(Bits::from_bytes(&bytes).slice(0, width))
    }

    /// The bytes, where the value was given as bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(bytes),
            Form::Integer { .. } => None,
        }
    }
}

/// `magnitude` in ceil(width / 8) bytes.
fn unsigned(magnitude: &[u8], width: usize) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    let needs = bit_length(magnitude);
    if needs > width as u64 {
        return Err(LiteralError::TooWide { needs, width: width as u64 });
    }
    let mut bytes = Zeroizing::new(vec![0; width.div_ceil(8)]);
    let shared = bytes.len().min(magnitude.len());
    bytes[..shared].copy_from_slice(&magnitude[..shared]);
    Ok(bytes)
}

/// `-magnitude` in two's complement: the inverse of `magnitude - 1`, cut to `width` bits.
fn negated(magnitude: &[u8], width: usize) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    let mut less_one = Zeroizing::new(magnitude.to_vec());
    if bit_length(&less_one) == 0 {
        return unsigned(magnitude, width);
    }
    for byte in less_one.iter_mut() {
        let (difference, borrow) = byte.overflowing_sub(1);
        *byte = difference;
        if !borrow {
            break;
        }
    }
    if bit_length(&less_one) >= width as u64 {
        return Err(LiteralError::TooNegative { width: width as u64 });
    }
    let mut bytes = unsigned(&less_one, width)?;
    bytes.iter_mut().for_each(|byte| *byte = !*byte);
    if !width.is_multiple_of(8)
        && let Some(last) = bytes.last_mut()
    {
        *last &= (1 << (width % 8)) - 1;
    }
    Ok(bytes)
}

/// Bits up to the highest one set, of a little-endian number.
fn bit_length(bytes: &[u8]) -> u64 {
    match bytes.iter().rposition(|&byte| byte != 0) {
        None => 0,
        Some(top) => 8 * top as u64 + u64::from(8 - bytes[top].leading_zeros()),
    }
}

/// Two digits a byte, first byte first.
fn hex_bytes(digits: &str) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
    let mut high = None;
    let mut count = 0;
    for (position, digit) in digits.chars().enumerate() {
        let value = digit_value(digit, 16, position, "hexadecimal")?;
        count += 1;
        match high.take() {
            None => high = Some(value),
            Some(high) => bytes.push(high << 4 | value),
        }
    }
    if high.is_some() { Err(LiteralError::HalfByte(count)) } else { Ok(bytes) }
}

/// Digits of `bits` bits each (4 or 1), the last one least significant.
fn power_of_two_base(
    digits: &str,
    bits: usize,
    base: &'static str,
) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    if digits.is_empty() {
        return Err(LiteralError::Empty);
    }
    // Every character is a digit of one byte or an error, so byte positions are digit positions.
    let mut magnitude = Zeroizing::new(vec![0; (digits.len() * bits).div_ceil(8)]);
    for (position, digit) in digits.chars().enumerate() {
        let value = digit_value(digit, 1 << bits, position, base)?;
        let at = (digits.len() - 1 - position) * bits;
        magnitude[at / 8] |= value << (at % 8);
    }
    Ok(magnitude)
}

/// A decimal number, by multiplying and adding nine digits at a time: quadratic, hence the limit.
fn decimal(digits: &str) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    if digits.is_empty() {
        return Err(LiteralError::Empty);
    }
    if digits.len() > MAX_DECIMAL_DIGITS {
        return Err(LiteralError::TooLong(digits.len()));
    }
    // Nine digits are under 30 bits.
    let mut limbs: Zeroizing<Vec<u32>> =
        Zeroizing::new(Vec::with_capacity(digits.len().div_ceil(9) + 1));
    let (mut chunk, mut scale) = (0_u64, 1_u64);
    for (position, digit) in digits.chars().enumerate() {
        chunk = chunk * 10 + u64::from(digit_value(digit, 10, position, "decimal")?);
        scale *= 10;
        if scale == 1_000_000_000 || position + 1 == digits.len() {
            for limb in limbs.iter_mut() {
                chunk += u64::from(*limb) * scale;
                *limb = chunk as u32;
                chunk >>= 32;
            }
            limbs.push(chunk as u32);
            (chunk, scale) = (0, 1);
        }
    }
    Ok(Zeroizing::new(limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect()))
}

fn digit_value(
    digit: char,
    radix: u32,
    position: usize,
    base: &'static str,
) -> Result<u8, LiteralError> {
    match digit.to_digit(radix) {
        Some(value) => Ok(value as u8),
        None => Err(LiteralError::Digit { position: position + 1, base }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits(text: &str, width: usize) -> Result<u128, LiteralError> {
        Literal::parse(text)?.to_bits(width).map(|bits| value(&bits))
    }

    fn value(bits: &Bits) -> u128 {
        (0..bits.len()).map(|i| u128::from(bits.get(i)) << i).sum()
    }

    fn error(text: &str, width: usize) -> LiteralError {
        bits(text, width).expect_err(text)
    }

    #[test]
    fn each_form() {
        assert_eq!(bits("123", 8), Ok(123));
        assert_eq!(bits(" 123 ", 7), Ok(123));
        assert_eq!(bits("-5", 8), Ok(0xfb));
        assert_eq!(bits("-5", 4), Ok(0xb));
        assert_eq!(bits("-0", 4), Ok(0));
        assert_eq!(bits("0x1fF", 9), Ok(0x1ff));
        assert_eq!(bits("0b0110", 3), Ok(6));
        assert_eq!(bits("bytes:0102", 16), Ok(0x0201));
        assert_eq!(bits("bytes:ff01", 9), Ok(0x1ff));
        assert_eq!(bits("bytes:", 0), Ok(0));
        assert_eq!(bits("0", 0), Ok(0));
    }

    #[test]
    fn range_is_checked() {
        assert_eq!(bits("-128", 8), Ok(0x80));
        assert_eq!(error("-129", 8), LiteralError::TooNegative { width: 8 });
        assert_eq!(error("-1", 0), LiteralError::TooNegative { width: 0 });
        assert_eq!(error("256", 8), LiteralError::TooWide { needs: 9, width: 8 });
        assert_eq!(error("0x100", 8), LiteralError::TooWide { needs: 9, width: 8 });
        assert_eq!(error("bytes:ff", 7), LiteralError::SpareBits { width: 7 });
        assert_eq!(error("bytes:ff", 9), LiteralError::Bytes { got: 1, wanted: 2, width: 9 });
    }

    #[test]
    fn refused_texts() {
        for text in ["", "-", "0x", "0b", "-0x"] {
            assert_eq!(error(text, 8), LiteralError::Empty, "{text:?}");
        }
        assert_eq!(error("12a", 8), LiteralError::Digit { position: 3, base: "decimal" });
        assert_eq!(error("--1", 8), LiteralError::Digit { position: 1, base: "decimal" });
        assert_eq!(error("0b012", 8), LiteralError::Digit { position: 3, base: "binary" });
        assert_eq!(error("0xé", 8), LiteralError::Digit { position: 1, base: "hexadecimal" });
        assert_eq!(error("bytes:abc", 8), LiteralError::HalfByte(3));
        let long = "9".repeat(MAX_DECIMAL_DIGITS + 1);
        assert_eq!(error(&long, 8), LiteralError::TooLong(MAX_DECIMAL_DIGITS + 1));
    }

    proptest! {
        #[test]
        fn every_base_agrees(v: u128, width in 1_usize..=128) {
            let expected = if v >> (width - 1) > 1 { None } else { Some(v) };
            for text in [format!("{v}"), format!("{v:#x}"), format!("{v:#b}")] {
                prop_assert_eq!(bits(&text, width).ok(), expected);
            }
        }

        #[test]
        fn negative_is_twos_complement(v: i64, width in 1_usize..=64) {
            let fits = v >> (width - 1) == 0 || v >> (width - 1) == -1;
            let mask = u128::MAX >> (128 - width);
            // A non-negative value may use the top bit: it is then read as unsigned.
            let unsigned = v >= 0 && (v as u128) <= mask;
            let expected = (fits || unsigned).then_some(v as i128 as u128 & mask);
            prop_assert_eq!(bits(&v.to_string(), width).ok(), expected);
            prop_assert_eq!(Literal::from_i64(v).to_bits(width).ok().map(|b| value(&b)), expected);
        }

        #[test]
        fn bytes_keep_their_order(bytes: Vec<u8>) {
            let text: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            let bits = Literal::parse(&format!("bytes:{text}")).unwrap().to_bits(8 * bytes.len());
            prop_assert_eq!(bits.unwrap().to_bytes().to_vec(), bytes);
        }

        #[test]
        fn no_text_panics(text: String, width in 0_usize..300) {
            if let Ok(bits) = Literal::parse(&text).and_then(|l| l.to_bits(width)) {
                prop_assert_eq!(bits.len(), width);
            }
        }
    }
}
