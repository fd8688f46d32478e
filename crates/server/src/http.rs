//! Health and metrics over HTTP, for programs of this machine.
//!
//! One thread, which never waits for anybody: a few connections, each with one request of bounded
//! size, an answer, and a deadline for both. The oldest makes way when more come.

use crate::metrics::{MEDIA_TYPE, Metrics};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most connections at a time, the longest request, and how long each may take.
const MAX_CONNECTIONS: usize = 16;
const MAX_REQUEST: usize = 4 << 10;
const LIMIT: Duration = Duration::from_secs(2);

/// The most headers of a request.
const MAX_HEADERS: usize = 64;

/// Time between two looks, while nobody is here and while somebody is.
const IDLE: Duration = Duration::from_millis(20);
const BUSY: Duration = Duration::from_millis(1);

/// What `address` stands for, which must be what only this machine reaches unless
/// `beyond_loopback`.
///
/// # Errors
/// What is wrong with the address.
pub(crate) fn resolve(address: &str, beyond_loopback: bool) -> Result<Vec<SocketAddr>, String> {
    let addresses: Vec<SocketAddr> = address
        .to_socket_addrs()
        .map_err(|error| format!("metrics = {address:?}: HOST:PORT is wanted: {error}"))?
        .collect();
    let reached = |address: &SocketAddr| !address.ip().to_canonical().is_loopback();
    if !beyond_loopback && addresses.iter().any(reached) {
        return Err(format!(
            "metrics = {address:?} can be reached from other machines, and whoever asks is answered: \
             use 127.0.0.1, or say metrics_beyond_loopback = true if the network keeps others away"
        ));
    }
    Ok(addresses)
}

/// Listens on `address`.
///
/// # Errors
/// Those of [`resolve`], or why it cannot be listened on.
pub(crate) fn bind(address: &str, beyond_loopback: bool) -> Result<TcpListener, String> {
    let addresses = resolve(address, beyond_loopback)?;
    let failed = |error| format!("metrics = {address:?} cannot be listened on: {error}");
    let listener = TcpListener::bind(&addresses[..]).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

/// Answers until `over` is set. `draining` makes the server unhealthy.
pub(crate) fn response(
    listener: &TcpListener,
    metrics: &Metrics,
    draining: &AtomicBool,
    over: &AtomicBool,
) {
    let mut connections: Vec<Connection> = Vec::new();
    while !over.load(Ordering::Relaxed) {
        for _ in 0..MAX_CONNECTIONS {
            // A failure to accept passes, or concerns one connection only.
            let Ok((socket, _)) = listener.accept() else { break };
            if socket.set_nonblocking(true).is_err() {
                continue;
            }
            if connections.len() == MAX_CONNECTIONS {
                connections.remove(0);
            }
            connections.push(Connection::new(socket));
        }
        let respond = |request: &Request| respond(request, metrics, draining);
        connections.retain_mut(|connection| {
            let goes_on = connection.step(&respond).unwrap_or(false);
            goes_on && connection.since.elapsed() < LIMIT
        });
        std::thread::sleep(if connections.is_empty() { IDLE } else { BUSY });
    }
}

/// What somebody asks for.
enum Request {
    Get(String),
    /// Anything else: no method of ours, or no HTTP at all.
    Other(&'static str),
}

fn respond(request: &Request, metrics: &Metrics, draining: &AtomicBool) -> Vec<u8> {
    let plain = "text/plain; charset=utf-8";
    let (status, media, body) = match request {
        Request::Get(path) => match path.split('?').next().unwrap_or_default() {
            "/health" if draining.load(Ordering::Relaxed) => {
                ("503 Service Unavailable", plain, "draining\n".to_owned())
            }
            "/health" => ("200 OK", plain, "ok\n".to_owned()),
            "/metrics" => ("200 OK", MEDIA_TYPE, metrics.text()),
            _ => ("404 Not Found", plain, "there is /health and /metrics\n".to_owned()),
        },
        Request::Other(status) => (*status, plain, String::new()),
    };
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

struct Connection {
    socket: TcpStream,
    since: Instant,
    request: Vec<u8>,
    /// The answer, and how much of it is sent.
    response: Option<(Vec<u8>, usize)>,
    /// Whether the response is sent and the end of the stream with it.
    ended: bool,
}

impl Connection {
    fn new(socket: TcpStream) -> Connection {
        Connection {
            socket,
            since: Instant::now(),
            request: Vec::new(),
            response: None,
            ended: false,
        }
    }

    /// Does what can be done without waiting. Whether there is more to do.
    fn step(&mut self, respond: &dyn Fn(&Request) -> Vec<u8>) -> io::Result<bool> {
        if self.response.is_none() {
            let Some(request) = ready(self.read())? else { return Ok(true) };
            self.response = Some((respond(&request), 0));
        }
        let Some((response, sent)) = &mut self.response else { return Ok(true) };
        while *sent < response.len() {
            match self.socket.write(&response[*sent..]) {
                Ok(0) => return Ok(false),
                Ok(count) => *sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        if !std::mem::replace(&mut self.ended, true) {
            self.socket.shutdown(std::net::Shutdown::Write)?;
        }
        // What a socket has not read when it is closed may destroy the answer on its way.
        let mut waste = [0; 1024];
        Ok(ready(self.socket.read(&mut waste))?.is_none_or(|count| count > 0))
    }

    /// The request, once it is whole.
    fn read(&mut self) -> io::Result<Request> {
        let mut part = [0; 1024];
        loop {
            let count = self.socket.read(&mut part)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.request.extend_from_slice(&part[..count]);
            if self.request.len() > MAX_REQUEST {
                return Ok(Request::Other("431 Request Header Fields Too Large"));
            }
            if let Some(request) = parse(&self.request) {
                return Ok(request);
            }
        }
    }
}

/// `None` where it has to be waited for.
fn ready<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        result => result.map(Some),
    }
}

/// The request in `bytes`, if it is whole.
fn parse(bytes: &[u8]) -> Option<Request> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Partial) => None,
        Ok(httparse::Status::Complete(_)) => Some(match (request.method, request.path) {
            (Some("GET"), Some(path)) => Request::Get(path.to_owned()),
            _ => Request::Other("405 Method Not Allowed"),
        }),
        Err(httparse::Error::TooManyHeaders) => {
            Some(Request::Other("431 Request Header Fields Too Large"))
        }
        Err(_) => Some(Request::Other("400 Bad Request")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(address: SocketAddr, text: &[u8]) -> String {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let _ = socket.write_all(text);
        let mut response = String::new();
        let _ = socket.read_to_string(&mut response);
        response
    }

    #[test]
    fn whoever_asks_is_answered_whatever_others_do() {
        let listener = bind("127.0.0.1:0", false).unwrap();
        let address = listener.local_addr().unwrap();
        let (metrics, draining, over) =
            (Metrics::new(), AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| response(&listener, &metrics, &draining, &over));
            // Some are silent, and some never end their request.
            let slow: Vec<_> = (0..4 * MAX_CONNECTIONS)
                .map(|number| {
                    let mut socket = TcpStream::connect(address).unwrap();
                    if number % 2 == 0 {
                        socket.write_all(b"GET /health HTTP/1.1\r\nA: ").unwrap();
                    }
                    socket
                })
                .collect();
            let healthy = request(address, b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            assert!(
                healthy.starts_with("HTTP/1.1 200 OK\r\n") && healthy.ends_with("\r\n\r\nok\n")
            );
            let text = request(address, b"GET /metrics?a=b HTTP/1.0\r\n\r\n");
            assert!(text.contains("openmetrics-text") && text.ends_with("# EOF\n"), "{text}");
            for (sent, status) in [
                (&b"GET / HTTP/1.1\r\n\r\n"[..], "404"),
                (b"POST /health HTTP/1.1\r\n\r\n", "405"),
                (b"\x16\x03\x01\x02\x00", "400"),
                (&[&b"GET / HTTP/1.1\r\nA: "[..], &[b'a'; 2 * MAX_REQUEST]].concat(), "431"),
                (&[&b"GET / HTTP/1.1\r\n"[..], &b"a: b\r\n".repeat(100)].concat(), "431"),
            ] {
                let response = request(address, sent);
                assert!(
                    response.starts_with(&format!("HTTP/1.1 {status} ")),
                    "{status}: {response:?}"
                );
            }
            draining.store(true, Ordering::Relaxed);
            let draining = request(address, b"GET /health HTTP/1.1\r\n\r\n");
            assert!(draining.starts_with("HTTP/1.1 503 "), "{draining}");
            drop(slow);
            over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn only_this_machine_asks_unless_it_is_said() {
        for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:9"] {
            let error = bind(address, false).unwrap_err();
            assert!(
                error.contains("metrics_beyond_loopback") && error.contains(address),
                "{error}"
            );
        }
        assert!(bind("0.0.0.0:0", true).is_ok());
        assert!(bind("[::1]:0", false).is_ok() || bind("127.0.0.1:0", false).is_ok());
        assert!(bind("nonsense", false).unwrap_err().contains("HOST:PORT"));
    }
}
