//! Malicious sessions with a party that cheats. The honest party never gets a wrong output, and
//! what it tells the peer does not depend on the check that failed.
//!
//! The cheating party runs our own code, with two changes: a [`Channel`] changes one of its frames,
//! and its own checks pass, so that it does not stop before the honest party can.

mod channel;
mod inside;
mod selective;
mod sweep;

use self::channel::{Cheating, Seen};
use super::*;
use crate::cheating::{Inside, with};
use crate::session::error::CHECK_FAILED;
use halfgate_engine::cpu::lower::Lowering;
use std::sync::Mutex;

/// What a party does with one of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Flips the lowest bit of a byte: the first, the middle or the last one. All of them carry
    /// information, whatever the padding of the message.
    First,
    Middle,
    Last,
    /// Flips all bits.
    Invert,
    /// XORs bytes from this place on with `0xff`.
    Bytes {
        first: usize,
        count: usize,
    },
    /// Sends an empty frame.
    Empty,
    /// Removes the last byte.
    Shorter,
    /// Adds a byte.
    Longer,
    /// Sends another kind.
    OtherKind,
    /// Sends the frame twice.
    Repeat,
    /// Sends it after the next one, unless it waits for the peer before that.
    Swap,
    /// Sends the latest earlier payload of the same kind and length.
    Replay,
    /// Sends what the peer has sent instead.
    Reflect,
    /// Sends neither this frame nor, once it would wait for the peer, anything else.
    Drop,
}

/// A cheating party.
#[derive(Clone, Copy)]
pub(super) struct Cheater {
    pub party: Party,
    /// The number of the frame that it changes, from 0, and how.
    pub change: Option<(usize, Change)>,
    pub inside: Inside,
}

/// How a session with a cheating party ended.
pub(super) struct Ended {
    pub honest: Outcome,
    /// What the honest party's channel saw, and the cheating party's.
    pub seen: Vec<Seen>,
    pub cheaters: Vec<Seen>,
}

impl Cheater {
    /// One that changes a frame.
    pub fn sending(party: Party, frame: usize, change: Change) -> Cheater {
        Cheater { change: Some((frame, change)), ..Cheater::honest(party) }
    }

    /// One that changes nothing yet. Its own checks pass.
    pub fn honest(party: Party) -> Cheater {
        let inside = Inside { is_reckless: true, ..Inside::default() };
        Cheater { party, change: None, inside }
    }

    /// Runs a session against an honest party.
    pub fn run(self, case: &Case) -> Ended {
        let options = RunOptions {
            security: SecurityLevel::Malicious,
            // A session in which both parties wait would otherwise not end.
            deadlines: Deadlines { setup: LIMIT, run: Some(LIMIT) },
            timeout: LIMIT,
            ..options(case)
        };
        let of = |party| match party == self.party {
            true => (self.change, self.inside),
            false => (None, Inside::default()),
        };
        let (ring_a, ring_b) = ring::pair();
        let [garblers, evaluators] = [const { Mutex::new(Vec::new()) }; 2];
        let (garbled, evaluated) = std::thread::scope(|scope| {
            let (options, seen) = (&options, &evaluators);
            let evaluator = scope.spawn(move || {
                let (change, inside) = of(Party::Evaluator);
                let mut b = Cheating::new(ring_b, change, seen);
                with(inside, || {
                    let (program, inputs) = (&case.program, &case.evaluator);
                    evaluate(&mut b, program, &small_engine(), inputs, options, &mut |_| {})
                })
            });
            let (change, inside) = of(Party::Garbler);
            let mut a = Cheating::new(ring_a, change, &garblers);
            let garbled = with(inside, || {
                let (program, inputs) = (&case.program, &case.garbler);
                garble(&mut a, program, &small_engine(), inputs, options, &mut |_| {})
            });
            drop(a);
            (garbled, evaluator.join().unwrap())
        });
        let [garblers, evaluators] = [garblers, evaluators].map(|seen| seen.into_inner().unwrap());
        match self.party {
            Party::Garbler => Ended { honest: evaluated, seen: evaluators, cheaters: garblers },
            Party::Evaluator => Ended { honest: garbled, seen: garblers, cheaters: evaluators },
        }
    }
}

impl Ended {
    /// The honest party's error; `None` if it has the outputs of `case`. Checks that it has no
    /// other outputs, also of earlier runs, that the error is one of a cheating peer, and that the
    /// peer was told nothing but that a check failed.
    pub fn error(self, case: &Case, cheater: Party, what: &dyn std::fmt::Debug) -> Option<String> {
        let error = match self.honest {
            Ok(reports) => {
                let unconfirmed = reports.last().unwrap().unconfirmed.clone().map(|end| end.reason);
                check(case, &[], cheater.other(), Ok(reports));
                return unconfirmed;
            }
            Err(SessionError::Unfinished { finished, error }) => {
                for (report, clear) in finished.into_iter().zip(&case.outputs) {
                    assert!(report.outputs.iter().flatten().eq(clear), "{what:?}");
                }
                *error
            }
            Err(error) => error,
        };
        let abort = self.seen.iter().find_map(|seen| match seen {
            Seen::Aborted(text) => Some(text.clone()),
            _ => None,
        });
        match &error {
            SessionError::Cheated { peer, .. } => {
                assert_eq!(*peer, cheater, "{what:?}: {error}");
                assert_eq!(abort.as_deref(), Some(CHECK_FAILED), "{what:?}: {error}");
            }
            // The phase of a session is agreed on, like a setting.
            SessionError::Protocol { peer, .. }
            | SessionError::Mismatch { peer, what: Difference::Phase, .. } => {
                assert_eq!(*peer, cheater, "{what:?}: {error}");
            }
            error => {
                let class = error.class();
                let expected = [ErrorClass::Connection, ErrorClass::Aborted];
                assert!(expected.contains(&class), "{what:?}: {error}");
                assert_eq!(abort, None, "{what:?}: {error}");
            }
        }
        Some(error.to_string())
    }
}

/// Several windows, each with inputs and outputs of both parties.
fn several_windows() -> Case {
    let shape =
        Shape { gates: 120, flip_flops: 9, input_bits: 24, output_bits: 20, ..Shape::default() };
    let case = case_over(5, &shape, 1, 12);
    let ands = case.program.ands_per_cycle() * case.cycles;
    assert!((257..=512).contains(&ands), "two windows, not {ands} ANDs");
    case
}

fn small_engine() -> CpuEngine {
    engine().with_lowering(Lowering { window: 1024, ..Lowering::default() })
}

const LIMIT: Duration = Duration::from_secs(60);

/// How far a count of `tries` independent events of this probability may be from its mean. It is
/// Bernstein's bound: it is exceeded with a probability of less than 10^-9.
pub(crate) fn tolerance(tries: usize, probability: f64) -> f64 {
    let log = 2e9_f64.ln();
    let variance = tries as f64 * probability * (1.0 - probability);
    log / 3.0 + (log * log / 9.0 + 2.0 * log * variance).sqrt()
}

/// Checks that `count` of `tries` independent events of this probability is not a coincidence.
pub(crate) fn assert_rate(count: usize, tries: usize, probability: f64, what: &str) {
    let (mean, most) = (tries as f64 * probability, tolerance(tries, probability));
    let off = (count as f64 - mean).abs();
    assert!(off <= most, "{what}: {count} of {tries}, where {mean:.1} ± {most:.1} are expected");
}
