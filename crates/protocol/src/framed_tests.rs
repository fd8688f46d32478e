//! Channels: frames arrive as they were sent, over every carrier.

use super::{BACKLOG, Framed};
use crate::carrier::{Carrier, Input};
use crate::channel::{Channel, ChannelError, Timing};
use crate::frame::{HEADER, Header, Kind, MAX_PAYLOAD};
use crate::stream::TICK;
use crate::stream_channel::StreamChannel;
use crate::testing::ends::{Ends, over_pipe, over_ring, over_tcp, over_threads, over_tls_threads};
use crate::testing::{Fault, pipe};
use halfgate_engine::wipe::Buffer;
use proptest::prelude::*;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Exchanges first messages. Heartbeats are not allowed before them.
fn introduce(a: &mut dyn Channel, b: &mut dyn Channel) {
    let greet = |from: &mut dyn Channel, to: &mut dyn Channel| {
        from.send(Kind::Hello, &[]).unwrap();
        from.flush().unwrap();
        assert_eq!(to.recv().unwrap(), Kind::Hello);
    };
    greet(a, b);
    greet(b, a);
}

const CARRIERS: [fn() -> Ends; 5] =
    [over_pipe, over_ring, over_tcp, over_threads, over_tls_threads];
/// Those whose sending can be delayed by the peer.
const STREAMS: [fn() -> Ends; 4] = [over_pipe, over_tcp, over_threads, over_tls_threads];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn frames_arrive_in_order(
        lengths in prop::collection::vec(prop_oneof![0usize..100, 0usize..20_000, 100_000usize..300_000], 1..40),
    ) {
        for carrier in CARRIERS {
            let (mut a, mut b) = carrier();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for (index, len) in lengths.iter().enumerate() {
                        a.send(Kind::Labels, &vec![index as u8; *len]).unwrap();
                    }
                    a.flush().unwrap();
                });
                for (index, len) in lengths.iter().enumerate() {
                    assert_eq!(b.recv().unwrap(), Kind::Labels);
                    assert_eq!(b.payload().len(), *len);
                    assert!(b.payload().iter().all(|byte| *byte == index as u8));
                }
            });
            assert_eq!(a.bytes_sent(), b.bytes_received());
            a.send(Kind::Done, &[]).unwrap();
            a.flush().unwrap();
            b.recv().unwrap();
            assert_ne!(a.sent_digest(), b.received_digest(), "the last frame is not in yet");
        }
    }
}

#[test]
fn pieces_of_tables_share_frames_and_are_never_split() {
    for carrier in CARRIERS {
        let (mut a, mut b) = carrier();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for piece in 0..1000u32 {
                    let space = a.send_space(Kind::Tables, 4096).unwrap();
                    space.fill(piece as u8);
                    a.send_commit().unwrap();
                }
                a.flush().unwrap();
            });
            let (mut pieces, mut frames) = (0u32, 0);
            while pieces < 1000 {
                assert_eq!(b.recv().unwrap(), Kind::Tables);
                let (chunks, rest) = b.payload().as_chunks::<4096>();
                assert!(rest.is_empty());
                for chunk in chunks {
                    assert!(chunk.iter().all(|byte| *byte == pieces as u8));
                    pieces += 1;
                }
                frames += 1;
            }
            assert!(frames <= 1000 / 32 + 1, "{frames} frames");
        });
    }
}

#[test]
fn digests_of_both_sides_agree() {
    for carrier in CARRIERS {
        let (mut a, mut b) = carrier();
        a.send(Kind::Labels, b"some").unwrap();
        a.send(Kind::Labels, b"more").unwrap();
        let sent = a.sent_digest();
        a.send(Kind::Digest, &[]).unwrap();
        a.flush().unwrap();
        for _ in 0..3 {
            b.recv().unwrap();
        }
        assert_eq!(sent, b.received_digest());
    }
}

#[test]
fn two_parties_that_both_write_do_not_deadlock() {
    for carrier in STREAMS {
        let ends = carrier();
        std::thread::scope(|scope| {
            for mut end in [ends.0, ends.1] {
                scope.spawn(move || {
                    for _ in 0..16 {
                        end.send(Kind::Extension, &vec![1; 128 << 10]).unwrap();
                    }
                    end.flush().unwrap();
                    for _ in 0..16 {
                        assert_eq!(end.recv().unwrap(), Kind::Extension);
                    }
                    // Neither side closes before the other has read everything.
                    end.send(Kind::Done, &[]).unwrap();
                    end.flush().unwrap();
                    assert_eq!(end.recv().unwrap(), Kind::Done);
                });
            }
        });
    }
}

#[test]
fn a_frame_too_long_is_refused_by_the_sender() {
    let (mut a, _b) = over_pipe();
    assert!(a.send_space(Kind::Tables, MAX_PAYLOAD).is_ok());
    let (mut a, _b) = over_pipe();
    let error = a.send_space(Kind::Tables, MAX_PAYLOAD + 1).unwrap_err();
    assert!(matches!(error, ChannelError::TooLong(_)));
}

#[test]
fn an_abort_and_its_reason_reach_a_party_that_only_writes() {
    for carrier in STREAMS {
        let (mut a, mut b) = carrier();
        let end = std::thread::spawn(move || b.abort("enough\x1b[2J"));
        let error = loop {
            let sent = a.send(Kind::Tables, &[0; 4096]).and_then(|()| a.tick());
            if let Err(error) = sent {
                break error;
            }
        };
        assert_eq!(error.to_string(), "ended the session: enough [2J");
        end.join().unwrap();
    }
}

/// Searched input is not searched again, and its offset moves with the buffer.
#[test]
fn an_abort_is_found_after_many_unread_frames() {
    let (mut a, b) = pipe(Fault::None, Fault::None);
    let mut b = StreamChannel::new(b);
    let mut number = 0;
    let mut send = |kind, payload: &[u8]| {
        let mut frame = [&[0; HEADER][..], payload].concat();
        Header::seal(kind, number, &mut frame);
        number += 1;
        a.write_raw(&frame);
    };
    send(Kind::Hello, &[]);
    assert_eq!(b.recv().unwrap(), Kind::Hello);
    for round in 0..40u8 {
        for _ in 0..3 {
            send(Kind::Tables, &vec![round; 60 << 10]);
        }
        while b.poll().unwrap() {}
        assert_eq!(b.searched, b.input.end);
        for _ in 0..2 {
            assert_eq!(b.recv().unwrap(), Kind::Tables);
        }
    }
    send(Kind::Abort, b"enough");
    let error = loop {
        match b.poll() {
            Ok(came) => assert!(came, "the abort is not found"),
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, ChannelError::Aborted(reason) if reason == "enough"), "{error}");
}

#[test]
fn a_set_flag_cancels_a_waiting_side() {
    for carrier in CARRIERS {
        let (mut a, mut b) = carrier();
        let cancel = Arc::new(AtomicBool::new(false));
        a.set_timing(Timing::new(Duration::from_secs(20), cancel.clone()));
        let waiting = std::thread::spawn(move || a.recv().map(|_| ()));
        std::thread::sleep(Duration::from_millis(50));
        cancel.store(true, Ordering::Relaxed);
        assert!(matches!(b.recv(), Err(ChannelError::Aborted(_))));
        drop(b);
        assert!(matches!(waiting.join().unwrap(), Err(ChannelError::Cancelled)));
    }
}

#[test]
fn an_idle_peer_ends_the_wait_after_the_timeout() {
    for carrier in CARRIERS {
        let (mut a, _b) = carrier();
        a.set_timing(Timing::new(Duration::from_millis(300), Arc::default()));
        assert!(matches!(a.recv(), Err(ChannelError::Timeout { .. })));
    }
}

#[test]
fn heartbeats_keep_a_slow_side_alive_and_are_never_delivered() {
    let (mut a, mut b) = over_pipe();
    let timing = Timing::new(Duration::from_millis(1000), Arc::default());
    a.set_timing(timing.clone());
    b.set_timing(timing);
    introduce(&mut *a, &mut *b);
    std::thread::scope(|scope| {
        scope.spawn(move || assert_eq!(a.recv().unwrap(), Kind::Done));
        for _ in 0..25 {
            std::thread::sleep(Duration::from_millis(100));
            b.tick().unwrap();
        }
        b.send(Kind::Done, &[]).unwrap();
        b.flush().unwrap();
        // The other side closes, and its heartbeats are not delivered as frames.
        assert!(matches!(b.recv(), Err(ChannelError::Closed)));
    });
}

/// A carrier whose first send would block. A receive that does not wait gets one frame, then the
/// error `end`. At most `waits` receives may wait.
struct Late {
    full: bool,
    frame: Option<Vec<u8>>,
    end: io::ErrorKind,
    waits: usize,
}

impl Carrier for Late {
    const CHECKED: bool = true;

    fn send(
        &mut self,
        _: &mut halfgate_engine::wipe::Buffer,
        from: usize,
        to: usize,
    ) -> io::Result<usize> {
        match std::mem::take(&mut self.full) {
            true => Err(io::ErrorKind::WouldBlock.into()),
            false => Ok(to - from),
        }
    }

    fn receive(&mut self, input: &mut Input, limit: usize, wait: bool) -> io::Result<usize> {
        if wait {
            self.waits =
                self.waits.checked_sub(1).expect("waits for data that has arrived already");
            return Err(self.end.into());
        }
        let frame = self.frame.take().ok_or(self.end)?;
        assert!(frame.len() <= limit - input.end);
        input.bytes.resize(limit);
        input.bytes[input.end..][..frame.len()].copy_from_slice(&frame);
        input.end += frame.len();
        Ok(frame.len())
    }

    fn close(&mut self) {}
}

fn done_frame() -> Option<Vec<u8>> {
    let mut frame = vec![0; HEADER];
    Header::seal(Kind::Done, 0, &mut frame);
    Some(frame)
}

#[test]
fn a_frame_received_while_sending_is_not_waited_for() {
    let end = io::ErrorKind::WouldBlock;
    // Sending the rest reads the frame, so nothing is waited for.
    let mut channel = Framed::over(Late { full: true, frame: done_frame(), end, waits: 0 });
    channel.send(Kind::Labels, b"question").unwrap();
    assert_eq!(channel.recv().unwrap(), Kind::Done);
    // Sending a heartbeat reads the frame, after one tick of waiting.
    let mut channel = Framed::over(Late { full: true, frame: done_frame(), end, waits: 1 });
    let timing = Timing::new(Duration::from_secs(20), Arc::default());
    channel.set_timing(Timing { heartbeat: TICK, ..timing });
    assert_eq!(channel.recv().unwrap(), Kind::Done);
}

/// A peer that has sent a frame and disconnected, so writing fails.
struct Gone(Option<Vec<u8>>);

impl Carrier for Gone {
    const CHECKED: bool = true;

    fn send(&mut self, _: &mut Buffer, _: usize, _: usize) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn receive(&mut self, input: &mut Input, limit: usize, _: bool) -> io::Result<usize> {
        let Some(frame) = self.0.take() else { return Ok(0) };
        input.bytes.resize(limit);
        input.bytes[..frame.len()].copy_from_slice(&frame);
        input.end = frame.len();
        Ok(frame.len())
    }

    fn close(&mut self) {}
}

#[test]
fn the_last_message_of_a_peer_is_read_before_a_heartbeat_to_it_fails() {
    let mut channel = Framed::over(Gone(done_frame()));
    channel.set_timing(Timing { heartbeat: Duration::ZERO, ..Timing::default() });
    assert_eq!(channel.recv().unwrap(), Kind::Done);
    assert!(matches!(channel.recv(), Err(ChannelError::Closed)));
}

/// A peer that sends frames of 64 KiB as fast as they are received. Each is filled with its number.
#[derive(Default)]
struct Torrent {
    frame: Vec<u8>,
    at: usize,
    number: u64,
}

impl Carrier for Torrent {
    const CHECKED: bool = false;

    fn send(&mut self, _: &mut Buffer, from: usize, to: usize) -> io::Result<usize> {
        Ok(to - from)
    }

    fn receive(&mut self, input: &mut Input, limit: usize, _: bool) -> io::Result<usize> {
        if self.at == self.frame.len() {
            self.frame = vec![self.number as u8; HEADER + (64 << 10)];
            Header::write_fields(Kind::Tables, self.number, 64 << 10, &mut self.frame);
            (self.at, self.number) = (0, self.number + 1);
        }
        let count = (limit - input.end).min(self.frame.len() - self.at);
        input.bytes.resize(input.bytes.len().max(limit));
        input.bytes[input.end..][..count].copy_from_slice(&self.frame[self.at..][..count]);
        input.end += count;
        self.at += count;
        Ok(count)
    }

    fn close(&mut self) {}
}

/// A slow receiver always lags: it never reads all received bytes.
#[test]
fn data_that_arrives_faster_than_it_is_used_takes_a_bounded_buffer() {
    let mut channel = Framed::over(Torrent::default());
    for number in 0..500 {
        assert_eq!(channel.recv().unwrap(), Kind::Tables);
        while channel.poll().unwrap() {}
        let payload = channel.payload();
        assert!(payload.len() == 64 << 10 && payload.iter().all(|byte| *byte == number as u8));
    }
    assert_eq!(channel.bytes_received(), 500 * (HEADER as u64 + (64 << 10)));
    assert!(channel.input.bytes.len() < 2 * BACKLOG, "{} bytes", channel.input.bytes.len());
}

#[test]
fn the_end_of_the_stream_is_an_error_only_while_waiting() {
    // TLS reports the first error if a peer left without a close alert, TCP the second if a peer
    // reset the connection.
    for end in [io::ErrorKind::UnexpectedEof, io::ErrorKind::ConnectionReset] {
        let mut channel = Framed::over(Late { full: true, frame: None, end, waits: 1 });
        channel.send(Kind::Done, &[]).unwrap();
        channel.flush().unwrap();
        assert!(matches!(channel.recv(), Err(ChannelError::Closed)));
    }
}

#[test]
fn a_heartbeat_of_the_wrong_length_is_refused() {
    for len in [0, 7, 9, MAX_PAYLOAD] {
        let (mut a, mut b) = over_pipe();
        introduce(&mut *a, &mut *b);
        a.send(Kind::Heartbeat, &vec![0; len]).unwrap();
        a.send(Kind::Done, &[]).unwrap();
        // Sends as much as the pipe accepts.
        std::thread::scope(|scope| {
            scope.spawn(|| a.flush().and_then(|()| a.close()));
            let error = b.recv().unwrap_err();
            assert!(matches!(error, ChannelError::Damaged { frame: 1, .. }), "{len}: {error}");
            b.abort("a heartbeat that is none");
        });
    }
}

#[test]
fn two_sides_that_compute_for_long_do_not_time_out() {
    const FRAMES: usize = 64;
    let timeout = Duration::from_millis(600);
    let compute = |end: &mut dyn Channel| {
        let begin = std::time::Instant::now();
        while begin.elapsed() < 3 * timeout {
            std::thread::sleep(Duration::from_millis(20));
            end.tick().unwrap();
        }
    };
    std::thread::scope(|scope| {
        for carrier in CARRIERS {
            let (mut a, mut b) = carrier();
            for end in [&mut a, &mut b] {
                end.set_timing(Timing::new(timeout, Arc::default()));
            }
            introduce(&mut *a, &mut *b);
            scope.spawn(move || {
                compute(&mut *a);
                // More than a ring holds: this side waits for free space while the other computes.
                for _ in 0..FRAMES {
                    a.send(Kind::Tables, &vec![7; MAX_PAYLOAD]).unwrap();
                }
                a.flush().unwrap();
                assert_eq!(a.recv().unwrap(), Kind::Done);
            });
            scope.spawn(move || {
                compute(&mut *b);
                compute(&mut *b);
                for _ in 0..FRAMES {
                    assert_eq!(b.recv().unwrap(), Kind::Tables);
                }
                // Now the other side waits for a response.
                compute(&mut *b);
                b.send(Kind::Done, &[]).unwrap();
                b.flush().unwrap();
            });
        }
    });
}

/// Prints the overhead of a frame. `cargo test --release -- --ignored frame_rate`.
#[test]
#[ignore = "a measurement"]
fn frame_rate() {
    const PIECES: usize = 40_000;
    for (name, carrier) in [("ring", over_ring as fn() -> Ends), ("tcp", over_tcp)] {
        let (mut a, mut b) = carrier();
        let begin = std::time::Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..PIECES {
                    a.send_space(Kind::Tables, 65536).unwrap()[0] = 1;
                    a.send_commit().unwrap();
                }
                a.flush().unwrap();
            });
            let mut bytes = 0;
            while bytes < PIECES * 65536 {
                b.recv().unwrap();
                bytes += b.payload().len();
            }
        });
        let tables = PIECES * 2048;
        let each = begin.elapsed().as_secs_f64() * 1e9 / tables as f64;
        println!("{name}: {each:.2} ns per table");
    }
    let block = vec![1; 128 << 10];
    let begin = std::time::Instant::now();
    let sum = (0..20_000).fold(0, |sum, _| sum ^ crate::frame::crc32c(&block));
    let each = begin.elapsed().as_secs_f64() * 1e9 / (20_000.0 * 4096.0);
    println!("CRC-32C: {each:.2} ns per table ({sum})");
}
