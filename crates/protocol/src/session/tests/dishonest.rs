//! A party that deviates from the protocol around windows: the other party gets an error that names
//! it, and does not panic, wait without end or use growing memory.

use super::streaming::long;
use super::*;

/// Replaces a frame that a party sends: by others, by none, or by itself.
type Change = fn(u64, Vec<u8>) -> Vec<(Kind, Vec<u8>)>;

/// A channel whose party changes its frames of one kind. `change` receives the number of earlier
/// frames of that kind, and the payload.
pub(super) struct Deviant<C> {
    inner: C,
    kind: Kind,
    change: Change,
    seen: u64,
    space: Option<(Kind, Vec<u8>)>,
}

impl<C> Deviant<C> {
    pub(super) fn new(inner: C, kind: Kind, change: Change) -> Deviant<C> {
        Deviant { inner, kind, change, seen: 0, space: None }
    }
}

impl<C: Channel> Channel for Deviant<C> {
    crate::forward_channel!(
        inner:
        set_timing set_deadline flush recv try_recv payload tick abort close bytes_sent
        bytes_received sent_digest received_digest set_progress round_trip
    );

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        Ok(&mut self.space.insert((kind, vec![0; len])).1)
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        let (kind, payload) = self.space.take().expect("send_space was called");
        let frames = match kind == self.kind {
            true => (self.change)(self.seen, payload),
            false => vec![(kind, payload)],
        };
        self.seen += u64::from(kind == self.kind);
        frames.iter().try_for_each(|(kind, payload)| self.inner.send(*kind, payload))
    }
}

/// Runs both parties while `who` changes its frames of `kind`. Returns the other party's error.
fn other_party(case: &Case, who: Party, kind: Kind, change: Change) -> SessionError {
    let options = options(case);
    let (a, b) = pipe_channels();
    let (ended, cancel) = (AtomicBool::new(false), options.cancel.clone());
    let deviant = |inner| Deviant::new(inner, kind, change);
    let (garbled, evaluated) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let begin = Instant::now();
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(2));
                cancel.fetch_or(begin.elapsed() > Duration::from_secs(20), Ordering::Relaxed);
            }
        });
        let outcomes = match who {
            Party::Garbler => both(case, (&options, &options), (deviant(a), b)),
            Party::Evaluator => both(case, (&options, &options), (a, deviant(b))),
        };
        ended.store(true, Ordering::Relaxed);
        outcomes
    });
    let other = if who == Party::Garbler { evaluated } else { garbled };
    other.expect_err("a run with a party that deviates gives no result")
}

/// Passes frame number 1 of the kind through `f`, and sends the others unchanged.
macro_rules! second {
    ($kind:ident, $f:expr) => {
        |number, payload| match number {
            1 => {
                let f: fn(Vec<u8>) -> Vec<(Kind, Vec<u8>)> = $f;
                f(payload)
            }
            _ => vec![(Kind::$kind, payload)],
        }
    };
}

fn check_all(case: &Case, who: Party, deviations: &[(Kind, Change, &str)]) {
    for (index, (kind, change, wanted)) in deviations.iter().enumerate() {
        let error = other_party(case, who, *kind, *change);
        let text = error.to_string();
        assert_eq!(error.class(), ErrorClass::Protocol, "{kind:?}, {index}: {text}");
        assert!(text.contains(wanted), "{kind:?}, {index}: {text}");
        assert!(text.contains(&who.to_string()), "{kind:?}, {index}: {text}");
    }
}

const LABELS: Kind = Kind::OutputLabels;

#[test]
fn an_evaluator_that_deviates_is_detected() {
    let case = long(3_000, 1);
    let many: Change = second!(Checkpoint, |payload| vec![(Kind::Checkpoint, payload); 3]);
    check_all(
        &case,
        Party::Evaluator,
        &[
            (Kind::Checkpoint, many, "responded to a checkpoint that was not sent"),
            (
                Kind::Checkpoint,
                second!(Checkpoint, |_| vec![(Kind::Checkpoint, vec![])]),
                "digests",
            ),
            (
                Kind::Checkpoint,
                second!(Checkpoint, |_| vec![(Kind::Checkpoint, vec![0; 12])]),
                "digests",
            ),
            (Kind::Checkpoint, second!(Checkpoint, |_| vec![]), "before it responded"),
            (Kind::Checkpoint, second!(Checkpoint, |p| vec![(Kind::Digest, p)]), "Digest"),
            (Kind::Checkpoint, second!(Checkpoint, |p| vec![(Kind::Decoding, p)]), "Decoding"),
            (LABELS, second!(OutputLabels, |p| vec![(LABELS, p[16..].to_vec())]), "wrong number"),
            (LABELS, second!(OutputLabels, |p| vec![(LABELS, p[1..].to_vec())]), "wrong number"),
            (LABELS, second!(OutputLabels, |_| vec![(LABELS, vec![])]), "wrong number"),
            (LABELS, second!(OutputLabels, |_| vec![(LABELS, vec![7; 1 << 20])]), "wrong number"),
            (
                LABELS,
                second!(OutputLabels, |p| vec![(LABELS, p.clone()), (LABELS, p)]),
                "output labels",
            ),
            (
                LABELS,
                second!(OutputLabels, |mut p| {
                    p[100] ^= 1;
                    vec![(LABELS, p)]
                }),
                "a label that is neither",
            ),
            (
                LABELS,
                second!(OutputLabels, |p| {
                    let more = (0..9).map(|_| (Kind::Extension, vec![0; 1000]));
                    std::iter::once((LABELS, p)).chain(more).collect()
                }),
                "",
            ),
        ],
    );
}

#[test]
fn a_garbler_that_deviates_is_detected() {
    let case = long(3_000, 1);
    let twice: Change =
        second!(Decoding, |p| vec![(Kind::Decoding, p.clone()), (Kind::Decoding, p)]);
    check_all(
        &case,
        Party::Garbler,
        &[
            (Kind::Checkpoint, second!(Checkpoint, |p| vec![(Kind::Checkpoint, p); 2]), "digests"),
            (
                Kind::Checkpoint,
                second!(Checkpoint, |_| vec![(Kind::Checkpoint, vec![])]),
                "digests",
            ),
            (Kind::Checkpoint, second!(Checkpoint, |p| vec![(Kind::Digest, p)]), "Digest"),
            (Kind::Checkpoint, second!(Checkpoint, |p| vec![(LABELS, p)]), "OutputLabels"),
            (Kind::Decoding, twice, "decoding data"),
            (Kind::Decoding, second!(Decoding, |_| vec![]), "decoding data"),
            (Kind::Decoding, second!(Decoding, |_| vec![(Kind::Decoding, vec![])]), "wrong length"),
            (
                Kind::Decoding,
                second!(Decoding, |p| vec![(Kind::Decoding, p[32..].into())]),
                "length",
            ),
            (
                Kind::Decoding,
                second!(Decoding, |p| vec![(Kind::Decoding, p[1..].into())]),
                "length",
            ),
            (
                Kind::Decoding,
                second!(Decoding, |_| vec![(Kind::Decoding, vec![1; 1 << 20])]),
                "length",
            ),
            (
                Kind::Decoding,
                second!(Decoding, |mut p| {
                    p.rotate_left(32);
                    vec![(Kind::Decoding, p)]
                }),
                "fits no label",
            ),
            (
                Kind::Decoding,
                second!(Decoding, |p| {
                    let both = p.chunks(32).flat_map(|pair| [&pair[..16], &pair[..16]].concat());
                    vec![(Kind::Decoding, both.collect())]
                }),
                "fits no label",
            ),
        ],
    );
}

/// The tables never end, and no window can be released.
#[test]
fn a_garbler_that_withholds_decoding_data_does_not_fill_the_evaluators_memory() {
    let case = long(40_000, 1);
    let error = other_party(&case, Party::Garbler, Kind::Decoding, |_, _| vec![]);
    assert_eq!(error.class(), ErrorClass::Protocol);
    let text = error.to_string();
    assert!(text.contains("garbler") && text.contains("decoding data that is due"), "{text}");
}

/// The frame's number distinguishes the garbler's opening, 0, from its response.
#[test]
fn a_party_that_cheats_in_the_base_transfers_is_named() {
    let case = long(100, 1);
    let bad_point: Change = |number, mut payload| {
        if number == 0 {
            payload[32..64].fill(0xee);
        }
        vec![(Kind::BaseOt, payload)]
    };
    check_all(
        &case,
        Party::Garbler,
        &[
            (Kind::BaseOt, bad_point, "point 0 of the garbler's base opening"),
            (
                Kind::BaseOt,
                second!(BaseOt, |_| vec![(Kind::BaseOt, vec![7; 32])]),
                "base response is",
            ),
            (Kind::BaseOt, second!(BaseOt, |_| vec![(Kind::BaseOt, vec![])]), "base response has"),
            (Kind::BaseOt, second!(BaseOt, |p| vec![(Kind::Run, p)]), "where BaseOt was due"),
            (Kind::BaseOt, second!(BaseOt, |_| vec![]), "where BaseOt was due"),
        ],
    );
    // The first bit of Δ is always set, so a wrong challenge there is always detected.
    let wrong_challenge: Change = |_, mut payload| {
        payload[32] ^= 1;
        vec![(Kind::BaseOt, payload)]
    };
    let wrong_tree: Change = |_, mut payload| {
        // The digest of the last tree.
        *payload.last_mut().unwrap() ^= 1;
        vec![(Kind::BaseOt, payload)]
    };
    check_all(
        &case,
        Party::Evaluator,
        &[
            (Kind::BaseOt, wrong_tree, "the evaluator's trees of keys fail their check"),
            (Kind::BaseOt, wrong_challenge, "the evaluator's base challenge fails its check"),
            (Kind::BaseOt, |_, p| vec![(Kind::BaseOt, p[1..].into())], "base challenge has"),
            (Kind::BaseOt, |_, p| vec![(Kind::Extension, p)], "where BaseOt was due"),
        ],
    );
}

/// Over plaintext, an attacker may change a field that matters only to the report: here the
/// sender's timeout, by a millisecond. Both parties continue, each with its own view, and the base
/// transfers fail.
#[test]
fn a_hello_that_was_changed_on_the_way_ends_the_session() {
    let case = long(100, 1);
    let change: Change = |_, mut payload| {
        let timeout = payload.len() - 12;
        payload[timeout] ^= 1;
        vec![(Kind::Hello, payload)]
    };
    for who in [Party::Garbler, Party::Evaluator] {
        let text = other_party(&case, who, Kind::Hello, change).to_string();
        assert!(text.contains("the evaluator's base challenge fails its check"), "{who}: {text}");
    }
}

/// With default options: an evaluator uses another choice in one column.
#[test]
fn transfers_are_secure_against_an_evaluator_that_cheats_by_default() {
    assert_eq!(RunOptions::default().ot, OtMode::Malicious);
    let case = long(100, 1);
    let other_choice: Change = |_, mut payload| {
        payload[0] ^= 1;
        vec![(Kind::Extension, payload)]
    };
    let wanted = "the evaluator's extension message 0 fails the consistency check";
    check_all(&case, Party::Evaluator, &[(Kind::Extension, other_choice, wanted)]);
}

/// Frames that an honest party never sends and that would not change the result are rejected
/// nevertheless.
#[test]
fn harmless_frames_that_have_no_place_in_a_run_are_refused() {
    let case = long(1_000, 1);
    check_all(
        &case,
        Party::Garbler,
        &[
            (
                Kind::Labels,
                |_, p| vec![(Kind::Tables, vec![]), (Kind::Labels, p)],
                "a frame of tables without tables",
            ),
            (
                Kind::Labels,
                |_, p| vec![(Kind::Labels, vec![]), (Kind::Labels, p)],
                "the wrong number of input labels",
            ),
        ],
    );
    // All its input bits are transferred before the first window ends.
    let more: Change = second!(Checkpoint, |p| vec![(Kind::Extension, vec![0; 1000]), (LABELS, p)]);
    let wanted = "more transfers than it has input bits";
    check_all(&case, Party::Evaluator, &[(Kind::Checkpoint, more, wanted)]);
    let long_one: Change =
        second!(Checkpoint, |p| vec![(Kind::Extension, vec![0; 1 << 20]), (LABELS, p)]);
    let wanted = "exceeds the maximum length";
    check_all(&long(40_000, 1), Party::Evaluator, &[(Kind::Checkpoint, long_one, wanted)]);
    let (case, ..) = small(1);
    let constant: Change = |_, p| vec![(Kind::Constant, vec![7; 16]), (Kind::Labels, p)];
    let wanted = "more tables or labels than the program has";
    check_all(&case, Party::Garbler, &[(Kind::Labels, constant, wanted)]);
}

/// Nothing follows this frame that could notify its sender, so the result stands.
#[test]
fn a_done_message_with_a_payload_does_not_confirm_the_end() {
    let (case, options, _) = small(1);
    let more = |inner| Deviant::new(inner, Kind::Done, |_, _| vec![(Kind::Done, vec![0])]);
    for who in [Party::Garbler, Party::Evaluator] {
        let (a, b) = pipe_channels();
        let (garbled, evaluated) = match who {
            Party::Garbler => both(&case, (&options, &options), (more(a), b)),
            Party::Evaluator => both(&case, (&options, &options), (a, more(b))),
        };
        let reports = if who == Party::Garbler { evaluated } else { garbled }.unwrap();
        let end = reports[0].unconfirmed.clone().expect("the end is not confirmed");
        assert_eq!(end.class, ErrorClass::Protocol, "{}", end.reason);
        assert!(
            end.reason.contains(&format!("the {who} broke the protocol: its message of the end"))
        );
        check(&case, &[], who.other(), Ok(reports));
    }
}
