//! Runs functions on secret values with plain values, in the clear.

use halfgate_circuit::{Bits, Circuit, clear};
use halfgate_secret::{Native, Party, Secret, shaped_input, trace};
use std::cell::RefCell;

/// Returns the circuit of `f`, and the shape of the result of `f`.
pub fn circuit<A, B, O>(f: impl FnOnce(A, B) -> O) -> (Circuit, O::Shape)
where
    A: Secret<Shape: Default>,
    B: Secret<Shape: Default>,
    O: Secret,
{
    let shape = RefCell::new(None);
    let circuit = trace(|| {
        let a = shaped_input("a", Party::Garbler, &A::Shape::default());
        let b = shaped_input("b", Party::Evaluator, &B::Shape::default());
        let out = f(a, b);
        *shape.borrow_mut() = Some(out.shape());
        halfgate_secret::output("out", &out);
    });
    (circuit.expect("the function is a circuit"), shape.into_inner().expect("it was run"))
}

/// Returns the bits of a value.
pub fn encode<T: Native<Shape: Default>>(value: &T::Clear) -> Bits {
    let mut bits = Bits::new();
    T::encode(&T::Shape::default(), value, &mut |bit| bits.push(bit)).expect("the value fits");
    bits
}

/// Returns the result of `f` for `a` and `b`.
pub fn run<A, B, O>(f: impl FnOnce(A, B) -> O, a: A::Clear, b: B::Clear) -> O::Clear
where
    A: Native<Shape: Default>,
    B: Native<Shape: Default>,
    O: Native,
{
    let (circuit, shape) = circuit(f);
    let inputs = [encode::<A>(&a), encode::<B>(&b)];
    let inputs: Vec<Bits> = inputs.into_iter().filter(|bits| !bits.is_empty()).collect();
    let outputs = clear::evaluate(&circuit, &inputs, 1).expect("it runs");
    let mut bits = outputs[0].iter();
    O::decode(&shape, &mut || bits.next().expect("as many bits as the value has"))
}
