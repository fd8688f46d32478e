//! The description of a built-in program, and the parsing and checking of its parameters.

use crate::error::{MakeError, ProgramError};
use crate::ports::PortType;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Circuit, Element, ElementType, Input};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A built-in program: its entry in `halfgate programs`, and the function that makes its circuit.
#[derive(Clone, Copy, Debug)]
pub struct ProgramInfo {
    /// The name, without parameters.
    pub name: &'static str,
    /// The form of the parameters, such as `BIDDERSxBITS`; empty if there are none.
    pub params: &'static str,
    /// The default parameters, in the same form.
    pub default: &'static str,
    /// The function that it computes, in one line.
    pub summary: &'static str,
    /// The ports: each party's inputs as `name:width`, then the outputs.
    pub ports: &'static str,
    /// The types of the ports that are not plain unsigned integers.
    pub types: &'static [PortType],
    /// Makes the circuit from the text after the colon, or from the default.
    pub(crate) make: Make,
}

/// Makes a program's circuit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Make {
    /// Gates only.
    Flat(fn(Params) -> Result<Circuit, MakeError>),
    /// Functions, called, mapped or folded.
    Structured(fn(Params) -> Result<StructuredCircuit, MakeError>),
}

impl ProgramInfo {
    /// The form of a spec, with the default: `auction:BIDDERSxBITS (default auction:8x32)`.
    pub fn usage(&self) -> String {
        match self.params {
            "" => self.name.to_owned(),
            params => format!("{0}:{params} (default {0}:{1})", self.name, self.default),
        }
    }

    /// Adds the program's name and usage to the error `reason`.
    pub(crate) fn wrong(&self, reason: MakeError) -> ProgramError {
        match reason {
            MakeError::Build(source) => ProgramError::Build { name: self.name, source },
            reason => ProgramError::Parameters { name: self.name, usage: self.usage(), reason },
        }
    }

    /// Whether the circuit calls functions: see [`build_structured`](crate::build_structured).
    pub fn is_structured(&self) -> bool {
        matches!(self.make, Make::Structured(_))
    }

    /// The type of the input or output `port`; `None` if its bits are one unsigned integer.
    pub fn port_type(&self, port: &str) -> Option<&'static PortType> {
        self.types.iter().find(|port_type| port_type.is_for(port))
    }

    /// The type of the `width` bits of the input or output `port`, for the parameters `text`.
    fn elements(&self, text: &str, port: &str, width: usize) -> Option<ElementType> {
        let (element, bits) = match self.port_type(port) {
            Some(port_type) => (port_type.element, port_type.element_width(text, width)?),
            None => (Element::Unsigned, width),
        };
        let divides = bits > 0 && width.is_multiple_of(bits);
        divides.then_some(ElementType { element, width: bits as u32 })
    }

    /// Adds the ports' types to `circuit`, which is this program with the parameters `text`.
    pub(crate) fn describe(&self, text: &str, mut circuit: Circuit) -> Circuit {
        self.describe_inputs(text, &mut circuit.inputs);
        for output in &mut circuit.outputs {
            output.elements = self.elements(text, &output.name, output.bits.len());
        }
        circuit
    }

    /// As [`describe`](ProgramInfo::describe).
    pub(crate) fn describe_structured(
        &self,
        text: &str,
        mut circuit: StructuredCircuit,
    ) -> StructuredCircuit {
        self.describe_inputs(text, &mut circuit.inputs);
        for output in &mut circuit.outputs {
            output.elements = self.elements(text, &output.name, output.bits.len());
        }
        circuit
    }

    fn describe_inputs(&self, text: &str, inputs: &mut [Input]) {
        for input in inputs {
            input.elements = self.elements(text, &input.name, input.width as usize);
            input.is_set = self.port_type(&input.name).is_some_and(|port_type| port_type.is_set);
        }
    }
}

/// Maximum number of ANDs in the body of a flat built-in program. Longer computations repeat a body
/// or call functions.
pub const MAX_ANDS: u64 = 1 << 26;

/// The text after a program's colon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params<'a> {
    pub(crate) text: &'a str,
}

impl Params<'_> {
    /// Checks that there are no parameters.
    pub(crate) fn none(self) -> Result<(), MakeError> {
        match self.text {
            "" => Ok(()),
            given => Err(MakeError::NoParameters { given: given.to_owned() }),
        }
    }

    /// One number.
    pub(crate) fn one<T: FromStr>(self, name: &'static str) -> Result<T, MakeError> {
        number(name, self.text)
    }

    /// Two numbers with `separator` between them.
    pub(crate) fn two<T: FromStr, U: FromStr>(
        self,
        names: [&'static str; 2],
        separator: char,
    ) -> Result<(T, U), MakeError> {
        let (first, second) = self.text.split_once(separator).ok_or_else(|| MakeError::Form {
            expected: format!("{}{separator}{}", names[0], names[1]),
            given: self.text.to_owned(),
        })?;
        Ok((number(names[0], first)?, number(names[1], second)?))
    }

    /// Three numbers with an `x` between each two.
    pub(crate) fn three<T: FromStr, U: FromStr, V: FromStr>(
        self,
        names: [&'static str; 3],
    ) -> Result<(T, U, V), MakeError> {
        let form = || MakeError::Form { expected: names.join("x"), given: self.text.to_owned() };
        let (first, rest) = self.text.split_once('x').ok_or_else(form)?;
        let (second, third) = rest.split_once('x').ok_or_else(form)?;
        Ok((number(names[0], first)?, number(names[1], second)?, number(names[2], third)?))
    }
}

fn number<T: FromStr>(parameter: &'static str, text: &str) -> Result<T, MakeError> {
    let bad = || MakeError::NotANumber { parameter, given: text.to_owned() };
    // Rust's own parser would accept a plus sign.
    if !text.bytes().all(|c| c.is_ascii_digit()) {
        return Err(bad());
    }
    text.parse().map_err(|_| bad())
}

/// Checks that the parameter's value is in its range.
pub(crate) fn check(
    parameter: &'static str,
    given: u64,
    range: RangeInclusive<u64>,
) -> Result<(), MakeError> {
    if range.contains(&given) {
        return Ok(());
    }
    Err(MakeError::OutOfRange { parameter, given, min: *range.start(), max: *range.end() })
}

/// Checks, before a circuit is built, that its estimated number of ANDs is at most [`MAX_ANDS`].
/// The estimate is the product of `factors`.
pub(crate) fn check_size(factors: &[u64]) -> Result<(), MakeError> {
    let ands = factors.iter().fold(1u64, |product, &f| product.saturating_mul(f));
    if ands <= MAX_ANDS { Ok(()) } else { Err(MakeError::TooLarge { ands, max: MAX_ANDS }) }
}
