//! Converts a value to the bits of its port.

use crate::error::{Place, ValueError};
use crate::list::List;
use crate::literal::Literal;
use crate::literal_error::LiteralError;
use crate::port::{Elements, Port};
use crate::set::prepare_set;
use halfgate_circuit::{Bits, Element, ElementType};
use zeroize::Zeroizing;

/// The most bits, over all cycles, that a single integer may supply. In practice, no integer on the
/// command line is longer.
const MAX_SPREAD_BITS: usize = 1 << 16;

/// A value before its port is known.
pub enum Value {
    /// One value, or bytes with the values of all cycles.
    One(Literal),
    /// A list: one value per cycle, or the elements of an input.
    List(List),
}

/// Returns the number of cycles that the value of the first per-cycle port covers. Returns `None`
/// if there is no per-cycle port.
///
/// # Errors
/// If the bytes do not fill a whole number of cycles.
pub fn cycles(values: &[Value], ports: &[Port]) -> Result<Option<u64>, ValueError> {
    let first = values.iter().zip(ports).find(|(_, port)| port.per_cycle);
    first.map(|(value, port)| value.cycles(port)).transpose()
}

impl Value {
    /// Converts the value to the bits of the port for a run of `cycles`: `width` bits, or
    /// `width * cycles` for a per-cycle port, cycle by cycle.
    ///
    /// # Errors
    /// If the value does not fit.
    pub fn bits(&self, port: &Port, cycles: u64) -> Result<Bits, ValueError> {
        let does_not_fit =
            |why| ValueError::DoesNotFit { port: port.name.clone(), place: Place::Whole, why };
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
                (Value::List(list), Elements::Set { width, count, party }) => {
                    let elements = list.integers(port, width as usize)?;
                    prepare_set(party, &elements, count, width)
                        .map_err(|why| ValueError::Set { port: port.name.clone(), why })
                }
                (Value::List(list), _) => list.bits(port),
            };
        }
        if let Some(width) = self.spread(port, cycles)
            && let Value::One(literal) = self
        {
            return match port.single() {
                Some(element) => literal.to_element(element, width),
                None => literal.to_bits(width),
            }
            .map_err(does_not_fit);
        }
        let got = self.cycles(port)?;
        if got != cycles {
            let (port, width) = (port.name.clone(), port.width);
            return Err(ValueError::Cycles { port, width, got, wanted: cycles });
        }
        match self {
            Value::List(list) => list.concatenate(port, |literal| port.one(literal)),
            Value::One(literal) => match literal.as_bytes() {
                None => port.one(literal).map_err(does_not_fit),
                Some(bytes) => cycle_bytes(bytes, port.width).map_err(does_not_fit),
            },
        }
    }

    /// Returns the value as a list of the element type `stated`; `None` if the list states another
    /// type.
    pub(crate) fn stating(self, stated: ElementType) -> Option<Value> {
        let mut list = match self {
            Value::One(literal) => List::new(vec![literal]),
            Value::List(list) => list,
        };
        let own = *list.stated.get_or_insert(stated);
        (own == stated).then_some(Value::List(list))
    }

    /// Returns the number of bits of all cycles together, if the value is one integer that is
    /// spread over the cycles.
    fn spread(&self, port: &Port, cycles: u64) -> Option<usize> {
        let Value::One(literal) = self else { return None };
        // A word with a declared type belongs to one cycle.
        let spreads = match port.single() {
            None => true,
            Some(element) => element == Element::Unsigned && port.width == 1,
        };
        if cycles < 2 || !literal.is_integer() || !spreads {
            return None;
        }
        let width = usize::try_from(cycles).ok()?.checked_mul(port.width)?;
        (width <= MAX_SPREAD_BITS).then_some(width)
    }

    /// Returns the number of cycles that a value of a per-cycle port covers.
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

/// Whether the elements of `width` bits are in strictly ascending order.
fn ascending(bits: &Bits, width: usize) -> bool {
    let elements = bits.len().checked_div(width).unwrap_or(0);
    let element = |i| bits.slice(i * width, width).to_integer();
    (1..elements).all(|i| element(i - 1) < element(i))
}

/// Splits bytes by cycle; each cycle's `width` bits start a new byte.
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
