//! What is wrong on the mobile coprocessor's link is named, and nothing is left of it after a reset; the model does the same in each clock.

use halfgate_engine::mobile::{Link, Linked, Modelled, Port};
use halfgate_engine::{EngineError, kernels};
use halfgate_machines::mobile::frame::{Deframer, Frame};
use halfgate_machines::mobile::item::{Begin, Encoder, Item};
use halfgate_machines::mobile::names::*;
use halfgate_rtl::Design;
use halfgate_rtl::mobile::{Machine, Memory};
use std::collections::VecDeque;

const RUN: u16 = 0x4a00;
const LINK: Link = Link { mhz: 40.5, clocks: 3.0 };

struct Host {
    port: Linked<Machine>,
    deframer: Deframer,
    frames: VecDeque<Frame>,
}

impl Host {
    /// Before a chip whose every clock is compared with the model's; none where there is no Verilator.
    fn new() -> Option<Host> {
        if std::process::Command::new("verilator").arg("--version").output().is_err() {
            println!("not run: verilator is not installed");
            return None;
        }
        let library = Design::of("mobile").build().expect("builds");
        let model = Some(Modelled::new(kernels::best()));
        let chip = Machine::new(&library, Memory::Prompt, model, None).expect("a chip");
        let port = Linked::new(chip, LINK).expect("it is wiped");
        Some(Host { port, deframer: Deframer::default(), frames: VecDeque::new() })
    }

    fn send(&mut self, bytes: &[u8]) {
        self.port.send(bytes).expect("RTL and model agree");
    }

    /// The next frame; none if none comes. One that was cut short by a reset is none.
    fn hear(&mut self) -> Option<Frame> {
        if self.frames.is_empty() {
            let bytes = self.port.hear(true).expect("RTL and model agree");
            let frames = bytes.into_iter().filter_map(|byte| self.deframer.push(byte));
            self.frames.extend(frames.flatten());
        }
        self.frames.pop_front()
    }

    /// All frames until nothing comes any more.
    fn hear_all(&mut self) -> Vec<Frame> {
        std::iter::from_fn(|| self.hear()).collect()
    }

    fn reset(&mut self) {
        self.send(&[0]);
        self.send(&Frame::Reset { run: RUN }.encode());
        let mut hello = self.hear();
        while !matches!(hello, None | Some(Frame::Hello { .. })) {
            hello = self.hear();
        }
        let Some(Frame::Hello { run: RUN, version: FORMAT_VERSION, suites: 3, slots: 13, room: 3 }) =
            hello
        else {
            panic!("{hello:?}")
        };
        assert_eq!(self.hear_all(), []);
    }

    fn data(&mut self, number: u8, payload: &[u8]) {
        self.send(&Frame::Data { number, run: RUN, payload: payload.to_vec() }.encode());
    }
}

fn answer(number: u8, room: u8, status: u8, again: bool) -> Frame {
    Frame::Ack { number, run: RUN, room, status, again }
}

fn items(items: &[(Item, &[u8])]) -> Vec<u8> {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    for (item, follows) in items {
        encoder.push(*item, None, follows, &mut bytes);
    }
    encoder.flush(&mut bytes);
    bytes
}

/// Loads two labels, and reads their XOR.
fn run(host: &mut Host) {
    let labels = [[0x5a; 16], [0x0f; 16]];
    let xor = Item::xor([Some(9), Some(8000), None], 700);
    let all = items(&[
        (Item::Load { slot: 9 }, &labels[0]),
        (Item::Load { slot: 8000 }, &labels[1]),
        (xor, &[]),
        (Item::Read { slot: 700 }, &[]),
        (Item::End, &[]),
    ]);
    host.data(0, &all);
    let found = host.hear_all();
    let label = Frame::Data { number: 0, run: RUN, payload: vec![0x55; 16] };
    assert!(found.contains(&label), "{found:?}");
    assert_eq!(found.last(), Some(&answer(1, 3, STATUS_OVER, false)));
    // Nobody said that it came: it comes again if it is wanted.
    host.send(&answer(0, 0, 0, true).encode());
    assert_eq!(host.hear(), Some(label));
    host.send(&answer(1, 0, 0, true).encode());
    assert_eq!(host.hear(), None);
}

#[test]
fn what_is_wrong_is_named_and_a_reset_mends_it() {
    let Some(mut host) = Host::new() else { return };
    host.reset();
    run(&mut host);
    let wrong: [(&[u8], u8); 6] = [
        (&[0xff], STATUS_NO_ITEM),
        (&[0xf0, 1, 2, 0xff, 0x20], STATUS_NO_SLOT),
        (&[0xf1, 0xff, 0xff], STATUS_NO_SLOT),
        (&[0xfa, 1, 2, 3, 0x20], STATUS_NO_ITEM),
        (&[0xfa, 1, 2, 3, 0x18], STATUS_NO_ITEM),
        (&[0xcf], STATUS_NO_ITEM),
    ];
    for (bytes, status) in wrong {
        host.reset();
        host.data(0, bytes);
        assert_eq!(host.hear_all().last(), Some(&answer(1, 3, status, false)), "{bytes:02x?}");
        // Nothing is done from then on, but what comes is swallowed.
        host.data(1, &[0xfc, 9, 0xfd]);
        assert_eq!(host.hear_all().last(), Some(&answer(2, 3, status, false)), "{bytes:02x?}");
    }
    // The last slot of all is one.
    host.reset();
    host.data(0, &[0xfc, 0xff, 0x1f]);
    let found = host.hear_all();
    assert!(found.iter().any(|frame| matches!(frame, Frame::Data { number: 0, .. })), "{found:?}");
    host.reset();
    let other = Frame::Data { number: 0, run: RUN + 1, payload: vec![0xfd] };
    host.send(&other.encode());
    assert_eq!(host.hear_all().last(), Some(&answer(0, 3, STATUS_OTHER_RUN, false)));
    host.reset();
    run(&mut host);
}

#[test]
fn frames_that_are_none_are_asked_for_once() {
    let Some(mut host) = Host::new() else { return };
    let right = Frame::Data { number: 0, run: RUN, payload: vec![0xfd] }.encode();
    let mut altered = right.clone();
    altered[4] ^= 0x10;
    let late = Frame::Data { number: 1, run: RUN, payload: vec![0xfd] }.encode();
    let long = [&[0xff][..], &[7; 254], &[0xff], &[7; 254], &[0xff], &[7; 254], &[0xff], &[7; 254]];
    let long = [long.concat(), vec![0xff], vec![7; 254], vec![0]].concat();
    let cut = [&right[..5], &[0]].concat();
    let short = [1, 0];
    for wrong in [&altered[..], &late, &long, &cut, &short] {
        host.reset();
        host.send(wrong);
        assert_eq!(host.hear_all().last(), Some(&answer(0, 3, STATUS_FINE, true)), "{wrong:02x?}");
        host.send(wrong);
        assert_eq!(host.hear_all(), [], "it was asked for");
        host.send(&right);
        assert_eq!(host.hear_all().last(), Some(&answer(1, 3, STATUS_OVER, false)), "{wrong:02x?}");
        // The same again is old, which is said.
        host.send(&right);
        assert_eq!(host.hear_all().last(), Some(&answer(1, 3, STATUS_OVER, true)), "{wrong:02x?}");
    }
}

/// A host that stops within a frame, an item or a table; whatever was there is wiped by the next one.
#[test]
fn nothing_is_left_after_a_reset() {
    let Some(mut host) = Host::new() else { return };
    let begin = Begin { is_grr3: false, number: 3, cycle: 0, point: 77 };
    let mut all = vec![(Item::Begin, begin.bytes().to_vec())];
    for slot in 0..40 {
        all.push((Item::Load { slot: slot * 200 }, vec![0xa5; 16]));
        all.push((Item::And { a: 0, b: 0, c: 0, xors: 0, out: slot * 200 + 1 }, vec![0x3c; 32]));
    }
    let all: Vec<(Item, &[u8])> = all.iter().map(|(item, bytes)| (*item, &bytes[..])).collect();
    let bytes = items(&all);
    for cut in [5, 40, 66, 67, 300, 700, 1000] {
        host.reset();
        host.data(0, &bytes[..cut]);
        if cut % 2 == 0 {
            host.send(&[3, 9]);
        }
        // It may be in the middle of an AND.
        host.send(&[0]);
        let reset = Frame::Reset { run: RUN }.encode();
        host.send(&reset);
        while !matches!(host.hear(), Some(Frame::Hello { .. })) {}
        assert!(!host.port.chip().holds_anything(), "{cut}: labels are left");
        host.hear_all();
        run(&mut host);
    }
}

/// A host that does not say that labels came gets no more than there is room for, and loses none.
#[test]
fn labels_wait_for_a_host_that_is_slow() -> Result<(), EngineError> {
    let Some(mut host) = Host::new() else { return Ok(()) };
    host.reset();
    let mut all = Vec::new();
    let labels: Vec<[u8; 16]> = (0..100).map(|n| [n + 1; 16]).collect();
    for (slot, label) in (0..).zip(&labels) {
        all.push((Item::Load { slot }, &label[..]));
        all.push((Item::Read { slot }, &[]));
    }
    all.push((Item::End, &[]));
    let bytes = items(&all);
    for (number, piece) in (0..).zip(bytes.chunks(700)) {
        host.data(number, piece);
    }
    let mut found = 0;
    while found < labels.len() {
        let before = found;
        for frame in host.hear_all() {
            if let Frame::Data { number, payload, .. } = frame {
                assert_eq!((usize::from(number), &payload[..]), (found % 64, &labels[found][..]));
                found += 1;
            }
        }
        assert!(found - before <= 31 && found > before, "{before} {found}");
        host.send(&answer((found % 64) as u8, 0, 0, false).encode());
    }
    Ok(())
}
