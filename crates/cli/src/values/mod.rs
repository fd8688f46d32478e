//! Input values as a user gives them, and how they become the bits of a party's ports.
//!
//! A party's values are separated by commas, one for each of its input ports in order:
//!
//! | written | means |
//! |---|---|
//! | `123`, `-5` | a number; for an integer input range checked, negative in two's complement |
//! | `1.5`, `-0.25e3`, `inf`, `nan` | a number, for an input of floats or of fixed point |
//! | `f32:…`, `f64:…` | the same, as binary32 or binary64 for an input of 32 or 64 bits |
//! | `0x…`, `0b…` | bits; the rightmost digit holds wire 0 |
//! | `bytes:…` | hexadecimal in byte order: byte k, bit j is wire 8k+j |
//! | `text:…` | characters; a shorter text than the input takes is filled up with zeros |
//! | `[…,…]` | a list of these: the elements of an input |
//! | `@FILE` | raw bytes, in the same order |
//! | `-` | the same from standard input (once a command) |
//! | `@FILE.json` | an object by input name, alone in its list; see below |
//! | nothing | a party without inputs |
//!
//! In JSON a value is a number, a string in the grammar of the rows above `[…]` (for an input of
//! text: the text), or an array of these. A list has one element a cycle for a per-cycle port, or
//! the parts of a wide port, lowest first, each of the same width. Where a party has one input,
//! the array may stand without the object. `psi` takes a list as a set, in any order and of any
//! size up to its count.
//!
//! What a number means to a port is the program's to say ([`Element`]); for a circuit from a file
//! it is an integer unless the value says otherwise.
//!
//! A per-cycle port takes bytes for all cycles together: each cycle's value starts a new byte. Where
//! the number of cycles is known otherwise, it also takes one integer whose bits are fed to it cycle
//! by cycle, the lowest first.
//!
//! Memory: the bytes of the values, twice.

mod error;
mod files;
mod json;
pub mod literal;
mod real;
pub mod show;

pub use error::ValueError;
use files::{read_json, read_raw};
pub use json::parse_object;
pub use literal::{Literal, LiteralError};

use halfgate_circuit::{Bits, Input, Party};
use halfgate_programs::{Element, prepare_set};
use std::io::Read;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// The most bits over all cycles for which one integer is taken: nobody writes a longer one out.
const MAX_SPREAD_BITS: usize = 1 << 16;

/// An input port that wants a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name, for JSON and for errors.
    pub name: String,
    /// Bits, of one cycle where the port is read each cycle.
    pub width: usize,
    /// Whether there is a value for each cycle.
    pub per_cycle: bool,
    /// What a list of values is to this port.
    pub elements: Elements,
}

/// What a port holds, where more is known about it than its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Nothing is known: a list splits the port into equal parts.
    Unknown,
    /// One element or more of `width` bits each.
    List {
        /// What an element's bits mean.
        element: Element,
        /// Bits of an element.
        width: usize,
    },
    /// A set: distinct elements in ascending order, filled up with values that match nothing.
    Set {
        /// Bits of an element.
        width: u32,
        /// The most elements.
        count: u32,
        /// Whose set it is: the parties fill up with different values.
        party: Party,
    },
}

impl Port {
    /// The ports of `party` among `inputs`.
    pub fn of_party(inputs: &[Input], party: Party) -> Vec<Port> {
        let own = inputs.iter().filter(|input| input.party == party);
        own.map(|input| Port {
            name: input.name.clone(),
            width: input.width as usize,
            per_cycle: input.per_cycle,
            elements: Elements::Unknown,
        })
        .collect()
    }

    /// What the port's bits mean if it holds one element (a text, or bytes, are one), in each cycle.
    fn single(&self) -> Option<Element> {
        match self.elements {
            Elements::List { element: element @ (Element::Text | Element::Bytes), .. } => {
                Some(element)
            }
            Elements::List { element, width } if width == self.width => Some(element),
            _ => None,
        }
    }

    /// The bits of one value for all of the port.
    fn one(&self, literal: &Literal) -> Result<Bits, LiteralError> {
        match (self.single(), self.elements) {
            (Some(Element::Text), Elements::List { width, .. }) => {
                literal.to_text(self.width, width)
            }
            (Some(element), _) => literal.to_element(element, self.width),
            (None, Elements::List { element, .. }) => literal.to_list(element, self.width),
            (None, _) => literal.to_bits(self.width),
        }
    }
}

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

/// A value before its port is known.
pub enum Value {
    /// One value, or bytes that hold one a cycle.
    One(Literal),
    /// A list: a value a cycle, or the parts of a wide port.
    List(Vec<Literal>),
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

/// The number of cycles that `values` are for, from the first per-cycle port, if there is one.
///
/// # Errors
/// If bytes are no whole number of cycles.
pub fn cycles(values: &[Value], ports: &[Port]) -> Result<Option<u64>, ValueError> {
    let first = values.iter().zip(ports).find(|(_, port)| port.per_cycle);
    first.map(|(value, port)| value.cycles(port)).transpose()
}

impl Value {
    /// The bits of the port for a run of `cycles`: `width` bits, or `width * cycles` for a
    /// per-cycle port, cycle-major.
    ///
    /// # Errors
    /// If the value does not fit.
    pub fn bits(&self, port: &Port, cycles: u64) -> Result<Bits, ValueError> {
        let does_not_fit = |why| ValueError::DoesNotFit { port: port.name.clone(), why };
        if !port.per_cycle {
            return match (self, port.elements) {
                (Value::One(literal), elements) => {
                    let bits = port.one(literal).map_err(does_not_fit)?;
                    if let Elements::Set { width, count, .. } = elements
                        && !ascending(&bits, width as usize)
                    {
                        return Err(ValueError::NotAscending { port: port.name.clone(), count });
                    }
                    Ok(bits)
                }
                (Value::List(set), Elements::Set { width, count, party }) => {
                    let elements = integers(set, width as usize).map_err(does_not_fit)?;
                    prepare_set(party, &elements, count, width)
                        .map_err(|why| ValueError::Set { port: port.name.clone(), why })
                }
                (Value::List(parts), elements) => {
                    let width = part_width(parts.len(), port)?;
                    let element = match elements {
                        Elements::List { element, .. } => Some(element),
                        _ => None,
                    };
                    concatenate(parts, element, width).map_err(does_not_fit)
                }
            };
        }
        if let Some(width) = self.spread(port, cycles)
            && let Value::One(literal) = self
        {
            return literal.to_bits(width).map_err(does_not_fit);
        }
        let got = self.cycles(port)?;
        if got != cycles {
            let (port, width) = (port.name.clone(), port.width);
            return Err(ValueError::Cycles { port, width, got, wanted: cycles });
        }
        match self {
            Value::List(values) => {
                concatenate(values, port.single(), port.width).map_err(does_not_fit)
            }
            Value::One(literal) => match literal.as_bytes() {
                None => port.one(literal).map_err(does_not_fit),
                Some(bytes) => cycle_bytes(bytes, port.width).map_err(does_not_fit),
            },
        }
    }

    /// The bits of all cycles, if the value is one integer whose bits are spread over them.
    fn spread(&self, port: &Port, cycles: u64) -> Option<usize> {
        let Value::One(literal) = self else { return None };
        if cycles < 2 || !literal.is_integer() || port.single().is_some() {
            return None;
        }
        let width = usize::try_from(cycles).ok()?.checked_mul(port.width)?;
        (width <= MAX_SPREAD_BITS).then_some(width)
    }

    /// The number of cycles that a value of a per-cycle port is for.
    fn cycles(&self, port: &Port) -> Result<u64, ValueError> {
        let one = port.width.div_ceil(8);
        match self {
            Value::List(values) => Ok(values.len() as u64),
            Value::One(literal) => match literal.as_bytes() {
                None => Ok(1),
                Some(bytes) if one > 0 && bytes.len() % one == 0 => Ok((bytes.len() / one) as u64),
                Some(bytes) => Err(ValueError::Elements {
                    port: port.name.clone(),
                    got: bytes.len(),
                    wanted: format!("each cycle takes {one} bytes"),
                }),
            },
        }
    }
}

/// Width of each of `count` parts of a port.
fn part_width(count: usize, port: &Port) -> Result<usize, ValueError> {
    let width = match port.elements {
        Elements::List { element: Element::Bytes, .. } | Elements::Unknown => None,
        Elements::List { width, .. } => Some(width),
        Elements::Set { width, .. } => Some(width as usize),
    };
    let wanted = match width {
        Some(width) => {
            if port.width == count * width {
                return Ok(width);
            }
            format!("{} of {width} bits wanted", port.width.checked_div(width).unwrap_or(0))
        }
        None => match port.width.checked_div(count) {
            Some(width) if width * count == port.width => return Ok(width),
            _ => format!("which does not divide its {} bits into equal parts", port.width),
        },
    };
    Err(ValueError::Elements { port: port.name.clone(), got: count, wanted })
}

/// Literals of `width` bits each, at most 128, as unsigned integers.
fn integers(literals: &[Literal], width: usize) -> Result<Zeroizing<Vec<u128>>, LiteralError> {
    let mut all = Zeroizing::new(Vec::with_capacity(literals.len()));
    for literal in literals {
        // More than 128 bits are refused where the set is made.
        all.push(literal.to_bits(width)?.to_integer().unwrap_or(0));
    }
    Ok(all)
}

/// Whether the elements of `width` bits are in strictly ascending order.
fn ascending(bits: &Bits, width: usize) -> bool {
    let elements = bits.len().checked_div(width).unwrap_or(0);
    let element = |i| bits.slice(i * width, width).to_integer();
    (1..elements).all(|i| element(i - 1) < element(i))
}

/// Literals of `width` bits each, one after the other.
fn concatenate(
    literals: &[Literal],
    element: Option<Element>,
    width: usize,
) -> Result<Bits, LiteralError> {
    let mut all = Bits::with_len(0);
    for literal in literals {
        all.append(&match element {
            Some(element) => literal.to_element(element, width)?,
            None => literal.to_bits(width)?,
        });
    }
    Ok(all)
}

/// Bytes of one cycle after the other, each cycle's `width` bits starting a new byte.
fn cycle_bytes(bytes: &[u8], width: usize) -> Result<Bits, LiteralError> {
    if width.is_multiple_of(8) {
        return Ok(Bits::from_bytes(bytes));
    }
    let mut all = Bits::with_len(0);
    for cycle in bytes.chunks(width.div_ceil(8)) {
        let literal = Literal::from_bytes(Zeroizing::new(cycle.to_vec()));
        all.extend(literal.to_bits(width)?.iter());
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
