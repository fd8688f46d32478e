//! Frames on the mobile coprocessor's link: decodes any bytes, and then a valid frame. The valid
//! frame must be found after any bytes.
//!
//! longest: 1536

use halfgate_mobile_model::frame::{Deframer, Frame};

pub fn run(data: &[u8]) {
    let mut deframer = Deframer::default();
    for frame in data.iter().filter_map(|byte| deframer.push(*byte)).flatten() {
        let again = frame.encode();
        assert_eq!(Frame::decode(&again[..again.len() - 1]), Ok(frame));
    }
    deframer.push(0);
    let reset = Frame::Reset { run: 5 }.encode();
    let found: Vec<_> = reset.iter().filter_map(|byte| deframer.push(*byte)).collect();
    assert_eq!(found, [Ok(Frame::Reset { run: 5 })]);
}
