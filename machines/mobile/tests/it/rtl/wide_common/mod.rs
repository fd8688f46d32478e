//! Shared checks for the wide core in SystemVerilog. Each check runs a core into which the given
//! faults are injected, and panics at the first error.

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_mobile::engine::device::Serve;
use halfgate_mobile::engine::terminal::{Terminal, Watch};
use halfgate_mobile::engine::wide::Clocks;
use halfgate_mobile::engine::{DeviceEngine, Faulty, Link, Linked, WideEngine};
use halfgate_mobile::rtl::{WideCore, WideDevice, WideOptions};
use halfgate_mobile_model::item::{Begin, Encoder, Item};
use halfgate_mobile_model::names::*;
use halfgate_mobile_model::wide::{Comes, Seen};
use halfgate_verilated::Mutation;
use std::sync::Arc;

/// Whether Verilator is installed. If it is not, prints a message.
pub fn can_build() -> bool {
    let is_there = std::process::Command::new("verilator").arg("--version").output().is_ok();
    if !is_there {
        println!("not run: verilator is not installed");
    }
    is_there
}

pub fn check(options: &WideOptions, slots: u32, seed: u64, circuit: Circuit) -> WideEngine {
    let evaluator = options.clone().engine().with_slots(slots);
    evaluates(&evaluator, seed, circuit);
    evaluator
}

fn evaluates(evaluator: &dyn Engine, seed: u64, circuit: Circuit) {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let run = Run { suite: Suite::HalfGates, seed, cycles };
    if let Err(what) = check_pair(&garbler, evaluator, &program, &inputs, run) {
        panic!("{}, {cycles} cycles, seed {seed}: {what}", evaluator.name());
    }
}

fn options(units: usize, mutations: &[Mutation]) -> WideOptions {
    let mutations = mutations.to_vec();
    WideOptions { units, modelled: true, mutations, ..WideOptions::default() }
}

/// Runs random circuits, and compares every clock cycle with the model.
pub fn the_wide_core_is_its_model_in_every_clock(mutations: &[Mutation]) {
    for seed in 0..24 {
        let shape = Shape {
            gates: 20 + 137 * seed as u32 % 900,
            flip_flops: seed as u32 % 5,
            ..Shape::default()
        };
        let slots = [2048, 300, 40, 5][seed as usize / 2 % 4];
        let units = [5, 2][seed as usize % 2];
        check(&options(units, mutations), slots, seed, random::circuit(seed, &shape));
    }
}

struct Host {
    core: WideCore,
    random: u64,
}

impl Host {
    fn new(mutations: &[Mutation]) -> Host {
        Host { core: options(5, mutations).core().expect("a core"), random: 0x9e37_79b9_7f4a_7c15 }
    }

    fn draw(&mut self) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 24) as usize
    }

    fn clock(&mut self, comes: Comes<'_>) -> Seen {
        self.core.clock(comes).expect("RTL and model agree")
    }

    fn reset(&mut self) {
        self.clock(Comes { clear: true, ..Comes::default() });
        while self.clock(Comes::default()).wipes {}
    }

    /// Sends all bytes, at most `most` per clock cycle. In each direction, on average `slow` of
    /// eight clock cycles transfer nothing. Returns the received bytes of labels, the statuses, and
    /// whether the end was reached.
    fn run(&mut self, bytes: &[u8], most: usize, slow: usize) -> (Vec<u8>, Vec<u8>, bool) {
        let (mut labels, mut wrong, mut at, mut quiet, mut over) =
            (Vec::new(), Vec::new(), 0, 0, false);
        while quiet < 200 {
            let count = (1 + self.draw() % most).min(bytes.len() - at);
            let rests = self.draw() % 8 < slow;
            let row = if rests { &[][..] } else { &bytes[at..at + count] };
            let takes = self.draw() % 8 >= slow;
            let seen = self.clock(Comes { clear: false, bytes: row, takes });
            if seen.ready {
                at += row.len();
            }
            labels.extend(seen.gives.filter(|_| takes));
            wrong.extend(seen.wrong);
            over = seen.over;
            let moves = seen.job.is_some() || seen.writes.is_some() || seen.gives.is_some();
            quiet = if moves || at < bytes.len() { 0 } else { quiet + 1 };
        }
        (labels, wrong, over)
    }
}

fn items(items: &[(Item, Vec<u8>)]) -> Vec<u8> {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    for (item, follows) in items {
        encoder.push(*item, None, follows, &mut bytes);
    }
    encoder.flush(&mut bytes);
    bytes
}

fn begin(number: u64) -> (Item, Vec<u8>) {
    let begin = Begin { is_grr3: false, number, cycle: 0, point: 0x1234_5678_9abc };
    (Item::Begin, begin.bytes().to_vec())
}

/// Every form of an item, with slots of one byte and of two, and with results for slots that have a
/// pending result. Items arrive all at once, byte by byte, and with pauses. The host takes labels
/// only some of the time.
pub fn every_form_of_item_at_any_rate(mutations: &[Mutation]) {
    let mut host = Host::new(mutations);
    let slots = [3, 224, 2047, 100, 479, 480];
    let [a, b, c, d, e, f] = slots;
    let label = |at: u8| (0..16).map(|byte| (byte * 17) ^ at.wrapping_mul(91)).collect();
    let mut all = vec![begin(5)];
    all.extend((0..).zip(slots).map(|(at, slot)| (Item::Load { slot }, label(at))));
    let table: Vec<u8> = (0..32).map(|byte| byte ^ 0x5a).collect();
    for (at, out) in (40..).zip([a, b, c, d, e, f]) {
        for third in [None, Some(c)] {
            all.push((Item::xor([Some(a), Some(b), third], out), Vec::new()));
            // Operand a is the previous result, which is still in a register.
            all.push((Item::xor([Some(out), Some(b), None], d), Vec::new()));
        }
        for xors in 0..8 {
            all.push((Item::And { a, b, c, xors, out }, table.clone()));
            all.push((Item::And { a: b, b: e, c: d, xors, out: f }, table.clone()));
        }
        // Writes the slot that an unfinished AND will write.
        all.push((Item::And { a, b, c, xors: 0, out }, table.clone()));
        match at % 3 {
            0 => all.push((Item::Load { slot: out }, label(at))),
            1 => all.push((Item::xor([Some(d), Some(e), None], out), Vec::new())),
            _ => all.push((Item::And { a: d, b: e, c, xors: 0, out }, table.clone())),
        }
        // Writes the slot that an unfinished XOR will write.
        all.push((Item::xor([Some(d), Some(e), None], d), Vec::new()));
        all.push((Item::Load { slot: d }, label(at + 9)));
        all.push((Item::Read { slot: out }, Vec::new()));
        if at == 43 {
            all.push(begin(9_000_000_000));
        }
    }
    all.extend(slots.map(|slot| (Item::Read { slot }, Vec::new())));
    all.push((Item::End, Vec::new()));
    let bytes = items(&all);
    let mut expected = None;
    for (most, slow) in [(16, 0), (1, 0), (16, 5), (5, 2), (16, 1)] {
        host.reset();
        let (labels, wrong, over) = host.run(&bytes, most, slow);
        assert!(over && wrong.is_empty(), "{most} {slow}: {wrong:?}");
        assert_eq!(labels.len(), 16 * 12);
        assert!(*expected.get_or_insert_with(|| labels.clone()) == labels, "{most} {slow}");
    }
}

/// The end arrives while items are unfinished.
fn ends_that_come_early(host: &mut Host) {
    let xor = Item::xor([Some(5), Some(6), Some(7)], 8);
    let and = Item::And { a: 5, b: 6, c: 7, xors: 7, out: 9 };
    for (item, follows) in [(xor, 0), (and, 32), (Item::Load { slot: 5 }, 16)] {
        host.reset();
        let bytes = items(&[(item, vec![0x77; follows]), (Item::End, Vec::new())]);
        assert_eq!(host.run(&bytes, 16, 0), (vec![], vec![], true), "{item:?}");
    }
}

/// Bytes that are no item must be reported, and no later item may be executed. After a reset the
/// core must work again, and have no old labels.
pub fn errors_are_reported_and_cleared_by_a_reset(mutations: &[Mutation]) {
    let mut host = Host::new(mutations);
    let wrong: [(&[u8], u8); 12] = [
        (&[0xff], STATUS_NO_ITEM),
        (&[0xf0, 1, 2, 0xff, 0x20], STATUS_NO_SLOT),
        (&[0xf1, 0xff, 0xff], STATUS_NO_SLOT),
        (&[0xf1, 0xe7, 0x20, 3], STATUS_NO_SLOT),
        (&[0xf3, 1, 2, 0xff, 0x20], STATUS_NO_SLOT),
        (&[0xfa, 1, 2, 3, 0x20], STATUS_NO_ITEM),
        (&[0xfa, 1, 2, 3, 0x18, 9], STATUS_NO_ITEM),
        (&[0xfa, 1, 2, 3, 0x19, 0xff, 0x20], STATUS_NO_SLOT),
        (&[0xfa, 1, 2, 3, 0x38, 0xff, 0x20], STATUS_NO_ITEM),
        (&[0xfa, 1, 0xff, 0x20, 0x20], STATUS_NO_SLOT),
        (&[0xfc, 0xff, 0x20], STATUS_NO_SLOT),
        (
            &[0xfe, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            STATUS_NO_ITEM,
        ),
    ];
    let read = [0xfc, 9, 0xfd];
    for (bytes, status) in wrong {
        for most in [1, 16] {
            host.reset();
            let bytes = [&[0xfb, 9][..], &[0xa5; 16], bytes, &read, &[0; 40]].concat();
            let found = host.run(&bytes, most, 0);
            assert_eq!(found, (Vec::new(), vec![status], false), "{bytes:02x?}");
        }
    }
    // The last slot is valid, and its label is zero.
    host.reset();
    assert_eq!(host.run(&[0xdc, 0xe7, 0x1f], 16, 0), (vec![0; 16], vec![], true));
    ends_that_come_early(&mut host);
    // A host may stop at any point of the stream.
    let table = vec![0x3c; 32];
    let mut all = vec![begin(3)];
    for slot in 0..20 {
        all.push((Item::Load { slot: slot * 100 }, vec![0xa5; 16]));
        all.push((Item::And { a: 0, b: 0, c: 0, xors: 4, out: slot * 100 + 1 }, table.clone()));
        all.push((Item::Read { slot: slot * 100 }, Vec::new()));
    }
    let bytes = items(&all);
    for cut in [5, 40, 66, 67, 300, 700, 1000] {
        host.reset();
        for piece in bytes[..cut].chunks(16) {
            while !host.clock(Comes { clear: false, bytes: piece, takes: cut % 2 == 0 }).ready
                && cut % 2 == 0
            {}
        }
        host.reset();
        let reads: Vec<(Item, Vec<u8>)> = (0..20)
            .flat_map(|slot| [100 * slot, 100 * slot + 1])
            .map(|slot| (Item::Read { slot }, Vec::new()))
            .collect();
        let (labels, wrong, _) = host.run(&items(&reads), 16, 0);
        assert!(labels == [0; 40 * 16] && wrong.is_empty(), "{cut}: labels are left");
    }
}

#[allow(dead_code)] // Of no use to tests of faults.
pub fn a_device_evaluates() {
    WideDevice::design().build().expect("builds");
    for (seed, clocks, well) in [(1, 1.0, u64::MAX), (2, 3.0, 900), (3, 208.0, 2000)] {
        let serve: Serve = Arc::new(move |terminal: Terminal, watch: &Watch| {
            let port = Linked::new(WideDevice::new()?, Link { mhz: 40.0, clocks })?;
            terminal.serve(Faulty::new(port, seed, well), None, watch)
        });
        let engine =
            DeviceEngine::simulated("mobile:sim", serve).with_slots([2048, 30][seed as usize % 2]);
        let shape = Shape { gates: 300, flip_flops: 2, ..Shape::default() };
        evaluates(&engine, seed, random::circuit(seed, &shape));
    }
}
