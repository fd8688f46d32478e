//! A bitonic network for any count (Batcher 1968, in Lang's form). A constant selects the direction
//! of each comparison.

use super::netlist::Netlist;
use crate::error::MakeError;
use crate::program::{check, check_size};
use halfgate_circuit::{Bit, Circuit};

/// Sorts `count` numbers of `bits` bits in ascending order; the garbler has the first half (rounded
/// up). Each exchange takes `2 bits` ANDs; 20 numbers need 106 exchanges. Numbers that differ by
/// 2^(bits-1) or more are compared wrongly.
pub(super) fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    let exchanges = exchanges(count as usize);
    check_size(&[exchanges as u64, 2, bits.into()])?;
    // One carry for each comparison, and one direction for each part that is sorted.
    let constants = exchanges + count as usize - 1;
    let halves = [count.div_ceil(2) * bits, count / 2 * bits];
    let (net, a, b) = Netlist::new(["a", "b"], halves, constants as u32);
    let numbers = a.chunks(bits as usize).chain(b.chunks(bits as usize)).map(<[Bit]>::to_vec);
    let mut network = Network { net, numbers: numbers.collect() };
    network.sort(0, count as usize, Bit::TRUE, true);
    let sorted = network.numbers.concat();
    network.net.finish("sorted", sorted)
}

struct Network {
    net: Netlist,
    numbers: Vec<Vec<Bit>>,
}

impl Network {
    /// Sorts `count` numbers from `first` on, ascending if `up`. `direction` is `up` as a bit.
    fn sort(&mut self, first: usize, count: usize, direction: Bit, up: bool) {
        if count > 1 {
            let half = count / 2;
            let other = self.net.constant(!up);
            self.sort(first, half, other, !up);
            self.sort(first + half, count - half, direction, up);
            self.merge(first, count, direction);
        }
    }

    fn merge(&mut self, first: usize, count: usize, direction: Bit) {
        if count > 1 {
            let power = power_below(count);
            for i in first..first + count - power {
                self.exchange(i, i + power, direction);
            }
            self.merge(first, power, direction);
            self.merge(first + power, count - power, direction);
        }
    }

    /// Exchanges numbers `i` and `j` if number `i` is greater and `direction` is 1, or if it is not
    /// greater and `direction` is 0.
    fn exchange(&mut self, i: usize, j: usize, direction: Bit) {
        let net = &mut self.net;
        let (a, b) = (&self.numbers[i], &self.numbers[j]);
        let complement: Vec<Bit> = a.iter().map(|&bit| net.xor(bit, Bit::TRUE)).collect();
        let (difference, _) = net.add(b, &complement, true);
        let sign = difference[difference.len() - 1];
        let is_ordered = net.xor(sign, Bit::TRUE);
        let is_greater = net.xor(is_ordered, Bit::TRUE);
        let differs = net.xor(is_greater, direction);
        let swap = net.xor(differs, Bit::TRUE);
        // Selections first, so that gates of one kind are adjacent: s = (swap ? a : b) ^ a.
        let s: Vec<Bit> = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let chosen = net.select(swap, b, a);
                net.xor(chosen, a)
            })
            .collect();
        let low = b.iter().zip(&s).map(|(&b, &s)| net.xor(b, s)).collect();
        let high = a.iter().zip(&s).map(|(&a, &s)| net.xor(a, s)).collect();
        (self.numbers[i], self.numbers[j]) = (low, high);
    }
}

/// The number of exchanges in the network.
fn exchanges(count: usize) -> usize {
    match count {
        0 | 1 => 0,
        _ => exchanges(count / 2) + exchanges(count - count / 2) + merging(count),
    }
}

fn merging(count: usize) -> usize {
    match count {
        0 | 1 => 0,
        _ => {
            let power = power_below(count);
            count - power + merging(power) + merging(count - power)
        }
    }
}

/// The largest power of two below `count`, which is 2 or more.
fn power_below(count: usize) -> usize {
    count.next_power_of_two() / 2
}
