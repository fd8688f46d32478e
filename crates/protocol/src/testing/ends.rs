//! Channels between two ends in this process, over each carrier.

use super::{Fault, pipe};
use crate::channel::Channel;
use crate::keys::Identity;
use crate::ring;
use crate::stream_channel::StreamChannel;
use crate::tls::{self, ExpectedPeer};
use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Both ends of a connection.
pub(crate) type Ends = (Box<dyn Channel>, Box<dyn Channel>);

pub(crate) fn over_pipe() -> Ends {
    let (a, b) = pipe(Fault::None, Fault::None);
    (Box::new(StreamChannel::new(a)), Box::new(StreamChannel::new(b)))
}

pub(crate) fn over_ring() -> Ends {
    let (a, b) = ring::pair();
    (Box::new(a), Box::new(b))
}

pub(crate) fn over_tcp() -> Ends {
    let (a, b) = sockets();
    (Box::new(StreamChannel::new(a)), Box::new(StreamChannel::new(b)))
}

/// Over TCP, with threads that send.
pub(crate) fn over_threads() -> Ends {
    let (a, b) = sockets();
    (Box::new(StreamChannel::with_thread(a)), Box::new(StreamChannel::with_thread(b)))
}

/// Over TLS, with threads that send.
pub(crate) fn over_tls_threads() -> Ends {
    let (never, second) = (AtomicBool::new(false), Duration::from_secs(10));
    let keys = [Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap()];
    let (a, b) = sockets();
    let (a, b) = std::thread::scope(|scope| {
        let b = scope.spawn(|| tls::accept(b, &keys[1], ExpectedPeer::Anyone, second, &never));
        let a = tls::connect(a, &keys[0], ExpectedPeer::Anyone, second, &never);
        (a.unwrap(), b.join().unwrap().unwrap())
    });
    (Box::new(StreamChannel::with_thread(a)), Box::new(StreamChannel::with_thread(b)))
}

pub(crate) fn sockets() -> (TcpStream, TcpStream) {
    let never = AtomicBool::new(false);
    let listener = crate::net::Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap().to_string();
    let second = Duration::from_secs(1);
    let a = crate::net::connect(&address, second, &never).unwrap();
    let (b, _) = listener.accept(second, &never).unwrap();
    (a, b)
}
