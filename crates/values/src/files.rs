//! Reads the contents of files and of standard input, as text with values or as raw bytes.

use crate::error::ValueError;
use crate::literal::Literal;
use crate::port::Port;
use crate::value::Value;
use std::io::Read;
use zeroize::{Zeroize, Zeroizing};

/// The most bytes read from a file or standard input, for a per-cycle port or for text.
const MAX_FILE: u64 = 1 << 32;

/// A file or standard input, opened to read a value.
pub(crate) struct Origin<'r> {
    /// The file's name, for errors.
    pub(crate) file: String,
    pub(crate) reader: Box<dyn Read + 'r>,
}

impl<'r> Origin<'r> {
    pub(crate) fn new(file: &str, reader: impl Read + 'r) -> Origin<'r> {
        Origin { file: file.to_owned(), reader: Box::new(reader) }
    }
}

/// Reads text: UTF-8 without control characters other than white space.
pub(crate) fn read_text(file: &str, reader: impl Read) -> Result<Zeroizing<String>, ValueError> {
    let bytes = read_at_most(file, reader, MAX_FILE)?;
    let got = bytes.len();
    let text = String::from_utf8(bytes.to_vec()).map_err(|error| error.into_bytes().zeroize());
    let text = text.map(Zeroizing::new).ok().filter(|text| !text.contains(is_control));
    match text {
        Some(text) if got as u64 <= MAX_FILE => {
            let rest = text.strip_prefix('\u{feff}').map(str::to_owned);
            Ok(rest.map_or(text, Zeroizing::new))
        }
        Some(_) => Err(ValueError::TooLong { file: file.to_owned(), limit: MAX_FILE }),
        None => Err(ValueError::NotText { file: file.to_owned(), got }),
    }
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// Reads raw bytes, up to the size that can fit, and checks the size. Rejects bytes that are all
/// printable, because they were probably meant as a written value.
pub(crate) fn read_raw(origin: Origin<'_>, port: &Port) -> Result<Value, ValueError> {
    let Origin { file, reader } = origin;
    let one = port.width.div_ceil(8) as u64;
    let limit = if port.per_cycle { MAX_FILE } else { one };
    // Reads enough for a printed number, so that the error can point it out.
    let bytes = read_at_most(&file, reader, limit.max(MAX_PRINTED))?;
    let got = bytes.len() as u64;
    if is_printable(&bytes) {
        return Err(ValueError::Printable { port: port.name.clone(), file });
    }
    let fits = if port.per_cycle { one > 0 && got.is_multiple_of(one) } else { got == one };
    if fits && got <= limit {
        return Ok(Value::One(Literal::from_bytes(bytes)));
    }
    Err(ValueError::FileSize {
        port: port.name.clone(),
        file,
        got: if got > limit { format!("more than {limit}") } else { got.to_string() },
        wanted: match port.per_cycle {
            true => format!("each cycle takes {one} ({} bits)", port.width),
            false => format!("{one} wanted ({} bits)", port.width),
        },
    })
}

/// The most bytes that are read to find out whether they are printed text.
const MAX_PRINTED: u64 = 4096;

/// Whether all of `bytes` are printable ASCII or white space, and not all are white space.
fn is_printable(bytes: &[u8]) -> bool {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    bytes.iter().all(|byte| byte.is_ascii_graphic() || is_space(byte))
        && !bytes.iter().all(is_space)
}

/// Reads at most `limit` bytes and one more, which shows that the limit is exceeded.
fn read_at_most(
    file: &str,
    reader: impl Read,
    limit: u64,
) -> Result<Zeroizing<Vec<u8>>, ValueError> {
    let mut bytes = Zeroizing::new(Vec::new());
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|why| ValueError::Read { file: file.to_owned(), why })?;
    Ok(bytes)
}
