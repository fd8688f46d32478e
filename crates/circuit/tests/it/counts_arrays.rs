//! Compares sizes of array gadgets with their documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::{Bit, array, random};

/// Splits a port into elements of `width` bits.
fn elements(port: &[Bit], width: usize) -> Vec<Vec<Bit>> {
    port.chunks(width).map(<[Bit]>::to_vec).collect()
}

#[test]
fn arrays() {
    let mut gadgets = Vec::new();
    for (n, w) in [(16usize, 32usize), (64, 8), (100, 32), (256, 32), (1000, 32)] {
        let k = n.next_power_of_two().ilog2();
        let power = n.is_power_of_two();
        let widths = [(n * w) as u32, k, w as u32];

        let read = Gadget::new(format!("read {n}x{w}"), &widths[..2], |b, x| {
            array::read(b, &elements(&x[0], w), &x[1])
        });
        // The highest and the lowest 0 bit of 99 are at positions 4 and 2, those of 999 at 4 and 3.
        gadgets.push(read.and_depth(k).ands(match n {
            100 => n * w + 4 - 2,
            1000 => n * w + 4 - 3,
            _ => (n - 1) * w,
        } as u64));
        let decoder = array::one_hot_ands(n, k as usize);
        assert!(!power || decoder == n as u64 - u64::from(k) - 1);
        let hot = Gadget::new(format!("one_hot {n}"), &[k], |b, x| array::one_hot(b, &x[0], n));
        gadgets.push(hot.and_depth(k - 1).ands(decoder));
        let write = Gadget::new(format!("write {n}x{w}"), &widths, |b, x| {
            array::write(b, &elements(&x[0], w), &x[1], &x[2]).concat()
        });
        gadgets.push(write.and_depth(k).ands((n * w) as u64 + decoder));
        let update = Gadget::new(format!("update {n}x{w}"), &widths, |b, x| {
            array::update(b, &elements(&x[0], w), &x[1], |_, _| x[2].clone()).concat()
        });
        gadgets.push(if power {
            update.ands(2 * ((n - 1) * w) as u64).and_depth(2 * k)
        } else {
            update.ands(array::update_ands(n, w, k as usize))
        });
    }
    for (n, w, k) in [(256, 8, 8), (1024, 32, 10), (1 << 16, 8, 16)] {
        let bits = random::bits(1, n * w);
        let entry = |i: usize| (0..w).map(|j| u128::from(bits.get(i * w + j)) << j).sum();
        let table: Vec<u128> = (0..n).map(entry).collect();
        let gadget =
            Gadget::new(format!("lookup {n}x{w}"), &[k], |b, x| array::lookup(b, &table, w, &x[0]));
        assert!(gadget.stats.and_depth <= k);
        gadgets.push(gadget.ands(array::lookup_ands(table.len(), w, k as usize)));
    }
    check("arrays", &gadgets);
}
