//! Hostile peers over TLS: a peer with the right identity and hostile frames, and an attacker
//! between two honest parties who breaks TLS itself, from its first record on.

use super::cases::{self, Case};
use super::link::{End, pipe};
use super::messages::{Around, Random, message};
use super::model::{Model, State, is_life};
use super::outcome::{Outcome, Watch};
use super::{number, on_threads};
use halfgate_circuit::Party;
use halfgate_protocol::keys::Identity;
use halfgate_protocol::stream::{Stream, prepare};
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer, TlsStream};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Sessions in the sample, of each kind.
const SAMPLE: u64 = 60;

/// The limit of a step of a session and of a handshake, and the time after which a party counts as
/// held for ever.
const STEP: Duration = Duration::from_secs(1);
const HELD: Duration = Duration::from_secs(20);

fn cases() -> Vec<Case> {
    cases::all(number("HALFGATE_HOSTILE_SEED", 1))
}

/// Two connected sockets.
pub fn sockets() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dialled = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (prepare(dialled).unwrap(), prepare(listener.accept().unwrap().0).unwrap())
}

/// One side of a handshake, with the correct keys.
fn shake(
    socket: TcpStream,
    dials: bool,
    keys: &[Identity; 2],
    limit: Duration,
) -> Result<TlsStream, tls::TlsError> {
    let [own, peer] = if dials { [&keys[0], &keys[1]] } else { [&keys[1], &keys[0]] };
    let expected = ExpectedPeer::Key(peer.public().fingerprint());
    let (side, never): (fn(_, _, _, _, _) -> _, _) = match dials {
        true => (tls::connect, AtomicBool::new(false)),
        false => (tls::accept, AtomicBool::new(false)),
    };
    side(socket, own, expected, limit, &never)
}

/// When the hostile peer of [`relay`] sent its message: the victim's state, whether its session may
/// end successfully, and how many runs it may report. `None` if no message was sent.
type Done = Option<(State, bool, (usize, usize))>;

/// Relays frames between an honest party and the victim behind `tls`. Instead of frame number `at`
/// to the victim it sends message number `seed`, and disconnects.
fn relay(
    case: &Case,
    victim: Party,
    mut tls: TlsStream,
    mut honest: End,
    at: u64,
    seed: u64,
) -> Done {
    let mut model = Model::new(case, victim);
    tls.set_nonblocking(true).unwrap();
    honest.set_nonblocking(true).unwrap();
    let (mut places, mut before, mut sent) = (0, Vec::new(), Vec::new());
    let mut buffer = vec![0; 1 << 16];
    let begin = Instant::now();
    while begin.elapsed() < HELD {
        let mut idle = true;
        match tls.read(&mut buffer) {
            Ok(0) => return None,
            Ok(count) => {
                idle = false;
                sent.extend_from_slice(&buffer[..count]);
                let whole = super::link::whole_frames(&sent);
                model.sent(&sent[..whole]);
                sent.drain(..whole);
                honest.write_all(&buffer[..count]).ok()?;
            }
            Err(error) if is_tick(error.kind()) => {}
            Err(_) => return None,
        }
        let next = match honest.take_frame() {
            Ok(next) => next,
            Err(_) if idle => {
                std::thread::sleep(Duration::from_micros(200));
                continue;
            }
            Err(_) => continue,
        };
        let life = next.as_deref().is_some_and(is_life);
        if places == at && !life {
            let after = honest.peek_frame();
            let before =
                if before.is_empty() { next.as_deref().unwrap_or_default() } else { &before };
            let around =
                Around { model: &model, before, next: next.as_deref(), after: after.as_deref() };
            let message = message(&around, seed, &mut Random(seed));
            let verdict = model.judge(&message.bytes, next.as_deref());
            write(&mut tls, &message.bytes);
            let _ = tls.close();
            return Some((model.state(next.as_deref()), verdict.complete, verdict.runs));
        }
        let next = next?;
        places += u64::from(!life);
        model.received(&next);
        write(&mut tls, &next);
        before = next;
    }
    None
}

fn is_tick(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Writes all bytes, as long as the other side accepts them.
fn write(tls: &mut TlsStream, mut bytes: &[u8]) {
    let begin = Instant::now();
    while !bytes.is_empty() && begin.elapsed() < HELD {
        match tls.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if is_tick(error.kind()) => std::thread::yield_now(),
            Err(_) => return,
        }
    }
    while tls.flush().is_err_and(|error| is_tick(error.kind())) && begin.elapsed() < HELD {}
}

/// The outcome of `victim` with a peer over TLS that has the right identity and sends a hostile
/// message.
fn over_tls(case: &Case, victim: Party, at: u64, seed: u64) -> (Outcome, Done) {
    let keys = [Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap()];
    let (dialled, accepted) = sockets();
    let (near, far) = pipe();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(Watch::new(case, victim.other()).run(&mut StreamChannel::new(far))));
        let hostile = scope.spawn(|| {
            let tls = shake(dialled, true, &keys, HELD).unwrap();
            relay(case, victim, tls, near, at, seed)
        });
        let mut watch = Watch::new(case, victim).within(STEP, STEP);
        let stream = shake(accepted, false, &keys, HELD).unwrap();
        let outcome = watch.run(&mut StreamChannel::new(stream));
        (Outcome::of(case, victim, outcome, &watch), hostile.join().unwrap())
    })
}

#[test]
fn a_peer_with_the_right_identity_and_hostile_messages_gets_no_further() {
    let cases = cases();
    hostile_identities(&cases, SAMPLE);
}

fn hostile_identities(cases: &[Case], count: u64) {
    on_threads(8, count, &|number| {
        let case = &cases[number as usize % cases.len()];
        let victim = if number / 2 % 2 == 0 { Party::Garbler } else { Party::Evaluator };
        let begin = Instant::now();
        let (outcome, done) = over_tls(case, victim, number % 11, number);
        let about = format!("{}: {number}, the {victim}, {done:?}: {outcome:?}", case.name);
        assert!(begin.elapsed() < HELD, "{about}");
        assert!(outcome.wrong.is_none(), "{about}");
        // The session ended before the message, or exceeded its time.
        let Some((_, complete, runs)) = done else { return };
        match &outcome.error {
            Some((_, text)) => {
                assert!(text.contains(&victim.other().to_string()), "{about}");
                assert!(outcome.runs <= runs.1, "{about}");
            }
            None => assert!(complete, "{about}"),
        }
    });
    println!("hostile peers over TLS with the right identity: {count}; hangs 0, results 0");
}

/// An attack on a TLS record.
#[derive(Clone, Copy, Debug)]
pub enum Breach {
    Flip,
    Cut,
    Drop,
    Twice,
    Swap,
    Alert,
    Garbage,
    Long,
    Handshake,
    Bytes,
    End,
    Drip,
}

pub const BREACHES: [Breach; 12] = [
    Breach::Flip,
    Breach::Cut,
    Breach::Drop,
    Breach::Twice,
    Breach::Swap,
    Breach::Alert,
    Breach::Garbage,
    Breach::Long,
    Breach::Handshake,
    Breach::Bytes,
    Breach::End,
    Breach::Drip,
];

/// A record of any type.
fn record(kind: u8, len: usize, body: &[u8]) -> Vec<u8> {
    [&[kind, 3, 3], &(len as u16).to_be_bytes()[..], body].concat()
}

/// The next complete record; `None` at the end of the stream.
fn next_record(from: &mut TcpStream) -> Option<Vec<u8>> {
    let mut header = [0; 5];
    from.read_exact(&mut header).ok()?;
    let mut record = header.to_vec();
    record.resize(5 + usize::from(u16::from_be_bytes([header[3], header[4]])), 0);
    from.read_exact(&mut record[5..]).ok()?;
    Some(record)
}

/// Relays records from one socket to another, and attacks record number `at`. Ends with either
/// connection.
fn carry(
    mut from: TcpStream,
    mut to: TcpStream,
    breach: Option<(u64, Breach)>,
    mut random: Random,
) {
    from.set_read_timeout(Some(HELD)).unwrap();
    let mut number = 0;
    while let Some(mut record) = next_record(&mut from) {
        let here = breach.filter(|(at, _)| *at == number).map(|(_, breach)| breach);
        number += 1;
        if let Some(breach) = here {
            match break_record(breach, &mut record, (&mut from, &mut to), &mut random) {
                true => {}
                false => break,
            }
        }
        if to.write_all(&record).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

/// Applies the attack to `record`. Returns whether the connection continues.
fn break_record(
    breach: Breach,
    whole: &mut Vec<u8>,
    (from, to): (&mut TcpStream, &mut TcpStream),
    random: &mut Random,
) -> bool {
    let first = match breach {
        Breach::Flip => {
            let bit = random.below(8 * whole.len());
            whole[bit / 8] ^= 1 << (bit % 8);
            Vec::new()
        }
        Breach::Cut => {
            let _ = to.write_all(&whole[..random.below(whole.len())]);
            return false;
        }
        Breach::End => return false,
        Breach::Drop => {
            whole.clear();
            Vec::new()
        }
        Breach::Twice => whole.clone(),
        Breach::Swap => next_record(from).unwrap_or_default(),
        // A fatal alert or a close alert, both unsealed.
        Breach::Alert => record(21, 2, &[1 + random.below(2) as u8, [0, 40][random.below(2)]]),
        Breach::Garbage => {
            let body: Vec<u8> = (0..random.below(1 << 14)).map(|_| random.next() as u8).collect();
            record(23, body.len(), &body)
        }
        Breach::Long => record(23, usize::from(u16::MAX), &vec![7; usize::from(u16::MAX)]),
        Breach::Handshake => record(22, 4, &[[0, 1, 4, 24][random.below(4)], 0, 0, 0]),
        Breach::Bytes => (0..1 + random.below(999)).map(|_| random.next() as u8).collect(),
        Breach::Drip => {
            let begin = Instant::now();
            for byte in whole.iter().cycle() {
                if begin.elapsed() > HELD || to.write_all(&[*byte]).is_err() {
                    return false;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            return false;
        }
    };
    to.write_all(&first).is_ok()
}

/// The outcomes of both parties' sessions, the garbler's first; `None` if there was no session.
pub fn broken(
    case: &Case,
    breach: Option<(u64, Breach)>,
    back: bool,
    seed: u64,
) -> [Option<Outcome>; 2] {
    let keys = [Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap()];
    let ((dialled, middle), (other, accepted)) = (sockets(), sockets());
    let copy = |socket: &TcpStream| socket.try_clone().unwrap();
    std::thread::scope(|scope| {
        let [there, back] = if back { [None, breach] } else { [breach, None] };
        let (from, to) = (copy(&middle), copy(&other));
        scope.spawn(move || carry(from, to, there, Random(seed)));
        scope.spawn(move || carry(other, middle, back, Random(seed)));
        let party = |socket, party: Party| {
            let limit = if breach.is_some() { STEP } else { HELD };
            let mut watch = Watch::new(case, party).within(limit, limit);
            let stream = shake(socket, party == Party::Garbler, &keys, limit).ok()?;
            let outcome = watch.run(&mut StreamChannel::new(stream));
            Some(Outcome::of(case, party, outcome, &watch))
        };
        let garbler = scope.spawn(move || party(dialled, Party::Garbler));
        let evaluator = party(accepted, Party::Evaluator);
        [garbler.join().unwrap(), evaluator]
    })
}

fn break_all(count: u64) {
    let cases = cases();
    on_threads(8, count, &|number| {
        let case = &cases[number as usize % cases.len()];
        let breach = BREACHES[number as usize % BREACHES.len()];
        // Includes records of the handshake and of the session.
        let at = number / 3 % 19;
        let begin = Instant::now();
        let outcomes = broken(case, Some((at, breach)), number % 2 == 1, number);
        let about = format!("{}: {number}, {breach:?} of record {at}: {outcomes:?}", case.name);
        assert!(begin.elapsed() < HELD, "{about}");
        for (party, outcome) in [Party::Garbler, Party::Evaluator].into_iter().zip(&outcomes) {
            let Some(outcome) = outcome else { continue };
            assert!(outcome.wrong.is_none(), "{about}");
            if let Some((_, text)) = &outcome.error {
                assert!(text.contains(&party.other().to_string()), "{about}");
            }
        }
    });
    println!("breaches of TLS between honest parties: {count}; hangs 0, results 0");
}

#[test]
fn breaking_tls_gives_an_error_and_no_wrong_result() {
    // Without an attack the relay changes nothing.
    let outcomes = broken(&cases()[0], None, false, 0);
    assert!(outcomes.iter().flatten().filter(|one| one.is_complete(&cases()[0])).count() == 2);
    break_all(SAMPLE);
}

/// A thousandth of `HALFGATE_HOSTILE` of each sort.
#[test]
#[ignore = "minutes"]
fn a_thousand_breaches_of_tls_give_no_wrong_result() {
    let count = number("HALFGATE_HOSTILE", 1_000_000) / 1000;
    hostile_identities(&cases(), count);
    break_all(count);
}
