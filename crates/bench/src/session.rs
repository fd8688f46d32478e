//! Measures two parties, each on its own core, beside the cost of the engine and the channel alone.
//!
//! A channel bounds the rate. On one core, each AND takes the time to garble it and the time to
//! send its 32 bytes. Over TLS, it also takes the time to encrypt them. All three times are
//! measured here, in one run of one process.

use halfgate_compiler::Program;
use halfgate_record::engine::{measure, program};
use halfgate_record::measure::{Spread, timed};
use halfgate_record::record::Figure;
use halfgate_record::session::{Over, parties, seconds};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const TURNS: usize = 5;

/// Measures AES-128 chained a thousand times and bubble sort over each channel, and the set-up
/// time.
///
/// # Errors
/// If a session fails.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    report("  the channel alone");
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
        report(&format!("  {spec}, one core alone"));
        let alone = measure(&program)?;
        for over in [Over::Memory, Over::Tcp, Over::Tls] {
            report(&format!("  {spec}, {over:?}"));
            let (name, published, floor, cost): (_, _, f64, Option<f64>) = match over {
                Over::Memory => ("in process", None, 50.0, None),
                Over::Tcp => ("loopback TCP", Some(15.5), 35.0, Some(send.median)),
                Over::Tls => ("TLS", None, 25.0, Some(send.median + seal.median)),
            };
            let rates = (0..TURNS).map(|_| rate(&program, over)).collect::<Result<_, _>>()?;
            let rates = Spread::of(rates);
            let figure =
                Figure::measured(&format!("{spec}, both parties, {name}"), "M AND/s", rates.median);
            let mut note = rates.to_string();
            let target = match cost {
                None => floor,
                Some(channel) => {
                    let allowed = 1e-6 / (alone.garble.median + channel);
                    note += &format!(
                        "; target: 85 % of {allowed:.1} M AND/s, but at least {floor}. The \
                         {allowed:.1} follow from {:.1} ns to garble and {:.1} ns for the channel \
                         per AND",
                        alone.garble.median * 1e9,
                        channel * 1e9
                    );
                    floor.max(0.85 * allowed)
                }
            };
            if let Some(published) = published.filter(|_| spec.starts_with("aes")) {
                note += &format!("; EMP 1.0-alpha reaches {published}, {}", crate::PEERS_MACHINE);
            }
            figures.push(figure.at_least(target).note(note));
        }
    }
    report("  set-up");
    let small = program("millionaires:32")?;
    let setups = (0..9).map(|_| Ok(parties(&small, Over::Tcp)?.0.setup.as_secs_f64() * 1e3));
    let setups = Spread::of(setups.collect::<Result<_, String>>()?);
    figures.push(
        Figure::measured("TCP accept to the first usable correlated OT", "ms", setups.median)
            .at_most(20.0)
            .note(format!("{setups}; measured by the garbler, handshake and base OTs included")),
    );
    Ok(figures)
}

/// Returns million ANDs per second of the slower party, from its first label to its outputs, in the
/// second of two runs over one connection. In the first run, one party may still be preparing the
/// program while the other waits for it.
fn rate(program: &Program, over: Over) -> Result<f64, String> {
    let ands = program.ands_per_cycle() * program.circuit.cycles;
    Ok(ands as f64 / seconds(program, over)? * 1e-6)
}

/// Returns the sender's time in seconds per 32 bytes over loopback TCP, in writes of 128 KiB.
pub(crate) fn tcp_seconds() -> Result<f64, String> {
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

/// Returns the seconds to encrypt 32 bytes, in TLS records of 16 KiB, with the library that TLS
/// uses.
pub(crate) fn seal_seconds() -> f64 {
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
