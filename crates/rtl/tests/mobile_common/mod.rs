//! What the tests of the mobile coprocessor in SystemVerilog share: each panics at what is wrong, on a chip with these faults.

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::mobile::{Link, Linked, Modelled, Port, SUITES};
use halfgate_engine::{Suite, kernels};
use halfgate_machines::mobile::frame::{Deframer, Frame};
use halfgate_machines::mobile::item::{Begin, Encoder, Item};
use halfgate_machines::mobile::model::Form;
use halfgate_machines::mobile::names::*;
use halfgate_rtl::Mutation;
use halfgate_rtl::mobile::{Machine, Memory, Options, RtlMobile};
use std::collections::VecDeque;

/// Whether there is a Verilator; what cannot run is named.
pub fn can_build() -> bool {
    let is_there = std::process::Command::new("verilator").arg("--version").output().is_ok();
    if !is_there {
        println!("not run: verilator is not installed");
    }
    is_there
}

pub fn check(options: Options, suite: Suite, seed: u64, circuit: Circuit) -> RtlMobile {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let evaluator = RtlMobile::new(options.clone());
    let run = Run { suite, seed, cycles };
    if let Err(what) = check_pair(&garbler, &evaluator, &program, &inputs, run) {
        panic!("{suite}, {options:?}, {cycles} cycles, seed {seed}: {what}");
    }
    evaluator
}

fn links() -> [Link; 3] {
    [Link::spi(42.0, 30.0), Link { mhz: 42.0, clocks: 1.0 }, Link::serial(42.0, 12.0)]
}

/// Random circuits, with every clock held to the model's.
pub fn the_chip_is_its_model_in_every_clock(form: Form, mutations: &[Mutation]) {
    for seed in 0..16 {
        let shape = Shape {
            gates: 20 + 137 * seed as u32 % 700,
            flip_flops: seed as u32 % 5,
            ..Shape::default()
        };
        let options = Options {
            form,
            link: links()[seed as usize % 3],
            modelled: true,
            slots: [8192, 300, 40, 7][seed as usize / 4],
            mutations: mutations.to_vec(),
            ..Options::default()
        };
        check(options, SUITES[seed as usize / 3 % 2], seed, random::circuit(seed, &shape));
    }
}

/// Random circuits, with a memory that answers when it likes.
pub fn any_memory_will_do(form: Form, mutations: &[Mutation]) {
    for seed in 0..8 {
        let shape = Shape { gates: 200, flip_flops: seed as u32 % 3, ..Shape::default() };
        let options = Options {
            form,
            link: Link { mhz: 42.0, clocks: 1.0 },
            memory: Memory::Slow(seed + 9),
            slots: [8192, 40][seed as usize / 2 % 2],
            mutations: mutations.to_vec(),
            ..Options::default()
        };
        check(options, SUITES[seed as usize % 2], seed, random::circuit(seed, &shape));
    }
}

const RUN: u16 = 0x4a00;
const LINK: Link = Link { mhz: 40.5, clocks: 3.0 };

struct Host {
    port: Linked<Machine>,
    deframer: Deframer,
    frames: VecDeque<Frame>,
}

impl Host {
    /// Before a chip whose every clock is compared with the model's.
    fn new(form: Form, mutations: &[Mutation]) -> Host {
        Host::at(form, mutations, LINK, Memory::Prompt)
    }

    fn at(form: Form, mutations: &[Mutation], link: Link, memory: Memory) -> Host {
        let options = Options { form, mutations: mutations.to_vec(), ..Options::default() };
        let library = RtlMobile::new(options).build().expect("builds");
        let is_prompt = matches!(memory, Memory::Prompt);
        let model = is_prompt.then(|| Modelled::new(form, kernels::best()));
        let chip = Machine::new(&library, memory, model, None).expect("a chip");
        let mut port = Linked::new(chip, link).expect("it is wiped");
        if !is_prompt {
            // It has wiped its labels when the memory has let it.
            port.rest(20_000).expect("it is wiped");
        }
        Host { port, deframer: Deframer::default(), frames: VecDeque::new() }
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

    /// What comes in so many clocks.
    fn hear_for(&mut self, clocks: u64) -> Vec<Frame> {
        self.port.rest(clocks).expect("RTL and model agree");
        let bytes = self.port.hear(false).expect("RTL and model agree");
        let frames = bytes.into_iter().filter_map(|byte| self.deframer.push(byte));
        self.frames.drain(..).chain(frames.flatten()).collect()
    }

    fn reset(&mut self) {
        self.send(&[0]);
        self.send(&Frame::Reset { run: RUN }.encode());
        // What it was saying is cut short, and may be all that comes for a while.
        let said = (0..5).map(|_| self.hear());
        let hello = said.flatten().find(|frame| matches!(frame, Frame::Hello { .. }));
        let Some(Frame::Hello { run: RUN, version: FORMAT_VERSION, suites: 3, slots: 13, room: 3 }) =
            hello
        else {
            panic!("{hello:?}")
        };
        assert_eq!(self.hear_all(), []);
    }

    fn data(&mut self, number: u8, payload: &[u8]) {
        self.send(&Frame::Data { number, run: RUN, payload: payload.to_vec().into() }.encode());
    }
}

/// Bytes with their check, stuffed, and an end: as [`Frame::encode`] does, whatever they are.
fn framed(bytes: &[u8]) -> Vec<u8> {
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

/// Loads two labels, and reads their XOR, after a beginning in which nothing is made.
fn run(host: &mut Host) {
    let labels = [[0x5a; 16], [0x0f; 16]];
    let xor = Item::xor([Some(9), Some(8000), None], 700);
    let all = items(&[
        (Item::Load { slot: 9 }, &labels[0]),
        (Item::Load { slot: 8000 }, &labels[1]),
        (xor, &[]),
        (Item::Begin, &[0; 26]),
        (Item::xor([Some(9), Some(700), None], 701), &[]),
        (Item::xor([Some(701), Some(9), None], 702), &[]),
        (Item::Read { slot: 702 }, &[]),
        (Item::End, &[]),
    ]);
    host.data(0, &all);
    let label = Frame::Data { number: 0, run: RUN, payload: vec![0x55; 16].into() };
    let over = answer(1, 3, STATUS_OVER, false);
    // In either order.
    let found = host.hear_all();
    assert!(found.contains(&label) && found.contains(&over), "{found:?}");
    // Nobody said that it came: it comes again if it is wanted, and who asks is told again how far it is.
    host.send(&answer(0, 0, 0, true).encode());
    let found = host.hear_all();
    assert!(found.len() == 2 && found.contains(&label) && found.contains(&over), "{found:?}");
    host.send(&answer(1, 0, 0, true).encode());
    assert_eq!(host.hear_all(), [over]);
    host.send(&answer(1, 0, 0, false).encode());
    assert_eq!(host.hear_all(), []);
}

pub fn what_is_wrong_is_named_and_a_reset_mends_it(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    host.reset();
    run(&mut host);
    let wrong: [(&[u8], u8); 7] = [
        (&[0xff], STATUS_NO_ITEM),
        (&[0xf0, 1, 2, 0xff, 0x20], STATUS_NO_SLOT),
        (&[0xf1, 0xff, 0xff], STATUS_NO_SLOT),
        (&[0xfa, 1, 2, 3, 0x20], STATUS_NO_ITEM),
        (&[0xfa, 1, 2, 3, 0x18], STATUS_NO_ITEM),
        (&[0xcf], STATUS_NO_ITEM),
        (&[0xfd, 0xff], STATUS_NO_ITEM),
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
    let other = Frame::Data { number: 0, run: RUN + 1, payload: vec![0xfd].into() };
    host.send(&other.encode());
    assert_eq!(host.hear_all().last(), Some(&answer(0, 3, STATUS_OTHER_RUN, false)));
    host.reset();
    run(&mut host);
}

pub fn frames_that_are_none_are_asked_for_once(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    let right = Frame::Data { number: 0, run: RUN, payload: vec![0xfd].into() }.encode();
    let mut altered = right.clone();
    altered[4] ^= 0x10;
    let late = Frame::Data { number: 1, run: RUN, payload: vec![0xfd].into() }.encode();
    // With a right check: too long, without payload, and with a last piece that says that it is longer.
    let long = framed(&[&[0, 0, 0x4a][..], &[7; 1025]].concat());
    let empty = framed(&[0, 0, 0x4a]);
    let mut open = framed(&[0, 0, 0x4a, 0xfd]);
    let mut code = 0;
    while code + usize::from(open[code]) < open.len() - 1 {
        code += usize::from(open[code]);
    }
    open[code] += 1;
    let cut = [&right[..5], &[0]].concat();
    let short = [1, 0];
    for wrong in [&altered[..], &late, &long, &empty, &open, &cut, &short] {
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

/// Every form of an item, with slots of one byte and of two, and ANDs that are far from one another: what comes back is the model's.
pub fn every_form_of_item(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    for is_grr3 in [false, true] {
        host.reset();
        let begin = Begin { is_grr3, number: 5, cycle: 9, point: 0x1234_5678_9abc };
        let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
        encoder.push(Item::Begin, None, &begin.bytes(), &mut bytes);
        let slots = [3, 224, 8191, 100, 479, 480];
        for (at, slot) in (0_u8..).zip(slots) {
            let label: Vec<u8> = (0..16).map(|byte| (byte * 17) ^ at.wrapping_mul(91)).collect();
            encoder.push(Item::Load { slot }, None, &label, &mut bytes);
        }
        let [a, b, c, d, e, f] = slots;
        let table: Vec<u8> = (0..if is_grr3 { 48 } else { 32 }).map(|byte| byte ^ 0x5a).collect();
        let mut far = [0, 254, 255, 1, 256, 700, 3].into_iter().cycle();
        for out in [a, b, c, d, e, f] {
            for third in [None, Some(c)] {
                encoder.push(Item::xor([Some(a), Some(b), third], out), None, &[], &mut bytes);
            }
            for xors in 0..8 {
                let and = Item::And { a, b, c, xors, out };
                let far = if is_grr3 { far.next() } else { None };
                encoder.push(and, far, &table, &mut bytes);
            }
            encoder.push(Item::Read { slot: out }, None, &[], &mut bytes);
        }
        encoder.push(Item::End, None, &[], &mut bytes);
        encoder.flush(&mut bytes);
        for (number, piece) in (0..).zip(bytes.chunks(1000)) {
            host.data(number, piece);
        }
        let found = host.hear_all();
        let labels = found.iter().filter(|frame| matches!(frame, Frame::Data { .. }));
        assert_eq!(labels.count(), slots.len(), "{found:?}");
        let is_over = |frame: &Frame| matches!(frame, Frame::Ack { status: STATUS_OVER, .. });
        assert!(found.iter().any(is_over), "{found:?}");
    }
}

/// A host that stops within a frame, an item or a table; whatever was there is wiped by the next one.
pub fn nothing_is_left_after_a_reset(form: Form, mutations: &[Mutation]) {
    for memory in [Memory::Prompt, Memory::Slow(5)] {
        stops_anywhere(Host::at(form, mutations, LINK, memory));
    }
}

fn stops_anywhere(mut host: Host) {
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
pub fn labels_wait_for_a_host_that_is_slow(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
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
    // Of labels that were not sent nobody can have heard. What is heard while others are sent again goes on from there.
    let first = host.hear_all();
    host.send(&answer(50, 0, 0, false).encode());
    assert_eq!(host.hear_all(), []);
    host.send(&answer(0, 0, 0, true).encode());
    host.send(&answer(20, 0, 0, false).encode());
    assert_eq!(numbers(&first), (0..31).collect::<Vec<u8>>());
    let again = numbers(&host.hear_all());
    let jump = again.iter().position(|number| *number == 20).expect("it goes on there");
    assert!(jump < 5 && again[jump..] == (20..51).collect::<Vec<u8>>(), "{again:?}");
    host.send(&answer(31, 0, 0, true).encode());
    let mut found = 31;
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
}

fn numbers(frames: &[Frame]) -> Vec<u8> {
    let numbers = frames.iter().filter_map(|frame| match frame {
        Frame::Data { number, .. } => Some(*number),
        _ => None,
    });
    numbers.collect()
}

/// So many labels that are loaded and read.
fn there_and_back(count: u8) -> Vec<u8> {
    let labels: Vec<[u8; 16]> = (1..=count).map(|n| [n; 16]).collect();
    let all = (0..).zip(&labels);
    let all = all.flat_map(|(slot, label)| {
        [(Item::Load { slot }, &label[..]), (Item::Read { slot }, &[][..])]
    });
    items(&all.collect::<Vec<_>>())
}

/// A host that wants labels again, and then has them, whenever it says so: no label comes that was not made.
pub fn labels_are_made_before_they_are_sent(form: Form, mutations: &[Mutation]) {
    const EACH: u8 = 4;
    let mut host = Host::new(form, mutations);
    host.reset();
    let mut first = 0;
    // An answer takes some 60 clocks, and each label 150.
    for clocks in 0..300 {
        host.data(clocks as u8 & 63, &there_and_back(EACH));
        let made: Vec<u8> = (first..first + EACH).map(|number| number & 63).collect();
        assert_eq!(numbers(&host.hear_for(1000)), made);
        let end = (first + EACH) & 63;
        host.send(&answer(first + 2, 0, 0, true).encode());
        host.hear_for(clocks);
        host.send(&answer(end, 0, 0, clocks % 2 == 0).encode());
        let found = numbers(&host.hear_for(500));
        assert!(found.iter().all(|number| made.contains(number)), "{clocks} clocks: {found:?}");
        first = end;
    }
}

/// What the chip says of frames does not wait for all labels that there are.
pub fn answers_go_before_labels(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    host.reset();
    host.data(0, &there_and_back(30));
    host.data(1, &[0xfd]);
    let found = host.hear_all();
    let at = |wanted: &Frame| found.iter().position(|frame| frame == wanted);
    let over = at(&answer(2, 3, STATUS_OVER, false)).expect("it is over");
    let labels = numbers(&found[..over]).len();
    assert!(labels < 28, "{labels} of 30 labels before the answer: {found:?}");
    let kept = found.iter().position(|frame| matches!(frame, Frame::Ack { number: 2, .. }));
    let labels = numbers(&found[..kept.expect("it was answered")]).len();
    assert!(labels < 8, "{labels} of 30 labels before the answer: {found:?}");
}

/// Whenever a frame ends, just when another one has gone or not: who hears that it is there hears how much room is left with it.
pub fn there_is_room_for_what_is_promised(form: Form, mutations: &[Mutation]) {
    let mut host = Host::at(form, mutations, Link { mhz: 40.5, clocks: 1.0 }, Memory::Prompt);
    host.reset();
    // They come faster than they are done.
    let xor = (Item::xor([Some(1), Some(2), Some(3)], 4), &[][..]);
    let (full, half) = (items(&[xor; 226]), items(&[xor; 113]));
    let mut number = 0;
    let mut send = |host: &mut Host, payload: &[u8]| {
        host.data(number, payload);
        number = (number + 1) & 63;
        number
    };
    let rooms = |frames: &[Frame], wanted: u8| -> Vec<u8> {
        let rooms = frames.iter().filter_map(|frame| match frame {
            Frame::Ack { number, room, .. } if *number == wanted => Some(*room),
            _ => None,
        });
        rooms.collect()
    };
    // The clocks from when the second of two was sent to when the first has gone, or was said to have.
    send(&mut host, &full);
    let second = send(&mut host, &full);
    let mut clocks = 0;
    while !rooms(&host.hear_for(1), second).contains(&2) {
        clocks += 1;
        assert!(clocks < 3000, "the first has gone");
    }
    host.hear_all();
    // A frame takes as many clocks as it has bytes, and what is said some sixty.
    let from = clocks - half.len() as u64 - 80;
    for clocks in from..from + 90 {
        send(&mut host, &full);
        send(&mut host, &full);
        host.hear_for(clocks);
        let third = send(&mut host, &half);
        let told = rooms(&host.hear_for(200), third);
        assert!(told.first().is_some_and(|room| *room <= 1), "{clocks} clocks: room {told:?}");
        host.hear_all();
    }
}

/// What the memory was asked before a reset comes long after it: it is nobody's operand.
pub fn what_was_asked_before_a_reset_is_nobodys(form: Form, mutations: &[Mutation]) {
    let mut host = Host::at(form, mutations, LINK, Memory::Slow(3));
    host.reset();
    let label = (Item::Load { slot: 1 }, &[0xa5; 16][..]);
    host.data(0, &items(&[label]));
    host.hear_for(500);
    host.port.chip().set_memory(Memory::Late(20_000));
    let xor = (Item::xor([Some(1), Some(1), None], 2), &[][..]);
    host.data(1, &items(&[xor, xor]));
    host.hear_for(100);
    host.port.chip().set_memory(Memory::Slow(4));
    host.reset();
    run(&mut host);
}

/// A reset in the middle of what the memory is asked: it is taken, or not.
pub fn a_reset_waits_for_the_memory(form: Form, mutations: &[Mutation]) {
    let mut host = Host::at(form, mutations, LINK, Memory::Slow(8));
    let xor = (Item::xor([Some(1), Some(2), Some(3)], 4), &[][..]);
    let mut all = vec![(Item::Load { slot: 1 }, &[0xa5; 16][..])];
    all.extend([xor; 200]);
    let all = items(&all);
    for clocks in 0..12 {
        host.reset();
        assert!(!host.port.chip().holds_anything(), "{clocks}: labels are left");
        host.data(0, &all);
        host.hear_for(clocks);
    }
    host.reset();
    run(&mut host);
}
