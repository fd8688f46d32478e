//! Runs the built command as a user does, with a time limit that kills commands that hang.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Longer than any command of these tests takes, even on a busy computer.
const LIMIT: Duration = Duration::from_secs(120);

/// Lines on standard error that are not errors. The last one is printed if the processor lacks a
/// kernel's instructions.
const NOTES: [&str; 4] =
    ["warning:", "listening on", "refused an unknown peer", "not run: this processor lacks it"];

/// The result of a command.
#[derive(Debug)]
pub struct Done {
    /// The exit code; `None` if the command was killed.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Running time.
    pub took: Duration,
}

impl Done {
    /// Parses the JSON object on standard output of a successful command.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.stdout.trim_end().lines().count(), 1, "one line: {self:?}");
        serde_json::from_str(&self.stdout).expect("JSON")
    }

    /// Checks a failure: the exit code, one line on standard error that contains each of `words`,
    /// and no result.
    #[track_caller]
    pub fn failed(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "no result: {self:?}");
        let errors: Vec<_> = self
            .stderr
            .lines()
            .filter(|line| NOTES.iter().all(|note| !line.contains(note)))
            .collect();
        assert_eq!(errors.len(), 1, "one line: {self:?}");
        assert!(errors[0].starts_with("halfgate: "), "{self:?}");
        for word in words {
            assert!(errors[0].contains(word), "{word:?} in {self:?}");
        }
    }
}

/// A running command. It is killed on drop.
pub struct Running {
    child: Child,
    started: Instant,
    stdout: Option<std::thread::JoinHandle<String>>,
    stderr: Option<std::thread::JoinHandle<String>>,
}

/// The path of the command: `HALFGATE_COMMAND`, or the binary that Cargo builds beside the running
/// test. A runner that builds the whole workspace (nextest, which sets a variable) has built it.
/// Otherwise it is built here, since a test of one package alone may find no binary, or an old one.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match std::env::var_os("HALFGATE_COMMAND") {
        Some(named) => PathBuf::from(named),
        None => built(),
    })
}

fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent).expect("target/PROFILE/deps/test");
    let command = folder.join("halfgate");
    if std::env::var_os("NEXTEST").is_some() && command.exists() {
        return command;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--offline", "--package", "halfgate-cli"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let status = build.status().expect("cargo starts");
    assert!(status.success(), "cargo cannot build the command");
    command
}

/// Starts `halfgate` with these arguments.
pub fn start(words: &[&str]) -> Running {
    start_with_stdin(words, b"")
}

/// Starts `halfgate` with these arguments and bytes on standard input.
pub fn start_with_stdin(words: &[&str], stdin: &[u8]) -> Running {
    let command = binary();
    let started = Instant::now();
    let mut child = Command::new(command)
        .args(words)
        // These may be set in the environment of the tests.
        .env_remove("RUST_LOG")
        .env("HALFGATE_CONFIG", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that fails early closes standard input unread.
    let _ = child.stdin.take().expect("piped").write_all(stdin);
    let stdout = Some(collect(child.stdout.take().expect("piped")));
    let stderr = Some(collect(child.stderr.take().expect("piped")));
    Running { child, started, stdout, stderr }
}

fn collect(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Running {
    /// Waits until the command ends.
    ///
    /// # Panics
    /// If it exceeds the time limit.
    #[track_caller]
    pub fn wait(mut self) -> Done {
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status.code();
            }
            if self.started.elapsed() > LIMIT {
                let _ = self.child.kill();
                panic!("the command hangs: {:?}", self.stderr.take().map(|t| t.join()));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |pipe: Option<std::thread::JoinHandle<String>>| {
            pipe.map(|thread| thread.join().expect("read")).unwrap_or_default()
        };
        let (stdout, stderr) = (self.stdout.take(), self.stderr.take());
        let took = self.started.elapsed();
        Done { code, stdout: text(stdout), stderr: text(stderr), took }
    }

    /// Waits until the command ends. The time limit starts now, however long it has run.
    ///
    /// # Panics
    /// If it exceeds the time limit.
    #[track_caller]
    pub fn wait_from_now(mut self) -> Done {
        self.started = Instant::now();
        self.wait()
    }

    /// Kills the command, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs `halfgate` with these arguments to its end.
#[track_caller]
pub fn halfgate(words: &[&str]) -> Done {
    start(words).wait()
}

/// An address on loopback that was free when checked.
pub fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

/// A folder with the identities `alice` and `bob`.
pub struct Identities {
    folder: tempfile::TempDir,
}

impl Identities {
    /// Creates the two identities.
    #[allow(clippy::new_without_default, reason = "it runs commands")]
    pub fn new() -> Identities {
        let folder = tempfile::tempdir().expect("a folder");
        let identities = Identities { folder };
        for name in ["alice", "bob"] {
            let done = halfgate(&["keygen", &identities.path(name)]);
            assert_eq!(done.code, Some(0), "{done:?}");
        }
        identities
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The options for `own` to connect to `peer`.
    pub fn options(&self, own: &str, peer: &str) -> Vec<String> {
        let peer = self.path(&format!("{peer}.pub"));
        vec!["--identity".into(), self.path(own), "--peer".into(), peer]
    }
}

/// Runs a garbler that listens and an evaluator that connects, both with `--json`.
#[track_caller]
pub fn pair(garbler: &[&str], evaluator: &[&str]) -> (Done, Done) {
    let address = free_address();
    let mut words = vec!["garble", "--json", "--listen", &address];
    words.extend(garbler);
    let garbler = start(&words);
    let mut words = vec!["evaluate", "--json", "--connect", &address];
    words.extend(evaluator);
    let evaluator = start(&words).wait();
    (garbler.wait(), evaluator)
}

/// Creates a folder with one file, for circuits and values.
pub fn folder_with(name: &str, content: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    (folder, path)
}

/// A path as a string.
pub fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Strings as arguments of a command line.
pub fn words(strings: &[String]) -> Vec<&str> {
    strings.iter().map(String::as_str).collect()
}

/// Creates a folder that is removed on drop.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Compiles a program, with further arguments, into a file of the folder.
#[track_caller]
pub fn compiled(folder: &Path, words: &[&str]) -> (PathBuf, serde_json::Value) {
    let path = folder.join("x.hgp");
    let file = text(&path);
    let mut all = vec!["compile", "--json", "-o", &file];
    all.extend(words);
    (path.clone(), halfgate(&all).json())
}

/// Simulates and returns the clock cycles of the only run.
#[track_caller]
pub fn simulated(words: &[&str]) -> serde_json::Value {
    let mut all = vec!["simulate", "--json"];
    all.extend(words);
    halfgate(&all).json()
}
