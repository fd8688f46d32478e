//! Parsing of one value: each form, its range, and rejected texts.

use super::*;
use proptest::prelude::*;

fn bits(text: &str, width: usize) -> Result<u128, LiteralError> {
    Literal::parse(text)?.to_bits(width).map(|bits| value(&bits))
}

fn value(bits: &Bits) -> u128 {
    (0..bits.len()).map(|i| u128::from(bits.get(i)) << i).sum()
}

fn error(text: &str, width: usize) -> LiteralError {
    bits(text, width).expect_err(text)
}

#[test]
fn each_form() {
    assert_eq!(bits("123", 8), Ok(123));
    assert_eq!(bits(" 123 ", 7), Ok(123));
    assert_eq!(bits("-5", 8), Ok(0xfb));
    assert_eq!(bits("-5", 4), Ok(0xb));
    assert_eq!(bits("-0", 4), Ok(0));
    assert_eq!(bits("0x1fF", 9), Ok(0x1ff));
    assert_eq!(bits("0b0110", 3), Ok(6));
    assert_eq!(bits("bytes:0102", 16), Ok(0x0201));
    assert_eq!(bits("bytes:ff01", 9), Ok(0x1ff));
    assert_eq!(bits("bytes:", 0), Ok(0));
    assert_eq!(bits("0", 0), Ok(0));
}

#[test]
fn range_is_checked() {
    assert_eq!(bits("-128", 8), Ok(0x80));
    assert_eq!(error("-129", 8), LiteralError::TooNegative { width: 8 });
    assert_eq!(error("-1", 0), LiteralError::TooNegative { width: 0 });
    assert_eq!(error("256", 8), LiteralError::TooWide { needs: 9, width: 8 });
    assert_eq!(error("0x100", 8), LiteralError::TooWide { needs: 9, width: 8 });
    assert_eq!(error("bytes:ff", 7), LiteralError::SpareBits { width: 7 });
    assert_eq!(error("bytes:ff", 9), LiteralError::Bytes { got: 1, wanted: 2, width: 9 });
}

#[test]
fn refused_texts() {
    for text in ["", "-", "0x", "0b", "-0x"] {
        assert_eq!(error(text, 8), LiteralError::Empty, "{text:?}");
    }
    assert_eq!(error("12a", 8), LiteralError::Digit { position: 3, base: "decimal" });
    assert_eq!(error("--1", 8), LiteralError::Digit { position: 1, base: "decimal" });
    assert_eq!(error("0b012", 8), LiteralError::Digit { position: 3, base: "binary" });
    assert_eq!(error("0xé", 8), LiteralError::Digit { position: 1, base: "hexadecimal" });
    assert_eq!(error("bytes:abc", 8), LiteralError::HalfByte(3));
    let long = "9".repeat(MAX_DECIMAL_DIGITS + 1);
    assert_eq!(error(&long, 8), LiteralError::TooLong(MAX_DECIMAL_DIGITS + 1));
}

proptest! {
    #[test]
    fn every_base_agrees(v: u128, width in 1_usize..=128) {
        let expected = if v >> (width - 1) > 1 { None } else { Some(v) };
        for text in [format!("{v}"), format!("{v:#x}"), format!("{v:#b}")] {
            prop_assert_eq!(bits(&text, width).ok(), expected);
        }
    }

    #[test]
    fn negative_is_twos_complement(v: i64, width in 1_usize..=64) {
        let fits = v >> (width - 1) == 0 || v >> (width - 1) == -1;
        let mask = u128::MAX >> (128 - width);
        // A non-negative value may use the top bit, and is then read as unsigned.
        let unsigned = v >= 0 && (v as u128) <= mask;
        let expected = (fits || unsigned).then_some(v as i128 as u128 & mask);
        prop_assert_eq!(bits(&v.to_string(), width).ok(), expected);
        prop_assert_eq!(Literal::from_i64(v).to_bits(width).ok().map(|b| value(&b)), expected);
    }

    #[test]
    fn bytes_keep_their_order(bytes: Vec<u8>) {
        let text: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let bits = Literal::parse(&format!("bytes:{text}")).unwrap().to_bits(8 * bytes.len());
        prop_assert_eq!(bits.unwrap().to_bytes().to_vec(), bytes);
    }

    #[test]
    fn no_text_panics(text: String, width in 0_usize..300) {
        if let Ok(bits) = Literal::parse(&text).and_then(|l| l.to_bits(width)) {
            prop_assert_eq!(bits.len(), width);
        }
    }
}
