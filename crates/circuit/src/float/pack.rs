//! Rounds a normalised significand to nearest even, and joins the fields.

use super::Format;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// A normalised result.
pub(super) struct Packing {
    /// The sign.
    pub(super) sign: Bit,
    /// The exponent field minus one; any number if the hidden bit is 0.
    pub(super) exponent: Vec<Bit>,
    /// Hidden bit, fraction, guard bit; top bit first.
    pub(super) window: Vec<Bit>,
    /// Whether the exact magnitude differs from the value of the window and `ones`.
    pub(super) sticky: Bit,
    /// If 1, the window continues below with infinitely many ones, which are together worth one
    /// unit of the guard bit. If `sticky` is also 1, they are worth less than that.
    pub(super) ones: Bit,
    /// Whether the result is infinite or a NaN. The window and `ones` must then be 0.
    pub(super) special: Bit,
    /// Whether the result is the canonical NaN; `special` is then 1.
    pub(super) nan: Bit,
}

/// Encodes `x`. `F + 2E + 3` ANDs, and one more if `ones` is not constant.
pub(super) fn pack(b: &mut Builder, format: Format, x: &Packing) -> Vec<Bit> {
    let (hidden, guard) = (x.window[0], x.window[format.precision()]);
    let fraction: Vec<Bit> = x.window[1..format.precision()].iter().rev().copied().collect();

    // Without ones: `guard & (odd | sticky)`. With ones: `guard | (odd & !sticky)`. If all places
    // below are ones, they are worth one unit of the guard bit. A guard bit of 0 then means a tie,
    // and a guard bit of 1 a whole unit of the fraction's last place.
    let differs = b.xnor(fraction[0], x.ones);
    let differs = b.and(differs, !x.sticky);
    let change = b.and(guard, differs);
    let below = b.and(x.ones, differs);
    let up = b.xor(guard, change);
    let mut carry = b.xor(up, below);

    // Without a hidden bit, the exponent field is 0. A carry of the rounding goes into the exponent
    // field.
    let mut rounded = Vec::with_capacity(format.fraction);
    for bit in fraction {
        rounded.push(b.xor(bit, carry));
        carry = b.and(bit, carry);
    }
    let mut field = Vec::with_capacity(format.exponent);
    let mut one = hidden;
    for &bit in &x.exponent {
        let bit = b.and(bit, hidden);
        let (sum, next) = int::full_adder(b, bit, one, carry);
        field.push(b.xor(sum, x.special));
        (one, carry) = (Bit::FALSE, next);
    }

    let quiet = format.fraction - 1;
    rounded[quiet] = b.xor(rounded[quiet], x.nan);
    let sign = b.and(x.sign, !x.nan);
    format.pack(sign, &field, &rounded)
}
