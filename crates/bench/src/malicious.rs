//! Malicious sessions: time, memory and traffic beside the targets, and beside semi-honest
//! sessions.

use halfgate_protocol::session::authenticated::cost::{Phase, bucket_size};
use halfgate_protocol::session::{OtField, Report, SecurityLevel};
use halfgate_record::engine::program;
use halfgate_record::measure::Spread;
use halfgate_record::processes;
use halfgate_record::record::Figure;
use halfgate_record::session::{Over, parties, parties_at};
use std::path::Path;
use std::time::Duration;

/// The shorter program of the table: one hash, as EMP's ag2pc was measured on.
const SHA256: &str = "sha256";
/// Runs of it.
const TURNS: usize = 9;
/// Programs of 10^7 and 10^8 ANDs: chained blocks of AES-128.
const LONG: [u64; 2] = [1_563, 15_625];
const INPUT: &str = "bytes:000102030405060708090a0b0c0d0e0f";
/// The field that two parties within a computer use.
const FIELD: OtField = OtField::Two;
/// How EMP's figures were measured.
const EMP: &str = "EMP ag2pc 0.3, 22,272 ANDs, a thread pool on two cores of an EPYC (Zen 4): 27.7, \
                   17.3 and 3.5 ms for the phases, 46 ms for base OTs, in one of its runs";

/// Measures malicious sessions. Both parties share this machine's cores.
///
/// # Errors
/// If a session fails.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    report(&format!("  {SHA256}"));
    let mut figures = of_sha256()?;
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        figures.push(Figure::missing("resident memory", "MB", why));
        return Ok(figures);
    }
    let mut chained = |blocks| {
        report(&format!("  aes128-chained:{blocks}"));
        processes::run_malicious(command, &format!("aes128-chained:{blocks}"), [INPUT; 2])
    };
    let [small, large] = [chained(LONG[0])?, chained(LONG[1])?];
    let name = |what: &str| format!("10^8 ANDs in a fold, two processes, {what}");
    figures.push(
        Figure::measured(&name("everything together"), "M AND/s", large.rate)
            .at_least(2.0)
            .note("EMP ag2pc of 2026 has 2.0 to 2.65 on a Zen 5 with 2 to 4 threads"),
    );
    for (party, bytes) in [("garbler", large.garbler_bytes), ("evaluator", large.evaluator_bytes)] {
        let figure =
            Figure::measured(&name(&format!("memory of the {party}")), "MB", bytes as f64 / 1e6);
        figures.push(figure.at_most(256.0));
    }
    let ratio = 100.0 * large.rate / small.rate;
    figures.push(
        Figure::measured(&name("rate over that at 10^7"), "%", ratio)
            .at_least(95.0)
            .unlike("the target is for 10^9 over 10^8, which take a quarter of an hour"),
    );
    Ok(figures)
}

fn of_sha256() -> Result<Vec<Figure>, String> {
    let program = program(SHA256)?;
    let malicious = || parties_at(SecurityLevel::Malicious, &program, Over::Tcp);
    let turns = (0..TURNS).map(|_| malicious()).collect::<Result<Vec<_>, _>>()?;
    let plain =
        (0..TURNS).map(|_| parties(&program, Over::Memory)).collect::<Result<Vec<_>, _>>()?;
    let in_process = (0..TURNS)
        .map(|_| parties_at(SecurityLevel::Malicious, &program, Over::Memory))
        .collect::<Result<Vec<_>, _>>()?;
    let slower = |(garbler, evaluator): &(Report, Report), of: &dyn Fn(&Report) -> Duration| {
        1e3 * of(garbler).max(of(evaluator)).as_secs_f64()
    };
    let spread = |turns: &[(Report, Report)], of: &dyn Fn(&Report) -> Duration| {
        Spread::of(turns.iter().map(|turn| slower(turn, of)).collect())
    };
    let figure = |what: &str, spread: Spread| {
        Figure::measured(&format!("{SHA256}, {what}"), "ms", spread.median).note(spread.to_string())
    };
    let phase = |phase: Phase| {
        move |report: &Report| {
            let found = report.phases.iter().find(|found| found.phase == phase);
            found.map_or(Duration::ZERO, |found| found.time)
        }
    };
    let total = spread(&turns, &|report| report.total);
    let set_up = spread(&turns, &|report| report.setup.saturating_sub(report.prepare));
    let total = figure("all phases after base OTs, TCP", total).at_most(15.0);
    let set_up = figure("handshake, base OTs in both directions and coins, TCP", set_up);
    let mut figures = vec![total.note(EMP), set_up.at_most(15.0)];
    for which in Phase::ALL {
        figures.push(figure(&format!("phase {which}, TCP"), spread(&turns, &phase(which))));
    }
    let online = spread(&in_process, &phase(Phase::Online));
    let semi_honest = spread(&plain, &|report| report.total);
    let share = 100.0 * semi_honest.median / online.median;
    figures.push(
        Figure::measured(
            &format!("{SHA256}, online phase, share of the semi-honest rate"),
            "%",
            share,
        )
        .at_least(50.0)
        .note(format!("in process; {:.2} and {:.2} ms", online.median, semi_honest.median)),
    );
    figures.push(bytes(&turns[0].0));
    Ok(figures)
}

/// Bytes an AND in both directions, over the formula.
fn bytes(report: &Report) -> Figure {
    let ands = report.counters.ands as f64;
    let bytes: u64 =
        report.phases.iter().map(|phase| phase.bytes_sent + phase.bytes_received).sum();
    let b = f64::from(bucket_size(report.counters.ands));
    let k = FIELD.bits() as f64;
    let formula = 2.0 * ((3.0 * b - 1.0) * 16.0 / k + 16.0 * b) + 33.0;
    let name = format!("{SHA256}, bytes an AND over the formula");
    Figure::measured(&name, "times", bytes as f64 / ands / formula).at_most(1.05).note(format!(
        "{:.1} bytes, {formula:.1} by the formula, B = {b}, k = {k}",
        bytes as f64 / ands
    ))
}
