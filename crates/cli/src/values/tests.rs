//! Values against ports: counts, widths, files, cycles.

use super::*;
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
    let values = read_text(&at, &[port("a", 16)]).expect("two bytes");
    assert_eq!(hex(&values[0], &port("a", 16), 1), "0201");
    assert!(message(read_text(&at, &[port("a", 8)])).contains("more than 1 bytes, 1 wanted"));
    assert!(message(read_text(&at, &[port("a", 24)])).contains("2 bytes, 3 wanted (24 bits)"));
    assert!(message(read_text("@/no/such", &[port("a", 8)])).starts_with("cannot read /no/such"));

    let values = read(parse("-").expect("parsed"), &[port("a", 8)], &mut Some(&[9][..]));
    assert_eq!(hex(&values.expect("a byte")[0], &port("a", 8), 1), "09");
    let twice =
        read(parse("-,-").expect("parsed"), &[port("a", 8), port("b", 8)], &mut Some(&[9][..]));
    assert!(matches!(twice, Err(ValueError::StdinTwice)));
}

#[test]
fn per_cycle_ports_take_bytes_or_a_list() {
    let port = per_cycle("block", 16);
    let ports = [port.clone()];
    let values = read_text("bytes:01020304", &ports).expect("bytes");
    assert_eq!(cycles(&values, &ports).expect("whole cycles"), Some(2));
    assert_eq!(hex(&values[0], &port, 2), "04030201");
    assert!(message(values[0].bits(&port, 3)).contains("values for 2 cycles, the run has 3"));

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
    let text = r#"{"b": [1, 2, "0x3", -1], "a": "-5"}"#;
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
    assert!(error(r#"{"a": 99999999999999999999, "b": 1}"#).contains("as a string"));
    assert!(error("{").starts_with("not JSON"));
}

#[test]
fn lists_have_the_number_of_elements_that_is_known() {
    let elements = Port { elements: Elements::List { width: 8 }, ..port("set", 32) };
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
    // Of the highest six values, the even ones fill up the garbler's set.
    assert_eq!(bits("[9]").expect("a set").to_hex(), "fcfa09");
    assert!(message(bits("[1, 1]")).contains("more than once"));
    assert!(message(bits("[1, 2, 3, 4]")).contains("4 elements"));
    let whole =
        |text| read_text(text, std::slice::from_ref(&set)).expect("a value")[0].bits(&set, 1);
    assert_eq!(whole("0x030201").expect("ascending").to_hex(), "030201");
    assert!(message(whole("0x010203")).contains("ascending order"));
    assert!(message(whole("5")).contains("ascending order"));
}

#[test]
fn a_json_file_stands_alone() {
    let mixed = read_text("1,@values.json", &[port("a", 8), port("b", 8)]);
    assert!(matches!(mixed, Err(ValueError::JsonNotAlone { .. })));
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
