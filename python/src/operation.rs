//! Element-wise operations, as gates on the bits of one element.
//!
//! Integers wrap, as in NumPy. Division and remainder round as in NumPy, and give 0 if the divisor
//! is 0. Floats follow IEEE 754.

use crate::convert::cast;
use crate::dtype::{DType, Kind};
use crate::value::significant;
use halfgate_circuit::{Bit, Builder, fixed, float, int};

/// An element-wise operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    /// Quotient of integers, rounded down; of other numbers, rounded to nearest.
    Div,
    Mod,
    And,
    Or,
    Xor,
    Not,
    Neg,
    Abs,
    Eq,
    Ne,
    Lt,
    Le,
    Min,
    Max,
    /// `operands[0] ? operands[1] : operands[2]`.
    Where,
    Cast,
    ShiftLeft(u32),
    ShiftRight(u32),
    ShiftLeftBy,
    ShiftRightBy,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Rint,
    IsNan,
    PopCount,
}

impl Operation {
    /// The operation of this name; `amount` is for shifts.
    pub fn parse(name: &str, amount: u32) -> Option<Operation> {
        use Operation::*;
        Some(match name {
            "add" => Add,
            "sub" => Sub,
            "mul" => Mul,
            "div" => Div,
            "mod" => Mod,
            "and" => And,
            "or" => Or,
            "xor" => Xor,
            "not" => Not,
            "neg" => Neg,
            "abs" => Abs,
            "eq" => Eq,
            "ne" => Ne,
            "lt" => Lt,
            "le" => Le,
            "min" => Min,
            "max" => Max,
            "where" => Where,
            "cast" => Cast,
            "shl" => ShiftLeft(amount),
            "shr" => ShiftRight(amount),
            "shl_by" => ShiftLeftBy,
            "shr_by" => ShiftRightBy,
            "sqrt" => Sqrt,
            "floor" => Floor,
            "ceil" => Ceil,
            "trunc" => Trunc,
            "rint" => Rint,
            "isnan" => IsNan,
            "popcount" => PopCount,
            _ => return None,
        })
    }

    /// Number of operands.
    pub fn operands(self) -> usize {
        use Operation::*;
        match self {
            Where => 3,
            Not | Neg | Abs | Cast | ShiftLeft(_) | ShiftRight(_) | Sqrt | Floor | Ceil | Trunc
            | Rint | IsNan | PopCount => 1,
            _ => 2,
        }
    }

    /// Whether operands of these types give `result`.
    pub fn fits(self, operands: &[DType], result: DType) -> bool {
        use Operation::*;
        let same = |operands: &[DType]| operands.windows(2).all(|pair| pair[0] == pair[1]);
        let [first, others @ ..] = operands else { return false };
        let is_bits = |of: DType| matches!(of.kind, Kind::Bool | Kind::Unsigned | Kind::Signed);
        let is_int = |of: DType| matches!(of.kind, Kind::Unsigned | Kind::Signed);
        match self {
            Add | Sub | Mul | Div => same(operands) && result == *first && first.kind != Kind::Bool,
            Mod => same(operands) && result == *first && is_int(result),
            And | Or | Xor => same(operands) && result == *first && is_bits(result),
            Not => result == *first && is_bits(result),
            Neg | Abs => result == *first && result.kind != Kind::Bool,
            Eq | Ne | Lt | Le => same(operands) && result == DType::BOOL,
            Min | Max => same(operands) && result == *first,
            Where => *first == DType::BOOL && same(others) && result == others[0],
            Cast => true,
            ShiftLeft(_) | ShiftRight(_) => result == *first && is_int(result),
            ShiftLeftBy | ShiftRightBy => {
                result == *first && is_int(result) && others[0].kind == Kind::Unsigned
            }
            Sqrt | Floor | Ceil | Trunc | Rint => result == *first && result.kind == Kind::Float,
            IsNan => first.kind == Kind::Float && result == DType::BOOL,
            PopCount => is_bits(*first) && result.kind == Kind::Unsigned && result.width >= 8,
        }
    }

    /// Adds the gates of the operation on one element. Operands have the widths of their types.
    pub fn emit(self, b: &mut Builder, operands: &[(DType, &[Bit])], result: DType) -> Vec<Bit> {
        let (of, x) = operands[0];
        let y = operands.get(1).map_or(&[][..], |&(_, bits)| bits);
        match self {
            Operation::And => int::and(b, x, y),
            Operation::Or => {
                let neither = int::and(b, &int::not(x), &int::not(y));
                int::not(&neither)
            }
            Operation::Xor => int::xor(b, x, y),
            Operation::Not => int::not(x),
            Operation::Where => int::select(b, x[0], y, operands[2].1),
            Operation::Cast => cast(b, of, x, result),
            Operation::ShiftLeft(amount) => int::shl_const(x, amount as usize),
            Operation::ShiftRight(amount) if of.is_signed() => int::sar_const(x, amount as usize),
            Operation::ShiftRight(amount) => int::shr_const(x, amount as usize),
            Operation::ShiftLeftBy => int::shl(b, x, y),
            Operation::ShiftRightBy if of.is_signed() => int::sar(b, x, y),
            Operation::ShiftRightBy => int::shr(b, x, y),
            Operation::PopCount => int::zero_extend(&int::popcount(b, x), result.bits()),
            Operation::Ne => vec![!equal(b, of, x, y)],
            Operation::Eq => vec![equal(b, of, x, y)],
            _ => match of.format() {
                Some(format) => self.of_floats(b, format, x, y),
                None => self.of_integers(b, of, x, y),
            },
        }
    }

    fn of_floats(self, b: &mut Builder, f: float::Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
        match self {
            Operation::Add => float::add(b, f, x, y),
            Operation::Sub => float::sub(b, f, x, y),
            Operation::Mul => float::mul(b, f, x, y),
            Operation::Div => float::div(b, f, x, y),
            Operation::Neg => float::neg(f, x),
            Operation::Abs => float::abs(f, x),
            Operation::Lt => vec![float::lt(b, f, x, y)],
            Operation::Le => vec![float::le(b, f, x, y)],
            Operation::Min => float::minimum(b, f, x, y),
            Operation::Max => float::maximum(b, f, x, y),
            Operation::Sqrt => float::sqrt(b, f, x),
            Operation::Floor => float::floor(b, f, x),
            Operation::Ceil => float::ceil(b, f, x),
            Operation::Trunc => float::trunc(b, f, x),
            Operation::Rint => float::round_ties_even(b, f, x),
            Operation::IsNan => vec![float::is_nan(b, f, x)],
            other => unreachable!("{other:?} of floats"),
        }
    }

    fn of_integers(self, b: &mut Builder, of: DType, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
        let signed = of.is_signed();
        match (self, of.fraction()) {
            (Operation::Add, _) => int::add(b, x, y),
            (Operation::Sub, _) => int::sub(b, x, y),
            (Operation::Mul, Some(fraction)) => fixed::mul(b, x, y, fraction, signed),
            (Operation::Mul, None) if x == y => square(b, x),
            (Operation::Mul, None) => multiply(b, x, y),
            (Operation::Div, Some(fraction)) => fixed::div(b, x, y, fraction, signed),
            (Operation::Div, None) => div_floor(b, x, y, signed),
            (Operation::Mod, _) => mod_floor(b, x, y, signed),
            (Operation::Neg, _) => int::neg(b, x),
            (Operation::Abs, _) if signed => int::abs(b, x),
            (Operation::Abs, _) => x.to_vec(),
            (Operation::Lt, _) => vec![less(b, x, y, signed)],
            (Operation::Le, _) => vec![!less(b, y, x, signed)],
            (Operation::Min, _) => {
                let keep = less(b, x, y, signed);
                int::select(b, keep, x, y)
            }
            (Operation::Max, _) => {
                let keep = less(b, y, x, signed);
                int::select(b, keep, x, y)
            }
            (other, _) => unreachable!("{other:?} of integers"),
        }
    }
}

/// Whether `x` sorts before `y`; a NaN sorts after all numbers, as in NumPy.
pub fn sorts_before(b: &mut Builder, of: DType, x: &[Bit], y: &[Bit]) -> Bit {
    let Some(format) = of.format() else { return less(b, x, y, of.is_signed()) };
    let less = float::lt(b, format, x, y);
    let (x_nan, y_nan) = (float::is_nan(b, format, x), float::is_nan(b, format, y));
    let last = b.and(!x_nan, y_nan);
    b.or(less, last)
}

/// Whether `x` is a better maximum (or minimum) than `y`. A NaN is better than any number, as in
/// NumPy.
pub fn is_better(b: &mut Builder, of: DType, max: bool, x: &[Bit], y: &[Bit]) -> Bit {
    let (lower, higher) = if max { (y, x) } else { (x, y) };
    let Some(format) = of.format() else { return less(b, lower, higher, of.is_signed()) };
    let less = float::lt(b, format, lower, higher);
    let (x_nan, y_nan) = (float::is_nan(b, format, x), float::is_nan(b, format, y));
    let only_x = b.and(x_nan, !y_nan);
    b.or(less, only_x)
}

fn less(b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool) -> Bit {
    if signed { int::lt_signed(b, x, y) } else { int::lt_unsigned(b, x, y) }
}

fn equal(b: &mut Builder, of: DType, x: &[Bit], y: &[Bit]) -> Bit {
    match of.format() {
        Some(format) => float::eq(b, format, x, y),
        None => int::eq(b, x, y),
    }
}

/// The low bits of the product. Factors that need few bits of their type take few gates.
fn multiply(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (narrow_x, narrow_y) = (narrow(x), narrow(y));
    let is_signed = |bits: &[Bit]| bits.last().is_some_and(|&bit| bit != Bit::FALSE);
    let is_narrow = narrow_x.len() + narrow_y.len() <= x.len();
    if is_narrow && (is_signed(&narrow_x) || is_signed(&narrow_y)) {
        let product = int::mul_full_signed(b, &narrow_x, &narrow_y);
        return int::sign_extend(&product, x.len());
    }
    int::mul(b, x, y)
}

/// The least bits that give `bits` if their top bit is copied.
fn narrow(bits: &[Bit]) -> Vec<Bit> {
    let (stored, signed) = significant(bits);
    let zero = (!signed && stored < bits.len()).then_some(Bit::FALSE);
    bits[..stored].iter().copied().chain(zero).collect()
}

fn square(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    int::zero_extend(&int::square(b, x), x.len())
}

/// The quotient rounded down, or 0 if `y` is 0.
fn div_floor(b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool) -> Vec<Bit> {
    let (quotient, rest) = div_rem(b, x, y, signed);
    let quotient = if signed {
        let differ = differs_in_sign(b, &rest, y);
        let down = vec![differ; x.len()];
        int::add(b, &quotient, &down)
    } else {
        quotient
    };
    unless_zero(b, y, &quotient)
}

/// The remainder with the sign of `y`, or 0 if `y` is 0.
fn mod_floor(b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool) -> Vec<Bit> {
    let (_, rest) = div_rem(b, x, y, signed);
    let rest = if signed {
        let differ = differs_in_sign(b, &rest, y);
        let back = int::and(b, &vec![differ; y.len()], y);
        int::add(b, &rest, &back)
    } else {
        rest
    };
    unless_zero(b, y, &rest)
}

/// Quotient and remainder, the quotient rounded towards 0.
fn div_rem(b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool) -> (Vec<Bit>, Vec<Bit>) {
    if signed {
        return int::div_rem_signed(b, x, y);
    }
    match public(y) {
        None | Some(0) => int::div_rem_unsigned(b, x, y),
        Some(divisor) => {
            let (quotient, rest) = int::div_rem_constant(b, x, divisor);
            (quotient, int::zero_extend(&rest, y.len()))
        }
    }
}

/// Whether `rest` is not 0 and has another sign than `y`.
fn differs_in_sign(b: &mut Builder, rest: &[Bit], y: &[Bit]) -> Bit {
    let (Some(&rest_sign), Some(&sign)) = (rest.last(), y.last()) else { return Bit::FALSE };
    let differ = b.xor(rest_sign, sign);
    let is_zero = int::is_zero(b, rest);
    b.and(differ, !is_zero)
}

fn unless_zero(b: &mut Builder, y: &[Bit], value: &[Bit]) -> Vec<Bit> {
    let is_zero = int::is_zero(b, y);
    int::and(b, &vec![!is_zero; value.len()], value)
}

/// The value, if all bits are constant.
fn public(bits: &[Bit]) -> Option<u128> {
    let bits = (0..).zip(bits);
    bits.map(|(i, bit)| Some(u128::from(bit.as_constant()?) << i))
        .try_fold(0, |value, bit| Some(value | bit?))
}
