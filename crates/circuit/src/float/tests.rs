//! Compares every operation in small formats with an exact model, and in the formats of `f32` and
//! `f64` with hardware.

use super::*;
use crate::builder::Builder;
use crate::circuit::{Circuit, Party};
use crate::clear::evaluate_lanes;
use crate::id::Bit;

mod hardware;
mod model;

type Operation = fn(&mut Builder, Format, &[Vec<Bit>]) -> Vec<Bit>;

fn add_of(b: &mut Builder, format: Format, x: &[Vec<Bit>]) -> Vec<Bit> {
    add(b, format, &x[0], &x[1])
}

fn sub_of(b: &mut Builder, format: Format, x: &[Vec<Bit>]) -> Vec<Bit> {
    sub(b, format, &x[0], &x[1])
}

fn mul_of(b: &mut Builder, format: Format, x: &[Vec<Bit>]) -> Vec<Bit> {
    mul(b, format, &x[0], &x[1])
}

fn fma_of(b: &mut Builder, format: Format, x: &[Vec<Bit>]) -> Vec<Bit> {
    fma(b, format, &x[0], &x[1], &x[2])
}

/// Builds the circuit of an operation on `operands` values.
fn circuit(format: Format, operands: usize, operation: Operation) -> Circuit {
    let mut b = Builder::new();
    let width = format.width() as u32;
    let inputs: Vec<Vec<Bit>> =
        (0..operands).map(|i| b.input(format!("x{i}"), Party::Garbler, width)).collect();
    let output = operation(&mut b, format, &inputs);
    b.output("y", &output);
    b.finish().unwrap()
}

/// Returns a circuit's result for each set of operands. The circuit has at most three operands, and
/// ignores the unused ones.
fn results(circuit: &Circuit, sets: &[[u64; 3]]) -> Vec<u64> {
    sets.chunks(256).flat_map(|sets| lanes(circuit, sets)).collect()
}

fn lanes(circuit: &Circuit, sets: &[[u64; 3]]) -> Vec<u64> {
    let column = |port: usize| -> Vec<[u64; 4]> {
        let mut bits = vec![[0; 4]; circuit.inputs[port].width as usize];
        for (lane, set) in sets.iter().enumerate() {
            for (i, words) in bits.iter_mut().enumerate() {
                words[lane / 64] |= (set[port] >> i & 1) << (lane % 64);
            }
        }
        bits
    };
    let inputs: Vec<_> = (0..circuit.inputs.len()).map(column).collect();
    let output = evaluate_lanes(circuit, &inputs, 1).unwrap().remove(0);
    let value = |lane: usize| {
        let bit = |(i, words): (usize, &[u64; 4])| (words[lane / 64] >> (lane % 64) & 1) << i;
        output.iter().enumerate().map(bit).sum()
    };
    (0..sets.len()).map(value).collect()
}

#[test]
fn signs_change_alone() {
    let f = |b: &mut Builder, format, x: &[Vec<Bit>]| {
        let _ = b;
        [neg(format, &x[0]), abs(format, &x[0]), copysign(format, &x[0], &x[1])].concat()
    };
    let circuit = circuit(BINARY16, 2, f);
    assert_eq!(circuit.gates.len(), 0);
    let (nan, minus) = (0xfe01, 0x8000);
    assert_eq!(results(&circuit, &[[nan, minus, 0]]), [0xfe01_7e01_7e01]);
    assert_eq!(results(&circuit, &[[nan, 0, 0]]), [0x7e01_7e01_7e01]);
}
