//! Types of elements, as written before a list: `u8`, `i16`, `f32`.

use halfgate_circuit::{Element, ElementType};

/// Hint on how to write `count` elements for a port of `width` bits. Empty if they do not divide
/// the width.
pub(crate) fn split_hint(count: usize, width: usize) -> String {
    match width.checked_div(count) {
        Some(each) if each * count == width && each <= MAX_ELEMENT => {
            format!(
                "; to split its {width} bits write u{each}:[…], or i{each}:[…] for signed elements"
            )
        }
        _ => String::new(),
    }
}

/// Bits of the widest element that a list can declare.
pub(crate) const MAX_ELEMENT: usize = 128;

/// Parses the type before the `:` of a list such as `u8:[1,2]`.
pub(crate) fn element_type(text: &str) -> Option<ElementType> {
    let of = |element, width| Some(ElementType { element, width });
    match text {
        "f32" => return of(Element::Float32, 32),
        "f64" => return of(Element::Float64, 64),
        _ => {}
    }
    let element = match text.as_bytes().first()? {
        b'u' => Element::Unsigned,
        b'i' => Element::Signed,
        _ => return None,
    };
    let digits = &text[1..];
    let plain = digits.bytes().all(|c| c.is_ascii_digit()) && !digits.starts_with('0');
    let width =
        digits.parse().ok().filter(|&width: &u32| plain && width as usize <= MAX_ELEMENT)?;
    of(element, width)
}

/// Describes a type of elements in words.
pub(crate) fn type_name(ElementType { element, width }: ElementType) -> String {
    format!("{element} of {width} bits")
}
