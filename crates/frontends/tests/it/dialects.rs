//! Compares circuits read from dialects of the Bristol formats, and from ABY's format, with the
//! definition of their gates.

use crate::common::*;
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Circuit, Party};
use halfgate_frontends::aby;
use halfgate_frontends::{Format, Options, ReadError, detect, open};

/// Reads a sample folded and as given.
fn both_ways(name: &str) -> [Circuit; 2] {
    [false, true].map(|as_given| {
        let options = Options { as_given, ..Options::default() };
        let circuit = open(testdata(name), &options).unwrap_or_else(|error| panic!("{error}"));
        verify(&circuit).expect("the reader gives valid circuits");
        circuit
    })
}

/// Returns every value of `bits` bits, one per lane.
fn all(bits: usize) -> Vec<u64> {
    spread(&(0..1 << bits).collect::<Vec<u128>>(), bits)
}

#[test]
fn bristol_gates_of_dialects() {
    assert_eq!(detect(testdata("dialect.bristol.txt")).unwrap(), Format::Bristol);
    let [folded, given] = both_ways("dialect.bristol.txt");
    // OR, NAND and NOR are one AND each. A NAND that reads one wire twice needs no AND.
    assert_eq!((folded.gates.ands(), given.gates.len()), (6, 11));
    for circuit in [folded, given] {
        let outputs = evaluate(&circuit, &all(3));
        for lane in 0..8 {
            let (a, b, c) = (lane & 1 == 1, lane & 2 == 2, lane & 4 == 4);
            let and = a & b;
            let xor = and ^ c;
            let bits = [a | b, !and, !(a | b), !(a ^ c), !c, xor | c, !xor, !(and | c)];
            // The last eight wires, from wire 6 on, are the output.
            let expected = bits.iter().rev().fold(0, |word, &bit| word << 1 | u128::from(bit));
            assert_eq!(gather(&outputs, lane), expected, "{a} {b} {c}");
        }
    }
}

#[test]
fn fashion_with_comments_and_gates_of_dialects() {
    assert_eq!(detect(testdata("dialect.fashion.txt")).unwrap(), Format::Fashion);
    for circuit in both_ways("dialect.fashion.txt") {
        let outputs = evaluate(&circuit, &all(3));
        for lane in 0..8u32 {
            let sum = lane.count_ones();
            // Wires 7 to 9 are the carry, then the sum and the carry inverted.
            let expected = sum >> 1 | (sum & 1) << 1 | (1 - (sum >> 1)) << 2;
            assert_eq!(gather(&outputs, lane as usize), u128::from(expected), "{lane}");
        }
    }
}

#[test]
fn comments_are_no_part_of_a_line_and_keep_its_number() {
    let read = |text: &str| read_str(text).map(|circuit| circuit.gates.len());
    let text = "# x 1 2 AND\n//\n1 3 // 9 9\n#\n1 1 1 #5\n2 1 0 1 2 AND//\n//2 1 0 1 2 AND\n#";
    // Without a space before the comment, the gate's name does not end there.
    let error = read(text).unwrap_err().to_string();
    assert_eq!(error, "test.txt:6: character / has no place in a circuit file");
    assert_eq!(read(&text.replace("AND//", "AND //")).unwrap(), 1);
    let error = read(&text.replace("AND//", "AMD //")).unwrap_err().to_string();
    assert!(error.starts_with("test.txt:6: unknown gate AMD: known are XOR, AND, "), "{error}");
    assert!(read("1 3\n1 1 1\n/ 2 1 0 1 2 AND\n").unwrap_err().to_string().contains(":3: "));
    let form = read("1 3\n1 1 1\n1 1 0 2 nor\n").unwrap_err().to_string();
    assert!(form.contains("NOR is written `2 1 a b out`"), "{form}");
}

#[test]
fn aby_gates() {
    let [folded, given] = both_ways("select.aby");
    assert_eq!(folded.gates.ands(), 3, "of a multiplexer by a constant, an AND is left");
    for circuit in [folded, given] {
        let ports: Vec<_> =
            circuit.inputs.iter().map(|i| (&i.name[..], i.party, i.width)).collect();
        let (g, e) = (Party::Garbler, Party::Evaluator);
        assert_eq!(ports, [("server", g, 2), ("client0", e, 1), ("client1", e, 1)]);
        let names: Vec<_> = circuit.outputs.iter().map(|o| (&o.name[..], o.bits.len())).collect();
        assert_eq!(names, [("out0", 3), ("out1", 4)]);
        let outputs = evaluate(&circuit, &all(4));
        for lane in 0..16 {
            let bit = |i: i32| lane >> i & 1 == 1;
            let (a, b, select, last) = (bit(0), bit(1), bit(2), bit(3));
            let (and, selected) = (a & b, if select { b } else { a });
            // `M 0 -3 2 21` gives 1 if wire 2 is 1. Wire 2 is the inverse of the last input.
            let second = if last { and } else { true };
            let bits = [!a, and, selected, second, selected, a, true];
            let expected = bits.iter().rev().fold(0, |word, &bit| word << 1 | u128::from(bit));
            assert_eq!(gather(&outputs, lane), expected, "{a} {b} {select} {last}");
        }
    }
}

fn read_aby(text: &str, parties: Option<Vec<Party>>) -> Result<Circuit, ReadError> {
    let options = aby::Options { parties, as_given: false };
    let circuit = aby::read(text.as_bytes(), "x.aby", &options)?;
    verify(&circuit).expect("the reader gives valid circuits");
    Ok(circuit)
}

#[test]
fn aby_inputs_have_the_given_owners() {
    let text = "S 0 1\nS 2\nC\nA 0 2 3\nO 3\n";
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let circuit = read_aby(text, Some(vec![g, e])).unwrap();
    let ports: Vec<_> = circuit.inputs.iter().map(|i| (&i.name[..], i.party, i.width)).collect();
    assert_eq!(ports, [("server0", g, 2), ("server1", e, 1)]);
    assert_eq!(circuit.outputs[0].name, "out");
    let error = read_aby(text, Some(vec![g])).unwrap_err().to_string();
    assert!(error.contains("owners are given for 1 inputs, but the circuit has 2"), "{error}");
    // The file's name and the comment do not indicate the format. The first line does.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.txt");
    std::fs::write(&file, format!("# a comment\n\n{text}")).unwrap();
    assert_eq!(detect(&file).unwrap(), Format::Aby);
}

#[test]
fn malformed_aby_files() {
    let cases = [
        ("S 0\nO 0 1\n", 2, "output wire 1 is neither an input nor assigned by any line"),
        ("O 1\nS 0\n", 1, "output wire 1"),
        ("S 0 1\n", 2, "ends without outputs"),
        ("S 0 0\n", 1, "wire 0 is an input, and declared or assigned a second time"),
        ("S 0\nI 0 1\nC 2\n", 3, "inputs after the first gate"),
        ("S 0\nI 0 0\n", 2, "wire 0 is an input"),
        ("S 0\nI 0 1\nI 0 1\n", 3, "wire 1 is assigned a second time"),
        ("S 0\nA 0 1 2\n", 2, "wire 1 is read, and neither an input nor assigned"),
        ("S 0\nA 0 1\n", 2, "`A a b out` has 3 wires; this line has 2"),
        ("S 0\nX 0 0 1 2\n", 2, "`X a b out` has 3 wires; this line has more"),
        ("S 0\nM 0 0 1\n", 2, "`M a b select out` has 4 wires; this line has 3"),
        ("S 0\nI -4 1\n", 2, "wire -4 is no constant"),
        ("S 0\nI 0 -2\n", 2, "wire -2 is out of range"),
        ("S -1\n", 1, "wire -1 is out of range"),
        ("S 1073741824\n", 1, "wire 1073741824 is out of range"),
        ("S 99999999999999999999\n", 1, "too large"),
        ("S 0\n0 -3\n", 2, "wire -3 is declared as the wrong constant"),
        ("S 0\nN 0 1\n", 2, "unknown line \"N\""),
        ("S 0\nDFFs: 3\n", 2, "unknown line \"DFFs:\""),
        ("S 0\nX0 1 2\n", 2, "unknown line \"X0\""),
        ("S 0\nX 0 a 2\n", 2, "character a has no place"),
        ("S 0\nX 0 - 2\n", 2, "character - has no place"),
        ("S 0\nabcdefghijklmnopqrstuvwxyz\n", 2, "unknown line"),
    ];
    for (text, line, expected) in cases {
        let error = match read_aby(text, None) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("taken for a circuit: {text}"),
        };
        assert!(error.starts_with(&format!("x.aby:{line}: ")), "{error} in {text}");
        assert!(error.contains(expected), "{error}, not {expected}, in {text}");
    }
}
