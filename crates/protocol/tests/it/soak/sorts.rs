//! The kinds of sessions.

use super::faulty::{self, Fault, Faulty};
use super::{IDLE_TIMEOUT, STEP};
use crate::hostile::cases::Case;
use crate::hostile::link::pipe;
use crate::hostile::messages::Random;
use crate::hostile::outcome::{Outcome, Watch};
use crate::hostile::records::{BREACHES, broken, sockets};
use crate::hostile::snapshot::ChildOutput;
use halfgate_circuit::Party;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::keys::Identity;
use halfgate_protocol::net::{self, Listener};
use halfgate_protocol::offline::{FileError, TableFile, garble_from_file, garble_to_file};
use halfgate_protocol::rendezvous::{self, Wait};
use halfgate_protocol::session::{Deadlines, Report, SessionError};
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer};
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Runs session number `number`. Returns whether there was a fault.
pub fn run(case: &Case, number: u64, random: &mut Random) -> bool {
    match number % 8 {
        0 | 1 => {
            let (near, far) = pipe();
            over(case, near, far, random)
        }
        2 | 3 => {
            let (near, far) = sockets();
            over(case, near, far, random)
        }
        4 => over_broken_tls(case, number, random),
        5 => among_unknown_peers(case, random),
        6 if case.runs() == 1 && case.program.skips.is_none() => from_file(case, random),
        _ => killed(case, random),
    }
}

/// Checks that a party's outcome is allowed; `sound` if there was no fault.
fn check(case: &Case, party: Party, outcome: &Outcome, sound: bool) {
    let about = format!("{}, the {party}: {outcome:?}", case.name);
    assert!(outcome.wrong.is_none(), "{about}");
    assert!(!sound || outcome.is_complete(case), "{about}");
    if let Some((_, text)) = &outcome.error {
        assert!(text.contains(&party.other().to_string()), "{about}");
    }
}

/// One party's session over a stream. Without a fault it has no short limits.
fn party(case: &Case, party: Party, stream: impl Stream, sound: bool) -> Outcome {
    let mut watch = Watch::new(case, party);
    if !sound {
        watch = watch.within(IDLE_TIMEOUT, STEP);
    }
    // With a thread that sends, where the stream can be divided.
    let outcome = watch.run(&mut StreamChannel::with_thread(stream));
    Outcome::of(case, party, outcome, &watch)
}

/// A session over two connected streams, one of which has a fault.
fn over(case: &Case, near: impl Stream, far: impl Stream, random: &mut Random) -> bool {
    let (fault, left) = (faulty::random(random), random.below(12_000));
    let faulty_one = random.below(2) == 0;
    let fault_of = |one| if one == faulty_one { fault } else { Fault::None };
    let (near, far) =
        (Faulty::new(near, fault_of(true), left), Faulty::new(far, fault_of(false), left));
    let sound = matches!(fault, Fault::None | Fault::Delay);
    std::thread::scope(|scope| {
        let garbler = scope.spawn(|| party(case, Party::Garbler, near, sound));
        check(case, Party::Evaluator, &party(case, Party::Evaluator, far, sound), sound);
        check(case, Party::Garbler, &garbler.join().unwrap(), sound);
    });
    fault != Fault::None
}

/// A session over TLS, with an attacker between the parties who breaks it.
fn over_broken_tls(case: &Case, number: u64, random: &mut Random) -> bool {
    let breach =
        (random.below(5) > 0).then(|| (random.next() % 19, BREACHES[random.below(BREACHES.len())]));
    let outcomes = broken(case, breach, random.below(2) == 0, number);
    for (party, outcome) in [Party::Garbler, Party::Evaluator].into_iter().zip(&outcomes) {
        assert!(breach.is_some() || outcome.is_some(), "{}: no TLS", case.name);
        outcome.iter().for_each(|outcome| check(case, party, outcome, breach.is_none()));
    }
    breach.is_some()
}

/// A session over TLS with a peer that connects among unknown peers.
fn among_unknown_peers(case: &Case, random: &mut Random) -> bool {
    let never = &AtomicBool::new(false);
    let (own, peer) = (&Identity::ephemeral().unwrap(), &Identity::ephemeral().unwrap());
    let pin = |key: &Identity| ExpectedPeer::Key(key.public().fingerprint());
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = &listener.address().unwrap().to_string();
    let wait = Duration::from_secs(10);
    let unknown_peers: Vec<_> = (0..random.below(5))
        .map(|_| {
            let mut unknown_peer = TcpStream::connect(address).unwrap();
            let hello = [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[22, 3, 1, 2, 0, 1], &[0; 300]];
            unknown_peer.write_all(hello[random.below(4)]).unwrap();
            unknown_peer
        })
        .collect();
    let sound = std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            let socket = net::connect(address, wait, never).unwrap();
            let stream = tls::connect(socket, peer, pin(own), wait, never).unwrap();
            party(case, Party::Evaluator, stream, true)
        });
        let wait = Wait::new(wait);
        let stream =
            rendezvous::accept(&listener, own, pin(peer), wait, never, &mut |_| {}).unwrap();
        check(case, Party::Garbler, &party(case, Party::Garbler, stream, true), true);
        check(case, Party::Evaluator, &evaluator.join().unwrap(), true);
        unknown_peers.is_empty()
    });
    !sound
}

/// A session with tables from a file, which may be too long for the disk, truncated, or used.
fn from_file(case: &Case, random: &mut Random) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("tables");
    let engine = CpuEngine::new(None).unwrap();
    let (program, options) = (&case.program, &case.options);
    if let Err(error) = garble_to_file(program, &engine, options, path, &mut |_| {}) {
        // The disk is full; the file, which holds secrets, was removed.
        assert!(matches!(&error, SessionError::File(FileError::Io { .. })), "{error}");
        assert!(!path.exists(), "{error}");
        return true;
    }
    if random.below(4) == 0 {
        let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_len(random.next() % file.metadata().unwrap().len()).unwrap();
        assert!(TableFile::open(path, program, options).is_err(), "a file that is cut");
        return true;
    }
    let fault = faulty::random(random);
    let (near, far) = pipe();
    let near = Faulty::new(near, fault, random.below(9_000));
    let sound = matches!(fault, Fault::None | Fault::Delay);
    let mut options = options.clone();
    if !sound {
        options.timeout = IDLE_TIMEOUT;
        options.deadlines = Deadlines { setup: STEP, run: Some(STEP) };
    }
    let options = &options;
    let reports: Result<Report, _> = std::thread::scope(|scope| {
        let evaluator = scope.spawn(|| party(case, Party::Evaluator, far, sound));
        let tables = TableFile::open(path, program, options).unwrap();
        let mut channel = StreamChannel::new(near);
        let inputs = &case.inputs[0][0];
        let report = garble_from_file(&mut channel, tables, inputs, options, &mut |_| {});
        drop(channel);
        check(case, Party::Evaluator, &evaluator.join().unwrap(), sound);
        report
    });
    let watch = Watch::new(case, Party::Garbler);
    let reports = reports.map(|report| vec![report]);
    let complete = reports.is_ok();
    check(case, Party::Garbler, &Outcome::of(case, Party::Garbler, reports, &watch), sound);
    if complete {
        let used = TableFile::open(path, program, options).err();
        assert!(matches!(used, Some(SessionError::File(FileError::Used { .. }))), "{used:?}");
    }
    fault != Fault::None
}

/// A session with a peer in another process that is killed at a random moment.
fn killed(case: &Case, random: &mut Random) -> bool {
    let (near, far) = sockets();
    let victim = if random.below(2) == 0 { Party::Garbler } else { Party::Evaluator };
    let mut child_output = ChildOutput::new();
    let Some(child) = child_output.fork() else {
        drop(near);
        let outcome = party(case, victim.other(), far, false);
        child_output.exit(&format!("{outcome:?}"));
    };
    drop(far);
    std::thread::scope(|scope| {
        let wait = Duration::from_micros(random.next() % 15_000);
        scope.spawn(move || {
            std::thread::sleep(wait);
            child.kill();
        });
        check(case, victim, &party(case, victim, near, false), false);
    });
    true
}
