//! Tests that malformed netlists are rejected with file, line and reason.

use crate::common::netlist::{FOLDED, read};
use crate::common::testdata;
use halfgate_frontends::scd::{self, Options};

/// The text of each SCD file, and the error without the file's name.
const SCD: &[(&str, &str)] = &[
    // Sizes.
    (
        "",
        "1: expected the sizes `g_init e_init g_input e_input flip-flops outputs gates`, found 0 \
         numbers",
    ),
    (
        "0 0 1 1 0 1\n",
        "1: expected the sizes `g_init e_init g_input e_input flip-flops outputs gates`, found 6 \
         numbers",
    ),
    (
        "0 0 1 1 0 1 1 9\n",
        "1: expected the sizes `g_init e_init g_input e_input flip-flops outputs gates`, found 8 \
         numbers",
    ),
    ("0 0 1 1 0 1 -1\n", "1: size -1 is negative"),
    (
        "0 0 1 1 0 1 1073741823\n",
        "1: the sizes make 1073741825 wires: a circuit has at most 1073741824",
    ),
    (
        "0 0 1 9223372036854775807 9223372036854775807 1 1\n",
        "1: the sizes make 18446744073709551616 wires: a circuit has at most 1073741824",
    ),
    (
        "0 0 1 1 0 1 99999999999999999999\n",
        "1: the number starting 9999999999999999999… is too large",
    ),
    (
        "0 0 1 1 0 1 9223372036854775808\n",
        "1: the number starting 9223372036854775808… is too large",
    ),
    ("0 0 1 1 0 1 1000000000\n", "2: the file ends before line 2, the first inputs"),
    ("0 0 1 1 1000000000 0 0\n\n\n\n\n", "6: the file ends before line 6, the data wires"),
    (
        "0 0 0 0 0 18446744073709551615 0\n",
        "1: the number starting 18446744073709551615… is too large",
    ),
    (
        "0 0 0 0 0 9000000000000000000 0\n\n\n\n-2\n",
        "5: the sizes announce 9000000000000000000 outputs; this line ends after 1",
    ),
    // Characters.
    ("0 0 1 1 0 1 x\n", "1: character x has no place in a circuit file"),
    ("0 0 1 1 0 1 1\n0x\n", "2: numbers and letters run together in 0x…"),
    ("0 0 1 1 0 1 1\n- 0\n", "2: character - has no place in a circuit file"),
    ("0 0 1 1 0 1 1\r0\n", "1: a carriage return that no line feed follows"),
    ("0 0 1 1 0 1 1\n0,1\n", "2: character , has no place in a circuit file"),
    // Counts.
    ("0 0 1 1 0 1 1\n0\n", "3: the file ends before line 3, the second inputs"),
    ("0 0 1 1 0 1 1\n0\n1\n", "4: the file ends before line 4, the types"),
    ("0 0 1 1 0 1 1\n0\n1\n8\n", "5: the file ends before line 5, the outputs"),
    ("0 0 1 1 1 1 1\n0\n1\n8\n3\n", "6: the file ends before line 6, the data wires"),
    ("0 0 1 1 1 1 1\n0\n1\n8\n3\n3\n", "7: the file ends before line 7, the initial wires"),
    (
        "0 0 1 1 0 1 2\n0\n1 0\n8 8\n3\n",
        "2: the sizes announce 2 first inputs; this line ends after 1",
    ),
    ("0 0 1 1 0 1 1\n0 1\n1\n8\n2\n", "2: the sizes announce 1 first inputs; this line has more"),
    ("0 0 1 1 0 1 1\n0\n1 1\n8\n2\n", "3: the sizes announce 1 second inputs; this line has more"),
    ("0 0 1 1 0 1 1\n0\n1\n8 8\n2\n", "4: the sizes announce 1 types; this line has more"),
    ("0 0 1 1 0 1 1\n0\n1\n8\n2 2\n", "5: the sizes announce 1 outputs; this line has more"),
    ("0 0 1 1 0 1 1\n0\n1\n8\n2\n2\n", "6: the sizes announce 0 data wires; this line has more"),
    (
        "0 0 1 1 0 1 1\n0\n\n1\n8\n2\n",
        "3: the sizes announce 1 second inputs; this line ends after 0",
    ),
    ("0 0 1 1 0 1 1\n0\n1\n8\n2\n\n\n\n7\n", "9: a line after the last: an SCD file has seven"),
    ("0 0 1 1 0 1 1\n0\n1\n8\n2\n\n\nend\n", "8: a line after the last: an SCD file has seven"),
    // Wires.
    (
        "0 0 1 1 0 1 1\n3\n1\n8\n2\n",
        "2: the first input of gate 0 is wire 3, but the sizes make 3 wires, from 0 (constants \
         are -2 for 0 and -3 for 1)",
    ),
    (
        "0 0 1 1 0 1 1\n0\n-4\n8\n2\n",
        "3: the second input of gate 0 is wire -4, but the sizes make 3 wires, from 0 (constants \
         are -2 for 0 and -3 for 1)",
    ),
    (
        "0 0 1 1 0 1 1\n0\n1\n8\n4294967298\n",
        "5: output 0 is wire 4294967298, but the sizes make 3 wires, from 0 (constants are -2 for \
         0 and -3 for 1)",
    ),
    (
        "0 0 1 1 1 1 1\n0\n1\n8\n3\n4\n-2\n",
        "6: the data wire of flip-flop 0 is wire 4, but the sizes make 4 wires, from 0 (constants \
         are -2 for 0 and -3 for 1)",
    ),
    (
        "0 0 1 1 0 1 1\n-1\n1\n8\n2\n",
        "2: the first input of gate 0 is -1, which is no wire: only the second input of a NOT may be -1",
    ),
    (
        "0 0 1 1 0 1 1\n0\n1\n8\n-1\n",
        "5: output 0 is -1, which is no wire: only the second input of a NOT may be -1",
    ),
    (
        "0 0 1 1 1 0 0\n\n\n\n\n-1\n-2\n",
        "6: the data wire of flip-flop 0 is -1, which is no wire: only the second input of a NOT may be -1",
    ),
    // Order.
    (
        "0 0 1 1 0 1 2\n0 0\n3 1\n8 6\n3\n",
        "3: the second input of gate 0 is wire 3, which only gate 1 drives: a gate must come after \
         the gates it reads, and combinational loops cannot be computed (a flip-flop's data wire \
         may be any)",
    ),
    (
        "0 0 1 1 0 1 2\n0 3\n0 1\n8 6\n3\n",
        "2: the first input of gate 1 is the gate's own output, wire 3: a combinational loop; only \
         a flip-flop can feed a value back",
    ),
    // Types.
    (
        "0 0 1 1 0 1 1\n0\n1\n3\n2\n",
        "4: gate 0 has the unknown type 3: known are AND 8, ANDN 4, NAND 7, NANDN 11, OR 14, ORN \
         13, NOR 1, NORN 2, XOR 6, XNOR 9 and NOT 12",
    ),
    (
        "0 0 1 1 0 1 1\n0\n1\n-1\n2\n",
        "4: gate 0 has the unknown type -1: known are AND 8, ANDN 4, NAND 7, NANDN 11, OR 14, ORN \
         13, NOR 1, NORN 2, XOR 6, XNOR 9 and NOT 12",
    ),
    ("0 0 1 1 0 1 1\n0\n1\n12\n2\n", "4: gate 0 is a NOT with a second input; write -1 there"),
    (
        "0 0 1 1 0 1 1\n0\n-1\n4\n2\n",
        "4: gate 0, ANDN, has no second input (-1): only a NOT has one input",
    ),
    // Initial values.
    (
        "0 0 1 1 1 1 1\n0\n1\n8\n3\n3\n3\n",
        "7: flip-flop 0 starts from wire 3, a gate, which reads flip-flops: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
    (
        "0 0 1 1 1 1 1\n0\n1\n8\n3\n3\n2\n",
        "7: flip-flop 0 starts from wire 2, a flip-flop: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
    (
        "1 0 1 1 2 0 0\n\n\n\n\n3 3\n0 1\n",
        "7: flip-flop 1 starts from wire 1, an input of each cycle: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
    (
        "0 0 1 1 1 1 1\n0\n1\n8\n3\n3\n-1\n",
        "7: flip-flop 0 starts from wire -1, none: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
    (
        "0 0 1 1 1 1 1\n0\n1\n8\n3\n3\n4\n",
        "7: flip-flop 0 starts from wire 4, which does not exist: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
];

/// The text of each HSCD file, and the error without the file's name. The valid file has an input
/// of each party, and a flip-flop whose next state is the AND of these inputs.
const HSCD: &[(&str, &str)] = &[
    ("", "1: the file ends before the four words of the header"),
    ("00000000\n00004001\n\n00004001\n", "4: the file ends before the four words of the header"),
    ("0000000\n", "1: expected a word of 8 hexadecimal digits, found 7"),
    ("000000000\n", "1: expected a word of 8 hexadecimal digits, found 9"),
    ("0000000g\n", "1: 'g' is no hexadecimal digit"),
    ("0x000000\n", "1: 'x' is no hexadecimal digit"),
    ("00000000 00000000\n", "1: more than one word in the line"),
    ("10000000\n", "1: the four highest bits of a header word are 0, not 1"),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n000000030\n",
        "3: the header announces 1 outputs; 0 records are marked as outputs",
    ),
    (
        "00000000\n00004001\n00004001\n00004001\n0001FFFDE\n000000031\n",
        "4: the header announces 1 free gates (XOR, XNOR and NOT), but 0 gates are free",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n",
        "5: the header announces 2 records (flip-flops and gates); the file ends after 1",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n000000031\n000000031\n",
        "7: a line after the last of the 2 records that the header announces",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n00000031\n",
        "6: expected a word of 9 hexadecimal digits, found 8",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n1001FFFDE\n000000031\n",
        "5: the word 1001fffde has more than 32 bits: the first of nine digits is 0",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDEE\n",
        "5: expected a word of 8 or 9 hexadecimal digits, found 10",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFD0\n",
        "5: the type field of flip-flop 0 is 8: a flip-flop's is 15 (-1)",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n00027FFDE\n",
        "5: the data wire of flip-flop 0 is wire 4, but the sizes make 4 wires, from 0 (constants \
         are -2 for 0 and -3 for 1)",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n00018005E\n",
        "5: flip-flop 0 starts from wire 2, a flip-flop: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n000180031\n",
        "6: the first input of gate 0 is the gate's own output, wire 3: a combinational loop; only \
         a flip-flop can feed a value back",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n00007FFF1\n",
        "6: gate 0, AND, has no second input (-1): only a NOT has one input",
    ),
    (
        "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n00000003F\n",
        "6: gate 0 has the unknown type 15: known are AND 8, ANDN 4, NAND 7, NANDN 11, OR 14, ORN \
         13, NOR 1, NORN 2, XOR 6, XNOR 9 and NOT 12",
    ),
];

#[test]
fn every_malformed_file_is_refused_with_file_line_and_reason() {
    for (cases, hex, file) in [(SCD, false, "test.scd"), (HSCD, true, "test.hscd")] {
        for (text, expected) in cases {
            match read(text.as_bytes(), hex, &FOLDED) {
                Ok(circuit) => panic!("{text:?} reads as {circuit:?}; expected {expected}"),
                Err(error) => {
                    assert_eq!(error.to_string(), format!("{file}:{expected}"), "{text:?}")
                }
            }
        }
    }
    let good = "00000000\n00004001\n00004001\n00000001\n0001FFFDE\n000000031\n";
    let eight = good.replace("0001FFFDE", "001FFFDE").replace("000000031", "00000031");
    for text in [good.to_string(), eight, good.to_lowercase().replace('\n', "\r\n\n")] {
        let circuit = read(text.as_bytes(), true, &FOLDED).unwrap();
        assert_eq!((circuit.flip_flops.len(), circuit.gates.ands()), (1, 1));
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for name in ["every-type.scd", "every-type.hscd"] {
        let (text, hex) = (std::fs::read(testdata(name)).unwrap(), name.ends_with(".hscd"));
        let whole = text.trim_ascii_end().len();
        for end in 0..whole {
            let error = read(&text[..end], hex, &FOLDED).expect_err("a part is no netlist");
            assert!(error.to_string().starts_with("test."), "{error}");
        }
        assert!(read(&text[..whole], hex, &FOLDED).is_ok());
    }
}

#[test]
fn a_line_without_end_is_refused() {
    struct Zeros;
    impl std::io::Read for Zeros {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.chunks_exact_mut(2).for_each(|pair| pair.copy_from_slice(b"0 "));
            Ok(buffer.len() & !1)
        }
    }
    let endless = || std::io::BufReader::with_capacity(1 << 16, Zeros);
    let error = scd::read(endless(), "f", &Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("f:1: expected the sizes"), "{error}");
    let sizes = &b"0 0 1 0 0 0 1\n"[..];
    let error = scd::read(std::io::Read::chain(sizes, endless()), "f", &Options::default());
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "f:2: the sizes announce 1 first inputs; this line has more");
    let digits = std::io::BufReader::new(std::io::repeat(b'7'));
    let error = scd::read_hex(digits, "f", &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "f:1: expected a word of 8 hexadecimal digits, found 10");
}

/// A run needs some bytes of memory for each input bit, so a file of thirty bytes must not cause
/// gigabytes of memory.
#[test]
fn inputs_that_nothing_in_the_file_can_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.scd");
    let of_inputs = |count: u32| {
        std::fs::write(&path, format!("{count} 0 0 0 0 1 1\n0\n1\n6\n{count}\n\n\n")).unwrap();
        halfgate_frontends::open(&path, &Default::default())
    };
    assert_eq!(of_inputs(1_000_000).unwrap().input_bits(), 1_000_000);
    let error = of_inputs(1_000_000_000).unwrap_err().to_string();
    assert!(error.contains("wide.scd declares 1000000000 input bits in"), "{error}");
}
