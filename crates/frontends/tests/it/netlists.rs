//! Tests that netlists from other projects, and small ones of this crate, compute the right
//! function, in both formats and after conversion in both directions.

use crate::common::netlist::{every_way, read, run};
use crate::common::*;
use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::{Bit, Circuit, Init, Input, Party, Wire};
use halfgate_frontends::scd::{Options, Outputs};
use halfgate_frontends::{bristol, scd};
use std::path::PathBuf;

/// Reads the netlist called `name` in both formats, if the files are present.
fn sequential(name: &str) -> Option<Vec<Circuit>> {
    let path = sample(&format!("sequential/{name}.scd"))?;
    let all = every_way(&path);
    let mut sink = Vec::new();
    let refused = bristol::write_fashion(&all[0], &mut sink).unwrap_err().to_string();
    assert!(refused.contains("flip-flops") && sink.is_empty(), "{refused}");
    println!("{name}: {} ways, {:?}", all.len(), all[0].gates);
    Some(all)
}

/// Returns 64 values of `width` bits. The first is 0, the second all ones.
fn lanes(rng: &mut Rng, width: u32) -> Vec<u128> {
    let mask = u128::MAX >> (128 - width);
    let wide = |rng: &mut Rng| u128::from(rng.next()) << 64 | u128::from(rng.next());
    (0..64).map(|lane| [0, mask].get(lane).copied().unwrap_or_else(|| wide(rng) & mask)).collect()
}

/// Returns a function from an input to its values, given the values of both parties.
fn of_party(garbler: &[u128], evaluator: &[u128], width: usize) -> impl Fn(&Input) -> Vec<u64> {
    let (garbler, evaluator) = (spread(garbler, width), spread(evaluator, width));
    move |input| match input.party {
        Party::Garbler => garbler.clone(),
        Party::Evaluator => evaluator.clone(),
    }
}

/// Checks a circuit that takes one bit of each party per cycle, lowest bit first. `expected`
/// returns the outputs of cycle `i` from the `i + 1` bits of each party so far.
fn bit_serial(name: &str, cycles: u64, expected: impl Fn(u128, u128, u64) -> u128) {
    let Some(all) = sequential(name) else { return };
    let mut rng = Rng(21);
    let (mut a, b) = (lanes(&mut rng, cycles as u32), lanes(&mut rng, cycles as u32));
    a[9] = b[9];
    a[10] = b[10] ^ 1;
    for circuit in all {
        let outputs = run(&circuit, &of_party(&a, &b, cycles as usize), cycles);
        let width = circuit.output_bits();
        for (cycle, outputs) in (0..).zip(outputs.chunks(width)) {
            let mask = (2 << cycle) - 1;
            for lane in 0..64 {
                let expected = expected(a[lane] & mask, b[lane] & mask, cycle);
                assert_eq!(gather(outputs, lane), expected, "{name}, cycle {cycle}");
            }
        }
    }
}

#[test]
fn the_adder_gives_a_bit_of_the_sum_each_cycle() {
    bit_serial("Add_8_8", 8, |a, b, cycle| (a + b) >> cycle & 1);
    bit_serial("Add_8_8", 32, |a, b, cycle| (a + b) >> cycle & 1);
}

#[test]
fn the_millionaires_compare_what_they_have_shown() {
    bit_serial("Mill_8_8", 8, |a, b, _| (a >= b).into());
}

#[test]
fn the_hamming_distance_counts() {
    bit_serial("Hamm_32_32", 32, |a, b, _| (a ^ b).count_ones().into());
}

/// MAC_8_1 halves: `o' = (o + p) >> 1`, where `p` is about the high half of the signed product. It
/// is not an exact multiplier: 256 p differs from the product by up to 530.
#[test]
fn the_mac_adds_the_product_and_halves() {
    let Some(all) = sequential("MAC_8_1") else { return };
    let signed = |value: u128| i64::from(value as u8 as i8);
    for circuit in &all[..2] {
        assert_eq!(circuit.output_bits(), 8);
        for start in (0..65536).step_by(64) {
            let a: Vec<u128> = (start..start + 64).map(|i| i & 255).collect();
            let b: Vec<u128> = (start..start + 64).map(|i| i >> 8).collect();
            let twice = |v: &[u128]| v.iter().map(|v| v | v << 8).collect::<Vec<_>>();
            let outputs = run(circuit, &of_party(&twice(&a), &twice(&b), 16), 2);
            for lane in 0..64 {
                let (a, b) = (signed(a[lane]), signed(b[lane]));
                let first = signed(gather(&outputs[..8], lane));
                let second = signed(gather(&outputs[8..], lane));
                // The state starts from 0, so the first output is p >> 1, and p is one of two
                // values.
                let fits = |p: &i64| (256 * p - a * b).abs() <= 530 && (first + p) >> 1 == second;
                assert!(
                    [2 * first, 2 * first + 1].iter().any(fits),
                    "{a} * {b}: {first}, {second}"
                );
            }
        }
    }
    let mut rng = Rng(5);
    for circuit in &all[1..] {
        netlist::assert_same_netlist(&all[0], circuit, 9, &mut rng);
    }
}

/// Outputs of cordic and AES are values or next values of flip-flops. The initial wire of the
/// flip-flop identifies the bit of the state. Returns the index of the output for each bit of the
/// state.
fn state_order(circuit: &Circuit, first_wire: usize, width: usize) -> Vec<usize> {
    let mut order = vec![usize::MAX; width];
    for (place, bit) in circuit.outputs[0].bits.iter().enumerate() {
        let starts = circuit.flip_flops.iter().enumerate().find(|(index, flip_flop)| {
            let own = Wire::new((circuit.first_flip_flop_wire() + index) as u32).bit();
            matches!(flip_flop.init, Init::Input(_)) && (own == bit || flip_flop.next == bit)
        });
        let Some((_, flip_flop)) = starts else { panic!("output {place} is no flip-flop") };
        let Init::Input(wire) = flip_flop.init else { unreachable!("as found") };
        order[wire.index() - first_wire] = place;
    }
    order
}

fn in_order(outputs: &[u64], order: &[usize]) -> Vec<u64> {
    order.iter().map(|&place| outputs[place]).collect()
}

/// CORDIC_32_31 rotates the garbler's vector (x, y) by the angle z, which is the low half of the
/// evaluator's input. Numbers have 30 bits after the point. Each of 31 cycles makes a step, after
/// its output. Shifts are unsigned.
#[test]
fn cordic_rotates_a_step_a_cycle() {
    let Some(all) = sequential("CORDIC_32_31") else { return };
    let mut rng = Rng(77);
    let (xy, z) = (lanes(&mut rng, 64), lanes(&mut rng, 64));
    for circuit in all {
        let outputs = run(&circuit, &of_party(&xy, &z, 64), 34);
        let order = state_order(&circuit, 0, 96);
        for lane in 0..64 {
            let (mut x, mut y) = (xy[lane] as u32, (xy[lane] >> 32) as u32);
            let mut z = z[lane] as u32;
            for (step, outputs) in outputs.chunks(96).enumerate() {
                let state = u128::from(z) << 64 | u128::from(y) << 32 | u128::from(x);
                assert_eq!(gather(&in_order(outputs, &order), lane), state, "step {step}");
                if step < 31 {
                    let angle = ((-(step as f64)).exp2().atan() * (1 << 30) as f64) as u32;
                    let (dx, dy) = (y >> step, x >> step);
                    (x, y, z) = if z as i32 >= 0 {
                        (x.wrapping_add(dx), y.wrapping_sub(dy), z.wrapping_sub(angle))
                    } else {
                        (x.wrapping_sub(dx), y.wrapping_add(dy), z.wrapping_add(angle))
                    };
                }
            }
        }
    }
}

/// AES_128_11 outputs the state after each round, and expands the garbler's key on the way. Bit `j`
/// of byte `k` is wire `8k + j`.
#[test]
fn aes_encrypts_in_eleven_cycles() {
    let Some(all) = sequential("AES_128_11") else { return };
    let mut rng = Rng(11);
    let (keys, blocks) = (lanes(&mut rng, 128), lanes(&mut rng, 128));
    for circuit in all {
        let outputs = run(&circuit, &of_party(&keys, &blocks, 128), 11);
        let order = state_order(&circuit, 128, 128);
        let (first, last) = (&outputs[..128], &outputs[1280..]);
        for lane in 0..64 {
            let mut block = blocks[lane].to_le_bytes().into();
            Aes128::new(&keys[lane].to_le_bytes().into()).encrypt_block(&mut block);
            let expected = u128::from_le_bytes(block.into());
            assert_eq!(gather(&in_order(last, &order), lane), expected);
            let whitened = keys[lane] ^ blocks[lane];
            assert_eq!(gather(&in_order(first, &order), lane), whitened);
        }
    }
}

/// Tests a netlist with four flip-flops, one for each kind of initial value, and a gate of each
/// type. All of them are outputs.
#[test]
fn every_type_and_every_start() {
    let path = testdata("every-type.scd");
    const CYCLES: usize = 6;
    let mut rng = Rng(3);
    let mut bits = |count: usize| (0..count).map(|_| rng.next()).collect::<Vec<u64>>();
    let (init, input) = ([bits(1), bits(1)], [bits(CYCLES), bits(CYCLES)]);
    let mut expected = Vec::new();
    let mut state = [init[0][0], init[1][0], 0, !0];
    for (&g, &e) in input[0].iter().zip(&input[1]) {
        let [p, q, r, s] = state;
        let (and, andn, nand, nandn) = (g & e, g & !e, !(p & q), !(p & !e));
        let (or, orn, nor, norn) = (r | s, g | !r, !(and | s), !(andn | !q));
        let (xor, xnor) = (nand ^ nandn, !(or ^ orn));
        expected.extend(state);
        expected.extend([and, andn, nand, nandn, or, orn, nor, norn, xor, xnor, !nor]);
        state = [xor, xnor, g, q];
    }
    let values = |input_port: &Input| match input_port.per_cycle {
        false => init[input_port.party as usize].clone(),
        true => input[input_port.party as usize].clone(),
    };
    let all = every_way(&path);
    for circuit in &all {
        assert_eq!(circuit.gates.ands(), 8, "every type but XOR, XNOR and NOT is one AND");
        assert_eq!(run(circuit, &values, CYCLES as u64), expected);
    }
    let ports: Vec<_> =
        all[0].inputs.iter().map(|i| (&i.name[..], i.party, i.width, i.per_cycle)).collect();
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let named = [("g_init", g, 1, false), ("e_init", e, 1, false), ("g_input", g, 1, true)];
    assert_eq!(ports[..3], named);
    assert_eq!(ports[3], ("e_input", e, 1, true));
    assert_eq!((&all[0].outputs[0].name[..], all[0].outputs[0].per_cycle), ("o", true));

    // Reads the file again, with outputs of the last cycle only.
    let text = std::fs::read(&path).unwrap();
    let circuit = read(&text, false, &netlist::LAST).unwrap();
    assert_eq!(run(&circuit, &values, CYCLES as u64), expected[expected.len() - 15..]);
}

/// If the file is read as given, gates and wires have the numbers of the file. There are 11 gates,
/// including NOT.
#[test]
fn as_given_keeps_the_files_gates() {
    let text = std::fs::read(testdata("every-type.scd")).unwrap();
    let given = read(&text, false, &netlist::GIVEN).unwrap();
    assert_eq!(given.gates.len(), 11);
    assert_eq!(given.flip_flops[0].next, Wire::new(16).bit());
    let folded = read(&text, false, &netlist::FOLDED).unwrap();
    assert_eq!(folded.gates.len(), 10, "a NOT is no gate");
    assert!(folded.outputs[0].bits.get(14).unwrap().is_inverted());
}

#[test]
fn constants_are_read_everywhere() {
    let text = std::fs::read(testdata("constants.scd")).unwrap();
    for options in [netlist::FOLDED, netlist::GIVEN] {
        let circuit = read(&text, false, &options).unwrap();
        let (g, e) = ([3, 5], [6, 9]);
        let values = |input: &Input| match input.party {
            Party::Garbler => g.to_vec(),
            Party::Evaluator => e.to_vec(),
        };
        // The outputs are e, 1, !g twice, 0, 0, and a flip-flop that takes over the inverse of the
        // other flip-flop.
        let expected = [6, !0, !3, !3, 0, 0, !0, 9, !0, !5, !5, 0, 0, !0];
        let outputs = run(&circuit, &values, 2);
        assert_eq!(outputs, expected);
        for hex in [false, true] {
            let back = read(&netlist::write(&circuit, hex), hex, &options).unwrap();
            assert_eq!(run(&back, &values, 2), outputs);
        }
        assert_eq!(circuit.flip_flops[0].next, Bit::TRUE);
    }
}

#[test]
fn a_file_without_state_is_combinational_by_default() {
    let text = b"0 0 1 1 0 1 1\n0\n1\n8\n2\n\n\n";
    let circuit = read(text, false, &netlist::FOLDED).unwrap();
    assert!(!circuit.inputs[0].per_cycle && !circuit.outputs[0].per_cycle);
    let options = Options { outputs: Some(Outputs::EveryCycle), as_given: false };
    let circuit = read(text, false, &options).unwrap();
    assert!(circuit.inputs[0].per_cycle && circuit.outputs[0].per_cycle);
    let only_init = read(b"1 1 0 0 0 1 1\n0\n1\n8\n2\n", false, &netlist::FOLDED).unwrap();
    assert!(!only_init.inputs[0].per_cycle && !only_init.outputs[0].per_cycle);
    let with_init = b"1 0 0 1 0 1 1\n0\n1\n8\n2\n";
    let circuit = read(with_init, false, &netlist::FOLDED).unwrap();
    assert!(!circuit.inputs[0].per_cycle && circuit.inputs[1].per_cycle);
}

/// Bristol files are converted to netlists and back, and compute the same.
#[test]
fn bristol_files_become_netlists_and_come_back() {
    let ours = ["add2.bristol.txt", "select4.fashion.txt"].map(|name| Some(testdata(name)));
    let samples = ["bristol/adder_32bit.txt", "bristol/aes_128.txt", "bristol-fashion/adder64.txt"];
    let samples = samples.into_iter().chain(["bristol-fashion/udivide64.txt"]).map(sample);
    let paths: Vec<PathBuf> = ours.into_iter().chain(samples).flatten().collect();
    let mut rng = Rng(8);
    for path in paths {
        for as_given in [false, true] {
            let options = bristol::Options { as_given, ..bristol::Options::default() };
            let circuit = bristol::open(&path, &options).expect("the sample loads");
            let text = netlist::write(&circuit, false);
            let options = Options { outputs: None, as_given };
            let there = read(&text, false, &options).expect("what was written reads back");
            assert_eq!(there.gates.ands(), circuit.gates.ands());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for input in &circuit.inputs {
                let words = (0..input.width).map(|_| rng.next());
                if input.party == Party::Garbler { &mut a } else { &mut b }.extend(words);
            }
            // Inputs are in order, the garbler's before the evaluator's.
            let inputs = [a, b].concat();
            let outputs = evaluate(&there, &inputs);
            assert_eq!(outputs, evaluate(&circuit, &inputs), "{}", path.display());
            let back = read_bytes(&fashion(&there)).expect("our Fashion reads back");
            assert_eq!(evaluate(&back, &inputs), outputs);

            let mut words = Vec::new();
            match scd::write_hex(&circuit, &mut words) {
                Ok(()) => {
                    let back = read(&words, true, &options).expect("what was written reads back");
                    assert_eq!(evaluate(&back, &inputs), outputs);
                }
                Err(error) => {
                    assert!(circuit.gates.len() > 8000 && words.is_empty(), "{error}");
                    assert!(error.to_string().contains("field of 1"), "{error}");
                }
            }
        }
    }
}
