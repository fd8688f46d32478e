//! Reads arbitrary bytes as HGC. The reader rejects them or returns a valid circuit. When the
//! circuit is written and read again, it must be unchanged.
//!
//! seeds: crates/frontends/testdata

use halfgate_circuit::{Circuit, verify::verify};
use halfgate_frontends::hgc;

pub fn run(data: &[u8]) {
    let Ok(circuit) = hgc::read(data, "fuzz") else { return };
    verify(&circuit).expect("the reader gives valid circuits");
    let text = write(&circuit);
    let back = hgc::read(&text[..], "written").expect("what was written reads back");
    assert_eq!(back.inputs, circuit.inputs);
    assert_eq!(back.flip_flops, circuit.flip_flops);
    assert!(back.gates.iter().eq(circuit.gates.iter()));
    assert_eq!(back.outputs, circuit.outputs);
    assert_eq!(back.cycles, circuit.cycles);
    assert_eq!(write(&back), text);
}

fn write(circuit: &Circuit) -> Vec<u8> {
    let mut text = Vec::new();
    hgc::write(circuit, &mut text).expect("what was read can be written");
    text
}
