//! Compares fixed-point numbers with exact integer arithmetic.

use crate::common::{circuit, encode, run};
use halfgate_circuit::{Element, ElementType};
use halfgate_secret::{
    Bool, F32, F64, Fixed, Int, List, Native, Secret, U8, UFixed, Uint, ValueError,
};
use proptest::prelude::*;
use std::panic::catch_unwind;

/// `value` in `bits` bits, wrapped.
fn wrap(value: i128, bits: usize, signed: bool) -> i128 {
    let low = value << (128 - bits);
    if signed { low >> (128 - bits) } else { (low as u128 >> (128 - bits)) as i128 }
}

/// `value`, or the nearest number of `bits` bits.
fn saturate(value: i128, bits: usize, signed: bool) -> i128 {
    let most = (1i128 << (bits - usize::from(signed))) - 1;
    value.clamp(if signed { -most - 1 } else { 0 }, most)
}

/// The floor of `x / 2^drop` plus a half.
fn nearest(x: i128, drop: usize) -> i128 {
    if drop == 0 { x } else { (x + (1 << (drop - 1))) >> drop }
}

/// The floor of `x 2^fraction / y` plus a half.
fn quotient(x: i128, y: i128, fraction: usize) -> i128 {
    let (x, y) = if y < 0 { (-x, -y) } else { (x, y) };
    (2 * (x << fraction) + y).div_euclid(2 * y)
}

/// Tests of one type, against integers that count multiples of its unit.
macro_rules! kind {
    ($name:ident, $Fixed:ident, $Int:ident, $n:literal, $f:literal, $signed:literal) => {
        mod $name {
            use super::*;
            type Raw = $Int<$n>;
            type X = $Fixed<$n, $f>;

            /// Arbitrary values; small ones and extremes are more frequent.
            fn values() -> impl Strategy<Value = i128> {
                let near = |bit: u32| (-2i128..=2).prop_map(move |off| (1i128 << bit) + off);
                let powers = (0..$n as u32).prop_flat_map(near);
                let negative = powers.clone().prop_map(|x: i128| -x);
                let small = -3i128..=3;
                prop_oneof![any::<i64>().prop_map(i128::from), powers, negative, small]
                    .prop_map(|x| wrap(x, $n, $signed))
            }

            fn raw(value: i128) -> <Raw as Native>::Clear {
                value.try_into().expect("a value of the type")
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(48))]

                #[test]
                fn arithmetic(x in values(), y in values()) {
                    let found = run(
                        |x: Raw, y: Raw| {
                            let (x, y) = (X::from_raw(x), X::from_raw(y));
                            [x + y, x - y, x * y, x * x, x / y, x.saturating_add(y),
                                x.saturating_sub(y), x.saturating_mul(y), x.saturating_mul(x),
                                x.min(y), x.max(y)].map(X::raw)
                        },
                        raw(x), raw(y),
                    );
                    let wrapped = |value| wrap(value, $n, $signed);
                    let saturated = |value| saturate(value, $n, $signed);
                    let by_zero = if x < 0 { i128::MIN } else { i128::MAX };
                    let divided = match y {
                        0 => saturated(by_zero),
                        _ => wrapped(quotient(x, y, $f)),
                    };
                    let expected = [wrapped(x + y), wrapped(x - y), wrapped(nearest(x * y, $f)),
                        wrapped(nearest(x * x, $f)), divided, saturated(x + y), saturated(x - y),
                        saturated(nearest(x * y, $f)), saturated(nearest(x * x, $f)), x.min(y),
                        x.max(y)];
                    prop_assert_eq!(found, expected.map(raw), "{} {}", x, y);

                    let found = run(
                        |x: Raw, y: Raw| {
                            let (x, y) = (X::from_raw(x), X::from_raw(y));
                            [x.lt(y), x.le(y), x.gt(y), x.ge(y), x.equals(y), x.differs(y),
                                x.is_zero()]
                        },
                        raw(x), raw(y),
                    );
                    prop_assert_eq!(found, [x < y, x <= y, x > y, x >= y, x == y, x != y, x == 0]);
                }

                #[test]
                fn by_a_constant(x in values(), y in values()) {
                    let found = run(
                        |x: Raw, (): ()| {
                            let x = X::from_raw(x);
                            let y = X::from_raw($Int::<$n>::from(raw(y)));
                            [x + y, x * y, x / y, y / x].map(X::raw)
                        },
                        raw(x), (),
                    );
                    let wrapped = |value| wrap(value, $n, $signed);
                    let divided = |x: i128, y| match y {
                        0 if x < 0 => saturate(i128::MIN, $n, $signed),
                        0 => saturate(i128::MAX, $n, $signed),
                        _ => wrapped(quotient(x, y, $f)),
                    };
                    let expected = [wrapped(x + y), wrapped(nearest(x * y, $f)), divided(x, y),
                        divided(y, x)];
                    prop_assert_eq!(found, expected.map(raw), "{} {}", x, y);
                }

                #[test]
                fn integers_and_other_formats(x in values()) {
                    let found = run(
                        |x: Raw, (): ()| {
                            let x = X::from_raw(x);
                            ([x.floor(), x.round(), x.ceil()],
                                X::from_int(x.raw()).raw(),
                                [x.cast::<12, 3>().raw(), x.cast::<12, 12>().raw()],
                                x.cast::<100, 64>().raw(), x.cast::<100, 0>().raw())
                        },
                        raw(x), (),
                    );
                    let to = |drop: i32, bits| {
                        let value = match usize::try_from(drop) {
                            Ok(drop) => nearest(x, drop),
                            Err(_) => x << -drop,
                        };
                        wrap(value, bits, $signed)
                    };
                    let whole = [x >> $f, nearest(x, $f), -(-x >> $f)];
                    prop_assert_eq!(found.0, whole.map(raw), "{}", x);
                    prop_assert_eq!(found.1, raw(wrap(x << $f, $n, $signed)));
                    prop_assert_eq!(found.2.map(i128::from), [to($f - 3, 12), to($f - 12, 12)]);
                    prop_assert_eq!(found.3 as i128, to($f - 64, 100));
                    prop_assert_eq!(found.4 as i128, to($f, 100));
                }
            }
        }
    };
}

kind!(signed_8_4, Fixed, Int, 8, 4, true);
kind!(signed_8_8, Fixed, Int, 8, 8, true);
kind!(signed_5_1, Fixed, Int, 5, 1, true);
kind!(signed_16_0, Fixed, Int, 16, 0, true);
kind!(signed_32_16, Fixed, Int, 32, 16, true);
kind!(signed_48_40, Fixed, Int, 48, 40, true);
kind!(signed_62_31, Fixed, Int, 62, 31, true);
kind!(unsigned_8_4, UFixed, Uint, 8, 4, false);
kind!(unsigned_8_8, UFixed, Uint, 8, 8, false);
kind!(unsigned_16_0, UFixed, Uint, 16, 0, false);
kind!(unsigned_32_16, UFixed, Uint, 32, 16, false);
kind!(unsigned_62_31, UFixed, Uint, 62, 31, false);

/// Every pair of a small type, including ties, extremes and zeros.
#[test]
fn all_pairs_of_a_small_type() {
    type X = Fixed<5, 2>;
    let (circuit, shape) = circuit(|x: Int<5>, y: Int<5>| {
        let (x, y) = (X::from_raw(x), X::from_raw(y));
        [x * y, x / y, x.saturating_mul(y)].map(X::raw)
    });
    for (x, y) in (-16..16i8).flat_map(|x| (-16..16i8).map(move |y| (x, y))) {
        let inputs = [x, y].map(|value| encode::<Int<5>>(&value));
        let found = halfgate_circuit::clear::evaluate(&circuit, &inputs, 1).expect("it runs");
        let mut bits = found[0].iter();
        let found = <[Int<5>; 3]>::decode(&shape, &mut || bits.next().expect("a bit"));
        let (x, y) = (i128::from(x), i128::from(y));
        let divided = match y {
            0 => {
                if x < 0 {
                    -16
                } else {
                    15
                }
            }
            _ => wrap(quotient(x, y, 2), 5, true),
        };
        let product = nearest(x * y, 2);
        let expected = [wrap(product, 5, true), divided, saturate(product, 5, true)];
        assert_eq!(found.map(i128::from), expected, "{x} {y}");
    }
}

#[test]
fn plain_numbers_on_either_side() {
    type X = Fixed<32, 8>;
    let found = run(
        |x: X, y: X| {
            let mut z = x;
            z += 1;
            z *= 2.5;
            z -= y;
            z /= 2u8;
            [
                x + 1,
                1.5 + x,
                3 - x,
                x * 0.25,
                10 / x,
                x / -2,
                -x,
                x.abs(),
                z,
                x.clamp(-1, 1.5f32),
                [x, y].iter().sum::<X>(),
                [x, y].iter().product::<X>(),
            ]
        },
        -2.5,
        0.75,
    );
    let z = ((-2.5 + 1.0) * 2.5 - 0.75) / 2.0;
    // -1.875 is an exact number of 256ths; -1.5 * 2.5 and its half are exact, too.
    assert_eq!(found, [-1.5, -1.0, 5.5, -0.625, -4.0, 1.25, 2.5, 2.5, z, -1.0, -1.75, -1.875]);
    let negative = run(|x: X, (): ()| [x.is_negative(), (-x).is_negative()], -2.5, ());
    assert_eq!(negative, [true, false]);
    let bits = run(|x: X, (): ()| x.as_unsigned().as_signed(), -2.5, ());
    assert_eq!(bits, -2.5);
}

/// Plain numbers are rounded to the nearest, ties to even.
#[test]
fn plain_values_and_their_range() {
    fn encoded<T: Native<Clear = f64, Shape = ()>>(value: f64) -> Result<f64, ValueError> {
        let mut bits = Vec::new();
        T::encode(&(), &value, &mut |bit| bits.push(bit))?;
        let mut bits = bits.into_iter();
        Ok(T::decode(&(), &mut || bits.next().expect("a bit")))
    }
    let signed = encoded::<Fixed<8, 4>>;
    for (value, expected) in [
        (0.0, 0.0),
        (-0.0, 0.0),
        (7.9375, 7.9375),
        (-8.0, -8.0),
        (-8.03, -8.0),
        (0.03125, 0.0),
        (0.09375, 0.125),
        (-0.09375, -0.125),
        (3.3, 3.3125),
        (1e-300, 0.0),
    ] {
        assert_eq!(signed(value), Ok(expected), "{value}");
    }
    for value in [7.97, 8.0, -8.04, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let error = signed(value).expect_err("out of range");
        let printed = "the value is not a number from -8 to 7.9375, the range of 8 bits with 4 after \
                    the point";
        assert_eq!(error.to_string(), printed, "{value}");
    }
    let unsigned = encoded::<UFixed<8, 8>>;
    assert_eq!(unsigned(255.0 / 256.0), Ok(255.0 / 256.0));
    assert_eq!(unsigned(-0.001), Ok(0.0));
    for value in [-0.01, 1.0, 0.9999] {
        let error = unsigned(value).expect_err("out of range").to_string();
        assert!(error.contains("from 0 to 0.99609375"), "{error}");
    }
    // The extremes of wide types.
    let wide = encoded::<Fixed<128, 127>>;
    assert_eq!([wide(-1.0), wide(0.5)], [Ok(-1.0), Ok(0.5)]);
    assert!(wide(1.0).is_err());
    let all = encoded::<UFixed<128, 0>>;
    assert_eq!(all(2f64.powi(127)), Ok(2f64.powi(127)));
    assert!(all(2f64.powi(128)).is_err() && all(-1.0).is_err());
}

#[test]
fn constants_out_of_range_panic() {
    type X = Fixed<8, 4>;
    assert_eq!(run(|(): (), (): ()| [X::from(-8), X::from(7.9375)], (), ()), [-8.0, 7.9375]);
    for wrong in [
        catch_unwind(|| X::from(8)).err(),
        catch_unwind(|| X::from(-9)).err(),
        catch_unwind(|| X::from(f64::NAN)).err(),
        catch_unwind(|| X::from(7.97)).err(),
        catch_unwind(|| X::from(u128::MAX)).err(),
        catch_unwind(|| UFixed::<8, 4>::from(-1)).err(),
    ] {
        let panic = wrong.expect("it is out of range");
        let printed = panic.downcast_ref::<String>().expect("a text");
        assert!(printed.contains("out of range: it must be from"), "{printed}");
    }
}

#[test]
fn floats_become_fixed_and_return() {
    type X = Fixed<32, 16>;
    for value in [0.0, 1.5, -1.5, 1.0 / 65536.0, -32768.0, 0.1, 32767.99] {
        let found = run(|x: F64, (): ()| X::from_float(x), value, ());
        assert_eq!(found, (value * 65536.0).round_ties_even() / 65536.0);
        let back = run(|x: X, (): ()| (x.to_float::<64>(), x.to_float::<32>()), value, ());
        assert_eq!(back, (found, found as f32));
        let narrow = run(|x: F32, (): ()| X::from_float(x), value as f32, ());
        assert_eq!(narrow, (f64::from(value as f32) * 65536.0).round_ties_even() / 65536.0);
    }
    let edges =
        run(|(x, y): (F64, F64), z: F64| [x, y, z].map(X::from_float), (1e9, -1e9), f64::NAN);
    assert_eq!(edges, [32768.0 - 1.0 / 65536.0, -32768.0, 0.0]);
}

#[test]
fn fixed_point_values_are_selected_read_and_sorted() {
    type X = Fixed<16, 8>;
    let element = Element::Fixed { fraction: 8 };
    assert_eq!(X::elements(&()), Some(ElementType { element, width: 16 }));
    let element = Element::FixedUnsigned { fraction: 3 };
    assert_eq!(<[UFixed<9, 3>; 4]>::elements(&()), Some(ElementType { element, width: 9 }));
    let found = run(
        |mut xs: [X; 4], (c, place): (Bool, U8)| {
            let chosen = c.select(xs[0], 0.5);
            let read = xs.read(place);
            xs.sort_values();
            (chosen, read, xs)
        },
        [1.5, -2.25, 0.0, -0.5],
        (false, 1),
    );
    assert_eq!(found, (0.5, -2.25, [-2.25, -0.5, 0.0, 1.5]));
    assert_eq!(format!("{:?}", X::from(1)), "Fixed<16, 8>(secret)");
}

/// The AND counts in the documentation.
#[test]
fn ands() {
    fn of<X: Secret<Shape: Default>, O: Secret>(f: impl FnOnce(X, X) -> O) -> u64 {
        circuit(f).0.gates.ands()
    }
    macro_rules! row {
        ($X:ty) => {
            [
                of(|x: $X, y: $X| x + y),
                of(|x: $X, y: $X| x * y),
                of(|x: $X, _: $X| x * x),
                of(|x: $X, y: $X| x / y),
                of(|x: $X, y: $X| x.saturating_mul(y)),
            ]
        };
    }
    assert_eq!(
        [row!(Fixed<32, 16>), row!(UFixed<32, 16>), row!(Fixed<64, 32>)],
        [[31, 1684, 940, 1544, 1815], [31, 1654, 909, 1449, 1705], [63, 5534, 3086, 5270, 5663],]
    );
    // The AND counts of floats with which the guide compares fixed point.
    let floats = [of(|x: F32, y: F32| x * y), of(|x: F32, y: F32| x + y)];
    assert_eq!(floats, [1454, 525]);
    let free = of(|x: Fixed<32, 16>, _: Fixed<32, 16>| (x.cast::<40, 20>(), x.floor()));
    assert_eq!(free, 0);
    let rounded = of(|x: Fixed<32, 16>, _: Fixed<32, 16>| (x.cast::<32, 8>(), x.round()));
    assert!(rounded <= 31 + 16, "{rounded}");
}
