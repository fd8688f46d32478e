//! Receives any bytes as a peer's stream. Each part is a frame or an error, and the receiver never
//! requests more than the longest frame. Frames made from the bytes arrive unchanged, and a changed
//! frame is never accepted.
//!
//! longest: 1024

use halfgate_protocol::channel::Channel;
use halfgate_protocol::frame::{HEADER, Header, Kind, MAX_PAYLOAD};
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use std::io::{self, Read, Write};

struct Peer<'a>(&'a [u8]);

impl Read for Peer<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        assert!(bytes.len() <= MAX_PAYLOAD + (1 << 16));
        self.0.read(bytes)
    }
}

impl Write for Peer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Peer<'_> {
    fn set_nonblocking(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn run(data: &[u8]) {
    let mut channel = StreamChannel::new(Peer(data));
    while channel.recv().is_ok() {
        assert!(channel.payload().len() <= MAX_PAYLOAD);
    }

    let Some((&[low, high, flip], payloads)) = data.split_first_chunk::<3>() else { return };
    let mut stream = Vec::new();
    let frames: Vec<&[u8]> = payloads.split(|byte| *byte == 0).collect();
    for (sequence, payload) in (0..).zip(&frames) {
        let mut frame = [&[0; HEADER], *payload].concat();
        Header::seal(Kind::Labels, sequence, &mut frame);
        stream.extend(frame);
    }
    let place = usize::from(u16::from_le_bytes([low, high])) % stream.len();
    stream[place] ^= flip;
    let mut channel = StreamChannel::new(Peer(&stream));
    let mut arrived = 0;
    while let Ok(kind) = channel.recv() {
        assert_eq!(kind, Kind::Labels);
        assert_eq!(channel.payload(), frames[arrived]);
        arrived += 1;
    }
    assert_eq!(arrived == frames.len(), flip == 0, "all frames arrive, unless one was changed");
}
