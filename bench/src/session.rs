//! Two parties, each on a core of its own, beside what the engine and the channel cost alone.
//!
//! The bound that a channel allows: a party garbles an AND, then sends its 32 bytes, on one core;
//! over TLS it seals them as well. The three times are measured here, in the same process run.

use crate::engine::{measure, program};
use crate::measure::{Spread, timed};
use crate::record::Figure;
use halfgate_circuit::{Bits, Party};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::keys::Identity;
use halfgate_protocol::session::{PartyInputs, Report, RunOptions, evaluate, garble};
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::{net, ring, tls};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

const TURNS: usize = 5;
const TIMEOUT: Duration = Duration::from_secs(30);

/// How the two parties are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    Memory,
    Tcp,
    Tls,
}

/// AES-128 chained a thousand times and bubble sort over each channel, and the set-up time.
///
/// # Errors
/// If a session fails.
pub fn run(say: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    say("  the channel alone");
    let send = Spread::of((0..TURNS).map(|_| tcp_seconds()).collect::<Result<_, _>>()?);
    let seal = Spread::of((0..TURNS).map(|_| seal_seconds()).collect());
    let ns = |s: Spread| s.map(|seconds| seconds * 1e9);
    figures.push(
        Figure::measured("send 32 bytes over loopback TCP", "ns", ns(send).median)
            .note(ns(send).to_string()),
    );
    figures.push(
        Figure::measured("seal 32 bytes with AES-128-GCM", "ns", ns(seal).median)
            .note(ns(seal).to_string()),
    );
    for spec in ["aes128-chained:1000", "sort:256x32"] {
        let program = program(spec)?;
        say(&format!("  {spec}, one core alone"));
        let alone = measure(&program)?;
        for over in [Over::Memory, Over::Tcp, Over::Tls] {
            say(&format!("  {spec}, {over:?}"));
            let (name, published, floor, cost): (_, _, f64, Option<f64>) = match over {
                Over::Memory => ("in process", None, 50.0, None),
                Over::Tcp => ("loopback TCP", Some(15.5), 35.0, Some(send.median)),
                Over::Tls => ("TLS", None, 25.0, Some(send.median + seal.median)),
            };
            let rates = (0..TURNS).map(|_| rate(&program, over)).collect::<Result<_, _>>()?;
            let rates = Spread::of(rates);
            let mut figure =
                Figure::measured(&format!("{spec}, both parties, {name}"), "M AND/s", rates.median);
            let mut note = rates.to_string();
            let target = match cost {
                None => floor,
                Some(channel) => {
                    let allowed = 1e-6 / (alone.garble.median + channel);
                    note += &format!(
                        "; target 85 % of the {allowed:.1} that {:.1} ns to garble and {:.1} ns \
                         for the channel allow, and never under {floor}",
                        alone.garble.median * 1e9,
                        channel * 1e9
                    );
                    floor.max(0.85 * allowed)
                }
            };
            if let Some(published) = published.filter(|_| spec.starts_with("aes")) {
                figure = figure.published(published);
            }
            figures.push(figure.at_least(target).note(note));
        }
    }
    say("  set-up");
    let small = program("millionaires:32")?;
    let setups = (0..9).map(|_| Ok(parties(&small, Over::Tcp, 1)?.0.setup.as_secs_f64() * 1e3));
    let setups = Spread::of(setups.collect::<Result<_, String>>()?);
    figures.push(
        Figure::measured("TCP accept to the first usable correlated OT", "ms", setups.median)
            .at_most(20.0)
            .note(format!("{setups}; the garbler's clock, handshake and base OTs included")),
    );
    Ok(figures)
}

/// Million ANDs a second of the slower party, from its first label to its outputs, in the second
/// of two runs over one connection: in the first, one party may still be preparing the program
/// while the other one waits for it.
fn rate(program: &Program, over: Over) -> Result<f64, String> {
    let ands = program.ands_per_cycle() * program.circuit.cycles;
    Ok(ands as f64 / seconds(program, over)? * 1e-6)
}

/// Seconds of the slower party for one run, its second, on some inputs: no time depends on them.
pub(crate) fn seconds(program: &Program, over: Over) -> Result<f64, String> {
    let (garbler, evaluator) = parties(program, over, 2)?;
    Ok(garbler.total.max(evaluator.total).as_secs_f64())
}

/// Runs both parties, each on its own thread, so many times over one connection; the reports of
/// the last run.
fn parties(program: &Program, over: Over, runs: usize) -> Result<(Report, Report), String> {
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

/// How the garbler and the evaluator come by their ends of a connection, each on its own thread.
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

/// Some value for each of a party's inputs.
fn inputs(program: &Program, party: Party) -> PartyInputs {
    let cycles = program.circuit.cycles as usize;
    let value = |input: &halfgate_circuit::Input| {
        let bits = input.width as usize * if input.per_cycle { cycles } else { 1 };
        (0..bits).map(|i| (i * 7 + i / 5) % 3 == 0).collect::<Bits>()
    };
    let mine = |input: &halfgate_circuit::Input| (input.party == party).then(|| value(input));
    program.circuit.inputs.iter().map(mine).collect()
}

/// Seconds of the sender's time for 32 bytes over loopback TCP, in writes of 128 KiB.
fn tcp_seconds() -> Result<f64, String> {
    const WRITE: usize = 128 << 10;
    const WRITES: usize = 2048;
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    thread::scope(|scope| {
        let reader = scope.spawn(move || -> std::io::Result<()> {
            let (mut socket, _) = listener.accept()?;
            let mut buffer = vec![0; 256 << 10];
            while socket.read(&mut buffer)? > 0 {}
            Ok(())
        });
        let mut socket = TcpStream::connect(address).map_err(|e| e.to_string())?;
        let block = vec![0x5a; WRITE];
        let (sent, seconds) = timed(|| (0..WRITES).try_for_each(|_| socket.write_all(&block)));
        sent.map_err(|e| e.to_string())?;
        drop(socket);
        reader.join().map_err(|_| "the reader panicked")?.map_err(|e| e.to_string())?;
        Ok(seconds / (WRITE * WRITES / 32) as f64)
    })
}

/// Seconds to seal 32 bytes, in TLS records of 16 KiB, with the library that TLS uses.
fn seal_seconds() -> f64 {
    use ::ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
    const RECORD: usize = 16 << 10;
    const RECORDS: usize = 4096;
    let key = UnboundKey::new(&AES_128_GCM, &[7; 16]).expect("16 bytes are a key");
    let key = LessSafeKey::new(key);
    let mut record = vec![0; RECORD];
    let ((), seconds) = timed(|| {
        for i in 0..RECORDS as u64 {
            let mut nonce = [0; 12];
            nonce[..8].copy_from_slice(&i.to_le_bytes());
            let nonce = Nonce::assume_unique_for_key(nonce);
            let _tag = key
                .seal_in_place_separate_tag(nonce, Aad::empty(), &mut record)
                .expect("a record is not too long");
        }
    });
    seconds / (RECORD * RECORDS / 32) as f64
}
