//! Resets at any time. Nothing of the earlier run may be left.

use super::host::{Host, LINK, RUN, items};
use super::run;
use halfgate_mobile::rtl::Memory;
use halfgate_mobile_model::frame::Frame;
use halfgate_mobile_model::item::{Begin, Item};
use halfgate_mobile_model::model::Form;
use halfgate_verilated::Mutation;

/// A host stops within a frame, an item or a table. The reset by the next host must wipe
/// everything.
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
        // The chip may be executing an AND at this time.
        host.send(&[0]);
        let reset = Frame::Reset { run: RUN }.encode();
        host.send(&reset);
        while !matches!(host.receive(), Some(Frame::Hello { .. })) {}
        assert!(!host.port.chip().holds_anything(), "{cut}: labels are left");
        host.receive_all();
        run(&mut host);
    }
}

/// Words that were requested before a reset arrive long after it. They must not become operands.
pub fn responses_from_before_a_reset_are_ignored(form: Form, mutations: &[Mutation]) {
    let mut host = Host::at(form, mutations, LINK, Memory::Slow(3));
    host.reset();
    let label = (Item::Load { slot: 1 }, &[0xa5; 16][..]);
    host.data(0, &items(&[label]));
    host.receive_for(500);
    host.port.chip().set_memory(Memory::Late(20_000));
    let xor = (Item::xor([Some(1), Some(1), None], 2), &[][..]);
    host.data(1, &items(&[xor, xor]));
    host.receive_for(100);
    host.port.chip().set_memory(Memory::Slow(4));
    host.reset();
    run(&mut host);
}

/// A reset arrives while a memory request is pending. The request must still be accepted before the
/// wipe.
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
        host.receive_for(clocks);
    }
    host.reset();
    run(&mut host);
}
