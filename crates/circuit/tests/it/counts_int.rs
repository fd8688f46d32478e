//! Compares sizes of integer gadgets with their documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::{Bit, Builder, int};

type Binary = fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>;

/// A gadget of two values of `n` bits.
fn binary(name: &str, n: u32, f: Binary) -> Gadget {
    Gadget::new(format!("{name} {n}"), &[n, n], |b, x| f(b, &x[0], &x[1]))
}

/// The formulas at the top of `int/divide.rs` for the quotient: ANDs and AND depth.
fn quotient_size(n: u64) -> (u64, u32) {
    let narrow = (1..).take_while(|k| k * (k + 2) <= 2 * n).map(|k| k * (k + 1) / 2);
    let mut widths: Vec<u64> = narrow.take_while(|&m| m < n).collect();
    widths.insert(0, 0);
    widths.push(n);
    let steps: u64 = widths.windows(2).map(|w| (w[1] - w[0]) * w[1]).sum();
    let masks: u64 = widths[..widths.len() - 1].windows(2).map(|w| 2 * w[1] - w[0]).sum();
    (steps + masks + n - 2, (n - 1 + steps) as u32)
}

/// Sums and quotients.
fn quotients() -> Vec<Gadget> {
    let mut gadgets = Vec::new();
    for n in [8, 32, 64] {
        let wide = u64::from(n);
        let (quotient_ands, quotient_depth) = quotient_size(wide);
        gadgets.extend([
            binary("add", n, int::add).ands(wide - 1).and_depth(n - 1),
            binary("divide", n, int::div_unsigned).ands(quotient_ands).and_depth(quotient_depth),
            binary("divide with remainder", n, |b, x, y| {
                let (quotient, rest) = int::div_rem_unsigned(b, x, y);
                [quotient, rest].concat()
            })
            .ands(quotient_ands + 2 * wide - 1)
            .and_depth(quotient_depth + n),
            binary("signed divide", n, int::div_signed).ands(quotient_ands + 3 * (wide - 1)),
            binary("signed divide with remainder", n, |b, x, y| {
                let (quotient, rest) = int::div_rem_signed(b, x, y);
                [quotient, rest].concat()
            })
            .ands(quotient_ands + 2 * wide - 1 + 4 * (wide - 1)),
            Gadget::new(format!("divide {n} by 10"), &[n], |b, x| {
                int::div_rem_constant(b, &x[0], 10).0
            }),
        ]);
    }
    gadgets
}

/// Products and squares.
fn products() -> Vec<Gadget> {
    let mut gadgets = Vec::new();
    for n in [8, 15, 16, 32, 53, 64, 128] {
        let wide = u64::from(n);
        let mut multiply = binary("multiply", n, int::mul);
        let mut full = binary("multiply in full", n, int::mul_full);
        let mut square =
            Gadget::new(format!("square in full {n}"), &[n], |b, x| int::square_full(b, &x[0]));
        if n < 30 {
            multiply = multiply.ands(wide * (wide + 1) / 2 + (wide - 1) * (wide - 2) / 2);
        }
        if n < 16 {
            full = full.ands(wide * (2 * wide - 1));
        }
        if n < 20 {
            square = square.ands(wide * (wide - 1));
        }
        let signed = binary("signed multiply in full", n, int::mul_full_signed);
        assert!(signed.stats.ands <= full.stats.ands + 4 * wide - 2, "{}", signed.name);
        let low = Gadget::new(format!("square {n}"), &[n], |b, x| int::square(b, &x[0]));
        gadgets.extend([multiply, full, signed, low, square]);
    }
    gadgets
}

/// Sums of many values.
fn sums() -> Vec<Gadget> {
    let mut gadgets = Vec::new();
    for (k, n) in [(3, 8), (7, 16), (16, 32)] {
        let mut columns = k;
        let mut ands = 0;
        for _ in 1..n {
            ands += columns / 2;
            columns = k + columns / 2;
        }
        let sum = Gadget::new(format!("sum of {k} values, {n}"), &vec![n; k as usize], |b, x| {
            let values: Vec<&[Bit]> = x.iter().map(Vec::as_slice).collect();
            int::sum(b, &values, n as usize)
        });
        gadgets.push(sum.ands(ands));
    }
    gadgets
}

/// Arithmetic modulo a third value.
fn modular(n: u32) -> Vec<Gadget> {
    let mut gadgets = Vec::new();
    let wide = u64::from(n);
    let mut modular = |name: &str, f: fn(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>| {
        gadgets.push(Gadget::new(format!("{name} {n}"), &[n, n, n], f));
    };
    modular("add modulo", |b, x| int::add_mod(b, &x[0], &x[1], &x[2]));
    modular("subtract modulo", |b, x| int::sub_mod(b, &x[0], &x[1], &x[2]));
    modular("multiply modulo", |b, x| int::mul_mod(b, &x[0], &x[1], &x[2]));
    let count = gadgets.len();
    assert_eq!(gadgets[count - 3].stats.ands, 3 * wide);
    assert_eq!(gadgets[count - 2].stats.ands, 3 * wide - 1);
    gadgets
}

/// Saturating and fast arithmetic, and shifts.
fn others(n: u32) -> Vec<Gadget> {
    let wide = u64::from(n);
    let log = n.ilog2();
    vec![
        binary("saturating add", n, int::saturating_add_unsigned).ands(2 * wide),
        binary("saturating subtract", n, int::saturating_sub_unsigned).ands(2 * wide),
        binary("saturating signed add", n, int::saturating_add_signed).ands(2 * wide - 1),
        binary("saturating signed subtract", n, int::saturating_sub_signed).ands(2 * wide - 1),
        binary("absolute difference", n, int::abs_diff_unsigned).ands(2 * wide - 1),
        Gadget::new(format!("leading zeros {n}"), &[n], |b, x| int::leading_zeros(b, &x[0]))
            .ands(wide - 1)
            .and_depth(n - 1),
        binary("fast less than", n, |b, x, y| vec![int::lt_unsigned_fast(b, x, y)])
            .ands(3 * wide - 2 - u64::from(log))
            .and_depth(1 + log),
        binary("fast add", n, int::add_fast).and_depth(1 + log),
        binary("fast add", n + 1, int::add_fast).ands(u64::from(log) * wide + 1).and_depth(1 + log),
        binary("shift left", n, |b, x, y| int::shl(b, x, &y[..6])),
        binary("rotate left", n, |b, x, y| int::rotl(b, x, &y[..6])),
    ]
}

#[test]
fn integers() {
    let mut gadgets = quotients();
    gadgets.extend(products());
    gadgets.extend(sums());
    for n in [8, 32, 64] {
        gadgets.extend(modular(n));
        gadgets.extend(others(n));
    }
    check("int", &gadgets);
}
