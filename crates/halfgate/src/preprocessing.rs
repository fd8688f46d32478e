//! Preprocessing for malicious sessions: most of the work, done before the inputs are known.

use crate::connection::Connection;
use crate::error::Error;
use crate::function::Program;
use crate::options::Options;
use crate::outcome::FunctionOutcome;
use halfgate_circuit::Party;
use halfgate_protocol::session::PartyInputs;
use halfgate_protocol::session::authenticated::ahead::{
    PreprocessedFile, PreprocessingReport, Protection, Side, Target, preprocess, run_preprocessed,
};
use halfgate_secret::Native;
use std::path::Path;

/// A party's file of preprocessing.
///
/// The file is as secret as the inputs, and good for one run with the peer that it was made with.
/// Never copy it.
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing<'a> {
    /// The file.
    pub file: &'a Path,
    /// This user's list of used files, by which copies are refused. It is created if it does not
    /// exist. Use one list for all files, and keep it while there may be copies.
    pub ledger: &'a Path,
    /// What the file is encrypted under.
    pub protection: Protection<'a>,
}

impl<A: Native, B: Native, O: Native> Program<A, B, O> {
    /// Does all work of a run that needs no input, as `party`, together with the peer, who calls
    /// this as well. Writes the result to a new file.
    /// [`garble_preprocessed`](Program::garble_preprocessed) and
    /// [`evaluate_preprocessed`](Program::evaluate_preprocessed) do the rest.
    ///
    /// ```
    /// use halfgate::{Function, Listener, Connection, Options, Party, Preprocessing, Protection};
    /// use halfgate::{SecurityLevel, U32};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = |name: &str| folder.path().join(name);
    /// # let (alices, alices_ledger) = (path("alice"), path("alice.used"));
    /// # let (bobs, bobs_ledger) = (path("bob"), path("bob.used"));
    /// let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob)).compile()?;
    /// let options = Options { security: SecurityLevel::Malicious, ..Options::default() };
    /// let protection = Protection::None; // or a key, or a passphrase
    /// let alice = Preprocessing { file: &alices, ledger: &alices_ledger, protection };
    /// let bob = Preprocessing { file: &bobs, ledger: &bobs_ledger, protection };
    ///
    /// // Two threads stand for two computers, and need no encryption.
    /// let listener = Listener::bind("127.0.0.1:0")?;
    /// let address = listener.address();
    /// let dial = || Connection::connect_insecure(&address);
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| -> Result<(), halfgate::Error> {
    ///         richer.preprocess(Party::Evaluator, dial()?, &bob, &options)?;
    ///         // Later, when Bob's input is known:
    ///         let outcome = richer.evaluate_preprocessed(dial()?, 999_999, &bob, &options)?;
    ///         assert!(outcome.value()?);
    ///         Ok(())
    ///     });
    ///     let accept = || listener.accept_insecure(&options);
    ///     let report = richer.preprocess(Party::Garbler, accept()?, &alice, &options)?;
    ///     let outcome = richer.garble_preprocessed(accept()?, 1_000_000, &alice, &options)?;
    ///     assert!(outcome.report.bytes_sent < report.bytes_sent);
    ///     assert!(outcome.value()?);
    ///     Ok::<(), halfgate::Error>(())
    /// })?;
    /// # assert!(richer.garble_preprocessed(dial()?, 1, &alice, &options).is_err());
    /// # Ok::<(), halfgate::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Session`], also if there is a file already, or `options.security` is not
    /// [`Malicious`](crate::SecurityLevel::Malicious). Then no file is made.
    pub fn preprocess(
        &self,
        party: Party,
        connection: Connection,
        preprocessing: &Preprocessing<'_>,
        options: &Options,
    ) -> Result<PreprocessingReport, Error> {
        let Connection { mut channel, identities } = connection;
        let (engine, session) = (options.engine(1)?, self.session(options));
        let program = self.compiled();
        let side = Side { party, identities, program, engine: &engine, options: &session };
        let Preprocessing { file, protection, .. } = *preprocessing;
        let target = Target { path: file, protection };
        Ok(preprocess(&mut *channel, side, None, target, &mut |_| {})?)
    }

    /// As [`garble`](Program::garble), from a file. The file is used up before the first message
    /// that comes from it, even if the run fails later.
    ///
    /// # Errors
    /// As [`garble`](Program::garble), and if the file cannot be used.
    pub fn garble_preprocessed(
        &self,
        connection: Connection,
        input: A::Clear,
        preprocessing: &Preprocessing<'_>,
        options: &Options,
    ) -> Result<FunctionOutcome<O>, Error> {
        let inputs = self.garbler_inputs(&input)?;
        self.run_preprocessed(Party::Garbler, connection, &inputs, preprocessing, options)
    }

    /// As [`evaluate`](Program::evaluate), from a file. The file is used up before the first
    /// message that comes from it, even if the run fails later.
    ///
    /// # Errors
    /// As [`evaluate`](Program::evaluate), and if the file cannot be used.
    pub fn evaluate_preprocessed(
        &self,
        connection: Connection,
        input: B::Clear,
        preprocessing: &Preprocessing<'_>,
        options: &Options,
    ) -> Result<FunctionOutcome<O>, Error> {
        let inputs = self.evaluator_inputs(&input)?;
        self.run_preprocessed(Party::Evaluator, connection, &inputs, preprocessing, options)
    }

    fn run_preprocessed(
        &self,
        party: Party,
        connection: Connection,
        inputs: &PartyInputs,
        preprocessing: &Preprocessing<'_>,
        options: &Options,
    ) -> Result<FunctionOutcome<O>, Error> {
        let Connection { mut channel, identities } = connection;
        let (engine, session) = (options.engine(1)?, self.session(options));
        let program = self.compiled();
        let side = Side { party, identities, program, engine: &engine, options: &session };
        let Preprocessing { file, ledger, protection } = preprocessing;
        let file = PreprocessedFile::open((file, ledger), protection, party, program, &session)?;
        let report = run_preprocessed(&mut *channel, side, None, file, inputs, &mut |_| {})?;
        Ok(self.outcome(report))
    }
}
