//! Functions of two parties' inputs: written and compiled once, then run between the two.

use crate::connection::Connection;
use crate::error::Error;
use crate::options::Options;
use crate::outcome::{FunctionOutcome, Outcome};
use crate::ports::{Group, of_both, of_party};
use crate::written::{Written, clear_program, party_runs};
use halfgate_circuit::structured::{StructuredCircuit, depth};
use halfgate_circuit::{Bits, Circuit, Input, Party, Stats};
use halfgate_protocol::session::{self, Learn, LocalParty, PartyInputs, Report, RunOptions};
use halfgate_secret::{Native, Secret};
use std::io::Write;

/// A function of the garbler's input `A` and the evaluator's input `B`, with output `O`.
///
/// An input may be `()`. Several values are a tuple. A list is an array or, with
/// [`with_shapes`](Function::with_shapes), a `Vec`. A tuple has one port of the circuit for each
/// member; any other value has one port.
///
/// ```
/// use halfgate::{Function, U32};
/// let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob));
/// assert!(richer.clear(1_000_000, 999_999)?); // on plain values, to test it
/// let program = richer.compile()?;
/// assert_eq!(program.ands(), 32);
/// assert!(program.run(1_000_000, 999_999)?); // garbled and evaluated, in this process
/// # Ok::<(), halfgate::Error>(())
/// ```
pub struct Function<A: Secret, B: Secret, O: Secret> {
    written: Written,
    signature: Signature<A, B, O>,
}

/// The types and ports of the inputs and outputs.
struct Signature<A: Secret, B: Secret, O: Secret> {
    garbler: (A::Shape, Group),
    evaluator: (B::Shape, Group),
    output: (O::Shape, Group),
    /// Who learns each part of the output.
    learn: Vec<Learn>,
}

impl<A, B, O> Function<A, B, O>
where
    A: Secret<Shape: Default>,
    B: Secret<Shape: Default>,
    O: Secret,
{
    /// Builds the function's circuit by running `f` once on secret values.
    ///
    /// `name` is used in messages. The ports are named `garbler`, `evaluator` and `output`, with a
    /// number appended for each member of a tuple; [`named`](Function::named) changes that. An
    /// error in the circuit is reported when the circuit is used.
    ///
    /// # Panics
    /// If `f` panics.
    pub fn new(name: &str, f: impl FnOnce(A, B) -> O) -> Function<A, B, O> {
        Function::with_shapes(name, A::Shape::default(), B::Shape::default(), f)
    }
}

impl<A: Secret, B: Secret, O: Secret> Function<A, B, O> {
    /// As [`new`](Function::new), for inputs whose length is known when the function is created. A
    /// shape is the number of elements for a `Vec`, `()` for any type of fixed size, and a tuple of
    /// [`Length`](crate::Length)s and `()`s for a tuple.
    ///
    /// ```
    /// use halfgate::{Function, U32};
    /// let count = 3;
    /// let total = Function::with_shapes("total", count, (), |prices: Vec<U32>, fee: U32| {
    ///     prices.iter().sum::<U32>() + fee
    /// });
    /// assert_eq!(total.clear(vec![10, 20, 30], 5)?, 65);
    /// # Ok::<(), halfgate::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `f` panics.
    pub fn with_shapes(
        name: &str,
        garbler: impl Into<A::Shape>,
        evaluator: impl Into<B::Shape>,
        f: impl FnOnce(A, B) -> O,
    ) -> Function<A, B, O> {
        let (garbler, evaluator) = (garbler.into(), evaluator.into());
        let garbler = (garbler.clone(), Group::new::<A>("garbler", &garbler));
        let evaluator = (evaluator.clone(), Group::new::<B>("evaluator", &evaluator));
        let (written, output) = Written::write(name, || {
            let a = garbler.1.declare::<A>(Party::Garbler, &garbler.0, false);
            let b = evaluator.1.declare::<B>(Party::Evaluator, &evaluator.0, false);
            let out = f(a, b);
            let group = Group::new::<O>("output", &out.shape());
            group.give_out(&out, false);
            (out.shape(), group)
        });
        let learn = vec![Learn::Both; output.1.names.len()];
        Function { written, signature: Signature { garbler, evaluator, output, learn } }
    }

    /// Names the ports, for messages and for readers of the circuit: one name for each member of a
    /// tuple, one for any other value. An empty list keeps a group's current names.
    ///
    /// ```
    /// # use halfgate::{Function, U32};
    /// let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob))
    ///     .named(&["alice"], &["bob"], &["alice_is_richer"]);
    /// # assert_eq!(richer.circuit().unwrap().inputs[1].name, "bob");
    /// ```
    ///
    /// # Panics
    /// If there are too many or too few names, or two inputs or two outputs have the same name.
    pub fn named(mut self, garbler: &[&str], evaluator: &[&str], output: &[&str]) -> Self {
        let Signature { garbler: a, evaluator: b, output: o, .. } = &mut self.signature;
        a.1.rename(garbler, "garbler's inputs");
        b.1.rename(evaluator, "evaluator's inputs");
        o.1.rename(output, "outputs");
        self.written.rename(&[&a.1, &b.1], &[&o.1]);
        self
    }

    /// Sets who learns the output. By default both parties do.
    pub fn learn(mut self, who: Learn) -> Self {
        self.signature.learn.fill(who);
        self
    }

    /// Sets who learns each member of an output that is a tuple.
    ///
    /// ```
    /// use halfgate::{Function, Learn, U32};
    /// let both = Function::new("swap", |mine: U32, yours: U32| (yours, mine))
    ///     .learn_each(&[Learn::Garbler, Learn::Evaluator]);
    /// ```
    ///
    /// # Panics
    /// If there are too many or too few entries.
    pub fn learn_each(mut self, who: &[Learn]) -> Self {
        let learn = &mut self.signature.learn;
        assert_eq!(who.len(), learn.len(), "learn_each: give one entry for each output");
        learn.copy_from_slice(who);
        self
    }

    /// The circuit, for inspection or for other crates. If it calls functions
    /// ([`function`](crate::function())), this is the flattening, which is made once.
    ///
    /// # Errors
    /// [`Error::Build`]; [`Error::Flatten`] if the flattening is too large.
    pub fn circuit(&self) -> Result<&Circuit, Error> {
        self.written.circuit()
    }

    /// The circuit with its functions; `None` if it calls none.
    ///
    /// # Errors
    /// [`Error::Build`].
    pub fn structured(&self) -> Result<Option<&StructuredCircuit>, Error> {
        self.written.structured()
    }

    /// Writes the circuit in HGC format, for the `halfgate` command. The file keeps the names,
    /// owners and types of ports. It holds the circuit before compilation, so a run of the file has
    /// the same hash as the program of [`compile`](Function::compile).
    ///
    /// # Errors
    /// [`Error::Build`], or if writing fails.
    pub fn write_hgc(&self, to: &mut impl Write) -> Result<(), Error> {
        self.written.write_hgc(to)
    }

    /// Writes the circuit in Bristol Fashion, for other programs. The file has no names, owners or
    /// types, and calls of functions are written out. `to` should be buffered, because it is
    /// written in small pieces.
    ///
    /// # Errors
    /// [`Error::Build`], [`Error::Flatten`], or if writing fails.
    pub fn write_bristol(&self, to: &mut impl Write) -> Result<(), Error> {
        self.written.write_bristol(to)
    }

    /// Compiles the function. Each party does so by itself, and both get the same program.
    ///
    /// # Errors
    /// [`Error::Build`], or if the circuit does not fit into memory and temporary files cannot be
    /// written.
    pub fn compile(self) -> Result<Program<A, B, O>, Error> {
        Ok(Program { program: self.written.compile()?, signature: self.signature })
    }
}

impl<A: Native, B: Native, O: Native> Function<A, B, O> {
    /// Computes the function on plain values, for tests.
    ///
    /// # Errors
    /// [`Error::Build`], or [`Error::Input`] if an input does not fit its type.
    pub fn clear(&self, garbler: A::Clear, evaluator: B::Clear) -> Result<O::Clear, Error> {
        let clear = |inputs: &[Bits]| self.written.clear(inputs);
        self.signature.clear(self.written.inputs()?, &garbler, &evaluator, clear)
    }
}

/// A compiled function, ready to run with any inputs, any number of times.
pub struct Program<A: Secret, B: Secret, O: Secret> {
    program: halfgate_compiler::Program,
    signature: Signature<A, B, O>,
}

impl<A: Secret, B: Secret, O: Secret> Program<A, B, O> {
    /// The compiled program, with its circuit and hash. If the function calls functions, the gates
    /// are in the program's `structure`, and `circuit` has only the ports.
    pub fn compiled(&self) -> &halfgate_compiler::Program {
        &self.program
    }

    /// Number of ANDs; the cost of a run is proportional to it.
    pub fn ands(&self) -> u64 {
        self.program.ands_per_cycle()
    }

    /// The largest number of ANDs on one path of the circuit. Takes one pass over the circuit.
    pub fn and_depth(&self) -> u32 {
        match &self.program.structure {
            Some(structured) => {
                depth::depth(&structured.circuit).ands.try_into().unwrap_or(u32::MAX)
            }
            None => Stats::of(&self.program.circuit).and_depth,
        }
    }
}

impl<A: Native, B: Native, O: Native> Program<A, B, O> {
    /// Computes the program on plain values.
    ///
    /// # Errors
    /// [`Error::Input`] if an input does not fit its type.
    pub fn clear(&self, garbler: A::Clear, evaluator: B::Clear) -> Result<O::Clear, Error> {
        let clear = |inputs: &[Bits]| clear_program(&self.program, inputs, 1);
        self.signature.clear(&self.program.circuit.inputs, &garbler, &evaluator, clear)
    }

    /// Garbles and evaluates in this process, without network and keys. Does everything that two
    /// parties do, but keeps nothing secret from the caller, who holds both inputs. Returns what
    /// the two parties learned together.
    ///
    /// # Errors
    /// [`Error::Input`], [`Error::NotLearned`] if there is an output that neither party learns, and
    /// errors of the session.
    pub fn run(&self, garbler: A::Clear, evaluator: B::Clear) -> Result<O::Clear, Error> {
        let options = Options::default();
        let (garbled, evaluated) = self.run_reports(&garbler, &evaluator, &options)?;
        let parts = garbled.outputs.into_iter().zip(evaluated.outputs);
        let known: Vec<Option<Bits>> = parts.map(|(mine, theirs)| mine.or(theirs)).collect();
        let (_, whole) = self.signature.decode(&known);
        whole.map_err(|output| Error::NotLearned { output })
    }

    /// As [`run`](Program::run), with options. Returns each party's result, the garbler's first.
    ///
    /// # Errors
    /// As [`run`](Program::run).
    pub fn run_with(
        &self,
        garbler: A::Clear,
        evaluator: B::Clear,
        options: &Options,
    ) -> Result<(FunctionOutcome<O>, FunctionOutcome<O>), Error> {
        let (garbled, evaluated) = self.run_reports(&garbler, &evaluator, options)?;
        Ok((self.signature.outcome(garbled), self.signature.outcome(evaluated)))
    }

    fn run_reports(
        &self,
        garbler: &A::Clear,
        evaluator: &B::Clear,
        options: &Options,
    ) -> Result<(Report, Report), Error> {
        let garbler = self.garbler_inputs(garbler)?;
        let evaluator = self.evaluator_inputs(evaluator)?;
        let (engine, session) = (options.engine(2)?, self.session(options));
        Ok(session::run_local(
            &self.program,
            LocalParty::new(&engine, &garbler),
            LocalParty::new(&engine, &evaluator),
            &session,
        )?)
    }

    /// Runs as the garbler; the evaluator is at the other side of the connection.
    ///
    /// # Errors
    /// [`Error::Input`], and [`Error::Session`], which names the party at fault.
    pub fn garble(
        &self,
        connection: Connection,
        input: A::Clear,
        options: &Options,
    ) -> Result<FunctionOutcome<O>, Error> {
        Ok(self.garble_all(connection, [input], options)?.remove(0))
    }

    /// Runs as the evaluator; the garbler is at the other side of the connection.
    ///
    /// # Errors
    /// [`Error::Input`], and [`Error::Session`], which names the party at fault.
    pub fn evaluate(
        &self,
        connection: Connection,
        input: B::Clear,
        options: &Options,
    ) -> Result<FunctionOutcome<O>, Error> {
        Ok(self.evaluate_all(connection, [input], options)?.remove(0))
    }

    /// As [`garble`](Program::garble), once for each input over one connection. The evaluator must
    /// have the same number of inputs.
    ///
    /// # Errors
    /// As [`garble`](Program::garble), and if there is no input.
    pub fn garble_all(
        &self,
        connection: Connection,
        inputs: impl IntoIterator<Item = A::Clear>,
        options: &Options,
    ) -> Result<Vec<FunctionOutcome<O>>, Error> {
        let runs = inputs.into_iter().map(|input| self.garbler_inputs(&input));
        self.party(Party::Garbler, connection, runs.collect(), options)
    }

    /// As [`evaluate`](Program::evaluate), once for each input over one connection. The garbler
    /// must have the same number of inputs.
    ///
    /// # Errors
    /// As [`evaluate`](Program::evaluate), and if there is no input.
    pub fn evaluate_all(
        &self,
        connection: Connection,
        inputs: impl IntoIterator<Item = B::Clear>,
        options: &Options,
    ) -> Result<Vec<FunctionOutcome<O>>, Error> {
        let runs = inputs.into_iter().map(|input| self.evaluator_inputs(&input));
        self.party(Party::Evaluator, connection, runs.collect(), options)
    }

    pub(crate) fn session(&self, options: &Options) -> RunOptions {
        options.session(&self.signature.learners(), 1)
    }

    pub(crate) fn garbler_inputs(&self, input: &A::Clear) -> Result<PartyInputs, Error> {
        self.signature.garbler_inputs(&self.program.circuit.inputs, input)
    }

    pub(crate) fn evaluator_inputs(&self, input: &B::Clear) -> Result<PartyInputs, Error> {
        self.signature.evaluator_inputs(&self.program.circuit.inputs, input)
    }

    pub(crate) fn outcome(&self, report: Report) -> FunctionOutcome<O> {
        self.signature.outcome(report)
    }

    fn party(
        &self,
        party: Party,
        connection: Connection,
        runs: Result<Vec<PartyInputs>, Error>,
        options: &Options,
    ) -> Result<Vec<FunctionOutcome<O>>, Error> {
        let session = self.session(options);
        let reports =
            party_runs(party, connection, &self.program, &runs?, &options.engine(1)?, &session)?;
        Ok(reports.into_iter().map(|report| self.outcome(report)).collect())
    }
}

impl<A: Native, B: Native, O: Native> Signature<A, B, O> {
    fn garbler_inputs(&self, ports: &[Input], input: &A::Clear) -> Result<PartyInputs, Error> {
        let (shape, group) = &self.garbler;
        Ok(of_party(ports, Party::Garbler, group.encode::<A>(shape, input)?))
    }

    fn evaluator_inputs(&self, ports: &[Input], input: &B::Clear) -> Result<PartyInputs, Error> {
        let (shape, group) = &self.evaluator;
        Ok(of_party(ports, Party::Evaluator, group.encode::<B>(shape, input)?))
    }

    /// Who learns each output port.
    fn learners(&self) -> Vec<Learn> {
        self.output.1.of_ports(&self.learn)
    }

    fn clear(
        &self,
        ports: &[Input],
        garbler: &A::Clear,
        evaluator: &B::Clear,
        clear: impl FnOnce(&[Bits]) -> Result<Vec<Bits>, Error>,
    ) -> Result<O::Clear, Error> {
        let garbler = self.garbler_inputs(ports, garbler)?;
        let evaluator = self.evaluator_inputs(ports, evaluator)?;
        let outputs = clear(&of_both(garbler, evaluator))?;
        let outputs: Vec<Option<Bits>> = outputs.into_iter().map(Some).collect();
        let (_, whole) = self.decode(&outputs);
        Ok(whole.expect("evaluation in the clear gives every output"))
    }

    fn outcome(&self, report: Report) -> FunctionOutcome<O> {
        let (learned, whole) = self.decode(&report.outputs);
        Outcome { learned, report, whole }
    }

    /// Decodes the known parts of the output. Also returns all of it, or the name of a missing
    /// part.
    fn decode(&self, outputs: &[Option<Bits>]) -> (O::Learned, Result<O::Clear, String>) {
        let (shape, group) = &self.output;
        let parts = group.parts(&mut outputs.iter());
        (O::decode_ports(shape, &parts), group.whole::<O>(shape, &parts))
    }
}
