//! Tests of products, squares and sums of many values.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn squares_and_signed_products((width, values) in pairs(1..=64)) {
        check(width, &values, |b, x, _| square(b, x), |x, _| x.wrapping_mul(x) & mask(width));
        check(width, &values, |b, x, _| square_full(b, x), |x, _| x * x);
        check(width, &values, mul_full_signed, |x, y| {
            (signed(x, width) * signed(y, width)) as u128 & mask(2 * width)
        });
        for low in [1, width - width / 3, width, width + width / 2, 2 * width] {
            check(width, &values, |b, x, y| mul_low_signed(b, x, y, low), |x, y| {
                (signed(x, width) * signed(y, width)) as u128 & mask(low)
            });
            check(width, &values, |b, x, _| square_low(b, x, low), |x, _| (x * x) & mask(low));
        }
    }

    /// Every kind of split: operands of two widths, and any number of low bits of the product.
    #[test]
    fn products_of_different_widths(
        n in 1..=100usize, m in 1..=28usize,
        values in prop::collection::vec(any::<[u128; 2]>(), 16),
    ) {
        let values: Vec<[u128; 2]> =
            values.into_iter().map(|[x, y]| [x & mask(n), y & mask(m)]).collect();
        let product = circuit([n, m], |b, [x, y]| mul_full(b, x, y));
        let swapped = circuit([n, m], |b, [x, y]| mul_full(b, y, x));
        let signed_product = circuit([n, m], |b, [x, y]| mul_full_signed(b, x, y));
        let found = outputs(&product, &values).into_iter().zip(outputs(&swapped, &values));
        let found = found.zip(outputs(&signed_product, &values));
        for (&[x, y], ((one, other), with_sign)) in values.iter().zip(found) {
            prop_assert_eq!([one, other], [x * y; 2], "{} by {} bits", n, m);
            let expected = (signed(x, n) * signed(y, m)) as u128 & mask(n + m);
            prop_assert_eq!(with_sign, expected, "{} by {} bits, signed", n, m);
        }
    }

    #[test]
    fn sums_of_many(
        widths in prop::collection::vec(0..=32usize, 0..12),
        width in 1..=40usize,
        values in prop::collection::vec(prop::collection::vec(any::<u32>(), 12), 16),
    ) {
        let mut b = Builder::new();
        let inputs: Vec<Vec<Bit>> = (widths.iter().enumerate())
            .map(|(i, &n)| {
                let port = b.input(format!("x{i}"), Party::Garbler, n.max(1) as u32);
                port[..n].to_vec()
            })
            .collect();
        let slices: Vec<&[Bit]> = inputs.iter().map(Vec::as_slice).collect();
        let total = sum(&mut b, &slices, width);
        b.output("y", &total);
        let circuit = b.finish().unwrap();
        for values in values {
            let ports: Vec<_> = (widths.iter().zip(&values))
                .map(|(&n, &value)| crate::Bits::from_integer(value.into(), n.max(1)))
                .collect();
            let found = crate::clear::evaluate(&circuit, &ports, 1).unwrap().remove(0);
            let kept = widths.iter().zip(&values).map(|(&n, &value)| u128::from(value) & mask(n));
            prop_assert_eq!(found.to_integer(), Some(kept.sum::<u128>() & mask(width)));
        }
    }
}
