//! Checks frames and items of the mobile coprocessor's link against
//! `machines/mobile/spec/link.json`. Separate code made that file from the text of the
//! specification.

use halfgate_mobile_model::frame::{Deframer, Frame, FrameError};
use halfgate_mobile_model::item::{Decoder, ItemError};
use halfgate_mobile_model::{Begin, Encoder, Item};
use serde_json::Value;

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/link.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the file")).expect("JSON")
}

fn list<'v>(of: &'v Value, name: &str) -> &'v Vec<Value> {
    let list = of[name].as_array().expect("a list");
    assert!(!list.is_empty(), "{name}");
    list
}

fn bytes(of: &Value, name: &str) -> Vec<u8> {
    let text = of[name].as_str().expect("bytes");
    let digits = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(digits).collect()
}

fn number(of: &Value, name: &str) -> u64 {
    of[name].as_u64().unwrap_or_else(|| panic!("{name} in {of}"))
}

fn frame(of: &Value) -> Frame {
    let byte = |name| number(of, name) as u8;
    let run = number(of, "run") as u16;
    match of["frame"].as_str() {
        Some("data") => {
            Frame::Data { number: byte("number"), run, payload: bytes(of, "payload").into() }
        }
        Some(kind @ ("ack" | "again")) => Frame::Ack {
            number: byte("number"),
            run,
            space: byte("room"),
            status: byte("status"),
            again: kind == "again",
        },
        Some("reset") => Frame::Reset { run },
        Some("hello") => Frame::Hello {
            run,
            version: byte("version"),
            suites: byte("suites"),
            slots: byte("slots"),
            space: byte("room"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_are_the_specifications() {
    let vectors = vectors();
    let mut deframer = Deframer::default();
    for of in list(&vectors, "frames") {
        let (frame, coded) = (frame(of), bytes(of, "bytes"));
        assert_eq!(frame.encode()[..], coded, "{of}");
        let found = coded.iter().filter_map(|byte| deframer.push(*byte)).collect::<Vec<_>>();
        assert_eq!(found, [Ok(frame)], "{of}");
    }
    for of in list(&vectors, "bad_frames") {
        let why = match of["why"].as_str() {
            Some("altered") => FrameError::Altered,
            Some("malformed") => FrameError::Malformed,
            Some("too long") => FrameError::TooLong,
            other => panic!("{other:?}"),
        };
        let coded = bytes(of, "bytes");
        let found = coded.iter().filter_map(|byte| deframer.push(*byte)).collect::<Vec<_>>();
        assert_eq!(found, [Err(why)], "{of}");
    }
}

/// Reads an item, its distance, and the bytes that follow the item.
fn item(of: &Value) -> (Item, Option<u64>, Vec<u8>) {
    let slot = |name| number(of, name) as u32;
    let follows = of.get("follows").map_or_else(Vec::new, |_| bytes(of, "follows"));
    let (item, follows) = match of["item"].as_str() {
        Some("xor") => {
            let c = of.get("c").map(|_| slot("c"));
            (Item::Xor { a: slot("a"), b: slot("b"), c, out: slot("out") }, follows)
        }
        Some("and") => {
            let (c, xors) = of.get("xors").map_or((0, 0), |_| (slot("c"), slot("xors") as u8));
            (Item::And { a: slot("a"), b: slot("b"), c, xors, out: slot("out") }, follows)
        }
        Some("load") => (Item::Load { slot: slot("slot") }, follows),
        Some("read") => (Item::Read { slot: slot("slot") }, follows),
        Some("end") => (Item::End, follows),
        Some("begin") => {
            let point: [u8; 16] = bytes(of, "point").try_into().expect("16 bytes");
            let begin = Begin {
                is_grr3: of["suite"] == "grr3",
                number: number(of, "number"),
                cycle: slot("cycle"),
                point: u128::from_le_bytes(point),
            };
            (Item::Begin, begin.bytes().to_vec())
        }
        other => panic!("{other:?}"),
    };
    (item, of.get("far").map(|_| number(of, "far")), follows)
}

#[test]
fn items_are_the_specifications() {
    let vectors = vectors();
    for of in list(&vectors, "sequences") {
        let items: Vec<_> = list(of, "items").iter().map(item).collect();
        let (mut encoder, mut made) = (Encoder::default(), Vec::new());
        for (item, far, follows) in &items {
            encoder.push(*item, *far, follows, &mut made);
        }
        encoder.flush(&mut made);
        let wanted = bytes(of, "bytes");
        assert_eq!(made, wanted);
        let mut decoder = Decoder::new(&wanted, false);
        for (item, far, follows) in &items {
            let found = decoder.next_item().expect("an item");
            assert_eq!(found, Some((*item, &follows[..])));
            assert_eq!(decoder.far(), *far);
        }
        assert_eq!(decoder.next_item(), Ok(None));
    }
    for of in list(&vectors, "bad_items") {
        let bytes = bytes(of, "bytes");
        let mut decoder = Decoder::new(&bytes, false);
        let found = loop {
            match decoder.next_item() {
                Ok(Some(_)) => (),
                Ok(None) => panic!("{of}: nothing is wrong"),
                Err(error) => break error,
            }
        };
        let as_sent = match of["why"].as_str() {
            Some("cut short") => found == ItemError::CutShort,
            Some("unknown") => matches!(found, ItemError::Unknown(..)),
            Some("slot") => matches!(found, ItemError::Slot(..)),
            other => panic!("{other:?}"),
        };
        assert!(as_sent, "{of}: {found:?}");
    }
}
