//! Shared checks for the mobile coprocessor in SystemVerilog. Each check runs a chip into which the
//! given faults are injected, and panics at the first error.

mod host;
mod labels;
mod resets;

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::Suite;
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_mobile::engine::{Link, SUITES};
use halfgate_mobile::rtl::{Memory, Options, RtlMobile};
use halfgate_mobile_model::frame::Frame;
use halfgate_mobile_model::item::{Begin, Encoder, Item};
use halfgate_mobile_model::model::Form;
use halfgate_mobile_model::names::*;
use halfgate_verilated::Mutation;
use host::{Host, RUN, framed, items, response};
pub use labels::*;
pub use resets::*;

/// Whether Verilator is installed. If it is not, prints a message.
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

/// Runs random circuits, and compares every clock cycle with the model.
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

/// Runs random circuits with a label memory that has random delays.
pub fn any_memory_timing_works(form: Form, mutations: &[Mutation]) {
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

/// Loads two labels and XORs them. Then begins a netlist cycle, loads nothing in it, and reads the
/// XOR.
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
    let over = response(1, 3, STATUS_OVER, false);
    // The acknowledgement and the label arrive in either order.
    let found = host.receive_all();
    assert!(found.contains(&label) && found.contains(&over), "{found:?}");
    // The host has not acknowledged the label, so the chip sends it again on request. The chip also
    // sends an acknowledgement after each request.
    host.send(&response(0, 0, 0, true).encode());
    let found = host.receive_all();
    assert!(found.len() == 2 && found.contains(&label) && found.contains(&over), "{found:?}");
    host.send(&response(1, 0, 0, true).encode());
    assert_eq!(host.receive_all(), [over]);
    host.send(&response(1, 0, 0, false).encode());
    assert_eq!(host.receive_all(), []);
}

pub fn errors_are_reported_and_cleared_by_a_reset(form: Form, mutations: &[Mutation]) {
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
        assert_eq!(host.receive_all().last(), Some(&response(1, 3, status, false)), "{bytes:02x?}");
        // From then on the chip executes nothing, but still takes bytes.
        host.data(1, &[0xfc, 9, 0xfd]);
        assert_eq!(host.receive_all().last(), Some(&response(2, 3, status, false)), "{bytes:02x?}");
    }
    // The last slot is valid.
    host.reset();
    host.data(0, &[0xfc, 0xff, 0x1f]);
    let found = host.receive_all();
    assert!(found.iter().any(|frame| matches!(frame, Frame::Data { number: 0, .. })), "{found:?}");
    host.reset();
    let other = Frame::Data { number: 0, run: RUN + 1, payload: vec![0xfd].into() };
    host.send(&other.encode());
    assert_eq!(host.receive_all().last(), Some(&response(0, 3, STATUS_OTHER_RUN, false)));
    host.reset();
    run(&mut host);
}

pub fn invalid_frames_are_requested_again_once(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    let right = Frame::Data { number: 0, run: RUN, payload: vec![0xfd].into() }.encode();
    let mut altered = right.clone();
    altered[4] ^= 0x10;
    let late = Frame::Data { number: 1, run: RUN, payload: vec![0xfd].into() }.encode();
    // Frames with a correct checksum that are too long, have no payload, or have a last code byte
    // that is too large.
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
        assert_eq!(
            host.receive_all().last(),
            Some(&response(0, 3, STATUS_FINE, true)),
            "{wrong:02x?}"
        );
        host.send(wrong);
        assert_eq!(host.receive_all(), [], "it was requested");
        host.send(&right);
        assert_eq!(
            host.receive_all().last(),
            Some(&response(1, 3, STATUS_OVER, false)),
            "{wrong:02x?}"
        );
        // A repeated frame is outdated. The response requests the expected frame again.
        host.send(&right);
        assert_eq!(
            host.receive_all().last(),
            Some(&response(1, 3, STATUS_OVER, true)),
            "{wrong:02x?}"
        );
    }
}

/// Every form of an item, with slots of one byte and of two, and ANDs with a long distance. The
/// returned labels must equal the model's.
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
        let found = host.receive_all();
        let labels = found.iter().filter(|frame| matches!(frame, Frame::Data { .. }));
        assert_eq!(labels.count(), slots.len(), "{found:?}");
        let is_over = |frame: &Frame| matches!(frame, Frame::Ack { status: STATUS_OVER, .. });
        assert!(found.iter().any(is_over), "{found:?}");
    }
}

/// A frame ends just before or after the queue frees the space of another frame. The
/// acknowledgement must report the space that is left after this frame.
pub fn reported_space_is_free(form: Form, mutations: &[Mutation]) {
    let mut host = Host::at(form, mutations, Link { mhz: 40.5, clocks: 1.0 }, Memory::Prompt);
    host.reset();
    // Frames arrive faster than they are executed.
    let xor = (Item::xor([Some(1), Some(2), Some(3)], 4), &[][..]);
    let (full, half) = (items(&[xor; 226]), items(&[xor; 113]));
    let mut number = 0;
    let mut send = |host: &mut Host, payload: &[u8]| {
        host.data(number, payload);
        number = (number + 1) & 63;
        number
    };
    let spaces = |frames: &[Frame], wanted: u8| -> Vec<u8> {
        let spaces = frames.iter().filter_map(|frame| match frame {
            Frame::Ack { number, space, .. } if *number == wanted => Some(*space),
            _ => None,
        });
        spaces.collect()
    };
    // Measures the clock cycles between the sending of the second frame and the report that the
    // first frame was executed.
    send(&mut host, &full);
    let second = send(&mut host, &full);
    let mut clocks = 0;
    while !spaces(&host.receive_for(1), second).contains(&2) {
        clocks += 1;
        assert!(clocks < 3000, "the first has gone");
    }
    host.receive_all();
    // A frame takes one clock cycle per byte, and an acknowledgement some sixty clock cycles.
    let from = clocks - half.len() as u64 - 80;
    for clocks in from..from + 90 {
        send(&mut host, &full);
        send(&mut host, &full);
        host.receive_for(clocks);
        let third = send(&mut host, &half);
        let reported = spaces(&host.receive_for(200), third);
        assert!(
            reported.first().is_some_and(|space| *space <= 1),
            "{clocks} clocks: space {reported:?}"
        );
        host.receive_all();
    }
}
