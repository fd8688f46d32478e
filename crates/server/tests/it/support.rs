//! A server with two known peers and an unknown one.

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::{Order, Program, Skips, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_protocol::keys::{self, Identity};
use halfgate_protocol::session::{self, Learn, PartyInputs, Report, RunOptions, SessionError};
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer, TlsError, TlsStream};
use halfgate_protocol::{net, session::Proposal};
use halfgate_server::host::{Host, Loaded, State, Values};
use halfgate_server::{Control, ServeError, Summary, config, serve};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer than any wait in these tests.
pub const LONG: Duration = Duration::from_secs(60);

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A host with built-in programs, and values as numbers separated by spaces.
#[derive(Default)]
pub struct Plain {
    port: OnceLock<u16>,
}

impl Host for Plain {
    fn load(&self, config: &config::Program) -> Result<Loaded, String> {
        let circuit = halfgate_programs::build(&config.circuit).map_err(|e| e.to_string())?;
        let cycles = config.cycles.unwrap_or(circuit.cycles);
        let who = match config.learn.first().map(String::as_str) {
            None | Some("both") => Learn::Both,
            Some("garbler") => Learn::Garbler,
            Some("evaluator") => Learn::Evaluator,
            Some(other) => return Err(format!("learn = {other:?}")),
        };
        let learn = vec![who; circuit.outputs.len()];
        let mut program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
        if config.options.privacy.as_deref() == Some("public-skip") {
            program = program.skipping(Skips::default());
        }
        let security = config.security.unwrap_or_default();
        let (config, suite) = (config.clone(), Suite::HalfGates);
        Ok(Loaded { config, program, cycles, learn, suite, security })
    }

    fn engine(&self) -> Result<Box<dyn Engine>, String> {
        Ok(Box::new(CpuEngine::new(None).map_err(|e| e.to_string())?))
    }

    fn inputs(&self, program: &Loaded, values: Values<'_>) -> Result<PartyInputs, String> {
        let text = match values {
            Values::None => String::new(),
            Values::File(file) => std::fs::read_to_string(file).map_err(|e| e.to_string())?,
            Values::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Values::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte} ")).collect(),
        };
        assert!(!text.contains("panic"), "a value that makes this host panic");
        let mut words = text.split_whitespace();
        let inputs = program.program.circuit.inputs.iter().map(|input| {
            if input.party != program.config.role {
                return Ok(None);
            }
            let number = words.next().and_then(|word| word.parse().ok());
            let number: u64 = number.ok_or_else(|| format!("no number for {}", input.name))?;
            Ok(Some(Bits::from_integer(number.into(), input.width as usize)))
        });
        inputs.collect()
    }

    fn result(&self, _: &Loaded, report: Report) -> Result<String, String> {
        let outputs = report.outputs.iter().map(|output| output.as_ref().map(Bits::to_hex));
        Ok(format!("{:?}", outputs.collect::<Vec<_>>()))
    }

    fn notify(&self, state: State) {
        if let State::Ready(port) = state {
            self.port.get_or_init(|| port);
        }
    }
}

/// A running server, with everything that a test needs.
pub struct World {
    pub folder: tempfile::TempDir,
    pub alice: Identity,
    pub bob: Identity,
    /// The peer that the server does not know.
    pub carol: Identity,
    server: keys::Fingerprint,
    host: Plain,
    pub control: Control,
    metrics: String,
}

/// Serves `programs`, a part of a configuration, for alice and bob while `test` runs. `peers`
/// continues their entries.
pub fn with_server(
    (top, peers, programs): (&str, [&str; 2], &str),
    test: impl FnOnce(&World),
) -> Result<Summary, ServeError> {
    with_files(&[], (top, peers, programs), Duration::from_secs(20), test)
}

/// The same with files in the configuration's folder, and a grace period.
pub fn with_files(
    files: &[(&str, &str)],
    (top, peers, programs): (&str, [&str; 2], &str),
    grace: Duration,
    test: impl FnOnce(&World),
) -> Result<Summary, ServeError> {
    let world = World::new(files);
    world.configure(top, peers, programs);
    std::thread::scope(|scope| {
        let server = scope.spawn(|| serve(&world.host, &world.config(), &world.control, grace));
        // A failed test must not wait for a running server.
        let stops = Stops(&world.control);
        let begin = Instant::now();
        while world.host.port.get().is_none() && !server.is_finished() {
            assert!(begin.elapsed() < LONG, "the server does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        if !server.is_finished() {
            test(&world);
        }
        drop(stops);
        server.join().expect("no panic of the server")
    })
}

struct Stops<'c>(&'c Control);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

impl World {
    fn new(files: &[(&str, &str)]) -> World {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let server = keys::generate(&folder.path().join("server"), false).unwrap().fingerprint();
        let [alice, bob, carol] = [(); 3].map(|()| Identity::ephemeral().unwrap());
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let metrics = free.local_addr().unwrap().to_string();
        let (host, control) = (Plain::default(), Control::default());
        World { folder, alice, bob, carol, server, host, control, metrics }
    }

    fn config(&self) -> PathBuf {
        self.path("serve.toml")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the configuration.
    pub fn configure(&self, top: &str, peers: [&str; 2], programs: &str) {
        let [alice, bob] = [&self.alice, &self.bob].map(|who| who.public().fingerprint());
        let text = format!(
            "listen = \"127.0.0.1:0\"\nidentity = \"server\"\nmetrics = \"{}\"\n{top}\n[[peer]]\n\
             name = \"alice\"\nkey = \"{alice}\"\n{}\n[[peer]]\nname = \"bob\"\nkey = \"{bob}\"\n{}\n\
             {programs}",
            self.metrics, peers[0], peers[1]
        );
        std::fs::write(self.config(), text).unwrap();
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.host.port.get().expect("it listens"))
    }

    /// A connection of `who` after the TLS handshake.
    pub fn dial(&self, who: &Identity) -> Result<StreamChannel<TlsStream>, TlsError> {
        let socket = net::connect(&self.address(), LONG, &GO_ON).unwrap();
        let server = ExpectedPeer::Key(self.server);
        tls::connect(socket, who, server, LONG, &GO_ON).map(StreamChannel::new)
    }

    /// Runs a session of `who` as the user's command does: an evaluator accepts its garbler's
    /// order.
    pub fn run(&self, who: &Identity, requests: &Requests<'_>) -> Result<Report, SessionError> {
        let mut channel = self.dial(who).unwrap_or_else(|error| panic!("{error}"));
        let (channel, engine) = (&mut channel, CpuEngine::new(None).unwrap());
        let (program, runs) = (&requests.program, &[requests.inputs.clone()][..]);
        let (options, events) = (&requests.options, &mut |_| {});
        let reports = match (requests.role, requests.has_order) {
            (Party::Garbler, _) => {
                session::garble(channel, program, &engine, runs, options, events)
            }
            (Party::Evaluator, true) => {
                session::evaluate(channel, program, &engine, runs, options, events)
            }
            (Party::Evaluator, false) => {
                let proposal: Proposal = session::proposal(channel, options)?;
                assert_eq!(proposal.order(), program.order.to_string());
                session::evaluate_proposal(
                    channel, proposal, program, &engine, runs, options, events,
                )
            }
        };
        reports.map(|mut reports| reports.pop().expect("a report"))
    }

    /// The response of the server's port for health and metrics.
    pub fn http(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.metrics).unwrap();
        socket.set_read_timeout(Some(LONG)).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).unwrap();
        text
    }

    /// The value of metric `name`; 0 if it does not exist.
    pub fn metric(&self, name: &str) -> f64 {
        let text = self.http("/metrics");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |number| number.parse().unwrap())
    }

    /// Waits until metric `name` is `number`.
    #[track_caller]
    pub fn wait_for(&self, name: &str, number: f64) {
        let begin = Instant::now();
        while self.metric(name) != number {
            assert!(begin.elapsed() < LONG, "{name}: {}", self.http("/metrics"));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Names of the files in a folder, sorted.
    pub fn files(&self, folder: &str) -> Vec<String> {
        files(&self.path(folder))
    }
}

pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut names: Vec<_> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// A peer's request.
pub struct Requests<'a> {
    pub program: Program,
    pub role: Party,
    pub inputs: PartyInputs,
    pub options: RunOptions,
    /// Whether an evaluator names an order of its own.
    pub has_order: bool,
    /// Keeps the lifetime of `spec`.
    pub spec: &'a str,
}

impl<'a> Requests<'a> {
    /// `role` of `spec`, with these numbers as inputs; only the evaluator learns the output.
    pub fn new(spec: &'a str, role: Party, numbers: &[u64]) -> Requests<'a> {
        let circuit = halfgate_programs::build(spec).unwrap();
        let (cycles, outputs) = (circuit.cycles, circuit.outputs.len());
        let mut numbers = numbers.iter();
        let inputs = circuit.inputs.iter().map(|input| {
            (input.party == role).then(|| {
                let number = numbers.next().expect("a number");
                Bits::from_integer((*number).into(), input.width as usize)
            })
        });
        let inputs = inputs.collect();
        let learn = vec![Learn::Evaluator; outputs];
        let options = RunOptions { cycles, learn, timeout: LONG, ..RunOptions::default() };
        let program = compile(circuit, Order::default()).unwrap();
        Requests { program, role, inputs, options, has_order: false, spec }
    }

    /// The same, requested by name.
    pub fn named(mut self, name: &str) -> Requests<'a> {
        self.options.program_name = name.to_owned();
        self
    }
}

/// The number in a report's first output.
pub fn number(report: &Report) -> u64 {
    let output = report.outputs[0].as_ref().expect("it is learned");
    u64::from_str_radix(&output.to_hex(), 16).unwrap()
}
