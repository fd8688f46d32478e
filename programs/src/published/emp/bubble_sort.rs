//! BubbSt: bubble sort.

use super::gadgets::Emp;
use crate::error::MakeError;
use crate::program::{check, check_size};
use halfgate_circuit::{Bit, Circuit};

/// `count` unsigned numbers of `bits` bits, ascending.
///
/// 256 numbers of 32 bits: 12,533,760 gates, 33.33 % ANDs and 75,636 levels, as in the table. These
/// counts show that passes get shorter, although the benchmark's source has 255 full passes: they
/// are 32,640 exchanges of 384 gates each, along a path of 254 * (99 + 198) + 198 levels. So an
/// exchange has two comparisons and two selections in sequence: it selects the smaller number, and
/// then the greater one by a comparison with the smaller one.
pub(super) fn circuit(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[u64::from(count), u64::from(count - 1), 2, bits.into()])?;
    let halves = [count.div_ceil(2) * bits, count / 2 * bits];
    let (mut emp, a, b) = Emp::new(["a", "b"], halves, true);
    let numbers = a.chunks(bits as usize).chain(b.chunks(bits as usize)).map(<[Bit]>::to_vec);
    let mut numbers: Vec<Vec<Bit>> = numbers.collect();
    for unsorted in (2..=numbers.len()).rev() {
        for i in 1..unsorted {
            (numbers[i - 1], numbers[i]) = exchange(&mut emp, &numbers[i - 1], &numbers[i]);
        }
    }
    emp.finish("sorted", numbers.concat())
}

/// The smaller and the greater number. The bits in which `a` and `b` differ are computed once, for
/// the first comparison and both selections.
fn exchange(emp: &mut Emp, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let differ = emp.xor_all(a, b);
    let swap = is_greater(emp, a, &differ);
    let low = change(emp, swap, a, &differ);
    let differ_low = emp.xor_all(a, &low);
    let swapped = is_greater(emp, a, &differ_low);
    let high = change(emp, swapped, b, &differ);
    (low, high)
}

/// Whether `a` is greater than `a ^ differ`, by the borrow of the subtraction. The result is
/// inverted twice: EMP computes `a > b` as `!(b >= a)`, and `>=` as the inverse of the borrow.
fn is_greater(emp: &mut Emp, a: &[Bit], differ: &[Bit]) -> Bit {
    let mut borrow = Bit::FALSE;
    for (&a, &differs) in a.iter().zip(differ) {
        let other = emp.xor(a, borrow);
        let changes = emp.and(differs, other);
        borrow = emp.xor(borrow, changes);
    }
    let is_at_least = emp.not(borrow);
    emp.not(is_at_least)
}

/// `a ^ differ` if `change`, else `a`.
fn change(emp: &mut Emp, change: Bit, a: &[Bit], differ: &[Bit]) -> Vec<Bit> {
    let changed = a.iter().zip(differ).map(|(&a, &differs)| {
        let changes = emp.and(change, differs);
        emp.xor(a, changes)
    });
    changed.collect()
}
