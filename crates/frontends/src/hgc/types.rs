//! The type of a port's bits as a word: `signed`, `unsigned:8`, `fixed:32.16`.
//!
//! The number is the width of an element. Without it, the port is a single element.

use super::MAX_FRACTION;
use super::error::TypeProblem;
use halfgate_circuit::{Element, ElementType};

/// Returns the word for the type `elements` of a port of `port` bits.
///
/// # Errors
/// If the port cannot have that type.
pub fn word(elements: ElementType, port: u32) -> Result<String, TypeProblem> {
    let ElementType { element, width } = elements;
    check(elements, port)?;
    let kind = match element {
        Element::Float32 => return Ok("float32".to_owned()),
        Element::Float64 => return Ok("float64".to_owned()),
        Element::Fixed { fraction } => return Ok(format!("fixed:{width}.{fraction}")),
        Element::FixedUnsigned { fraction } => {
            return Ok(format!("fixed-unsigned:{width}.{fraction}"));
        }
        Element::Unsigned => "unsigned",
        Element::Signed => "signed",
        Element::Bytes => "bytes",
        Element::Text => "text",
    };
    Ok(if width == port { kind.to_owned() } else { format!("{kind}:{width}") })
}

/// Parses `word` as the type of a port of `port` bits.
pub(super) fn parse(word: &str, port: u32) -> Result<ElementType, TypeProblem> {
    let unknown = || TypeProblem::Unknown(word.to_owned());
    let (kind, size) = match word.split_once(':') {
        Some((kind, size)) => (kind, Some(size)),
        None => (word, None),
    };
    let (width, fraction) = match size.map(|size| size.split_once('.').unwrap_or((size, ""))) {
        None => (None, None),
        Some((width, "")) if !word.ends_with('.') => {
            (Some(number(width).ok_or_else(unknown)?), None)
        }
        Some((width, fraction)) => {
            (Some(number(width).ok_or_else(unknown)?), Some(number(fraction).ok_or_else(unknown)?))
        }
    };
    let (element, width) = match (kind, width, fraction) {
        ("unsigned", width, None) => (Element::Unsigned, width.unwrap_or(port)),
        ("signed", width, None) => (Element::Signed, width.unwrap_or(port)),
        ("bytes", width, None) => (Element::Bytes, width.unwrap_or(port)),
        ("text", width, None) => (Element::Text, width.unwrap_or(port)),
        ("float32", None, None) => (Element::Float32, 32),
        ("float64", None, None) => (Element::Float64, 64),
        ("fixed", Some(width), Some(fraction)) => (Element::Fixed { fraction }, width),
        ("fixed-unsigned", Some(width), Some(fraction)) => {
            (Element::FixedUnsigned { fraction }, width)
        }
        _ => return Err(unknown()),
    };
    let elements = ElementType { element, width };
    check(elements, port)?;
    Ok(elements)
}

/// Parses digits only; `parse` would accept a sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn check(elements: ElementType, port: u32) -> Result<(), TypeProblem> {
    let ElementType { element, width } = elements;
    let float = match element {
        Element::Float32 => Some(32),
        Element::Float64 => Some(64),
        _ => None,
    };
    match (float, element.fraction()) {
        (Some(expected), _) if width != expected => {
            return Err(TypeProblem::FloatWidth { expected, found: width });
        }
        (_, Some(fraction)) if fraction > MAX_FRACTION => {
            return Err(TypeProblem::Fraction(fraction));
        }
        _ => {}
    }
    if width == 0 {
        Err(TypeProblem::NoBits(width))
    } else if !port.is_multiple_of(width) {
        Err(TypeProblem::NoMultiple { port, element: width })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_read_as_it_was_written() {
        let elements = [
            (Element::Unsigned, 8, "unsigned:8"),
            (Element::Unsigned, 64, "unsigned"),
            (Element::Signed, 1, "signed:1"),
            (Element::Float32, 32, "float32"),
            (Element::Float64, 64, "float64"),
            (Element::Fixed { fraction: 16 }, 32, "fixed:32.16"),
            (Element::FixedUnsigned { fraction: 0 }, 64, "fixed-unsigned:64.0"),
            (Element::Bytes, 64, "bytes"),
            (Element::Text, 16, "text:16"),
        ];
        for (element, width, expected) in elements {
            let elements = ElementType { element, width };
            assert_eq!(word(elements, 64).as_deref(), Ok(expected));
            assert_eq!(parse(expected, 64), Ok(elements));
        }
    }

    #[test]
    fn types_that_mean_nothing_are_refused() {
        let words = [
            "",
            ":",
            "signed:",
            "signed:+8",
            "signed:8.",
            "signed:8.1",
            "signed.8",
            "int",
            "Signed",
            "float32:32",
            "float",
            "fixed",
            "fixed:32",
            "fixed:32.",
            "fixed:.3",
            "fixed:32.+1",
            "signed:99999999999",
            "text:8:8",
        ];
        for word in words {
            assert!(matches!(parse(word, 64), Err(TypeProblem::Unknown(_))), "{word}");
        }
        assert_eq!(parse("signed:0", 64), Err(TypeProblem::NoBits(0)));
        assert_eq!(parse("signed:24", 64), Err(TypeProblem::NoMultiple { port: 64, element: 24 }));
        assert_eq!(parse("float64", 32), Err(TypeProblem::NoMultiple { port: 32, element: 64 }));
        assert_eq!(parse("fixed:64.1025", 64), Err(TypeProblem::Fraction(1025)));
        let odd = ElementType { element: Element::Float32, width: 16 };
        assert_eq!(word(odd, 64), Err(TypeProblem::FloatWidth { expected: 32, found: 16 }));
    }
}
