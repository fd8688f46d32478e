//! Types of a program's ports, which determine how values are read and printed. They are not part
//! of the program hash: two parties that use different types for a port still run the same program.

pub use halfgate_circuit::Element;

/// The type of a port, as listed in [`ProgramInfo::types`](crate::ProgramInfo::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortType {
    /// The port's name. A name that ends in a digit also stands for all names with other digits
    /// (`bid0` for `bid1`, `bid2`, …).
    pub name: &'static str,
    /// The kind of an element, such as a signed integer.
    pub element: Element,
    /// The width of an element.
    pub width: Width,
    /// Whether the elements are a set, which `halfgate_values::prepare_set` sorts and pads.
    pub is_set: bool,
    /// Whether each element must be above the one before. The circuit does not check it; the
    /// command does.
    pub is_ascending: bool,
}

/// The width of a port's elements, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// The width of the port, which is one element.
    Port,
    /// A fixed number of bits.
    Bits(u32),
    /// The program's parameter with this index, from 0.
    Parameter(usize),
}

impl PortType {
    /// A port that is one element.
    pub(crate) const fn one(name: &'static str, element: Element) -> PortType {
        PortType { name, element, width: Width::Port, is_set: false, is_ascending: false }
    }

    /// A port that is a list of elements.
    pub(crate) const fn list(name: &'static str, element: Element, width: Width) -> PortType {
        PortType { name, element, width, is_set: false, is_ascending: false }
    }

    /// A port that is a set of elements.
    pub(crate) const fn set(name: &'static str, element: Element, width: Width) -> PortType {
        PortType { name, element, width, is_set: true, is_ascending: false }
    }

    /// A port that is a list of distinct integers in ascending order.
    pub(crate) const fn ascending(name: &'static str, width: Width) -> PortType {
        let element = Element::Unsigned;
        PortType { name, element, width, is_set: false, is_ascending: true }
    }

    /// Whether this is the type of the port `name`.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        let digit = |c: char| c.is_ascii_digit();
        let row = self.name.ends_with(digit);
        name == self.name
            || row && name.trim_end_matches(digit) == self.name.trim_end_matches(digit)
    }

    /// Width of an element, for a port of `port` bits and the program's parameters `text`. `None`
    /// if `text` has no such parameter.
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
