//! Computations in cycles: a step that is written and compiled once, and then repeated.

use crate::connection::Connection;
use crate::error::Error;
use crate::options::Options;
use crate::outcome::{MachineOutcome, Outcome};
use crate::ports::{Group, of_both, of_party};
use crate::written::{Written, clear_program, party_runs};
use halfgate_circuit::{Bits, Circuit, Party};
use halfgate_protocol::session::{self, Learn, LocalParty, PartyInputs, Report};
use halfgate_secret::{Native, Secret, State};
use std::io::Write;

/// A step that is repeated over cycles: a small circuit that becomes a long computation.
///
/// `A` and `B` are the inputs that the garbler and the evaluator give once, before the first cycle.
/// `P` and `Q` are their inputs in each cycle. `O` is the output of each cycle and `F` the output
/// at the end. Any of them may be `()`. The number of cycles is chosen at each run, and costs no
/// memory except for the inputs and outputs.
///
/// ```
/// use halfgate::{Machine, U32};
/// // The garbler has prices, the evaluator a budget and quantities.
/// let shopping = Machine::new(
///     "shopping",
///     |(): (), budget: U32| budget,                // the state before the first cycle
///     |left: U32, price: U32, quantity: U32| {     // a cycle: from state and inputs …
///         let left = left - price * quantity;
///         (left, left.le(100))                     // … the next state, and an output
///     },
///     |left: U32| left,                            // the output after the last cycle
/// );
/// let program = shopping.compile()?;
/// let (low, left) = program.run(3, ((), vec![10, 20, 30]), (250, vec![1, 7, 2]))?;
/// assert_eq!((low, left), (vec![false, true, true], 40));
/// # Ok::<(), halfgate::Error>(())
/// ```
pub struct Machine<A: Secret, B: Secret, P: Secret, Q: Secret, O: Secret, F: Secret> {
    written: Written,
    signature: Signature<A, B, P, Q, O, F>,
}

/// Names for the ports of a [`Machine`]. Each group takes one name, or one for each member of a
/// tuple; an empty list keeps the current names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The garbler's inputs before the first cycle; `garbler` by default.
    pub garbler: &'a [&'a str],
    /// The evaluator's inputs before the first cycle; `evaluator` by default.
    pub evaluator: &'a [&'a str],
    /// The garbler's inputs in each cycle; `garbler_each` by default.
    pub garbler_each: &'a [&'a str],
    /// The evaluator's inputs in each cycle; `evaluator_each` by default.
    pub evaluator_each: &'a [&'a str],
    /// The outputs of each cycle; `each` by default.
    pub each: &'a [&'a str],
    /// The outputs at the end; `output` by default.
    pub output: &'a [&'a str],
}

/// A typed value's shape and its ports.
type Typed<T> = (<T as Secret>::Shape, Group);

struct Signature<A: Secret, B: Secret, P: Secret, Q: Secret, O: Secret, F: Secret> {
    garbler: Typed<A>,
    evaluator: Typed<B>,
    garbler_each: Typed<P>,
    evaluator_each: Typed<Q>,
    each: Typed<O>,
    output: Typed<F>,
    /// Who learns the outputs of each cycle, and those at the end.
    learn: (Learn, Learn),
}

impl<A, B, P, Q, O, F> Machine<A, B, P, Q, O, F>
where
    A: Secret<Shape: Default>,
    B: Secret<Shape: Default>,
    P: Secret<Shape: Default>,
    Q: Secret<Shape: Default>,
    O: Secret,
    F: Secret,
{
    /// Builds the circuit of one cycle by running each closure once. `start` returns the state
    /// before the first cycle. `step` turns a state and the inputs of a cycle into the next state
    /// and the outputs of that cycle. `end` turns the last state into the output at the end.
    ///
    /// `start` may pass on constants, and inputs inverted or in another order or width. It may not
    /// compute with them, because all gates belong to the cycles. Inputs that a step needs later
    /// must be part of the state; a part of the state that never changes costs nothing.
    ///
    /// `name` is used in messages. An error in the circuit is reported when the circuit is used.
    ///
    /// # Panics
    /// If a closure panics, if `start` creates gates, or if `step` returns a state with another
    /// number of bits.
    pub fn new<S: Secret>(
        name: &str,
        start: impl FnOnce(A, B) -> S,
        step: impl FnOnce(S, P, Q) -> (S, O),
        end: impl FnOnce(S) -> F,
    ) -> Machine<A, B, P, Q, O, F> {
        let garbler = typed::<A>("garbler");
        let evaluator = typed::<B>("evaluator");
        let garbler_each = typed::<P>("garbler_each");
        let evaluator_each = typed::<Q>("evaluator_each");
        let (written, (each, output)) = Written::write(name, || {
            let a = garbler.1.declare::<A>(Party::Garbler, &garbler.0, false);
            let b = evaluator.1.declare::<B>(Party::Evaluator, &evaluator.0, false);
            let p = garbler_each.1.declare::<P>(Party::Garbler, &garbler_each.0, true);
            let q = evaluator_each.1.declare::<Q>(Party::Evaluator, &evaluator_each.0, true);
            let start = start(a, b);
            let computes = halfgate_secret::with_builder(|b| b.gates() > 0 || b.has_calls());
            assert!(
                !computes,
                "machine {name:?}: the start may pass inputs and constants on, but not compute; \
                 compute in the step"
            );
            let state = State::new(&start);
            let (next, out) = step(state.value(), p, q);
            state.set_next(&next);
            let each = Group::new::<O>("each", &out.shape());
            each.give_out(&out, true);
            let last = end(next);
            let output = Group::new::<F>("output", &last.shape());
            output.give_out(&last, false);
            ((out.shape(), each), (last.shape(), output))
        });
        let learn = (Learn::Both, Learn::Both);
        let signature =
            Signature { garbler, evaluator, garbler_each, evaluator_each, each, output, learn };
        Machine { written, signature }
    }
}

fn typed<T: Secret<Shape: Default>>(name: &str) -> Typed<T> {
    let shape = T::Shape::default();
    let group = Group::new::<T>(name, &shape);
    (shape, group)
}

impl<A: Secret, B: Secret, P: Secret, Q: Secret, O: Secret, F: Secret> Machine<A, B, P, Q, O, F> {
    /// Names the ports, for messages and for readers of the circuit.
    ///
    /// # Panics
    /// If there are too many or too few names, or two inputs or two outputs have the same name.
    pub fn named(mut self, names: &Names<'_>) -> Self {
        let s = &mut self.signature;
        s.garbler.1.rename(names.garbler, "garbler's inputs");
        s.evaluator.1.rename(names.evaluator, "evaluator's inputs");
        s.garbler_each.1.rename(names.garbler_each, "garbler's inputs of each cycle");
        s.evaluator_each.1.rename(names.evaluator_each, "evaluator's inputs of each cycle");
        s.each.1.rename(names.each, "outputs of each cycle");
        s.output.1.rename(names.output, "outputs at the end");
        let inputs = [&s.garbler.1, &s.evaluator.1, &s.garbler_each.1, &s.evaluator_each.1];
        self.written.rename(&inputs, &[&s.each.1, &s.output.1]);
        self
    }

    /// Sets who learns the outputs of each cycle, and who those at the end. By default both parties
    /// learn all outputs.
    pub fn learn(mut self, each: Learn, at_the_end: Learn) -> Self {
        self.signature.learn = (each, at_the_end);
        self
    }

    /// The circuit of a cycle, for inspection or for other crates. If the machine calls functions,
    /// this is the flattening.
    ///
    /// # Errors
    /// [`Error::Build`], [`Error::Flatten`].
    pub fn circuit(&self) -> Result<&Circuit, Error> {
        self.written.circuit()
    }

    /// Writes the circuit of a cycle in HGC format, for the `halfgate` command: the file keeps the
    /// names, owners and types of ports, and the state.
    ///
    /// # Errors
    /// [`Error::Build`], or if writing fails.
    pub fn write_hgc(&self, to: &mut impl Write) -> Result<(), Error> {
        self.written.write_hgc(to)
    }

    /// Compiles a cycle. Each party does so by itself, and both get the same program. Calls of
    /// functions are written out, since the cycles of a machine with state repeat a flat circuit.
    ///
    /// # Errors
    /// [`Error::Build`], or if the circuit does not fit into memory and temporary files cannot be
    /// written.
    pub fn compile(self) -> Result<MachineProgram<A, B, P, Q, O, F>, Error> {
        Ok(MachineProgram { program: self.written.compile()?, signature: self.signature })
    }
}

/// A compiled machine, ready to run with any inputs for any number of cycles, any number of times.
///
/// A party's inputs are a pair: the inputs before the first cycle, and a list with a value for each
/// cycle. If the party has no inputs in each cycle (`()`), the list may be empty.
pub struct MachineProgram<A: Secret, B: Secret, P: Secret, Q: Secret, O: Secret, F: Secret> {
    program: halfgate_compiler::Program,
    signature: Signature<A, B, P, Q, O, F>,
}

/// The outputs of each cycle, and those at the end.
type Outputs<O, F> = (Vec<<O as Native>::Clear>, <F as Native>::Clear);
/// The outputs as a party learned them.
type Learned<O, F> = (Vec<<O as Native>::Learned>, <F as Native>::Learned);

impl<A: Native, B: Native, P: Native, Q: Native, O: Native, F: Native>
    MachineProgram<A, B, P, Q, O, F>
{
    /// The compiled program, with its circuit and hash.
    pub fn compiled(&self) -> &halfgate_compiler::Program {
        &self.program
    }

    /// Number of ANDs in a cycle; the cost of a run is proportional to it.
    pub fn ands_per_cycle(&self) -> u64 {
        self.program.ands_per_cycle()
    }

    /// Computes `cycles` cycles on plain values: returns the outputs of each cycle, and those at
    /// the end.
    ///
    /// # Errors
    /// If an input does not fit its type, or the number of values is not the number of cycles.
    pub fn clear(
        &self,
        cycles: u64,
        garbler: (A::Clear, Vec<P::Clear>),
        evaluator: (B::Clear, Vec<Q::Clear>),
    ) -> Result<Outputs<O, F>, Error> {
        let garbler = self.garbler_inputs(cycles, &garbler)?;
        let evaluator = self.evaluator_inputs(cycles, &evaluator)?;
        let inputs = of_both(garbler, evaluator);
        let outputs = clear_program(&self.program, &inputs, cycles)?;
        let outputs: Vec<Option<Bits>> = outputs.into_iter().map(Some).collect();
        let (_, whole) = self.signature.decode(&outputs, cycles);
        Ok(whole.expect("evaluation in the clear gives every output"))
    }

    /// Garbles and evaluates `cycles` cycles in this process, without network and keys. Returns
    /// what the two parties learned together: the outputs of each cycle, and those at the end.
    ///
    /// # Errors
    /// If an input does not fit its type, or the number of values is not the number of cycles;
    /// [`Error::NotLearned`] if there is an output that neither party learns; and errors of the
    /// session.
    pub fn run(
        &self,
        cycles: u64,
        garbler: (A::Clear, Vec<P::Clear>),
        evaluator: (B::Clear, Vec<Q::Clear>),
    ) -> Result<Outputs<O, F>, Error> {
        let (garbled, evaluated) =
            self.run_reports(cycles, &garbler, &evaluator, &Options::default())?;
        let parts = garbled.outputs.into_iter().zip(evaluated.outputs);
        let known: Vec<Option<Bits>> = parts.map(|(mine, theirs)| mine.or(theirs)).collect();
        let (_, whole) = self.signature.decode(&known, cycles);
        whole.map_err(|output| Error::NotLearned { output })
    }

    /// As [`run`](MachineProgram::run), with options. Returns each party's result, the garbler's
    /// first.
    ///
    /// # Errors
    /// As [`run`](MachineProgram::run).
    #[allow(clippy::type_complexity, reason = "two aliases in a tuple")]
    pub fn run_with(
        &self,
        cycles: u64,
        garbler: (A::Clear, Vec<P::Clear>),
        evaluator: (B::Clear, Vec<Q::Clear>),
        options: &Options,
    ) -> Result<(MachineOutcome<O, F>, MachineOutcome<O, F>), Error> {
        let (garbled, evaluated) = self.run_reports(cycles, &garbler, &evaluator, options)?;
        Ok((self.signature.outcome(garbled, cycles), self.signature.outcome(evaluated, cycles)))
    }

    fn run_reports(
        &self,
        cycles: u64,
        garbler: &(A::Clear, Vec<P::Clear>),
        evaluator: &(B::Clear, Vec<Q::Clear>),
        options: &Options,
    ) -> Result<(Report, Report), Error> {
        let garbler = self.garbler_inputs(cycles, garbler)?;
        let evaluator = self.evaluator_inputs(cycles, evaluator)?;
        let engine = options.engine(2)?;
        let session = options.session(&self.signature.learners(), cycles);
        Ok(session::run_local(
            &self.program,
            LocalParty::new(&engine, &garbler),
            LocalParty::new(&engine, &evaluator),
            &session,
        )?)
    }

    /// Runs `cycles` cycles as the garbler; the evaluator is at the other side of the connection.
    ///
    /// # Errors
    /// If an input does not fit its type, or the number of values is not the number of cycles;
    /// [`Error::Session`], which names the party at fault.
    pub fn garble(
        &self,
        connection: Connection,
        cycles: u64,
        inputs: (A::Clear, Vec<P::Clear>),
        options: &Options,
    ) -> Result<MachineOutcome<O, F>, Error> {
        let inputs = self.garbler_inputs(cycles, &inputs)?;
        self.party(Party::Garbler, connection, cycles, inputs, options)
    }

    /// Runs `cycles` cycles as the evaluator; the garbler is at the other side of the connection.
    ///
    /// # Errors
    /// If an input does not fit its type, or the number of values is not the number of cycles;
    /// [`Error::Session`], which names the party at fault.
    pub fn evaluate(
        &self,
        connection: Connection,
        cycles: u64,
        inputs: (B::Clear, Vec<Q::Clear>),
        options: &Options,
    ) -> Result<MachineOutcome<O, F>, Error> {
        let inputs = self.evaluator_inputs(cycles, &inputs)?;
        self.party(Party::Evaluator, connection, cycles, inputs, options)
    }

    fn party(
        &self,
        party: Party,
        connection: Connection,
        cycles: u64,
        inputs: PartyInputs,
        options: &Options,
    ) -> Result<MachineOutcome<O, F>, Error> {
        let session = options.session(&self.signature.learners(), cycles);
        let engine = options.engine(1)?;
        let mut reports =
            party_runs(party, connection, &self.program, &[inputs], &engine, &session)?;
        Ok(self.signature.outcome(reports.remove(0), cycles))
    }

    fn garbler_inputs(
        &self,
        cycles: u64,
        (once, each): &(A::Clear, Vec<P::Clear>),
    ) -> Result<PartyInputs, Error> {
        let Signature { garbler: a, garbler_each: p, .. } = &self.signature;
        let mut ports = a.1.encode::<A>(&a.0, once)?;
        ports.extend(p.1.encode_cycles::<P>(&p.0, each, cycles)?);
        Ok(of_party(&self.program.circuit.inputs, Party::Garbler, ports))
    }

    fn evaluator_inputs(
        &self,
        cycles: u64,
        (once, each): &(B::Clear, Vec<Q::Clear>),
    ) -> Result<PartyInputs, Error> {
        let Signature { evaluator: b, evaluator_each: q, .. } = &self.signature;
        let mut ports = b.1.encode::<B>(&b.0, once)?;
        ports.extend(q.1.encode_cycles::<Q>(&q.0, each, cycles)?);
        Ok(of_party(&self.program.circuit.inputs, Party::Evaluator, ports))
    }
}

impl<A: Native, B: Native, P: Native, Q: Native, O: Native, F: Native> Signature<A, B, P, Q, O, F> {
    /// Who learns each output port.
    fn learners(&self) -> Vec<Learn> {
        let each = self.each.1.port_names().len();
        let last = self.output.1.port_names().len();
        [vec![self.learn.0; each], vec![self.learn.1; last]].concat()
    }

    fn outcome(&self, report: Report, cycles: u64) -> MachineOutcome<O, F> {
        let (learned, whole) = self.decode(&report.outputs, cycles);
        Outcome { learned, report, whole }
    }

    /// Decodes the known outputs. Also returns all of them, or the name of one that is missing.
    #[allow(clippy::type_complexity, reason = "two aliases in a tuple")]
    fn decode(
        &self,
        outputs: &[Option<Bits>],
        cycles: u64,
    ) -> (Learned<O, F>, Result<Outputs<O, F>, String>) {
        let mut outputs = outputs.iter();
        let (each, last) = (&self.each, &self.output);
        let all_cycles = each.1.parts(&mut outputs);
        let parts = last.1.parts(&mut outputs);
        let mut learned = Vec::new();
        let mut whole = Ok(Vec::new());
        // Outputs without bits get no entry for each cycle.
        let cycles = if each.1.port_names().is_empty() { 0 } else { cycles as usize };
        for cycle in 0..cycles {
            let parts = each.1.of_cycle(&all_cycles, cycle);
            learned.push(O::decode_ports(&each.0, &parts));
            whole = whole.and_then(|mut values: Vec<O::Clear>| {
                values.push(each.1.whole::<O>(&each.0, &parts)?);
                Ok(values)
            });
        }
        let learned = (learned, F::decode_ports(&last.0, &parts));
        let whole = whole.and_then(|each| Ok((each, last.1.whole::<F>(&last.0, &parts)?)));
        (learned, whole)
    }
}
