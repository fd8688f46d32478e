//! Values in JSON: an object with the values by input name, or the value of one input.

use crate::error::Place;
use crate::list::List;
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::{Elements, Port};
use crate::source::{Source, parse_one as parse_one_text};
use crate::value::Value;
use halfgate_circuit::Element;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use zeroize::Zeroizing;

/// Errors in JSON values.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// The JSON is not an object.
    #[error("wants an object by input name, such as {{{example:?}: 1}}")]
    NotAnObject {
        /// Name of an input, for an example.
        example: String,
    },
    /// An object in the place of one input's value.
    #[error("an object has the values of all inputs, so it must be a party's only value")]
    NotAlone,
    /// A name occurs more than once.
    #[error("the name {0:?} appears more than once")]
    Repeated(String),
    /// An input without a value.
    #[error("there is no value for input {0:?}")]
    Missing(String),
    /// A value for an unknown input.
    #[error("there is no input {name:?}; this party's inputs are {ports}")]
    Unknown {
        /// The name in the object.
        name: String,
        /// Names of the party's inputs.
        ports: String,
    },
    /// A value that is not a number, a string, or a list of numbers and strings.
    #[error(
        "input {port:?}{place}: wants {wanted}, a string such as \"0x1f\", or an array of these"
    )]
    Kind {
        /// The input's name.
        port: String,
        /// Place of the element.
        place: Place,
        /// Kind of numbers that the input accepts.
        wanted: &'static str,
    },
    /// A string is malformed.
    #[error("input {port:?}{place}: {why}")]
    Malformed {
        /// The input's name.
        port: String,
        /// Place of the element.
        place: Place,
        /// The error in the value.
        why: LiteralError,
    },
}

/// Parses an object with the values by input name: one value for each of `ports`, returned in the
/// order of `ports`. If there is one port, its value may stand without the object.
///
/// # Errors
/// If the text is not such an object, or names are missing, unknown, repeated or malformed.
pub fn parse_object(text: &str, ports: &[Port]) -> Result<Vec<Value>, JsonError> {
    let raw: &RawValue = serde_json::from_str(text)?;
    if !raw.get().starts_with('{') {
        let [port] = ports else {
            let example = ports.first().map_or("name", |port| &port.name).to_owned();
            return Err(JsonError::NotAnObject { example });
        };
        return Ok(vec![value(raw, port)?]);
    }
    let Object(entries) = serde_json::from_str(raw.get())?;
    for (index, (name, _)) in entries.iter().enumerate() {
        if ports.iter().all(|port| port.name != *name) {
            let names: Vec<_> = ports.iter().map(|port| port.name.as_str()).collect();
            let ports = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(JsonError::Unknown { name: name.clone(), ports });
        }
        if entries[..index].iter().any(|(earlier, _)| earlier == name) {
            return Err(JsonError::Repeated(name.clone()));
        }
    }
    let of_port = |port: &Port| match entries.iter().find(|(name, _)| *name == port.name) {
        None => Err(JsonError::Missing(port.name.clone())),
        Some((_, raw)) => value(raw, port),
    };
    ports.iter().map(of_port).collect()
}

/// Parses the value of `port`.
pub(crate) fn parse_one(text: &str, port: &Port) -> Result<Value, JsonError> {
    let raw: &RawValue = serde_json::from_str(text)?;
    match raw.get().starts_with('{') {
        true => Err(JsonError::NotAlone),
        false => value(raw, port),
    }
}

/// Whether `text` is JSON of any kind.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// The entries of an object in order, including repeated names. Values are read in place: their
/// text is not copied, and a number keeps all its digits.
struct Object<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Object<'t> {
    fn deserialize<D: Deserializer<'t>>(from: D) -> Result<Object<'t>, D::Error> {
        struct Entries;
        impl<'t> Visitor<'t> for Entries {
            type Value = Object<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object by input name")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Object<'t>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        from.deserialize_map(Entries)
    }
}

fn value(raw: &RawValue, port: &Port) -> Result<Value, JsonError> {
    if raw.get().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(raw.get())?;
        let item =
            |(index, item): (usize, &&RawValue)| literal(item, port, Place::Element(index + 1));
        let items = items.iter().enumerate().map(item).collect::<Result<_, _>>()?;
        return Ok(Value::List(List::new(items)));
    }
    if raw.get().starts_with('"') && !port.is_text() {
        let text: Zeroizing<String> = Zeroizing::new(serde_json::from_str(raw.get())?);
        let malformed = |(element, why): (Option<usize>, _)| JsonError::Malformed {
            port: port.name.clone(),
            place: element.map_or(Place::Whole, Place::Element),
            why,
        };
        return match parse_one_text(&text).map_err(malformed)? {
            Source::Literal(literal) => Ok(Value::One(literal)),
            Source::List(list) => Ok(Value::List(list)),
            Source::File { .. } | Source::Stdin(_) | Source::Typed(..) => {
                Err(malformed((None, LiteralError::FileInFile)))
            }
        };
    }
    literal(raw, port, Place::Whole).map(Value::One)
}

fn literal(raw: &RawValue, port: &Port, place: Place) -> Result<Literal, JsonError> {
    let text = raw.get();
    let malformed =
        |why| JsonError::Malformed { port: port.name.clone(), place: place.clone(), why };
    let kind = |wanted| JsonError::Kind { port: port.name.clone(), place: place.clone(), wanted };
    match text.as_bytes().first() {
        Some(b'"') => {
            let text: Zeroizing<String> = Zeroizing::new(serde_json::from_str(text)?);
            match port.is_text() {
                true => Ok(Literal::from_text(text.to_string())),
                false => Literal::parse(&text).map_err(malformed),
            }
        }
        Some(b'-' | b'0'..=b'9') if takes_fractions(port) || !text.contains(['.', 'e', 'E']) => {
            Literal::parse(text).map_err(malformed)
        }
        Some(b't') => Ok(Literal::from_u64(1)),
        Some(b'f') => Ok(Literal::from_u64(0)),
        _ if takes_fractions(port) => Err(kind("a number")),
        _ => Err(kind("an integer")),
    }
}

fn takes_fractions(port: &Port) -> bool {
    use Element::{Fixed, FixedUnsigned, Float32, Float64};
    let Elements::List { element, .. } = port.elements else { return false };
    matches!(element, Float32 | Float64 | Fixed { .. } | FixedUnsigned { .. })
}
