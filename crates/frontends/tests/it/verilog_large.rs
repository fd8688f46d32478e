//! Tests that large designs compute the right function. For them, ABC runs a shorter script.

use crate::verilog_common::{Folder, yosys};
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::{Bits, Circuit, Party, clear};
use halfgate_frontends::verilog::{self, Options};
use std::path::PathBuf;

/// Returns the values of an input in each cycle.
fn in_each_cycle(width: u32, values: impl IntoIterator<Item = Vec<u8>>) -> Bits {
    let mut bits = Bits::new();
    for value in values {
        bits.append(&Bits::from_bytes(&value).slice(0, width as usize));
    }
    bits
}

fn outputs(circuit: &Circuit, inputs: &[Bits], cycles: u64) -> Vec<Bits> {
    clear::evaluate(circuit, inputs, cycles).unwrap()
}

#[test]
fn a_memory_of_many_words() {
    if yosys().is_none() {
        return;
    }
    let text = "module m (input clk, input [8:0] g_input, input [31:0] e_input,
    (* party = \"garbler\" *) input write, output [31:0] o);
  reg [31:0] memory [0:511];
  always @(posedge clk) if (write) memory[g_input] <= e_input;
  assign o = memory[g_input];
endmodule";
    let circuit = Folder::new().read("m.v", text).unwrap();
    // ANDs: to write, one multiplexer for each of the 512 * 32 bits; to read, 511 multiplexers for
    // each of the 32 bit positions; and fewer than three more ANDs for each word.
    let ands = circuit.gates.ands();
    assert!((32 * 1023..32 * 1023 + 3 * 512).contains(&ands), "{ands}");
    let addresses = [3_u16, 511, 3, 256, 511, 3, 0];
    let values = [7_u32, u32::MAX, 9, 5, 1, 0, 2];
    let writes = [1_u8, 1, 1, 1, 0, 0, 0];
    let inputs = [
        in_each_cycle(9, addresses.map(|address| address.to_le_bytes().to_vec())),
        in_each_cycle(32, values.map(|value| value.to_le_bytes().to_vec())),
        in_each_cycle(1, writes.map(|write| vec![write])),
    ];
    let found = outputs(&circuit, &inputs, 7);
    let found: Vec<u128> =
        (0..7).map(|cycle| found[0].slice(32 * cycle, 32).to_integer().unwrap()).collect();
    assert_eq!(found, [0, 0, 7, 0, u32::MAX.into(), 9, 0]);
}

/// Tests an AES core as it is used in chips: a driver starts the core and waits until it is done.
#[test]
fn an_aes_core() {
    if yosys().is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/designs/aes_core");
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let options = Options {
        files: vec![folder.clone()],
        parties: Some(vec![g, g, g, g, g, e]),
        ..Options::default()
    };
    let circuit = verilog::read(&folder.join("core.v"), &options).unwrap();
    // With the ABC script for small designs, the core would have about 17,000 ANDs.
    assert!(circuit.gates.ands() < 16_000, "{}", circuit.gates.ands());

    // The examples of FIPS 197, appendix C: keys of 128 and 256 bits.
    let key: Vec<u8> = (0..32).collect();
    let block: Vec<u8> = (0..16).map(|byte| 0x11 * byte).collect();
    for is_long in [false, true] {
        let mut expected = aes::Block::clone_from_slice(&block);
        match is_long {
            false => aes::Aes128::new_from_slice(&key[..16]).unwrap().encrypt_block(&mut expected),
            true => aes::Aes256::new_from_slice(&key).unwrap().encrypt_block(&mut expected),
        }
        // The first byte is the highest. The core takes a short key from the lower half of the key
        // input.
        let mut word = if is_long { key.clone() } else { [&[0; 16], &key[..16]].concat() };
        word.reverse();
        for encrypts in [true, false] {
            let (mut from, mut to) = (block.clone(), expected.to_vec());
            if !encrypts {
                std::mem::swap(&mut from, &mut to);
            }
            from.reverse();
            to.reverse();
            let (expansion, work) = if is_long { (19, 75) } else { (15, 55) };
            let cycles = expansion + work;
            let constant = |value: u8| (0..cycles).map(move |_| vec![value]);
            let pulse = |at: u64| (0..cycles).map(move |cycle| vec![u8::from(cycle == at)]);
            let inputs = [
                in_each_cycle(1, constant(u8::from(encrypts))),
                in_each_cycle(1, pulse(0)),
                in_each_cycle(1, pulse(expansion)),
                in_each_cycle(1, constant(u8::from(is_long))),
                in_each_cycle(256, (0..cycles).map(|_| word.clone())),
                in_each_cycle(128, (0..cycles).map(|_| from.clone())),
            ];
            let found = outputs(&circuit, &inputs, cycles);
            let last = |output: usize, width: usize| {
                found[output].slice(width * (cycles as usize - 1), width).to_bytes()
            };
            assert_eq!((last(0, 1), last(2, 1)), (vec![1], vec![1]), "{is_long} {encrypts}");
            assert_eq!(last(1, 128), to, "{is_long} {encrypts}");
        }
    }
}
