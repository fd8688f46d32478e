//! The host's side of the mobile coprocessor's link receives any bytes, and frames of any content
//! with a correct checksum. It must reject them or continue. It must never send more than the chip
//! has free space for, and must stop if there is no progress.
//!
//! longest: 1024

use halfgate_mobile_model::frame::{Frame, PAYLOAD};
use halfgate_mobile_model::transport::Transport;

const RUN: u16 = 5;

pub fn run(data: &[u8]) {
    let mut transport = Transport::new(RUN, 0);
    let (mut data, mut labels) = (data, 0);
    while let Some((&kind, rest)) = data.split_first() {
        let (now, rest) = rest.split_at(rest.len().min(8));
        data = rest;
        let byte = |at: usize| now.get(at).copied().unwrap_or(0);
        let frame = match kind % 8 {
            0 => Some(Frame::Hello {
                run: RUN,
                version: 1,
                suites: 1,
                slots: 3 + byte(0) % 11,
                space: byte(1),
            }),
            1 => Some(Frame::Hello {
                run: RUN,
                version: byte(0),
                suites: byte(1),
                slots: byte(2),
                space: byte(3),
            }),
            2 | 3 => Some(Frame::Ack {
                number: byte(0) % 64,
                run: RUN,
                space: byte(1),
                status: if kind & 8 == 0 { 0 } else { byte(2) },
                again: byte(3) & 1 == 1,
            }),
            4 => {
                let length = if kind & 8 == 0 { 16 } else { 1 + usize::from(byte(1)) };
                let payload = vec![byte(2); length].into();
                Some(Frame::Data { number: byte(0) % 64, run: RUN, payload })
            }
            5 => None,
            6 => {
                if transport.has_space() {
                    transport.send(&vec![byte(0); 1 + usize::from(byte(1)) % 60]);
                }
                if kind & 8 != 0 {
                    transport.flush();
                }
                continue;
            }
            _ => match transport.retransmit() {
                Ok(()) => continue,
                Err(_) => return,
            },
        };
        let frame = frame.map_or_else(|| now.to_vec(), |frame| frame.encode().to_vec());
        if transport.receive(&frame).is_err() {
            return;
        }
        assert!(transport.sends().len() < 2 * 31 * (PAYLOAD + 20), "no more than is on its way");
        while transport.label().is_some() {
            labels += 1;
        }
    }
    assert!(labels < 1 << 20);
    // Timeouts without progress end the run.
    let idle = (0..100).find(|_| transport.retransmit().is_err());
    assert!(idle.is_some());
}
