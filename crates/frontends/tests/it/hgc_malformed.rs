//! Tests that errors in HGC files name the problem and the line.

use crate::common::testdata;
use halfgate_frontends::hgc;

fn error(text: &str) -> String {
    match hgc::read(text.as_bytes(), "x.hgc") {
        Err(error) => error.to_string(),
        Ok(_) => panic!("taken for a circuit: {text}"),
    }
}

const HEAD: &str = "halfgate-circuit 1\ninput a garbler 2\ninput b evaluator 2 per-cycle\n";

/// Each of these texts follows the header, which has three lines.
#[test]
fn lines_that_cannot_be_taken() {
    let cases = [
        ("cycles 2", 4, "`cycles` comes too late, after an input"),
        ("flip-flop 4 = 0\ninput c garbler 1", 5, "`input` comes too late, after a flip-flop"),
        ("4 = and 0 1\nflip-flop 5 = 0", 5, "`flip-flop` comes too late, after a gate"),
        ("output o 1\nbits 0\n4 = and 0 1", 6, "a gate` comes too late, after an output"),
        ("input a evaluator 1", 4, "two inputs are named \"a\": rename one"),
        ("input \"a\" evaluator 1", 4, "two inputs are named \"a\": rename one"),
        ("output o 1\nbits 0\noutput o 1", 6, "two outputs are named \"o\""),
        ("input c", 4, "the line ends before the owner; it is written `input NAME OWNER WIDTH"),
        ("input", 4, "the line ends before the name"),
        ("input c alice 2", 4, "\"alice\" is no owner"),
        ("input c garbler", 4, "the line ends before the width"),
        ("input c garbler 0", 4, "\"c\" has 0 bits"),
        ("input c garbler 1073741825", 4, "\"c\" has 1073741825 bits: a port has from 1 to"),
        ("input c garbler 1073741821", 4, "more than 1073741824 wires"),
        ("input c garbler -1", 4, "expected the width, a number of bits, found \"-1\""),
        ("input c garbler 99999999999999999999", 4, "expected the width"),
        ("input c garbler 8 int", 4, "the type of \"c\": \"int\" is unknown: known are unsigned"),
        ("input c garbler 8 signed:3", 4, "8 bits are no multiple of an element's 3"),
        ("input c garbler 8 signed per-cycle", 4, "\"per-cycle\" after the end of `input"),
        ("input c garbler 8 signed:2 set", 4, "\"c\" cannot be a set"),
        ("input c garbler 8 per-cycle unsigned:2 set", 4, "\"c\" cannot be a set"),
        ("input c garbler 8 unsigned:2 sett", 4, "\"sett\" after the end of `input"),
        ("output c 8 unsigned:2 set", 4, "\"set\" after the end of `output"),
        ("input 7up garbler 8", 4, "a name starts with '7': put it in quotation marks"),
        ("input a+b garbler 8", 4, "'+'"),
        ("input \"c garbler 8", 4, "quotation marks around the name are not closed"),
        ("input \"\" garbler 8", 4, "a name is empty"),
        ("input \"\\q\" garbler 8", 4, "the name is no JSON string: invalid escape"),
        ("input \"c\"d garbler 8", 4, "character d has no place"),
        ("flip-flop 5 = 0", 4, "flip-flop 5 is out of order, expected 4"),
        ("flip-flop 4 = 2", 4, "starts from wire 2, which is no bit of a per-run input"),
        ("flip-flop 4 = 9", 4, "starts from wire 9, which is no bit of a per-run input"),
        ("flip-flop 4 = !0", 4, "starts from an inverted wire"),
        ("flip-flop 4 0", 4, "expected `=`, found \"0\""),
        ("flip-flop x = 0", 4, "expected the number of a wire, found \"x\""),
        ("5 = and 0 1", 4, "wire 5 is out of order, expected 4"),
        ("4 = and 0 4", 4, "wire 4 is read by the gate that drives wire 4"),
        ("4 = xor 0 1000000000000", 4, "a gate reads lower wires only"),
        ("4 = and 0 true", 4, "never a constant"),
        ("4 = and 0 -1", 4, "expected a wire (12), an inverted wire (!12), false or true"),
        ("4 = and 0", 4, "the line ends before the second wire that the gate reads"),
        ("4 = and 0 1 2", 4, "\"2\" after the end of `WIRE = GATE A B`"),
        ("4 = not 0 1", 4, "\"1\" after the end of `WIRE = GATE A`"),
        ("4 = or 0 1", 4, "unknown gate \"or\""),
        ("4 and 0 1", 4, "expected `=`"),
        ("wires 3", 4, "unknown word \"wires\""),
        ("caf\u{e9} 3", 4, "with code 195 has no place"),
        ("\u{0}", 4, "with code 0 has no place"),
        ("output o 2\nbits 0 9", 5, "wire 9 does not exist: the circuit has 4 wires"),
        ("output o 2\nbits 0 1 2", 5, "output \"o\" has 2 bits, but this line gives more"),
        ("output o 2\nbits 0\nend", 6, "output \"o\" has 2 bits, but only 1 of them"),
        ("output o 2\nbits\n", 5, "a `bits` line without bits"),
        ("bits 0", 4, "`bits` without an output before it"),
        ("output o 1\nbits 0\nbits 0", 6, "`bits` without an output before it"),
        ("next 4 = 0", 4, "all flip-flops have one already"),
        (
            "flip-flop 4 = 0\nflip-flop 5 = 0\nnext 5 = 0",
            6,
            "flip-flop 5 is out of order, expected 4",
        ),
        ("flip-flop 4 = 0\nnext 4 = 5", 5, "wire 5 does not exist"),
        ("flip-flop 4 = 0\nflip-flop 5 = 0\nnext 4 = 4\nend", 7, "the first of them wire 5"),
        ("", 4, "the file ends before the line `end`: it was cut short"),
        ("4 = and 0 1", 5, "the file ends before the line `end`"),
        ("end\n\nend", 6, "a line after `end`"),
        ("end 3", 4, "\"3\" after the end of `end`"),
    ];
    for (text, line, expected) in cases {
        let text = format!("{HEAD}{text}{}", if text.is_empty() { "" } else { "\n" });
        let error = error(&text);
        assert!(error.starts_with(&format!("x.hgc:{line}: ")), "{error} in {text}");
        assert!(error.contains(expected), "{error}, not {expected}, in {text}");
    }
}

#[test]
fn first_lines() {
    for text in ["", "\n", "halfgate", "2 4\n1 1 1\n", "\nhalfgate-circuit 1\nend\n", "\u{0}"] {
        assert_eq!(
            error(text),
            "x.hgc:1: expected `halfgate-circuit 1` or `halfgate-circuit 2` in the first line: this is not a \
             file in HGC format"
        );
    }
    assert!(error("halfgate-circuit\n").contains(":1: the line ends before the version"));
    assert!(error("halfgate-circuit one\n").contains(":1: expected a version, such as 1"));
    assert!(error("halfgate-circuit 1 2\n").contains(":1: \"2\" after the end"));
    let newer = error("halfgate-circuit 3\nfunction f\n");
    assert_eq!(
        newer,
        "x.hgc:1: the file is in version 3 of the HGC format, and this Halfgate reads versions 1 and \
         2: use a newer Halfgate"
    );
}

#[test]
fn cycles_that_make_no_sense() {
    let with =
        |lines: &str| error(&format!("halfgate-circuit 1\n{lines}\ninput a garbler 1\nend\n"));
    assert!(with("cycles 0").contains(":2: the circuit runs for 0 cycles"));
    assert!(with("cycles 2\ncycles 2").contains(":3: cycles are given a second time"));
    assert!(with("cycles many").contains(":2: expected a number of cycles, found \"many\""));
    assert!(with("cycles").contains(":2: the line ends before the number of cycles"));
    assert!(with("cycles 4").contains(":2: 4 cycles are all the same"));
}

/// The error about words of version 2 in a file of version 1 mentions version 2.
#[test]
fn words_of_version_2_say_which_version_they_need() {
    let lines = [
        "function f 2 1",
        "return 0",
        "end-function",
        "call f 0 1",
        "map f",
        "fold f",
        "shared 0",
        "slice 1",
        "list 1",
        "4..7 = call f",
        "4 = call f once",
        "4 = map f",
        "4 = fold f",
        "output x 2\nbits 0..1",
        "output x 2\nbits false*2",
    ];
    for line in lines {
        let error = error(&format!("{HEAD}{line}\nend\n"));
        let number = 3 + line.lines().count();
        assert!(error.starts_with(&format!("x.hgc:{number}: ")), "{error}");
        assert!(error.contains("needs version 2 of the HGC format"), "{error} of {line}");
    }
}

/// A file that is cut short at any position is an error, unless only the line end after `end` is
/// missing.
#[test]
fn no_part_of_a_file_is_a_circuit() {
    for name in ["adder.hgc", "every-word.hgc", "sums.hgc", "every-call.hgc"] {
        let text = std::fs::read(testdata(name)).unwrap();
        let is_read = |text: &[u8]| hgc::read_structured(text, "x.hgc").is_ok();
        for length in 0..text.len() - 1 {
            assert!(!is_read(&text[..length]), "{length} bytes of {name}");
        }
        assert!(is_read(&text[..text.len() - 1]));
        let crlf = String::from_utf8(text).unwrap().replace('\n', "\r\n");
        assert!(is_read(crlf.as_bytes()));
    }
}

#[test]
fn long_words_and_names() {
    let word = error(&format!("{HEAD}{}\n", "x".repeat(1000)));
    assert!(word.contains(":4: a word starting \"xxxxxxxxxxxxxxxxxxxx\"… is too long"), "{word}");
    let name = "n".repeat(hgc::MAX_NAME_BYTES + 1);
    for name in [name.clone(), format!("\"{name}\"")] {
        let error = error(&format!("{HEAD}input {name} garbler 1\n"));
        assert!(error.contains(":4: the name takes more than 65536 bytes"), "{error}");
    }
    // A comment may have any length and any bytes.
    let mut text = format!("{HEAD}# {}", "x".repeat(1 << 20)).into_bytes();
    text.extend([0, 255, b'\r', b'x', b'\n']);
    text.extend(b"end\n");
    assert!(hgc::read(&text[..], "x.hgc").is_ok());
}
