//! One session with a known peer.

use crate::config::Peer;
use crate::host::{Host, Loaded};
use crate::inputs::{self, InputsError, Taking};
use crate::limits::Refusal;
use crate::metered::Metered;
use crate::secret_file;
use crate::setup::Setup;
use halfgate_circuit::Party;
use halfgate_engine::Engine;
use halfgate_protocol::channel::{Channel, ChannelError, Timing};
use halfgate_protocol::frame::Kind;
use halfgate_protocol::handshake::{Hello, HelloError, VERSION};
use halfgate_protocol::session::{
    self, Deadlines, ErrorClass, Event, Report, RunOptions, SessionError,
};
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::TlsStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use zeroize::Zeroizing;

/// State shared by all sessions of a server.
pub(crate) struct Shared<'s> {
    pub host: &'s dyn Host,
    pub taking: Taking,
    /// Ends all sessions.
    pub cancel: Arc<AtomicBool>,
}

/// How a session ended.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// The program's name; empty if the session did not get that far.
    pub program: String,
    pub role: Option<Party>,
    /// One word, for metrics.
    pub outcome: &'static str,
    /// The limit or rule that ended it, if one did.
    pub refused: Option<&'static str>,
    /// The error, if there was one; it contains no values.
    pub reason: Option<String>,
    pub ands: u64,
    pub sent: u64,
    pub received: u64,
}

/// Why there is no result.
struct Failed {
    outcome: &'static str,
    reason: String,
}

impl Failed {
    fn new(outcome: &'static str, reason: impl ToString) -> Failed {
        Failed { outcome, reason: reason.to_string() }
    }
}

/// Serves `peer`, connected by `stream`, in the session `id`.
pub(crate) fn serve(
    shared: &Shared<'_>,
    setup: &Setup,
    peer: &Peer,
    stream: TlsStream,
    id: &str,
) -> Ended {
    let mut channel = Metered::new(StreamChannel::new(stream), peer.limits.deadline);
    if let Some(most) = peer.limits.bytes {
        let text = format!("at most {most} bytes in a session for {}", peer.name);
        channel.limit_bytes(most, Refusal { reason: "bytes", text });
    }
    let mut ended = Ended::default();
    let result = run(shared, setup, peer, &mut channel, id, &mut ended);
    (ended.outcome, ended.reason) = match result {
        Ok(None) => ("ok", None),
        Ok(Some(unconfirmed)) => ("unconfirmed", Some(unconfirmed)),
        Err(failed) => (failed.outcome, Some(failed.reason)),
    };
    if let Some(refusal) = channel.passed() {
        (ended.outcome, ended.refused) = ("refused", Some(refusal.reason));
        ended.reason = Some(refusal.text.clone());
    }
    (ended.sent, ended.received) = (channel.bytes_sent(), channel.bytes_received());
    ended
}

/// Sends a peer the reason why it has no place.
pub(crate) fn refuse(stream: TlsStream, refusal: &Refusal) {
    StreamChannel::new(stream).abort(&refusal.text);
}

/// Runs the session. Returns why the peer did not confirm the end, if it did not.
fn run(
    shared: &Shared<'_>,
    setup: &Setup,
    peer: &Peer,
    channel: &mut Metered<StreamChannel<TlsStream>>,
    id: &str,
    ended: &mut Ended,
) -> Result<Option<String>, Failed> {
    let (timeout, cancel) = (setup.config.timeout, &shared.cancel);
    channel.set_timing(Timing::new(timeout, Arc::clone(cancel)));
    channel.set_deadline(None);
    let hello = receive_hello(channel)?;
    let program = match choose(setup, peer, &hello) {
        Ok(program) => Arc::clone(program),
        Err(refusal) => {
            channel.abort(&refusal.text);
            ended.refused = Some(refusal.reason);
            return Err(Failed::new("refused", refusal.text));
        }
    };
    let name = &program.config.name;
    ended.program.clone_from(name);
    ended.role = Some(program.config.role);
    let role = program.config.role;
    tracing::info!(session = id, peer = %peer.name, program = %name, %role, "a session begins");
    if let Some(most) = peer.limits.ands {
        let text = format!("at most {most} ANDs in a session for {}", peer.name);
        channel.limit_ands(most, Refusal { reason: "ands", text });
    }
    let engine = shared.host.engine().map_err(|error| Failed::new("local", error))?;
    let report = compute(shared, peer, &program, &*engine, (channel, timeout), (id, ended))?;
    ended.ands = report.counters.ands;
    let unconfirmed = report.unconfirmed.as_ref().map(|unconfirmed| unconfirmed.reason.clone());
    if let Some(folder) = &program.config.results {
        let result = shared.host.result(&program, report);
        let result = Zeroizing::new(result.map_err(|error| Failed::new("local", error))?);
        let file = folder.join(format!("{name}-{}-{id}.json", peer.name));
        secret_file::write(&file, |file| file.write_all(result.as_bytes())).map_err(|error| {
            let what = format!("the result cannot be written to {}: {error}", folder.display());
            Failed::new("local", what)
        })?;
    }
    Ok(unconfirmed)
}

/// Receives the peer's hello, which has its role and the program that it requests.
fn receive_hello<C: Channel>(channel: &mut Metered<C>) -> Result<Hello, Failed> {
    let (kind, payload) = channel.peek().map_err(|error| {
        let outcome = match &error {
            ChannelError::Timeout { .. } | ChannelError::Deadline { .. } => "timeout",
            ChannelError::Cancelled => "cancelled",
            ChannelError::Damaged { .. } | ChannelError::Early => "protocol",
            _ => "peer",
        };
        Failed::new(outcome, format!("the peer {error} (while waiting for its first message)"))
    })?;
    let hello = match kind {
        Kind::Hello => Hello::parse(payload),
        _ => Err(HelloError::Magic),
    };
    hello.map_err(|error| {
        let (outcome, reason) = match error {
            HelloError::Version(version) => {
                let what = format!(
                    "the server uses version {VERSION} of the protocol, and its peer {version}: \
                     update the older one"
                );
                ("mismatch", what)
            }
            error => ("protocol", format!("the peer broke the protocol: {error}")),
        };
        channel.abort(&reason);
        Failed::new(outcome, reason)
    })
}

/// Selects the program that `hello` requests.
fn choose<'s>(setup: &'s Setup, peer: &Peer, hello: &Hello) -> Result<&'s Arc<Loaded>, Refusal> {
    let who = &peer.name;
    let refusal = |reason, text| Err(Refusal { reason, text });
    let (ours, wanted) = (hello.role.other(), hello.program_name.as_str());
    let all: Vec<_> = setup.offered(peer).collect();
    let may = || match all.is_empty() {
        true => format!("{who} may run none"),
        false => {
            let names: Vec<_> = all.iter().map(|program| program.config.name.as_str()).collect();
            format!("{who} may run {}", names.join(", "))
        }
    };
    let in_role = |program: &&&'s Arc<Loaded>| program.config.role == ours;
    let leaves_order = hello.role == Party::Evaluator && hello.order.is_empty();
    let chosen: Vec<&Arc<Loaded>> = if !wanted.is_empty() {
        let named = all.iter().find(|program| program.config.name == wanted);
        let Some(named) = named else {
            return refusal("program", format!("no program is called {wanted:?} here; {}", may()));
        };
        if !in_role(&named) {
            let text =
                format!("this server is the {} of {wanted}: connect as its {}", hello.role, ours);
            return refusal("role", text);
        }
        vec![*named]
    } else if leaves_order {
        all.iter().filter(in_role).copied().collect()
    } else {
        let same = |program: &&&Arc<Loaded>| program.program.hash.0 == hello.program;
        all.iter().filter(in_role).filter(same).copied().collect()
    };
    match chosen[..] {
        [one] if hello.runs > 1 => {
            let text =
                format!("a session of {} here has one run: give --input once", one.config.name);
            refusal("runs", text)
        }
        [one] => one.check_ands(peer).map(|()| one),
        [] if leaves_order => {
            let text = format!("no program is offered to a peer that evaluates; {}", may());
            refusal("program", text)
        }
        [] => {
            let hash: String = hello.program[..8].iter().map(|b| format!("{b:02x}")).collect();
            let text = format!(
                "no program with the hash {hash}… in the order {:?} for a peer that is the {}; {}; \
                 with --program-name NAME the error names the difference",
                hello.order,
                hello.role,
                may()
            );
            refusal("program", text)
        }
        [..] => {
            let names: Vec<_> = chosen.iter().map(|one| one.config.name.as_str()).collect();
            let names = names.join(", ");
            refusal("program", format!("choose a program with --program-name: {names}"))
        }
    }
}

/// The session itself, from the handshake to the report.
fn compute<C: Channel>(
    shared: &Shared<'_>,
    peer: &Peer,
    program: &Loaded,
    engine: &dyn Engine,
    (channel, timeout): (&mut Metered<C>, Duration),
    (id, ended): (&str, &mut Ended),
) -> Result<Report, Failed> {
    // Refuse a session that would find no inputs before it costs more.
    if !inputs::are_left(program.config.inputs.as_ref()) {
        let text = used_up(program);
        channel.abort(&text);
        return Err(Failed::new("inputs", text));
    }
    let limit = peer.limits.deadline;
    let options = RunOptions {
        suite: program.suite,
        cycles: program.cycles,
        learn: program.learn.clone(),
        security: program.security,
        ot: program.config.ot,
        timeout,
        deadlines: Deadlines { setup: limit.min(Deadlines::default().setup), run: Some(limit) },
        cancel: Arc::clone(&shared.cancel),
        program_name: program.config.name.clone(),
        ..RunOptions::default()
    };
    let mut own = None;
    let mut fetch = || {
        let session = inputs::Session { peer: &peer.name, id, cancel: &shared.cancel };
        inputs::fetch(shared.host, program, &session, &shared.taking).map_err(|error| {
            let reported = match &error {
                _ if shared.cancel.load(Ordering::Relaxed) => "the server is stopping".to_owned(),
                InputsError::UsedUp(_) => used_up(program),
                InputsError::Failed(_) | InputsError::Values(_) => {
                    format!("the server has no values for {} now", program.config.name)
                }
            };
            own = Some(error.to_string());
            reported
        })
    };
    let mut ands = 0;
    let mut events = |event| {
        if let Event::Progress { ands: done, .. } = event {
            ands = done;
        }
    };
    let (run, fetch) = (&program.program, &mut fetch);
    let reports = match program.config.role {
        Party::Garbler => session::garble_late(channel, run, engine, fetch, &options, &mut events),
        Party::Evaluator => {
            session::evaluate_late(channel, run, engine, fetch, &options, &mut events)
        }
    };
    ended.ands = ands;
    match reports {
        Ok(mut reports) => {
            reports.pop().ok_or_else(|| Failed::new("local", "the session has no report"))
        }
        Err(error) => {
            let outcome = match outcome(&error) {
                "inputs" if shared.cancel.load(Ordering::Relaxed) => "cancelled",
                other => other,
            };
            Err(Failed::new(outcome, own.unwrap_or_else(|| error.to_string())))
        }
    }
}

fn used_up(program: &Loaded) -> String {
    format!("the server has no inputs left for {}; try again later", program.config.name)
}

fn outcome(error: &SessionError) -> &'static str {
    if matches!(error, SessionError::Unavailable(_)) {
        return "inputs";
    }
    match error.class() {
        ErrorClass::Mismatch => "mismatch",
        ErrorClass::Connection | ErrorClass::Aborted => "peer",
        ErrorClass::Timeout => "timeout",
        ErrorClass::Protocol => "protocol",
        ErrorClass::Cancelled => "cancelled",
        ErrorClass::Usage | ErrorClass::Internal | ErrorClass::File => "local",
    }
}
