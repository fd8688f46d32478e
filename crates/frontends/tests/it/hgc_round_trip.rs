//! Tests that random circuits stay the same when they are written as HGC and read back: ports with
//! owners and types, flip-flops, gates and outputs, and therefore the program hash.

use crate::common::{Rng, testdata};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::verify::verify;
use halfgate_circuit::{
    Bit, Builder, Circuit, Element, ElementType, Gate, Gates, Init, Input, Output, Party, Wire,
    clear,
};
use halfgate_frontends::hgc::{self, WriteError};
use halfgate_frontends::{Format, Options};
use proptest::prelude::*;

fn write(circuit: &Circuit) -> Vec<u8> {
    let mut text = Vec::new();
    hgc::write(circuit, &mut text).expect("the circuit can be written");
    text
}

fn read(text: &[u8]) -> Circuit {
    let circuit = hgc::read(text, "test.hgc").expect("what was written reads back");
    verify(&circuit).expect("the reader gives valid circuits");
    circuit
}

#[track_caller]
fn assert_same(a: &Circuit, b: &Circuit) {
    assert_eq!(a.inputs, b.inputs);
    assert_eq!(a.flip_flops, b.flip_flops);
    assert!(a.gates.iter().eq(b.gates.iter()), "the gates differ");
    assert_eq!(a.outputs, b.outputs);
    assert_eq!(a.cycles, b.cycles);
}

/// Returns a type that a port of `width` bits may have, or none.
fn elements(width: u32, rng: &mut Rng) -> Option<ElementType> {
    let widths: Vec<u32> = (1..=width).filter(|&element| width.is_multiple_of(element)).collect();
    let element_width = widths[rng.below(widths.len())];
    let fraction = rng.below(40) as u32;
    let element = match rng.below(9) {
        0 => return None,
        1 => Element::Signed,
        2 => Element::Fixed { fraction },
        3 => Element::FixedUnsigned { fraction },
        4 => Element::Bytes,
        5 => Element::Text,
        6 if element_width == 32 => Element::Float32,
        7 if element_width == 64 => Element::Float64,
        _ => Element::Unsigned,
    };
    Some(ElementType { element, width: element_width })
}

const NAMES: [&str; 12] = [
    "a",
    "input",
    "end",
    "per-cycle",
    "data[3:0]",
    "two words",
    "7",
    "#",
    "\"",
    "\\\n\t\u{0}",
    "Größe",
    "x.y$z",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_circuits_are_read_back_as_they_were(
        seed in 1u64..,
        gates in 0u32..300,
        input_bits in 1u32..200,
        flip_flops in 0u32..12,
        output_bits in 1u32..200,
    ) {
        let shape = Shape { input_bits, flip_flops, gates, and_percent: 50, output_bits };
        let mut circuit = random::circuit(seed, &shape);
        let mut rng = Rng(seed);
        for (index, input) in circuit.inputs.iter_mut().enumerate() {
            input.elements = elements(input.width, &mut rng);
            let is_unsigned = input.elements.is_some_and(|of| of.element == Element::Unsigned);
            input.is_set = is_unsigned && !input.per_cycle && rng.below(2) == 0;
            input.name = NAMES[(index + rng.below(3) * 4) % NAMES.len()].to_owned();
        }
        for (index, output) in circuit.outputs.iter_mut().enumerate() {
            output.elements = elements(output.bits.len() as u32, &mut rng);
            output.name = NAMES[(index + rng.below(5) * 2) % NAMES.len()].to_owned();
        }
        // Two random names may be equal.
        prop_assume!(verify(&circuit).is_ok());
        let text = write(&circuit);
        let back = read(&text);
        assert_same(&circuit, &back);
        prop_assert_eq!(write(&back), text);
    }
}

#[test]
fn the_small_sample_has_the_circuit_that_its_text_shows() {
    let circuit = read(&std::fs::read(testdata("adder.hgc")).unwrap());
    let ports: Vec<_> =
        circuit.inputs.iter().map(|i| (&i.name[..], i.party, i.width, i.per_cycle)).collect();
    assert_eq!(ports, [("a", Party::Garbler, 1, true), ("b", Party::Evaluator, 1, true)]);
    assert_eq!((circuit.cycles, circuit.gates.ands()), (8, 1));
    let values = [100u64, 55].map(|value| (0..8).map(|bit| value >> bit & 1 == 1).collect());
    let sum = clear::evaluate(&circuit, &values, 8).unwrap();
    assert_eq!(sum[0].to_integer(), Some(155));
}

/// The examples in the format's documentation equal the samples.
#[test]
fn the_page_shows_the_samples() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/circuit-format.md")).expect("the page");
    for (version, sample) in [(1, "adder.hgc"), (2, "sums.hgc")] {
        let first = format!("    halfgate-circuit {version}");
        let from = page.lines().skip_while(|line| *line != first);
        let shown: String = from
            .map_while(|line| line.strip_prefix("    "))
            .flat_map(|line| [line, "\n"])
            .collect();
        assert_eq!(shown, std::fs::read_to_string(testdata(sample)).expect("the sample"));
    }
}

#[test]
fn every_word_of_the_format_is_read() {
    let circuit = read(&std::fs::read(testdata("every-word.hgc")).unwrap());
    let inits: Vec<Init> = circuit.flip_flops.iter().map(|f| f.init).collect();
    let input = Init::Input(Wire::new(1));
    assert_eq!(inits, [Init::Constant(false), Init::Constant(true), input]);
    let w = |i| Wire::new(i).bit();
    let next: Vec<Bit> = circuit.flip_flops.iter().map(|f| f.next).collect();
    assert_eq!(next, [!w(210), Bit::TRUE, w(6)]);
    let expected = [
        Gate::and(w(0), w(1), false),
        Gate::and(!w(200), !w(203), true),
        Gate::and(!w(6), w(7), false),
        Gate::xor(w(204), w(202), false),
        Gate::xor(w(205), w(199), true),
        Gate::copy(w(206), false),
        Gate::copy(w(202), true),
        Gate::xor(w(209), w(3), true),
    ];
    assert!(circuit.gates.iter().eq(expected));
    assert_eq!(circuit.outputs[0].bits.to_vec(), [w(210), !w(210), w(210)]);
    assert_eq!(circuit.outputs[1].name, "Größe");
    assert_eq!(circuit.outputs[1].bits.to_vec()[..4], [Bit::FALSE, Bit::TRUE, w(0), !w(0)]);
    let types: Vec<Option<ElementType>> = circuit.inputs.iter().map(|i| i.elements).collect();
    let typed = |element, width| Some(ElementType { element, width });
    let expected = [
        None,
        typed(Element::Signed, 2),
        typed(Element::Unsigned, 2),
        typed(Element::Float32, 32),
        typed(Element::Fixed { fraction: 16 }, 32),
        typed(Element::FixedUnsigned { fraction: 2 }, 8),
        typed(Element::Float64, 64),
        typed(Element::Text, 8),
        typed(Element::Bytes, 8),
    ];
    assert_eq!(types, expected);
}

fn wires_only(name: &str, elements: Option<ElementType>) -> Circuit {
    let input = Input {
        name: name.into(),
        party: Party::Garbler,
        width: 8,
        per_cycle: false,
        elements,
        is_set: false,
    };
    let bits = vec![Wire::new(0).bit()];
    let output = Output { name: "out".into(), bits: bits.into(), per_cycle: false, elements: None };
    let gates = Gates::new();
    Circuit { inputs: vec![input], flip_flops: Vec::new(), gates, outputs: vec![output], cycles: 1 }
}

#[test]
fn circuits_that_readers_reject_are_not_written() {
    let mut sink = Vec::new();
    let elements = Some(ElementType { element: Element::Signed, width: 3 });
    let error = hgc::write(&wires_only("x", elements), &mut sink).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the type of port \"x\" cannot be written: the port's 8 bits are no multiple of an \
         element's 3"
    );
    let long = "n".repeat(hgc::MAX_NAME_BYTES + 1);
    let error = hgc::write(&wires_only(&long, None), &mut sink).unwrap_err();
    assert!(matches!(error, WriteError::NameTooLong { .. }), "{error}");
    assert!(sink.is_empty());
    let longest = wires_only(&long[1..], None);
    assert_same(&longest, &read(&write(&longest)));
}

/// Tests a chain whose gates continue in a temporary file. Its lines are generated as they are
/// read.
#[test]
fn a_long_file_is_read_as_a_stream() {
    const GATES: usize = Gates::IN_MEMORY + 1000;
    let head = "halfgate-circuit 1\ninput a garbler 1\ninput b evaluator 1\n".to_owned();
    let gate = |i: usize| {
        let gate = if i.is_multiple_of(2) { "and" } else { "xor" };
        format!("{} = {gate} {i} {}\n", i + 2, i + 1)
    };
    let tail = format!("output o 1\nbits {}\nend\n", GATES + 1);
    let lines = std::iter::once(head).chain((0..GATES).map(gate)).chain([tail]);
    let reader = std::io::BufReader::new(Lines { lines, line: Vec::new(), at: 0 });
    let circuit = hgc::read(reader, "chain").unwrap();
    assert_eq!(circuit.gates.len(), GATES);
    assert_eq!(circuit.gates.ands(), GATES.div_ceil(2) as u64);
}

struct Lines<I> {
    lines: I,
    line: Vec<u8>,
    at: usize,
}

impl<I: Iterator<Item = String>> std::io::Read for Lines<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() {
            self.line = self.lines.next().unwrap_or_default().into_bytes();
            self.at = 0;
        }
        let count = std::io::Read::read(&mut &self.line[self.at..], buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// A declared width takes no memory before its bits follow. In each format, a file may have only
/// about one input bit per byte.
#[test]
fn a_wide_port_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wide");
    let open = |text: &str| {
        std::fs::write(&file, text).unwrap();
        halfgate_frontends::open(&file, &Options::default()).unwrap_err().to_string()
    };
    let input = "halfgate-circuit 1\ninput a garbler 1073741824\nend\n";
    assert!(open(input).contains("declares 1073741824 input bits"), "{}", open(input));
    let output = "halfgate-circuit 1\noutput o 1073741824\nbits false\nend\n";
    let error = open(output);
    assert!(error.contains("has 1073741824 bits, but only 1 of them"), "{error}");
}

#[test]
fn a_file_is_known_by_its_name_and_by_its_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read(testdata("adder.hgc")).unwrap();
    for name in ["a.hgc", "b.HGC", "c", "d.txt"] {
        let file = folder.path().join(name);
        std::fs::write(&file, &text).unwrap();
        assert_eq!(halfgate_frontends::detect(&file).unwrap(), Format::Hgc);
        let circuit = halfgate_frontends::open(&file, &Options::default()).unwrap();
        assert_eq!(circuit.outputs[0].name, "sum");
    }
    let refused = |options: &Options| {
        halfgate_frontends::open(folder.path().join("c"), options).unwrap_err().to_string()
    };
    let options = Options { parties: Some(vec![Party::Garbler]), ..Options::default() };
    assert!(refused(&options).contains("states the owners of its inputs"), "{}", refused(&options));
    let outputs = Some(halfgate_frontends::scd::Outputs::Last);
    let options = Options { outputs, ..Options::default() };
    assert!(refused(&options).contains("of which cycles"), "{}", refused(&options));
    let options = Options { top: Some("m".to_owned()), ..Options::default() };
    assert!(refused(&options).contains("no modules"), "{}", refused(&options));
}

#[test]
fn lines_of_a_source_are_kept_without_their_folder() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 4);
    b.at_line("/home/alice/secret/sum.v:3");
    let one = b.and(x[0], x[1]);
    b.at_line("");
    let two = b.and(one, x[2]);
    b.at_line("C:\\alice\\sum.v:5");
    let three = b.and(two, x[3]);
    b.output("y", &[three]);
    let circuit = b.finish().expect("a circuit");
    let mut text = Vec::new();
    hgc::write(&circuit, &mut text).expect("written");
    let shown = String::from_utf8(text.clone()).expect("text");
    assert!(!shown.contains("alice"), "{shown}");
    let read = hgc::read(&text[..], "a.hgc").expect("read");
    let lines = |circuit: &Circuit| {
        let sources = circuit.gates.sources().expect("lines");
        (0..3).map(|gate| sources.line(gate).unwrap_or("?").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&read), ["sum.v:3", "?", "sum.v:5"]);
}

/// A source line is a comment, so no contents of it are an error.
#[test]
fn a_line_of_a_source_is_never_an_error() {
    let long = "x".repeat(5000);
    let comments = [
        &b"#line"[..],
        b"#line ",
        b"#lines 4",
        b"#line \xff\xfe",
        b"#line \x1b[31m",
        b"#line a:1\r",
    ];
    for comment in comments.into_iter().chain([format!("#line {long}").as_bytes()]) {
        let mut file = b"halfgate-circuit 1\ninput x garbler 2\n".to_vec();
        file.extend_from_slice(comment);
        file.extend_from_slice(b"\n2 = and 0 1\noutput y 1\nbits 2\nend\n");
        let circuit = hgc::read(&file[..], "a.hgc").expect("a circuit");
        let line = circuit.gates.sources().and_then(|sources| sources.line(0));
        let is_line = comment.starts_with(b"#line a");
        assert_eq!(line, is_line.then_some("a:1"), "{comment:?}");
    }
}
