//! Runs two parties as two processes of the command, over plaintext on loopback, and measures their
//! memory.

use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// Measurements of a run of both parties.
pub struct Processes {
    /// Peak resident memory of the garbler, in bytes.
    pub garbler_bytes: u64,
    /// Peak resident memory of the evaluator, in bytes.
    pub evaluator_bytes: u64,
    /// M AND/s from the first label to the outputs, measured by the garbler.
    pub rate: f64,
}

/// Whether this system reports a process's memory.
pub fn can_read_memory() -> bool {
    Path::new("/proc/self/status").exists()
}

/// Runs `spec` between two processes of `command`; `inputs` has the garbler's inputs, then the
/// evaluator's.
///
/// # Errors
/// If a process cannot be started or fails.
pub fn run(command: &Path, spec: &str, inputs: [&str; 2]) -> Result<Processes, String> {
    run_with(command, spec, inputs, [&[], &[]])
}

/// Like [`run`], with a `spec` that is the garbler's secret; the evaluator accepts that.
///
/// # Errors
/// As for [`run`].
pub fn run_secret(command: &Path, spec: &str, inputs: [&str; 2]) -> Result<Processes, String> {
    run_with(command, spec, inputs, [&[], &["--accept-secret-program"]])
}

/// Like [`run`], with outputs for the evaluator alone, whose process prints them.
///
/// # Errors
/// As for [`run`].
pub fn run_for_evaluator(
    command: &Path,
    spec: &str,
    inputs: [&str; 2],
) -> Result<Processes, String> {
    run_with(command, spec, inputs, [&["--learn", "evaluator"]; 2])
}

/// Like [`run`], in a malicious session.
///
/// # Errors
/// As for [`run`].
pub fn run_malicious(command: &Path, spec: &str, inputs: [&str; 2]) -> Result<Processes, String> {
    run_with(command, spec, inputs, [&["--security", "malicious"]; 2])
}

/// Runs both parties with more options for each.
fn run_with(
    command: &Path,
    spec: &str,
    inputs: [&str; 2],
    more: [&[&str]; 2],
) -> Result<Processes, String> {
    // A port that was free when this was checked.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|e| e.to_string())?;
    let start = |role: &str, way: &str, input: &str, options: &[&str]| {
        Command::new(command)
            .args([role, spec, way, &port.to_string(), "--insecure-plaintext", "--json"])
            // Preparing a large program takes a party long before it sends its first message.
            .args(["--timeout", "600", "--input", input])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", command.display()))
    };
    let mut garbler = Guard(start("garble", "--listen", inputs[0], more[0])?);
    let mut evaluator = Guard(start("evaluate", "--connect", inputs[1], more[1])?);
    // A process that prints more than fits in a pipe waits for its reader.
    let texts = [&mut garbler, &mut evaluator].map(Guard::read);
    let (mut garbler_bytes, mut evaluator_bytes) = (0, 0);
    loop {
        garbler_bytes = garbler.peak().unwrap_or(0).max(garbler_bytes);
        evaluator_bytes = evaluator.peak().unwrap_or(0).max(evaluator_bytes);
        let done = |guard: &mut Guard| guard.0.try_wait().map_err(|e| e.to_string());
        let (a, b) = (done(&mut garbler)?, done(&mut evaluator)?);
        for (party, status) in [("garbler", &a), ("evaluator", &b)] {
            if let Some(status) = status.filter(|status| !status.success()) {
                return Err(format!("{spec}: the {party} failed, {status}"));
            }
        }
        if a.is_some() && b.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let [text, _] = texts.map(|text| text.join().map_err(|_| "the reader panicked".to_owned()));
    let text = text??;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let number = |field: &str| report[field].as_f64().ok_or(format!("no {field} in {text}"));
    let rate = number("and_gates")? / number("seconds")? * 1e-6;
    Ok(Processes { garbler_bytes, evaluator_bytes, rate })
}

/// A process that is killed when the measurement ends.
struct Guard(Child);

impl Guard {
    /// Reads what the process prints, on another thread.
    fn read(&mut self) -> JoinHandle<Result<String, String>> {
        let stdout = self.0.stdout.take();
        std::thread::spawn(move || {
            let mut text = String::new();
            let mut stdout = stdout.ok_or("no standard output")?;
            stdout.read_to_string(&mut text).map_err(|e| e.to_string())?;
            Ok(text)
        })
    }

    /// Peak resident memory so far, in bytes.
    fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib * 1024)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The process has ended, or must end now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
