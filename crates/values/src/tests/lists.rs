//! Lists: the type of an element, and how lists are split.

use super::{bits_of, port, read_text, typed};
use halfgate_circuit::Element;

#[test]
fn a_list_has_one_reading() {
    let port = port("a", 32);
    assert_eq!(bits_of("u8:[1,2,3,4]", &port), Ok("04030201".into()));
    assert_eq!(bits_of("i16:[-1,2]", &port), Ok("0002ffff".into()));
    assert_eq!(bits_of("f32:[1.5]", &port), Ok("3fc00000".into()));
    // One element is the whole input, 32 elements are its bits, and bytes imply their width.
    assert_eq!(bits_of("[-1]", &port), Ok("ffffffff".into()));
    let bits = format!("[1{}]", ",0".repeat(31));
    assert_eq!(bits_of(&bits, &port), Ok("00000001".into()));
    assert_eq!(bits_of("[bytes:01,bytes:020304]", &port), Ok("04030201".into()));
    assert_eq!(
        bits_of("[1,2,3,4]", &port).expect_err("several readings"),
        "input \"a\": the circuit declares no element type, so 4 elements in 32 bits can be read in \
         several ways: write the type before the list, as in u8:[…] or i16:[…]; to split its 32 bits \
         write u8:[…], or i8:[…] for signed elements"
    );
    for (text, expected) in [
        ("[1,2]", "several ways"),
        ("[1,2,3]", "several ways"),
        ("u8:[1,2]", "the list has 2 elements, 4 of 8 bits wanted"),
        ("u8:[1,2,3,256]", "element 4: the value is not from 0 to 255"),
        ("u8:[1,2,3,-1]", "element 4: the value is not from 0 to 255"),
        ("[bytes:01,bytes:02]", "2 elements, of 16 bits together, 32 wanted"),
        ("u0:[1]", "u1 to u128"),
        ("u129:[1]", "u1 to u128"),
        ("x8:[1]", "u1 to u128"),
        ("u08:[1,2,3,4]", "u1 to u128"),
        ("[1,2,[3]]", "a list cannot contain a list"),
        ("[1]2", "something follows the ]"),
    ] {
        let error = bits_of(text, &port).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_list_has_the_type_that_the_port_declares() {
    let list = typed(32, Element::Unsigned, 8);
    assert_eq!(bits_of("[1,2,3,4]", &list), Ok("04030201".into()));
    assert_eq!(bits_of("u8:[1,2,3,4]", &list), Ok("04030201".into()));
    let error = bits_of("u16:[1,2]", &list).expect_err("another type");
    assert_eq!(
        error,
        "input \"a\": the list is of unsigned of 16 bits, the input of unsigned of 8 bits"
    );
    // One wide integer may be split if the list states a type.
    let word = typed(32, Element::Unsigned, 32);
    assert_eq!(bits_of("u8:[1,2,3,4]", &word), Ok("04030201".into()));
    let error = bits_of("[1,2,3,4]", &word).expect_err("no word");
    assert!(error.contains("1 of 32 bits wanted; to split its 32 bits write u8:[…]"), "{error}");
    let bytes = typed(32, Element::Bytes, 32);
    assert_eq!(bits_of("[1,2,3,4]", &bytes), Ok("04030201".into()));
    assert_eq!(bits_of("[bytes:0102,bytes:0304]", &bytes), Ok("04030201".into()));
    assert!(bits_of("[1,2]", &bytes).is_err());
}

#[test]
fn commas_in_texts_are_quoted() {
    let ports = [typed(64, Element::Text, 8), port("b", 8)];
    let values = read_text(r#"text:"a, b\"]", 7"#, &ports).expect("two values");
    assert_eq!(values[0].bits(&ports[0], 1).expect("fits").to_bytes(), b"a, b\"]\0\0");
    assert_eq!(values[1].bits(&ports[1], 1).expect("fits").to_hex(), "07");
    // A bracket in a text does not start a list.
    let values = read_text("text:[a,7", &ports).expect("two values");
    assert_eq!(values[0].bits(&ports[0], 1).expect("fits").to_bytes()[..2], *b"[a");
    let text = &ports[0];
    for (value, expected) in [
        (
            "text:a,b",
            "value 2: this is not a value; a comma ends a text unless the text is in quotes",
        ),
        (r#"text:"a"#, "in quotes"),
        (r#"text:"a"b"#, "in quotes"),
    ] {
        let error = bits_of(value, text).expect_err(value);
        assert!(error.contains(expected), "{value}: {error}");
    }
    let narrow = typed(16, Element::Text, 16);
    let error = bits_of("text:ab", &narrow).expect_err("too long");
    assert!(error.contains("2 characters, the input holds 1"), "{error}");
}
