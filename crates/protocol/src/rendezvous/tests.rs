//! Unknown peers of all kinds connect, alone or before the peer.

use super::*;
use crate::channel::Channel;
use crate::frame::Kind;
use crate::stream_channel::StreamChannel;
use crate::{net, tls};
use pending::MAX_EACH;
use std::io::{Read, Write};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

/// Longer than any of these tests takes.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(300);
static GO_ON: AtomicBool = AtomicBool::new(false);

fn key(identity: &Identity) -> ExpectedPeer {
    ExpectedPeer::Key(identity.public().fingerprint())
}

fn listening() -> (Listener, String) {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap().to_string();
    (listener, address)
}

fn keys() -> [Identity; 3] {
    [(); 3].map(|()| Identity::ephemeral().unwrap())
}

fn socket(address: &str) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(LONG)).unwrap();
    socket
}

/// Sends invalid bytes, or none, and stays connected.
fn send_raw(address: &str, bytes: &[u8]) -> TcpStream {
    let mut socket = socket(address);
    let _ = socket.write_all(bytes);
    socket
}

/// Waits until the other side has closed the connection.
fn wait_for_close(mut socket: TcpStream) {
    let mut waste = [0; 4096];
    // An alert may come first. A reset also ends the connection.
    while socket.read(&mut waste).is_ok_and(|count| count > 0) {}
}

const SCAN: &[u8] = b"GET / HTTP/1.0\r\n\r\n and some more bytes";

/// One unknown peer of each kind. Some disconnect at once, some stay until they are rejected.
fn unknown_peers_of(address: &str) -> Vec<TcpStream> {
    drop(socket(address));
    let reset = socket(address);
    socket2::SockRef::from(&reset).set_linger(Some(Duration::ZERO)).unwrap();
    drop(reset);
    vec![
        socket(address),
        send_raw(address, &[22, 3, 1]),
        send_raw(address, SCAN),
        send_raw(address, &[0; 64]),
        send_raw(address, b"HALFGATE and no frame around it"),
    ]
}

#[test]
fn unknown_peers_do_not_end_the_wait_for_a_peer() {
    let [own, peer, foreign] = keys();
    let (listener, address) = listening();
    let mut seen = Vec::new();
    thread::scope(|scope| {
        let came = scope.spawn(|| {
            let stay = unknown_peers_of(&address);
            let foreigner = net::connect(&address, LONG, &GO_ON).unwrap();
            let error = tls::connect(foreigner, &foreign, key(&own), LONG, &GO_ON).unwrap_err();
            assert!(matches!(error, tls::TlsError::Refused { .. }), "{error}");
            let dialled = net::connect(&address, LONG, &GO_ON).unwrap();
            (stay, tls::connect(dialled, &peer, key(&own), LONG, &GO_ON).unwrap())
        });
        let mut unknown_peers = |unknown_peer: &UnknownPeer| seen.push(unknown_peer.reason.clone());
        let wait = Wait::new(LONG);
        let mut near =
            accept(&listener, &own, key(&peer), wait, &GO_ON, &mut unknown_peers).unwrap();
        assert_eq!(near.peer().key, peer.public().key);
        let (_stay, mut far) = came.join().unwrap();
        far.write_all(b"hello").unwrap();
        let mut bytes = [0; 5];
        near.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"hello");
    });
    assert!(seen.len() >= 5, "{seen:?}");
}

#[test]
fn unknown_peers_do_not_end_the_wait_for_a_first_hello() {
    let (listener, address) = listening();
    thread::scope(|scope| {
        let came = scope.spawn(|| {
            let stay = unknown_peers_of(&address);
            // A peer must begin with a hello; even a valid frame of another kind is rejected.
            let mut channel = StreamChannel::new(net::connect(&address, LONG, &GO_ON).unwrap());
            channel.send(Kind::Done, b"HALFGATE").unwrap();
            channel.flush().unwrap();
            let mut peer = StreamChannel::new(net::connect(&address, LONG, &GO_ON).unwrap());
            peer.send(Kind::Hello, b"HALFGATE of some version").unwrap();
            peer.flush().unwrap();
            (stay, channel, peer)
        });
        let wait = Wait::new(LONG);
        let near = accept_plaintext(&listener, wait, &GO_ON, &mut |_| {}).unwrap();
        let mut near = StreamChannel::new(near);
        assert_eq!(near.recv().unwrap(), Kind::Hello);
        assert_eq!(near.payload(), b"HALFGATE of some version");
        drop(came.join().unwrap());
    });
}

#[test]
fn only_the_total_deadline_ends_the_wait_and_unknown_peers_are_reported() {
    let [own, peer, foreign] = keys();
    let (listener, address) = listening();
    let wait = Wait { total: SHORT, each: SHORT };
    let alone = accept(&listener, &own, key(&peer), wait, &GO_ON, &mut |_| {}).unwrap_err();
    assert!(matches!(alone, NetError::NoPeer { .. }), "{alone}");
    thread::scope(|scope| {
        scope.spawn(|| {
            let foreigner = net::connect(&address, LONG, &GO_ON).unwrap();
            tls::connect(foreigner, &foreign, key(&own), LONG, &GO_ON).unwrap_err();
            // A later connection does not replace the more important reason.
            wait_for_close(send_raw(&address, SCAN));
        });
        let wait = Wait { total: Duration::from_secs(1), each: SHORT };
        let error = accept(&listener, &own, key(&peer), wait, &GO_ON, &mut |_| {}).unwrap_err();
        let NetError::OnlyUnknownPeers { unknown_peers, foreign_key, .. } = &error else {
            panic!("{error}")
        };
        assert!((*unknown_peers >= 2) & foreign_key, "{error}");
        let text = error.to_string();
        assert!(text.contains(&foreign.public().fingerprint().to_string()), "{text}");
        drop(listener);
    });
}

#[test]
fn the_user_can_cancel_while_unknown_peers_keep_connecting() {
    let [own, peer, _] = keys();
    let (listener, address) = listening();
    let (cancel, over) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let begin = Instant::now();
            while !over.load(Ordering::Relaxed) {
                let _ = TcpStream::connect(&address);
                cancel.fetch_or(begin.elapsed() > SHORT, Ordering::Relaxed);
            }
        });
        let wait = Wait::new(LONG);
        let error = accept(&listener, &own, key(&peer), wait, &cancel, &mut |_| {}).unwrap_err();
        over.store(true, Ordering::Relaxed);
        assert!(matches!(error, NetError::Cancelled), "{error}");
    });
}

#[test]
fn an_unknown_peer_has_a_limited_time() {
    let [own, peer, _] = keys();
    for bytes in [&b""[..], &[22, 3, 1, 2, 0]] {
        let (listener, address) = listening();
        let (cancel, wait) = (AtomicBool::new(false), Wait { total: LONG, each: SHORT });
        let mut seen = Vec::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                // Ends only when the connection is rejected.
                wait_for_close(send_raw(&address, bytes));
                cancel.store(true, Ordering::Relaxed);
            });
            let mut unknown_peers =
                |unknown_peer: &UnknownPeer| seen.push(unknown_peer.reason.clone());
            let ended = accept(&listener, &own, key(&peer), wait, &cancel, &mut unknown_peers);
            assert!(matches!(ended, Err(NetError::Cancelled)));
        });
        assert!(seen.len() == 1 && seen[0].contains("within 0.3 s"), "{seen:?}");
    }
}

#[test]
fn an_unknown_peer_that_sends_without_end_is_rejected() {
    let [own, peer, _] = keys();
    let (listener, address) = listening();
    let (cancel, wait) = (AtomicBool::new(false), Wait { total: LONG, each: LONG });
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut socket = socket(&address);
            // A handshake message of 16 MiB, in records of one byte each.
            let _ = socket.write_all(&[22, 3, 1, 0, 4, 1, 255, 255, 255]);
            while socket.write_all(&[22, 3, 1, 0, 1, 0]).is_ok() {}
            cancel.store(true, Ordering::Relaxed);
        });
        let ended = accept(&listener, &own, key(&peer), wait, &cancel, &mut |_| {});
        assert!(matches!(ended, Err(NetError::Cancelled)));
    });
}

/// Many more connections than are kept at once, before the peer and during its handshake.
#[test]
fn many_connections_do_not_displace_the_peer_and_are_reported_at_a_bounded_rate() {
    let [own, peer, _] = keys();
    let (listener, address) = listening();
    let mut seen = Vec::new();
    let crowd = MAX_EACH * 4;
    thread::scope(|scope| {
        let came = scope.spawn(|| {
            let idle: Vec<_> = (0..crowd).map(|_| socket(&address)).collect();
            let speak: Vec<_> = (0..crowd).map(|_| send_raw(&address, &[22, 3, 1])).collect();
            let dialled = net::connect(&address, LONG, &GO_ON).unwrap();
            let stream = tls::connect(dialled, &peer, key(&own), LONG, &GO_ON).unwrap();
            // The oldest connections were displaced.
            wait_for_close(idle.into_iter().next().unwrap());
            wait_for_close(speak.into_iter().next().unwrap());
            stream
        });
        let mut unknown_peers = |unknown_peer: &UnknownPeer| seen.push(unknown_peer.clone());
        let wait = Wait { total: LONG, each: LONG };
        accept(&listener, &own, key(&peer), wait, &GO_ON, &mut unknown_peers).unwrap();
        came.join().unwrap();
    });
    // The maximum number of reports in a minute.
    assert!(seen.len() <= 5 + 12, "{} reports", seen.len());
}

#[test]
fn an_acceptor_accepts_known_peers_one_after_another_and_learns_new_ones() {
    let [own, first, second] = keys();
    let (listener, address) = listening();
    let dial = |identity: &Identity| {
        let dialled = net::connect(&address, LONG, &GO_ON).unwrap();
        tls::connect(dialled, identity, key(&own), LONG, &GO_ON)
    };
    let mut foreign = Vec::new();
    let mut unknown_peers = |unknown_peer: &UnknownPeer| foreign.push(unknown_peer.foreign_key);
    let known = [first.public().fingerprint()];
    let mut acceptor =
        PeerAcceptor::new(&listener, &own, known.into(), MAX_EACH, &mut unknown_peers).unwrap();
    let expect = |acceptor: &mut PeerAcceptor<'_>, identity: &Identity, times: usize| {
        for _ in 0..times {
            let (stream, _) = acceptor.next(LONG).unwrap();
            assert_eq!(stream.peer().key, identity.public().key);
        }
    };
    thread::scope(|scope| {
        let peers = scope.spawn(|| {
            let _stay = unknown_peers_of(&address);
            let error = dial(&second).map(|_| ()).unwrap_err();
            assert!(matches!(error, tls::TlsError::Refused { .. }), "{error}");
            [(); 2].map(|()| dial(&first).unwrap())
        });
        expect(&mut acceptor, &first, 2);
        peers.join().unwrap();
        let known = [first.public().fingerprint(), second.public().fingerprint()];
        acceptor.know(&own, known.into()).unwrap();
        let peer = scope.spawn(|| dial(&second).unwrap());
        expect(&mut acceptor, &second, 1);
        peer.join().unwrap();
    });
    assert!(acceptor.next(Duration::ZERO).is_none());
    drop(acceptor);
    assert_eq!(foreign.iter().filter(|foreign| **foreign).count(), 1, "{foreign:?}");
    assert!(foreign.len() >= 5, "{foreign:?}");
}

/// Prints how much idle unknown peers add to the peer's handshake.
/// `cargo test --release -p halfgate-protocol unknown_peers_cost -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn unknown_peers_cost() {
    let [own, peer, _] = keys();
    let (own, peer) = (&own, &peer);
    let mut median = [0.0; 2];
    for (index, unknown_peers) in [0, 1000].into_iter().enumerate() {
        let (listener, address) = listening();
        let mut times = Vec::new();
        for _ in 0..101 {
            let time = thread::scope(|scope| {
                let came = scope.spawn(|| {
                    // `ulimit -n 4096` permits this many.
                    let idle: Vec<_> = (0..unknown_peers).map(|_| socket(&address)).collect();
                    thread::sleep(Duration::from_millis(100));
                    let begin = Instant::now();
                    let dialled = net::connect(&address, LONG, &GO_ON).unwrap();
                    tls::connect(dialled, peer, key(own), LONG, &GO_ON).unwrap();
                    let time = begin.elapsed();
                    drop(idle);
                    time
                });
                let wait = Wait { total: LONG, each: LONG };
                accept(&listener, own, key(peer), wait, &GO_ON, &mut |_| {}).unwrap();
                came.join().unwrap()
            });
            times.push(time.as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        median[index] = times[times.len() / 2];
        println!(
            "{unknown_peers} idle strangers: handshake {:.2} ms (median of 101)",
            median[index]
        );
    }
    println!("they add {:.1} %", 100.0 * (median[1] / median[0] - 1.0));
}
