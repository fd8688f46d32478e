//! Reads a party's values from their sources: the command line, files, standard input.

use crate::error::{Place, ValueError};
use crate::files::{Origin, read_raw, read_text};
use crate::literal_error::LiteralError;
use crate::port::Port;
use crate::source::{Form, Source};
use crate::value::Value;
use crate::written::{all_of, is_for_all, value_of};
use halfgate_circuit::ElementType;
use std::io::Read;

/// Reads the values of a party: one for each port.
///
/// The first value that names standard input takes `stdin`.
///
/// # Errors
/// If the number of values is wrong, or a file is missing, malformed or of the wrong size.
pub fn read<R: Read>(
    mut sources: Vec<Source>,
    ports: &[Port],
    stdin: &mut Option<R>,
) -> Result<Vec<Value>, ValueError> {
    // A single source may hold the values of all inputs by name.
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

/// A value, or an opened source of a value.
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

/// Whether a file of this form can hold the values of all inputs. If the only input is a text, a
/// value file holds that text.
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
