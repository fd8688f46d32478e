//! Runs two parties in one process, each on its own thread, over memory, TCP or TLS.

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::keys::Identity;
use halfgate_protocol::session::{
    PartyInputs, Report, RunOptions, SecurityLevel, evaluate, garble,
};
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::{net, ring, tls};
use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(30);

/// The connection of the two parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// A ring of buffers in memory.
    Memory,
    /// TCP over loopback.
    Tcp,
    /// TLS over TCP.
    Tls,
}

/// Whether a thread of its own seals and sends what a party sends over a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// If there is a core for it, as in sessions of users.
    AsUsual,
    /// Always.
    Thread,
    /// Never.
    NoThread,
}

/// Seconds that the slower party takes for the second of two runs over one connection. Inputs are
/// arbitrary, since times do not depend on them.
///
/// # Errors
/// If the session fails.
pub fn seconds(program: &Program, over: Over) -> Result<f64, String> {
    let [_, second] = two_runs(program, over, Sender::AsUsual)?;
    Ok(second)
}

/// Seconds that the slower party takes for each of two runs over one connection. Those of the first
/// include lowering.
///
/// # Errors
/// If the session fails.
pub fn two_runs(program: &Program, over: Over, sender: Sender) -> Result<[f64; 2], String> {
    let reports = reports(program, (over, sender), 2)?;
    let seconds = |run: usize| {
        let of = reports.iter().map(|reports| {
            let Report { total, prepare, .. } = &reports[run];
            total.as_secs_f64() + if run == 0 { prepare.as_secs_f64() } else { 0.0 }
        });
        of.fold(0.0, f64::max)
    };
    Ok([seconds(0), seconds(1)])
}

/// Runs both parties once. Returns their reports.
///
/// # Errors
/// If the session fails.
pub fn parties(program: &Program, over: Over) -> Result<(Report, Report), String> {
    parties_at(SecurityLevel::SemiHonest, program, over)
}

/// Runs both parties once at a security level. Returns their reports.
///
/// # Errors
/// If the session fails.
pub fn parties_at(
    security: SecurityLevel,
    program: &Program,
    over: Over,
) -> Result<(Report, Report), String> {
    let options = RunOptions { security, ..options(program) };
    let [garbler, evaluator] = reports_with(program, (over, Sender::AsUsual), 1, &options)?;
    let last = |mut reports: Vec<Report>| reports.pop().ok_or("a run without a report");
    Ok((last(garbler)?, last(evaluator)?))
}

/// Runs both parties, each on its own thread, `runs` times over one connection. Returns the reports
/// of the garbler and of the evaluator.
fn reports(
    program: &Program,
    way: (Over, Sender),
    runs: usize,
) -> Result<[Vec<Report>; 2], String> {
    reports_with(program, way, runs, &options(program))
}

fn options(program: &Program) -> RunOptions {
    RunOptions { cycles: program.circuit.cycles, ..RunOptions::default() }
}

/// [`reports`] with these options.
fn reports_with(
    program: &Program,
    (over, sender): (Over, Sender),
    runs: usize,
    options: &RunOptions,
) -> Result<[Vec<Report>; 2], String> {
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let run = |role: Party, mut channel: Box<dyn Channel>| {
        let session = if role == Party::Garbler { garble } else { evaluate };
        let inputs: Vec<_> = (0..runs).map(|_| inputs(program, role)).collect();
        let reports = session(&mut *channel, program, &engine, &inputs, options, &mut |_| {});
        reports.map_err(|e| format!("{role}: {e}"))
    };
    let connect = connections(over, sender)?;
    thread::scope(|scope| {
        let [garbler, evaluator] = connect;
        let other = scope.spawn(move || run(Party::Evaluator, evaluator()?));
        let garbler = garbler().and_then(|channel| run(Party::Garbler, channel));
        let evaluator = other.join().map_err(|_| "the evaluator's thread panicked")?;
        Ok([garbler?, evaluator?])
    })
}

/// Creates the connections of the garbler and the evaluator; each party calls its part on its own
/// thread.
type Connect = Box<dyn FnOnce() -> Result<Box<dyn Channel>, String> + Send>;

fn connections(over: Over, sender: Sender) -> Result<[Connect; 2], String> {
    if over == Over::Memory {
        let (one, other) = ring::pair();
        return Ok([
            Box::new(move || Ok(Box::new(one) as _)),
            Box::new(move || Ok(Box::new(other) as _)),
        ]);
    }
    let listener = net::Listener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    let address = listener.address().map_err(|e| e.to_string())?.to_string();
    let go = || AtomicBool::new(false);
    let accept = move || {
        let (socket, _) = listener.accept(TIMEOUT, &go()).map_err(|e| e.to_string())?;
        channel(socket, true, (over, sender))
    };
    let dial = move || {
        let socket = net::connect(&address, TIMEOUT, &go()).map_err(|e| e.to_string())?;
        channel(socket, false, (over, sender))
    };
    Ok([Box::new(accept), Box::new(dial)])
}

fn channel(
    socket: TcpStream,
    listens: bool,
    (over, sender): (Over, Sender),
) -> Result<Box<dyn Channel>, String> {
    if over == Over::Tcp {
        return Ok(channel_over(socket, sender));
    }
    let identity = Identity::ephemeral().map_err(|e| e.to_string())?;
    let shake = if listens { tls::accept } else { tls::connect };
    let go = AtomicBool::new(false);
    let stream = shake(socket, &identity, tls::ExpectedPeer::Anyone, TIMEOUT, &go)
        .map_err(|e| e.to_string())?;
    Ok(channel_over(stream, sender))
}

fn channel_over(stream: impl Stream + 'static, sender: Sender) -> Box<dyn Channel> {
    Box::new(match sender {
        Sender::AsUsual => StreamChannel::new(stream),
        Sender::Thread => StreamChannel::with_thread(stream),
        Sender::NoThread => StreamChannel::without_thread(stream),
    })
}

/// An arbitrary value for each of a party's inputs.
fn inputs(program: &Program, party: Party) -> PartyInputs {
    let cycles = program.circuit.cycles as usize;
    let value = |input: &halfgate_circuit::Input| {
        let bits = input.width as usize * if input.per_cycle { cycles } else { 1 };
        (0..bits).map(|i| (i * 7 + i / 5) % 3 == 0).collect::<Bits>()
    };
    let mine = |input: &halfgate_circuit::Input| (input.party == party).then(|| value(input));
    program.circuit.inputs.iter().map(mine).collect()
}
