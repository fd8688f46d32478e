//! A host for a chip in SystemVerilog, and the frames and items that the host sends.

use halfgate_engine::kernels;
use halfgate_mobile::engine::{Link, Linked, Modelled, Port};
use halfgate_mobile::rtl::{Machine, Memory, Options, RtlMobile};
use halfgate_mobile_model::frame::{Deframer, Frame};
use halfgate_mobile_model::item::{Encoder, Item};
use halfgate_mobile_model::model::Form;
use halfgate_mobile_model::names::*;
use halfgate_verilated::Mutation;
use std::collections::VecDeque;

pub const RUN: u16 = 0x4a00;
pub const LINK: Link = Link { mhz: 40.5, clocks: 3.0 };

pub struct Host {
    pub port: Linked<Machine>,
    deframer: Deframer,
    frames: VecDeque<Frame>,
}

impl Host {
    /// Connects to a chip that is compared with the model in each clock cycle.
    pub fn new(form: Form, mutations: &[Mutation]) -> Host {
        Host::at(form, mutations, LINK, Memory::Prompt)
    }

    pub fn at(form: Form, mutations: &[Mutation], link: Link, memory: Memory) -> Host {
        let options = Options { form, mutations: mutations.to_vec(), ..Options::default() };
        let library = RtlMobile::new(options).build().expect("builds");
        let is_prompt = matches!(memory, Memory::Prompt);
        let model = is_prompt.then(|| Modelled::new(form, kernels::best()));
        let chip = Machine::new(&library, memory, model, None).expect("a chip");
        let mut port = Linked::new(chip, link).expect("it is wiped");
        if !is_prompt {
            // A slow memory delays the wiping.
            port.rest(20_000).expect("it is wiped");
        }
        Host { port, deframer: Deframer::default(), frames: VecDeque::new() }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.port.send(bytes).expect("RTL and model agree");
    }

    /// Returns the next frame, or `None` if no frame arrives. Skips a frame that a reset has cut
    /// short.
    pub fn receive(&mut self) -> Option<Frame> {
        if self.frames.is_empty() {
            let bytes = self.port.receive(true).expect("RTL and model agree");
            let frames = bytes.into_iter().filter_map(|byte| self.deframer.push(byte));
            self.frames.extend(frames.flatten());
        }
        self.frames.pop_front()
    }

    /// Returns all frames until no more arrive.
    pub fn receive_all(&mut self) -> Vec<Frame> {
        std::iter::from_fn(|| self.receive()).collect()
    }

    /// Returns all frames that arrive in this many clock cycles.
    pub fn receive_for(&mut self, clocks: u64) -> Vec<Frame> {
        self.port.rest(clocks).expect("RTL and model agree");
        let bytes = self.port.receive(false).expect("RTL and model agree");
        let frames = bytes.into_iter().filter_map(|byte| self.deframer.push(byte));
        self.frames.drain(..).chain(frames.flatten()).collect()
    }

    pub fn reset(&mut self) {
        self.send(&[0]);
        self.send(&Frame::Reset { run: RUN }.encode());
        // The reset cuts a frame short. For some time this may be all that arrives.
        let printed = (0..5).map(|_| self.receive());
        let hello = printed.flatten().find(|frame| matches!(frame, Frame::Hello { .. }));
        let Some(Frame::Hello {
            run: RUN,
            version: FORMAT_VERSION,
            suites: 3,
            slots: 13,
            space: 3,
        }) = hello
        else {
            panic!("{hello:?}")
        };
        assert_eq!(self.receive_all(), []);
    }

    pub fn data(&mut self, number: u8, payload: &[u8]) {
        self.send(&Frame::Data { number, run: RUN, payload: payload.to_vec().into() }.encode());
    }
}

/// Makes a frame of any bytes: adds the checksum, the byte stuffing and the end byte, as
/// [`Frame::encode`] does.
pub fn framed(bytes: &[u8]) -> Vec<u8> {
    let check = bytes.iter().fold(!0_u32, |check, &byte| {
        (0..8).fold(check ^ u32::from(byte), |check, _| (check >> 1) ^ (0x82f6_3b78 * (check & 1)))
    });
    let bytes = [bytes, &(!check).to_le_bytes()].concat();
    let mut stuffed = vec![1];
    let mut code = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte != 0 {
            stuffed.push(byte);
            stuffed[code] += 1;
        }
        let is_full = stuffed[code] == 0xff && at + 1 < bytes.len();
        if byte == 0 || is_full {
            code = stuffed.len();
            stuffed.push(1);
        }
    }
    stuffed.push(0);
    stuffed
}

pub fn response(number: u8, space: u8, status: u8, again: bool) -> Frame {
    Frame::Ack { number, run: RUN, space, status, again }
}

pub fn items(items: &[(Item, &[u8])]) -> Vec<u8> {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    for (item, follows) in items {
        encoder.push(*item, None, follows, &mut bytes);
    }
    encoder.flush(&mut bytes);
    bytes
}
