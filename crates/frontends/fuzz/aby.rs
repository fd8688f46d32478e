//! Reads arbitrary bytes as ABY's format. The reader rejects them or returns a valid circuit. The
//! circuit must compute the same function if it is read with the option `as_given`, and if that
//! circuit is then written in Bristol Fashion and read back.
//!
//! seeds: crates/frontends/testdata

use halfgate_circuit::{Circuit, clear, verify::verify};
use halfgate_frontends::aby::{self, Options};
use halfgate_frontends::bristol;

pub fn run(data: &[u8]) {
    let Ok(circuit) = aby::read(data, "fuzz", &Options::default()) else { return };
    verify(&circuit).expect("the reader gives valid circuits");
    let as_given = Options { as_given: true, ..Options::default() };
    let given = aby::read(data, "fuzz", &as_given).expect("as given it reads too");
    verify(&given).expect("the reader gives valid circuits");
    let outputs = evaluate(&circuit);
    assert_eq!(evaluate(&given), outputs);

    let mut text = Vec::new();
    bristol::write_fashion(&given, &mut text).expect("Fashion holds any combinational circuit");
    let back = bristol::read(&text[..], "written", &bristol::Options::default());
    assert_eq!(evaluate(&back.expect("what was written reads back")), outputs);
}

/// Evaluates every output bit on 64 input vectors, which depend only on the number of inputs.
fn evaluate(circuit: &Circuit) -> Vec<u64> {
    let mut words = (1..).map(|i: u64| [i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)]);
    let ports: Vec<Vec<[u64; 1]>> = circuit
        .inputs
        .iter()
        .map(|input| words.by_ref().take(input.width as usize).collect())
        .collect();
    let outputs = clear::evaluate_lanes(circuit, &ports, 1).expect("the inputs fit the circuit");
    outputs.into_iter().flatten().flatten().collect()
}
