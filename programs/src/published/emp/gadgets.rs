//! Integer operations of the EMP toolkit (`Integer`, releases 0.2 and 0.3), gate by gate.
//!
//! Constants fold where a gate reads one. Nothing else is shared or left out: unused gates stay. An
//! inversion is a gate, here an XOR with a wire that is 1.

use super::super::netlist::Netlist;
use crate::error::MakeError;
use halfgate_circuit::{Bit, Circuit};
use std::collections::HashMap;

/// A circuit under construction.
pub(super) struct Emp {
    net: Netlist,
    /// A wire that is 1, in circuits with inversions.
    one: Option<Bit>,
}

impl Emp {
    /// A circuit with one input of the garbler and one of the evaluator, and a wire that is 1 if
    /// `inverts`. Returns the circuit and the inputs' bits.
    pub fn new(names: [&str; 2], width: [u32; 2], inverts: bool) -> (Emp, Vec<Bit>, Vec<Bit>) {
        let (mut net, a, b) = Netlist::new(names, width, inverts.into());
        let one = inverts.then(|| net.constant(true));
        (Emp { net, one }, a, b)
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) => self.not(b),
            (_, Some(true)) => self.not(a),
            (None, None) => self.net.xor(a, b),
        }
    }

    /// `a & b`.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) | (_, Some(false)) => Bit::FALSE,
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (None, None) => self.net.and(a, b),
        }
    }

    /// `!a`.
    ///
    /// # Panics
    /// If `a` is a wire, and the circuit was made without `inverts`.
    pub fn not(&mut self, a: Bit) -> Bit {
        match a.as_constant() {
            Some(value) => Bit::constant(!value),
            None => self.net.xor(a, self.one.expect("a circuit that inverts")),
        }
    }

    /// `a | b`: two XORs and an AND.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        let (either, both) = (self.xor(a, b), self.and(a, b));
        self.xor(either, both)
    }

    /// `a ^ b`, bit by bit.
    pub fn xor_all(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        a.iter().zip(b).map(|(&a, &b)| self.xor(a, b)).collect()
    }

    /// `a + b` modulo 2^width: four XORs and an AND per bit, but two XORs for the last one.
    pub fn add(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let last = a.len() - 1;
        let mut carry = Bit::FALSE;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a[..last].iter().zip(b) {
            let (x, y) = (self.xor(a, carry), self.xor(b, carry));
            sum.push(self.xor(a, y));
            let both = self.and(x, y);
            carry = self.xor(carry, both);
        }
        let carried = self.xor(carry, b[last]);
        sum.push(self.xor(carried, a[last]));
        sum
    }

    /// `a - b` modulo 2^width: four XORs and an AND per bit, but two XORs for the last one.
    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        self.difference(a, b, a.len() - 1).0
    }

    /// `a - b`, and whether `a < b`, unsigned. One AND more than [`subtract`](Emp::subtract).
    fn subtract_and_compare(&mut self, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Bit) {
        self.difference(a, b, a.len())
    }

    /// `a - b`, and the borrow after the lowest `borrows` bits.
    fn difference(&mut self, a: &[Bit], b: &[Bit], borrows: usize) -> (Vec<Bit>, Bit) {
        let mut borrow = Bit::FALSE;
        let mut difference = Vec::with_capacity(a.len());
        for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
            let differ = self.xor(a, b);
            difference.push(self.xor(differ, borrow));
            if i < borrows {
                let other = self.xor(borrow, b);
                let both = self.and(differ, other);
                borrow = self.xor(borrow, both);
            }
        }
        (difference, borrow)
    }

    /// `a * b` modulo 2^width, row by row. Partial products in `products` are reused, and new ones
    /// are added to it.
    pub fn multiply(&mut self, a: &[Bit], b: &[Bit], products: Option<&mut Products>) -> Vec<Bit> {
        let mut none = Products::default();
        let keeps = products.is_some();
        let products = products.unwrap_or(&mut none);
        let mut sum = vec![Bit::FALSE; a.len()];
        for (i, &choice) in b.iter().enumerate() {
            let row = a[..a.len() - i].iter().map(|&bit| match keeps {
                true => products.get(self, bit, choice),
                false => self.and(bit, choice),
            });
            let row: Vec<Bit> = row.collect();
            let upper = self.add(&sum[i..], &row);
            sum.splice(i.., upper);
        }
        sum
    }

    /// `t` if `choice`, else `f`.
    pub fn choose(&mut self, choice: Bit, t: &[Bit], f: &[Bit]) -> Vec<Bit> {
        let chosen = t.iter().zip(f).map(|(&t, &f)| {
            let differ = self.xor(t, f);
            let change = self.and(choice, differ);
            self.xor(change, f)
        });
        chosen.collect()
    }

    /// The absolute value of `a`.
    fn magnitude(&mut self, a: &[Bit]) -> Vec<Bit> {
        let sign = vec![a[a.len() - 1]; a.len()];
        let sum = self.add(a, &sign);
        self.xor_all(&sum, &sign)
    }

    /// `-a` if `negate`.
    fn negate_if(&mut self, negate: Bit, a: &[Bit]) -> Vec<Bit> {
        let (last, lower) = a.split_last().expect("a bit");
        let mut carry = negate;
        let mut result = Vec::with_capacity(a.len());
        for &bit in lower {
            let flipped = self.xor(bit, negate);
            result.push(self.xor(flipped, carry));
            carry = self.and(carry, flipped);
        }
        let flipped = self.xor(negate, carry);
        result.push(self.xor(flipped, *last));
        result
    }

    /// `a / b`, signed, rounded towards zero: divides the magnitudes bit by bit from the highest.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let width = a.len();
        let (mut rest, divisor) = (self.magnitude(a), self.magnitude(b));
        let sign = self.xor(a[width - 1], b[width - 1]);
        // At `i`: whether the divisor has a bit that a shift by `i` would drop.
        let mut exceeds = vec![Bit::FALSE; width];
        for i in 1..width {
            exceeds[i] = self.or(exceeds[i - 1], divisor[width - i]);
        }
        let mut quotient = vec![Bit::FALSE; width];
        for i in (0..width).rev() {
            let (difference, borrow) = self.subtract_and_compare(&rest[i..], &divisor[..width - i]);
            let is_less = self.or(borrow, exceeds[i]);
            let kept = self.choose(is_less, &rest[i..], &difference);
            rest.splice(i.., kept);
            quotient[i] = self.not(is_less);
        }
        self.negate_if(sign, &quotient)
    }

    /// The number of bits that are set: adds neighbours, then their sums, each one bit wider.
    pub fn ones(&mut self, bits: &[Bit]) -> Vec<Bit> {
        let mut counts: Vec<Vec<Bit>> = bits.iter().map(|&bit| vec![bit, Bit::FALSE]).collect();
        while counts.len() > 1 {
            let mut next = Vec::with_capacity(counts.len().div_ceil(2));
            for pair in counts.chunks(2) {
                let mut count = match pair {
                    [a, b] => self.add(a, b),
                    rest => rest.concat(),
                };
                count.push(Bit::FALSE);
                next.push(count);
            }
            counts = next;
        }
        counts.pop().unwrap_or_default()
    }

    /// The circuit, with one output.
    pub fn finish(self, name: &str, bits: Vec<Bit>) -> Result<Circuit, MakeError> {
        self.net.finish(name, bits)
    }

    /// The circuit, with these outputs.
    pub fn finish_all(self, outputs: Vec<(&str, Vec<Bit>)>) -> Result<Circuit, MakeError> {
        self.net.finish_all(outputs)
    }
}

/// The partial products so far, by their two factors.
#[derive(Default)]
pub(super) struct Products(HashMap<(Bit, Bit), Bit>);

impl Products {
    fn get(&mut self, emp: &mut Emp, a: Bit, b: Bit) -> Bit {
        let key = if a <= b { (a, b) } else { (b, a) };
        *self.0.entry(key).or_insert_with(|| emp.and(a, b))
    }
}
