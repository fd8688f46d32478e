//! A party's list of values: split at its commas, and read from where each value is.

use crate::error::{Place, ValueError};
use crate::files::{Origin, read_raw, read_text};
use crate::list::{List, element_type};
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::Port;
use crate::value::Value;
use crate::written::{all_of, is_for_all, value_of};
use halfgate_circuit::ElementType;
use std::io::Read;
use std::path::PathBuf;

/// One value of a list as written: where it comes from.
pub enum Source {
    /// Written out.
    Literal(Literal),
    /// A list, written out.
    List(List),
    /// What is in a file.
    File {
        /// Its name.
        path: PathBuf,
        /// What it holds.
        form: Form,
    },
    /// What standard input brings.
    Stdin(Form),
    /// A list in a file or on standard input, with what its elements are.
    Typed(ElementType, Box<Source>),
}

/// What a file holds. Its name or a prefix says so: it is never guessed from what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A value as it is written on the command line, a list with a value a line, or JSON.
    Value,
    /// JSON: a file named `.json`.
    Json,
    /// A column of a table: a file named `.csv`.
    Csv {
        /// Its name or number. Where there is none, the table has one column, or one for each input.
        column: Option<String>,
    },
    /// Raw bytes: `bytes:@FILE`, or a file named `.bin`.
    Bytes,
    /// Characters: `text:@FILE`.
    Text,
}

/// Splits a party's values. Nothing is read yet.
///
/// # Errors
/// If a value is malformed.
pub fn parse(text: &str) -> Result<Vec<Source>, ValueError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let item = |(index, item): (usize, &str)| {
        parse_one(item).map_err(|(element, why)| ValueError::Malformed {
            number: index + 1,
            element,
            why,
        })
    };
    split(text).into_iter().enumerate().map(item).collect()
}

/// What is wrong with a value, and with which element (from 1) if it is a list.
pub(crate) type Malformed = (Option<usize>, LiteralError);

/// One value.
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

/// The file behind an `@`, whose name says what it holds.
fn file(path: &str) -> Source {
    // Of the same length: only ASCII letters change.
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

/// The type and what is behind the `[`, if `item` is a list.
fn list_of(item: &str) -> Option<(&str, &str)> {
    if let Some(list) = item.strip_prefix('[') {
        return Some(("", list));
    }
    let (stated, list) = item.split_once(":[")?;
    let is_name = !stated.is_empty() && stated.bytes().all(|c| c.is_ascii_alphanumeric());
    (is_name && !matches!(stated, "text" | "bytes")).then_some((stated, list))
}

/// The elements up to the `]`.
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

/// The parts of `text` between commas that are neither in a list nor in a text's quotes, without white
/// space around them.
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

/// Whether any value is written out rather than named: a secret that other users of the machine
/// can see in the list of processes.
pub fn has_literal(sources: &[Source]) -> bool {
    sources.iter().any(|source| matches!(source, Source::Literal(_) | Source::List(_)))
}

/// Reads the values of a party: one for each port.
///
/// `stdin` is taken by the first value that names it.
///
/// # Errors
/// If the number of values is wrong, or a file is missing, malformed or of the wrong size.
pub fn read<R: Read>(
    mut sources: Vec<Source>,
    ports: &[Port],
    stdin: &mut Option<R>,
) -> Result<Vec<Value>, ValueError> {
    // One source may have the values of all inputs by their names.
    let alone = match sources.len() {
        1 => sources.pop(),
        _ => None,
    };
    if let Some(source) = alone {
        match opened(source, stdin)? {
            Opened::Origin(origin, form, None) if may_name_inputs(&form, ports) => {
                let text = read_text(&origin.file, origin.reader)?;
                if is_for_all(&text, &form, ports) {
                    return all_of(&text, &form, &origin.file, ports);
                }
                let [port] = ports else { return Err(count(1, ports)) };
                return Ok(vec![value_of(&text, &form, &origin.file, port)?]);
            }
            opened => {
                let [port] = ports else { return Err(count(1, ports)) };
                return Ok(vec![one(opened, port)?]);
            }
        }
    }
    if sources.len() != ports.len() {
        return Err(count(sources.len(), ports));
    }
    let values = sources.into_iter().zip(ports);
    values.map(|(source, port)| one(opened(source, stdin)?, port)).collect()
}

/// A value, or where it is to be read from.
enum Opened<'r> {
    Value(Value),
    Origin(Origin<'r>, Form, Option<ElementType>),
}

fn opened<'r, R: Read + 'r>(
    source: Source,
    stdin: &mut Option<R>,
) -> Result<Opened<'r>, ValueError> {
    Ok(match source {
        Source::Literal(literal) => Opened::Value(Value::One(literal)),
        Source::List(list) => Opened::Value(Value::List(list)),
        Source::Stdin(form) => {
            let stdin = stdin.take().ok_or(ValueError::StdinTwice)?;
            Opened::Origin(Origin::new("standard input", stdin), form, None)
        }
        Source::File { path, form } => {
            let file = path.display().to_string();
            match std::fs::File::open(&path) {
                Ok(reader) => Opened::Origin(Origin::new(&file, reader), form, None),
                Err(why) => return Err(ValueError::Read { file, why }),
            }
        }
        Source::Typed(stated, source) => match opened(*source, stdin)? {
            Opened::Origin(origin, form, None) => Opened::Origin(origin, form, Some(stated)),
            opened => opened,
        },
    })
}

fn one(opened: Opened<'_>, port: &Port) -> Result<Value, ValueError> {
    match opened {
        Opened::Value(value) => Ok(value),
        Opened::Origin(origin, Form::Bytes, None) => read_raw(origin, port),
        Opened::Origin(origin, Form::Bytes | Form::Text, Some(_)) => {
            Err(ValueError::Untyped { file: origin.file })
        }
        Opened::Origin(origin, form, stated) => {
            let text = read_text(&origin.file, origin.reader)?;
            let value = value_of(&text, &form, &origin.file, port)?;
            let Some(stated) = stated else { return Ok(value) };
            let (file, why) = (origin.file, LiteralError::OtherType);
            value.stating(stated).ok_or(ValueError::InFile { file, place: Place::Whole, why })
        }
    }
}

/// Whether a file of this form can have the values of all inputs. What is in a file for one input of
/// text is that text.
fn may_name_inputs(form: &Form, ports: &[Port]) -> bool {
    match form {
        Form::Json | Form::Csv { column: None } => true,
        Form::Value => !matches!(ports, [port] if port.is_text()),
        Form::Csv { column: Some(_) } | Form::Bytes | Form::Text => false,
    }
}

fn count(got: usize, ports: &[Port]) -> ValueError {
    ValueError::Count { got, ports: ports.iter().map(|port| port.name.clone()).collect() }
}
