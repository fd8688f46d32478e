//! Labels that are sent to the host: none is lost, and none is sent too early.

use super::host::{Host, items, response};
use halfgate_mobile_model::frame::Frame;
use halfgate_mobile_model::item::Item;
use halfgate_mobile_model::model::Form;
use halfgate_mobile_model::names::*;
use halfgate_verilated::Mutation;

/// If a host does not acknowledge labels, it receives no more than the window allows, and loses
/// none.
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
    // An acknowledgement of labels that were not sent is ignored. If an acknowledgement arrives
    // during a retransmission, the acknowledged labels are skipped.
    let first = host.receive_all();
    host.send(&response(50, 0, 0, false).encode());
    assert_eq!(host.receive_all(), []);
    host.send(&response(0, 0, 0, true).encode());
    host.send(&response(20, 0, 0, false).encode());
    assert_eq!(numbers(&first), (0..31).collect::<Vec<u8>>());
    let again = numbers(&host.receive_all());
    let jump = again.iter().position(|number| *number == 20).expect("it goes on there");
    assert!(jump < 5 && again[jump..] == (20..51).collect::<Vec<u8>>(), "{again:?}");
    host.send(&response(31, 0, 0, true).encode());
    let mut found = 31;
    while found < labels.len() {
        let before = found;
        for frame in host.receive_all() {
            if let Frame::Data { number, payload, .. } = frame {
                assert_eq!((usize::from(number), &payload[..]), (found % 64, &labels[found][..]));
                found += 1;
            }
        }
        assert!(found - before <= 31 && found > before, "{before} {found}");
        host.send(&response((found % 64) as u8, 0, 0, false).encode());
    }
}

fn numbers(frames: &[Frame]) -> Vec<u8> {
    let numbers = frames.iter().filter_map(|frame| match frame {
        Frame::Data { number, .. } => Some(*number),
        _ => None,
    });
    numbers.collect()
}

/// Items that load this many labels and read them back.
fn there_and_back(count: u8) -> Vec<u8> {
    let labels: Vec<[u8; 16]> = (1..=count).map(|n| [n; 16]).collect();
    let all = (0..).zip(&labels);
    let all = all.flat_map(|(slot, label)| {
        [(Item::Load { slot }, &label[..]), (Item::Read { slot }, &[][..])]
    });
    items(&all.collect::<Vec<_>>())
}

/// A host requests labels again and then acknowledges them, at any time. The chip must not send a
/// label before it is computed.
pub fn labels_are_made_before_they_are_sent(form: Form, mutations: &[Mutation]) {
    const EACH: u8 = 4;
    let mut host = Host::new(form, mutations);
    host.reset();
    let mut first = 0;
    // An acknowledgement takes some 60 clock cycles, and each label some 150.
    for clocks in 0..300 {
        host.data(clocks as u8 & 63, &there_and_back(EACH));
        let made: Vec<u8> = (first..first + EACH).map(|number| number & 63).collect();
        assert_eq!(numbers(&host.receive_for(1000)), made);
        let end = (first + EACH) & 63;
        host.send(&response(first + 2, 0, 0, true).encode());
        host.receive_for(clocks);
        host.send(&response(end, 0, 0, clocks % 2 == 0).encode());
        let found = numbers(&host.receive_for(500));
        assert!(found.iter().all(|number| made.contains(number)), "{clocks} clocks: {found:?}");
        first = end;
    }
}

/// The chip sends acknowledgements before it has sent all labels.
pub fn responses_go_before_labels(form: Form, mutations: &[Mutation]) {
    let mut host = Host::new(form, mutations);
    host.reset();
    host.data(0, &there_and_back(30));
    host.data(1, &[0xfd]);
    let found = host.receive_all();
    let at = |wanted: &Frame| found.iter().position(|frame| frame == wanted);
    let over = at(&response(2, 3, STATUS_OVER, false)).expect("it is over");
    let labels = numbers(&found[..over]).len();
    assert!(labels < 28, "{labels} of 30 labels before the acknowledgement: {found:?}");
    let kept = found.iter().position(|frame| matches!(frame, Frame::Ack { number: 2, .. }));
    let labels = numbers(&found[..kept.expect("it was acknowledged")]).len();
    assert!(labels < 8, "{labels} of 30 labels before the acknowledgement: {found:?}");
}
