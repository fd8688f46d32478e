//! IEEE-754 floating point on slices of bits, in any binary format: functions that add gates to a
//! builder.
//!
//! A value is its encoding, bit 0 first: fraction, exponent field, sign ([`Format`]). So an input
//! of 64 bits that carries `f64::to_bits` is a [`BINARY64`] value. Every operation rounds to
//! nearest, ties to even, and supports subnormal results and operands, infinities and signed zeros
//! as in the standard. Results are equal to those of `f32` and `f64` in hardware, bit for bit, with
//! one exception:
//!
//! **NaN.** A result that is not a number is always the canonical quiet NaN ([`Format::nan`]): sign
//! 0, the top bit of the fraction 1, all others 0. Payloads and signs of NaN operands are not
//! propagated, as in RISC-V and in WebAssembly's canonical form; hardware NaNs differ between
//! machines. Only [`neg`], [`abs`] and [`copysign`] keep everything except the sign bit, also for a
//! NaN, as the standard requires.
//!
//! **Exceptions.** Circuits have no flags and no errors: an invalid operation gives the canonical
//! NaN, overflow an infinity, underflow a subnormal number or zero, division by zero an infinity.
//!
//! To understand or write an operation, begin with [`Unpacked`] (the fields of an operand) and
//! [`round()`] (encodes an intermediate result, which is exact or has a sticky bit). AND counts use
//! `E` for the number of bits of the exponent field, `F` for the number of bits of the fraction
//! field, and `p = F + 1` for the precision.

mod add;
pub mod check;
mod compare;
mod convert;
mod div;
mod extremes;
mod fma;
mod format;
mod integral;
mod mul;
mod normalise;
mod normalised;
mod pack;
mod round;
mod shift;
mod sign;
mod sqrt;
mod to_int;
mod unpack;

pub use add::{add, sub};
pub use compare::{eq, ge, gt, is_nan, le, lt, total_le, unordered};
pub use convert::{convert, from_signed, from_unsigned};
pub use div::div;
pub use extremes::{max, maximum, min, minimum};
pub use fma::fma;
pub use format::{BFLOAT16, BINARY16, BINARY32, BINARY64, Format};
pub use integral::{ceil, floor, round_ties_even, trunc};
pub use mul::mul;
pub use round::{Unrounded, round};
pub use shift::shift_right_sticky;
pub use sign::{abs, copysign, neg};
pub use sqrt::sqrt;
pub use to_int::{to_signed, to_signed_nearest, to_unsigned, to_unsigned_nearest};
pub use unpack::Unpacked;

#[cfg(test)]
mod exhaustive;
#[cfg(test)]
mod tests;
