//! Preprocessing for malicious sessions: all work that needs no input, done by both parties
//! together before their inputs are known.
//!
//! [`preprocess`] runs a session up to the tables, and each party writes its part to a file.
//! [`run_preprocessed`] is the rest of the session, from two files that one preprocessing made.
//! Each file names its role, the program, the settings, both identities, and a *generation*: 32
//! random bytes that both parties drew together.
//!
//! **A file is used once.** Two runs of one preprocessing would reveal both labels of a wire, and
//! the masks of inputs. So both parties compare generations first. Then each party lists the
//! generation in a ledger of its computer, marks the file used, erases the file's key, and waits
//! until all of this is on the disk. Only then it sends the first message that comes from the file.
//! A run that is cut after this point has used the file. The ledger refuses a file that was
//! restored from a copy. The peer refuses it as well, since its own file is used. Nothing can
//! detect two copies on two computers if the peer cheats.
//!
//! **The file is as secret as the inputs.** It has mode 0600, and can be
//! [encrypted](Protection). Its content is always sealed, and all of it is checked before the first
//! message.
//!
//! Memory is that of a window.

mod error;
mod format;
mod ledger;
mod read;
mod seal;
mod write;

pub use error::PreprocessedError;
pub use format::Identities;
pub use read::{PreprocessedFile, order_of};
pub use seal::{MIN_KEY_BYTES, Protection};

use super::correlate::Correlator;
use super::cost::Phase;
use super::extent::{Extent, agree};
use super::job::{Job, Own, Secrets};
use super::link::Link;
use super::making::Making;
use super::meter::Meter;
use super::online::Online;
use super::run::end;
use crate::channel::{Channel, Timing};
use crate::handshake::{Agreement, Hello, LabelMode};
use crate::session::inputs::{InputOrder, Values};
use crate::session::labels::random;
use crate::session::prepare::prepare;
use crate::session::reports::{Ended, Reports, kept};
use crate::session::{
    Event, Inputs, PartyInputs, Proposal, Report, RunOptions, SecurityLevel, SessionError,
    check_engine, check_session, meanwhile, report_to_peer, shake,
};
use format::Description;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Counters, Engine, wipe};
use std::path::Path;
use std::time::{Duration, Instant};
use write::{Writer, check_free};

/// What a party runs.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// The party's role.
    pub party: Party,
    /// Both parties of the connection.
    pub identities: Identities,
    /// The program.
    pub program: &'s Program,
    /// The engine: only the CPU engine can run malicious sessions.
    pub engine: &'s dyn Engine,
    /// Options. The security level must be malicious.
    pub options: &'s RunOptions,
}

/// Where a preprocessing goes.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The file. It must not exist, and appears when it is complete.
    pub path: &'t Path,
    /// What it is encrypted under.
    pub protection: Protection<'t>,
}

impl Target<'_> {
    /// Checks that the file does not exist, and that the secret is long enough. [`preprocess`] does
    /// so too, when the peer waits already.
    ///
    /// # Errors
    /// [`PreprocessedError::Exists`] or [`SessionError::Usage`].
    pub fn check(&self) -> Result<(), SessionError> {
        self.protection.check()?;
        Ok(check_free(self.path)?)
    }
}

/// The result of a preprocessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreprocessingReport {
    /// What both parties' files have in common, and no other file has.
    pub generation: [u8; 32],
    /// Counters of the gates and cycles of the run.
    pub counters: Counters,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Bytes sent, frame headers included.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Total time, from the handshake to the file.
    pub total: Duration,
}

/// Does all work of one run that needs no input, together with the peer, and writes it to a file.
/// `proposal` is the garbler's, if the evaluator has received it already.
///
/// # Errors
/// See [`SessionError`]. The peer is notified, unless it is gone. There is no file then.
pub fn preprocess(
    channel: &mut dyn Channel,
    side: Side<'_>,
    proposal: Option<Proposal>,
    target: Target<'_>,
    events: &mut dyn FnMut(Event),
) -> Result<PreprocessingReport, SessionError> {
    let result = wipe::stack_after(|| {
        let result = preprocess_inner(channel, side, proposal, target, events);
        report_to_peer(channel, result).map_err(SessionError::fresh)
    });
    result.map_err(|error| *error)
}

/// Runs a program from a preprocessing file.
///
/// # Errors
/// See [`SessionError`]. The peer is notified, unless it is gone. The file is unused if the error
/// came before both parties had agreed on its generation.
pub fn run_preprocessed(
    channel: &mut dyn Channel,
    side: Side<'_>,
    proposal: Option<Proposal>,
    file: PreprocessedFile<'_>,
    inputs: &PartyInputs,
    events: &mut dyn FnMut(Event),
) -> Result<Report, SessionError> {
    let mut reports = None;
    let result = wipe::stack_after(|| {
        let result = run_inner(channel, side, proposal, (file, inputs), events, &mut reports);
        let done = reports.map(|reports: Reports| reports.done).unwrap_or_default();
        kept(channel, result, done, 1).map_err(SessionError::fresh)
    });
    let mut done = result.map_err(|error| *error)?;
    done.pop().ok_or_else(|| SessionError::Usage("a session needs inputs".to_owned()))
}

fn preprocess_inner(
    channel: &mut dyn Channel,
    side: Side<'_>,
    proposal: Option<Proposal>,
    target: Target<'_>,
    events: &mut dyn FnMut(Event),
) -> Result<PreprocessingReport, SessionError> {
    let begin = Instant::now();
    target.check()?;
    let Side { party, program, options, .. } = side;
    let (agreement, order) = side.shake(channel, proposal, None, events)?;
    let peer = party.other();
    let mut link = Link { channel, peer };
    agree(&mut link, Extent::Preprocessing)?;
    link.channel.set_deadline(options.deadlines.run());
    let prepared = prepare(link.channel, peer, side.engine, program)?;
    events(Event::Prepared { after: begin.elapsed() });
    let engine = prepared.authenticated().ok_or_else(|| side.unable())?;
    events(Event::SetupStarted);
    link.channel.set_deadline(options.deadlines.transfers());
    let mut correlator = Correlator::set_up(&mut link, party, &agreement)?;
    events(Event::Setup { after: begin.elapsed() });
    link.channel.set_deadline(options.deadlines.run());

    let mut generation = [0; 32];
    for half in generation.as_chunks_mut::<16>().0 {
        *half = correlator.number().to_le_bytes();
    }
    let job = Job { party, program, engine, order: &order, learn: &agreement.learn, options };
    let secrets = Secrets::new(&mut correlator)?;
    let description = side.describe(&agreement, generation);
    let mut writer = Writer::create(target.path, description, &target.protection, &secrets)?;
    let counters = std::thread::scope(|scope| {
        let mut making = Making::start(scope, job, &secrets)?;
        let outputs = job.outputs();
        loop {
            events(Event::PhaseStarted { phase: Phase::Correlations });
            let mut ready = making.masks(&mut link, &mut correlator, &outputs, events)?;
            events(Event::PhaseStarted { phase: Phase::FunctionDependent });
            making.tables(&mut link, &mut ready)?;
            writer.window(&ready)?;
            events(making.progress());
            if let Some(counters) = ready.ended {
                return Ok::<_, SessionError>(counters);
            }
        }
    })?;
    // A sync of much data may take longer than the peer's idle timeout.
    let complete = meanwhile(link.channel, peer, "writing the file", || writer.finish())??;
    // Neither file gets its name before both are on the disk.
    link.end("ending the preprocessing")?;
    let bytes = complete.bytes;
    complete.persist()?;
    tracing::info!(path = ?target.path, bytes, ands = counters.ands, "preprocessed into a file");
    // The file is complete, even if the connection ends in another way than it should.
    if let Err(error) = link.channel.close() {
        tracing::warn!(%error, "the peer did not confirm the end of the preprocessing");
    }
    Ok(PreprocessingReport {
        generation,
        counters,
        bytes,
        bytes_sent: link.channel.bytes_sent(),
        bytes_received: link.channel.bytes_received(),
        total: begin.elapsed(),
    })
}

fn run_inner(
    channel: &mut dyn Channel,
    side: Side<'_>,
    proposal: Option<Proposal>,
    (mut file, inputs): (PreprocessedFile<'_>, &PartyInputs),
    events: &mut dyn FnMut(Event),
    reports: &mut Option<Reports>,
) -> Result<(), SessionError> {
    let begin = Instant::now();
    let Side { party, program, engine, options, .. } = side;
    let runs = Inputs::Given(std::slice::from_ref(inputs));
    let (agreement, order) = side.shake(channel, proposal, Some(&runs), events)?;
    let generation = file.description.generation;
    file.check_session(&side.describe(&agreement, generation))?;
    let peer = party.other();
    let mut link = Link { channel, peer };
    agree(&mut link, Extent::Online { generation })?;
    let start = Instant::now();
    link.channel.set_deadline(options.deadlines.run());
    let prepared = prepare(link.channel, peer, engine, program)?;
    let engine = prepared.authenticated().ok_or_else(|| side.unable())?;
    let reports = reports.insert(Reports::new(begin, side.engine.name(), &agreement));
    reports.prepared(start, events);
    reports.set_up(events);
    let start = Instant::now();
    events(Event::RunStarted { run: 0 });
    let job = Job { party, program, engine, order: &order, learn: &agreement.learn, options };
    let values = Values::new(party, 0, (&order, inputs), options.feed.as_ref());
    let mut own = Own { values, events };
    // From here on the file must never be used again.
    meanwhile(link.channel, peer, "marking the file used", || file.mark_used())??;
    let (ended, counters) = online(job, &mut link, &mut file, &mut own)?;
    let total = start.elapsed();
    // A report outlives the session, and its unused bytes could hold secrets from the stack.
    wipe::stack();
    reports.add(link.channel, &agreement, ended, counters, total)?;
    link.channel.close().map_err(|error| SessionError::channel(peer, "ending the session", error))
}

/// Runs all windows of a file.
fn online(
    job: Job<'_>,
    link: &mut Link<'_>,
    file: &mut PreprocessedFile<'_>,
    own: &mut Own<'_, '_>,
) -> Result<(Ended, Counters), SessionError> {
    let secrets = file.secrets()?;
    let total_ands = job.program.ands_per_cycle().saturating_mul(job.options.cycles);
    std::thread::scope(|scope| {
        let mut online = Online::start(scope, job, &secrets)?;
        let mut outputs = job.outputs();
        let mut ands = 0;
        let mut meter = Meter::start(link);
        loop {
            own.begins(Phase::Online);
            let ready = file.window(job.order)?;
            let masked = ready.masked(&mut own.values)?;
            online.begin(link, &masked)?;
            ands += ready.ands() as u64;
            let ended = ready.ended;
            online.window(link, (ready, masked), own, &mut outputs)?;
            meter.ended(Phase::Online, link);
            (own.events)(Event::Progress { cycles: 0, ands, total_ands });
            if let Some(counters) = ended {
                return end(link, (outputs, meter), counters);
            }
        }
    })
}

impl Side<'_> {
    /// Checks the session and does the handshake. `inputs` are checked too, if there are any yet.
    fn shake(
        &self,
        channel: &mut dyn Channel,
        proposal: Option<Proposal>,
        inputs: Option<&Inputs<'_>>,
        events: &mut dyn FnMut(Event),
    ) -> Result<(Agreement, InputOrder), SessionError> {
        let Side { party, program, engine, options, .. } = *self;
        if options.security != SecurityLevel::Malicious {
            let what = "preprocessing by both parties is for malicious sessions";
            return Err(SessionError::Usage(what.to_owned()));
        }
        check_session(program, 1, options)?;
        check_engine(engine, program, options)?;
        let mut order = InputOrder::of(program, options.cycles)?;
        if let Some(inputs) = inputs {
            inputs.check((&order, &program.circuit), party, options)?;
        }
        channel.set_timing(Timing::new(options.timeout, options.cancel.clone()));
        let mut hello = Hello::new(party, program, 1, options, *random()?)?;
        hello.ot_field = options.ot_field_over(channel);
        hello.labels = (party == Party::Garbler).then_some(LabelMode::Masked);
        hello.parts = engine.runs_functions();
        hello.engine = engine.name();
        let requested = proposal.map(Proposal::into_requested);
        let agreement = shake(channel, program, &hello, requested, options)?;
        events(Event::Connected { peer_engine: agreement.peer_engine.clone() });
        order.join_unless(agreement.parts);
        Ok((agreement, order))
    }

    fn describe(&self, agreement: &Agreement, generation: [u8; 32]) -> Description {
        let what = (&agreement.learn[..], agreement.parts);
        let Side { party, program, options, identities, .. } = *self;
        Description::new(party, program, options, what, identities, generation)
    }

    fn unable(&self) -> SessionError {
        SessionError::Unauthenticated { engine: self.engine.name() }
    }
}
