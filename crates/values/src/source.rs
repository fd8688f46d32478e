//! A party's list of values: split at its commas, and read from where each value is.

use crate::error::ValueError;
use crate::files::{read_json, read_raw};
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::Port;
use crate::value::Value;
use std::io::Read;
use std::path::PathBuf;

/// One value of a list as written: where it comes from.
pub enum Source {
    /// Written out.
    Literal(Literal),
    /// A list, written out.
    List(Vec<Literal>),
    /// Raw bytes of a file.
    File(PathBuf),
    /// A JSON object, for all of the party's inputs.
    Json(PathBuf),
    /// Raw bytes of standard input.
    Stdin,
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
        let malformed = |why| ValueError::Malformed { number: index + 1, why };
        if let Some(list) = item.strip_prefix('[') {
            let list = list.strip_suffix(']').ok_or(malformed(LiteralError::OpenList))?;
            let elements = if list.trim().is_empty() { Vec::new() } else { split(list) };
            let elements = elements.into_iter().map(Literal::parse);
            return elements.collect::<Result<_, _>>().map(Source::List).map_err(malformed);
        }
        match item.strip_prefix('@') {
            _ if item == "-" => Ok(Source::Stdin),
            Some("") => Err(malformed(LiteralError::Empty)),
            Some(path) if path.ends_with(".json") => Ok(Source::Json(path.into())),
            Some(path) => Ok(Source::File(path.into())),
            None => Literal::parse(item).map(Source::Literal).map_err(malformed),
        }
    };
    split(text).into_iter().enumerate().map(item).collect()
}

/// The parts of `text` between commas that are in no brackets, without white space around them.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let at_top = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(at_top).map(str::trim).collect()
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
    sources: Vec<Source>,
    ports: &[Port],
    stdin: &mut Option<R>,
) -> Result<Vec<Value>, ValueError> {
    if let Some(file) = sources.iter().find_map(|source| match source {
        Source::Json(path) => Some(path),
        _ => None,
    }) {
        if sources.len() > 1 {
            return Err(ValueError::JsonNotAlone { file: file.display().to_string() });
        }
        return read_json(file, ports);
    }
    if sources.len() != ports.len() {
        let ports = ports.iter().map(|port| port.name.clone()).collect();
        return Err(ValueError::Count { got: sources.len(), ports });
    }
    let one = |(source, port): (Source, &Port)| match source {
        Source::Literal(literal) => Ok(Value::One(literal)),
        Source::List(elements) => Ok(Value::List(elements)),
        Source::Json(path) => Err(ValueError::JsonNotAlone { file: path.display().to_string() }),
        Source::Stdin => {
            let stdin = stdin.take().ok_or(ValueError::StdinTwice)?;
            read_raw(stdin, "standard input", port)
        }
        Source::File(path) => {
            let file = path.display().to_string();
            match std::fs::File::open(&path) {
                Ok(reader) => read_raw(reader, &file, port),
                Err(why) => Err(ValueError::Read { file, why }),
            }
        }
    };
    sources.into_iter().zip(ports).map(one).collect()
}
