//! Inputs, outputs and state of the circuit being written.

use crate::secret::{Length, Secret, bits_of};
use crate::trace::{combine, with_builder};
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bit, Init, Party};

/// Declares an input of `party`, the same in every cycle.
///
/// # Panics
/// If a gate or a state was made before: inputs come first.
pub fn input<T: Secret<Shape: Default>>(name: &str, party: Party) -> T {
    shaped_input(name, party, &T::Shape::default())
}

/// Declares an input of `party` that is a list of `count` values, the same in every cycle.
///
/// # Panics
/// As [`input`].
pub fn list<T: Secret<Shape: Default>>(name: &str, party: Party, count: usize) -> Vec<T> {
    shaped_input(name, party, &Length(count))
}

/// As [`input`], for types that come in several shapes. A value of no bits has no port.
///
/// # Panics
/// As [`input`].
pub fn shaped_input<T: Secret>(name: &str, party: Party, shape: &T::Shape) -> T {
    port(shape, |width| with_builder(|b| b.input(name, party, width)))
}

/// Declares an input of `party` that is read anew each cycle.
///
/// # Panics
/// As [`input`].
pub fn input_each_cycle<T: Secret<Shape: Default>>(name: &str, party: Party) -> T {
    shaped_input_each_cycle(name, party, &T::Shape::default())
}

/// As [`input_each_cycle`], for types that come in several shapes.
///
/// # Panics
/// As [`input`].
pub fn shaped_input_each_cycle<T: Secret>(name: &str, party: Party, shape: &T::Shape) -> T {
    port(shape, |width| with_builder(|b| b.input_per_cycle(name, party, width)))
}

/// A value of that shape, from the bits of the port that `declare` makes if there are any. More
/// bits than there can be wires are refused when the circuit is finished.
fn port<T: Secret>(shape: &T::Shape, declare: impl FnOnce(u32) -> Vec<Bit>) -> T {
    match u32::try_from(T::width(shape)).unwrap_or(u32::MAX) {
        0 => T::from_bits(shape, &[]),
        width => T::from_bits(shape, &declare(width)),
    }
}

/// Declares an output; in a circuit of several cycles, that of the last. A value of no bits has no
/// port.
///
/// # Panics
/// If the value is of another circuit.
pub fn output<T: Secret>(name: &str, value: &T) {
    let (tag, bits) = bits_of(value);
    combine(&[tag], |b| {
        if !bits.is_empty() {
            b.output(name, &bits)
        }
    });
}

/// Declares an output that is given out each cycle.
///
/// # Panics
/// If the value is of another circuit.
pub fn output_each_cycle<T: Secret>(name: &str, value: &T) {
    let (tag, bits) = bits_of(value);
    combine(&[tag], |b| {
        if !bits.is_empty() {
            b.output_per_cycle(name, &bits)
        }
    });
}

/// Declares the ports of a value of several parts, one for each of
/// [`port_widths`](Secret::port_widths), and returns the value. A part of no bits has no port.
///
/// # Panics
/// As [`input`], and if there is not one name for each part.
pub fn input_parts<T: Secret>(
    names: &[impl AsRef<str>],
    party: Party,
    shape: &T::Shape,
    each_cycle: bool,
) -> T {
    let widths = T::port_widths(shape);
    assert_eq!(names.len(), widths.len(), "names of parts, and parts");
    let parts = names.iter().zip(widths).zip(T::port_elements(shape));
    let mut bits = Vec::new();
    for ((name, width), elements) in parts.filter(|&((_, width), _)| width > 0) {
        let (name, width) = (name.as_ref(), u32::try_from(width).unwrap_or(u32::MAX));
        bits.extend(with_builder(|b| {
            let bits = match each_cycle {
                true => b.input_per_cycle(name, party, width),
                false => b.input(name, party, width),
            };
            b.describe_input(elements);
            bits
        }));
    }
    T::from_bits(shape, &bits)
}

/// Declares an output for each part of a value, one for each of
/// [`port_widths`](Secret::port_widths). A part of no bits has no port.
///
/// # Panics
/// If the value is of another circuit, or there is not one name for each part.
pub fn output_parts<T: Secret>(names: &[impl AsRef<str>], value: &T, each_cycle: bool) {
    let shape = value.shape();
    let widths = T::port_widths(&shape);
    assert_eq!(names.len(), widths.len(), "names of parts, and parts");
    let (tag, bits) = bits_of(value);
    let mut bits = &bits[..];
    let parts = names.iter().zip(widths).zip(T::port_elements(&shape));
    for ((name, width), elements) in parts.filter(|&((_, width), _)| width > 0) {
        let (part, rest) = bits.split_at(width);
        bits = rest;
        combine(&[tag], |b| {
            match each_cycle {
                true => b.output_per_cycle(name.as_ref(), part),
                false => b.output(name.as_ref(), part),
            }
            b.describe_output(elements);
        });
    }
}

/// Sets how many cycles the circuit runs for when a run does not say; 1 if never called.
///
/// # Panics
/// If no circuit is being written on this thread.
pub fn set_cycles(cycles: u64) {
    with_builder(|b| b.set_cycles(cycles));
}

/// A value that is carried from one cycle to the next, in flip-flops.
///
/// ```
/// use halfgate_secret::{Party, State, U32, input_each_cycle, output, trace};
/// let circuit = trace(|| {
///     let price: U32 = input_each_cycle("price", Party::Garbler);
///     let quantity: U32 = input_each_cycle("quantity", Party::Evaluator);
///     let total = State::new(&U32::from(0));
///     let sum = total.value() + price * quantity;
///     output("total", &sum);
///     total.set_next(&sum);
/// })?;
/// assert_eq!(circuit.flip_flops.len(), 32);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
pub struct State<T> {
    value: T,
    bits: Vec<Bit>,
    /// Flip-flops that hold the complement of their bit, for a start from an inverted input.
    inverted: Vec<bool>,
}

impl<T: Secret> State<T> {
    /// A state that is `start` in the first cycle: constants and bits of per-run inputs as they
    /// are (inverted, at most).
    ///
    /// # Panics
    /// If a gate was made before: states come right after inputs. If `start` is of another
    /// circuit.
    pub fn new(start: &T) -> State<T> {
        let (tag, starts) = bits_of(start);
        let inverted: Vec<bool> =
            starts.iter().map(|bit| bit.wire().is_some() && bit.is_inverted()).collect();
        let (_, bits) = combine(&[tag], |b| {
            let init = |bit: Bit| match bit.wire() {
                Some(wire) => Init::Input(wire),
                None => Init::Constant(bit.is_inverted()),
            };
            let flip_flops: Vec<Bit> = starts.iter().map(|&bit| b.flip_flop(init(bit))).collect();
            flip_flops
        });
        let values: Vec<Bit> =
            bits.iter().zip(&inverted).map(|(bit, &invert)| bit.invert_if(invert)).collect();
        State { value: T::from_bits(&start.shape(), &values), bits, inverted }
    }

    /// The value in this cycle.
    pub fn value(&self) -> T {
        self.value.clone()
    }

    /// Makes `next` the value in the cycle after this one. Where it is called again, the last call
    /// holds.
    ///
    /// # Panics
    /// If `next` is of another circuit, or a vector of another length.
    pub fn set_next(&self, next: &T) {
        let (tag, next) = bits_of(next);
        assert_eq!(next.len(), self.bits.len(), "the next state must have the state's length");
        combine(&[tag], |b| {
            for ((&flip_flop, &next), &invert) in self.bits.iter().zip(&next).zip(&self.inverted) {
                b.set_next(flip_flop, next.invert_if(invert));
            }
        });
    }
}

/// Why a circuit could not be written: see [`trace`](crate::trace()).
pub type TraceError = BuildError;
