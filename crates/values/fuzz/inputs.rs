//! Fuzzes the values of a party with arbitrary text, on the command line, in JSON and in files, for
//! several ports. Each text is rejected, or gives as many bits as each port has. Written in
//! hexadecimal, these bits must give the same value.
//!
//! longest: 512

use halfgate_circuit::Element;
use halfgate_circuit::{Bits, Party};
use halfgate_values::{
    Elements, Form, Literal, Port, Source, cycles, parse, parse_object, read, value_of,
};
use std::sync::LazyLock;

pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let ports = &PORTS[usize::from(choice) % 10..][..usize::from(choice / 10) % 4];

    if let Ok(values) = parse_object(text, ports) {
        check(&values, ports);
    }
    if let [port] = ports {
        for column in [None, Some("b".to_owned()), Some("2".to_owned())] {
            for form in [Form::Csv { column }, Form::Value, Form::Json, Form::Text] {
                if let Ok(value) = value_of(text, &form, "file", port) {
                    check(&[value], ports);
                }
            }
        }
    }
    let Ok(sources) = parse(text) else { return };
    if let [Source::Literal(literal)] = &sources[..] {
        check_literal(literal, text.trim());
    }
    // The fuzzer must not read files of this computer.
    if sources.iter().any(|source| matches!(source, Source::File { .. } | Source::Typed(..))) {
        return;
    }
    let mut stdin = Some(&rest[..rest.len() / 2]);
    if let Ok(values) = read(sources, ports, &mut stdin) {
        assert_eq!(values.len(), ports.len());
        check(&values, ports);
    }
}

/// Ports of every kind. The fuzzer picks a range of them.
static PORTS: LazyLock<[Port; 12]> = LazyLock::new(|| {
    let port = |name: &str, width, per_cycle, elements| Port {
        name: name.to_owned(),
        width,
        per_cycle,
        elements,
    };
    let fixed = Elements::List { element: Element::Fixed { fraction: 12 }, width: 16 };
    let set = Elements::Set { width: 16, count: 4, party: Party::Evaluator };
    [
        port("a", 8, false, Elements::Unknown),
        port("b", 13, false, Elements::Unknown),
        port("set", 64, false, set),
        port("block", 11, true, Elements::Unknown),
        port("list", 40, false, Elements::List { element: Element::Signed, width: 10 }),
        port("none", 0, false, Elements::Unknown),
        port("none per cycle", 0, true, Elements::Unknown),
        port("floats", 96, false, Elements::List { element: Element::Float32, width: 32 }),
        port("float", 64, true, Elements::List { element: Element::Float64, width: 64 }),
        port("fixed", 16, false, fixed),
        port("text", 40, false, Elements::List { element: Element::Text, width: 8 }),
        port("bytes", 24, false, Elements::List { element: Element::Bytes, width: 24 }),
    ]
});

fn check(values: &[halfgate_values::Value], ports: &[Port]) {
    let cycles = cycles(values, ports).ok().flatten().unwrap_or(1);
    for (value, port) in values.iter().zip(ports) {
        if let Ok(bits) = value.bits(port, cycles) {
            let times = if port.per_cycle { cycles as usize } else { 1 };
            assert_eq!(bits.len(), port.width * times, "{}", port.name);
        }
    }
}

/// Compares one value with a second implementation: its own bits in hexadecimal, and Rust's
/// integers.
fn check_literal(literal: &Literal, text: &str) {
    for width in [1, 7, 64, 127] {
        let Ok(bits) = literal.to_bits(width) else { continue };
        let again = Literal::parse(&format!("0x{}", bits.to_hex())).expect("hexadecimal");
        assert!(again.to_bits(width).expect("it fits") == bits);
        if let Ok(value) = text.parse::<i128>() {
            let least = if value < 0 { -(1 << (width - 1)) } else { 0 };
            assert!((least..1 << width.min(126)).contains(&value) || width == 127);
            let wanted = (value as u128).to_le_bytes();
            assert!(bits == Bits::from_bytes(&wanted).slice(0, width));
        }
    }
}
