//! Runs functions on secret values with plain values, in the clear.

use halfgate_circuit::structured::{StructuredCircuit, clear as structured_clear, flatten};
use halfgate_circuit::{Bits, Circuit, clear};
use halfgate_secret::{Length, Native, Party, Secret, shaped_input, trace, trace_structured};
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

/// Returns the structured circuit of `f`, and the shape of the result of `f`.
pub fn structured<A, B, O>(
    lengths: (A::Shape, B::Shape),
    f: impl FnOnce(A, B) -> O,
) -> (StructuredCircuit, O::Shape)
where
    A: Secret,
    B: Secret,
    O: Secret,
{
    let mut shape = None;
    let circuit = trace_structured(|| {
        let a = shaped_input("a", Party::Garbler, &lengths.0);
        let b = shaped_input("b", Party::Evaluator, &lengths.1);
        let out = f(a, b);
        shape = Some(out.shape());
        halfgate_secret::output("out", &out);
    });
    (circuit.expect("the function is a circuit"), shape.expect("it was run"))
}

/// Returns the result of `f` on lists and their circuit, which may call functions. Checks that the
/// flattening has the same result.
pub fn run_structured<A, B, O>(
    f: impl FnOnce(Vec<A>, B) -> O,
    a: &Vec<A::Clear>,
    b: &B::Clear,
) -> (O::Clear, StructuredCircuit)
where
    A: Native<Shape: Default>,
    A::Clear: Clone,
    B: Native<Shape: Default>,
    O: Native,
{
    let length = Length(a.len());
    let (circuit, shape) = structured((length, B::Shape::default()), f);
    let mut list = Bits::new();
    Vec::<A>::encode(&length, a, &mut |bit| list.push(bit)).expect("the values fit");
    let inputs: Vec<Bits> =
        [list, encode::<B>(b)].into_iter().filter(|bits| !bits.is_empty()).collect();
    let outputs = structured_clear::evaluate(&circuit, &inputs, 1).expect("it runs");
    let flat = flatten(&circuit).expect("it can be flattened");
    assert_eq!(clear::evaluate(&flat, &inputs, 1).expect("it runs"), outputs);
    let mut bits = outputs[0].iter();
    let result = O::decode(&shape, &mut || bits.next().expect("as many bits as the value has"));
    (result, circuit)
}
