//! A hostile peer that continues. It changes one of its messages before checksums and digests are
//! computed, so all of them are correct, and otherwise follows the protocol.
//!
//! Garbling is secure against parties that follow the protocol. A garbler that garbles another
//! function, or sends false decoding data, changes the result undetectably. A session does not
//! promise anything about that (`a_garbler_can_invert_an_output` shows it). But a party that
//! does not know the evaluator's labels cannot create a label that decodes. So a random change ends
//! in an error, or it affects a part of the garbling that this run does not use, and the result is
//! correct.

use super::cases::{self, Case};
use super::link::{End, pipe};
use super::messages::Random;
use super::outcome::{Outcome, Watch};
use super::{number, on_threads};
use halfgate_circuit::Party;
use halfgate_protocol::channel::{Channel, ChannelError};
use halfgate_protocol::frame::Kind;
use halfgate_protocol::stream_channel::StreamChannel;
use std::time::{Duration, Instant};

/// Deviations in the sample, for each role.
const SAMPLE: u64 = 150;

/// The step limit that ends a deadlock, and the time after which a party counts as held for ever.
const MOMENT: Duration = Duration::from_secs(1);
const HELD: Duration = Duration::from_secs(20);

type Frame = (Kind, Vec<u8>);

/// Replaces the frames that a party sends, by their numbers.
type Change = Box<dyn FnMut(u64, Frame) -> Vec<Frame> + Send>;

/// A channel whose party changes the frames it sends.
struct Deviant {
    inner: StreamChannel<End>,
    change: Change,
    sent: u64,
    space: Option<Frame>,
}

impl Channel for Deviant {
    halfgate_protocol::forward_channel!(
        inner:
        set_timing set_deadline flush recv try_recv payload tick abort close bytes_sent
        bytes_received sent_digest received_digest set_progress round_trip
    );

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        Ok(&mut self.space.insert((kind, vec![0; len])).1)
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        let frame = self.space.take().expect("send_space was called");
        let frames = (self.change)(self.sent, frame);
        self.sent += 1;
        frames.iter().try_for_each(|(kind, payload)| self.inner.send(*kind, payload))
    }
}

/// Runs a session in which `who` sends its frames as replaced by `change`. Returns the other
/// party's outcome and the number of frames.
fn against(case: &Case, who: Party, limit: Duration, change: Change) -> (Outcome, u64) {
    let (near, far) = pipe();
    std::thread::scope(|scope| {
        let deviant = scope.spawn(move || {
            let mut channel =
                Deviant { inner: StreamChannel::new(far), change, sent: 0, space: None };
            // This party's outcome does not matter.
            let _ = Watch::new(case, who).within(limit, limit).run(&mut channel);
            channel.sent
        });
        let mut watch = Watch::new(case, who.other()).within(limit, limit);
        let outcome = watch.run(&mut StreamChannel::new(near));
        (Outcome::of(case, who.other(), outcome, &watch), deviant.join().unwrap())
    })
}

/// A random change that needs no knowledge of the secrets.
fn deviate(mut random: Random, at: u64) -> Change {
    let mut later = Vec::new();
    Box::new(move |number, (kind, mut payload)| {
        let mut frames = std::mem::take(&mut later);
        if number != at {
            frames.insert(0, (kind, payload));
            return frames;
        }
        let len = payload.len();
        match random.below(12) {
            0..3 if len > 0 => {
                let bit = random.below(8 * len);
                payload[bit / 8] ^= 1 << (bit % 8);
            }
            3 => payload.truncate(random.below(len + 1)),
            4 => payload.resize(len + 1 + random.below(40), 7),
            5 if len > 16 => payload.rotate_left(16 * random.below(len / 16)),
            6 => return vec![(kind, payload.clone()), (kind, payload)],
            7 => return Vec::new(),
            8 => {
                later.push((kind, payload));
                return Vec::new();
            }
            9 => return vec![(Kind::ALL[random.below(Kind::ALL.len())], payload)],
            10 => {
                let other = Kind::ALL[random.below(Kind::ALL.len())];
                let bytes = [0, 8, 16, 32, 1000][random.below(5)];
                let first = (0..bytes).map(|_| random.next() as u8).collect();
                return vec![(other, first), (kind, payload)];
            }
            _ => payload.iter_mut().for_each(|byte| *byte ^= random.next() as u8),
        }
        vec![(kind, payload)]
    })
}

/// Makes `count` deviations by `who`, each in a separate session.
fn deviate_all(who: Party, count: u64) {
    let seed = number("HALFGATE_HOSTILE_SEED", 1);
    let cases = cases::all(seed);
    let frames: Vec<u64> = (cases.iter())
        .map(|case| against(case, who, HELD, Box::new(|_, frame| vec![frame])).1)
        .collect();
    on_threads(8, count, &|number| {
        let index = (number % cases.len() as u64) as usize;
        let (case, mut random) = (&cases[index], Random(seed ^ number << 8));
        let at = random.next() % frames[index];
        let begin = Instant::now();
        let (outcome, _) = against(case, who, MOMENT, deviate(random, at));
        let about = format!("{}: seed {seed}, {number}: the {who}'s frame {at}", case.name);
        assert!(begin.elapsed() < HELD, "{about}: {outcome:?}");
        assert!(outcome.wrong.is_none(), "{about}: A WRONG RESULT: {outcome:?}");
        match outcome.error {
            Some((_, text)) => assert!(text.contains(&who.to_string()), "{about}: {text}"),
            None => assert_eq!(outcome.runs, case.runs(), "{about}"),
        }
    });
    println!("hostile messages of the {who}, which goes on: {count}; hangs 0, panics 0, results 0");
}

#[test]
fn a_garbler_that_goes_on_after_a_change_gives_no_wrong_result() {
    deviate_all(Party::Garbler, SAMPLE);
}

#[test]
fn an_evaluator_that_goes_on_after_a_change_gives_no_wrong_result() {
    deviate_all(Party::Evaluator, SAMPLE);
}

/// A hundredth of `HALFGATE_HOSTILE` deviations, because each takes a session.
#[test]
#[ignore = "minutes"]
fn parties_that_go_on_after_ten_thousand_changes_give_no_wrong_result() {
    let count = number("HALFGATE_HOSTILE", 1_000_000) / 200;
    deviate_all(Party::Garbler, count);
    deviate_all(Party::Evaluator, count);
}

/// Outside of the promise: the garbler swaps which of the two labels means 1. Garbling another
/// function would have the same effect.
#[test]
fn a_garbler_can_invert_an_output() {
    let case = &cases::all(1)[0];
    let turn: Change = Box::new(|_, (kind, mut payload)| {
        if kind == Kind::Decoding {
            payload.chunks_mut(32).for_each(|pair| pair.rotate_left(16));
        }
        vec![(kind, payload)]
    });
    let (outcome, _) = against(case, Party::Garbler, HELD, turn);
    assert!(outcome.wrong.is_some() && outcome.error.is_none(), "{outcome:?}");
}
