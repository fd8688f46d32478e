//! Triangle, Hamm and ReLU, whose gates, ANDs and levels are those of the table.

use super::gadgets::{Emp, Products};
use crate::error::MakeError;
use crate::program::{check, check_size};
use halfgate_circuit::{Bit, Circuit};

/// The number of triangles in a graph: a sixth of the trace of its matrix's cube. The division is
/// signed, as in the benchmark's source, so a trace of 2^(bits-1) or more counts as negative.
///
/// 13 vertices, entries of 32 bits: 6,978.6k gates, 34.02 % ANDs and 1,403 levels, as in the table.
/// The table's gates show that equal partial products are made only once: those of `a_ij a_ji` and
/// `a_ji a_ij`, in two entries of the square. Without this sharing there are 0.6 % more gates.
pub(super) fn triangle(vertices: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("VERTICES", vertices.into(), 2..=1 << 8)?;
    check("BITS", bits.into(), 4..=128)?;
    check_size(&[u64::from(vertices).pow(3), bits.into(), bits.into()])?;
    let halves = [vertices.div_ceil(2), vertices / 2].map(|rows| rows * vertices * bits);
    let (mut emp, a, b) = Emp::new(["a", "b"], halves, true);
    let (n, width) = (vertices as usize, bits as usize);
    let graph: Vec<Vec<Bit>> =
        a.chunks(width).chain(b.chunks(width)).map(<[Bit]>::to_vec).collect();
    let mut products = Products::default();
    let mut dot = |emp: &mut Emp, row: &[Vec<Bit>], column: usize, shares: bool| {
        let mut sum = vec![Bit::FALSE; width];
        for (k, value) in row.iter().enumerate() {
            let products = shares.then_some(&mut products);
            let product = emp.multiply(value, &graph[k * n + column], products);
            sum = emp.add(&sum, &product);
        }
        sum
    };
    // The order of the source: the whole square, then the diagonal of the cube, then its sum.
    let rows = (0..n).map(|row| {
        let row = &graph[row * n..][..n];
        (0..n).map(|column| dot(&mut emp, row, column, true)).collect()
    });
    let squared: Vec<Vec<Vec<Bit>>> = rows.collect();
    let closed =
        squared.iter().enumerate().map(|(row, squared)| dot(&mut emp, squared, row, false));
    let closed: Vec<Vec<Bit>> = closed.collect();
    let zero = vec![Bit::FALSE; width];
    let trace = closed.iter().fold(zero, |trace, closed| emp.add(&trace, closed));
    let six: Vec<Bit> = (0..width).map(|i| Bit::constant(6 >> i.min(63) & 1 == 1)).collect();
    let triangles = emp.divide(&trace, &six);
    emp.finish("triangles", triangles)
}

/// The number of places in which two strings differ. It is as wide as the sums of the tree of
/// adders, so its upper bits are zeros.
///
/// 40,960 bits: 327,601 gates, 25.00 % ANDs and 76 levels, as in the table.
pub(super) fn hamming(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 20)?;
    let (mut emp, a, b) = Emp::new(["a", "b"], [bits; 2], false);
    let differences = emp.xor_all(&a, &b);
    let distance = emp.ones(&differences);
    emp.finish("distance", distance)
}

/// The maximum of each number and 0: one gate inverts the sign, and each bit takes an AND, the sign
/// bit included.
///
/// 2,048 numbers of 32 bits: 67,584 gates, 96.97 % ANDs and 2 levels, as in the table.
pub(super) fn relu(count: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("COUNT", count.into(), 2..=1 << 20)?;
    check("BITS", bits.into(), 2..=1 << 10)?;
    check_size(&[count.into(), bits.into()])?;
    let halves = [count.div_ceil(2) * bits, count / 2 * bits];
    let (mut emp, a, b) = Emp::new(["a", "b"], halves, true);
    let mut positive = Vec::with_capacity((count * bits) as usize);
    for number in a.chunks(bits as usize).chain(b.chunks(bits as usize)) {
        let is_positive = emp.not(number[number.len() - 1]);
        positive.extend(number.iter().map(|&bit| emp.and(bit, is_positive)));
    }
    emp.finish("positive", positive)
}
