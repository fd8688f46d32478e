//! Compares sizes of sorting and merging with their documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::sort::{self, Key};
use halfgate_circuit::{Bit, Builder};

/// A function of a list of `n` elements of `width` bits.
fn of_list(
    name: String,
    n: u32,
    width: u32,
    build: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Vec<Bit>>,
) -> Gadget {
    Gadget::new(name, &[n * width], |b, x| {
        let items: Vec<Vec<Bit>> = x[0].chunks(width as usize).map(<[Bit]>::to_vec).collect();
        build(b, &items).concat()
    })
}

#[test]
fn sorting() {
    let mut gadgets = Vec::new();
    for (n, key, width) in [(16, 32, 32), (64, 16, 48), (100, 32, 32), (256, 32, 32)] {
        let (size, count) = (format!("{n} of {key}/{width}"), u64::from(n));
        let comparisons = sort::comparisons(count);
        let by = Key::unsigned(key as usize);
        let sorted = of_list(format!("sort {size}"), n, width, |b, x| sort::sort(b, x, by));
        let sorted = sorted.ands(comparisons * u64::from(key + width));
        let depth = sort::layers(count) * (key + 1);
        assert!(sorted.stats.and_depth <= depth);
        gadgets.push(if n.is_power_of_two() { sorted.and_depth(depth) } else { sorted });

        let stable =
            of_list(format!("sort_stable {size}"), n, width, |b, x| sort::sort_stable(b, x, by));
        let place = n.next_power_of_two().ilog2();
        assert!(stable.stats.ands <= comparisons * u64::from(key + width + 2 * place));
        assert!(stable.stats.and_depth <= sort::layers(count) * (key + place + 1));
        gadgets.push(stable);

        let merged = of_list(
            format!("merge {n} and {} of {key}/{width}", n / 2),
            n + n / 2,
            width,
            |b, x| sort::merge(b, &x[..n as usize], &x[n as usize..], by),
        );
        let merges = sort::merge_comparisons(count, count / 2);
        let depth = sort::merge_layers(count, count / 2) * (key + 1);
        gadgets.push(merged.ands(merges * u64::from(key + width)).and_depth(depth));
    }
    check("sort", &gadgets);
}
