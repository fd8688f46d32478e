//! Reads arbitrary bytes as SCD and as HSCD. The reader rejects them or returns a valid circuit,
//! which can be written in both formats and read back as the same function.
//!
//! seeds: crates/frontends/testdata

use halfgate_circuit::{Circuit, clear, verify::verify};
use halfgate_frontends::scd::{self, Options, WriteError};

/// Circuits with more wires are not evaluated, because a short header can declare many inputs.
const MAX_WIRES: usize = 1 << 16;
const CYCLES: u64 = 3;

pub fn run(data: &[u8]) {
    check(data, false);
    check(data, true);
}

fn check(data: &[u8], hex: bool) {
    let Ok(circuit) = read(data, hex, false) else { return };
    let given = read(data, hex, true).expect("as given it reads too");
    if circuit.wires() > MAX_WIRES || given.wires() > MAX_WIRES {
        return;
    }
    let outputs = evaluate(&circuit);
    assert_eq!(evaluate(&given), outputs);
    for circuit in [&circuit, &given] {
        for hex in [false, true] {
            let mut text = Vec::new();
            let written = match hex {
                false => scd::write(circuit, &mut text),
                true => scd::write_hex(circuit, &mut text),
            };
            match written {
                Ok(()) => {
                    let back = read(&text, hex, true).expect("what was written reads back");
                    assert_eq!(evaluate(&back), outputs);
                }
                Err(WriteError::Field { .. } | WriteError::NoWire) if hex => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn read(data: &[u8], hex: bool, as_given: bool) -> Result<Circuit, scd::ReadError> {
    let options = Options { as_given, ..Options::default() };
    let circuit = match hex {
        false => scd::read(data, "fuzz", &options),
        true => scd::read_hex(data, "fuzz", &options),
    }?;
    verify(&circuit).expect("the reader gives valid circuits");
    Ok(circuit)
}

/// Evaluates every output bit of some cycles on 64 input vectors. The vectors depend only on the
/// kinds of the inputs.
fn evaluate(circuit: &Circuit) -> Vec<u64> {
    let port = |input: &halfgate_circuit::Input| -> Vec<[u64; 1]> {
        let kind = (input.party as u64) << 1 | u64::from(input.per_cycle);
        let bits = u64::from(input.width) * if input.per_cycle { CYCLES } else { 1 };
        (kind << 32..).take(bits as usize).map(word).collect()
    };
    let ports: Vec<_> = circuit.inputs.iter().map(port).collect();
    let outputs = clear::evaluate_lanes(circuit, &ports, CYCLES).expect("the inputs fit");
    outputs.into_iter().flatten().flatten().collect()
}

fn word(i: u64) -> [u64; 1] {
    [(i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)]
}
