//! Values from files and from standard input.

use crate::error::ValueError;
use crate::json::parse_object;
use crate::literal::Literal;
use crate::port::{Elements, Port};
use crate::value::Value;
use halfgate_circuit::Element;
use std::io::Read;
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

/// The most bytes read from one file or standard input for a per-cycle port, and from a JSON file.
const MAX_FILE: u64 = 1 << 32;

/// Reads raw bytes, no more than can fit, and checks their number.
pub(crate) fn read_raw(reader: impl Read, file: &str, port: &Port) -> Result<Value, ValueError> {
    let one = port.width.div_ceil(8) as u64;
    let limit = match port.elements {
        _ if port.per_cycle => MAX_FILE,
        // A character has up to four bytes, and there may be a line end.
        Elements::List { element: Element::Text, width } => {
            4 * (port.width.checked_div(width).unwrap_or(0) as u64) + 1
        }
        _ => one,
    };
    let mut bytes = Zeroizing::new(Vec::new());
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|why| ValueError::Read { file: file.to_owned(), why })?;
    let got = bytes.len() as u64;
    if !port.per_cycle
        && let Elements::List { element: Element::Text, .. } = port.elements
    {
        return text_of(bytes, file, port);
    }
    let fits = if port.per_cycle { one > 0 && got.is_multiple_of(one) } else { got == one };
    if fits && got <= limit {
        return Ok(Value::One(Literal::from_bytes(bytes)));
    }
    Err(ValueError::FileSize {
        port: port.name.clone(),
        file: file.to_owned(),
        got: if got > limit { format!("more than {limit}") } else { got.to_string() },
        wanted: match port.per_cycle {
            true => format!("each cycle takes {one} ({} bits)", port.width),
            false => format!("{one} wanted ({} bits)", port.width),
        },
    })
}

/// A text as it is in a file, without the line end at its end.
fn text_of(bytes: Zeroizing<Vec<u8>>, file: &str, port: &Port) -> Result<Value, ValueError> {
    let mut text = String::from_utf8(bytes.to_vec()).map_err(|error| {
        error.into_bytes().zeroize();
        let port = port.name.clone();
        ValueError::NotText { port, file: file.to_owned() }
    })?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(Value::One(Literal::from_text(text)))
}

/// The values in the JSON file at `path`.
pub(crate) fn read_json(path: &Path, ports: &[Port]) -> Result<Vec<Value>, ValueError> {
    let file = path.display().to_string();
    let mut text = Zeroizing::new(String::new());
    let opened = std::fs::File::open(path);
    opened
        .and_then(|reader| reader.take(MAX_FILE).read_to_string(&mut text))
        .map_err(|why| ValueError::Read { file: file.clone(), why })?;
    parse_object(&text, ports).map_err(|why| ValueError::Json { file, why: why.to_string() })
}
