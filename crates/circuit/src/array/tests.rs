//! Compares each access with a plain array, at every index for small sizes, and counts its ANDs.

use super::*;
use crate::int;
use crate::lanes::{Lanes, random_sets};

/// Sets of values for an array of `n` elements, an index and a value. Contains every index if there
/// are few.
fn sets(n: usize, width: usize, bits: usize) -> (Vec<usize>, Vec<Vec<u128>>) {
    let widths = [vec![width; n], vec![bits, width]].concat();
    let count = 1usize << bits.min(7);
    let mut sets = random_sets((n * 1000 + bits) as u64, &widths, count);
    for (i, set) in sets.iter_mut().enumerate().filter(|_| bits <= 7) {
        set[n] = i as u128;
    }
    (widths, sets)
}

/// Checks an access of `n` elements, whose last two arguments are an index and a value.
fn check(
    (n, width, bits): (usize, usize, usize),
    ands: u64,
    build: impl FnOnce(&mut crate::Builder, &[Vec<Bit>], &[Bit], &[Bit]) -> Vec<Vec<Bit>>,
    expected: impl Fn(&[u128], usize, u128) -> Vec<u128>,
) {
    let (widths, sets) = sets(n, width, bits);
    let lanes = Lanes::new(&widths, |b, x| build(b, &x[..n], &x[n], &x[n + 1]));
    for (set, found) in sets.iter().zip(lanes.run(&sets)) {
        let expected = expected(&set[..n], set[n] as usize, set[n + 1]);
        assert_eq!(found, expected, "{n} elements of {width} bits, index {} ({bits} bits)", set[n]);
    }
    assert_eq!(lanes.ands(), ands, "ANDs for {n} elements of {width} bits, index of {bits} bits");
}

/// Numbers of elements, and widths of elements and indices.
fn shapes() -> impl Iterator<Item = (usize, usize, usize)> {
    let width = |n: usize| [1, 5].into_iter().map(move |width| (n, width));
    let ns = (0..20).chain([31, 32, 33, 44, 63, 64, 65, 100]);
    ns.flat_map(width).flat_map(|(n, width)| (0..8).map(move |bits| (n, width, bits)))
}

#[test]
fn reads() {
    for (n, width, bits) in shapes() {
        let expected = |array: &[u128], index: usize, _| {
            if n == 0 { vec![0] } else { vec![array.get(index).copied().unwrap_or(0)] }
        };
        let ands = read_ands(n, width, bits);
        check((n, width, bits), ands, |b, x, index, _| vec![read(b, x, index)], expected);
        let ands = one_hot_ands(n, bits) + (reachable(n, bits) * width) as u64;
        let by_one_hot = |b: &mut crate::Builder, x: &[Vec<Bit>], index: &[Bit], _: &[Bit]| {
            let hot = one_hot(b, index, n);
            vec![read_one_hot(b, x, &hot)]
        };
        if bits > 0 && width > 1 {
            check((n, width, bits), ands, by_one_hot, expected);
        }
        let ands = in_range_ands(n, bits);
        let within = |_: &[u128], index, _| vec![u128::from(index < n)];
        check((n, width, bits), ands, |b, _, i, _| vec![vec![in_range(b, i, n)]], within);
    }
}

#[test]
fn writes() {
    for (n, width, bits) in shapes().filter(|&(_, _, bits)| bits > 0) {
        let expected = |array: &[u128], index: usize, value: u128| {
            let mut array = array.to_vec();
            if let Some(element) = array.get_mut(index) {
                *element = value;
            }
            array
        };
        let ands = write_ands(n, width, bits);
        check((n, width, bits), ands, write, expected);
        let ands = update_ands(n, width, bits);
        check(
            (n, width, bits),
            ands,
            |b, x, i, v| update(b, x, i, |b, old| int::xor(b, old, v)),
            |array, index, value| {
                let mut array = array.to_vec();
                if let Some(element) = array.get_mut(index) {
                    *element ^= value;
                }
                array
            },
        );
    }
}

#[test]
fn writes_on_a_condition() {
    for (n, bits) in [(1, 1), (3, 2), (8, 3), (13, 4), (13, 6)] {
        let expected = |array: &[u128], index: usize, value: u128| {
            let mut array = array.to_vec();
            if value & 1 == 1 && index < n {
                array[index] = value;
            }
            array
        };
        let zeros = index_bits(n) - (n - 1).count_ones() as usize;
        let ands = n * 4 + n - 1 + zeros + (bits - index_bits(n));
        check((n, 4, bits), ands as u64, |b, x, i, v| write_if(b, v[0], x, i, v), expected);
    }
}

#[test]
fn tables() {
    let table: Vec<u128> = random_sets(3, &[9], 300).concat();
    for n in [0, 1, 2, 3, 16, 100, 256, 300] {
        for (width, bits) in [(1, 8), (9, 8), (9, 9), (9, 10), (9, 3)] {
            let sets: Vec<Vec<u128>> = (0..1 << bits).map(|i| vec![i]).collect();
            let lanes = Lanes::new(&[bits], |b, x| vec![lookup(b, &table[..n], width, &x[0])]);
            for (index, found) in lanes.run(&sets).into_iter().enumerate() {
                let entry = if index < n { table[index] & ((1 << width) - 1) } else { 0 };
                assert_eq!(found, [entry], "entry {index} of {n}");
            }
            let formula = lookup_ands(n, width, bits);
            assert!(lanes.ands() <= formula, "{} over {formula} for {n}", lanes.ands());
        }
    }
}

#[test]
#[should_panic(expected = "element 1 has 2 bits, but element 0 has 1")]
fn elements_of_two_widths() {
    one_width(&[vec![Bit::FALSE], vec![Bit::FALSE; 2]]);
}

/// Whether the accesses of a batch read, write, or do either as a secret bit selects.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reads,
    Writes,
    Either,
}

#[test]
fn batches() {
    type Way = fn(&mut crate::Builder, &[Vec<Bit>], &[Access]) -> Accessed;
    let w = 3;
    for (n, count, bits) in [
        (0, 3, 2),
        (1, 0, 1),
        (1, 3, 0),
        (1, 4, 2),
        (2, 5, 1),
        (3, 1, 2),
        (3, 6, 3),
        (4, 7, 2),
        (5, 5, 2),
        (8, 20, 3),
        (13, 9, 4),
        (13, 9, 6),
        (30, 40, 5),
    ] {
        for kind in [Kind::Reads, Kind::Writes, Kind::Either] {
            let widths = [vec![w; n], [1, bits, w].repeat(count)].concat();
            let sets = random_sets((n + count) as u64, &widths, 64);
            for way in [access_in_turn as Way, access_by_sorting, access] {
                let mut formulas = (0, 0);
                let lanes = Lanes::new(&widths, |b, x| {
                    let accesses: Vec<Access> = x[n..]
                        .chunks(3)
                        .map(|x| match kind {
                            Kind::Reads => Access::read(&x[1], w),
                            Kind::Writes => Access::write(&x[1], &x[2]),
                            Kind::Either => {
                                Access { write: x[0][0], ..Access::write(&x[1], &x[2]) }
                            }
                        })
                        .collect();
                    let before = b.ands();
                    formulas = (in_turn_ands(n, w, &accesses), by_sorting_ands(n, w, &accesses));
                    let Accessed { mut seen, array } = way(b, &x[..n], &accesses);
                    assert_eq!((before, seen.len(), array.len()), (0, count, n));
                    seen.iter_mut().for_each(|x| x.resize(w, Bit::FALSE));
                    [seen, array].concat()
                });
                for (set, found) in sets.iter().zip(lanes.run(&sets)) {
                    let mut array = set[..n].to_vec();
                    let mut seen = Vec::new();
                    for x in set[n..].chunks(3) {
                        let writes = kind == Kind::Writes || kind == Kind::Either && x[0] == 1;
                        let element = array.get_mut(x[1] as usize);
                        seen.push(element.map_or(0, |element| {
                            if writes {
                                *element = x[2];
                            }
                            *element
                        }));
                    }
                    assert_eq!(
                        found,
                        [seen, array].concat(),
                        "{count} accesses to {n} elements, indices of {bits} bits"
                    );
                }
                if way as usize == access_in_turn as Way as usize {
                    assert!(lanes.ands() <= formulas.0, "{} in turn", lanes.ands());
                } else if way as usize == access_by_sorting as Way as usize {
                    assert!(lanes.ands() <= formulas.1, "{} by sorting", lanes.ands());
                } else {
                    assert!(lanes.ands() <= formulas.0.min(formulas.1));
                }
            }
        }
    }
}
