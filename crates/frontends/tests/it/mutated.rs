//! Runs the check of the fuzz target on a fixed sequence of damaged samples. The reader must never
//! panic. Accepted circuits can be written in both formats and read back as the same function.

use crate::common::netlist::{FOLDED, GIVEN, assert_same_netlist, read, write};
use crate::common::*;

const SAMPLES: [&str; 4] =
    ["add2.bristol.txt", "select4.fashion.txt", "dialect.bristol.txt", "dialect.fashion.txt"];
/// Pieces of text that damage a circuit file in ways that single bytes rarely do.
const PIECES: [&str; 36] = [
    "\n",
    "\r\n",
    " ",
    "0",
    "1",
    "2",
    "XOR",
    "INV",
    "EQ",
    "EQW",
    "MAND",
    "NOT",
    "4294967296",
    "18446744073709551615",
    "-1",
    "1073741824",
    "-3",
    "00018001",
    "NOR",
    "//",
    "#",
    "end",
    "bits",
    "next",
    "per-cycle",
    "signed:8",
    "true",
    "!",
    "\"",
    "nand",
    "..",
    "*",
    "call",
    "shared",
    "once",
    "return",
];

fn damage(text: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(text.len() + 1);
        let end = (at + rng.below(9)).min(text.len());
        match rng.below(7) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            2 => {
                let piece = PIECES[rng.below(PIECES.len())];
                text.splice(at..end, piece.bytes());
            }
            3 => {
                let copy = text[at..end].to_vec();
                text.splice(at..at, copy);
            }
            4 => text.splice(at..end, [rng.next() as u8]).for_each(drop),
            5 => swap_lines(text, rng),
            // Replacing a digit by another digit often gives a different valid circuit.
            _ => {
                let digits: Vec<usize> =
                    (0..text.len()).filter(|&i| text[i].is_ascii_digit()).collect();
                if let Some(&i) = digits.get(rng.below(digits.len().max(1))) {
                    text[i] = b'0' + rng.below(10) as u8;
                }
            }
        }
    }
}

fn swap_lines(text: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    lines.swap(a, b);
    *text = lines.join(&b'\n');
}

#[test]
fn damaged_samples_are_refused_or_read_consistently() {
    let samples = SAMPLES.map(|name| std::fs::read(testdata(name)).unwrap());
    let mut rng = Rng(2024);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..20_000 {
        let mut text = samples[round % samples.len()].clone();
        damage(&mut text, &mut rng);
        match read_bytes(&text) {
            Err(error) => {
                assert!(error.to_string().starts_with("test.txt:"), "{error}");
                refused += 1;
            }
            Ok(circuit) => {
                let back = read_bytes(&fashion(&circuit)).expect("our Fashion reads back");
                assert_same_function(&circuit, &back, &mut rng);
                if circuit.input_bits() > 0 {
                    let back = read_bytes(&old(&circuit)).expect("our old format reads back");
                    assert_same_function(&circuit, &back, &mut rng);
                }
                accepted += 1;
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_netlists_are_refused_or_read_consistently() {
    let names = ["every-type.scd", "every-type.hscd", "constants.scd"];
    let samples = names.map(|name| std::fs::read(testdata(name)).unwrap());
    let mut rng = Rng(2025);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..20_000 {
        let (index, hex) = (round % 3, round % 3 == 1);
        let mut text = samples[index].clone();
        damage(&mut text, &mut rng);
        let Ok(circuit) = read(&text, hex, &FOLDED) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        // With one more or one fewer digit, a port can have thousands of bits, which is slow.
        if circuit.wires() > 5000 {
            continue;
        }
        let given = read(&text, hex, &GIVEN).expect("as given it reads too");
        assert_same_netlist(&circuit, &given, 3, &mut rng);
        for hex in [false, true] {
            let back = read(&write(&given, hex), hex, &FOLDED).expect("what was written reads");
            assert_same_netlist(&circuit, &back, 3, &mut rng);
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_hgc_and_aby_files_are_refused_or_read_consistently() {
    let names =
        ["adder.hgc", "sums.hgc", "select.aby", "every-word.hgc", "every-call.hgc", "select.aby"];
    let samples = names.map(|name| std::fs::read(testdata(name)).expect("a sample"));
    let mut rng = Rng(2026);
    let (mut accepted, mut refused) = ([0, 0], [0, 0]);
    for round in 0..30_000 {
        let (index, is_aby) = (round % samples.len(), round % 3 == 2);
        let mut text = samples[index].clone();
        damage(&mut text, &mut rng);
        let result = match is_aby {
            true => {
                let options = Default::default();
                halfgate_frontends::aby::read(&text[..], "test.txt", &options).map(drop)
            }
            false => halfgate_frontends::hgc::read_structured(&text[..], "test.txt").map(drop),
        };
        match result {
            Err(error) => {
                assert!(error.to_string().starts_with("test.txt:"), "{error}");
                refused[usize::from(is_aby)] += 1;
            }
            Ok(()) if is_aby => {
                crate::fuzz_seeds::aby::run(&text);
                accepted[1] += 1;
            }
            Ok(()) => {
                crate::fuzz_seeds::hgc::run(&text);
                accepted[0] += 1;
            }
        }
    }
    println!("{accepted:?} accepted, {refused:?} refused");
    assert!(accepted.iter().chain(&refused).all(|&count| count > 500), "{accepted:?} {refused:?}");
}
