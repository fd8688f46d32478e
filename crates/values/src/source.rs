//! Splits a party's list of values at its commas, and finds the source of each value.

use crate::element_type::element_type;
use crate::error::ValueError;
use crate::list::List;
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use halfgate_circuit::ElementType;
use std::path::PathBuf;

/// The source of one value.
pub enum Source {
    /// A value written out.
    Literal(Literal),
    /// A list written out.
    List(List),
    /// The contents of a file.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Form of the contents.
        form: Form,
    },
    /// The contents of standard input.
    Stdin(Form),
    /// A list in a file or on standard input, with its element type.
    Typed(ElementType, Box<Source>),
}

/// Form of a file's contents. The file's name or a prefix decides it, never the contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A value as on the command line, a list with one value per line, or JSON.
    Value,
    /// JSON: a file named `.json`.
    Json,
    /// A column of a table: a file named `.csv`.
    Csv {
        /// Name or number of the column. Without it, the table has one column, or one for each
        /// input.
        column: Option<String>,
    },
    /// Raw bytes: `bytes:@FILE`, or a file named `.bin`.
    Bytes,
    /// Characters: `text:@FILE`.
    Text,
}

/// Splits a party's values without reading any file.
///
/// # Errors
/// If a value is malformed.
pub fn parse(text: &str) -> Result<Vec<Source>, ValueError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let items = split(text);
    let is_bare_text = |item: &&str| item.starts_with("text:") && !item.starts_with("text:\"");
    let item = |(index, item): (usize, &&str)| {
        parse_one(item).map_err(|(element, why)| ValueError::Malformed {
            number: index + 1,
            element,
            why: match index.checked_sub(1).and_then(|before| items.get(before)) {
                Some(before) if is_bare_text(before) => LiteralError::CommaInText,
                _ => why,
            },
        })
    };
    items.iter().enumerate().map(item).collect()
}

/// The error of a value, with the number of the element (from 1) if the value is a list.
pub(crate) type Malformed = (Option<usize>, LiteralError);

/// Parses one value.
pub(crate) fn parse_one(item: &str) -> Result<Source, Malformed> {
    let whole = |why| (None, why);
    if let Some((stated, list)) = list_of(item) {
        let stated = match stated {
            "" => None,
            name => Some(element_type(name).ok_or(whole(LiteralError::ElementType))?),
        };
        return parse_list(list).map(|items| {
            let mut list = List::new(items);
            list.stated = stated;
            Source::List(list)
        });
    }
    if item == "bytes:-" {
        return Ok(Source::Stdin(Form::Bytes));
    }
    for (prefix, form) in [("bytes:", Form::Bytes), ("text:", Form::Text)] {
        match item.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('@')) {
            Some("") => return Err(whole(LiteralError::NoFile)),
            Some("-") => return Ok(Source::Stdin(form)),
            Some(path) => return Ok(Source::File { path: path.into(), form }),
            None => {}
        }
    }
    if let Some((name, origin)) = item.split_once(':')
        && (origin == "-" || origin.starts_with('@'))
    {
        let stated = element_type(name).ok_or(whole(LiteralError::ElementType))?;
        return parse_one(origin).map(|source| Source::Typed(stated, Box::new(source)));
    }
    match (item, item.strip_prefix('@')) {
        ("-" | "@-", _) => Ok(Source::Stdin(Form::Value)),
        (_, Some("")) => Err(whole(LiteralError::NoFile)),
        (_, Some(path)) => Ok(file(path)),
        (_, None) => Literal::parse(item).map(Source::Literal).map_err(whole),
    }
}

/// Returns the file after an `@`; its name decides the form.
fn file(path: &str) -> Source {
    // `to_ascii_lowercase` keeps the length.
    let lower = path.to_ascii_lowercase();
    let (path, form) = match lower.rfind(".csv:") {
        Some(at) => {
            let column = Some(path[at + ".csv:".len()..].to_owned());
            (&path[..at + ".csv".len()], Form::Csv { column })
        }
        None if lower.ends_with(".csv") => (path, Form::Csv { column: None }),
        None if lower.ends_with(".json") => (path, Form::Json),
        None if lower.ends_with(".bin") => (path, Form::Bytes),
        None => (path, Form::Value),
    };
    Source::File { path: path.into(), form }
}

/// Returns the type and the text after the `[`, if `item` is a list.
fn list_of(item: &str) -> Option<(&str, &str)> {
    if let Some(list) = item.strip_prefix('[') {
        return Some(("", list));
    }
    let (stated, list) = item.split_once(":[")?;
    let is_name = !stated.is_empty() && stated.bytes().all(|c| c.is_ascii_alphanumeric());
    (is_name && !matches!(stated, "text" | "bytes")).then_some((stated, list))
}

/// Parses the elements up to the `]`.
fn parse_list(list: &str) -> Result<Vec<Literal>, Malformed> {
    let list = match list.rfind(']') {
        None => return Err((None, LiteralError::OpenList)),
        Some(end) if end + 1 < list.len() => return Err((None, LiteralError::AfterList)),
        Some(end) => &list[..end],
    };
    let elements = if list.trim().is_empty() { Vec::new() } else { split(list) };
    let element =
        |(index, text): (usize, &str)| Literal::parse(text).map_err(|why| (Some(index + 1), why));
    elements.into_iter().enumerate().map(element).collect()
}

/// Splits `text` at commas outside lists and quotes, and trims white space.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        let part = text[start..at].trim_start();
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if quoted => quoted = false,
            _ if quoted => {}
            '"' if part.ends_with("text:") => quoted = true,
            '[' if depth > 0 || list_of(&text[start..].trim_start()[..=part.len()]).is_some() => {
                depth += 1;
            }
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(part.trim_end());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Whether any value is written out, instead of being read from a file or standard input. On the
/// command line, other users of the computer can see such a secret in the list of processes.
pub fn has_literal(sources: &[Source]) -> bool {
    sources.iter().any(|source| matches!(source, Source::Literal(_) | Source::List(_)))
}
