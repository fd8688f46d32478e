//! Measures the peak memory of two processes that garble far more gates than fit in memory.

use halfgate_record::processes;
use halfgate_record::record::Figure;
use std::path::Path;

const SMALL: u64 = 1_000;
const LARGE: u64 = 100_000;
const INPUT: &str = "bytes:000102030405060708090a0b0c0d0e0f";

/// Measures two processes over plaintext on loopback: the peak resident memory of each party for
/// 100,000 chained blocks of AES-128, and the rate compared with 1,000 blocks.
///
/// # Errors
/// If a process cannot be started or fails.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        return Ok(vec![Figure::missing("resident memory", "MB", why)]);
    }
    let chained = |blocks| processes::run(command, &format!("aes128-chained:{blocks}"), [INPUT; 2]);
    let small = chained(SMALL)?;
    report(&format!("  aes128-chained:{LARGE}"));
    let large = chained(LARGE)?;
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
        .note("a long run must not be slower per gate; 5 % is allowed for noise"),
    ])
}
