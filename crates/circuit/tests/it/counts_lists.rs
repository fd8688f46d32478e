//! Compares sizes of permutation networks, scans and string gadgets with their documentation and a
//! golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::prefix::{self, Form};
use halfgate_circuit::{Bit, int, permute, text};

/// Splits a port into elements of `width` bits.
fn elements(port: &[Bit], width: u32) -> Vec<Vec<Bit>> {
    port.chunks(width as usize).map(<[Bit]>::to_vec).collect()
}

#[test]
fn permutations() {
    let mut gadgets = Vec::new();
    for (n, w) in [(16u32, 32u32), (64, 32), (100, 32), (1000, 8), (1024, 32)] {
        let switches = permute::switches(n as usize) as u32;
        let permuted = Gadget::new(format!("permute {n}x{w}"), &[switches, n * w], |b, x| {
            permute::permute(b, &elements(&x[1], w), &x[0]).concat()
        });
        let log = n.next_power_of_two().ilog2();
        assert!(!n.is_power_of_two() || switches == n * log - n + 1);
        gadgets.push(permuted.ands(u64::from(switches * w)).and_depth(2 * log - 1));
    }
    let shuffled = Gadget::new("shuffle 64x32", &[321, 321, 64 * 32], |b, x| {
        permute::shuffle(b, &elements(&x[2], 32), &x[0], &x[1]).concat()
    });
    gadgets.push(shuffled.ands(2 * 321 * 32).and_depth(22));
    check("permute", &gadgets);
}

#[test]
fn scans() {
    let mut gadgets = Vec::new();
    for n in [16u32, 100, 256] {
        let log = n.next_power_of_two().ilog2();
        let sums = Gadget::new(format!("sums {n}x32"), &[n * 32], |b, x| {
            prefix::sums(b, &elements(&x[0], 32)).concat()
        });
        gadgets.push(sums.ands(u64::from(n - 1) * 31).and_depth(31));
        for form in [Form::Sequential, Form::BrentKung, Form::Sklansky] {
            let xors = Gadget::new(format!("all {form:?} {n}x8"), &[n * 8], |b, x| {
                prefix::scan_with(b, form, &elements(&x[0], 8), |b, x, y| int::and(b, x, y))
                    .concat()
            });
            let xors = xors.ands(8 * form.operations(n.into()));
            gadgets.push(match form {
                Form::Sequential => xors.and_depth(n - 1),
                Form::Sklansky => xors.and_depth(log),
                Form::BrentKung => xors,
            });
        }
        let copied = Gadget::new(format!("copy_last {n}x32"), &[n, n * 32], |b, x| {
            prefix::copy_last(b, &x[0], &elements(&x[1], 32)).concat()
        });
        gadgets.push(copied.ands(u64::from(n) * 32).and_depth(n));
    }
    check("prefix", &gadgets);
}

#[test]
fn strings() {
    let mut gadgets = Vec::new();
    for (n, m, w) in [(64u32, 8u32, 8u32), (256, 16, 8), (100, 10, 2)] {
        let widths = [n * w, m * w, m];
        let places = u64::from(n - m + 1);
        let size = format!("{m} in {n} of {w} bits");
        let found = Gadget::new(format!("occurrences {size}"), &widths[..2], |b, x| {
            text::occurrences(b, &elements(&x[0], w), &elements(&x[1], w))
        });
        let depth = (m * w).next_power_of_two().ilog2();
        gadgets.push(found.ands(places * u64::from(m * w - 1)).and_depth(depth));
        let wild = Gadget::new(format!("occurrences_with_wildcards {size}"), &widths, |b, x| {
            let (text, pattern) = (elements(&x[0], w), elements(&x[1], w));
            text::occurrences_with_wildcards(b, &text, &pattern, &x[2])
        });
        gadgets.push(wild.ands(places * u64::from(m * w + m - 1)));
        let prefix = Gadget::new(format!("common_prefix {n} of {w} bits"), &[n * w; 2], |b, x| {
            text::common_prefix(b, &elements(&x[0], w), &elements(&x[1], w))
        });
        gadgets.push(prefix.ands(u64::from(n * w - 1)));
    }
    for n in [64u32, 100] {
        let first = Gadget::new(format!("first {n}"), &[n], |b, x| text::first(b, &x[0]).1);
        gadgets.push(first.ands(u64::from(n - 1)).and_depth(n - 1));
    }
    for (n, w) in [(32u32, 8u32), (100, 2), (128, 8)] {
        let distance =
            Gadget::new(format!("edit_distance {n} of {w} bits"), &[n * w; 2], |b, x| {
                text::edit_distance(b, &elements(&x[0], w), &elements(&x[1], w))
            });
        let table = n * n * (w - 1) + 4 * (n - 1) * (n - 1);
        gadgets.push(distance.ands(u64::from(table + 2 * n - (2 * n).count_ones())));
    }
    check("text", &gadgets);
}
