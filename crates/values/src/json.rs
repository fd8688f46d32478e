//! Values in a JSON object, by input name.

use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::{Elements, Port};
use crate::value::Value;
use halfgate_circuit::Element;
use serde_json::Value as Json;
use zeroize::Zeroize;

/// Why a JSON text gives no values.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// It is not an object.
    #[error("wants an object by input name, such as {{{example:?}: 1}}")]
    NotAnObject {
        /// An input's name.
        example: String,
    },
    /// An input has no value.
    #[error("there is no value for input {0:?}")]
    Missing(String),
    /// A value has no input.
    #[error("there is no input {name:?}; this party's inputs are {ports}")]
    Unknown {
        /// The name in the object.
        name: String,
        /// The names that there are.
        ports: String,
    },
    /// A value is neither a number, a text nor a list of them.
    #[error(
        "input {0:?}: wants an integer, a string such as \"0x1f\", or an array of these; write a large integer as a string"
    )]
    Kind(String),
    /// A string is malformed.
    #[error("input {port:?}: {why}")]
    Malformed {
        /// The input's name.
        port: String,
        /// What is wrong.
        why: LiteralError,
    },
}

/// Reads an object by input name: one value for each of `ports`, in their order.
///
/// # Errors
/// If the text is no such object, or names are missing, unknown or malformed.
pub fn parse_object(text: &str, ports: &[Port]) -> Result<Vec<Value>, JsonError> {
    let mut json: Json = serde_json::from_str(text)?;
    let values = from_object(&json, ports);
    wipe(&mut json);
    values
}

fn from_object(json: &Json, ports: &[Port]) -> Result<Vec<Value>, JsonError> {
    let object = match (json, ports) {
        (Json::Object(object), _) => object,
        (Json::Array(items), [port]) => return Ok(vec![list(items, port)?]),
        _ => {
            let example = ports.first().map_or("name", |port| &port.name).to_owned();
            return Err(JsonError::NotAnObject { example });
        }
    };
    if let Some(name) = object.keys().find(|name| ports.iter().all(|port| port.name != **name)) {
        let names: Vec<_> = ports.iter().map(|port| port.name.as_str()).collect();
        let ports = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(JsonError::Unknown { name: name.clone(), ports });
    }
    let value = |port: &Port| match object.get(&port.name) {
        None => Err(JsonError::Missing(port.name.clone())),
        Some(Json::Array(items)) => list(items, port),
        Some(item) => literal(item, port).map(Value::One),
    };
    ports.iter().map(value).collect()
}

fn list(items: &[Json], port: &Port) -> Result<Value, JsonError> {
    items.iter().map(|item| literal(item, port)).collect::<Result<_, _>>().map(Value::List)
}

fn literal(item: &Json, port: &Port) -> Result<Literal, JsonError> {
    let malformed = |why| JsonError::Malformed { port: port.name.clone(), why };
    match item {
        Json::String(text) if is_text(port) => {
            Ok(Literal::from_text(text.strip_prefix("text:").unwrap_or(text).to_owned()))
        }
        Json::String(text) => Literal::parse(text).map_err(malformed),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => Ok(Literal::from_u64(value)),
            (None, Some(value)) => Ok(Literal::from_i64(value)),
            (None, None) if takes_fractions(port) => {
                let mut text = number.to_string();
                let literal = Literal::parse(&text).map_err(malformed);
                text.zeroize();
                literal
            }
            // A float, or an integer beyond 64 bits that JSON would have rounded.
            (None, None) => Err(JsonError::Kind(port.name.clone())),
        },
        _ => Err(JsonError::Kind(port.name.clone())),
    }
}

fn is_text(port: &Port) -> bool {
    matches!(port.elements, Elements::List { element: Element::Text, .. })
}

fn takes_fractions(port: &Port) -> bool {
    use Element::{Fixed, FixedUnsigned, Float32, Float64};
    let Elements::List { element, .. } = port.elements else { return false };
    matches!(element, Float32 | Float64 | Fixed { .. } | FixedUnsigned { .. })
}

/// Overwrites the texts of a JSON value: they are secrets.
fn wipe(json: &mut Json) {
    match json {
        Json::String(text) => text.zeroize(),
        Json::Number(number) => *number = 0.into(),
        Json::Array(items) => items.iter_mut().for_each(wipe),
        Json::Object(object) => object.values_mut().for_each(wipe),
        Json::Null | Json::Bool(_) => {}
    }
}
