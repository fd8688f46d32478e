//! What the bits of a program's ports mean, so that values can be read and shown as people write
//! them. It is no part of the program hash: two parties that read a port differently still run the
//! same program.

pub use halfgate_circuit::Element;

/// The type of a port, as a program's list of ports gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortType {
    /// The port's name; a name that ends in a digit also stands for the others of its row
    /// (`bid0` for `bid1`, `bid2`, …).
    pub name: &'static str,
    /// What an element is.
    pub element: Element,
    /// How wide an element is.
    pub width: Width,
    /// Whether the elements are a set, which `halfgate_values::prepare_set` sorts and fills up.
    pub is_set: bool,
}

/// Bits of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As many as the port has: it is one element.
    Port,
    /// Always so many.
    Bits(u32),
    /// The program's parameter at this place, from 0.
    Parameter(usize),
}

impl PortType {
    /// A port that is one element.
    pub(crate) const fn one(name: &'static str, element: Element) -> PortType {
        PortType { name, element, width: Width::Port, is_set: false }
    }

    /// A port that is a list of elements.
    pub(crate) const fn list(name: &'static str, element: Element, width: Width) -> PortType {
        PortType { name, element, width, is_set: false }
    }

    /// A port that is a set of elements.
    pub(crate) const fn set(name: &'static str, element: Element, width: Width) -> PortType {
        PortType { name, element, width, is_set: true }
    }

    /// Whether this is the type of the port `name`.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        let digit = |c: char| c.is_ascii_digit();
        let row = self.name.ends_with(digit);
        name == self.name
            || row && name.trim_end_matches(digit) == self.name.trim_end_matches(digit)
    }

    /// Bits of an element of a port of `port` bits, where the program's parameters are `text`.
    pub fn element_width(&self, text: &str, port: usize) -> Option<usize> {
        match self.width {
            Width::Port => Some(port),
            Width::Bits(bits) => Some(bits as usize),
            Width::Parameter(place) => {
                text.split(|c: char| !c.is_ascii_digit()).nth(place)?.parse().ok()
            }
        }
    }
}
