//! Any bytes as a peer's stream: each is a frame or an error, and nothing is asked for beyond the
//! longest frame.
#![no_main]

use halfgate_protocol::channel::Channel;
use halfgate_protocol::frame::MAX_PAYLOAD;
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use libfuzzer_sys::fuzz_target;
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

fuzz_target!(|data: &[u8]| {
    let mut channel = StreamChannel::new(Peer(data));
    while channel.recv().is_ok() {
        assert!(channel.payload().len() <= MAX_PAYLOAD);
    }
});
