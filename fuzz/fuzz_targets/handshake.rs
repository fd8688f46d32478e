//! Any bytes: the handshake's parser refuses them, or what it reads is written as the same bytes.
#![no_main]

use halfgate_protocol::handshake::Hello;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(hello) = Hello::parse(data) {
        assert_eq!(hello.encode(), data);
    }
});
