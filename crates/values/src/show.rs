//! Converts outputs from bits to the text of values.

use crate::port::Elements;
use halfgate_circuit::{Bits, Element};
use serde_json::{Value as Json, json};

/// Converts each element of `bits` to [`Shown`]. A text counts as one element, and so do bytes.
/// Returns `None` if nothing is known about the port, or an element is an integer of more than 128
/// bits.
pub fn elements(bits: &Bits, elements: Elements) -> Option<Vec<Shown>> {
    let (element, width) = match elements {
        Elements::List { element, width } => (element, width),
        Elements::Set { width, .. } => (Element::Unsigned, width as usize),
        Elements::Unknown => return None,
    };
    match element {
        Element::Bytes => return Some(vec![Shown::quoted(hex(bits), "bytes:")]),
        Element::Text => return text(bits, width).map(|text| vec![text]),
        _ => {}
    }
    if width == 0 || !bits.len().is_multiple_of(width) {
        return None;
    }
    let starts = (0..bits.len()).step_by(width);
    starts.map(|start| number(&bits.slice(start, width), element)).collect()
}

/// Converts the values of a per-cycle port of `width` bits to a list with one value per cycle, in
/// the form of [`elements`]. If nothing is known about the port, the values are unsigned integers,
/// or hexadecimal beyond 128 bits. A shortened text ends with `hint`.
pub fn cycles(bits: &Bits, width: usize, each: Elements, hint: &str) -> Shown {
    let starts = (0..bits.len()).step_by(width.max(1));
    let of_cycle = |start: usize| {
        let bits = bits.slice(start, width);
        match elements(&bits, each) {
            Some(elements) => Shown { text: list(&elements, hint), json: json(elements) },
            None => number(&bits, Element::Unsigned)
                .unwrap_or_else(|| Shown::quoted(bits.to_hex(), "0x")),
        }
    };
    let all: Vec<Shown> = starts.map(of_cycle).collect();
    let text = list(&all, hint);
    Shown { text, json: Json::Array(all.into_iter().map(|value| value.json).collect()) }
}

/// An element as text and as JSON.
pub struct Shown {
    /// The text, as it would be written on the command line.
    pub text: String,
    /// A number, or a string if JSON cannot represent the number.
    pub json: Json,
}

impl Shown {
    fn quoted(text: String, prefix: &str) -> Shown {
        Shown { json: Json::String(format!("{prefix}{text}")), text: format!("{prefix}{text}") }
    }
}

/// The most characters of a list or an element in the text output.
const SHOWN: usize = 600;

/// Formats elements as text: one element by itself, or a list, shortened if it is long. A shortened
/// list ends with `hint`, which explains how to see the rest.
pub fn list(elements: &[Shown], hint: &str) -> String {
    if let [one] = elements {
        if one.text.len() <= SHOWN {
            return one.text.clone();
        }
        let start: String = one.text.chars().take(SHOWN / 8).collect();
        return format!("{start}… ({hint})");
    }
    let mut text = String::from("[");
    for (place, element) in elements.iter().enumerate() {
        if text.len() + element.text.len() > SHOWN {
            return format!("{text}, …] ({} elements; {hint})", elements.len());
        }
        text.push_str(if place > 0 { ", " } else { "" });
        text.push_str(&element.text);
    }
    text + "]"
}

/// Converts elements to JSON: one element by itself, or an array.
pub fn json(elements: Vec<Shown>) -> Json {
    let mut all: Vec<Json> = elements.into_iter().map(|element| element.json).collect();
    if all.len() == 1 { all.remove(0) } else { Json::Array(all) }
}

fn number(bits: &Bits, element: Element) -> Option<Shown> {
    let unsigned = bits.to_integer()?;
    let width = bits.len();
    let spare = 128_usize.checked_sub(width)?;
    let signed = (unsigned << spare.min(127)) as i128 >> spare.min(127);
    Some(match (element, width) {
        (Element::Float32, 32) => {
            let number = f32::from_bits(unsigned as u32);
            // The shortest text that identifies this binary32 number; binary64 would need more
            // digits.
            float(number.into(), format!("{number:?}"))
        }
        (Element::Float64, 64) => {
            let number = f64::from_bits(unsigned as u64);
            float(number, format!("{number:?}"))
        }
        (Element::Fixed { fraction }, _) => {
            let number = signed as f64 * 2f64.powi(-(fraction as i32));
            float(number, number.to_string())
        }
        (Element::FixedUnsigned { fraction }, _) => {
            let number = unsigned as f64 * 2f64.powi(-(fraction as i32));
            float(number, number.to_string())
        }
        (Element::Signed, _) => {
            let text = signed.to_string();
            Shown { json: i64::try_from(signed).map_or_else(|_| json!(text), |n| json!(n)), text }
        }
        _ => {
            let text = unsigned.to_string();
            Shown { json: u64::try_from(unsigned).map_or_else(|_| json!(text), |n| json!(n)), text }
        }
    })
}

fn float(number: f64, text: String) -> Shown {
    let parsed = text.parse().ok().filter(|_| number.is_finite());
    let json = parsed.and_then(serde_json::Number::from_f64).map(Json::Number);
    Shown { json: json.unwrap_or_else(|| Json::String(text.clone())), text }
}

/// Returns the characters before the first zero, if they are valid.
fn text(bits: &Bits, width: usize) -> Option<Shown> {
    let starts = (0..bits.len()).step_by(width.max(1));
    let codes = starts.map(|start| bits.slice(start, width).to_integer());
    let codes: Option<Vec<u32>> = codes
        .take_while(|code| *code != Some(0))
        .map(|code| code.and_then(|code| code.try_into().ok()))
        .collect();
    let text: String = if width == 8 {
        let bytes = codes?.into_iter().map(|code| code as u8).collect();
        String::from_utf8(bytes).ok()?
    } else {
        codes?.into_iter().map(char::from_u32).collect::<Option<_>>()?
    };
    Some(Shown { text: format!("text:{}", text.escape_debug()), json: Json::String(text) })
}

/// The hex digits of bytes in order.
pub fn hex(bits: &Bits) -> String {
    bits.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}
