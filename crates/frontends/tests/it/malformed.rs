//! Tests that malformed files are rejected with file, line and reason.

use crate::common::*;
use halfgate_frontends::bristol::{self, Options};

/// The text of each file, and the error without the file's name.
const CASES: &[(&str, &str)] = &[
    // Headers.
    ("", "1: the file ends before the line `gates wires`"),
    ("\n \n\t\n", "1: the file ends before the line `gates wires`"),
    ("1\n", "1: expected the line `gates wires`, found `1`"),
    ("1 3 5\n1 1 1\n", "1: expected the line `gates wires`, found `1 3 5`"),
    ("1 3 AND\n", "1: expected the line `gates wires`, found `1 3 AND`"),
    ("1 3\n", "1: the file ends before a line of widths"),
    ("1 3\n\n2 1 0 1 2 AND\n", "3: expected a line of widths, found `2 1 0 1 2 AND`"),
    (
        "1 3\n1 1\n2 1 0 1 2 AND\n",
        "2: expected the widths `n1 n2 n3` of an old file (a Fashion file would have a line of \
         output widths after this one), found `1 1`",
    ),
    ("1 3\n2 1\n1 1\n2 1 0 1 2 AND\n", "2: the line announces 2 input widths and gives 1"),
    ("1 3\n2 1 1\n2 1\n2 1 0 1 2 AND\n", "3: the line announces 2 output widths and gives 1"),
    (
        "1000000000000 1000000000002\n1 1 1\n",
        "1: 1000000000000 gates and 1000000000002 wires: a circuit has at most 1073741824 wires",
    ),
    (
        "1000000000000 3\n1 1 1\n",
        "1: 1000000000000 gates and 3 wires: a circuit has at most 1073741824 wires",
    ),
    (
        "1000000000 1000000002\n1 1 1\n",
        "2: the header announces 1000000000 gates; the file ends after 0",
    ),
    (
        "0 1000000000\n1000000000 0 1000000000\n",
        "2: 1000000000 output bits are inputs passed through: at most 1048576 may be",
    ),
    (
        "1 3\n2 2 1\n2 1 0 1 2 AND\n",
        "2: the inputs have 4 bits in all, more than the 3 wires of the first line",
    ),
    (
        "1 3\n18446744073709551615 18446744073709551615 1\n2 1 0 1 2 AND\n",
        "2: the inputs have 36893488147419103230 bits in all, more than the 3 wires of the first line",
    ),
    (
        "1 3\n1 1 4\n2 1 0 1 2 AND\n",
        "2: the outputs have 4 bits in all, more than the 3 wires of the first line",
    ),
    (
        "2 3\n1 1 1\n2 1 0 1 2 AND\n",
        "2: 2 gates and 2 input bits make more than the 3 wires announced",
    ),
    // Characters and numbers.
    ("99999999999999999999999 3\n", "1: the number starting 9999999999999999999… is too large"),
    ("-1 3\n", "1: character - has no place in a circuit file"),
    ("1 3\n1 1 1\n% a gate\n2 1 0 1 2 AND\n", "3: character % has no place in a circuit file"),
    (
        "1 3\n1 1 1\n2 1 0 1 \u{0662} AND\n",
        "3: character with code 217 has no place in a circuit file",
    ),
    ("1 3\0\n1 1 1\n", "1: character with code 0 has no place in a circuit file"),
    ("1 3\r1 1 1\r", "1: a carriage return that no line feed follows"),
    ("1 3\n1 1 1\n2 1 0 1 2AND\n", "3: numbers and letters run together in 2A…"),
    ("1 3\n1 1 1\n2 1 0 1 0x2 AND\n", "3: numbers and letters run together in 0x…"),
    ("1 3\n1 1 1\n2 1 0 1 2 AND2\n", "3: numbers and letters run together in AND2…"),
    // Gates.
    (
        "1 3\n1 1 1\n2 1 0 1 2\n",
        "3: a gate without its name (XOR, AND, INV, EQ, EQW, MAND, OR, NAND, NOR or XNOR)",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 MAJ\n",
        "3: unknown gate MAJ: known are XOR, AND, INV (or NOT), EQ, EQW (or BUF), MAND, OR, NAND, \
         NOR and XNOR",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 xxor\n",
        "3: unknown gate XXOR: known are XOR, AND, INV (or NOT), EQ, EQW (or BUF), MAND, OR, NAND, \
         NOR and XNOR",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 MULTIPLEXER\n",
        "3: the word starting \"MULTIPLE\" is too long for a gate's name",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 AND 1\n",
        "3: '1' after the gate's name AND: a gate ends with its name",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 AND AND\n",
        "3: 'A' after the gate's name AND: a gate ends with its name",
    ),
    ("1 3\n1 1 1\n2 1 0 2 AND\n", "3: AND is written `2 1 a b out`; found `2 1 0 2 AND`"),
    ("1 3\n1 1 1\n1 1 0 1 2 XOR\n", "3: XOR is written `2 1 a b out`; found `1 1 0 1 2 XOR`"),
    ("1 3\n1 1 1\n2 1 0 1 2 INV\n", "3: INV is written `1 1 a out`; found `2 1 0 1 2 INV`"),
    ("1 3\n1 1 1\n2 1 0 2 EQW\n", "3: EQW is written `1 1 a out`; found `2 1 0 2 EQW`"),
    ("1 3\n2 1 1\n1 1\n1 1 2 2 EQ\n", "4: EQ takes the constant 0 or 1, not 2"),
    ("1 3\n2 1 1\n1 1\n1 1 0 EQ\n", "4: EQ is written `1 1 constant out`; found `1 1 0 EQ`"),
    (
        "1 4\n2 1 1\n1 2\n4 2 0 1 0 1 2 MAND\n",
        "4: MAND is written `2k k a1 … ak b1 … bk out1 … outk`; found `4 2 0 1 0 1 2 MAND`",
    ),
    (
        "1 4\n2 1 1\n1 2\n0 0 MAND\n",
        "4: MAND is written `2k k a1 … ak b1 … bk out1 … outk`; found `0 0 MAND`",
    ),
    (
        "1 4\n2 1 1\n1 2\n18446744073709551614 9223372036854775807 0 1 2 MAND\n",
        "4: MAND is written `2k k a1 … ak b1 … bk out1 … outk`; found `18446744073709551614 \
         9223372036854775807 0 1 2 MAND`",
    ),
    (
        "1 3\n1 1 1\n2 1 0 3 2 AND\n",
        "3: wire 3 is out of range: the header announces 3 wires, from 0",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 4294967298 AND\n",
        "3: wire 4294967298 is out of range: the header announces 3 wires, from 0",
    ),
    ("1 3\n1 1 1\n2 1 0 1 1 AND\n", "3: wire 1 is assigned, but it is an input"),
    ("2 4\n1 1 1\n2 1 0 1 2 AND\n2 1 0 1 2 XOR\n", "4: wire 2 is assigned a second time"),
    ("1 4\n2 1 1\n1 2\n4 2 0 1 1 1 2 2 MAND\n", "4: wire 2 is assigned a second time"),
    // Order.
    (
        "2 4\n1 1 1\n2 1 0 3 2 AND\n2 1 0 1 3 AND\n",
        "3: wire 3 is read here and assigned only on line 4: a gate must come after the gates it \
         reads, and cycles cannot be computed",
    ),
    (
        "1 3\n1 1 1\n2 1 0 2 2 AND\n",
        "3: wire 2 is read here and assigned only on line 3: a gate must come after the gates it \
         reads, and cycles cannot be computed",
    ),
    (
        "1 4\n2 1 1\n1 2\n4 2 0 2 1 1 2 3 MAND\n",
        "4: wire 2 is read here and assigned only on line 4: a gate must come after the gates it \
         reads, and cycles cannot be computed",
    ),
    ("2 5\n1 1 1\n2 1 0 4 2 AND\n2 1 0 1 3 AND\n", "3: wire 4 is read, but no gate assigns it"),
    // Counts.
    ("2 4\n1 1 1\n2 1 0 1 2 AND\n", "3: the header announces 2 gates; the file ends after 1"),
    (
        "2 4\n1 1 1\n2 1 0 1 2 AND\n2 1 0 2 3",
        "4: a gate without its name (XOR, AND, INV, EQ, EQW, MAND, OR, NAND, NOR or XNOR)",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 AND\n2 1 0 1 2 AND\n",
        "4: a line after the last of the 1 gates that the header announces",
    ),
    (
        "1 3\n1 1 1\n2 1 0 1 2 AND\nEND\n",
        "4: a line after the last of the 1 gates that the header announces",
    ),
    ("1 4\n1 1 1\n2 1 0 1 3 AND\n", "3: the header announces 4 wires; inputs and gates make 3"),
    ("0 3\n1 1 1\n", "2: the header announces 3 wires; inputs and gates make 2"),
];

#[test]
fn every_malformed_file_is_refused_with_file_line_and_reason() {
    for (text, expected) in CASES {
        match read_str(text) {
            Ok(circuit) => panic!("{text:?} reads as {circuit:?}; expected {expected}"),
            Err(error) => assert_eq!(error.to_string(), format!("test.txt:{expected}"), "{text:?}"),
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for name in ["add2.bristol.txt", "select4.fashion.txt"] {
        let text = std::fs::read(testdata(name)).unwrap();
        let whole = text.trim_ascii_end().len();
        for end in 0..whole {
            let error = read_bytes(&text[..end]).expect_err("a part of a file is no circuit");
            assert!(error.to_string().starts_with("test.txt:"), "{error}");
        }
        assert!(read_bytes(&text[..whole]).is_ok());
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let endless = std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'7'), 1 << 40));
    let error = bristol::read(endless, "f", &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "f:1: the number starting 7777777777777777777… is too large");

    struct Ones;
    impl std::io::Read for Ones {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.chunks_exact_mut(2).for_each(|pair| pair.copy_from_slice(b"1 "));
            Ok(buffer.len() & !1)
        }
    }
    let endless = std::io::BufReader::with_capacity(1 << 16, Ones);
    let error = bristol::read(endless, "f", &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "f:1: more than 4194304 numbers in one line");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = bristol::open("/nowhere/circuit.txt", &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/circuit.txt: "), "{error}");
}
