//! Measures what this machine computes in a second, by short sessions of both parties in this
//! process, on AES-128.

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::{Order, compile};
use halfgate_console::error::{Exit, Failure};
use halfgate_protocol::session::authenticated::cost::{Phase, bucket_size};
use halfgate_protocol::session::{
    Event, LocalParty, OtField, Report, RunOptions, SecurityLevel, run_local,
};
use halfgate_registry::OnCpu;
use std::num::NonZeroUsize;
use std::time::Instant;

/// ANDs of a block of AES-128.
const BLOCK_ANDS: u64 = 6_400;
/// Most blocks of a malicious sample, which are two windows.
const MAX_BLOCKS: u64 = 21;

/// Measures the ANDs per second of both parties in a semi-honest session.
///
/// # Errors
/// If the engine fails.
pub fn rate() -> Result<f64, Failure> {
    let report = session(64, &RunOptions::default(), |_| {})?;
    Ok(report.counters.ands as f64 / report.total.as_secs_f64().max(1e-9))
}

/// What a short malicious session took.
pub struct Sample {
    /// Leaky ANDs that it combined into one.
    pub bucket_size: u32,
    /// Seconds for the handshake and the transfers' set-up.
    pub setup: f64,
    /// Its windows: the first, which allocates memory, and perhaps one more.
    pub windows: Vec<SampleWindow>,
}

/// A window of a sample.
#[derive(Default)]
pub struct SampleWindow {
    /// ANDs of the window.
    pub ands: u64,
    /// Seconds of each phase.
    pub seconds: [f64; 3],
}

impl Sample {
    /// Runs a malicious session with about as many ANDs as `ands`, but at least one block of
    /// AES-128, and at most two windows. Transfers are over `field`.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn measure(ands: u64, field: OtField) -> Result<Sample, Failure> {
        let blocks = (ands / BLOCK_ANDS).clamp(1, MAX_BLOCKS);
        let options = RunOptions {
            security: SecurityLevel::Malicious,
            ot_field: Some(field),
            ..RunOptions::default()
        };
        let mut windows: Vec<SampleWindow> = Vec::new();
        let mut present: Option<(Phase, Instant)> = None;
        let mut done = 0;
        let report = session(blocks, &options, |event| {
            let now = Instant::now();
            let next = match event {
                Event::PhaseStarted { phase } => Some((phase, now)),
                Event::Progress { .. } => None,
                _ => return,
            };
            if let (Some((phase, start)), Some(window)) = (present, windows.last_mut()) {
                window.seconds[phase as usize] += (now - start).as_secs_f64();
            }
            match event {
                Event::PhaseStarted { phase: Phase::Correlations } => {
                    windows.push(SampleWindow::default());
                }
                Event::Progress { ands, .. } => {
                    if let Some(window) = windows.last_mut() {
                        window.ands = ands - std::mem::replace(&mut done, ands);
                    }
                }
                _ => {}
            }
            present = next;
        })?;
        let setup = report.setup.saturating_sub(report.prepare).as_secs_f64();
        Ok(Sample { bucket_size: bucket_size(report.counters.ands), setup, windows })
    }

    /// ANDs of the sample.
    pub fn ands(&self) -> u64 {
        self.windows.iter().map(|window| window.ands).sum()
    }

    /// Seconds of `phase` for each AND of a run's first window, and of its other windows.
    pub fn seconds_per_and(&self, phase: Phase) -> [f64; 2] {
        [self.windows.first(), self.windows.last()].map(|window| {
            window.map_or(0.0, |window| window.seconds[phase as usize] / window.ands.max(1) as f64)
        })
    }
}

/// Runs a session of `blocks` chained blocks of AES-128. Calls `events` for the garbler's events.
/// Returns the garbler's report.
fn session(
    blocks: u64,
    options: &RunOptions,
    events: impl FnMut(Event) + Send,
) -> Result<Report, Failure> {
    let local = |error: &dyn std::fmt::Display| Failure::new(Exit::Local, error);
    let name = format!("aes128-chained:{blocks}");
    let circuit = halfgate_programs::build(&name).map_err(|e| local(&e))?;
    let program = compile(circuit, Order::default()).map_err(|e| local(&e))?;
    let threads = Some(NonZeroUsize::MIN);
    let engine =
        halfgate_registry::engine("cpu", OnCpu { threads, ..OnCpu::default() }, &[], None)?;
    let zeros = |party: Party| {
        let own = program.circuit.inputs.iter();
        own.map(|input| (input.party == party).then(|| Bits::with_len(input.width as usize)))
            .collect()
    };
    let options = RunOptions { cycles: program.circuit.cycles, ..options.clone() };
    let (garbler, evaluator) = (zeros(Party::Garbler), zeros(Party::Evaluator));
    let garbler = LocalParty::new(&*engine, &garbler).with_events(events);
    let evaluator = LocalParty::new(&*engine, &evaluator);
    let (report, _) = run_local(&program, garbler, evaluator, &options)?;
    Ok(report)
}
