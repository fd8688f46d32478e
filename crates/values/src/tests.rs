//! Tests values and ports: counts, widths, files and cycles.

use crate::*;
use halfgate_circuit::{Bits, Element, Party};
use proptest::prelude::*;

fn port(name: &str, width: usize) -> Port {
    Port { name: name.into(), width, per_cycle: false, elements: Elements::Unknown }
}

fn per_cycle(name: &str, width: usize) -> Port {
    Port { per_cycle: true, ..port(name, width) }
}

fn read_text(text: &str, ports: &[Port]) -> Result<Vec<Value>, ValueError> {
    read(parse(text)?, ports, &mut Some(&[][..]))
}

fn hex(value: &Value, port: &Port, cycles: u64) -> String {
    value.bits(port, cycles).expect("fits").to_hex()
}

fn message<T>(result: Result<T, ValueError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn lists_are_split_and_counted() {
    let ports = [port("a", 8), port("b", 16)];
    let values = read_text("1, 0x203", &ports).expect("two values");
    assert_eq!(hex(&values[0], &ports[0], 1), "01");
    assert_eq!(hex(&values[1], &ports[1], 1), "0203");
    assert!(read_text("", &[]).expect("none").is_empty());
    assert_eq!(message(read_text("1", &ports)), "1 value given, 2 wanted: a, b");
    assert_eq!(message(read_text("", &ports)), "0 values given, 2 wanted: a, b");
    assert_eq!(message(read_text("7", &[])), "1 value given, 0 wanted");
    assert!(message(read_text("1,,2", &ports)).starts_with("value 2: there are no digits"));
}

#[test]
fn errors_never_repeat_a_value() {
    let secret = "7654321";
    let wrong = message(read_text(&format!("{secret}q"), &[port("a", 8)]));
    assert!(!wrong.contains(secret), "{wrong}");
    let values = read_text(secret, &[port("a", 8)]).expect("a number");
    let wide = message(values[0].bits(&port("a", 8), 1));
    assert_eq!(wide, "input \"a\": the value needs 23 bits, the input has 8");
}

#[test]
fn raw_bytes_from_files_and_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    std::fs::write(&path, [1, 2]).expect("written");
    let at = format!("@{}", path.display());
    let at = format!("bytes:{at}");
    let values = read_text(&at, &[port("a", 16)]).expect("two bytes");
    assert_eq!(hex(&values[0], &port("a", 16), 1), "0201");
    assert!(message(read_text(&at, &[port("a", 8)])).contains("more than 1 bytes, 1 wanted"));
    assert!(message(read_text(&at, &[port("a", 24)])).contains("2 bytes, 3 wanted (24 bits)"));
    assert!(message(read_text("@/no/such", &[port("a", 8)])).starts_with("cannot read /no/such"));

    let values = read(parse("bytes:-").expect("parsed"), &[port("a", 8)], &mut Some(&[9][..]));
    assert_eq!(hex(&values.expect("a byte")[0], &port("a", 8), 1), "09");
    let values = read(parse("-").expect("parsed"), &[port("a", 8)], &mut Some(&b"9\n"[..]));
    assert_eq!(hex(&values.expect("a number")[0], &port("a", 8), 1), "09");
    let twice =
        read(parse("-,-").expect("parsed"), &[port("a", 8), port("b", 8)], &mut Some(&b"9"[..]));
    assert!(matches!(twice, Err(ValueError::StdinTwice)));
}

#[test]
fn an_integer_is_spread_over_the_cycles() {
    let (bit, word) = (per_cycle("bit", 1), per_cycle("word", 3));
    let value = |text: &str| Value::One(Literal::parse(text).unwrap());
    let bits = |text: &str, port: &Port, cycles: u64| {
        let bits = value(text).bits(port, cycles)?;
        Ok::<_, ValueError>(bits.iter().map(|bit| if bit { '1' } else { '0' }).collect::<String>())
    };
    assert_eq!(bits("200", &bit, 8).unwrap(), "00010011");
    assert_eq!(bits("0x1", &bit, 3).unwrap(), "100");
    assert_eq!(bits("-1", &word, 2).unwrap(), "111111");
    assert_eq!(bits("5", &word, 1).unwrap(), "101");
    assert!(bits("256", &bit, 8).unwrap_err().to_string().contains("bit"));
    // The memory used must not grow with an impossible number of cycles.
    assert!(matches!(bits("1", &bit, 1 << 60), Err(ValueError::Cycles { .. })));
    // A value that is one element, such as a text, belongs to one cycle.
    let element = Elements::List { element: Element::Bytes, width: 8 };
    let bytes = Port { elements: element, ..per_cycle("bytes", 8) };
    assert!(matches!(bits("1", &bytes, 2), Err(ValueError::Cycles { .. })));
}

#[test]
fn per_cycle_ports_take_bytes_or_a_list() {
    let port = per_cycle("block", 16);
    let ports = [port.clone()];
    let values = read_text("bytes:01020304", &ports).expect("bytes");
    assert_eq!(cycles(&values, &ports).expect("whole cycles"), Some(2));
    assert_eq!(hex(&values[0], &port, 2), "04030201");
    assert_eq!(
        message(values[0].bits(&port, 3)),
        "input \"block\": values for 2 cycles, the run has 3: 32 bits given, 48 needed; give one \
         for each cycle (bytes or a list)"
    );

    let values = parse_object(r#"{"block": ["bytes:0102", 1027]}"#, &ports).expect("a list");
    assert_eq!(hex(&values[0], &port, 2), "04030201");

    let odd = read_text("bytes:010203", &ports).expect("bytes");
    assert!(cycles(&odd, &ports).is_err());

    // Each cycle starts a new byte.
    let bit = per_cycle("bit", 1);
    let values = read_text("bytes:010001", std::slice::from_ref(&bit)).expect("bytes");
    assert_eq!(hex(&values[0], &bit, 3), "5");
}

#[test]
fn json_by_name() {
    let ports = [port("a", 8), port("b", 32)];
    let text = r#"{"b": "i8:[1, 2, 0x3, -1]", "a": "-5"}"#;
    let values = parse_object(text, &ports).expect("an object");
    assert_eq!(hex(&values[0], &ports[0], 1), "fb");
    assert_eq!(hex(&values[1], &ports[1], 1), "ff030201");

    let error = |text| parse_object(text, &ports).err().expect("an error").to_string();
    assert_eq!(error("[]"), r#"wants an object by input name, such as {"a": 1}"#);
    assert_eq!(error(r#"{"a": 1}"#), r#"there is no value for input "b""#);
    assert_eq!(
        error(r#"{"a": 1, "b": 1, "c": 1}"#),
        r#"there is no input "c"; this party's inputs are a, b"#
    );
    assert!(error(r#"{"a": 1.5, "b": 1}"#).contains("wants an integer"));
    assert_eq!(error(r#"{"a": 1, "b": 2, "a": 3}"#), r#"the name "a" appears more than once"#);
    assert_eq!(
        error(r#"{"a": 1, "b": [1, "2q"]}"#),
        "input \"b\", element 2: character 2 is not a decimal digit; write a number, 0x…, 0b…, \
         bytes:…, text:…, [LIST], @FILE or -"
    );
    // A number keeps all its digits.
    let wide = [port("w", 80)];
    let values = parse_object(r#"{"w": 604462909807314587353087}"#, &wide).expect("80 bits");
    assert_eq!(hex(&values[0], &wide[0], 1), "7".to_owned() + &"f".repeat(19));
    assert!(error("{").starts_with("not JSON"));
}

#[test]
fn lists_have_the_number_of_elements_that_is_known() {
    let elements = Port {
        elements: Elements::List { element: Element::Unsigned, width: 8 },
        ..port("set", 32)
    };
    let values = |text| parse_object(text, std::slice::from_ref(&elements)).expect("an object");
    assert_eq!(hex(&values(r#"{"set": [1, 2, 3, 4]}"#)[0], &elements, 1), "04030201");
    let short = message(values(r#"{"set": [1, 2]}"#)[0].bits(&elements, 1));
    assert_eq!(short, "input \"set\": the list has 2 elements, 4 of 8 bits wanted");
}

#[test]
fn sets_may_be_in_any_order_and_shorter() {
    let elements = Elements::Set { width: 8, count: 3, party: Party::Garbler };
    let set = Port { elements, ..port("a", 24) };
    let bits = |text: &str| {
        parse_object(text, std::slice::from_ref(&set)).expect("a list")[0].bits(&set, 1)
    };
    assert_eq!(bits("[9, 3, 4]").expect("a set").to_hex(), "090403");
    // The garbler's set is padded with even values out of the highest six values.
    assert_eq!(bits("[9]").expect("a set").to_hex(), "fcfa09");
    assert!(message(bits("[1, 1]")).contains("more than once"));
    assert!(message(bits("[1, 2, 3, 4]")).contains("4 elements"));
    let whole =
        |text| read_text(text, std::slice::from_ref(&set)).expect("a value")[0].bits(&set, 1);
    assert_eq!(whole("0x030201").expect("ascending").to_hex(), "030201");
    assert!(message(whole("0x010203")).contains("ascending order"));
    assert!(message(whole("5")).contains("the input is a list"));
}

fn typed(width: usize, element: Element, element_width: usize) -> Port {
    Port { elements: Elements::List { element, width: element_width }, ..port("a", width) }
}

/// Returns the bits of `text` in hexadecimal, or the error.
fn bits_of(text: &str, port: &Port) -> Result<String, String> {
    let values = read_text(text, std::slice::from_ref(port)).map_err(|error| error.to_string())?;
    values[0].bits(port, 1).map(|bits| bits.to_hex()).map_err(|error| error.to_string())
}

#[test]
fn floats_by_the_type_of_the_port() {
    let one = typed(64, Element::Float64, 64);
    for (text, number) in [
        ("1.5", 1.5),
        ("2", 2.0),
        ("-0", -0.0),
        ("-0.25e3", -250.0),
        ("1e-320", 1e-320),
        ("inf", f64::INFINITY),
        ("-inf", f64::NEG_INFINITY),
        ("f64:0.1", 0.1),
        ("0x7ff8000000000000", f64::NAN),
    ] {
        assert_eq!(bits_of(text, &one), Ok(format!("{:016x}", number.to_bits())), "{text}");
    }
    let list = typed(96, Element::Float32, 32);
    assert_eq!(bits_of("[1, 0.1,-2.5e-3]", &list), Ok("bb23d70a3dcccccd3f800000".into()));
    assert_eq!(bits_of("0x1", &list), Ok("000000000000000000000001".into()));
    for (text, port, expected) in [
        ("1.5", &list, "the input is a list"),
        ("5", &list, "the input is a list"),
        ("[1, 2]", &list, "2 elements, 3 of 32 bits wanted"),
        ("[1, 2, 3", &list, "no ] at its end"),
        ("1e999", &one, "beyond the largest finite binary64"),
        ("[1,2,1e39]", &list, "beyond the largest finite binary32"),
        ("f64:x", &one, "f64: wants a number"),
        ("f32:1.5", &one, "f32: has 32 bits, but the input has 64"),
        ("1.5", &port("a", 64), "the input takes an integer; write f32:"),
        ("1.5", &typed(64, Element::Signed, 64), "the input takes an integer"),
    ] {
        let error = bits_of(text, port).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert_eq!(bits_of("f32:1.5", &port("a", 32)), Ok("3fc00000".into()));
    let json = parse_object(r#"{"a": [1, 0.1, "0x3"]}"#, std::slice::from_ref(&list));
    assert_eq!(hex(&json.expect("numbers")[0], &list, 1), "000000033dcccccd3f800000");
}

#[test]
fn fixed_point_is_rounded_and_range_checked() {
    let fixed = typed(16, Element::Fixed { fraction: 12 }, 16);
    assert_eq!(bits_of("1.5", &fixed), Ok("1800".into()));
    assert_eq!(bits_of("-8", &fixed), Ok("8000".into()));
    assert_eq!(bits_of("0.0003", &fixed), Ok("0001".into()));
    for text in ["8", "-8.1", "nan", "inf"] {
        let error = bits_of(text, &fixed).expect_err(text);
        assert!(error.contains("is not from -8 to 7.999755859375"), "{error}");
    }
    let unsigned = typed(8, Element::FixedUnsigned { fraction: 8 }, 8);
    assert_eq!(bits_of("0.5", &unsigned), Ok("80".into()));
    assert!(bits_of("1", &unsigned).is_err() && bits_of("-0.5", &unsigned).is_err());
}

#[test]
fn signed_integers_keep_their_sign() {
    let signed = typed(16, Element::Signed, 8);
    assert_eq!(bits_of("[-1, 127]", &signed), Ok("7fff".into()));
    assert!(
        bits_of("[-1, 128]", &signed)
            .expect_err("wide")
            .contains("element 2: the value is not from -128 to 127")
    );
}

#[test]
fn texts_are_filled_up_with_zeros() {
    let text = typed(64, Element::Text, 8);
    assert_eq!(bits_of("text:kitten", &text), Ok("00006e657474696b".into()));
    assert_eq!(bits_of("text:", &text), Ok("0".repeat(16)));
    assert_eq!(bits_of("text:é", &text), Ok("000000000000a9c3".into()));
    let narrow = typed(15, Element::Text, 5);
    assert_eq!(bits_of("[1,2,3]", &narrow), Ok("0c41".into()));
    for (value, port, expected) in [
        ("text:kittenish", &text, "the text has 9 bytes of UTF-8, the input holds 8"),
        ("text:a", &narrow, "character 1 of the text does not fit an element of 5 bits"),
        ("text:a\0b", &text, "character 2"),
        ("[1,0,3]", &narrow, "element 3: it is behind a zero, which marks the end"),
        ("5", &text, "the input is text"),
    ] {
        let error = bits_of(value, port).expect_err(value);
        assert!(error.contains(expected), "{value}: {error}");
    }
    let json = parse_object(r#"{"a": "0x, a, b"}"#, std::slice::from_ref(&text));
    assert_eq!(json.expect("a text")[0].bits(&text, 1).expect("fits").to_bytes(), b"0x, a, b");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("word");
    for (bytes, expected) in [(&b"kitten\n"[..], Ok("00006e657474696b")), (b"\xff", Err("UTF-8"))] {
        std::fs::write(&path, bytes).expect("written");
        match (bits_of(&format!("@{}", path.display()), &text), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
            (found, _) => panic!("{found:?}"),
        }
    }
    // On a port of another kind, a text is bytes, and must have the exact number.
    assert_eq!(bits_of("text:ab", &port("a", 16)), Ok("6261".into()));
    assert!(bits_of("text:ab", &port("a", 32)).is_err());
}

#[test]
fn outputs_are_shown_as_values_are_written() {
    let shown = |hex: &str, bits: usize, element, width| {
        let bits = Bits::from_hex(hex, bits).expect("hexadecimal");
        let shown = show::elements(&bits, Elements::List { element, width }).expect("known");
        (show::list(&shown, "more"), show::json(shown).to_string())
    };
    let pair = |text: &str, json: &str| (text.to_owned(), json.to_owned());
    assert_eq!(shown("3ff8000000000000", 64, Element::Float64, 64), pair("1.5", "1.5"));
    assert_eq!(
        shown("3dcccccdff800000", 64, Element::Float32, 32),
        pair("[-inf, 0.1]", r#"["-inf",0.1]"#)
    );
    assert_eq!(shown("ff05", 16, Element::Signed, 8), pair("[5, -1]", "[5,-1]"));
    assert_eq!(shown("8000", 16, Element::Fixed { fraction: 12 }, 16), pair("-8", "-8.0"));
    assert_eq!(shown("80", 8, Element::FixedUnsigned { fraction: 8 }, 8), pair("0.5", "0.5"));
    assert_eq!(shown("0201", 16, Element::Bytes, 16), pair("bytes:0102", r#""bytes:0102""#));
    assert_eq!(shown("006261", 24, Element::Text, 8), pair("text:ab", r#""ab""#));
    let many = Bits::with_len(8000);
    let list = show::elements(&many, Elements::List { element: Element::Unsigned, width: 8 });
    let text = show::list(&list.expect("known"), "--json shows all");
    assert!(text.ends_with("0, …] (1000 elements; --json shows all)"));
    assert!(show::elements(&many, Elements::Unknown).is_none());
}

#[test]
fn an_object_stands_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.json");
    let ports = [port("a", 8), port("b", 8)];
    let read = |text: &str| {
        std::fs::write(&path, text).expect("written");
        read_text(&format!("1,@{}", path.display()), &ports)
    };
    assert!(message(read(r#"{"b": 2}"#)).contains("must be a party's only value"));
    assert_eq!(hex(&read("2").expect("a number")[1], &ports[1], 1), "02");
}

proptest! {
    #[test]
    fn nothing_panics(text: String, width in 0_usize..70, per_cycle: bool, cycles in 0_u64..5) {
        let port = Port { name: "p".into(), width, per_cycle, elements: Elements::Unknown };
        let ports = std::slice::from_ref(&port);
        if let Ok(sources) = parse(&text)
            && sources.iter().all(|source| matches!(source, Source::Literal(_)))
            && let Ok(values) = read(sources, ports, &mut Some(&[][..]))
            && let Ok(bits) = values[0].bits(&port, cycles)
        {
            let runs = if per_cycle { cycles as usize } else { 1 };
            prop_assert_eq!(bits.len(), width * runs);
        }
        let _ = parse_object(&text, ports);
    }
}

mod declared;
mod files;
mod lists;
