//! SIFO's adders, Hamming distances, multipliers and matrix products.

use super::netlist::Netlist;
use crate::error::MakeError;
use crate::program::{check, check_size};
use halfgate_circuit::{Bit, Circuit};

/// `a + b` modulo 2^bits. One full adder per bit: `bits` ANDs, `4 bits` XORs. The last carry is
/// computed but not used.
pub(super) fn adder(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 16)?;
    let (mut net, a, b) = Netlist::new(["a", "b"], [bits; 2], 1);
    let (sum, _) = net.add(&a, &b, false);
    net.finish("sum", sum)
}

/// The number of places in which `a` and `b` differ. `2 bits` ANDs and `9 bits` XORs, if `bits` in
/// binary ends in 10.
pub(super) fn hamming(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 20)?;
    let (mut net, a, b) = Netlist::new(["a", "b"], [bits; 2], additions_of_ones(bits));
    let differences: Vec<Bit> = a.iter().zip(&b).map(|(&a, &b)| net.xor(a, b)).collect();
    let mut distance = ones(&mut net, &differences);
    distance.truncate(width(bits));
    net.finish("distance", distance)
}

/// The full product of `a` and `b`, unsigned, row by row: `2 bits² - bits` ANDs.
pub(super) fn multiplier(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 11)?;
    let (mut net, a, b) = Netlist::new(["a", "b"], [bits; 2], bits - 1);
    let product = product(&mut net, &a, &b);
    net.finish("product", product)
}

/// The product of two matrices modulo 2^bits. Products of elements are computed in full, but sums
/// use only their lower halves.
pub(super) fn matmult(size: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("SIZE", size.into(), 1..=1 << 10)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[size.into(), size.into(), size.into(), 2, bits.into(), bits.into()])?;
    let additions = size * size * (size * (bits - 1) + size - 1);
    let (mut net, a, b) = Netlist::new(["a", "b"], [size * size * bits; 2], additions);
    let (size, bits) = (size as usize, bits as usize);
    let number =
        |of: &[Bit], row: usize, column: usize| of[(row * size + column) * bits..][..bits].to_vec();
    let mut result = Vec::new();
    for row in 0..size {
        for column in 0..size {
            let mut sum: Option<Vec<Bit>> = None;
            for k in 0..size {
                let mut next = product(&mut net, &number(&a, row, k), &number(&b, k, column));
                next.truncate(bits);
                sum = Some(match sum {
                    Some(sum) => net.add(&sum, &next, false).0,
                    None => next,
                });
            }
            result.extend(sum.unwrap_or_default());
        }
    }
    net.finish("product", result)
}

/// The full product of `a` and `b`. For each bit of `b`, a row selects 0 or `a`; the rows are added
/// with their carries.
fn product(net: &mut Netlist, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let row = |net: &mut Netlist, choice: Bit| -> Vec<Bit> {
        a.iter().map(|&bit| net.select(choice, Bit::FALSE, bit)).collect()
    };
    // The sum so far, from the bit at which the next row begins.
    let mut rest = row(net, b[0]);
    let mut product = vec![rest.remove(0)];
    rest.push(Bit::FALSE);
    for &choice in &b[1..] {
        let row = row(net, choice);
        let (mut sum, carry) = net.add(&rest, &row, false);
        product.push(sum.remove(0));
        sum.push(carry);
        rest = sum;
    }
    product.extend(rest);
    product
}

/// The number of bits that are set. A tree counts the first bits, as many as the largest power of
/// two; the rest, which may be empty, is counted in the same way. Both counts are then added, at
/// the width of the whole count.
fn ones(net: &mut Netlist, bits: &[Bit]) -> Vec<Bit> {
    match bits {
        [] => vec![Bit::FALSE],
        [bit] => vec![*bit],
        _ => {
            let (tree, rest) = bits.split_at(1 << bits.len().ilog2());
            let mut a = ones_of_tree(net, tree);
            let mut b = ones(net, rest);
            let width = width(bits.len() as u32) + 1;
            a.resize(width, Bit::FALSE);
            b.resize(width, Bit::FALSE);
            net.add(&a, &b, false).0
        }
    }
}

fn ones_of_tree(net: &mut Netlist, bits: &[Bit]) -> Vec<Bit> {
    if let [bit] = bits {
        return vec![*bit];
    }
    let (low, high) = bits.split_at(bits.len() / 2);
    let (a, b) = (ones_of_tree(net, low), ones_of_tree(net, high));
    let (mut sum, carry) = net.add(&a, &b, false);
    sum.push(carry);
    sum
}

/// The number of additions in [`ones`]. A tree of `n` bits takes `n - 1`, and one more adds the
/// rest; a single bit takes none.
fn additions_of_ones(bits: u32) -> u32 {
    match bits {
        0 | 1 => 0,
        _ => bits_of_tree(bits) + additions_of_ones(bits - bits_of_tree(bits)),
    }
}

fn bits_of_tree(bits: u32) -> u32 {
    1 << bits.ilog2()
}

/// The width of a number up to `most`.
fn width(most: u32) -> usize {
    most.ilog2() as usize + 1
}
