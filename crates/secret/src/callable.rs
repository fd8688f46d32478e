//! Functions of the circuit: written once, then called, mapped over lists and folded over lists.

use crate::lanes::{Arguments, Lanes};
use crate::registry::Place;
use crate::secret::{Secret, bits_of};
use crate::trace::{Tag, Unpack, combine, registry, write_function};
use halfgate_circuit::Bit;
use halfgate_circuit::builder::{Defined, Folded};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

/// Turns a Rust function on secret values into a function of the circuit that is being written.
///
/// The circuit has the function's gates once for each signature: the types of the parameters and
/// the lengths of their vectors. `f` runs when a call first needs a signature.
///
/// ```
/// use halfgate_secret::{Party, U32, function, input, list, output, shared, trace_structured};
/// let circuit = trace_structured(|| {
///     let prices: Vec<U32> = list("prices", Party::Garbler, 1000);
///     let counts: Vec<U32> = list("counts", Party::Garbler, 1000);
///     let discount: U32 = input("discount", Party::Evaluator);
///     let cost = function("cost", |price: U32, count: U32, less: U32| (price - less) * count);
///     let add = function("add", |sum: U32, x: U32| sum + x);
///     let costs = cost.map((&prices, &counts, shared(discount)));
///     output("costs", &costs);
///     output("sum", &add.fold(0, &costs));
///     output("three", &cost.call((prices[0], U32::from(3), discount)));
/// })?;
/// assert_eq!(circuit.functions[0].name, "cost");
/// assert!(circuit.functions[0].body.gates.ands() < 1100);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
///
/// The gates of a mapped function fill the processor's vectors. The circuit's text and its compile
/// time do not grow with the list. So use functions for larger parts that are repeated often. Small
/// parts are better written in place: a call takes time for its arguments and results, and equal
/// gates are not merged across it.
///
/// `f` has one to eight parameters and captures no secret values: pass those as arguments. It may
/// capture plain values (`move`) and other functions, and call, map and fold them. If a named
/// function, or a closure that captures nothing, is given again with the same `name`, it is the
/// same function of the circuit.
///
/// # Panics
/// If no circuit is being written on this thread.
#[track_caller]
pub fn function<P, F: Closure<P>>(name: &str, f: F) -> Callable<F::Input, F::Output> {
    // The type of a closure that captures nothing identifies what it does.
    let type_of = TypeId::of::<(F, F::Input, F::Output)>();
    let key = (size_of::<F>() == 0).then(|| (type_of, name.to_owned()));
    let make = || -> Rc<dyn Any> {
        Rc::new(Source::<F::Input, F::Output> {
            name: name.to_owned(),
            write: Box::new(move |input| f.apply(input)),
            signatures: RefCell::default(),
        })
    };
    Callable { place: registry().insert(key, make), types: PhantomData }
}

/// A function of the circuit being written: see [`function`]. `I` is the type of its parameter, or
/// the tuple of its parameters; `O` that of its result.
///
/// It belongs to one circuit, and can be used anywhere in it, also in other functions.
pub struct Callable<I, O> {
    place: Place,
    /// Not to be sent to other threads.
    types: PhantomData<(*const I, *const O)>,
}

impl<I, O> Clone for Callable<I, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, O> Copy for Callable<I, O> {}

impl<I, O> std::fmt::Debug for Callable<I, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callable").finish_non_exhaustive()
    }
}

impl<I: Secret + 'static, O: Secret + 'static> Callable<I, O> {
    /// Calls the function once. Constant bits of the arguments cost nothing: the circuit then calls
    /// a variant of the function that is made for these constants.
    ///
    /// # Panics
    /// If the function or an argument belongs to another circuit than the one being written. If an
    /// argument is from outside the function being written. If the closure panics, or uses a secret
    /// value that is not an argument.
    #[track_caller]
    pub fn call(self, arguments: I) -> O {
        let (defined, shape) = self.source().define(&arguments.shape());
        let (tag, bits) = bits_of(&arguments);
        let (tag, bits) = combine(&[tag], |b| b.call(&defined, &bits));
        unpack(&shape, tag, &bits)
    }

    /// Runs the function once for each element of a list, all independent. Returns the results in
    /// order; an empty list has none. A function of several parameters takes a tuple of lists and
    /// [`shared`](crate::shared) values, or a list of tuples.
    ///
    /// Lists in the order of an input, or of a map's results, are passed as they are. Others are
    /// listed bit by bit, which takes four bytes for each bit. Constants in lists are not folded.
    ///
    /// # Panics
    /// As for [`call`](Callable::call). If lists have different lengths, if elements of a list have
    /// different shapes, or if there is no list.
    #[track_caller]
    pub fn map(self, arguments: impl Lanes<I>) -> Vec<O> {
        let (source, mut given) = (self.source(), Arguments::new());
        let shape = arguments.pass(&mut given);
        let lanes = given.runs(&source.name);
        let Some(shape) = shape else { return Vec::new() };
        if I::width(&shape) == 0 {
            return vec![self.call(unpack(&shape, given.tag(), &[])); lanes];
        }
        let (defined, shape) = source.define(&shape);
        let list = given.list();
        let (tag, results) =
            combine(&[given.tag()], |b| b.map_defined(&defined, lanes as u64, &list));
        (0..lanes).map(|lane| unpack(&shape, tag, &results.element(lane))).collect()
    }

    /// Returns what is kept of the function.
    #[track_caller]
    fn source(self) -> Rc<Source<I, O>> {
        let Some(source) = registry().get(self.place) else {
            panic!(
                "a function was used in another circuit than its own: call `function` in the \
                 closure whose circuit uses it"
            )
        };
        source.downcast().expect("the function that the place was made for")
    }
}

impl<I: Stateful<State: 'static> + 'static> Callable<I, I::State> {
    /// Runs the function on the elements of a list, one after the other. The function's first
    /// parameter is the state, which begins as `state`. Its result is the next state. Returns the
    /// last state; for an empty list, `state`.
    ///
    /// The other parameters are given as for [`map`](Callable::map).
    ///
    /// ```
    /// use halfgate_secret::{Party, U32, function, list, output, shared, trace_structured};
    /// let circuit = trace_structured(|| {
    ///     let digits: Vec<U32> = list("digits", Party::Garbler, 9);
    ///     let step = function("step", |n: U32, base: U32, digit: U32| n * base + digit);
    ///     output("number", &step.fold(0, (shared(10), &digits)));
    /// });
    /// # circuit.unwrap();
    /// ```
    ///
    /// # Panics
    /// As for [`map`](Callable::map), and if the next state has another shape than the state.
    #[track_caller]
    pub fn fold(self, state: impl Into<I::State>, arguments: impl Lanes<I::Others>) -> I::State {
        let state = state.into();
        let Some((_, tag, folded, _)) = self.steps(&state, arguments, |shape| shape) else {
            return state;
        };
        unpack(&state.shape(), tag, &folded.state)
    }
}

impl<I: Stateful<State: 'static> + 'static, R: Secret + 'static> Callable<I, (I::State, R)> {
    /// As [`fold`](Callable::fold), for a function that returns the next state and another result.
    /// Returns the last state, and the other result of each step.
    ///
    /// ```
    /// use halfgate_secret::{Party, U32, function, list, output, trace_structured};
    /// let circuit = trace_structured(|| {
    ///     let xs: Vec<U32> = list("xs", Party::Garbler, 9);
    ///     let step = function("step", |sum: U32, x: U32| (sum + x, x.gt(sum)));
    ///     let (sum, more) = step.scan(0, &xs);
    ///     output("more_than_all_before", &more);
    /// });
    /// # circuit.unwrap();
    /// ```
    ///
    /// # Panics
    /// As for [`fold`](Callable::fold).
    #[track_caller]
    pub fn scan(
        self,
        state: impl Into<I::State>,
        arguments: impl Lanes<I::Others>,
    ) -> (I::State, Vec<R>) {
        let state = state.into();
        let Some((shape, tag, folded, steps)) = self.steps(&state, arguments, |shape| &shape.0)
        else {
            return (state, Vec::new());
        };
        let of_step = |step| unpack(&shape.1, tag, &folded.outputs.element(step));
        (unpack(&shape.0, tag, &folded.state), (0..steps).map(of_step).collect())
    }
}

impl<I: Stateful + 'static, O: Secret + 'static> Callable<I, O> {
    /// Folds the function. Returns the shape of its results, the tag and bits of what the fold
    /// drives, and the number of steps; `None` if there are no steps. `next` finds the shape of the
    /// next state in that of the result.
    #[track_caller]
    fn steps(
        self,
        state: &I::State,
        arguments: impl Lanes<I::Others>,
        next: impl Fn(&O::Shape) -> &<I::State as Secret>::Shape,
    ) -> Option<(O::Shape, Tag, Folded, usize)> {
        let (source, mut given) = (self.source(), Arguments::new());
        let others = arguments.pass(&mut given);
        let steps = given.runs(&source.name);
        let (defined, shape) = source.define(&I::shape_of(&state.shape(), &others?));
        assert!(
            *next(&shape) == state.shape(),
            "function {:?}: a fold's next state must have the shape of the state",
            source.name
        );
        let ((state_tag, state), list) = (bits_of(state), given.list());
        let (tag, folded) = combine(&[state_tag, given.tag()], |b| {
            b.fold_defined(&defined, steps as u64, &state, &list)
        });
        Some((shape, tag, folded, steps))
    }
}

/// What is kept of a function while its circuit is written.
struct Source<I: Secret, O: Secret> {
    name: String,
    write: Box<dyn Fn(I) -> O>,
    signatures: RefCell<Vec<Signature<I, O>>>,
}

/// The shape of the arguments, and the function written for them; `None` while it is written.
type Signature<I, O> = (<I as Secret>::Shape, Option<Written<O>>);

/// A function that is written, and the shape of its result.
type Written<O> = (Rc<Defined>, <O as Secret>::Shape);

impl<I: Secret, O: Secret> Source<I, O> {
    /// Returns the function for arguments of this shape, and writes it if there is none yet.
    #[track_caller]
    fn define(&self, shape: &I::Shape) -> Written<O> {
        let same = |signature: &&Signature<I, O>| signature.0 == *shape;
        let found = self.signatures.borrow().iter().find(same).map(|(_, written)| written.clone());
        match found {
            Some(Some(written)) => return written,
            Some(None) => panic!(
                "function {:?} calls itself with arguments of the same type and length, which \
                 would never end",
                self.name
            ),
            None => {}
        }
        let number = self.signatures.borrow().len();
        self.signatures.borrow_mut().push((shape.clone(), None));
        let mut result = None;
        let defined = write_function(&self.name, I::width(shape), |tag, bits| {
            let output = (self.write)(unpack(shape, tag, bits));
            result = Some(output.shape());
            bits_of(&output)
        });
        let written = (Rc::new(defined), result.expect("the closure has run"));
        self.signatures.borrow_mut()[number].1 = Some(written.clone());
        written
    }
}

fn unpack<T: Secret>(shape: &T::Shape, tag: Tag, bits: &[Bit]) -> T {
    T::unpack(shape, &mut Unpack::new(tag, bits))
}

/// A Rust function or closure of one to eight secret values. `P` is the tuple of its parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of one to eight secret values",
    label = "wanted: a closure such as `|x: U32, y: U32| x + y`",
    note = "give the types of the parameters; the result is a secret value too, as `U32::from(7)`"
)]
pub trait Closure<P>: 'static {
    /// The parameter, or a tuple of several.
    type Input: Secret + 'static;
    /// The result.
    type Output: Secret + 'static;

    /// Runs the function.
    fn apply(&self, input: Self::Input) -> Self::Output;
}

/// Parameters of a function that can be folded: a state, and one or more others.
#[diagnostic::on_unimplemented(
    message = "a function of `{Self}` cannot be folded: it needs a state and another parameter"
)]
pub trait Stateful: Secret {
    /// The first parameter.
    type State: Secret;
    /// The other parameter, or a tuple of several.
    type Others: Secret;

    /// The shape of all parameters.
    fn shape_of(
        state: &<Self::State as Secret>::Shape,
        others: &<Self::Others as Secret>::Shape,
    ) -> Self::Shape;
}

impl<F, A, O> Closure<(A,)> for F
where
    F: Fn(A) -> O + 'static,
    A: Secret + 'static,
    O: Secret + 'static,
{
    type Input = A;
    type Output = O;

    fn apply(&self, input: A) -> O {
        self(input)
    }
}

impl<S: Secret, A: Secret> Stateful for (S, A) {
    type State = S;
    type Others = A;

    fn shape_of(state: &S::Shape, other: &A::Shape) -> Self::Shape {
        (state.clone(), other.clone())
    }
}

macro_rules! closures {
    ($($T:ident $i:tt),*) => {
        impl<Func, $($T,)* Out> Closure<($($T,)*)> for Func
        where
            Func: Fn($($T),*) -> Out + 'static,
            $($T: Secret + 'static,)*
            Out: Secret + 'static,
        {
            type Input = ($($T,)*);
            type Output = Out;

            fn apply(&self, input: Self::Input) -> Out {
                self($(input.$i),*)
            }
        }
    };
}

macro_rules! stateful {
    ($($T:ident $i:tt),*) => {
        impl<State: Secret, $($T: Secret),*> Stateful for (State, $($T),*) {
            type State = State;
            type Others = ($($T,)*);

            fn shape_of(state: &State::Shape, others: &($($T::Shape,)*)) -> Self::Shape {
                (state.clone(), $(others.$i.clone()),*)
            }
        }
    };
}

closures!(A 0, B 1);
closures!(A 0, B 1, C 2);
closures!(A 0, B 1, C 2, D 3);
closures!(A 0, B 1, C 2, D 3, E 4);
closures!(A 0, B 1, C 2, D 3, E 4, F 5);
closures!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
closures!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
stateful!(A 0, B 1);
stateful!(A 0, B 1, C 2);
stateful!(A 0, B 1, C 2, D 3);
stateful!(A 0, B 1, C 2, D 3, E 4);
stateful!(A 0, B 1, C 2, D 3, E 4, F 5);
stateful!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
