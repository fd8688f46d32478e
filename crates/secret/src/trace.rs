//! The circuit that this thread is writing.
//!
//! Secret values are `Copy` and have no lifetime, so that code on them reads like code on numbers.
//! Their circuit is therefore stored per thread: [`trace`] starts a circuit and runs a closure, and
//! the closure's operations on secret values become gates. Each value carries the number of its
//! circuit, and using it in another circuit panics. The body of a function counts as a circuit of
//! its own.

use crate::registry::Registry;
use halfgate_circuit::builder::{BuildError, Defined};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::structured::verify::MAX_NESTING;
use halfgate_circuit::{Bit, Builder, Circuit};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// The body being written: that of a circuit, or of one of its functions. An interrupted
    /// circuit is kept in its [`Trace`], and other interrupted bodies by [`write_function`].
    static OPEN: RefCell<Option<Open>> = const { RefCell::new(None) };
}

struct Open {
    tag: Tag,
    builder: Builder,
    /// Source location of the operation that made the newest gates.
    place: Option<&'static Location<'static>>,
    /// The functions of the circuit.
    registry: Rc<Registry>,
    /// The name of the function whose body this is; `None` for the circuit's own body.
    function: Option<String>,
    /// The tags of the bodies that are interrupted while this one is written.
    outside: Vec<Tag>,
}

impl Open {
    /// Panics unless a value with this tag may be used in the body.
    fn check(&self, tag: Tag) {
        if tag != Tag::CONSTANT && tag != self.tag {
            wrong_circuit(Some(self), &[tag]);
        }
    }

    /// Sets the source location of the gates that follow.
    fn at(&mut self, place: &'static Location<'static>) {
        if self.place.is_some_and(|last| std::ptr::eq(last, place)) {
            return;
        }
        self.place = Some(place);
        // An iterator's `sum` is called by the standard library, which does not pass on the
        // caller's location. Such gates have no known line.
        let own = file!().trim_end_matches("trace.rs");
        let (file, line) = (place.file(), place.line());
        let is_known = !file.starts_with(own) && !file.contains("/library/");
        let line = if is_known { format!("{file}:{line}") } else { String::new() };
        self.builder.at_line(&line);
    }
}

/// Identifies the body of a value: that of a circuit, or of one of its functions. Constants belong
/// to no body and can be used in all.
///
/// The phantom type keeps values on the thread of their circuit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag(u64, PhantomData<*const ()>);

impl Tag {
    pub(crate) const CONSTANT: Tag = Tag(0, PhantomData);

    fn fresh() -> Tag {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Tag(NEXT.fetch_add(1, Ordering::Relaxed), PhantomData)
    }

    /// Returns the tag of a value that is computed from values with these two tags.
    ///
    /// # Panics
    /// If the tags belong to different bodies.
    pub(crate) fn join(self, other: Tag) -> Tag {
        match (self, other) {
            (Tag::CONSTANT, tag) | (tag, Tag::CONSTANT) => tag,
            (tag, other) if tag == other => tag,
            _ => OPEN.with(|cell| match cell.try_borrow() {
                Ok(open) => wrong_circuit(open.as_ref(), &[self, other]),
                Err(_) => wrong_circuit(None, &[self, other]),
            }),
        }
    }

    /// Panics if a value with this tag comes from outside the function that is being written.
    pub(crate) fn refuse_outside(self) {
        let refuse = |open: &Open| {
            if open.outside.contains(&self) {
                wrong_circuit(Some(open), &[self]);
            }
        };
        OPEN.with(|cell| cell.try_borrow().ok().and_then(|open| open.as_ref().map(refuse)));
    }
}

/// Panics because a value with one of these tags was used in the body `open`.
#[cold]
fn wrong_circuit(open: Option<&Open>, tags: &[Tag]) -> ! {
    if let Some(Open { function: Some(name), outside, .. }) = open
        && tags.iter().any(|tag| outside.contains(tag))
    {
        panic!(
            "function {name:?} uses a secret value from outside its closure: pass it as an \
             argument; in a map or a fold, as a `shared` one"
        )
    }
    panic!(
        "a secret value was used in another circuit than its own: a value lives only in the \
         closure that it was made in"
    )
}

/// A circuit that is being written, perhaps in several steps.
///
/// Most callers want [`trace`].
pub struct Trace {
    /// The circuit; `None` only while it is the current circuit of the thread.
    waiting: Option<Open>,
    _on_this_thread: PhantomData<*const ()>,
}

impl Trace {
    /// Creates an empty circuit.
    pub fn new() -> Trace {
        let open = Open {
            tag: Tag::fresh(),
            builder: Builder::new(),
            place: None,
            registry: Rc::new(Registry::new()),
            function: None,
            outside: Vec::new(),
        };
        Trace { waiting: Some(open), _on_this_thread: PhantomData }
    }

    /// Runs `write` with this circuit as the current one of the thread. The previous circuit is set
    /// aside until `write` returns.
    ///
    /// # Panics
    /// If `write` panics.
    pub fn enter<R>(&mut self, write: impl FnOnce() -> R) -> R {
        /// Restores the two circuits, also after a panic.
        struct Leave<'a> {
            trace: &'a mut Trace,
            interrupted: Option<Open>,
        }
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.trace.waiting = OPEN.with(|open| open.replace(self.interrupted.take()));
            }
        }
        let interrupted = OPEN.with(|open| open.replace(self.waiting.take()));
        let _leave = Leave { trace: self, interrupted };
        write()
    }

    /// Whether the circuit calls functions, so that only
    /// [`finish_structured`](Trace::finish_structured) returns it.
    ///
    /// # Panics
    /// As for [`finish`](Trace::finish).
    pub fn calls_functions(&self) -> bool {
        self.waiting.as_ref().expect(WAITS).builder.has_calls()
    }

    /// Returns the finished circuit.
    ///
    /// # Errors
    /// If the circuit is too long or cannot be stored, a port has no name or the name of another
    /// port, or a state has no next value. If the circuit calls functions.
    ///
    /// # Panics
    /// If the closure of a function of this circuit panicked.
    pub fn finish(mut self) -> Result<Circuit, BuildError> {
        self.waiting.take().expect(WAITS).builder.finish()
    }

    /// Returns the finished circuit, with its functions.
    ///
    /// # Errors
    /// As for [`finish`](Trace::finish), but the circuit may call functions.
    ///
    /// # Panics
    /// As for [`finish`](Trace::finish).
    pub fn finish_structured(mut self) -> Result<StructuredCircuit, BuildError> {
        self.waiting.take().expect(WAITS).builder.finish_structured()
    }
}

/// Why a [`Trace`] has its circuit.
const WAITS: &str =
    "a circuit that is not entered waits here, unless a function's closure panicked";

impl Default for Trace {
    fn default() -> Trace {
        Trace::new()
    }
}

/// Writes a circuit: runs `write` once. Its operations on secret values become the gates.
///
/// Inputs come from [`input`](crate::input) and similar functions, which must be called before the
/// first gate is made. Outputs go to [`output`](crate::output).
///
/// ```
/// use halfgate_secret::{Party, U32, input, list, output, trace};
/// let count = 5; // known when the circuit is written
/// let circuit = trace(|| {
///     let mine: Vec<U32> = list("mine", Party::Garbler, count);
///     let limit: U32 = input("limit", Party::Evaluator);
///     let sum: U32 = mine.iter().sum();
///     output("exceeded", &sum.gt(limit));
/// })?;
/// assert_eq!(circuit.gates.ands(), 4 * 31 + 32);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
///
/// # Errors
/// If the circuit is too long or cannot be stored, a port has no name or the name of another port,
/// or a state has no next value. If the circuit calls functions: see [`trace_structured`].
///
/// # Panics
/// If `write` panics.
pub fn trace(write: impl FnOnce()) -> Result<Circuit, BuildError> {
    let mut trace = Trace::new();
    trace.enter(write);
    trace.finish()
}

/// Like [`trace`], for a circuit that calls functions: see [`function`](crate::function()).
///
/// # Errors
/// As for [`trace`], but the circuit may call functions.
///
/// # Panics
/// If `write` panics.
pub fn trace_structured(write: impl FnOnce()) -> Result<StructuredCircuit, BuildError> {
    let mut trace = Trace::new();
    trace.enter(write);
    trace.finish_structured()
}

/// Defines a function of `inputs` bits in the circuit of this thread. `write` runs with the
/// function's body as the current one. It gets the body's tag and the inputs, and returns the
/// outputs and their tag.
///
/// # Panics
/// If `write` panics: the circuit is lost then. If no circuit is being written on this thread, or
/// the outputs belong to another body.
pub(crate) fn write_function(
    name: &str,
    inputs: usize,
    write: impl FnOnce(Tag, &[Bit]) -> (Tag, Vec<Bit>),
) -> Defined {
    /// Removes the unfinished body after a panic.
    struct Lost;
    impl Drop for Lost {
        fn drop(&mut self) {
            OPEN.with(|open| open.take());
        }
    }
    with_open(|_| ()); // panics if there is none
    let mut outer = OPEN.with(RefCell::take).expect("checked above");
    let depth = outer.outside.len();
    if depth >= MAX_NESTING as usize {
        OPEN.with(|cell| cell.replace(Some(outer)));
        panic!(
            "function {name:?}: calls are nested more than {MAX_NESTING} deep: write some functions \
             in place"
        )
    }
    let defined = outer.builder.function(name, inputs, |inner, bits| {
        let tag = Tag::fresh();
        let open = Open {
            tag,
            builder: std::mem::take(inner),
            place: None,
            registry: Rc::clone(&outer.registry),
            function: Some(name.to_owned()),
            outside: [&outer.outside[..], &[outer.tag]].concat(),
        };
        OPEN.with(|cell| cell.replace(Some(open)));
        let _lost = Lost;
        let (tag, outputs) = write(tag, bits);
        let open = OPEN.with(RefCell::take).expect("the body is the current one");
        open.check(tag);
        *inner = open.builder;
        outputs
    });
    OPEN.with(|cell| cell.replace(Some(outer)));
    defined
}

/// The functions of the circuit being written.
///
/// # Panics
/// If there is none on this thread.
pub(crate) fn registry() -> Rc<Registry> {
    with_open(|open| Rc::clone(&open.registry))
}

/// Lends the builder of this thread's circuit to gadgets without a typed form. They take bits from
/// [`Secret::to_bits`](crate::Secret::to_bits) and return bits for
/// [`Secret::from_bits`](crate::Secret::from_bits).
///
/// # Panics
/// If no circuit is being written on this thread, or `f` itself uses operators of secret values,
/// which need the builder too.
#[track_caller]
pub fn with_builder<R>(f: impl FnOnce(&mut Builder) -> R) -> R {
    let place = Location::caller();
    with_open(|open| {
        open.at(place);
        f(&mut open.builder)
    })
}

/// Lends the builder to combine values with these tags, and returns the tag of the result. The
/// gates get the source line in the nearest caller that is not marked `track_caller`.
#[track_caller]
pub(crate) fn combine<R>(tags: &[Tag], f: impl FnOnce(&mut Builder) -> R) -> (Tag, R) {
    let place = Location::caller();
    with_open(|open| {
        open.at(place);
        tags.iter().for_each(|&tag| open.check(tag));
        (open.tag, f(&mut open.builder))
    })
}

fn with_open<R>(f: impl FnOnce(&mut Open) -> R) -> R {
    OPEN.with(|cell| {
        let Ok(mut open) = cell.try_borrow_mut() else {
            panic!("with_builder: inside the closure, use the builder and no secret values")
        };
        let Some(open) = open.as_mut() else {
            panic!(
                "no circuit is being written on this thread: compute on secret values inside the \
                 closure that is given to Function::new, Machine or trace"
            )
        };
        f(open)
    })
}

/// Collects the bits of values in a fixed order.
pub struct Pack {
    tag: Tag,
    bits: Vec<Bit>,
}

impl Pack {
    pub(crate) fn new() -> Pack {
        Pack { tag: Tag::CONSTANT, bits: Vec::new() }
    }

    pub(crate) fn push(&mut self, tag: Tag, bits: &[Bit]) {
        self.tag = self.tag.join(tag);
        self.bits.extend_from_slice(bits);
    }

    pub(crate) fn into_parts(self) -> (Tag, Vec<Bit>) {
        (self.tag, self.bits)
    }
}

/// Builds values from bits, in the order of [`Pack`].
pub struct Unpack<'a> {
    tag: Tag,
    bits: &'a [Bit],
}

impl<'a> Unpack<'a> {
    pub(crate) fn new(tag: Tag, bits: &'a [Bit]) -> Unpack<'a> {
        Unpack { tag, bits }
    }

    pub(crate) fn take<const N: usize>(&mut self) -> (Tag, [Bit; N]) {
        let Some((bits, rest)) = self.bits.split_first_chunk() else {
            panic!("{} bits are left where a value takes {N}", self.bits.len())
        };
        self.bits = rest;
        (self.tag, *bits)
    }
}
