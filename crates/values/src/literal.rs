//! One value as written: a number, bits, bytes in order, or a text.

use crate::literal_error::{LiteralError, MAX_DECIMAL_DIGITS, TextUnit};
use crate::real;
use halfgate_circuit::{Bits, Element};
use zeroize::Zeroizing;

/// A value as written, before the width of its port is known. It is secret: it has no `Debug`, and
/// its bytes are wiped on drop.
pub struct Literal(Form);

enum Form {
    /// A little-endian magnitude and a sign. `decimal` holds the written text of a number, and is
    /// `None` for bits.
    Integer { magnitude: Zeroizing<Vec<u8>>, negative: bool, decimal: Option<Zeroizing<String>> },
    /// A number with a point or an exponent, or an infinity or NaN.
    Real(Zeroizing<String>),
    /// The bits of a binary32 or binary64 number.
    Float { bits: Zeroizing<u64>, width: usize },
    /// Characters.
    Text(Zeroizing<String>),
    /// Bytes in order: bit `j` of byte `k` is wire `8k + j`.
    Bytes(Zeroizing<Vec<u8>>),
}

impl Literal {
    /// Parses `123`, `-5`, `1.5`, `f64:1.5`, `0x…`, `0b…`, `bytes:…`, `text:…` or `text:"…"`. White
    /// space around the value is ignored.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn parse(text: &str) -> Result<Literal, LiteralError> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix("bytes:") {
            return Ok(Literal(Form::Bytes(hex_bytes(digits)?)));
        }
        if let Some(text) = text.strip_prefix("text:") {
            return Ok(Literal::from_text(unquoted(text)?));
        }
        if text.starts_with('[') {
            return Err(LiteralError::NestedList);
        }
        for (format, width) in [("f32:", 32), ("f64:", 64)] {
            if let Some(number) = text.strip_prefix(format) {
                let bits = real::float_bits(number, width)?;
                return Ok(Literal(Form::Float { bits, width }));
            }
        }
        if real::is_real(text) {
            return Ok(Literal(Form::Real(Zeroizing::new(text.to_owned()))));
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (magnitude, is_bits) = if let Some(digits) = digits.strip_prefix("0x") {
            (power_of_two_base(digits, 4, "hexadecimal")?, true)
        } else if let Some(digits) = digits.strip_prefix("0b") {
            (power_of_two_base(digits, 1, "binary")?, true)
        } else {
            (decimal(digits)?, false)
        };
        let decimal = (!is_bits).then(|| Zeroizing::new(text.to_owned()));
        Ok(Literal(Form::Integer { magnitude, negative, decimal }))
    }

    /// Makes a value from raw bytes, such as the contents of a file: bit `j` of byte `k` is wire
    /// `8k + j`.
    pub fn from_bytes(bytes: Zeroizing<Vec<u8>>) -> Literal {
        Literal(Form::Bytes(bytes))
    }

    /// Makes a value from a non-negative integer.
    pub fn from_u64(value: u64) -> Literal {
        let magnitude = Zeroizing::new(value.to_le_bytes().to_vec());
        let decimal = Some(Zeroizing::new(value.to_string()));
        Literal(Form::Integer { magnitude, negative: false, decimal })
    }

    /// Makes a value from an integer.
    pub fn from_i64(value: i64) -> Literal {
        let magnitude = Zeroizing::new(value.unsigned_abs().to_le_bytes().to_vec());
        let decimal = Some(Zeroizing::new(value.to_string()));
        Literal(Form::Integer { magnitude, negative: value < 0, decimal })
    }

    /// Makes a value from a text.
    pub fn from_text(text: String) -> Literal {
        Literal(Form::Text(Zeroizing::new(text)))
    }

    /// Converts the value to exactly `width` bits, bit 0 first.
    ///
    /// # Errors
    /// If the value does not fit. Integers are range checked. There must be exactly ceil(width / 8)
    /// bytes, also for a text, and spare bits must be 0. A number with a point must name its
    /// format.
    pub fn to_bits(&self, width: usize) -> Result<Bits, LiteralError> {
        let bytes = match &self.0 {
            Form::Integer { magnitude, negative: false, .. } => unsigned(magnitude, width)?,
            Form::Integer { magnitude, negative: true, .. } => negated(magnitude, width)?,
            Form::Bytes(bytes) => exact(bytes, width)?,
            Form::Text(text) => exact(text.as_bytes(), width)?,
            Form::Real(_) => return Err(LiteralError::Integer),
            Form::Float { bits, width: is } if *is == width => {
                return Ok(Bits::from_integer(u128::from(**bits), width));
            }
            Form::Float { width: is, .. } => {
                let format = if *is == 32 { "f32:" } else { "f64:" };
                return Err(LiteralError::FloatWidth {
                    format,
                    is: *is as u64,
                    width: width as u64,
                });
            }
        };
        Ok(Bits::from_bytes(&bytes).slice(0, width))
    }

    /// Converts the value to one `element` of `width` bits.
    ///
    /// # Errors
    /// As for [`to_bits`](Literal::to_bits), and if a number is outside the element's range: a
    /// negative number for an unsigned element, or one beyond the range of a signed element. Bits
    /// (`0x…`, `0b…`, `bytes:…`) are taken as they are.
    pub fn to_element(&self, element: Element, width: usize) -> Result<Bits, LiteralError> {
        self.check_kind(element, width)?;
        let (number, is_integer) = match &self.0 {
            Form::Integer { decimal: Some(number), .. } => (number, true),
            Form::Real(number) => (number, false),
            _ => return self.to_bits(width),
        };
        let out_of_range = |signed| {
            move |why| match why {
                LiteralError::TooWide { .. } | LiteralError::TooNegative { .. } => {
                    LiteralError::Range { width, signed }
                }
                why => why,
            }
        };
        match element {
            Element::Float32 | Element::Float64 if matches!(width, 32 | 64) => {
                let bits = real::float_bits(number, width)?;
                Ok(Bits::from_integer(u128::from(*bits), width))
            }
            Element::Fixed { fraction } => real::fixed_bits(number, width, fraction, true),
            Element::FixedUnsigned { fraction } => real::fixed_bits(number, width, fraction, false),
            Element::Signed if is_integer && width > 0 && !number.starts_with('-') => {
                // The top bit is the sign.
                let mut bits = self.to_bits(width - 1).map_err(out_of_range(true))?;
                bits.push(false);
                Ok(bits)
            }
            Element::Signed => self.to_bits(width).map_err(out_of_range(true)),
            Element::Unsigned => self.to_bits(width).map_err(out_of_range(false)),
            _ => self.to_bits(width),
        }
    }

    /// Checks that a value of this kind can be an `element` of `width` bits.
    fn check_kind(&self, element: Element, width: usize) -> Result<(), LiteralError> {
        use Element::{Bytes, Text, Unsigned};
        match (&self.0, element) {
            (Form::Integer { negative: true, magnitude, .. }, Unsigned)
                if bit_length(magnitude) > 0 =>
            {
                Err(LiteralError::Range { width, signed: false })
            }
            (Form::Integer { negative: true, magnitude, .. }, Bytes)
                if bit_length(magnitude) > 0 =>
            {
                Err(LiteralError::NegativeBytes)
            }
            (Form::Text(_), element) if !matches!(element, Bytes | Text) => {
                Err(LiteralError::WantsNumber)
            }
            _ => Ok(()),
        }
    }

    /// Converts a value that is written as bits to all elements of a port, which have `width` bits
    /// together. Numbers are not accepted.
    ///
    /// # Errors
    /// As for [`to_bits`](Literal::to_bits), and if the value is a number or a text.
    pub fn to_list(&self, width: usize) -> Result<Bits, LiteralError> {
        match &self.0 {
            Form::Integer { decimal: Some(_), .. }
            | Form::Integer { negative: true, .. }
            | Form::Real(_)
            | Form::Float { .. }
            | Form::Text(_) => Err(LiteralError::List),
            _ => self.to_bits(width),
        }
    }

    /// Converts the value to the text of a port of `width` bits with `element` bits per character.
    /// Zeros follow the end of the text.
    ///
    /// # Errors
    /// As for [`to_bits`](Literal::to_bits), and if the value is a number, or a text that is too
    /// long or has a character that does not fit.
    pub fn to_text(&self, width: usize, element: usize) -> Result<Bits, LiteralError> {
        let text = match &self.0 {
            Form::Text(text) => text,
            Form::Integer { decimal: Some(_), .. } | Form::Real(_) | Form::Float { .. } => {
                return Err(LiteralError::WantsText);
            }
            _ => return self.to_bits(width),
        };
        let mut bits = Bits::new();
        let mut places = 0;
        let mut push = |code: u32| {
            places += 1;
            bits.append(&Bits::from_integer(code.into(), element));
            code != 0 && (element >= 32 || code >> element == 0)
        };
        for (position, c) in text.chars().enumerate() {
            let fits = if element == 8 {
                c.encode_utf8(&mut [0; 4]).bytes().all(|byte| push(byte.into()))
            } else {
                push(c.into())
            };
            if !fits {
                return Err(LiteralError::Character { position: position + 1, width: element });
            }
        }
        let most = width.checked_div(element).unwrap_or(0);
        if places > most {
            let unit = if element == 8 { TextUnit::Bytes } else { TextUnit::Characters };
            return Err(LiteralError::TextTooLong { got: places, most, unit });
        }
        bits.append(&Bits::with_len(width - bits.len()));
        Ok(bits)
    }

    /// Whether the value is an integer: decimal, hexadecimal or binary digits.
    pub fn is_integer(&self) -> bool {
        matches!(self.0, Form::Integer { .. })
    }

    /// Returns the width that the written form implies, for bytes or a float of a named format.
    pub(crate) fn own_width(&self) -> Option<usize> {
        match &self.0 {
            Form::Bytes(bytes) => Some(8 * bytes.len()),
            Form::Float { width, .. } => Some(*width),
            _ => None,
        }
    }

    /// Returns the bytes of a value given as bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// Returns the characters after `text:`, parsed as a JSON string if they begin with a quote.
fn unquoted(text: &str) -> Result<String, LiteralError> {
    match text.starts_with('"') {
        true => serde_json::from_str(text).map_err(|_| LiteralError::Quotes),
        false => Ok(text.to_owned()),
    }
}

/// Copies `bytes`, which must have exactly `width` bits.
fn exact(bytes: &[u8], width: usize) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    let wanted = width.div_ceil(8);
    if bytes.len() != wanted {
        let (got, wanted) = (bytes.len() as u64, wanted as u64);
        return Err(LiteralError::Bytes { got, wanted, width: width as u64 });
    }
    if bit_length(bytes) > width as u64 {
        return Err(LiteralError::SpareBits { width: width as u64 });
    }
    Ok(Zeroizing::new(bytes.to_vec()))
}

/// Converts `magnitude` to ceil(width / 8) bytes.
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

/// Converts `-magnitude` to two's complement: the inverse of `magnitude - 1`, cut to `width` bits.
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

/// Returns the number of bits of a little-endian number, without its leading zeros.
fn bit_length(bytes: &[u8]) -> u64 {
    match bytes.iter().rposition(|&byte| byte != 0) {
        None => 0,
        Some(top) => 8 * top as u64 + u64::from(8 - bytes[top].leading_zeros()),
    }
}

/// Parses two digits per byte, first byte first.
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

/// Parses digits of `bits` bits each (4 or 1), the last one least significant.
fn power_of_two_base(
    digits: &str,
    bits: usize,
    base: &'static str,
) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    if digits.is_empty() {
        return Err(LiteralError::Empty);
    }
    // Every character is a one-byte digit or an error, so byte positions are digit positions.
    let mut magnitude = Zeroizing::new(vec![0; (digits.len() * bits).div_ceil(8)]);
    for (position, digit) in digits.chars().enumerate() {
        let value = digit_value(digit, 1 << bits, position, base)?;
        let at = (digits.len() - 1 - position) * bits;
        magnitude[at / 8] |= value << (at % 8);
    }
    Ok(magnitude)
}

/// Parses a decimal number nine digits at a time. This takes quadratic time, hence the limit.
fn decimal(digits: &str) -> Result<Zeroizing<Vec<u8>>, LiteralError> {
    if digits.is_empty() {
        return Err(LiteralError::Empty);
    }
    if digits.len() > MAX_DECIMAL_DIGITS {
        return Err(LiteralError::TooLong(digits.len()));
    }
    // Nine digits take less than 30 bits.
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
mod tests;
