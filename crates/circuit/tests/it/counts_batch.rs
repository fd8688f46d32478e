//! Finds the number of accesses from which sorting takes fewer ANDs than making them in turn, and
//! compares it with the documentation of `array::access`. Both counts are in a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::array::{self, Access, Accessed};
use halfgate_circuit::{Bit, Builder};

const WIDTH: usize = 32;

/// Returns `count` accesses at secret indices: reads, or accesses that may read or write.
fn accesses(port: &[Bit], n: usize, either: bool) -> Vec<Access> {
    let bits = n.ilog2() as usize;
    let access = |x: &[Bit]| {
        let (index, value) = x[1..].split_at(bits);
        if either {
            Access { write: x[0], ..Access::write(index, value) }
        } else {
            Access::read(index, WIDTH)
        }
    };
    port.chunks(1 + bits + WIDTH).map(access).collect()
}

/// The smallest number of accesses that [`array::access`] sorts.
fn break_even(n: usize, either: bool) -> usize {
    let port = Builder::new().input("x", halfgate_circuit::Party::Garbler, 1 << 17);
    let each = 1 + n.ilog2() as usize + WIDTH;
    let sorts = |&count: &usize| {
        let accesses = accesses(&port[..count * each], n, either);
        let in_turn = array::in_turn_ands(n, WIDTH, &accesses);
        array::by_sorting_ands(n, WIDTH, &accesses) < in_turn
    };
    (1..1000).find(sorts).expect("sorting wins in the end")
}

#[test]
fn batches() {
    let mut gadgets = Vec::new();
    let documented = [(64, 9, 5), (256, 8, 5), (1024, 8, 5), (4096, 9, 5)];
    let mut found = Vec::new();
    for (n, ..) in documented {
        let counts = [false, true].map(|either| break_even(n, either));
        found.push((n, counts[0], counts[1]));
        let mut measured = vec![(false, counts[0]), (true, counts[1])];
        if n == 256 {
            measured.extend([(false, 64), (true, 64)]);
        }
        for (either, count) in measured.into_iter().filter(|_| n <= 1024) {
            let each = 1 + n.ilog2() as usize + WIDTH;
            let kind = if either { "accesses" } else { "reads" };
            let widths = [(n * WIDTH) as u32, (count * each) as u32];
            let build = |name: &str, way: fn(&mut Builder, &[Vec<Bit>], &[Access]) -> Accessed| {
                let name = format!("{count} {kind} of {n}x{WIDTH} {name}");
                let mut formulas = (0, 0);
                let gadget = Gadget::new(name, &widths, |b, x| {
                    let array: Vec<Vec<Bit>> = x[0].chunks(WIDTH).map(<[Bit]>::to_vec).collect();
                    let accesses = accesses(&x[1], n, either);
                    formulas.0 = array::in_turn_ands(n, WIDTH, &accesses);
                    formulas.1 = array::by_sorting_ands(n, WIDTH, &accesses);
                    let Accessed { seen, array } = way(b, &array, &accesses);
                    [seen, array].concat().concat()
                });
                (gadget, formulas)
            };
            let (in_turn, formulas) = build("in turn", array::access_in_turn);
            let in_turn = in_turn.ands(formulas.0);
            // Reads are independent of each other.
            let in_turn = if either { in_turn } else { in_turn.and_depth(n.ilog2()) };
            let (sorted, _) = build("by sorting", array::access_by_sorting);
            assert!(sorted.stats.ands <= formulas.1 && sorted.stats.ands < in_turn.stats.ands);
            assert!(sorted.stats.ands * 10 >= formulas.1 * 8, "the formula is far from the count");
            gadgets.extend([in_turn, sorted]);
        }
    }
    assert_eq!(found, documented, "change the table in array/batch.rs");
    check("batch", &gadgets);
}
