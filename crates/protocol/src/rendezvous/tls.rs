//! A connection that may become the peer's TLS connection.

use super::pending::{Candidate, Refusal};
use crate::stream::{is_tick, prepare_in_place};
use crate::tls::{Acceptor, Handshake, TlsError, TlsStream};
use std::net::TcpStream;
use std::sync::Arc;

/// A connection during its TLS handshake. Keeps only the socket until the first byte arrives.
pub(super) struct Shaking {
    acceptor: Arc<Acceptor>,
    state: State,
}

enum State {
    Idle(TcpStream),
    Handshaking(Box<Handshake>),
    Over,
}

impl Shaking {
    pub fn new(socket: TcpStream, acceptor: Arc<Acceptor>) -> Shaking {
        Shaking { acceptor, state: State::Idle(socket) }
    }
}

impl Candidate for Shaking {
    type Peer = TlsStream;

    fn has_sent(&self) -> bool {
        !matches!(self.state, State::Idle(_))
    }

    fn step(&mut self) -> Result<Option<TlsStream>, Refusal> {
        if let State::Idle(socket) = &self.state {
            match socket.peek(&mut [0]) {
                Ok(0) => return Err(TlsError::Closed.into()),
                Ok(_) => {}
                Err(error) if is_tick(&error) => return Ok(None),
                Err(error) => return Err(TlsError::Io(error).into()),
            }
        }
        let mut handshake = match std::mem::replace(&mut self.state, State::Over) {
            State::Idle(socket) => Box::new(self.acceptor.begin(socket)?),
            State::Handshaking(handshake) => handshake,
            State::Over => return Err(TlsError::Closed.into()),
        };
        if !handshake.step()? {
            self.state = State::Handshaking(handshake);
            return Ok(None);
        }
        let stream = handshake.finish()?;
        prepare_in_place(stream.socket()).map_err(TlsError::Io)?;
        Ok(Some(stream))
    }
}

impl From<TlsError> for Refusal {
    fn from(error: TlsError) -> Refusal {
        let foreign_key = matches!(
            error,
            TlsError::WrongIdentity { .. } | TlsError::Unknown { .. } | TlsError::Refused { .. }
        );
        Refusal { reason: error.to_string(), foreign_key }
    }
}
