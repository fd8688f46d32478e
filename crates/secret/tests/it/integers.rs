//! Compares operators and methods of integers with Rust's.

use crate::common::{self, circuit, run};
use halfgate_secret::{Bool, I8, Int, Native, U8, U32, Uint};
use proptest::prelude::*;

/// Tests every operator of one width against Rust's integers `$u` and `$i`.
macro_rules! width {
    ($name:ident, $n:literal, $u:ty, $i:ty) => {
        mod $name {
            use super::*;
            type U = Uint<$n>;
            type I = Int<$n>;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(24))]

                #[test]
                fn unsigned(x in edges::<$u>(), y in edges::<$u>(), s in 0..2 * $n as u32) {
                    let found = run(
                        |x: U, y: U| ([x + y, x - y, x * y, x & y, x | y, x ^ y, !x, x / y, x % y],
                            [x.min(y), x.max(y), x.abs_diff(y), x.saturating_add(y),
                            x.saturating_sub(y), x.wrapping_neg(), x.pow(5), x.clamp(3, 100)]),
                        x, y,
                    );
                    let quotient = x.checked_div(y).unwrap_or(<$u>::MAX);
                    let rest = x.checked_rem(y).unwrap_or(x);
                    let expected = (
                        [x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y), x & y, x | y,
                            x ^ y, !x, quotient, rest],
                        [x.min(y), x.max(y), x.abs_diff(y), x.saturating_add(y),
                            x.saturating_sub(y), x.wrapping_neg(), x.wrapping_pow(5),
                            x.clamp(3, 100)],
                    );
                    prop_assert_eq!(found, expected);

                    let found = run(|x: U, y: U| [x.lt(y), x.le(y), x.gt(y), x.ge(y), x.equals(y),
                        x.differs(y), x.is_zero(), x.equals(x)], x, y);
                    let expected = [x < y, x <= y, x > y, x >= y, x == y, x != y, x == 0, true];
                    prop_assert_eq!(found, expected);

                    let found = run(|x: U, s: U32| (
                        [x << s, x >> s, x.rotate_left(s), x.rotate_right(s)],
                        [x.count_ones(), x.count_zeros()],
                    ), x, s);
                    let shifted = [x.checked_shl(s).unwrap_or(0), x.checked_shr(s).unwrap_or(0)];
                    let rotated = [x.rotate_left(s), x.rotate_right(s)];
                    prop_assert_eq!(&found.0[..2], shifted);
                    prop_assert_eq!(&found.0[2..], rotated);
                    prop_assert_eq!(found.1, [x.count_ones(), x.count_zeros()]);

                    let found = run(|x: U, (): ()| [x << s, x >> s, x.rotate_left(s),
                        x.rotate_right(s), x.reverse_bits()], x, ());
                    prop_assert_eq!(&found[..2], shifted);
                    prop_assert_eq!(&found[2..4], rotated);
                    prop_assert_eq!(found[4], x.reverse_bits());
                }

                #[test]
                fn signed(x in edges::<$i>(), y in edges::<$i>(), s in 0..2 * $n as u32) {
                    let found = run(
                        |x: I, y: I| ([x + y, x - y, x * y, x & y, x | y, x ^ y, !x, x / y, x % y],
                            [x.min(y), x.max(y), -x, x.abs(), x.signum(), x.pow(3)],
                            [x.unsigned_abs(), x.abs_diff(y)]),
                        x, y,
                    );
                    let by_zero = if x < 0 { 1 } else { -1 };
                    let quotient = if y == 0 { by_zero } else { x.wrapping_div(y) };
                    let rest = if y == 0 { x } else { x.wrapping_rem(y) };
                    let expected = (
                        [x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y), x & y, x | y,
                            x ^ y, !x, quotient, rest],
                        [x.min(y), x.max(y), x.wrapping_neg(), x.wrapping_abs(), x.signum(),
                            x.wrapping_pow(3)],
                        [x.unsigned_abs(), x.abs_diff(y)],
                    );
                    prop_assert_eq!(found, expected);

                    let found = run(|x: I, y: I| [x.lt(y), x.le(y), x.gt(y), x.ge(y), x.equals(y),
                        x.differs(y), x.is_zero(), x.is_negative()], x, y);
                    let expected = [x < y, x <= y, x > y, x >= y, x == y, x != y, x == 0, x < 0];
                    prop_assert_eq!(found, expected);

                    let found = run(|x: I, s: U32| [x << s, x >> s], x, s);
                    let all = $n as u32 - 1;
                    prop_assert_eq!(found, [x.checked_shl(s).unwrap_or(0), x >> s.min(all)]);
                }
            }
        }
    };
}

/// Arbitrary values; small ones and extremes are more frequent.
fn edges<T: Arbitrary + Clone + 'static + TryFrom<i128>>() -> impl Strategy<Value = T> {
    let small = (-3i128..=3).prop_filter_map("in range", |x| T::try_from(x).ok());
    let powers = (0..128u32, -1i128..=1).prop_filter_map("in range", |(bit, off)| {
        T::try_from((1i128.checked_shl(bit)?).checked_add(off)?).ok()
    });
    prop_oneof![any::<T>(), small, powers]
}

width!(bits_8, 8, u8, i8);
width!(bits_16, 16, u16, i16);
width!(bits_32, 32, u32, i32);
width!(bits_64, 64, u64, i64);
width!(bits_128, 128, u128, i128);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A width without a plain integer type: results are modulo 2^13.
    #[test]
    fn odd_widths_wrap(x in 0u16..1 << 13, y in 0u16..1 << 13) {
        let kept = |x: u16| x & 0x1fff;
        let found = run(|x: Uint<13>, y: Uint<13>| [x + y, x - y, x * y, !x, x << 2], x, y);
        let expected = [x + y, x.wrapping_sub(y), x.wrapping_mul(y), !x, x << 2].map(kept);
        prop_assert_eq!(found, expected);
        let (a, b) = (x as i16 - 4096, y as i16 - 4096);
        let found = run(|x: Int<13>, y: Int<13>| ([x.cast::<20>(), x.cast::<20>() * y.cast()],
            x.cast::<4>(), x.lt(y)), a, b);
        let low = (a as i8) << 4 >> 4;
        prop_assert_eq!(found, ([a.into(), ((i32::from(a) * i32::from(b)) << 12) >> 12], low, a < b));
    }

    /// Plain integers, especially literals, work on either side of every operator.
    #[test]
    fn plain_integers_on_either_side(x: u32, y: i32) {
        let found = run(|x: U32, (): ()| {
            let mut z = x;
            z += 3;
            z *= 5u8;
            z -= 1u32;
            z ^= 0xffff;
            z <<= 2;
            z >>= 1u8;
            [x + 1, 1 + x, x * 3_000_000_000u32, 7 - x, x / 10, 1000 / x, x % 10, z,
                [x].iter().zip(&[x]).map(|(x, y)| x + y).sum()]
        }, x, ());
        let z = (x.wrapping_add(3).wrapping_mul(5).wrapping_sub(1) ^ 0xffff) << 2 >> 1;
        let by_x = 1000u32.checked_div(x).unwrap_or(u32::MAX);
        prop_assert_eq!(found, [x.wrapping_add(1), x.wrapping_add(1),
            x.wrapping_mul(3_000_000_000), 7u32.wrapping_sub(x), x / 10, by_x, x % 10, z,
            x.wrapping_mul(2)]);
        let found = run(|x: Int<32>, (): ()| [x + -5, -5 - x, x / -7, x.max(-100)], y, ());
        prop_assert_eq!(found, [y.wrapping_sub(5), (-5i32).wrapping_sub(y), y / -7, y.max(-100)]);
    }

    #[test]
    fn widening_and_carries(x: u64, y: u64) {
        let found = run(|x: Uint<64>, y: Uint<64>| {
            let (sum, carry) = x.overflowing_add(y);
            (x.widening_mul::<128>(y), sum, carry, Uint::<128>::concat(x, y))
        }, x, y);
        let (sum, carry) = x.overflowing_add(y);
        let concat = u128::from(x) << 64 | u128::from(y);
        prop_assert_eq!(found, (u128::from(x) * u128::from(y), sum, carry, concat));
    }

    #[test]
    fn signed_widening(x: i64, y: i64, small: i8) {
        let found = run(|x: Int<64>, y: Int<64>| x.widening_mul::<128>(y), x, y);
        prop_assert_eq!(found, i128::from(x) * i128::from(y));
        let (x, y) = (x as i8, y as i32);
        let found = run(|x: Int<8>, y: Int<32>| {
            // Sign-extended, cut off, squared, by a constant, and of different widths.
            (x.widening_mul::<20>(small), x.widening_mul::<5>(x), x.widening_mul::<16>(x),
                x.cast::<32>().widening_mul::<64>(y))
        }, x, y);
        let square = i16::from(x) * i16::from(x);
        let expected = (i32::from(x) * i32::from(small), (square << 11 >> 11) as i8, square,
            i64::from(x) * i64::from(y));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn bools_are_bools(x: bool, y: bool) {
        let found = run(|x: Bool, y: Bool| {
            let mut all = x & true;
            all &= y;
            let mut any = x;
            any |= y;
            [x & y, x | y, x ^ y, !x, x.equals(y), x.differs(y), true ^ x, all, any]
        }, x, y);
        prop_assert_eq!(found, [x & y, x | y, x ^ y, !x, x == y, x != y, !x, x & y, x | y]);
        let sum = run(|x: Bool, y: Bool| U8::from(x) + y + I8::from(x).as_unsigned(), x, y);
        prop_assert_eq!(sum, 2 * u8::from(x) + u8::from(y));
    }

    #[test]
    fn integers_convert_to_bools_and_back(x: u8) {
        let found = run(|x: U8, (): ()| (U8::from_bools(x.to_bools()), x.bit(3)), x, ());
        prop_assert_eq!(found, (x, x >> 3 & 1 == 1));
    }
}

/// The extremes of every small width, and the AND counts in the documentation.
#[test]
fn signed_products_in_full() {
    fn exhaustive<const N: usize, const M: usize>()
    where
        Int<N>: Native<Clear = i8, Shape = ()>,
        Int<M>: Native<Clear = i8, Shape = ()>,
    {
        let values = || -(1i8 << (N - 1))..=((1i8 << (N - 1)) - 1);
        for (x, y) in values().flat_map(|x| values().map(move |y| (x, y))) {
            let found =
                run(|x: Int<N>, y: Int<N>| [x.widening_mul::<M>(y), x.widening_mul::<M>(x)], x, y);
            assert_eq!(found, [x * y, x * x], "{x} {y}");
        }
    }
    exhaustive::<1, 2>();
    exhaustive::<2, 4>();
    exhaustive::<3, 6>();
    exhaustive::<3, 8>();
    exhaustive::<4, 8>();
    let product = |x: Int<32>, y: Int<32>| x.widening_mul::<64>(y);
    assert_eq!(circuit(product).0.gates.ands(), 1719);
    let product = |x: Int<64>, y: Int<64>| x.widening_mul::<128>(y);
    assert_eq!(circuit(product).0.gates.ands(), 5471);
    let square = |x: Int<32>, (): ()| x.widening_mul::<64>(x);
    assert!(circuit(square).0.gates.ands() < 1000);
}

/// One function for every width.
fn average<const N: usize>(x: Uint<N>, y: Uint<N>) -> Uint<N> {
    (x & y) + (x ^ y) / 2
}

#[test]
fn functions_may_be_generic_in_the_width() {
    assert_eq!(run(average::<8>, 255, 254), 254);
    assert_eq!(run(average::<20>, 1 << 19, 0), 1 << 18);
    assert_eq!(run(average::<128>, u128::MAX, u128::MAX), u128::MAX);
}

#[test]
fn constants_fold() {
    let (circuit, _) = common::circuit(|x: U32, (): ()| (x + 0, x * 8, x / 16, U32::from(7) * 6));
    assert_eq!(circuit.gates.ands(), 0);
}

/// A value times itself is a square, at half the cost. Its low bits are the same for signed values.
#[test]
fn a_value_times_itself_is_a_square() {
    fn exhaustive<const N: usize>()
    where
        Uint<N>: Native<Clear = u8, Shape = ()>,
    {
        let mask = u8::MAX >> (8 - N);
        for x in 0..=mask {
            let expected = x.wrapping_mul(x) & mask;
            assert_eq!(run(|x: Uint<N>, (): ()| x * x, x, ()), expected);
            let in_full = run(|x: Uint<N>, (): ()| x.widening_mul::<16>(x), x, ());
            assert_eq!(in_full, u16::from(x) * u16::from(x));
            let squared = run(
                |x: Uint<N>, (): ()| {
                    let x = x.as_signed();
                    (x * x).as_unsigned()
                },
                x,
                (),
            );
            assert_eq!(squared, expected);
        }
    }
    exhaustive::<1>();
    exhaustive::<2>();
    exhaustive::<3>();
    exhaustive::<5>();
    let ands = circuit(|x: U32, (): ()| x * x).0.gates.ands();
    assert_eq!(ands, 465);
}
