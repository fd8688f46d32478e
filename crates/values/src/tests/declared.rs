//! Values for ports with a declared type.

use super::{bits_of, port, typed};
use crate::*;
use halfgate_circuit::Element;

#[test]
fn a_number_outside_an_unsigned_port_is_refused() {
    let unsigned = typed(32, Element::Unsigned, 32);
    let range = "input \"a\": the value is not from 0 to 4294967295, the range of 32 unsigned bits";
    for text in ["-1", "-2147483648", "4294967296", "-0x1"] {
        assert_eq!(bits_of(text, &unsigned).expect_err(text), range);
    }
    assert_eq!(bits_of("4294967295", &unsigned), Ok("ffffffff".into()));
    assert_eq!(bits_of("-0", &unsigned), Ok("00000000".into()));
    // Without a declaration, numbers are in two's complement.
    assert_eq!(bits_of("-1", &port("a", 32)), Ok("ffffffff".into()));
    let wide = typed(256, Element::Unsigned, 256);
    assert!(bits_of("-1", &wide).expect_err("negative").contains("from 0 to 2^256 - 1"));
}

#[test]
fn a_number_outside_a_signed_port_is_refused() {
    let signed = typed(8, Element::Signed, 8);
    assert_eq!(bits_of("-128", &signed), Ok("80".into()));
    for text in ["128", "-129"] {
        let error = bits_of(text, &signed).expect_err(text);
        assert!(error.contains("not from -128 to 127, the range of 8 signed bits"), "{error}");
    }
    // Bits are not range checked.
    assert_eq!(bits_of("0xff", &signed), Ok("ff".into()));
    let widest = typed(128, Element::Signed, 128);
    assert!(bits_of(&(1_u128 << 127).to_string(), &widest).is_err());
    assert!(bits_of(&i128::MIN.to_string(), &widest).is_ok());
}

#[test]
fn a_list_of_one_with_the_other_sign_is_refused() {
    let [unsigned, signed] =
        [Element::Unsigned, Element::Signed].map(|element| typed(32, element, 32));
    for (text, port, of) in [
        ("i32:[-1]", &unsigned, "the list is of signed of 32 bits, the input of unsigned"),
        ("i32:[1]", &unsigned, "the list is of signed"),
        ("u32:[4294967295]", &signed, "the list is of unsigned"),
    ] {
        let error = bits_of(text, port).expect_err(text);
        assert!(error.contains(of), "{text}: {error}");
    }
    assert_eq!(bits_of("i8:[-1,-1,0,0]", &unsigned), Ok("0000ffff".into()));
    assert_eq!(bits_of("u32:[7]", &unsigned), Ok("00000007".into()));
}

#[test]
fn an_element_that_does_not_fit_is_named() {
    let list = typed(32, Element::Unsigned, 8);
    for (text, element) in [("[-1,2,3,4]", 1), ("[1,2,256,4]", 3), ("[1,2,3,1.5]", 4)] {
        let error = bits_of(text, &list).expect_err(text);
        assert!(error.starts_with(&format!("input \"a\", element {element}: ")), "{error}");
    }
    let error = bits_of("[1,2,x,4]", &list).expect_err("no number");
    assert!(error.starts_with("value 1, element 3: character 1 is not"), "{error}");
}

#[test]
fn kinds_are_not_mixed_up() {
    let number = typed(16, Element::Unsigned, 16);
    assert!(bits_of("text:ab", &number).expect_err("a text").contains("write the number"));
    let bytes = typed(16, Element::Bytes, 16);
    assert_eq!(bits_of("text:ab", &bytes), Ok("6261".into()));
    assert!(bits_of("-1", &bytes).expect_err("negative").contains("bytes"));
    // A single number would leave all other elements of a list 0.
    let list = typed(16, Element::Unsigned, 8);
    assert!(bits_of("5", &list).expect_err("one number").contains("the input is a list"));
    assert_eq!(bits_of("0x0201", &list), Ok("0201".into()));
}

#[test]
fn an_integer_is_not_spread_over_the_cycles_of_a_declared_word() {
    let word = Port { per_cycle: true, ..typed(8, Element::Unsigned, 8) };
    let bit = Port { per_cycle: true, ..typed(1, Element::Unsigned, 1) };
    let value = |text: &str| Value::One(Literal::parse(text).expect("a number"));
    assert!(matches!(value("5").bits(&word, 3), Err(ValueError::Cycles { .. })));
    assert_eq!(value("5").bits(&bit, 3).expect("bits").to_hex(), "5");
    assert!(value("-1").bits(&bit, 3).is_err());
}
