//! What wants a value: an input port, and what its bits mean.

use crate::literal::Literal;
use crate::literal_error::LiteralError;
use halfgate_circuit::{Bits, Element, ElementType, Input, Party};

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

impl Elements {
    /// What a circuit declares of an input.
    fn of_input(input: &Input) -> Elements {
        match input.elements {
            Some(ElementType { width, .. }) if input.is_set && width > 0 => {
                Elements::Set { width, count: input.width / width, party: input.party }
            }
            declared => Elements::of(declared),
        }
    }

    /// What a circuit declares.
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
    /// The ports of `party` among `inputs`.
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

    /// What an element is, where that is known.
    pub(crate) fn element_type(&self) -> Option<ElementType> {
        match self.elements {
            Elements::Unknown => None,
            Elements::List { element, width } => Some(ElementType { element, width: width as u32 }),
            Elements::Set { width, .. } => Some(ElementType { element: Element::Unsigned, width }),
        }
    }

    /// What the port's bits mean if it holds one element (a text, or bytes, are one), in each
    /// cycle.
    pub(crate) fn single(&self) -> Option<Element> {
        match self.elements {
            Elements::List { element: element @ (Element::Text | Element::Bytes), .. } => {
                Some(element)
            }
            Elements::List { element, width } if width == self.width => Some(element),
            _ => None,
        }
    }

    /// The bits of one value for all of the port.
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
