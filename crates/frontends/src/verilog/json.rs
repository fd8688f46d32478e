//! The part of Yosys' `write_json` format that the reader needs.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) modules: Ordered<Module>,
}

#[derive(Deserialize)]
pub(super) struct Module {
    #[serde(default)]
    pub(super) attributes: HashMap<String, Value>,
    pub(super) ports: Ordered<Port>,
    pub(super) cells: Ordered<Cell>,
    pub(super) netnames: Ordered<Name>,
}

#[derive(Deserialize)]
pub(super) struct Port {
    pub(super) direction: String,
    pub(super) bits: Vec<Signal>,
    #[serde(default)]
    pub(super) signed: u8,
}

#[derive(Deserialize)]
pub(super) struct Cell {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) parameters: HashMap<String, Value>,
    #[serde(default)]
    pub(super) attributes: HashMap<String, Value>,
    /// Sorted by name, because the circuit depends on the order in which it is built.
    pub(super) connections: BTreeMap<String, Vec<Signal>>,
}

#[derive(Deserialize)]
pub(super) struct Name {
    pub(super) bits: Vec<Signal>,
    #[serde(default)]
    pub(super) attributes: HashMap<String, Value>,
}

/// A wire's number, or a constant: "0", "1", "x" or "z".
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Signal {
    Net(u32),
    Constant(String),
}

/// The value of a parameter or attribute: binary digits, or other text.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Text(String),
    Number(u64),
}

impl Value {
    /// Returns the value as a number below 2^64, if it consists of binary digits.
    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => {
                let digits = text.trim_start_matches('0');
                match digits {
                    "" if text.is_empty() => None,
                    "" => Some(0),
                    _ => u64::from_str_radix(digits, 2).ok(),
                }
            }
        }
    }

    /// Returns the value as text. (Yosys appends a blank to text of binary digits.)
    pub(super) fn text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.trim_end().to_owned(),
        }
    }
}

/// The members of a JSON object in the order of the text. For ports, this is their order in the
/// design.
pub(super) struct Ordered<T>(pub(super) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ordered<T>, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Ordered<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Ordered(members))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}
