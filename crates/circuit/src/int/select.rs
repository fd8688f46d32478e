//! Selection between values, and gates on whole values.

use super::same_width;
use crate::builder::Builder;
use crate::id::Bit;

/// `if_true` if `condition` is 1, else `if_false`. `n` ANDs.
pub fn select(b: &mut Builder, condition: Bit, if_true: &[Bit], if_false: &[Bit]) -> Vec<Bit> {
    let (if_true, if_false) = same_width(if_true, if_false);
    let pairs = if_true.iter().zip(&if_false);
    pairs.map(|(&if_true, &if_false)| b.mux(condition, if_true, if_false)).collect()
}

/// `(y, x)` if `condition` is 1, else `(x, y)`. `n` ANDs (Kolesnikov and Schneider's X block).
pub fn swap_if(b: &mut Builder, condition: Bit, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let (x, y) = same_width(x, y);
    let swap = |(&x, &y): (&Bit, &Bit)| {
        let differ = b.xor(x, y);
        let change = b.and(condition, differ);
        (b.xor(x, change), b.xor(y, change))
    };
    x.iter().zip(&y).map(swap).unzip()
}

/// Bitwise `x ^ y`. Free.
pub fn xor(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    x.iter().zip(&y).map(|(&x, &y)| b.xor(x, y)).collect()
}

/// Bitwise `x & y`. `n` ANDs.
pub fn and(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    x.iter().zip(&y).map(|(&x, &y)| b.and(x, y)).collect()
}
