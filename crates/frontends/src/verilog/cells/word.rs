//! Word cells: arithmetic, comparisons, reductions, shifts.

use super::shift;
use super::{Cell, Signal};
use halfgate_circuit::{Bit, Builder, array, int};

/// An operator on words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Word {
    Add,
    /// `A + B + CI`
    AddWithCarry,
    Sub,
    Neg,
    Mul,
    Div,
    Mod,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    ReduceXnor,
    LogicNot,
    LogicAnd,
    LogicOr,
    ShiftLeft,
    ShiftRight,
    ArithmeticShiftRight,
    /// Shift by a signed amount, to the right if it is not negative.
    ShiftEitherWay,
    /// `A` is a list of words. The output is the word with index `S`.
    Choose,
    /// Entry `A` of the table of bits `LUT`.
    Lookup,
}

impl Word {
    pub(super) fn of(name: &str) -> Option<Word> {
        Some(match name {
            "$add" => Word::Add,
            "$sub" => Word::Sub,
            "$neg" => Word::Neg,
            "$mul" => Word::Mul,
            "$div" => Word::Div,
            "$mod" => Word::Mod,
            "$lt" => Word::Less,
            "$le" => Word::LessEqual,
            "$gt" => Word::Greater,
            "$ge" => Word::GreaterEqual,
            "$eq" | "$eqx" => Word::Equal,
            "$ne" | "$nex" => Word::NotEqual,
            "$reduce_and" => Word::ReduceAnd,
            "$reduce_or" | "$reduce_bool" => Word::ReduceOr,
            "$reduce_xor" => Word::ReduceXor,
            "$reduce_xnor" => Word::ReduceXnor,
            "$logic_not" => Word::LogicNot,
            "$logic_and" => Word::LogicAnd,
            "$logic_or" => Word::LogicOr,
            "$shl" | "$sshl" => Word::ShiftLeft,
            "$shr" => Word::ShiftRight,
            "$sshr" => Word::ArithmeticShiftRight,
            "$shift" | "$shiftx" => Word::ShiftEitherWay,
            "$bmux" => Word::Choose,
            "$lut" => Word::Lookup,
            _ => return None,
        })
    }

    /// Computes the output, or returns `None` if no circuit computes it.
    pub(super) fn compute(
        self,
        cell: &Cell,
        b: &mut Builder,
        value: &dyn Fn(Signal) -> Bit,
    ) -> Option<Vec<Bit>> {
        let word = |port| cell.signals(port).iter().map(|&signal| value(signal)).collect();
        let (x, y): (Vec<Bit>, Vec<Bit>) = (word("A"), word("B"));
        let width = cell.signals("Y").len();
        let signed = cell.number("A_SIGNED") == 1;
        match self {
            Word::Add | Word::Sub | Word::Neg => Some(add(b, self, &x, &y, signed, width)),
            Word::AddWithCarry => Some(add_with_carry(b, &x, &y, word("CI"), signed, width)),
            Word::Mul => Some(multiply(b, &x, &y, signed, width)),
            Word::Div | Word::Mod => Some(divide(b, self, &x, &y, signed, width)),
            Word::ShiftLeft
            | Word::ShiftRight
            | Word::ArithmeticShiftRight
            | Word::ShiftEitherWay => {
                let signed_amount = cell.number("B_SIGNED") == 1;
                Some(shifted(b, self, &x, &y, [signed, signed_amount], width))
            }
            Word::Choose => {
                let words: Vec<Vec<Bit>> = x.chunks(width.max(1)).map(<[Bit]>::to_vec).collect();
                let select: Vec<Bit> = word("S");
                Some(array::read(b, &words, &select))
            }
            Word::Lookup => {
                let digits = cell.digits("LUT");
                let table: Vec<u128> =
                    digits.bytes().rev().map(|digit| u128::from(digit == b'1')).collect();
                Some(int::zero_extend(&array::lookup(b, &table, 1, &x), width))
            }
            _ => Some(int::zero_extend(&[self.truth(b, &x, &y, signed)?], width)),
        }
    }

    /// Computes the single bit of a comparison, a reduction or a logical operator. Returns `None`
    /// for other operators.
    fn truth(self, b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool) -> Option<Bit> {
        Some(match self {
            Word::Less | Word::LessEqual | Word::Greater | Word::GreaterEqual => {
                let swap = matches!(self, Word::Greater | Word::LessEqual);
                let (x, y) = if swap { (y, x) } else { (x, y) };
                let less = if signed { int::lt_signed(b, x, y) } else { int::lt_unsigned(b, x, y) };
                let or_equal = matches!(self, Word::LessEqual | Word::GreaterEqual);
                less.invert_if(or_equal)
            }
            Word::Equal | Word::NotEqual => {
                let wider = x.len().max(y.len());
                let equal = int::eq(b, &extend(x, wider, signed), &extend(y, wider, signed));
                equal.invert_if(self == Word::NotEqual)
            }
            Word::ReduceAnd => int::is_zero(b, &int::not(x)),
            Word::ReduceOr => !int::is_zero(b, x),
            Word::LogicNot => int::is_zero(b, x),
            Word::ReduceXor | Word::ReduceXnor => {
                let sum = x.iter().fold(Bit::FALSE, |sum, &bit| b.xor(sum, bit));
                sum.invert_if(self == Word::ReduceXnor)
            }
            Word::LogicAnd => {
                let (x, y) = (int::is_zero(b, x), int::is_zero(b, y));
                b.nor(x, y)
            }
            Word::LogicOr => {
                let (x, y) = (int::is_zero(b, x), int::is_zero(b, y));
                b.nand(x, y)
            }
            _ => return None,
        })
    }
}

/// Extends a word with its sign or with zeros, or shortens it.
fn extend(x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    match signed {
        true => int::sign_extend(x, width),
        false => int::zero_extend(x, width),
    }
}

/// Computes a sum, difference or negation.
fn add(b: &mut Builder, what: Word, x: &[Bit], y: &[Bit], signed: bool, width: usize) -> Vec<Bit> {
    // A word that is one bit longer than the wider operand holds every sum.
    let exact = (x.len().max(y.len()) + 1).min(width);
    let (x, y) = (extend(x, exact, signed), extend(y, exact, signed));
    let sum = match what {
        Word::Add => int::add(b, &x, &y),
        Word::Sub => int::sub(b, &x, &y),
        _ => int::neg(b, &x),
    };
    extend(&sum, width, signed || what != Word::Add)
}

/// Adds two words and a carry.
fn add_with_carry(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    carry: Vec<Bit>,
    signed: bool,
    width: usize,
) -> Vec<Bit> {
    let exact = (x.len().max(y.len()) + 1).min(width);
    let (x, y) = (extend(x, exact, signed), extend(y, exact, signed));
    // A lowest bit is appended to both operands: 1 and the carry. Their sum carries into the next
    // bit if the carry is 1.
    let (x, y) = ([vec![Bit::TRUE], x].concat(), [carry, y].concat());
    let sum = int::add(b, &x, &y).split_off(1);
    extend(&sum, width, signed)
}

/// Computes the lowest bits of a product.
fn multiply(b: &mut Builder, x: &[Bit], y: &[Bit], signed: bool, width: usize) -> Vec<Bit> {
    if signed && x.len() + y.len() <= width {
        let product = int::mul_full_signed(b, x, y);
        return int::sign_extend(&product, width);
    }
    let wanted = |x: &[Bit]| if signed { extend(x, width, signed) } else { x.to_vec() };
    int::zero_extend(&int::mul_low(b, &wanted(x), &wanted(y), width), width)
}

/// Shifts `x` by `y`. Both may be signed.
fn shifted(
    b: &mut Builder,
    what: Word,
    x: &[Bit],
    y: &[Bit],
    [signed, signed_amount]: [bool; 2],
    width: usize,
) -> Vec<Bit> {
    if what == Word::ShiftLeft {
        return int::shl(b, &extend(x, width, signed), y);
    }
    let x = extend(x, x.len().max(width), signed);
    match what {
        Word::ShiftEitherWay if signed_amount => shift::either_way(b, &x, y, width),
        Word::ArithmeticShiftRight if signed => {
            let fill = x.last().copied().unwrap_or(Bit::FALSE);
            shift::right(b, &x, y, width, fill)
        }
        _ => shift::right(b, &x, y, width, Bit::FALSE),
    }
}

/// Computes a quotient or remainder, rounded towards zero.
fn divide(
    b: &mut Builder,
    what: Word,
    x: &[Bit],
    y: &[Bit],
    signed: bool,
    width: usize,
) -> Vec<Bit> {
    if signed {
        // One more bit is needed, because the least number divided by -1 is the greatest number
        // plus one.
        let space = (x.len().max(y.len()) + 1).min(width.max(x.len()).max(y.len()));
        let (x, y) = (int::sign_extend(x, space), int::sign_extend(y, space));
        return match what {
            Word::Div => int::sign_extend(&int::div_signed(b, &x, &y), width),
            _ => int::sign_extend(&int::div_rem_signed(b, &x, &y).1, width),
        };
    }
    let constant: Option<u128> = match y.len() {
        ..=128 => y
            .iter()
            .rev()
            .try_fold(0, |sum: u128, bit| Some(sum << 1 | u128::from(bit.as_constant()?))),
        _ => None,
    };
    let (quotient, rest) = match (constant, what) {
        (Some(divisor @ 1..), _) => int::div_rem_constant(b, x, divisor),
        (_, Word::Div) => (int::div_unsigned(b, x, y), Vec::new()),
        _ => int::div_rem_unsigned(b, x, y),
    };
    int::zero_extend(if what == Word::Div { &quotient } else { &rest }, width)
}
