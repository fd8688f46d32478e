//! Two threads on loopback.

use super::*;
use crate::stream::{Stream, is_tick};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::thread;
use std::time::Instant;

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(20);
static GO_ON: AtomicBool = AtomicBool::new(false);

fn sockets() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dialled = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (dialled, listener.accept().unwrap().0)
}

fn key(identity: &Identity) -> ExpectedPeer {
    ExpectedPeer::Key(identity.public().fingerprint())
}

/// Both results of a handshake in which each side expects the given peer.
fn shake(
    dialler: &Identity,
    dialler_expects: ExpectedPeer,
    listener: &Identity,
    listener_expects: ExpectedPeer,
) -> (Result<TlsStream, TlsError>, Result<TlsStream, TlsError>) {
    let (near, far) = sockets();
    thread::scope(|scope| {
        let listening = scope.spawn(|| accept(far, listener, listener_expects, LONG, &GO_ON));
        let dialled = connect(near, dialler, dialler_expects, LONG, &GO_ON);
        (dialled, listening.join().unwrap())
    })
}

fn connected() -> (TlsStream, TlsStream) {
    let (a, b) = (Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap());
    let (near, far) = shake(&a, key(&b), &b, key(&a));
    let (near, far) = (near.unwrap(), far.unwrap());
    assert_eq!(near.peer().key, b.public().key);
    assert_eq!(far.peer().key, a.public().key);
    (near, far)
}

#[test]
fn expected_peers_exchange_data_and_close_cleanly() {
    let (mut near, mut far) = connected();
    near.write_all(b"to the listener").unwrap();
    far.write_all(b"to the dialler").unwrap();
    near.close().unwrap();
    far.close().unwrap();
    let mut text = String::new();
    far.read_to_string(&mut text).unwrap();
    assert_eq!(text, "to the listener");
    text.clear();
    near.read_to_string(&mut text).unwrap();
    assert_eq!(text, "to the dialler");
}

/// An attacker may append anything to what a party has read.
#[test]
fn damage_after_the_close_alert_is_ignored() {
    use crate::channel::Channel;
    use crate::stream_channel::StreamChannel;
    let (near, far) = connected();
    let damaged = [&[23, 3, 3, 0, 32][..], &[7; 32]].concat();
    far.socket().write_all(&damaged).unwrap();
    far.socket().shutdown(Shutdown::Write).unwrap();
    StreamChannel::new(near).close().unwrap();
}

#[test]
fn a_time_beyond_the_clock_is_no_limit() {
    let own = Identity::ephemeral().unwrap();
    let (near, _far) = sockets();
    let cancelled = AtomicBool::new(true);
    let end = connect(near, &own, ExpectedPeer::Anyone, Duration::MAX, &cancelled);
    assert!(matches!(end, Err(TlsError::Cancelled)));
}

#[test]
fn anyone_is_accepted_on_demand_and_named() {
    let (a, b) = (Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap());
    let (near, far) = shake(&a, ExpectedPeer::Anyone, &b, ExpectedPeer::Anyone);
    assert_eq!(near.unwrap().peer().fingerprint(), b.public().fingerprint());
    assert_eq!(far.unwrap().peer().fingerprint(), a.public().fingerprint());
}

#[test]
fn a_wrong_listener_is_refused_and_notified() {
    let [a, b, other] = [(); 3].map(|()| Identity::ephemeral().unwrap());
    let (near, far) = shake(&a, key(&other), &b, key(&a));
    let error = near.unwrap_err();
    assert!(matches!(error, TlsError::WrongIdentity { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(&b.public().fingerprint().to_string()), "{text}");
    assert!(text.contains(&other.public().fingerprint().to_string()), "{text}");
    let error = far.unwrap_err();
    assert!(matches!(error, TlsError::Refused { own } if own == b.public().fingerprint()));
}

#[test]
fn a_wrong_dialler_is_refused_and_notified() {
    let [a, b, other] = [(); 3].map(|()| Identity::ephemeral().unwrap());
    let (near, far) = shake(&a, key(&b), &b, key(&other));
    let error = far.unwrap_err();
    assert!(matches!(error, TlsError::WrongIdentity { .. }), "{error}");
    let error = near.unwrap_err();
    assert!(matches!(error, TlsError::Refused { own } if own == a.public().fingerprint()));
}

#[test]
fn a_plaintext_peer_is_recognised() {
    let own = Identity::ephemeral().unwrap();
    for dials in [true, false] {
        let (near, mut far) = sockets();
        far.write_all(b"HALFGATE and some more plaintext bytes").unwrap();
        let shake = if dials { connect } else { accept };
        let error = shake(near, &own, ExpectedPeer::Anyone, LONG, &GO_ON).unwrap_err();
        assert!(matches!(error, TlsError::NotTls(_)), "{error}");
    }
}

#[test]
fn an_idle_peer_times_out_and_a_vanished_one_is_noticed() {
    let own = Identity::ephemeral().unwrap();
    for dials in [true, false] {
        let shake = if dials { connect } else { accept };
        let (near, far) = sockets();
        let start = Instant::now();
        let error = shake(near, &own, ExpectedPeer::Anyone, SHORT, &GO_ON).unwrap_err();
        assert!(matches!(error, TlsError::TimedOut(SHORT)), "{error}");
        assert!(start.elapsed() < SHORT * 5);
        drop(far);

        let (near, far) = sockets();
        drop(far);
        let error = shake(near, &own, ExpectedPeer::Anyone, LONG, &GO_ON).unwrap_err();
        assert!(matches!(error, TlsError::Closed), "{error}");

        let (near, _far) = sockets();
        let cancelled = AtomicBool::new(true);
        let error = shake(near, &own, ExpectedPeer::Anyone, LONG, &cancelled).unwrap_err();
        assert!(matches!(error, TlsError::Cancelled), "{error}");
    }
}

#[test]
fn a_cut_connection_is_not_an_end() {
    let (mut near, mut far) = connected();
    far.write_all(b"abc").unwrap();
    far.socket().shutdown(Shutdown::Both).unwrap();
    let mut bytes = Vec::new();
    let error = near.read_to_end(&mut bytes).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(bytes, b"abc");
}

#[test]
fn damage_on_the_way_is_an_error() {
    let (mut near, mut far) = connected();
    far.write_all(b"abc").unwrap();
    // A record of application data that was not sealed.
    far.socket().write_all(&[&[23, 3, 3, 0, 32][..], &[0; 32]].concat()).unwrap();
    let mut bytes = [0; 8];
    assert_eq!(near.read(&mut bytes).unwrap(), 3);
    near.socket().set_read_timeout(Some(SHORT)).unwrap();
    for _ in 0..2 {
        assert_eq!(near.read(&mut bytes).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}

/// Byte `i` of the test's stream.
fn pattern(i: usize) -> u8 {
    (i ^ i >> 8 ^ i >> 17) as u8
}

#[test]
fn time_outs_lose_and_repeat_nothing() {
    const TOTAL: usize = 64 << 20;
    let (mut near, mut far) = connected();
    for stream in [&near, &far] {
        stream.socket().set_read_timeout(Some(Duration::from_millis(2))).unwrap();
        stream.socket().set_write_timeout(Some(Duration::from_millis(2))).unwrap();
    }
    let bytes: Vec<u8> = (0..TOTAL).map(pattern).collect();
    let (write_ticks, read_ticks) = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (mut sent, mut ticks) = (0, 0);
            while sent < TOTAL {
                // Odd sizes, and sometimes a pause that exceeds the reader's time-out.
                let want = (1 + sent % 1_000_003).min(TOTAL - sent);
                if sent.is_multiple_of(7) {
                    thread::sleep(Duration::from_millis(5));
                }
                match near.write(&bytes[sent..sent + want]) {
                    Ok(count) => sent += count,
                    Err(error) if is_tick(&error) => ticks += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            while let Err(error) = near.flush() {
                assert!(is_tick(&error), "{error}");
                ticks += 1;
            }
            ticks
        });
        let (mut got, mut ticks) = (0, 0);
        let mut buffer = vec![0; 1 << 20];
        // Long enough for the writer to fill the socket's buffers.
        thread::sleep(Duration::from_millis(300));
        while got < TOTAL {
            match far.read(&mut buffer) {
                Ok(0) => panic!("an early end"),
                Ok(count) => {
                    assert!(buffer[..count] == bytes[got..got + count], "wrong bytes at {got}");
                    got += count;
                }
                Err(error) if is_tick(&error) => ticks += 1,
                Err(error) => panic!("{error}"),
            }
        }
        (writer.join().unwrap(), ticks)
    });
    assert!(write_ticks > 0 && read_ticks > 0, "{write_ticks} and {read_ticks} time-outs");
}

/// The number of bytes moved; zero after a time-out.
fn unless_ticked(outcome: std::io::Result<usize>) -> usize {
    match outcome {
        Ok(0) => panic!("an early end"),
        Ok(count) => count,
        Err(error) if is_tick(&error) => 0,
        Err(error) => panic!("{error}"),
    }
}

/// Prints the rate. `cargo test --release -p halfgate-protocol tls_rate -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn tls_rate() {
    const TOTAL: usize = 2 << 30;
    let (mut near, mut far) = connected();
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            let block = vec![7; 1 << 18];
            let mut sent = 0;
            while sent < TOTAL {
                sent += unless_ticked(near.write(&block[..block.len().min(TOTAL - sent)]));
            }
            while let Err(error) = near.flush() {
                assert!(is_tick(&error), "{error}");
            }
        });
        let (mut got, mut buffer) = (0, vec![0; 1 << 18]);
        while got < TOTAL {
            got += unless_ticked(far.read(&mut buffer));
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "TLS: {:.2} GB/s, {:.1} ns per 32 bytes, both sides at once",
        TOTAL as f64 / seconds / 1e9,
        seconds * 1e9 / (TOTAL / 32) as f64
    );
}
