//! Operations against hardware.

use super::*;
use crate::builder::Builder;
use crate::circuit::Party;
use crate::clear::evaluate_lanes;
#[test]
fn quick() {
    let f = BINARY64;
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 64);
    let y = b.input("y", Party::Garbler, 64);
    let z = mul(&mut b, f, &x, &y);
    b.output("z", &z);
    println!("ANDs {}", b.ands());
    let c = b.finish().unwrap();
    let mut s = 1u64;
    let mut next = || {
        s = s.wrapping_mul(0xd1342543de82ef95).wrapping_add(0x9e3779b97f4a7c15);
        s ^ (s >> 29)
    };
    let special: Vec<u64> = [
        0.0f64,
        1.0,
        1.5,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f64::INFINITY,
        f64::NAN,
        0.5,
        1.0 + f64::EPSILON,
        f64::from_bits(0xfffffffffffff),
        2f64.powi(-1000),
        2f64.powi(1000),
    ]
    .iter()
    .flat_map(|x| [x.to_bits(), (-x).to_bits()])
    .collect();
    let mut pairs = vec![];
    for &x in &special {
        for &y in &special {
            pairs.push((x, y));
        }
    }
    for _ in 0..2000 {
        let x = next();
        pairs.push((x, next()));
        let y = (next() & !(0x7ff << 52))
            | (0x7feu64.wrapping_sub(x >> 52 & 0x7ff).wrapping_sub(1000).wrapping_add(next() % 60)
                & 0x7ff)
                << 52;
        pairs.push((x, y));
        pairs.push((x & !(0x7ff << 52), next()));
        let k = next() % 60;
        pairs.push(((x & !(0x7ff << 52)) >> k, next()));
    }
    for chunk in pairs.chunks(64) {
        let col = |g: &dyn Fn(&(u64, u64)) -> u64| -> Vec<[u64; 1]> {
            (0..64)
                .map(|i| [chunk.iter().enumerate().map(|(l, p)| (g(p) >> i & 1) << l).sum()])
                .collect()
        };
        let out = evaluate_lanes(&c, &[col(&|p| p.0), col(&|p| p.1)], 1).unwrap().remove(0);
        for (l, &(x, y)) in chunk.iter().enumerate() {
            let got: u64 = out.iter().enumerate().map(|(i, w)| (w[0] >> l & 1) << i).sum();
            let want = f64::from_bits(x) * f64::from_bits(y);
            let want = if want.is_nan() { 0x7ff8u64 << 48 } else { want.to_bits() };
            assert_eq!(
                got,
                want,
                "{:e} * {:e} = {:e}, not {:e}",
                f64::from_bits(x),
                f64::from_bits(y),
                f64::from_bits(want),
                f64::from_bits(got)
            );
        }
    }
}
