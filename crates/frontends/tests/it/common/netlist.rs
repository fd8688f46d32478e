//! Test helpers for SCD and HSCD: evaluation for several cycles, and conversions.

use super::{Rng, evaluate_ports};
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Circuit, Input};
use halfgate_frontends::scd::{self, Options, Outputs, ReadError};
use std::path::Path;

pub const GIVEN: Options = Options { outputs: None, as_given: true };
pub const FOLDED: Options = Options { outputs: None, as_given: false };

/// Reads a circuit in one of the formats, and verifies it if reading succeeds.
pub fn read(text: &[u8], hex: bool, options: &Options) -> Result<Circuit, ReadError> {
    let circuit = match hex {
        false => scd::read(text, "test.scd", options)?,
        true => scd::read_hex(text, "test.hscd", options)?,
    };
    verify(&circuit).expect("the reader gives valid circuits");
    Ok(circuit)
}

pub fn write(circuit: &Circuit, hex: bool) -> Vec<u8> {
    let mut text = Vec::new();
    match hex {
        false => scd::write(circuit, &mut text),
        true => scd::write_hex(circuit, &mut text),
    }
    .expect("the circuit fits the format");
    text
}

/// Reads the circuit from `scd` and from the file `hscd`: folded and as given, directly and after
/// conversion to the other format.
pub fn every_way(scd: &Path) -> Vec<Circuit> {
    let text = std::fs::read(scd).expect("a sample");
    let words = std::fs::read(scd.with_extension("hscd")).expect("a sample");
    let mut all = Vec::new();
    for options in [FOLDED, GIVEN] {
        for (text, hex) in [(&text, false), (&words, true)] {
            let circuit = read(text, hex, &options).expect("the sample loads");
            let other = write(&circuit, !hex);
            let there = read(&other, !hex, &options).expect("what was written reads back");
            let back = write(&there, hex);
            all.push(read(&back, hex, &options).expect("what was written reads back"));
            if options.as_given {
                let of_other = if hex { &text[..] } else { &words[..] };
                assert_eq!(other == of_other, !hex, "as given, one file is the other");
                assert!(&back == text, "as given, a file is written as it was read");
            }
            all.extend([circuit, there]);
        }
    }
    assert!(all.iter().all(|circuit| circuit.gates.ands() == all[0].gates.ands()));
    all
}

/// Returns values for an input of a circuit in 64 lanes, by the input's kind.
pub type Values<'a> = &'a dyn Fn(&Input) -> Vec<u64>;

/// Returns the outputs of 64 lanes for `cycles` cycles, as one list of bits.
pub fn run(circuit: &Circuit, values: Values, cycles: u64) -> Vec<u64> {
    let ports: Vec<Vec<u64>> = circuit.inputs.iter().map(values).collect();
    evaluate_ports(circuit, &ports, cycles)
}

/// Asserts that two circuits with one port of each kind compute the same for some cycles.
pub fn assert_same_netlist(a: &Circuit, b: &Circuit, cycles: u64, rng: &mut Rng) {
    let seed = rng.next();
    let values = |input: &Input| {
        let kind = seed ^ (u64::from(input.per_cycle) << 1 | input.party as u64);
        let mut rng = Rng(kind | 1 << 63);
        let times = if input.per_cycle { cycles } else { 1 };
        (0..u64::from(input.width) * times).map(|_| rng.next()).collect()
    };
    assert_eq!(run(a, &values, cycles), run(b, &values, cycles));
}

/// Options with which only the outputs of the last cycle are revealed.
pub const LAST: Options = Options { outputs: Some(Outputs::Last), as_given: false };
