//! Health and metrics over HTTP, for programs on this computer.
//!
//! A single thread serves them and never blocks. It keeps a few connections, each with one request
//! of bounded size, its response, and a deadline for both. The oldest connection is dropped when
//! there are too many.

use crate::metrics::{MEDIA_TYPE, Metrics};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits: concurrent connections, bytes of a request, and the time for each connection.
const MAX_CONNECTIONS: usize = 16;
const MAX_REQUEST: usize = 4 << 10;
const LIMIT: Duration = Duration::from_secs(2);

/// Maximum number of headers in a request.
const MAX_HEADERS: usize = 64;

/// Time between two polls, without and with connections.
const IDLE: Duration = Duration::from_millis(20);
const BUSY: Duration = Duration::from_millis(1);

/// Resolves `address`. Unless `beyond_loopback` is set, the address must be one that only this
/// computer can reach.
///
/// # Errors
/// What is wrong with the address.
pub(crate) fn resolve(address: &str, beyond_loopback: bool) -> Result<Vec<SocketAddr>, String> {
    let addresses: Vec<SocketAddr> = address
        .to_socket_addrs()
        .map_err(|error| format!("metrics = {address:?}: HOST:PORT is expected: {error}"))?
        .collect();
    let reached = |address: &SocketAddr| !address.ip().to_canonical().is_loopback();
    if !beyond_loopback && addresses.iter().any(reached) {
        return Err(format!(
            "metrics = {address:?} can be reached from other computers, and all may read it: \
             use 127.0.0.1, or set metrics_beyond_loopback = true if the network restricts access"
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

/// Serves requests until `over` is set. `draining` makes the health check fail.
pub(crate) fn serve(
    listener: &TcpListener,
    metrics: &Metrics,
    draining: &AtomicBool,
    over: &AtomicBool,
) {
    let mut connections: Vec<Connection> = Vec::new();
    while !over.load(Ordering::Relaxed) {
        for _ in 0..MAX_CONNECTIONS {
            // A failure to accept is temporary, or concerns one connection only.
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

/// A parsed request.
enum Request {
    Get(String),
    /// Anything else, with its error status: another method, or not HTTP at all.
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
    /// The response, and how many of its bytes are sent.
    response: Option<(Vec<u8>, usize)>,
    /// Whether the response and the end of the stream were sent.
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

    /// Does what is possible without waiting. Returns whether there is more to do.
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
        // Read the rest of the request: closing a socket with unread input could discard the
        // response.
        let mut waste = [0; 1024];
        Ok(ready(self.socket.read(&mut waste))?.is_none_or(|count| count > 0))
    }

    /// Reads the request. Fails with `WouldBlock` until it is complete.
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

/// Converts `WouldBlock` to `None`.
fn ready<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        result => result.map(Some),
    }
}

/// Parses `bytes`. Returns `None` if the request is not complete.
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
    fn every_request_gets_a_response_whatever_others_do() {
        let listener = bind("127.0.0.1:0", false).unwrap();
        let address = listener.local_addr().unwrap();
        let (metrics, draining, over) =
            (Metrics::new(), AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| serve(&listener, &metrics, &draining, &over));
            // Some clients send nothing, and some never complete their request.
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
    fn only_this_computer_reaches_the_metrics_by_default() {
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
