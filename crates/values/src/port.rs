//! An input port that takes a value, and the meaning of its bits.

use crate::literal::Literal;
use crate::literal_error::LiteralError;
use halfgate_circuit::{Bits, Element, ElementType, Input, Party};

/// An input port that takes a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name, for JSON and for errors.
    pub name: String,
    /// Width in bits; for a per-cycle port, the width in one cycle.
    pub width: usize,
    /// Whether the port takes a value for each cycle.
    pub per_cycle: bool,
    /// The meaning of a list of values for this port.
    pub elements: Elements,
}

/// The structure of a port's contents, as far as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Nothing is declared. A list of values then needs an element type, unless it has one element,
    /// one element per bit, or only elements that imply their widths.
    Unknown,
    /// One element or more of `width` bits each.
    List {
        /// Meaning of an element's bits.
        element: Element,
        /// Bits of an element.
        width: usize,
    },
    /// A set: distinct elements in ascending order, padded with values that match nothing.
    Set {
        /// Bits of an element.
        width: u32,
        /// The most elements.
        count: u32,
        /// Owner of the set. The parties pad with different values.
        party: Party,
    },
}

impl Elements {
    /// Returns the elements that a circuit declares for an input.
    fn of_input(input: &Input) -> Elements {
        match input.elements {
            Some(ElementType { width, .. }) if input.is_set && width > 0 => {
                Elements::Set { width, count: input.width / width, party: input.party }
            }
            declared => Elements::of(declared),
        }
    }

    /// Returns the elements of a declared type.
    pub fn of(declared: Option<ElementType>) -> Elements {
        match declared {
            Some(ElementType { element, width }) => {
                Elements::List { element, width: width as usize }
            }
            None => Elements::Unknown,
        }
    }
}

impl Port {
    /// Returns the ports of `party` among `inputs`.
    pub fn of_party(inputs: &[Input], party: Party) -> Vec<Port> {
        let own = inputs.iter().filter(|input| input.party == party);
        own.map(|input| Port {
            name: input.name.clone(),
            width: input.width as usize,
            per_cycle: input.per_cycle,
            elements: Elements::of_input(input),
        })
        .collect()
    }

    /// Whether the port holds a text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.elements, Elements::List { element: Element::Text, .. })
    }

    /// Returns the element type, if it is known.
    pub(crate) fn element_type(&self) -> Option<ElementType> {
        match self.elements {
            Elements::Unknown => None,
            Elements::List { element, width } => Some(ElementType { element, width: width as u32 }),
            Elements::Set { width, .. } => Some(ElementType { element: Element::Unsigned, width }),
        }
    }

    /// Returns the meaning of the port's bits in each cycle if they are one element. A text counts
    /// as one element, and so do bytes.
    pub(crate) fn single(&self) -> Option<Element> {
        match self.elements {
            Elements::List { element: element @ (Element::Text | Element::Bytes), .. } => {
                Some(element)
            }
            Elements::List { element, width } if width == self.width => Some(element),
            _ => None,
        }
    }

    /// Converts one value to all bits of the port.
    pub(crate) fn one(&self, literal: &Literal) -> Result<Bits, LiteralError> {
        match (self.single(), self.elements) {
            (Some(Element::Text), Elements::List { width, .. }) => {
                literal.to_text(self.width, width)
            }
            (Some(element), _) => literal.to_element(element, self.width),
            (None, Elements::List { .. } | Elements::Set { .. }) => literal.to_list(self.width),
            (None, Elements::Unknown) => literal.to_bits(self.width),
        }
    }
}
