//! The AES S-box with 32 ANDs, of depth 6.
//!
//! The straight-line program is the one of 115 gates by Boyar and Peralta ("A new combinational
//! logic minimization technique with applications to cryptology", SEA 2010). A first linear layer
//! changes the basis to a tower of fields. After the inversion, a second linear layer changes the
//! basis back and applies the affine map. Only the inversion has ANDs: 9 to map the element of
//! GF(2^8) to GF(2^4), 5 to invert there, 18 to map back. No circuit with fewer is known.

use crate::builder::Builder;
use crate::id::Bit;

/// `S(x)`, little-endian: bit 0 of the byte first, in and out. 32 ANDs, of depth 6.
pub fn sbox(b: &mut Builder, x: &[Bit; 8]) -> [Bit; 8] {
    // The paper numbers bits from the most significant.
    let x: [Bit; 8] = std::array::from_fn(|i| x[7 - i]);
    let y = change_basis(b, &x);
    let z = invert(b, &x, &y);
    let mut s = restore_basis(b, &z);
    s.reverse();
    s
}

/// The top linear layer: `y[1]` to `y[21]` as the paper numbers them (`y[0]` is not used).
fn change_basis(b: &mut Builder, x: &[Bit; 8]) -> [Bit; 22] {
    let mut y = [Bit::FALSE; 22];
    y[14] = b.xor(x[3], x[5]);
    y[13] = b.xor(x[0], x[6]);
    y[9] = b.xor(x[0], x[3]);
    y[8] = b.xor(x[0], x[5]);
    let t0 = b.xor(x[1], x[2]);
    y[1] = b.xor(t0, x[7]);
    y[4] = b.xor(y[1], x[3]);
    y[12] = b.xor(y[13], y[14]);
    y[2] = b.xor(y[1], x[0]);
    y[5] = b.xor(y[1], x[6]);
    y[3] = b.xor(y[5], y[8]);
    let t1 = b.xor(x[4], y[12]);
    y[15] = b.xor(t1, x[5]);
    y[20] = b.xor(t1, x[1]);
    y[6] = b.xor(y[15], x[7]);
    y[10] = b.xor(y[15], t0);
    y[11] = b.xor(y[20], y[9]);
    y[7] = b.xor(x[7], y[11]);
    y[17] = b.xor(y[10], y[11]);
    y[19] = b.xor(y[10], y[8]);
    y[16] = b.xor(t0, y[11]);
    y[21] = b.xor(y[13], y[16]);
    y[18] = b.xor(x[0], y[16]);
    y
}

/// Inverts in the tower field. Returns 18 products, which [`restore_basis`] XORs.
fn invert(b: &mut Builder, x: &[Bit; 8], y: &[Bit; 22]) -> [Bit; 18] {
    // Down to GF(2^4): the norm of the element, 9 ANDs.
    let p0 = b.and(y[12], y[15]);
    let p1 = b.and(y[3], y[6]);
    let p2 = b.and(y[4], x[7]);
    let p3 = b.and(y[13], y[16]);
    let p4 = b.and(y[5], y[1]);
    let p5 = b.and(y[2], y[7]);
    let p6 = b.and(y[9], y[11]);
    let p7 = b.and(y[14], y[17]);
    let p8 = b.and(y[8], y[10]);
    let low = b.xor(p7, p6);
    let high = b.xor(p8, p6);
    let n0 = sum(b, &[p1, p0, low, y[20]]);
    let n1 = sum(b, &[p2, p0, high, y[19]]);
    let n2 = sum(b, &[p4, p3, low, y[21]]);
    let n3 = sum(b, &[p5, p3, high, y[18]]);

    // The norm's inverse in GF(2^4): 5 ANDs.
    let n01 = b.xor(n0, n1);
    let n23 = b.xor(n2, n3);
    let n02 = b.and(n0, n2);
    let u = b.xor(n3, n02);
    let i0 = b.and(n01, u);
    let i0 = b.xor(i0, n1);
    let v = b.xor(n1, n02);
    let i1 = b.and(v, n23);
    let i1 = b.xor(i1, n3);
    let w = b.xor(u, i1);
    let w = b.and(n3, w);
    let i2 = sum(b, &[w, n2, i1]);
    let i3 = b.xor(u, w);
    let i3 = b.and(i0, i3);
    let i3 = b.xor(n01, i3);

    // Back to GF(2^8): the inverse times each half of the element, 18 ANDs.
    let i23 = b.xor(i3, i2);
    let i01 = b.xor(i0, i1);
    let i03 = b.xor(i0, i3);
    let i12 = b.xor(i1, i2);
    let all = b.xor(i01, i23);
    let inverse = [i12, i2, i1, i03, i3, i0, i01, all, i23];
    let first_half = [y[15], y[6], x[7], y[16], y[1], y[7], y[11], y[17], y[10]];
    let second_half = [y[12], y[3], y[4], y[13], y[5], y[2], y[9], y[14], y[8]];
    let mut z = [Bit::FALSE; 18];
    for k in 0..9 {
        z[k] = b.and(inverse[k], first_half[k]);
        z[9 + k] = b.and(inverse[k], second_half[k]);
    }
    z
}

/// Applies the bottom linear layer and the affine map. Returns the S-box's bits, most significant
/// first.
fn restore_basis(b: &mut Builder, z: &[Bit; 18]) -> [Bit; 8] {
    let t46 = b.xor(z[15], z[16]);
    let t47 = b.xor(z[10], z[11]);
    let t48 = b.xor(z[5], z[13]);
    let t49 = b.xor(z[9], z[10]);
    let t50 = b.xor(z[2], z[12]);
    let t51 = b.xor(z[2], z[5]);
    let t52 = b.xor(z[7], z[8]);
    let t53 = b.xor(z[0], z[3]);
    let t54 = b.xor(z[6], z[7]);
    let t55 = b.xor(z[16], z[17]);
    let t56 = b.xor(z[12], t48);
    let t57 = b.xor(t50, t53);
    let t58 = b.xor(z[4], t46);
    let t59 = b.xor(z[3], t54);
    let t60 = b.xor(t46, t57);
    let t61 = b.xor(z[14], t57);
    let t62 = b.xor(t52, t58);
    let t63 = b.xor(t49, t58);
    let t64 = b.xor(z[4], t59);
    let t65 = b.xor(t61, t62);
    let t66 = b.xor(z[1], t63);
    let t67 = b.xor(t64, t65);
    let s3 = b.xor(t53, t66);
    [
        b.xor(t59, t63),
        b.xnor(t64, s3),
        b.xnor(t55, t67),
        s3,
        b.xor(t51, t66),
        b.xor(t47, t65),
        b.xnor(t56, t62),
        b.xnor(t48, t60),
    ]
}

fn sum(b: &mut Builder, bits: &[Bit]) -> Bit {
    bits.iter().fold(Bit::FALSE, |sum, &bit| b.xor(sum, bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Party, clear};

    /// The S-box by its definition (FIPS 197, section 5.1.1): inverse in GF(2^8), then the affine
    /// map.
    fn by_definition(x: u8) -> u8 {
        let product = |a: u8, b: u8| {
            (0..8).rev().fold(0u8, |p, bit| {
                let doubled = p << 1 ^ if p & 0x80 != 0 { 0x1b } else { 0 };
                doubled ^ if b >> bit & 1 == 1 { a } else { 0 }
            })
        };
        let inverse = (0..=255).find(|&y| product(x, y) == 1).unwrap_or(0);
        (0..5).fold(0x63, |s, turn| s ^ inverse.rotate_left(turn))
    }

    #[test]
    fn all_256_values_with_32_ands() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 8);
        let s = sbox(&mut b, &std::array::from_fn(|i| x[i]));
        b.output("s", &s);
        let circuit = b.finish().unwrap();
        assert_eq!(circuit.gates.ands(), 32);
        assert!(circuit.gates.len() <= 115, "{} gates", circuit.gates.len());
        for x in 0..=255u8 {
            let outputs = clear::evaluate(&circuit, &[Bits::from_bytes(&[x])], 1).unwrap();
            assert_eq!(outputs[0].to_bytes(), [by_definition(x)], "S({x:#04x})");
        }
    }
}
