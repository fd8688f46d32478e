//! Tests `halfgate serve`: several programs for several peers.

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::keys::{self, Identity};
use halfgate_protocol::net;
use halfgate_protocol::session::{self, Learn, RunOptions};
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer};
use halfgate_tests::command::{Done, Running, folder, free_address, halfgate, start, text};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

/// From FIPS 197, appendix C.1. They are raw bytes, since JSON numbers do not have 128 bits.
const KEY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const BLOCK: &str = "bytes:00112233445566778899aabbccddeeff";
/// 69c4e0d86a7b0430d8cdb78070b4c55a, with the last byte's bits first.
const CIPHERTEXT: &str = "5ac5b47080b7cdd830047b6ad8e0c469";
/// The garbler's number, which no log may contain.
const WEALTH: &str = "1234567891";

/// A server with the identities of two known peers and one unknown peer.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    address: String,
    metrics: String,
}

impl Server {
    pub(crate) fn new() -> Server {
        let folder = folder();
        for name in ["server", "alice", "bob", "carol"] {
            let done = halfgate(&["keygen", &text(&folder.path().join(name))]);
            assert_eq!(done.code, Some(0), "{done:?}");
        }
        std::fs::write(folder.path().join("wealth.json"), format!("{{\"a\": {WEALTH}}}")).unwrap();
        std::fs::write(folder.path().join("key.bin"), KEY).unwrap();
        Server { folder, address: free_address(), metrics: free_address() }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        text(&self.folder.path().join(name))
    }

    /// Writes the configuration: the programs that both peers may run, and all programs.
    pub(crate) fn configure(&self, peers: &str, programs: &str) {
        let Server { address, metrics, .. } = self;
        let peer =
            |name: &str| format!("[[peer]]\nname = \"{name}\"\nkey = \"{name}.pub\"\n{peers}\n");
        let content = format!(
            "listen = \"{address}\"\nidentity = \"server\"\nmetrics = \"{metrics}\"\n{}{}{programs}",
            peer("alice"),
            peer("bob")
        );
        std::fs::write(self.path("serve.toml"), content).unwrap();
    }

    pub(crate) fn start(&self, more: &[&str]) -> Running {
        let running = start(&[&["serve", &self.path("serve.toml")], more].concat());
        let begin = Instant::now();
        while !self.http("/health").is_some_and(|response| response.starts_with("HTTP/1.1 200 ")) {
            assert!(begin.elapsed() < LONG, "it does not serve");
            std::thread::sleep(Duration::from_millis(10));
        }
        running
    }

    fn http(&self, path: &str) -> Option<String> {
        let mut socket = TcpStream::connect(&self.metrics).ok()?;
        write!(socket, "GET {path} HTTP/1.1\r\n\r\n").ok()?;
        let mut response = String::new();
        socket.read_to_string(&mut response).ok()?;
        Some(response)
    }

    /// The number after `name` in the metrics.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.http("/metrics").expect("metrics");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |number| number.parse().expect("a number"))
    }

    pub(crate) fn peer(&self, who: &str, program: &str, more: &[&str]) -> Running {
        let (own, server) = (self.path(who), self.path("server.pub"));
        let common = ["evaluate", program, "--identity", &own, "--peer", &server];
        let how = ["--connect", &self.address, "--learn", "evaluator", "--json"];
        start(&[&common[..], &how, more].concat())
    }
}

#[cfg(unix)]
fn signal(running: &Running, name: &str) {
    let words = [format!("-{name}"), running.id().to_string()];
    assert!(Command::new("kill").args(words).status().expect("kill").success());
}

const PROGRAMS: &str = "
[[program]]
name = \"compare\"
circuit = \"millionaires:32\"
role = \"garbler\"
inputs = { file = \"wealth.json\" }
learn = \"evaluator\"
[[program]]
name = \"encrypt\"
circuit = \"aes128\"
role = \"garbler\"
inputs = { file = \"key.bin\" }
learn = \"evaluator\"
[[program]]
name = \"long\"
circuit = \"aes128-rounds:100\"
role = \"garbler\"
inputs = { file = \"key.bin\" }
learn = \"evaluator\"
";

/// Connects unknown peers: one closes at once, one sends HTTP, one begins TLS, and many idle.
fn unknown_peers(address: &str) -> Vec<TcpStream> {
    let wording = |bytes: &[u8]| {
        let mut socket = TcpStream::connect(address).expect("it listens");
        let _ = socket.write_all(bytes);
        socket
    };
    drop(wording(b""));
    let speak = [&b"GET / HTTP/1.0\r\n\r\nand more than a header"[..], &[22, 3, 1, 2, 0]];
    speak.into_iter().chain([&b""[..]; 60]).map(wording).collect()
}

/// AES-128 applied repeatedly, with a library that has no circuits.
fn chained(times: usize) -> String {
    use aes::cipher::{BlockEncrypt, KeyInit};
    let cipher = aes::Aes128::new(&KEY.into());
    let mut block = std::array::from_fn(|index| (index as u8) * 0x11).into();
    (0..times).for_each(|_| cipher.encrypt_block(&mut block));
    block.iter().rev().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(unix)]
#[test]
fn two_known_peers_are_served_at_once_and_a_third_is_refused() {
    let server = Server::new();
    let limits = "programs = [\"compare\", \"encrypt\", \"long\"]\nlimits = { sessions = 8 }";
    server.configure(limits, PROGRAMS);
    let running = server.start(&["--json"]);
    let _stay = unknown_peers(&server.address);
    let carol = server.peer("carol", "aes128", &["--program-name", "encrypt", "--input", BLOCK]);
    let request = |who, name, program, input| {
        server.peer(who, program, &["--program-name", name, "--input", input])
    };
    let sessions: Vec<_> = ["alice", "bob"]
        .into_iter()
        .flat_map(|who| {
            [
                (request(who, "compare", "millionaires:32", "1234567890"), "1".to_owned()),
                (request(who, "compare", "millionaires:32", "1234567892"), "0".to_owned()),
                (request(who, "encrypt", "aes128", BLOCK), CIPHERTEXT.to_owned()),
                (request(who, "long", "aes128-rounds:100", BLOCK), chained(100)),
            ]
        })
        .collect();
    assert_eq!(chained(1), CIPHERTEXT);
    for (session, wanted) in sessions {
        assert_eq!(session.wait().json()["outputs"][0]["hex"], *wanted);
    }
    carol.wait().failed(7, &["refuses this side's key"]);

    let metrics = server.http("/metrics").expect("metrics");
    for line in [
        "halfgate_sessions_total{program=\"compare\",outcome=\"ok\"} 4",
        "halfgate_sessions_total{program=\"encrypt\",outcome=\"ok\"} 2",
        "halfgate_sessions_total{program=\"long\",outcome=\"ok\"} 2",
        "halfgate_strangers_total{reason=\"key\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
    well_formed(&metrics);
    signal(&running, "TERM");
    let done = running.wait();
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), ""), "{done:?}");
    logged(&done);
    let secrets = [WEALTH, "000102030405", "0f0e0d0c0b0a", "499602d3", CIPHERTEXT];
    for secret in secrets {
        assert!(!done.stderr.contains(secret) && !metrics.contains(secret), "{secret}: {done:?}");
    }
}

/// Each line of the metrics must be a comment, or a name, labels and a number.
fn well_formed(metrics: &str) {
    let body = metrics.split_once("\r\n\r\n").expect("a body").1;
    assert!(body.ends_with("# EOF\n"));
    for line in body.lines().filter(|line| !line.starts_with("# ")) {
        let (name, number) = line.rsplit_once(' ').expect("a number");
        assert!(number.parse::<f64>().is_ok(), "{line}");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_{}=\",.+".contains(c);
        assert!(name.chars().all(is_plain), "{line}");
    }
}

/// The log must be one object per line, with the beginning and the end of each session.
fn logged(done: &Done) {
    let lines: Vec<serde_json::Value> =
        done.stderr.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let with = |message: &str| lines.iter().filter(|line| line["message"] == message).count();
    assert_eq!((with("a session begins"), with("a session ended")), (8, 8), "{done:?}");
    assert_eq!(with("an unknown peer was refused"), 1);
    let ended = lines.iter().find(|line| line["message"] == "a session ended").expect("one");
    for field in ["session", "peer", "program", "role", "outcome", "ands", "sent", "seconds"] {
        assert!(!ended[field].is_null(), "{field}: {ended}");
    }
    assert_eq!(with("stopped"), 1);
}

#[cfg(unix)]
#[test]
fn a_server_that_evaluates_keeps_what_it_learns() {
    let server = Server::new();
    let programs = "
[[program]]
name = \"sum\"
circuit = \"adder:32\"
role = \"evaluator\"
inputs = { command = [\"echo\", \"41\"] }
learn = [\"none\", \"sum=evaluator\"]
results = \"results\"
";
    std::fs::create_dir(server.folder.path().join("results")).unwrap();
    server.configure("programs = [\"sum\"]", programs);
    let running = server.start(&[]);
    let (own, peer) = (server.path("bob"), server.path("server.pub"));
    let common = ["garble", "adder:32", "--identity", &own, "--peer", &peer, "--input", "1"];
    let how = ["--connect", &server.address, "--learn", "evaluator", "--json"];
    halfgate(&[&common[..], &how].concat()).json();
    // SIGHUP has no effect if the configuration is unchanged.
    signal(&running, "HUP");
    signal(&running, "INT");
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{done:?}");
    let results: Vec<_> = std::fs::read_dir(server.folder.path().join("results"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [result] = &results[..] else { panic!("{results:?}") };
    let result: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(result).unwrap()).unwrap();
    assert_eq!(result["outputs"][0]["value"], 42, "{result}");
}

#[test]
fn a_configuration_is_checked_without_serving() {
    let server = Server::new();
    let limits = "programs = [\"compare\", \"encrypt\", \"long\"]";
    server.configure(limits, PROGRAMS);
    let file = server.path("serve.toml");
    let checked = halfgate(&["serve", &file, "--check", "--json"]).json();
    assert_eq!(checked["programs"][1]["and_gates"], 6400);
    let shown = halfgate(&["serve", &file, "--check"]);
    assert!(shown.stdout.contains("program encrypt: garbler of aes128, 6,400 ANDs"), "{shown:?}");

    server.configure(&format!("{limits}\nlimits = {{ ands = 5 }}"), PROGRAMS);
    halfgate(&["serve", &file, "--check"])
        .failed(2, &["peer alice: limits", "ANDs, and alice may use 5 in a session"]);

    let refused = |programs: &str, words: &str| {
        server.configure(limits, &format!("{PROGRAMS}{programs}"));
        let error = format!("{file}:{words}");
        halfgate(&["serve", &file, "--check"]).failed(2, &[&error]);
        halfgate(&["serve", &file]).failed(2, &[&error]);
    };
    refused("colour = 5\n", "31: unknown field `colour`");
    let program = |more: &str| {
        format!("[[program]]\nname = \"x\"\ncircuit = \"adder:8\"\nrole = \"garbler\"\n{more}\n")
    };
    refused(
        &program("inputs = { file = \"wealth.json\" }\nlearn = \"nobody\""),
        "31: program x: --learn: \"nobody\" is not one of",
    );
    refused(
        &program("inputs = { file = \"wealth.json\" }\nlearn = \"evaluator\""),
        "31: program x: inputs: the garbler's values: ",
    );
    refused(
        &program("suite = \"grr3-sha1\""),
        "31: program x: suite grr3-sha1 has labels of 80 bits",
    );
    refused(&program("order = \"sideways\""), "31: program x: ");
    refused(
        "[[program]]\nname = \"y\"\ncircuit = \"./none.txt\"\nrole = \"garbler\"",
        "31: program y: ",
    );
    // Error messages never show a value, not even one that does not fit.
    server.configure(
        limits,
        &format!(
            "{PROGRAMS}{}",
            program("inputs = { file = \"wealth.json\" }\nlearn = \"evaluator\"")
        ),
    );
    let done = halfgate(&["serve", &file, "--check"]);
    assert!(!done.stderr.contains(WEALTH), "{done:?}");
    // Health and metrics may be served to this computer only.
    let text = std::fs::read_to_string(&file).unwrap().replace(&server.metrics, "0.0.0.0:1");
    std::fs::write(
        &file,
        text.replace("name = \"x\"\ncircuit = \"adder:8\"", "name = \"x\"\ncircuit = \"adder:32\""),
    )
    .unwrap();
    for words in [&["serve", &file][..], &["serve", &file, "--check"]] {
        let error = "serve.toml:3: metrics = \"0.0.0.0:1\" can be reached";
        halfgate(words).failed(2, &[error]);
    }
    halfgate(&["serve", "/nowhere/at/all"])
        .failed(2, &["/nowhere/at/all: the configuration cannot"]);
}

#[test]
fn the_example_of_the_packages_is_good() {
    let server = Server::new();
    let example = include_str!("../../packaging/serve.toml");
    std::fs::write(server.path("serve.toml"), example).unwrap();
    std::fs::create_dir(server.path("results")).unwrap();
    let done = halfgate(&["serve", &server.path("serve.toml"), "--check"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stdout.contains("peer bob, SHA256:"), "{done:?}");
    // The service must run a valid command line.
    let unit = include_str!("../../packaging/halfgate.service");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/halfgate "));
    let words: Vec<_> = line.expect("a command").split_whitespace().collect();
    let file = server.path("serve.toml");
    let words = words.iter().map(|word| if word.ends_with(".toml") { &file[..] } else { word });
    let words: Vec<_> = words.chain(["--check"]).collect();
    assert_eq!(halfgate(&words).code, Some(0), "{words:?}");
}

/// The server of a soak test, and its peer in this process.
#[cfg(unix)]
struct Soak {
    server: Server,
    alice: Identity,
    expected: ExpectedPeer,
    program: Program,
    engine: CpuEngine,
    options: RunOptions,
}

#[cfg(unix)]
impl Soak {
    /// Peers at the same time.
    const AT_A_TIME: usize = 64;

    fn new(server: Server) -> Soak {
        let alice = keys::load(Path::new(&server.path("alice"))).unwrap();
        let expected = keys::expected_peer(&server.path("server.pub")).unwrap();
        let circuit = halfgate_programs::build("millionaires:32").unwrap();
        let options = RunOptions {
            timeout: LONG,
            learn: vec![Learn::Evaluator],
            program_name: "compare".to_owned(),
            ..RunOptions::default()
        };
        Soak {
            server,
            alice,
            expected: ExpectedPeer::Key(expected),
            program: halfgate_compiler::compile(circuit, Default::default()).unwrap(),
            engine: CpuEngine::new(None).unwrap(),
            options,
        }
    }

    /// Runs a session and checks its output.
    fn one(&self, number: u32) {
        let never = AtomicBool::new(false);
        let inputs = self.program.circuit.inputs.iter().map(|input| {
            let bits = Bits::from_integer(number.into(), 32);
            (input.party == Party::Evaluator).then_some(bits)
        });
        let socket = net::connect(&self.server.address, LONG, &never).unwrap();
        let stream = tls::connect(socket, &self.alice, self.expected, LONG, &never).unwrap();
        let (mut channel, runs) = (StreamChannel::new(stream), [inputs.collect()]);
        let (program, engine) = (&self.program, &self.engine);
        let reports =
            session::evaluate(&mut channel, program, engine, &runs, &self.options, &mut |_| {});
        let reports = reports.unwrap_or_else(|error| panic!("{error}"));
        let richer = 1_234_567_891 > number;
        assert_eq!(reports[0].outputs[0], Some(Bits::from_integer(richer.into(), 1)));
    }

    fn many(&self, count: usize) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..Soak::AT_A_TIME {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            return;
                        }
                        self.one(number as u32 * 7919);
                    }
                });
            }
        });
    }

    /// The server's bytes of memory, descriptors and threads when no session is in progress.
    fn held(&self) -> [i64; 3] {
        // The end of a session takes a moment after the peer has its result.
        let begin = Instant::now();
        while self.server.metric("halfgate_sessions_in_progress") > 0.0 && begin.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(500));
        let names = ["process_resident_memory_bytes", "process_open_fds", "process_threads"];
        names.map(|name| self.server.metric(name) as i64)
    }

    /// Prints and checks what `sessions` have left behind since the measurement `first`.
    fn check(
        &self,
        how: &str,
        sessions: usize,
        (before, first): (usize, [i64; 3]),
        begin: Instant,
    ) {
        let seconds = begin.elapsed().as_secs_f64();
        let last = self.held();
        let [memory, descriptors, threads] = std::array::from_fn(|at| last[at] - first[at]);
        println!(
            "served {sessions} sessions {how} in {seconds:.0} s; after the first {before}: memory \
             {:+} KiB (of {}), descriptors {descriptors:+}, threads {threads:+}",
            memory / 1024,
            first[0] / 1024
        );
        // The number of partly used pages varies.
        assert!(memory < 1 << 20, "memory grows");
        assert!(descriptors <= 0 && threads <= 0, "something is left behind");
    }
}

/// Serves `HALFGATE_SOAK` sessions (2,000 by default), half one after another and half 64 at a
/// time. Compares the process's resources at the end with those after the first hundred of each
/// half, and after the first thousand.
#[cfg(unix)]
#[test]
#[ignore = "minutes"]
fn soak() {
    let count = std::env::var("HALFGATE_SOAK").map_or(2000, |text| text.parse().expect("a number"));
    let half = (count / 2).max(200);
    let server = Server::new();
    let limits = "programs = [\"compare\"]\nlimits = { sessions = 64, rate = 1000000 }";
    server.configure(limits, PROGRAMS);
    let running = server.start(&["--quiet"]);
    let idle = unknown_peers(&server.address);
    let soak = Soak::new(server);
    let begin = Instant::now();
    (0..100).for_each(|number| soak.one(number));
    // Idle unknown peers must not count as remains of sessions.
    drop(idle);
    let first = soak.held();
    (100..half as u32).for_each(|number| soak.one(number));
    soak.check("one after another", half, (100, first), begin);
    let begin = Instant::now();
    soak.many(100);
    let first = soak.held();
    let early = half.min(1000);
    soak.many(early - 100);
    let thousandth = soak.held();
    soak.many(half - early);
    soak.check("64 at a time", half, (early, thousandth), begin);
    soak.check("64 at a time", half, (100, first), begin);
    assert_eq!(
        soak.server.metric("halfgate_sessions_total{program=\"compare\",outcome=\"ok\"}") as usize,
        2 * half
    );
    signal(&running, "TERM");
    assert_eq!(running.wait_from_now().code, Some(0));
}
