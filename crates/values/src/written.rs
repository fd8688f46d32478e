//! Parses the values in a file: as on the command line, one value per line, as JSON or as a table.

use crate::csv::Table;
use crate::error::{Place, ValueError};
use crate::json::{self, JsonError};
use crate::list::List;
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::Port;
use crate::source::{Form, Source, parse_one, split};
use crate::value::Value;
use zeroize::Zeroizing;

/// Whether `text` holds the values of all `ports` by name.
pub(crate) fn is_for_all(text: &str, form: &Form, ports: &[Port]) -> bool {
    match form {
        Form::Value | Form::Json => text.trim_start().starts_with('{'),
        // If there is only one input, its value is a column of the table, whatever the column's
        // name is.
        Form::Csv { .. } => ports.len() != 1,
        Form::Bytes | Form::Text => false,
    }
}

/// Parses the values of all `ports` in `text`.
pub(crate) fn all_of(
    text: &str,
    form: &Form,
    file: &str,
    ports: &[Port],
) -> Result<Vec<Value>, ValueError> {
    if let Form::Csv { .. } = form {
        let table = Table::read(text, file)?;
        return ports.iter().map(|port| table.column(Some(&port.name), port)).collect();
    }
    json::parse_object(text, ports).map_err(in_file(file))
}

/// Parses the value of `port` in `text`, the contents of a file of this form. `file` is the file's
/// name, for errors. Raw bytes are not text, so [`Form::Bytes`] is treated like [`Form::Value`]
/// here.
///
/// # Errors
/// If the text is not a valid value.
pub fn value_of(text: &str, form: &Form, file: &str, port: &Port) -> Result<Value, ValueError> {
    match form {
        Form::Json => json::parse_one(text, port).map_err(in_file(file)),
        Form::Csv { column } => Table::read(text, file)?.column(column.as_deref(), port),
        Form::Text => Ok(Value::One(characters(text, port))),
        Form::Value | Form::Bytes if port.is_text() => Ok(Value::One(characters(text, port))),
        Form::Value | Form::Bytes => as_written(text, file, port),
    }
}

fn in_file(file: &str) -> impl Fn(JsonError) -> ValueError {
    move |why| ValueError::Json { file: file.to_owned(), why: why.to_string() }
}

/// Returns the characters of a file without the final line end. For a port that is not a text, they
/// become bytes, and the line end stays if the port takes exactly that many bytes.
fn characters(text: &str, port: &Port) -> Literal {
    let line = text.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if port.is_text() {
        return Literal::from_text(line.unwrap_or(text).to_owned());
    }
    let one = port.width.div_ceil(8);
    let takes_all = match port.per_cycle {
        true => one > 0 && text.len().is_multiple_of(one),
        false => text.len() == one,
    };
    let text = if takes_all { text } else { line.unwrap_or(text) };
    Literal::from_bytes(Zeroizing::new(text.as_bytes().to_vec()))
}

/// Parses one value, or one value per line.
fn as_written(text: &str, file: &str, port: &Port) -> Result<Value, ValueError> {
    // Lines are numbered before the blank lines are dropped.
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let text = text.trim();
    let malformed = |place, why| ValueError::InFile { file: file.to_owned(), place, why };
    if text.starts_with(['[', '{']) && json::is_json(text) {
        return json::parse_one(text, port).map_err(in_file(file));
    }
    if text.is_empty() {
        return Err(ValueError::Empty { file: file.to_owned() });
    }
    let is_list = text.ends_with(']');
    if !is_list && text.contains('\n') {
        let (mut items, mut numbers) = (Vec::new(), Vec::new());
        for (line, number) in lines {
            let literal = literal(line).map_err(|why| malformed(Place::Line(number), why))?;
            items.push(literal);
            numbers.push(number);
        }
        let mut list = List::new(items);
        list.lines = numbers;
        return Ok(Value::List(list));
    }
    let place = |element: Option<usize>| element.map_or(Place::Whole, Place::Element);
    if !is_list {
        return literal(text).map(Value::One).map_err(|why| malformed(Place::Whole, why));
    }
    match parse_one(text).map_err(|(element, why)| malformed(place(element), why))? {
        Source::List(list) => Ok(Value::List(list)),
        Source::Literal(literal) => Ok(Value::One(literal)),
        Source::File { .. } | Source::Stdin(_) | Source::Typed(..) => {
            Err(malformed(Place::Whole, LiteralError::FileInFile))
        }
    }
}

/// Parses one value that is not a list.
fn literal(text: &str) -> Result<Literal, LiteralError> {
    if split(text).len() > 1 {
        return Err(LiteralError::Comma);
    }
    if text.trim_start().starts_with('@') {
        return Err(LiteralError::FileInFile);
    }
    Literal::parse(text)
}
