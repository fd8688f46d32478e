//! Converts plain numbers to and from multiples of a power of two.

/// The bits of a fixed-point number.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    pub bits: usize,
    pub fraction: usize,
    pub signed: bool,
}

impl Format {
    /// The least and the largest number.
    pub(crate) fn limits(self) -> (f64, f64) {
        let before = (self.bits - usize::from(self.signed)) as i32;
        let unit = 2f64.powi(-(self.fraction as i32));
        let least = if self.signed { -2f64.powi(before) } else { 0.0 };
        (least * unit, (2f64.powi(before) - 1.0) * unit)
    }
}

/// The multiple of `2^-fraction` nearest to `value`, ties to even, in two's complement. `None` if
/// `value` is out of range or a NaN.
pub(super) fn raw_of_float(value: f64, format: Format) -> Option<u128> {
    let scaled = (value * 2f64.powi(format.fraction as i32)).round_ties_even();
    // Also false for a NaN. Below the bound, the conversion is exact.
    let is_near = scaled.abs() < 2f64.powi(128);
    is_near.then(|| raw_of(scaled < 0.0, scaled.abs() as u128, format)).flatten()
}

/// Like [`raw_of_float`], for an integer. `None` if it is out of range.
pub(super) fn raw_of_integer(negative: bool, magnitude: u128, format: Format) -> Option<u128> {
    let has_space = magnitude == 0 || magnitude.leading_zeros() as usize >= format.fraction;
    has_space.then(|| raw_of(negative, magnitude << format.fraction, format)).flatten()
}

/// The number in two's complement, if it fits.
fn raw_of(negative: bool, magnitude: u128, format: Format) -> Option<u128> {
    let most = match (format.signed, negative) {
        (false, true) => 0,
        (false, false) => u128::MAX >> (128 - format.bits),
        (true, negative) => (1 << (format.bits - 1)) - u128::from(!negative),
    };
    let raw = if negative { magnitude.wrapping_neg() } else { magnitude };
    (magnitude <= most).then_some(raw)
}

/// The number with these bits: the nearest `f64` if it has more than 53 bits.
pub(super) fn float_of_raw(raw: u128, format: Format) -> f64 {
    let above = 128 - format.bits;
    let integer = match format.signed {
        true => (((raw << above) as i128) >> above) as f64,
        false => raw as f64,
    };
    integer * 2f64.powi(-(format.fraction as i32))
}
