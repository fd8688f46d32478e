//! Reads arbitrary bytes as HGC, of version 1 or 2. The reader rejects them or returns a valid
//! circuit. When the circuit is written and read again, it must be unchanged. A small one can be
//! flattened.
//!
//! seeds: crates/frontends/testdata

use halfgate_circuit::structured::{Body, StructuredCircuit, flatten::steps, verify};
use halfgate_frontends::hgc;

pub fn run(data: &[u8]) {
    let Ok(circuit) = hgc::read_structured(data, "fuzz") else { return };
    verify(&circuit).expect("the reader gives valid circuits");
    let text = write(&circuit);
    let back = hgc::read_structured(&text[..], "written").expect("what was written reads back");
    assert_same(&back, &circuit);
    assert_eq!(write(&back), text);

    let is_flat = circuit.body.calls.is_empty();
    assert_eq!(hgc::read(data, "fuzz").is_ok(), is_flat);
    let outputs: usize = circuit.outputs.iter().map(|output| output.bits.len()).sum();
    if steps(&circuit).saturating_add(outputs as u64) < MAX_FLATTENED {
        let flat = circuit.into_circuit().expect("a small circuit is flattened");
        halfgate_circuit::verify::verify(&flat).expect("the flattening is valid");
        if is_flat {
            let mut flat_text = Vec::new();
            hgc::write(&flat, &mut flat_text).expect("what was read can be written");
            assert_eq!(flat_text, text);
        }
    }
}

/// Most steps of a flattening, and bits of its outputs. More take too long.
const MAX_FLATTENED: u64 = 1 << 14;

/// Asserts that both circuits are the same, but for functions of a circuit without calls.
pub fn assert_same(a: &StructuredCircuit, b: &StructuredCircuit) {
    assert_eq!(a.inputs, b.inputs);
    assert_eq!(a.flip_flops, b.flip_flops);
    assert_same_body(&a.body, &b.body);
    assert_eq!(a.outputs, b.outputs);
    assert_eq!(a.cycles, b.cycles);
    if a.body.calls.is_empty() {
        return;
    }
    assert_eq!(a.functions.len(), b.functions.len());
    for (a, b) in a.functions.iter().zip(&b.functions) {
        assert_eq!((&a.name, a.inputs, &a.outputs), (&b.name, b.inputs, &b.outputs));
        assert_same_body(&a.body, &b.body);
    }
}

fn assert_same_body(a: &Body, b: &Body) {
    assert!(a.gates.iter().eq(b.gates.iter()), "the gates differ");
    assert_eq!(a.calls, b.calls);
}

fn write(circuit: &StructuredCircuit) -> Vec<u8> {
    let mut text = Vec::new();
    hgc::write_structured(circuit, &mut text).expect("what was read can be written");
    text
}
