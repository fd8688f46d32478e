//! Compares lists at secret places, sorting and extremes with Rust's.

use crate::common::{self, run};
use halfgate_secret::{Bool, I16, List, U8, U32, Uint};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn places_are_read_and_written(
        xs: [(u8, bool); 5],
        place in 0u8..9,
        value: (u8, bool),
        condition: bool,
    ) {
        let found = run(
            |xs: [(U8, Bool); 5], (place, value, condition): (U8, (U8, Bool), Bool)| {
                let (mut written, mut perhaps) = (xs, xs);
                written.write(place, value);
                perhaps.write_if(condition, place.cast::<3>(), value);
                (xs.read(place), xs.to_vec().read(place.cast::<4>()), written, perhaps)
            },
            xs,
            (place, value, condition),
        );
        let at = |xs: &[(u8, bool); 5], place: u8| xs.get(usize::from(place)).copied();
        let put = |on: bool, place: u8| {
            let mut ys = xs;
            if let (true, Some(y)) = (on, ys.get_mut(usize::from(place))) {
                *y = value;
            }
            ys
        };
        let read = at(&xs, place).unwrap_or_default();
        prop_assert_eq!(found, (read, read, put(true, place), put(condition, place % 8)));
    }

    #[test]
    fn lists_are_sorted(xs: [i16; 7], ys: [(u8, bool); 6]) {
        let found = run(
            |mut xs: [I16; 7], ys: [(U8, Bool); 6]| {
                let extremes = (xs.largest(), xs.smallest(), ys.largest(), ys.smallest());
                xs.sort_values();
                let (mut by_member, mut by_key) = (ys, ys.to_vec());
                by_member.sort_values();
                by_key.sort_values_by_key(|y| !y.0);
                let by_key: [(U8, Bool); 6] = by_key.try_into().unwrap();
                (xs, by_member, by_key.map(|y| y.0), extremes)
            },
            xs,
            ys,
        );
        let (mut sorted_xs, mut sorted_ys, mut keys) = (xs, ys, ys.map(|y| y.0));
        sorted_xs.sort();
        sorted_ys.sort();
        keys.sort_by(|x, y| y.cmp(x));
        prop_assert_eq!(found.0, sorted_xs);
        prop_assert_eq!(found.1, sorted_ys);
        prop_assert_eq!(found.2, keys);
        let place = |x: i16| xs.iter().position(|&y| x == y).unwrap() as u32;
        let place_y = |x: (u8, bool)| ys.iter().position(|&y| x == y).unwrap() as u32;
        let (least, most) = (sorted_xs[0], sorted_xs[6]);
        let (least_y, most_y) = (sorted_ys[0], sorted_ys[5]);
        prop_assert_eq!(found.3, ((place(most), most), (place(least), least),
            (place_y(most_y), most_y), (place_y(least_y), least_y)));
    }

    #[test]
    fn public_tables_are_looked_up(place in 0u8..20) {
        let table: Vec<u128> = (0..13).map(|i| i * i).collect();
        let found = run(|place: U8, (): ()| U8::lookup(&table, place), place, ());
        prop_assert_eq!(u128::from(found), table.get(usize::from(place)).copied().unwrap_or(0));
    }
}

#[test]
fn keys_that_are_bits_of_the_elements_cost_no_exchange() {
    let ands = |sort: fn(&mut [(U32, U8)])| {
        let (circuit, _) = common::circuit(|mut xs: [(U32, U8); 8], (): ()| {
            sort(&mut xs);
            xs
        });
        circuit.gates.ands()
    };
    let comparisons = halfgate_circuit::sort::comparisons(8);
    assert_eq!(ands(|xs| xs.sort_values_by_key(|x| x.0)), comparisons * (32 + 40));
    assert_eq!(ands(|xs| xs.sort_values_by_key(|x| x.0.as_signed())), comparisons * (32 + 40));
    assert_eq!(ands(|xs| xs.sort_values()), comparisons * (40 + 40));
}

#[test]
#[should_panic(expected = "the entry 16 does not fit an unsigned integer of 4 bits")]
fn entries_must_fit() {
    Uint::<4>::lookup(&[15, 16], U8::from(0));
}
