//! Compares operators and methods of floats with the processor's, bit for bit. All NaNs count as
//! equal.

use crate::common::run;
use halfgate_secret::{F32, F64, Float, I32, Int, List, U32, Uint};
use proptest::prelude::*;

/// Returns the bits of the values. All NaNs get the same bits.
fn bits<const K: usize>(values: [f32; K]) -> [u32; K] {
    values.map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() })
}

fn wide_bits<const K: usize>(values: [f64; K]) -> [u64; K] {
    values.map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() })
}

/// Arbitrary floats; special values are more frequent.
fn float() -> impl Strategy<Value = f32> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        3e9,
        -3e9,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-40,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(special.to_vec()),
        (-1000i32..1000).prop_map(|x| x as f32 / 8.0)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn single_precision(x in float(), y in float(), i: i32) {
        let found = run(|x: F32, y: F32| {
            let mut z = x;
            z += y;
            z *= 2.0;
            ([x + y, x - y, x * y, x / y, -x, x.abs(), x.sqrt(), x.floor(), x.ceil(), x.trunc(),
                x.round_ties_even(), x.copysign(y), x.mul_add(y, 0.5), x + 1.5, 2.0 / x, z],
            [x.lt(y), x.le(y), x.gt(y), x.ge(y), x.equals(y), x.differs(y), x.is_nan()])
        }, x, y);
        let expected = [x + y, x - y, x * y, x / y, -x, x.abs(), x.sqrt(), x.floor(), x.ceil(),
            x.trunc(), x.round_ties_even(), x.copysign(y), x.mul_add(y, 0.5), x + 1.5, 2.0 / x,
            (x + y) * 2.0];
        prop_assert_eq!(bits(found.0), bits(expected));
        prop_assert_eq!(found.1, [x < y, x <= y, x > y, x >= y, x == y, x != y, x.is_nan()]);

        if x != y {
            let found = run(|x: F32, y: F32| [x.min(y), x.max(y)], x, y);
            prop_assert_eq!(bits(found), bits([x.min(y), x.max(y)]));
        }

        let found = run(|x: F32, i: I32| (I32::from_float(x), U32::from_float(x),
            Int::<8>::from_float(x), i.to_float::<32>(), i.as_unsigned().to_float::<32>(),
            x.to_bits()), x, i);
        prop_assert_eq!((found.0, found.1, found.2), (x as i32, x as u32, x as i8));
        prop_assert_eq!((found.3, found.4, found.5), (i as f32, i as u32 as f32, x.to_bits()));
    }

    #[test]
    fn double_precision(x in float(), y in float(), bits_x: u64) {
        let (x, y) = (f64::from(x) * 1.1, f64::from(y));
        let found = run(|x: F64, y: F64| [x + y, x * y, x / y, x.sqrt(), x.cast::<32>().cast()], x, y);
        prop_assert_eq!(wide_bits(found), wide_bits([x + y, x * y, x / y, x.sqrt(),
            f64::from(x as f32)]));
        let found = run(|x: Uint<64>, (): ()| Float::<64>::from_bits(x), bits_x, ());
        prop_assert_eq!(found.to_bits(), bits_x);
    }

    #[test]
    fn floats_are_sorted_in_their_total_order(mut xs in prop::array::uniform6(float())) {
        let found = run(|mut xs: [F32; 6], (): ()| {
            xs.sort_values();
            xs
        }, xs, ());
        xs.sort_by(f32::total_cmp);
        prop_assert_eq!(found.map(f32::to_bits), xs.map(f32::to_bits));
    }

    #[test]
    fn sums_run_in_order(xs in prop::array::uniform5(float()), ys in prop::array::uniform5(float())) {
        let dot = |xs: [F32; 5], ys: [F32; 5]| xs.iter().zip(&ys).map(|(x, y)| x * y).sum::<F32>();
        let expected: f32 = xs.iter().zip(&ys).map(|(x, y)| x * y).sum();
        prop_assert_eq!(bits([run(dot, xs, ys)]), bits([expected]));
    }
}

/// One function for every precision.
fn mean<const N: usize>(xs: [Float<N>; 3]) -> Float<N> {
    xs.into_iter().sum::<Float<N>>() / 3.0
}

#[test]
fn functions_may_be_generic_in_the_precision() {
    assert_eq!(run(|xs, (): ()| mean::<32>(xs), [1.0, 2.0, 4.0], ()), 7.0 / 3.0);
    assert_eq!(run(|xs, (): ()| mean::<64>(xs), [1.0, 2.0, 4.0], ()), 7.0 / 3.0);
    // Half precision has no plain type, so the test converts through single precision.
    let half = |x: F32, (): ()| (x.cast::<16>() + 0.1).cast::<32>();
    assert_eq!(run(half, 1.0, ()), 1.0996094);
}
