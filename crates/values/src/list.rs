//! A list of values: the elements of an input, or one value per cycle.

use crate::element_type::split_hint;
use crate::error::{Place, ValueError};
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::Port;
use halfgate_circuit::{Bits, Element, ElementType};
use zeroize::Zeroizing;

/// A list as it was written.
pub struct List {
    /// The elements.
    pub(crate) items: Vec<Literal>,
    /// The element type that the list states, as in `u8:[…]`.
    pub(crate) stated: Option<ElementType>,
    /// For each element, its line in the file, from 1. Empty unless the file has one element per
    /// line.
    pub(crate) lines: Vec<u64>,
}

impl List {
    /// Creates a list without an element type.
    pub fn new(items: Vec<Literal>) -> List {
        List { items, stated: None, lines: Vec::new() }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the place at which element `index` (from 0) was written.
    pub(crate) fn place(&self, index: usize) -> Place {
        match self.lines.get(index) {
            Some(&line) => Place::Line(line),
            None => Place::Element(index + 1),
        }
    }

    /// Converts the list to the bits of `port`: the bits of its elements, one after the other.
    pub(crate) fn bits(&self, port: &Port) -> Result<Bits, ValueError> {
        let bits = match self.reading(port)? {
            Reading::Declared(ElementType { element, width }) => {
                self.concatenate(port, |literal| literal.to_element(element, width as usize))?
            }
            Reading::Undeclared(width) => {
                self.concatenate(port, |literal| literal.to_bits(width))?
            }
            Reading::OwnWidths => {
                self.concatenate(port, |literal| literal.to_bits(literal.own_width().unwrap_or(0)))?
            }
        };
        if let (true, Some(ElementType { width, .. })) = (port.is_text(), port.element_type()) {
            self.check_end(port, &bits, width as usize)?;
        }
        match bits.len() == port.width {
            true => Ok(bits),
            false => Err(ValueError::Elements {
                port: port.name.clone(),
                got: self.len(),
                wanted: format!("of {} bits together, {} wanted", bits.len(), port.width),
            }),
        }
    }

    /// Checks that a text given as numbers ends at its first zero. Circuits rely on it.
    fn check_end(&self, port: &Port, bits: &Bits, width: usize) -> Result<(), ValueError> {
        let bits: Zeroizing<Vec<bool>> = Zeroizing::new(bits.iter().collect());
        let mut ended = false;
        for (index, character) in bits.chunks(width.max(1)).enumerate() {
            let is_zero = !character.contains(&true);
            if ended && !is_zero {
                let why = LiteralError::AfterEnd;
                let (port, place) = (port.name.clone(), self.place(index));
                return Err(ValueError::DoesNotFit { port, place, why });
            }
            ended |= is_zero;
        }
        Ok(())
    }

    /// Converts the elements to unsigned integers of `width` bits each, at most 128.
    pub(crate) fn integers(
        &self,
        port: &Port,
        width: usize,
    ) -> Result<Zeroizing<Vec<u128>>, ValueError> {
        let element = |literal: &Literal| literal.to_element(Element::Unsigned, width);
        if let (Some(stated), Some(declared)) = (self.stated, port.element_type())
            && stated != declared
        {
            return Err(ValueError::ListType { port: port.name.clone(), stated, declared });
        }
        let bits = self.concatenate(port, element)?;
        let starts = (0..self.len()).map(|index| index * width);
        // The construction of the set rejects widths above 128 bits.
        let integers = starts.map(|at| bits.slice(at, width).to_integer().unwrap_or(0));
        Ok(Zeroizing::new(integers.collect()))
    }

    /// Concatenates the bits that `bits_of` makes of each element.
    pub(crate) fn concatenate(
        &self,
        port: &Port,
        bits_of: impl Fn(&Literal) -> Result<Bits, LiteralError>,
    ) -> Result<Bits, ValueError> {
        let mut all = Bits::with_len(0);
        for (index, literal) in self.items.iter().enumerate() {
            let does_not_fit = |why| ValueError::DoesNotFit {
                port: port.name.clone(),
                place: self.place(index),
                why,
            };
            all.append(&bits_of(literal).map_err(does_not_fit)?);
        }
        Ok(all)
    }

    /// Decides how to interpret the elements. Returns an error if this is ambiguous.
    fn reading(&self, port: &Port) -> Result<Reading, ValueError> {
        let reading = match (self.stated, port.element_type()) {
            (Some(stated), Some(declared)) if !may_be_split(declared, stated, port.width) => {
                let port = port.name.clone();
                return Err(ValueError::ListType { port, stated, declared });
            }
            (Some(stated), _) => Reading::Declared(stated),
            (None, Some(bytes @ ElementType { element: Element::Bytes, .. })) => match self.len() {
                1 => Reading::Declared(bytes),
                _ if self.gives_widths() => Reading::OwnWidths,
                _ => Reading::Declared(ElementType { element: Element::Unsigned, width: 8 }),
            },
            (None, Some(declared)) => Reading::Declared(declared),
            // A single element is the whole input. If there are as many elements as the input has
            // bits, each element is one bit.
            (None, None) if self.len() == 1 => Reading::Undeclared(port.width),
            (None, None) if self.len() == port.width => Reading::Undeclared(1),
            (None, None) if self.gives_widths() => Reading::OwnWidths,
            (None, None) => {
                let (port, width) = (port.name.clone(), port.width);
                return Err(ValueError::Ambiguous { port, got: self.len(), width });
            }
        };
        if let Reading::Declared(ElementType { width, .. }) = reading
            && self.len().checked_mul(width as usize) != Some(port.width)
        {
            return Err(self.wrong_count(port, width as usize));
        }
        Ok(reading)
    }

    /// Whether each element was written in a form that has a width.
    fn gives_widths(&self) -> bool {
        self.items.iter().all(|literal| literal.own_width().is_some())
    }

    fn wrong_count(&self, port: &Port, width: usize) -> ValueError {
        let (got, wanted) = (self.len(), port.width.checked_div(width).unwrap_or(0));
        let split = match self.stated.is_none() && wanted == 1 && got > 1 {
            true => split_hint(got, port.width),
            false => String::new(),
        };
        let wanted = format!("{wanted} of {width} bits wanted{split}");
        ValueError::Elements { port: port.name.clone(), got, wanted }
    }
}

/// The meaning of a list's elements.
enum Reading {
    /// Elements of a type that the port or the list declares.
    Declared(ElementType),
    /// Bits, or integers in two's complement, of this width.
    Undeclared(usize),
    /// Elements with the widths in which they were written.
    OwnWidths,
}

/// Whether a port of `width` bits with a declared element type accepts a list of another type. A
/// single integer may be split, and so may bytes. An integer with the other sign is no part of one:
/// it would be another number.
fn may_be_split(declared: ElementType, stated: ElementType, width: usize) -> bool {
    let is_one = declared.width as usize == width;
    let splits = matches!(declared.element, Element::Unsigned | Element::Signed | Element::Bytes);
    let is_sign = |element| matches!(element, Element::Unsigned | Element::Signed);
    let is_whole =
        declared.width == stated.width && is_sign(declared.element) && is_sign(stated.element);
    declared == stated || is_one && splits && !is_whole
}
