//! Memories that are never written: tables of constants.

use super::{Cell, Signal};
use halfgate_circuit::{Bit, Builder, array, int};

/// Computes the outputs of all read ports. Returns `None` if the memory is written, or read at a
/// clock edge.
pub(super) fn compute(
    cell: &Cell,
    b: &mut Builder,
    value: &dyn Fn(Signal) -> Bit,
) -> Option<Vec<Bit>> {
    let clocked = cell.digits("RD_CLK_ENABLE").contains('1');
    if cell.number("WR_PORTS") != 0 || clocked {
        return None;
    }
    let (width, index_bits) = (cell.number("WIDTH") as usize, cell.number("ABITS") as usize);
    let offset = cell.number("OFFSET");
    let digits = cell.digits("INIT");
    let entries: Vec<Vec<bool>> = digits
        .as_bytes()
        .rchunks(width.max(1))
        .map(|entry| entry.iter().rev().map(|&digit| digit == b'1').collect())
        .collect();
    let address: Vec<Bit> = cell.signals("RD_ADDR").iter().map(|&signal| value(signal)).collect();
    let mut data = Vec::with_capacity(cell.signals("RD_DATA").len());
    for index in address.chunks(index_bits.max(1)) {
        let start = int::constant(index.len(), u128::from(offset));
        let index = if offset == 0 { index.to_vec() } else { int::sub(b, index, &start) };
        // `array::lookup` takes entries of at most 128 bits, so wider words are looked up in parts.
        for low in (0..width).step_by(128) {
            let part = |entry: &Vec<bool>| {
                let bits = entry.iter().skip(low).take(128).enumerate();
                bits.fold(0, |sum, (place, &bit)| sum | u128::from(bit) << place)
            };
            let table: Vec<u128> = entries.iter().map(part).collect();
            data.extend(array::lookup(b, &table, (width - low).min(128), &index));
        }
    }
    Some(data)
}
