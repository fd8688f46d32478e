//! Inputs, outputs and state of the circuit being written.

use crate::secret::{Length, Secret, bits_of};
use crate::trace::{combine, with_builder};
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bit, Init, Party};

/// Declares an input of `party` whose value is the same in every cycle.
///
/// # Panics
/// If a gate or a state was made before: inputs must come first.
pub fn input<T: Secret<Shape: Default>>(name: &str, party: Party) -> T {
    shaped_input(name, party, &T::Shape::default())
}

/// Declares an input of `party` that is a list of `count` values. The list is the same in every
/// cycle.
///
/// # Panics
/// As for [`input`].
pub fn list<T: Secret<Shape: Default>>(name: &str, party: Party, count: usize) -> Vec<T> {
    shaped_input(name, party, &Length(count))
}

/// Like [`input`], for types with several shapes. A value of no bits has no port.
///
/// # Panics
/// As for [`input`].
pub fn shaped_input<T: Secret>(name: &str, party: Party, shape: &T::Shape) -> T {
    port(shape, |width| with_builder(|b| b.input(name, party, width)))
}

/// Declares an input of `party` with a new value in each cycle.
///
/// # Panics
/// As for [`input`].
pub fn input_each_cycle<T: Secret<Shape: Default>>(name: &str, party: Party) -> T {
    shaped_input_each_cycle(name, party, &T::Shape::default())
}

/// Like [`input_each_cycle`], for types with several shapes.
///
/// # Panics
/// As for [`input`].
pub fn shaped_input_each_cycle<T: Secret>(name: &str, party: Party, shape: &T::Shape) -> T {
    port(shape, |width| with_builder(|b| b.input_per_cycle(name, party, width)))
}

/// Returns a value of that shape from the port that `declare` makes, if the value has bits. A width
/// above the maximum number of wires is an error when the circuit is finished.
fn port<T: Secret>(shape: &T::Shape, declare: impl FnOnce(u32) -> Vec<Bit>) -> T {
    match u32::try_from(T::width(shape)).unwrap_or(u32::MAX) {
        0 => T::from_bits(shape, &[]),
        width => T::from_bits(shape, &declare(width)),
    }
}

/// Declares an output. In a circuit of several cycles, the output is the value in the last cycle. A
/// value of no bits has no port.
///
/// # Panics
/// If the value belongs to another circuit.
pub fn output<T: Secret>(name: &str, value: &T) {
    let (tag, bits) = bits_of(value);
    combine(&[tag], |b| {
        if !bits.is_empty() {
            b.output(name, &bits)
        }
    });
}

/// Declares an output that is revealed in each cycle.
///
/// # Panics
/// If the value belongs to another circuit.
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
/// As for [`input`], and if the number of names differs from the number of parts.
pub fn input_parts<T: Secret>(
    names: &[impl AsRef<str>],
    party: Party,
    shape: &T::Shape,
    each_cycle: bool,
) -> T {
    let widths = T::port_widths(shape);
    assert_eq!(names.len(), widths.len(), "every part needs one name");
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
/// If the value belongs to another circuit, or the number of names differs from the number of
/// parts.
pub fn output_parts<T: Secret>(names: &[impl AsRef<str>], value: &T, each_cycle: bool) {
    let shape = value.shape();
    let widths = T::port_widths(&shape);
    assert_eq!(names.len(), widths.len(), "every part needs one name");
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

/// Sets the number of cycles for which the circuit runs by default; 1 if never called.
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
    /// For each flip-flop, whether it holds the complement of its bit, so that it can start from an
    /// inverted input.
    inverted: Vec<bool>,
}

impl<T: Secret> State<T> {
    /// Creates a state that is `start` in the first cycle. `start` may consist of constants and
    /// bits of per-run inputs, which may be inverted.
    ///
    /// # Panics
    /// If a gate was made before, because states must come right after inputs. If `start` belongs
    /// to another circuit.
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

    /// Sets the value of the next cycle to `next`. If it is called several times, the last call
    /// takes effect.
    ///
    /// # Panics
    /// If `next` belongs to another circuit, or is a vector of another length.
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

/// Errors in writing a circuit: see [`trace`](crate::trace()).
pub type TraceError = BuildError;
