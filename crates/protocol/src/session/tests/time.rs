//! A peer that does just enough to avoid the idle timeout: it cannot hold a party beyond a
//! deadline, nor hide a cancellation.

use super::dishonest::Deviant;
use super::*;
use crate::frame::{HEADER, Header};
use crate::handshake::LabelMode;
use crate::keys::Identity;
use crate::tls::{self, ExpectedPeer, TlsStream};
use std::io::Write;
use std::net::{TcpListener, TcpStream};

/// Time between two bytes or heartbeats: shorter than any timeout here.
const OFTEN: Duration = Duration::from_millis(20);

/// How long a peer continues unless the other party has ended. A party that is held this long
/// counts as held for ever.
const FOR_EVER: Duration = Duration::from_secs(20);

/// Returns the result of `party`, while its peer repeats `act` as long as that returns true.
#[track_caller]
fn while_held<T: Send>(
    party: impl FnOnce() -> T + Send,
    mut act: impl FnMut() -> bool + Send,
) -> T {
    let over = AtomicBool::new(false);
    let (result, freed) = std::thread::scope(|scope| {
        let peer = scope.spawn(|| {
            let begin = Instant::now();
            while begin.elapsed() < FOR_EVER && !over.load(Ordering::Relaxed) && act() {
                std::thread::sleep(OFTEN);
            }
            begin.elapsed() < FOR_EVER
        });
        let result = party();
        over.store(true, Ordering::Relaxed);
        (result, peer.join().unwrap())
    });
    assert!(freed, "the party was held until its peer gave up");
    result
}

/// A small case, and options with short limits.
fn short() -> (Case, RunOptions) {
    let (case, options, _) = small(1);
    let deadlines = Deadlines { setup: Duration::from_secs(1), run: Some(Duration::from_secs(1)) };
    (case, RunOptions { timeout: Duration::from_millis(500), deadlines, ..options })
}

/// The error of an honest party.
fn honest(
    role: Party,
    channel: &mut dyn Channel,
    case: &Case,
    options: &RunOptions,
) -> SessionError {
    let (engine, program) = (engine(), &case.program);
    let outcome = match role {
        Party::Garbler => garble(channel, program, &engine, &case.garbler, options, &mut |_| {}),
        Party::Evaluator => {
            evaluate(channel, program, &engine, &case.evaluator, options, &mut |_| {})
        }
    };
    outcome.expect_err("its peer sends no more than signs of life")
}

const BOTH: [Party; 2] = [Party::Garbler, Party::Evaluator];

#[test]
fn a_slowly_sent_first_message_ends_at_the_timeout() {
    let (case, options) = short();
    for role in BOTH {
        let (near, mut far) = pipe(Fault::None, Fault::None);
        let mut near = StreamChannel::new(near);
        let mut header = [0; HEADER];
        Header::write_fields(Kind::Hello, 0, 1 << 16, &mut header);
        far.write_raw(&header);
        let party = || honest(role, &mut near, &case, &options);
        let error = while_held(party, || {
            far.write_raw(&[0]);
            true
        });
        assert_eq!(error.class(), ErrorClass::Timeout, "{error}");
        assert!(error.to_string().contains(&role.other().to_string()), "{error}");
    }
}

#[test]
fn a_heartbeat_before_the_hello_is_refused() {
    let (case, options) = short();
    for role in BOTH {
        let (near, mut far) = pipe(Fault::None, Fault::None);
        let mut frame = [0; HEADER + 8];
        Header::seal(Kind::Heartbeat, 0, &mut frame);
        far.write_raw(&frame);
        let error = honest(role, &mut StreamChannel::new(near), &case, &options);
        assert_eq!(error.class(), ErrorClass::Protocol, "{error}");
        assert!(error.to_string().contains("heartbeat before its first message"), "{error}");
    }
}

#[test]
fn heartbeats_do_not_extend_the_handshake_or_the_setup() {
    let (case, options) = short();
    let (case, options) = (&case, &options);
    let held = |role, begin: &(dyn Fn(&mut StreamChannel<Pipe>) + Sync)| {
        let (mut near, mut far) = pipe_channels();
        far.set_timing(Timing::new(options.timeout, Arc::default()));
        let party = || honest(role, &mut near, case, options);
        let mut begun = false;
        let error = while_held(party, move || {
            if !std::mem::replace(&mut begun, true) {
                begin(&mut far);
            }
            far.tick().is_ok()
        });
        assert_eq!(error.class(), ErrorClass::Timeout, "{error}");
        error.to_string()
    };
    // An evaluator that never finishes compiling the program.
    let text = held(Party::Garbler, &|far| {
        handshake::request(far, options, [0; 32]).unwrap();
    });
    assert!(text.contains("the evaluator did not finish the handshake"), "{text}");
    for role in BOTH {
        let text = held(role, &|far| {
            let mut hello = Hello::new(role.other(), &case.program, 1, options, [0; 32]).unwrap();
            hello.labels = (role == Party::Evaluator).then_some(LabelMode::Correlated);
            let outputs = case.program.circuit.outputs.len();
            handshake::shake(far, &hello, None, outputs).unwrap();
        });
        assert!(text.contains("did not finish the set-up of oblivious transfers"), "{text}");
    }
}

#[test]
fn a_run_has_a_deadline_if_one_is_set() {
    let (case, options) = short();
    let (a, b) = pipe_channels();
    // It withholds its digest, so both parties wait, and both send heartbeats.
    let a = Deviant::new(a, Kind::Digest, |_, _| vec![]);
    let (garbled, evaluated) = both(&case, (&options, &options), (a, b));
    let errors = [garbled.unwrap_err(), evaluated.unwrap_err()].map(|error| error.to_string());
    // One of them is first and notifies the other.
    for text in &errors {
        assert!(text.contains("did not finish the run by its deadline of 1 s"), "{text}");
    }
}

/// A channel over TLS, and the other side's stream.
fn over_tls() -> (StreamChannel<TlsStream>, TlsStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dialled = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let dialled = crate::stream::prepare(dialled).unwrap();
    let accepted = crate::stream::prepare(listener.accept().unwrap().0).unwrap();
    let own = Identity::ephemeral().unwrap();
    let (own, never) = (&own, &AtomicBool::new(false));
    std::thread::scope(|scope| {
        let far =
            scope.spawn(move || tls::connect(dialled, own, ExpectedPeer::Anyone, FOR_EVER, never));
        let near = tls::accept(accepted, own, ExpectedPeer::Anyone, FOR_EVER, never).unwrap();
        (StreamChannel::new(near), far.join().unwrap().unwrap())
    })
}

/// Sends bytes of a TLS record that never ends.
fn drip(far: &TlsStream, sent: &mut usize) -> bool {
    let bytes: &[u8] = if *sent == 0 { &[23, 3, 3, 64, 0] } else { &[0] };
    *sent += 1;
    far.socket().write_all(bytes).is_ok()
}

#[test]
fn a_slowly_sent_tls_record_does_not_extend_the_timeout() {
    let (case, options) = short();
    for role in BOTH {
        let (mut near, far) = over_tls();
        let mut sent = 0;
        let party = || honest(role, &mut near, &case, &options);
        let error = while_held(party, move || drip(&far, &mut sent));
        assert_eq!(error.class(), ErrorClass::Timeout, "{error}");
    }
}

#[test]
fn a_slowly_sent_tls_record_hides_no_cancellation() {
    let (case, options) = short();
    let options = RunOptions { timeout: 2 * FOR_EVER, ..options };
    let options = RunOptions { deadlines: Deadlines::default(), ..options };
    for role in BOTH {
        let (mut near, far) = over_tls();
        let options = RunOptions { cancel: Arc::default(), ..options.clone() };
        let (mut sent, cancel) = (0, options.cancel.clone());
        let party = || honest(role, &mut near, &case, &options);
        let error = while_held(party, move || {
            cancel.fetch_or(sent > 10, Ordering::Relaxed);
            drip(&far, &mut sent)
        });
        assert!(matches!(error, SessionError::Cancelled { .. }), "{error}");
    }
}
