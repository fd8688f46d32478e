//! Tests that errors in functions and calls of HGC files name the problem and the line.

use halfgate_frontends::hgc;

fn error(text: &str) -> String {
    match hgc::read_structured(text.as_bytes(), "x.hgc") {
        Err(error) => error.to_string(),
        Ok(_) => panic!("taken for a circuit: {text}"),
    }
}

#[track_caller]
fn check(head: &str, text: &str, line: usize, expected: &str) {
    let error = error(&format!("{head}{text}\n"));
    assert!(error.starts_with(&format!("x.hgc:{line}: ")), "{error} in {text}");
    assert!(error.contains(expected), "{error}, not {expected}, in {text}");
}

const VERSION: &str = "halfgate-circuit 2\n";

/// Each of these texts follows the first line.
#[test]
fn functions() {
    let cases = [
        ("function", 2, "the line ends before the name"),
        ("function 3 inputs 1 outputs 1", 2, "a name starts with '3'"),
        ("function f 1 1", 2, "expected `inputs`, found \"1\""),
        ("function f inputs", 2, "the line ends before the number of bits"),
        ("function f inputs 1", 2, "the line ends before `outputs`"),
        ("function f inputs 0 outputs 1", 2, "a function has 0 inputs: it has from 1 to"),
        ("function f inputs 1 outputs 0", 2, "a function has 0 outputs: it has from 1 to"),
        ("function f inputs 1073741825 outputs 1", 2, "has 1073741825 inputs"),
        ("function f inputs -1 outputs 1", 2, "expected a number of bits, found \"-1\""),
        ("function f inputs 1 outputs 1 x", 2, "\"x\" after the end of `function NAME"),
        ("function f inputs 1 outputs 1", 3, "the file ends before the line `end`"),
        ("function f inputs 1 outputs 1\nend", 3, "`end` in a function: its lines begin"),
        ("function f inputs 1 outputs 1\ninput x garbler 1", 3, "`input` in a function"),
        ("function f inputs 1 outputs 1\nfunction g inputs 1 outputs 1", 3, "`function` in a f"),
        ("function f inputs 1 outputs 1\nend-function", 3, "`end-function` without `return`"),
        ("function f inputs 1 outputs 1\nbits 0", 3, "`bits` without a call before it"),
        ("function f inputs 1 outputs 1\nreturn", 3, "the line ends before the bits"),
        ("function f inputs 1 outputs 1\nreturn 1", 3, "wire 1 does not exist"),
        ("function f inputs 1 outputs 1\nreturn true", 3, "returns wires, never a constant"),
        ("function f inputs 2 outputs 1\nreturn 0..1", 3, "has 1 outputs, but this line gives"),
        ("function f inputs 2 outputs 2\nreturn 0\nend-function", 4, "but only 1 of them"),
        ("function f inputs 2 outputs 1\nreturn 0\n2 = not 0", 4, "`a gate` after `return`"),
        ("function f inputs 99 outputs 65\nreturn 0..64", 3, "0..64 is more than 64 wires"),
        ("function f inputs 2 outputs 1\n3 = and 0 1", 3, "wire 3 is out of order, expected 2"),
        ("function f inputs 1 outputs 1\n1 = and 0 1", 3, "wire 1 is read by the gate"),
        ("function f inputs 1 outputs 1\n1..2 = not 0", 3, "a gate drives one wire, not several"),
        ("function f inputs 1 outputs 1\n1 = call f once", 3, "the function calls itself"),
        ("function f inputs 1 outputs 1\n1 = call 0 once", 3, "the function calls itself"),
        ("function f inputs 1 outputs 1\n1 = call 1 once", 3, "there is no function 1"),
        ("function f inputs 1 outputs 1\n1 = call g once", 3, "no function before this line is"),
        ("return 0", 2, "`return` outside of a function"),
        ("end-function", 2, "`end-function` outside of a function"),
        ("input x garbler 1\nfunction f", 3, "`function` comes too late, after an input"),
        ("cycles 2\nfunction f", 3, "`function` comes too late, after cycles"),
        ("include x", 2, "unknown word \"include\": a line begins with function"),
        ("4..x = call f once", 2, "expected the wires that a call drives"),
    ];
    for (text, line, expected) in cases {
        check(VERSION, text, line, expected);
    }
}

/// A function of three inputs and two outputs, and four wires. The head has eight lines.
const HEAD: &str = "halfgate-circuit 2\nfunction f inputs 3 outputs 2\n3 = and 0 1\nreturn 2..3\n\
                    end-function\ninput a garbler 3\ninput b evaluator 1\n\n";

/// Each of these texts follows [`HEAD`].
#[test]
fn calls() {
    let cases = [
        ("4..5 = call", 9, "the line ends before the function"),
        ("4..5 = call f", 9, "the line ends before the form"),
        ("4..5 = call g once", 9, "no function before this line is named \"g\""),
        ("4..5 = call 1 once", 9, "1 functions come before this line, so there is no function 1"),
        ("4..5 = call 0x once", 9, "expected a function, by its name or its number"),
        ("4..5 = call f twice", 9, "unknown form \"twice\""),
        ("4..5 = call f once 3", 9, "\"3\" after the end of `WIRES = call FUNCTION FORM`"),
        ("4..5 = call f map", 9, "the line ends before the lanes"),
        ("4..5 = call f map 0", 9, "the call runs 0 times"),
        ("4..5 = call f map 99999999999999999999", 9, "expected a number of lanes in 64 bits"),
        ("4..5 = call f fold 2", 9, "the line ends before `state`"),
        ("4..5 = call f fold 0 state 1", 9, "the call runs 0 times"),
        ("4..5 = call f fold 99999999999999999999 state 1", 9, "expected a number of steps"),
        ("4..5 = call f fold 2 state 3", 9, "folds 3 bits of state through a function of 3"),
        ("5..6 = call f once", 9, "wire 5 is out of order, expected 4"),
        ("4 = call f once", 9, "the call drives 2 wires, 4 to 5, so its line begins with 4..5"),
        ("4..18446744073709551615 = call f once", 9, "so its line begins with 4..5"),
        ("4..3 = call f map 2", 9, "drives 4 wires, 4 to 7, so its line begins with 4..7"),
        ("4..5 = call f map 9999999999", 9, "more than 1073741824 wires"),
        ("4..5 = call f map 18446744073709551615", 9, "more than 1073741824 wires"),
        ("4..5 = call f fold 18446744073709551615 state 1", 9, "more than 1073741824 wires"),
        ("4..5 = map f", 9, "unknown gate \"map\""),
        ("4..5 = call f once\nend", 9, "3 inputs, but only 0 bits are passed in the next lines"),
        ("4..5 = call f once\nshared 0 1\n6 = not 5", 9, "but only 2 bits are passed"),
        ("4..5 = call f once\nshared 0..3", 10, "has 3 inputs, but this line gives more"),
        ("4..5 = call f once\nshared 0..2\nshared 3", 11, "3 inputs, but this line gives more"),
        ("4..5 = call f once\nshared 0..1\nbits 2 3", 11, "3 inputs, but this line gives more"),
        ("4..5 = call f once\nbits 0", 10, "`bits` without a call before it"),
        ("4..5 = call f once\nshared", 10, "the line ends before the bits"),
        ("4..5 = call f once\nshared 0 true", 10, "an argument is wires, never a constant"),
        ("4..5 = call f once\nshared false*2", 10, "an argument is wires, never a constant"),
        ("4..5 = call f once\nshared 4", 10, "wire 4 is not driven before the call: there are 4"),
        ("4..5 = call f once\nshared 2..4", 10, "wire 4 is not driven before the call"),
        ("4..5 = call f once\nshared 2..1", 10, "expected wires (12..43)"),
        ("4..5 = call f once\nshared x..1", 10, "expected wires (12..43)"),
        ("4..7 = call f map 2\nlist 0 from 1", 10, "an argument has no bits"),
        ("4..7 = call f map 2\nlist 4 from 1", 10, "has 3 inputs, but this line gives more"),
        ("4..7 = call f map 2\nlist 2 of 1", 10, "expected `from`, found \"of\""),
        ("4..7 = call f map 2\nlist 2 from 0..3\nbits 0", 11, "has 4 bits for 2 runs of 2, but"),
        ("4..7 = call f map 2\nlist 2 from 0..2\nshared 0", 11, "needs 1 bits more"),
        ("4..7 = call f map 2\nlist 3 from 0..2\nend", 11, "needs 3 bits more"),
        ("4..7 = call f map 2\nslice 0 from 0", 10, "an argument has no bits"),
        ("4..7 = call f map 2\nslice 4 from 0", 10, "has 3 inputs, but this line gives more"),
        ("4..7 = call f map 2\nslice 3 from 4 run-stride 0", 10, "wire 4 is not driven"),
        ("4..7 = call f map 2\nslice 3 from 0 bit-stride 0", 10, "expected `run-stride`"),
        ("4..7 = call f map 2\nslice 3 from 0 run-stride 4294967296", 10, "expected a stride"),
        (
            "4..7 = call f map 2\nslice 3 from 0 run-stride 2 bit-stride 1",
            10,
            "wire 4 is not driven",
        ),
        ("4..6 = call f fold 2 state 1\nslice 3 from 0", 10, "the first 1 inputs are state"),
        ("4..6 = call f fold 2 state 1\nlist 3 from 0", 10, "which is given once: share them"),
        ("4..5 = call f once\nshared 0..2\nslice 1 from 0", 11, "3 inputs, but this line gives"),
        ("shared 0", 9, "`shared` without a call before it"),
        ("4 = not 0\nslice 1", 10, "`slice` without a call before it"),
        ("output o 1\nlist 1", 10, "output \"o\" has 1 bits, but only 0 of them come before"),
        ("output o 1\nbits 0\nlist 1", 11, "`list` without a call before it"),
        ("output o 2\nbits 0*2", 10, "a repeated constant (false*8)"),
        ("output o 2\nbits false*0", 10, "a repeated constant (false*8)"),
        ("output o 2\nbits false..3", 10, "expected wires (12..43)"),
        ("output o 2\nbits 2..4", 10, "wire 4 does not exist"),
        ("output o 2\nbits 0..2", 10, "output \"o\" has 2 bits, but this line gives more"),
        ("output o 9999999\nbits false*9999999", 10, "outputs have 9999999 bits so far, in a file"),
    ];
    for (text, line, expected) in cases {
        check(HEAD, text, line, expected);
    }
}

#[test]
fn the_large_strides_of_a_slice_do_not_overflow() {
    let function = "function f inputs 1000000000 outputs 1\nreturn 0\nend-function\n";
    let head = format!("{VERSION}{function}input a garbler 1\n");
    let call = "1 = call f fold 18446744073709551615 state 1\nshared 0\nslice 999999999 from 0 \
                run-stride 4294967295 bit-stride 4294967295";
    check(&head, call, 8, "wire 79228162500112560797654529540 is not driven");
}

#[test]
fn equal_names_need_numbers() {
    let function = "function f inputs 1 outputs 1\nreturn 0\nend-function\n";
    let twice = format!("{VERSION}{function}{function}input a garbler 1\n");
    check(&twice, "1 = call f once", 9, "several functions are named \"f\": call this one by its");
    // A function may have the name of an earlier one, but cannot call that by name.
    let second = format!("{VERSION}{function}function f inputs 1 outputs 1\n");
    check(&second, "1 = call f once", 6, "several functions are named \"f\"");
}

#[test]
fn nesting_and_counts_are_bounded() {
    let chain = |functions: usize, form: &str| {
        let mut text =
            format!("{VERSION}function f0 inputs 1 outputs 1\n1 = not 0\nreturn 1\nend-function\n");
        for number in 1..functions {
            let before = number - 1;
            text += &format!(
                "function f{number} inputs 1 outputs 1\n1 = call {before} {form}\nshared 0\n\
                 return 1\nend-function\n"
            );
        }
        text
    };
    // Function 32 nests 32 calls, so function 33 may not call it.
    check(&chain(34, "once"), "", 2 + 4 + 32 * 5 + 1, "calls are nested more than 32 deep");
    let fold = "fold 65536 state 1";
    check(&chain(5, fold), "", 2 + 4 + 3 * 5 + 1, "64 bits cannot count the gates of this body");
    assert!(error(&chain(33, "once")).contains("the file ends before the line `end`"));
}

/// The reader of flat circuits names the first call and the way to read it.
#[test]
fn the_reader_of_flat_circuits_refuses_calls() {
    let text = format!("{HEAD}4..5 = call f once\nshared 0..2\noutput o 1\nbits 4\nend\n");
    assert!(hgc::read_structured(text.as_bytes(), "x.hgc").is_ok());
    let error = hgc::read(text.as_bytes(), "x.hgc").expect_err("a call").to_string();
    assert!(error.starts_with("x.hgc:9: the circuit calls functions"), "{error}");
    assert!(error.contains("read it with `hgc::read_structured`"), "{error}");
}

/// Numbers in a header take no memory.
#[test]
fn declared_numbers_cost_nothing() {
    let function = "function f inputs 1073741824 outputs 1073741824\nreturn 0\nend-function";
    check(VERSION, function, 4, "has 1073741824 outputs, but only 1 of them");
    let head = format!(
        "{VERSION}function g inputs 1 outputs 1\nreturn 0\nend-function\ninput a garbler 1\n"
    );
    check(
        &head,
        "1..1073741823 = call g map 1073741823\nlist 1 from 0\nend",
        8,
        "needs 1073741822",
    );
}
