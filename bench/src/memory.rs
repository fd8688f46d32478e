//! What two processes hold at most while they garble far more gates than fit in memory.

use crate::record::Figure;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SMALL: u64 = 1_000;
const LARGE: u64 = 100_000;

/// The greatest resident memory of each party over AES-128 x 100,000, and its rate beside that of
/// x 1,000, as two processes over plaintext on loopback.
///
/// # Errors
/// If a process cannot be started or fails.
pub fn run(command: &Path, say: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    if !Path::new("/proc/self/status").exists() {
        let why = "this system has no /proc to read a process's memory from";
        return Ok(vec![Figure::missing("resident memory", "MB", why)]);
    }
    let small = two_processes(command, SMALL)?;
    say(&format!("  aes128-chained:{LARGE}"));
    let large = two_processes(command, LARGE)?;
    let name = |what: &str| format!("aes128-chained:{LARGE}, {what}");
    let memory = |party: &str, bytes: u64| {
        Figure::measured(
            &name(&format!("resident memory of the {party}")),
            "MB",
            bytes as f64 / 1e6,
        )
        .at_most(64.0)
    };
    Ok(vec![
        memory("garbler", large.garbler_bytes),
        memory("evaluator", large.evaluator_bytes),
        Figure::measured(&name("rate"), "M AND/s", large.rate)
            .note(format!("{SMALL} blocks as two processes: {:.1}", small.rate)),
        Figure::measured(
            &name(&format!("rate over that of x {SMALL}")),
            "%",
            large.rate / small.rate * 100.0,
        )
        .at_least(95.0)
        .note("no slower a gate; 5 % for the machine's noise"),
    ])
}

struct Processes {
    garbler_bytes: u64,
    evaluator_bytes: u64,
    /// M AND/s.
    rate: f64,
}

fn two_processes(command: &Path, blocks: u64) -> Result<Processes, String> {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|e| e.to_string())?;
    let spec = format!("aes128-chained:{blocks}");
    let start = |role: &str, way: &str| {
        Command::new(command)
            .args([role, &spec, way, &port.to_string(), "--insecure-plaintext", "--json"])
            .args(["--input", "bytes:000102030405060708090a0b0c0d0e0f"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", command.display()))
    };
    let mut garbler = Guard(start("garble", "--listen")?);
    let mut evaluator = Guard(start("evaluate", "--connect")?);
    let (mut garbler_bytes, mut evaluator_bytes) = (0, 0);
    loop {
        garbler_bytes = garbler.peak().unwrap_or(0).max(garbler_bytes);
        evaluator_bytes = evaluator.peak().unwrap_or(0).max(evaluator_bytes);
        let done = |guard: &mut Guard| guard.0.try_wait().map_err(|e| e.to_string());
        if let (Some(a), Some(b)) = (done(&mut garbler)?, done(&mut evaluator)?) {
            if !a.success() || !b.success() {
                return Err(format!("{spec} failed: garbler {a}, evaluator {b}"));
            }
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut text = String::new();
    let mut stdout = garbler.0.stdout.take().ok_or("no standard output")?;
    stdout.read_to_string(&mut text).map_err(|e| e.to_string())?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let number = |field: &str| report[field].as_f64().ok_or(format!("no {field} in {text}"));
    let rate = number("and_gates")? / number("seconds")? * 1e-6;
    Ok(Processes { garbler_bytes, evaluator_bytes, rate })
}

/// A process that does not outlive the measurement.
struct Guard(Child);

impl Guard {
    /// The greatest resident memory so far, in bytes.
    fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib * 1024)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // It has ended, or it is to end now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
