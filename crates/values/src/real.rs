//! Numbers with a point, converted to the bits of a float or of fixed point.

use crate::literal_error::{LiteralError, MAX_DECIMAL_DIGITS};
use halfgate_circuit::Bits;
use zeroize::Zeroizing;

/// Whether `text` is a number but not written as an integer: with a point or an exponent, or as
/// `inf`, `infinity` or `nan`.
pub fn is_real(text: &str) -> bool {
    text.len() <= MAX_DECIMAL_DIGITS
        && !text.starts_with('+')
        && text.contains(|c: char| !c.is_ascii_digit() && c != '-')
        && text.parse::<f64>().is_ok()
}

/// Returns the bits of the number nearest to `text`, in binary32 if `width` is 32, else in
/// binary64.
///
/// # Errors
/// If `text` is not a number, or is finite but rounds to infinity.
pub fn float_bits(text: &str, width: usize) -> Result<Zeroizing<u64>, LiteralError> {
    let (prefix, format) = if width == 32 { ("f32:", "binary32") } else { ("f64:", "binary64") };
    let is_number = text.len() <= MAX_DECIMAL_DIGITS && !text.starts_with('+');
    let not_a_float = || LiteralError::NotAFloat(prefix);
    let number = Zeroizing::new(text.parse::<f64>().map_err(|_| not_a_float())?);
    let is_infinite;
    let bits = if width == 32 {
        // Parses the text directly: going through binary64 would round twice.
        let number = Zeroizing::new(text.parse::<f32>().map_err(|_| not_a_float())?);
        is_infinite = number.is_infinite();
        Zeroizing::new(u64::from(number.to_bits()))
    } else {
        is_infinite = number.is_infinite();
        Zeroizing::new(number.to_bits())
    };
    if !is_number {
        return Err(not_a_float());
    }
    if is_infinite && text.contains(|c: char| c.is_ascii_digit()) {
        return Err(LiteralError::FloatOverflow(format));
    }
    Ok(bits)
}

/// Rounds the number in `text` to the nearest multiple of `2^-fraction` (ties to even), and returns
/// it as fixed point of `width` bits. The number is parsed as binary64, so at most 53 bits are
/// significant.
///
/// # Errors
/// If `text` is not a number, or the number is out of range.
pub fn fixed_bits(
    text: &str,
    width: usize,
    fraction: u32,
    signed: bool,
) -> Result<Bits, LiteralError> {
    let number = Zeroizing::new(text.parse::<f64>().map_err(|_| LiteralError::Empty)?);
    let scaled = Zeroizing::new((*number * 2f64.powi(fraction as i32)).round_ties_even());
    let magnitude_bits = width as i32 - i32::from(signed);
    let (least, end) =
        (if signed { -2f64.powi(magnitude_bits) } else { 0.0 }, 2f64.powi(magnitude_bits));
    // False also for NaN.
    if *scaled >= least && *scaled < end {
        return Ok(Bits::from_integer(*scaled as i128 as u128, width));
    }
    let unit = 2f64.powi(-(fraction as i32));
    Err(LiteralError::FixedRange {
        least: least * unit,
        most: (end - 1.0) * unit,
        width: width as u64,
        fraction,
    })
}
