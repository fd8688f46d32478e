//! Reads arbitrary bytes. The reader rejects them or returns a valid circuit, which can be written
//! in both formats and read back as the same function.
//!
//! seeds: crates/frontends/testdata

use halfgate_circuit::{Circuit, clear, verify::verify};
use halfgate_frontends::bristol::{self, Options};

/// Circuits with more wires are not evaluated, because a short header can declare many inputs.
const MAX_WIRES: usize = 1 << 16;

pub fn run(data: &[u8]) {
    let Ok(circuit) = bristol::read(data, "fuzz", &Options::default()) else { return };
    verify(&circuit).expect("the reader gives valid circuits");
    let as_given = Options { as_given: true, ..Options::default() };
    let given = bristol::read(data, "fuzz", &as_given).expect("as given it reads too");
    verify(&given).expect("the reader gives valid circuits");
    if circuit.wires() > MAX_WIRES || given.wires() > MAX_WIRES {
        return;
    }
    let outputs = evaluate(&circuit);
    assert_eq!(evaluate(&given), outputs);

    let mut text = Vec::new();
    bristol::write_fashion(&circuit, &mut text).expect("Fashion holds any combinational circuit");
    assert_eq!(evaluate(&read_back(&text)), outputs);

    text.clear();
    match bristol::write_old(&circuit, &mut text) {
        Ok(()) => assert_eq!(evaluate(&read_back(&text)), outputs),
        // Old files need an input to make constants. Errors about owners do not occur, because the
        // default owners are in the order that an old file needs.
        Err(_) => assert_eq!(circuit.input_bits(), 0),
    }
}

fn read_back(text: &[u8]) -> Circuit {
    bristol::read(text, "written", &Options::default()).expect("what was written reads back")
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
