//! Tests of modular arithmetic, overflow and saturation, counting zeros, and fast adders.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn modular((width, values) in pairs(1..=64), moduli in prop::collection::vec(any::<u128>(), 64)) {
        let values: Vec<[u128; 3]> = values
            .iter()
            .zip(moduli)
            .map(|(&[x, y], m)| {
                let m = (m & mask(width)).max(1);
                [x % m, y % m, m]
            })
            .collect();
        let circuit = circuit([width; 3], |b, [x, y, m]| {
            [add_mod(b, x, y, m), sub_mod(b, x, y, m)].concat()
        });
        for (&[x, y, m], found) in values.iter().zip(outputs(&circuit, &values)) {
            prop_assert_eq!(found, ((x + y) % m) | (((x + m - y) % m) << width));
        }
        let circuit = super::circuit([width; 3], |b, [x, y, m]| mul_mod(b, x, y, m));
        for (&[x, y, m], found) in values.iter().zip(outputs(&circuit, &values)) {
            prop_assert_eq!(found, x * y % m);
        }
        let [_, _, m] = values[0];
        let public: Vec<[u128; 2]> = values.iter().map(|&[x, y, _]| [x % m, y % m]).collect();
        let narrow = 128 - m.leading_zeros() as usize;
        check(width, &public, |b, x, y| {
            let modulus = constant(narrow, m);
            let (x, y) = (&x[..narrow], &y[..narrow]);
            [add_mod(b, x, y, &modulus), sub_mod(b, x, y, &modulus)].concat()
        }, |x, y| ((x + y) % m) | (((x + m - y) % m) << narrow));
        let circuit = super::circuit([width; 2], |b, [x, y]| {
            mul_mod_constant(b, &x[..narrow], &y[..narrow], m)
        });
        for (&[x, y], found) in public.iter().zip(outputs(&circuit, &public)) {
            prop_assert_eq!(found, x * y % m);
        }
    }

    #[test]
    fn sums_that_do_not_fit((width, values) in pairs(1..=64)) {
        let flagged = |value: u128, wrong: bool| value & mask(width) | u128::from(wrong) << width;
        let joined = |(mut value, flag): (Vec<Bit>, Bit)| { value.push(flag); value };
        let limit = |value: i128| {
            let most = (mask(width) / 2) as i128;
            value.clamp(-most - 1, most) as u128 & mask(width)
        };
        let s = |x| signed(x, width);
        let out = |value: i128| s(value as u128 & mask(width)) != value;
        check(width, &values, |b, x, y| joined(add_overflowing_unsigned(b, x, y)), |x, y| x + y);
        check(width, &values, |b, x, y| joined(sub_overflowing_unsigned(b, x, y)), |x, y| flagged(x.wrapping_sub(y), x < y));
        check(width, &values, |b, x, y| joined(add_overflowing_signed(b, x, y)), |x, y| flagged((s(x) + s(y)) as u128, out(s(x) + s(y))));
        check(width, &values, |b, x, y| joined(sub_overflowing_signed(b, x, y)), |x, y| flagged((s(x) - s(y)) as u128, out(s(x) - s(y))));
        check(width, &values, saturating_add_unsigned, |x, y| (x + y).min(mask(width)));
        check(width, &values, saturating_sub_unsigned, |x, y| x.saturating_sub(y));
        check(width, &values, saturating_add_signed, |x, y| limit(s(x) + s(y)));
        check(width, &values, saturating_sub_signed, |x, y| limit(s(x) - s(y)));
        check(width, &values, abs_diff_unsigned, |x, y| x.abs_diff(y));
        check(width, &values, add_fast, |x, y| (x + y) & mask(width));
        check(width, &values, |b, x, y| vec![lt_unsigned_fast(b, x, y)], |x, y| (x < y).into());
    }

    #[test]
    fn zeros((width, values) in pairs(1..=64), shift in 0..64u32) {
        let values: Vec<[u128; 1]> = values.iter().flat_map(|&[x, _]| [[x >> shift], [(x << shift) & mask(width)]]).collect();
        let counts = circuit([width], |b, [x]| [trailing_zeros(b, x), leading_zeros(b, x)].concat());
        for values in values.chunks(64) {
            for (&[x], found) in values.iter().zip(outputs(&counts, values)) {
                let w = width as u128;
                let trailing = u128::from(x.trailing_zeros()).min(w);
                let leading = u128::from(x.leading_zeros()) - (128 - w);
                let bits = (width.ilog2() + 1) as usize;
                prop_assert_eq!(found, trailing | leading << bits, "{:#x} of {} bits", x, width);
            }
        }
    }
}
