//! Runs two parties in one process, each on its own thread, over memory, TCP or TLS.

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::keys::Identity;
use halfgate_protocol::session::{PartyInputs, Report, RunOptions, evaluate, garble};
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

/// Seconds that the slower party takes for the second of two runs over one connection. Inputs are
/// arbitrary, since times do not depend on them.
///
/// # Errors
/// If the session fails.
pub fn seconds(program: &Program, over: Over) -> Result<f64, String> {
    let (garbler, evaluator) = parties(program, over, 2)?;
    Ok(garbler.total.max(evaluator.total).as_secs_f64())
}

/// Runs both parties, each on its own thread, `runs` times over one connection. Returns the reports
/// of the last run.
///
/// # Errors
/// If the session fails.
pub fn parties(program: &Program, over: Over, runs: usize) -> Result<(Report, Report), String> {
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let options = RunOptions { cycles: program.circuit.cycles, ..RunOptions::default() };
    let run = |role: Party, mut channel: Box<dyn Channel>| -> Result<Report, String> {
        let session = if role == Party::Garbler { garble } else { evaluate };
        let inputs: Vec<_> = (0..runs).map(|_| inputs(program, role)).collect();
        let reports = session(&mut *channel, program, &engine, &inputs, &options, &mut |_| {});
        let report = reports.map_err(|e| format!("{role}: {e}"))?.pop();
        report.ok_or_else(|| "a run without a report".to_owned())
    };
    let connect = connections(over)?;
    thread::scope(|scope| {
        let [garbler, evaluator] = connect;
        let other = scope.spawn(move || run(Party::Evaluator, evaluator()?));
        let garbler = garbler().and_then(|channel| run(Party::Garbler, channel));
        let evaluator = other.join().map_err(|_| "the evaluator's thread panicked")?;
        Ok((garbler?, evaluator?))
    })
}

/// Creates the connections of the garbler and the evaluator; each party calls its part on its own
/// thread.
type Connect = Box<dyn FnOnce() -> Result<Box<dyn Channel>, String> + Send>;

fn connections(over: Over) -> Result<[Connect; 2], String> {
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
        channel(socket, true, over)
    };
    let dial = move || {
        let socket = net::connect(&address, TIMEOUT, &go()).map_err(|e| e.to_string())?;
        channel(socket, false, over)
    };
    Ok([Box::new(accept), Box::new(dial)])
}

fn channel(socket: TcpStream, listens: bool, over: Over) -> Result<Box<dyn Channel>, String> {
    if over == Over::Tcp {
        return Ok(Box::new(StreamChannel::new(socket)));
    }
    let identity = Identity::ephemeral().map_err(|e| e.to_string())?;
    let shake = if listens { tls::accept } else { tls::connect };
    let go = AtomicBool::new(false);
    let stream = shake(socket, &identity, tls::ExpectedPeer::Anyone, TIMEOUT, &go)
        .map_err(|e| e.to_string())?;
    Ok(Box::new(StreamChannel::new(stream)))
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
