//! A plaintext connection whose first frame may be a hello.

use super::pending::{Candidate, Refusal};
use crate::frame::{HEADER, Header, Kind};
use crate::handshake::MAGIC;
use crate::stream::{is_tick, prepare};
use std::net::TcpStream;

/// Bytes to inspect: a frame's header and the magic bytes of a hello of any version.
const WANTED: usize = HEADER + MAGIC.len();

/// A connection that has not sent [`WANTED`] bytes yet. The bytes are only peeked at and stay in
/// the socket.
pub(super) struct FirstHello {
    socket: Option<TcpStream>,
    seen: usize,
}

impl FirstHello {
    pub fn new(socket: TcpStream) -> FirstHello {
        FirstHello { socket: Some(socket), seen: 0 }
    }
}

impl Candidate for FirstHello {
    type Peer = TcpStream;

    fn has_sent(&self) -> bool {
        self.seen > 0
    }

    fn step(&mut self) -> Result<Option<TcpStream>, Refusal> {
        let Some(socket) = self.socket.take() else { return Err(refused(CLOSED)) };
        let mut bytes = [0; WANTED];
        self.seen = match socket.peek(&mut bytes) {
            Ok(0) => return Err(refused(CLOSED)),
            Ok(count) => count,
            Err(error) if is_tick(&error) => self.seen,
            Err(error) => return Err(refused(&format!("the connection failed: {error}"))),
        };
        if self.seen < WANTED {
            self.socket = Some(socket);
            return Ok(None);
        }
        let (header, magic) = bytes.split_first_chunk::<HEADER>().expect("a header fits");
        match Header::parse(header) {
            Ok(Header { kind: Kind::Hello, .. }) if magic == MAGIC => {
                prepare(socket).map(Some).map_err(|error| refused(&error.to_string()))
            }
            _ => Err(refused(
                "its first bytes are not a hello of this protocol; is it another program, or \
                 does it use TLS?",
            )),
        }
    }
}

const CLOSED: &str = "it closed the connection before it sent a hello";

fn refused(reason: &str) -> Refusal {
    Refusal { reason: reason.to_owned(), foreign_key: false }
}
