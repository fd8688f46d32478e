//! Both sides' trees, and an evaluator that deviates.

use super::super::{BaseReceiver, BaseSender};
use super::*;
use halfgate_engine::{Delta, Label};

fn base_ots(delta: u128) -> (Seeds, SeedPairs) {
    let session = SessionId([9; 32]);
    let delta = Delta::new(Label::from_u128(delta));
    let (base, opening) = BaseReceiver::new(session, &delta).unwrap();
    let (challenge, pairs, owed) = BaseSender::respond(session, &opening).unwrap();
    let (response, seeds) = base.finish(&challenge).unwrap();
    owed.check(&response).unwrap();
    (seeds, pairs)
}

const DELTA: u128 = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6979;

fn element(field: OtField, group: usize) -> usize {
    (DELTA >> (group * field.bits())) as usize & (field.leaves() - 1)
}

#[test]
fn garbler_has_all_leaves_but_one() {
    let (seeds, pairs) = base_ots(DELTA);
    for field in OtField::ALL {
        let (message, all) = grow(field, &pairs);
        assert_eq!(message.len(), tree_bytes(field));
        let known = regrow(field, &seeds, &message).unwrap();
        assert_eq!(all.seeds.len(), field.groups() * field.leaves());
        assert_eq!(known.seeds.len(), field.groups() * (field.leaves() - 1));
        assert_eq!(all.session, known.session);
        let groups = all.seeds.chunks_exact(field.leaves());
        let known = known.seeds.chunks_exact(field.leaves() - 1);
        for (group, (all, known)) in groups.zip(known).enumerate() {
            let hidden = element(field, group);
            for y in 1..field.leaves() {
                assert_eq!(known[y - 1], all[y ^ hidden], "k = {field}, group {group}, {y}");
            }
            assert!(known.iter().all(|seed| *seed != all[hidden]), "k = {field}, group {group}");
        }
        let mut every = all.seeds.to_vec();
        every.sort_unstable();
        every.dedup();
        assert_eq!(every.len(), all.seeds.len(), "k = {field}: all seeds differ");
    }
}

/// With k = 1 the extension is plain IKNP: seed 1 - b is key b, and nothing else is bound.
#[test]
fn trees_of_one_bit_are_the_base_ots() {
    let (_, pairs) = base_ots(DELTA);
    let (message, leaves) = grow(OtField::One, &pairs);
    assert!(message.is_empty());
    assert_eq!(leaves.session, pairs.session);
    for (seeds, [zero, one]) in leaves.seeds.chunks_exact(2).zip(pairs.pairs.iter()) {
        assert_eq!(seeds, [*one, *zero]);
    }
}

/// A garbler does not see the correction for the side that it does not open. So whether a wrong
/// correction passes depends on the bit of Δ: this is the guess that the proof allows. A wrong sum
/// or digest is always detected.
#[test]
fn wrong_trees_are_detected_where_delta_has_a_one() {
    let (seeds, pairs) = base_ots(DELTA);
    for field in &OtField::ALL[1..] {
        let (message, honest) = grow(*field, &pairs);
        let group_bytes = message.len() / field.groups();
        let corrections = 2 * NODE_BYTES * (field.bits() - 1);
        for at in (0..message.len()).step_by(NODE_BYTES) {
            let mut message = message.clone();
            message[at + at / NODE_BYTES % NODE_BYTES] ^= 0x20;
            let (group, offset) = (at / group_bytes, at % group_bytes);
            let (level, side) = (1 + offset / (2 * NODE_BYTES), offset / NODE_BYTES % 2);
            let looks = offset >= corrections || element(*field, group) >> level & 1 == side;
            match regrow(*field, &seeds, &message) {
                Err(OtError::Trees) => assert!(looks, "k = {field}, byte {at}"),
                Err(error) => panic!("{error}"),
                Ok(leaves) => {
                    assert!(!looks, "k = {field}, byte {at}");
                    // Whoever changed the message, both parties continue with different session
                    // ids.
                    assert_ne!(leaves.session, honest.session);
                }
            }
        }
    }
}

/// A tree that differs below one node, with everything else consistent with it: the garbler accepts
/// it only if its element of Δ hides the difference.
#[test]
fn a_leaf_that_differs_from_the_digest_passes_only_by_a_guess() {
    let field = OtField::Two;
    let (seeds, pairs) = base_ots(DELTA);
    for group in 0..8 {
        let mut other = SeedPairs { pairs: pairs.pairs.clone(), session: pairs.session };
        // Node 1 - b of level 1, the parent of the leaves with that low bit.
        other.pairs[group * field.bits()][1][3] ^= 1;
        let (message, _) = grow(field, &other);
        let hidden_is_below = element(field, group) & 1 == 0;
        let result = regrow(field, &seeds, &message);
        assert_eq!(result.is_ok(), hidden_is_below, "group {group}");
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let (seeds, pairs) = base_ots(DELTA);
    for field in OtField::ALL {
        let (mut message, _) = grow(field, &pairs);
        message.push(0);
        let text = regrow(field, &seeds, &message).err().unwrap().to_string();
        let (got, expected) = (message.len(), tree_bytes(field));
        let what = format!("the evaluator's message of trees has {got} bytes, not {expected}");
        assert!(text.contains(&what), "{text}");
    }
}
