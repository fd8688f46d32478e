//! The server: accepting peers, running their sessions, and shutting down.

use crate::config::{Config, ConfigError, Peer};
use crate::heap;
use crate::host::{Host, State};
use crate::http;
use crate::limits::{Place, Refusal, Usage};
use crate::metrics::{ByOutcome, ByProgram, ByReason, Metrics};
use crate::session::{self, Ended, Shared};
use crate::setup::Setup;
use crate::unknown_peers::Seen;
use halfgate_protocol::net::{Listener, NetError};
use halfgate_protocol::rendezvous::{PeerAcceptor, UnknownPeer};
use halfgate_protocol::tls::TlsStream;
use std::net::{SocketAddr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often the server checks its flags.
const STEP: Duration = Duration::from_millis(50);

/// Maximum number of known peers that wait for a place or are being sent a refusal. Connections of
/// further peers are closed.
const MAX_WAITING: usize = 32;

/// How long a peer waits for a place. A session continues for a moment after its peer has the
/// result, and the peer's next session should not be refused for that.
const PATIENCE: Duration = Duration::from_secs(1);

/// Flags that control a running server.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Accept no new sessions, let those in progress end, and return.
    pub stop: Arc<AtomicBool>,
    /// Read the configuration again.
    pub reload: Arc<AtomicBool>,
}

/// Why the server cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The configuration, or a file that it names, is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server cannot listen on the address.
    #[error(transparent)]
    Net(#[from] NetError),
}

/// What a server has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Sessions that have ended.
    pub sessions: u64,
    /// Sessions that were cancelled because they did not end within the grace period.
    pub cancelled: usize,
}

/// Serves the configuration at `path` until [`Control::stop`] is set. Then running sessions have up
/// to `grace` to end. The log consists of events of the `tracing` crate.
///
/// # Errors
/// If the configuration is invalid or the server cannot listen: nothing is served.
pub fn serve(
    host: &dyn Host,
    path: &Path,
    control: &Control,
    grace: Duration,
) -> Result<Summary, ServeError> {
    let setup = Arc::new(Setup::load(Config::read(path)?, host)?);
    let health = match &setup.config.metrics {
        None => None,
        Some(metrics) => Some(
            http::bind(&metrics.address, metrics.beyond_loopback)
                .map_err(|what| setup.config.error(metrics.line, what))?,
        ),
    };
    let cancel = Arc::new(AtomicBool::new(false));
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let server = Server {
        path,
        control,
        shared: Shared { host, taking: Default::default(), cancel: Arc::clone(&cancel) },
        metrics: Metrics::new(),
        usage: Usage::default(),
        waiting: AtomicUsize::new(0),
        begun: AtomicU64::new(0),
        draining: AtomicBool::new(false),
        over: AtomicBool::new(false),
        since,
    };
    std::thread::scope(|scope| server.run(scope, setup, health.as_ref(), grace))
}

struct Server<'s> {
    path: &'s Path,
    control: &'s Control,
    shared: Shared<'s>,
    metrics: Metrics,
    usage: Usage,
    /// Peers that wait for a place, or are being sent a refusal.
    waiting: AtomicUsize,
    /// The number of sessions that have begun.
    begun: AtomicU64,
    draining: AtomicBool,
    over: AtomicBool,
    /// When the server began, in seconds since 1970; part of the sessions' ids.
    since: u64,
}

/// A known peer that has connected.
struct Visitor {
    setup: Arc<Setup>,
    peer: Peer,
    stream: TlsStream,
    address: SocketAddr,
}

/// Sets a flag when dropped.
struct AtEnd<'f>(&'f AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A waiting peer; dropping it decrements the count.
struct Waits<'w>(&'w AtomicUsize);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server<'_> {
    fn run<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        setup: Arc<Setup>,
        health: Option<&'scope TcpListener>,
        grace: Duration,
    ) -> Result<Summary, ServeError> {
        let _over = AtEnd(&self.over);
        let listener = Listener::bind(&setup.config.listen)?;
        if let Some(health) = health {
            let serve_http = || http::serve(health, &self.metrics, &self.draining, &self.over);
            let spawned = Builder::new().name("health".to_owned()).spawn_scoped(scope, serve_http);
            spawned.map_err(|error| setup.config.error(0, format!("metrics: {error}")))?;
        }
        let address = listener.address().ok();
        tracing::info!(
            address = address.map(tracing::field::display),
            metrics = health.and_then(|h| h.local_addr().ok()).map(tracing::field::display),
            identity = %setup.identity.public().fingerprint(),
            peers = setup.peers.len(),
            programs = setup.programs.len(),
            "serving"
        );
        self.shared.host.notify(State::Ready(address.map_or(0, |address| address.port())));
        self.let_in(scope, &listener, setup)?;
        // No more connections are accepted: the system refuses new ones.
        drop(listener);
        self.draining.store(true, Ordering::Relaxed);
        self.shared.host.notify(State::Stopping);
        let running = self.usage.running();
        tracing::info!(running, grace = grace.as_secs(), "stopping");
        let begin = Instant::now();
        while self.usage.running() > 0 && begin.elapsed() < grace {
            std::thread::sleep(STEP.min(grace));
        }
        let cancelled = self.usage.running();
        if cancelled > 0 {
            tracing::warn!(cancelled, "sessions that did not end in time are cancelled");
            self.shared.cancel.store(true, Ordering::Relaxed);
            while self.usage.running() > 0 {
                std::thread::sleep(STEP);
            }
        }
        let sessions = self.begun.load(Ordering::Relaxed);
        tracing::info!(sessions, cancelled, "stopped");
        Ok(Summary { sessions, cancelled })
    }

    /// Accepts peers until the server must stop.
    fn let_in<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        listener: &Listener,
        mut setup: Arc<Setup>,
    ) -> Result<(), ServeError> {
        let mut seen = Seen::new(Instant::now());
        let mut note = |unknown_peer: &UnknownPeer| {
            let reason = if unknown_peer.foreign_key { "key" } else { "no_peer" };
            self.metrics.unknown_peers.get_or_create(&ByReason { reason }).inc();
            seen.note(unknown_peer, Instant::now());
        };
        let (keys, crowd) = (setup.keys(), setup.config.unknown_peers);
        let mut acceptor = PeerAcceptor::new(listener, &setup.identity, keys, crowd, &mut note)?;
        let mut reading: Option<Receiver<Option<Arc<Setup>>>> = None;
        // The number of begun sessions when unused memory was last returned to the system.
        let mut tidied = 0;
        while !self.control.stop.load(Ordering::Relaxed) {
            match reading.as_ref().map(Receiver::try_recv) {
                Some(Err(TryRecvError::Empty)) => {}
                Some(Ok(Some(new))) => {
                    acceptor.know(&new.identity, new.keys())?;
                    (setup, reading) = (new, None);
                    self.metrics.reloads.get_or_create(&ByReason { reason: "done" }).inc();
                }
                Some(_) => reading = None,
                // Compiling programs may take long, so peers are accepted meanwhile.
                None if self.control.reload.swap(false, Ordering::Relaxed) => {
                    let (done, result) = channel();
                    let old = Arc::clone(&setup);
                    let read = move || {
                        let new = catch_unwind(AssertUnwindSafe(|| self.reload(&old)));
                        drop(done.send(new.unwrap_or(None)));
                    };
                    let spawned = Builder::new().name("reload".to_owned());
                    reading = spawned.spawn_scoped(scope, read).ok().map(|_| result);
                }
                None => {}
            }
            let Some((stream, address)) = acceptor.next(STEP) else {
                let begun = self.begun.load(Ordering::Relaxed);
                if begun != tidied && self.usage.running() == 0 {
                    heap::give_back();
                    tidied = begun;
                }
                continue;
            };
            // The key may have been known when the handshake began, but not any more.
            let Some(peer) = setup.peer(&stream.peer().fingerprint()).cloned() else { continue };
            self.begin(scope, Visitor { setup: Arc::clone(&setup), peer, stream, address });
        }
        Ok(())
    }

    /// Starts a session, or has the refusal sent to the peer.
    fn begin<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, visitor: Visitor) {
        let spawned = match self.place(&visitor) {
            Ok(place) => {
                let session = move || self.session(visitor, place);
                Builder::new().name("session".to_owned()).spawn_scoped(scope, session)
            }
            Err(refusal) => {
                if self.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
                    self.waiting.fetch_sub(1, Ordering::Relaxed);
                    self.note_refusal(&visitor, &refusal);
                    return;
                }
                let waits = move || self.wait(visitor, refusal);
                Builder::new().name("waiting".to_owned()).spawn_scoped(scope, waits)
            }
        };
        if let Err(error) = spawned {
            tracing::error!(%error, "no thread for a session");
        }
    }

    fn place(&self, visitor: &Visitor) -> Result<Place<'_>, Refusal> {
        let (peer, most) = (&visitor.peer, visitor.setup.config.sessions);
        self.usage.enter(&peer.name, &peer.limits, most, Instant::now())
    }

    /// Waits a moment for a place, then sends the refusal.
    fn wait(&self, visitor: Visitor, mut refusal: Refusal) {
        let waiting = Waits(&self.waiting);
        let begin = Instant::now();
        while refusal.reason != "rate" && begin.elapsed() < PATIENCE {
            std::thread::sleep(STEP / 5);
            if self.control.stop.load(Ordering::Relaxed) {
                refusal = Refusal { reason: "stopping", text: "the server is stopping".to_owned() };
                break;
            }
            match self.place(&visitor) {
                Ok(place) => {
                    drop(waiting);
                    return self.session(visitor, place);
                }
                Err(new) => refusal = new,
            }
        }
        self.note_refusal(&visitor, &refusal);
        session::refuse(visitor.stream, &refusal);
    }

    fn note_refusal(&self, visitor: &Visitor, refusal: &Refusal) {
        let Refusal { reason, text } = refusal;
        let (peer, address) = (&visitor.peer.name, visitor.address);
        self.metrics.refused.get_or_create(&ByReason { reason }).inc();
        tracing::warn!(%peer, %address, reason = text.as_str(), "a peer was refused");
    }

    /// Runs a session, from its first message to its log entry. A panic ends only this session.
    fn session(&self, visitor: Visitor, place: Place<'_>) {
        let Visitor { setup, peer, stream, address } = visitor;
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let id = &format!("{}-{number}", self.since)[..];
        self.metrics.in_progress.inc();
        let begin = Instant::now();
        let serve = || session::serve(&self.shared, &setup, &peer, stream, id);
        let ended = catch_unwind(AssertUnwindSafe(serve)).unwrap_or_else(|_| {
            self.metrics.panics.inc();
            Ended { outcome: "panic", ..Ended::default() }
        });
        let took = begin.elapsed();
        self.count(&ended, took);
        let Ended { program, role, outcome, refused, reason, ands, sent, received } = &ended;
        let (reason, role) = (reason.as_deref(), role.map(tracing::field::display));
        let (peer, program, seconds) = (peer.name.as_str(), program.as_str(), took.as_secs_f64());
        macro_rules! log {
            ($level:ident) => {
                tracing::$level!(
                    session = id, peer, %address, program, role, outcome, refused, reason, ands,
                    sent, received, seconds, "a session ended"
                )
            };
        }
        match *outcome {
            "ok" => log!(info),
            "panic" | "local" | "inputs" => log!(error),
            _ => log!(warn),
        }
        // Release the place only when the session is counted and logged.
        drop(place);
    }

    fn count(&self, ended: &Ended, took: Duration) {
        let metrics = &self.metrics;
        metrics.in_progress.dec();
        let (program, outcome) = (ended.program.clone(), ended.outcome);
        metrics.sessions.get_or_create(&ByOutcome { program: program.clone(), outcome }).inc();
        let by = ByProgram { program };
        metrics.ands.get_or_create(&by).inc_by(ended.ands);
        metrics.sent.get_or_create(&by).inc_by(ended.sent);
        metrics.received.get_or_create(&by).inc_by(ended.received);
        metrics.seconds.get_or_create(&by).observe(took.as_secs_f64());
        if let Some(reason) = ended.refused {
            metrics.refused.get_or_create(&ByReason { reason }).inc();
        }
    }

    /// Loads the configuration again. Returns `None` if it is invalid.
    fn reload(&self, now: &Setup) -> Option<Arc<Setup>> {
        self.shared.host.notify(State::Reloading);
        let new = Config::read(self.path).and_then(|new| Setup::load(new, self.shared.host));
        if new.is_err() {
            self.metrics.reloads.get_or_create(&ByReason { reason: "refused" }).inc();
        }
        self.shared.host.notify(State::Ready(0));
        match new {
            Ok(new) => {
                let (old, config) = (&now.config, &new.config);
                let stays =
                    (&old.listen, &old.metrics.as_ref().map(|m| &m.address), old.unknown_peers);
                if stays
                    != (
                        &config.listen,
                        &config.metrics.as_ref().map(|m| &m.address),
                        config.unknown_peers,
                    )
                {
                    tracing::warn!("listen, metrics and strangers change with the next start only");
                }
                let (peers, programs) = (new.peers.len(), new.programs.len());
                tracing::info!(peers, programs, "the configuration was read again");
                Some(Arc::new(new))
            }
            Err(error) => {
                tracing::error!(reason = %error, "the old configuration stays");
                None
            }
        }
    }
}
