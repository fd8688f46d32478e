//! Every change of every frame of a session of several windows.

use super::*;

const CHANGES: [Change; 13] = [
    Change::First,
    Change::Middle,
    Change::Last,
    Change::Invert,
    Change::Empty,
    Change::Shorter,
    Change::Longer,
    Change::OtherKind,
    Change::Repeat,
    Change::Swap,
    Change::Replay,
    Change::Reflect,
    Change::Drop,
];

/// Whether the change only alters what the frame says: its kind, its length and the order stay.
fn is_of_content(change: Change) -> bool {
    use Change::{First, Invert, Last, Middle, Reflect, Replay};
    [First, Middle, Last, Invert, Replay, Reflect].contains(&change)
}

/// Whether a session may succeed although this frame was changed.
fn may_succeed(kind: Kind, change: Change) -> bool {
    match change {
        // Some frames have no later one before the party waits.
        Change::Swap => true,
        // No frame is expected after the last one.
        Change::Repeat => kind == Kind::Done,
        _ if !is_of_content(change) => false,
        Change::Replay | Change::Reflect => {
            [Kind::Phase, Kind::Position, Kind::Done].contains(&kind)
        }
        // No receiver of these looks at all bits, or at all bits in all sessions: bits of Δ and of
        // the masked values decide. See the other tests of cheating parties.
        Change::First | Change::Middle | Change::Last => {
            [Kind::BaseOt, Kind::Extension, Kind::LeakyAnds, Kind::Tables, Kind::Labels, Kind::Done]
                .contains(&kind)
        }
        Change::Invert => kind == Kind::Done,
        _ => false,
    }
}

/// What the honest party sees of a cheating one that does not cheat.
fn frames(case: &Case, party: Party) -> Vec<Seen> {
    let ended = Cheater::honest(party).run(case);
    check(case, &[], party.other(), ended.honest);
    ended.cheaters
}

/// Whether there is such a change of the frame that `seen[at]` sends.
fn is_possible(seen: &[Seen], at: usize, change: Change) -> bool {
    let Seen::Sent(kind, payload) = &seen[at] else { return false };
    match change {
        Change::Replay => seen[..at].iter().any(|earlier| {
            matches!(earlier, Seen::Sent(same, other)
                if same == kind && other.len() == payload.len() && other != payload)
        }),
        // The peer sends its frame without waiting for this one, unless that is a digest.
        Change::Reflect => {
            *kind != Kind::Check as u8
                && matches!(seen.get(at + 1), Some(Seen::Received(same, other))
                    if same == kind && other.len() == payload.len())
        }
        _ => true,
    }
}

fn check_sweep(party: Party) {
    let case = several_windows();
    let seen = frames(&case, party);
    let sent = (0..seen.len()).filter(|at| matches!(seen[*at], Seen::Sent(..)));
    let (mut sessions, mut kinds) = (0, Vec::new());
    // The first frame is that of the handshake.
    for (frame, at) in sent.enumerate().skip(1) {
        let Seen::Sent(kind, _) = seen[at] else { unreachable!("it was sent") };
        let kind = Kind::from_number(kind).unwrap();
        kinds.push(kind);
        for change in CHANGES.into_iter().filter(|change| is_possible(&seen, at, *change)) {
            let what = (party, frame, kind, change);
            sessions += 1;
            let ended = Cheater::sending(party, frame, change).run(&case);
            check_one(ended, &case, what);
        }
    }
    let both = [
        Kind::BaseOt,
        Kind::Extension,
        Kind::Position,
        Kind::LeakyAnds,
        Kind::PublicBits,
        Kind::Commitment,
        Kind::Opening,
        Kind::Shares,
        Kind::MaskedBits,
        Kind::Check,
        Kind::Done,
    ];
    assert!(both.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let garblers = [Kind::Tables, Kind::Labels];
    assert!(garblers.iter().all(|kind| kinds.contains(kind) == (party == Party::Garbler)));
    assert!(kinds.iter().filter(|kind| **kind == Kind::Opening).count() >= 2, "several windows");
    assert!(sessions > 200, "{sessions} sessions");
}

fn check_one(ended: Ended, case: &Case, what: (Party, usize, Kind, Change)) {
    let (party, _, kind, change) = what;
    let is_unchanged = ended.cheaters.contains(&Seen::Unchanged);
    let is_protocol = matches!(&ended.honest, Err(SessionError::Protocol { .. }));
    let Some(error) = ended.error(case, party, &what) else {
        assert!(may_succeed(kind, change) || is_unchanged, "{what:?} was not detected");
        return;
    };
    // A party that learns more than that a check failed knows it from its own message: a length,
    // a kind, an invalid point, a position, bits after the last.
    let allowed =
        [Kind::BaseOt, Kind::Phase, Kind::Position, Kind::MaskedBits, Kind::PublicBits, Kind::Done];
    let is_known = !is_of_content(change) || allowed.contains(&kind);
    assert!(!is_protocol || is_known || change == Change::Swap, "{what:?}: {error}");
}

/// Messages of the run before, in each place of the second run. Both runs have the same inputs.
#[test]
fn a_party_that_replays_messages_of_another_run_is_detected() {
    let shape = Shape { gates: 1000, input_bits: 40, output_bits: 60, ..Shape::default() };
    let mut case = case(2, &shape, 1);
    // A table is not used at all if both masked values are 0.
    let ands = case.program.ands_per_cycle();
    assert!((100..=256).contains(&ands), "{ands} ANDs");
    case.garbler.push(case.garbler[0].clone());
    case.evaluator.push(case.evaluator[0].clone());
    case.outputs.push(case.outputs[0].clone());
    for party in [Party::Garbler, Party::Evaluator] {
        let seen = frames(&case, party);
        let sent = (0..seen.len()).filter(|at| matches!(seen[*at], Seen::Sent(..)));
        let mut kinds = Vec::new();
        for (frame, at) in sent.enumerate() {
            let Seen::Sent(kind, _) = seen[at] else { unreachable!("it was sent") };
            let kind = Kind::from_number(kind).unwrap();
            // These all come before the runs, and have differing contents.
            if kind == Kind::BaseOt || !is_possible(&seen, at, Change::Replay) {
                continue;
            }
            kinds.push(kind);
            let ended = Cheater::sending(party, frame, Change::Replay).run(&case);
            check_one(ended, &case, (party, frame, kind, Change::Replay));
        }
        let all = [Kind::Extension, Kind::LeakyAnds, Kind::Commitment, Kind::Opening, Kind::Shares];
        assert!(all.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    }
}

#[test]
fn a_garbler_that_changes_any_message_is_detected() {
    check_sweep(Party::Garbler);
}

#[test]
fn an_evaluator_that_changes_any_message_is_detected() {
    check_sweep(Party::Evaluator);
}
