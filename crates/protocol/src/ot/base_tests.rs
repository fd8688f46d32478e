//! Both sides of the base OTs, and parties that deviate.

use super::*;
use halfgate_engine::Label;

const SESSION: SessionId = SessionId([7; 32]);

fn delta() -> Delta {
    Delta::new(Label::from_u128(0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978))
}

fn choice(index: usize) -> usize {
    (delta().label().to_u128() >> index & 1) as usize
}

/// An exchange between honest parties, except that the closures change the messages.
fn exchange(
    sessions: [SessionId; 2],
    change_opening: impl Fn(&mut Vec<u8>),
    change_challenge: impl Fn(&mut Vec<u8>),
) -> Result<(Seeds, SeedPairs), OtError> {
    let (receiver, mut opening) = BaseReceiver::new(sessions[0], &delta()).unwrap();
    change_opening(&mut opening);
    let (mut challenge, pairs, owed) = BaseSender::respond(sessions[1], &opening)?;
    change_challenge(&mut challenge);
    let (response, seeds) = receiver.finish(&challenge)?;
    owed.check(&response)?;
    Ok((seeds, pairs))
}

#[test]
fn receiver_knows_the_chosen_key_and_no_other() {
    let (seeds, pairs) = exchange([SESSION; 2], |_| {}, |_| {}).unwrap();
    for i in 0..BASE_OTS {
        assert_eq!(seeds.keys[i], pairs.pairs[i][choice(i)]);
        assert_ne!(seeds.keys[i], pairs.pairs[i][1 - choice(i)]);
    }
    // All keys differ.
    let mut keys: Vec<_> = pairs.pairs.as_flattened().to_vec();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 2 * BASE_OTS);
}

#[test]
fn the_transcript_binds_the_session_and_the_base_ots() {
    let (seeds, pairs) = exchange([SESSION; 2], |_| {}, |_| {}).unwrap();
    assert_eq!(seeds.session, pairs.session);
    let (again, _) = exchange([SESSION; 2], |_| {}, |_| {}).unwrap();
    assert_ne!(seeds.session, again.session);
    // Both messages are bound completely: the garbler's as sent, the evaluator's as received.
    let (_, changed) = exchange([SESSION; 2], |_| {}, |c| c[POINT_BYTES + choice_of_zero()] ^= 1)
        .expect("a wrong challenge where Δ has a zero is not seen");
    let (other, _) = exchange([SESSION; 2], |_| {}, |_| {}).unwrap();
    assert_ne!(changed.session, other.session);
    assert_ne!(changed.session, SESSION);
}

/// The first byte of the challenge of a transfer in which Δ has a zero.
fn choice_of_zero() -> usize {
    HASH_BYTES * (0..BASE_OTS).find(|i| choice(*i) == 0).unwrap()
}

/// Chou and Orlandi's protocol accepts such points, and only the use of a key reveals them.
#[test]
fn a_receiver_without_keys_is_detected() {
    let base = RISTRETTO_BASEPOINT_TABLE.basepoint();
    for index in [0, 77, BASE_OTS - 1] {
        // A foreign point, whose logarithm the receiver does not know.
        let other = (base * random_scalar().unwrap()).compress();
        let at = SEED_BYTES + index * POINT_BYTES;
        let replace = |opening: &mut Vec<u8>| {
            opening[at..][..POINT_BYTES].copy_from_slice(other.as_bytes());
        };
        let (_, mut opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
        replace(&mut opening);
        let (_, _, owed) = BaseSender::respond(SESSION, &opening).unwrap();
        let error = owed.check(&[7; HASH_BYTES]).unwrap_err();
        assert!(error.to_string().contains("the garbler's base response is wrong"), "{error}");
        // An honest receiver whose point was replaced in transit stops by itself.
        let error = exchange([SESSION; 2], replace, |_| {}).unwrap_err();
        assert!(matches!(error, OtError::Proof), "{error}");
    }
}

/// The attack on batches of McQuoid, Rosulek and Roy (2021), section 3: one point for all
/// transfers.
#[test]
fn a_point_sent_again_gives_other_keys() {
    let (_, mut opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
    let (first, rest) = opening[SEED_BYTES..].split_at_mut(POINT_BYTES);
    rest.chunks_exact_mut(POINT_BYTES).for_each(|point| point.copy_from_slice(first));
    let (challenge, pairs, _) = BaseSender::respond(SESSION, &opening).unwrap();
    let mut keys: Vec<_> = pairs.pairs.as_flattened().to_vec();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 2 * BASE_OTS);
    let mut challenges: Vec<_> =
        challenge[POINT_BYTES..].chunks_exact(HASH_BYTES).map(<[u8]>::to_vec).collect();
    challenges.sort_unstable();
    challenges.dedup();
    assert_eq!(challenges.len(), BASE_OTS + 1);
}

/// A wrong challenge reveals one bit to the sender, and only by ending the connection.
#[test]
fn a_wrong_challenge_is_detected_where_delta_has_a_one() {
    for index in 0..BASE_OTS {
        let at = POINT_BYTES + index * HASH_BYTES + index % HASH_BYTES;
        let result = exchange([SESSION; 2], |_| {}, |challenge| challenge[at] ^= 0x10);
        assert_eq!(matches!(result, Err(OtError::Proof)), choice(index) == 1, "{index}");
    }
    let last = CHALLENGE_BYTES - 1;
    let error = exchange([SESSION; 2], |_| {}, |challenge| challenge[last] ^= 1).unwrap_err();
    assert!(error.to_string().contains("the evaluator's base challenge fails"), "{error}");
}

#[test]
fn sessions_do_not_mix() {
    let error = exchange([SESSION, SessionId([8; 32])], |_| {}, |_| {}).unwrap_err();
    assert!(matches!(error, OtError::Proof), "{error}");
}

#[test]
fn bad_openings_are_refused() {
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        exchange([SESSION; 2], change, |_| {}).unwrap_err().to_string()
    };
    let text = error(&|opening| opening.truncate(31));
    assert!(text.contains("the garbler's base opening has 31 bytes, not 4128"), "{text}");
    // The identity, a field element that is out of range, and T.
    let text = error(&|opening| opening[SEED_BYTES + 64..][..32].fill(0));
    assert!(text.contains("point 2 of the garbler's base opening"), "{text}");
    let text = error(&|opening| opening[SEED_BYTES + 32..][..32].fill(0xee));
    assert!(text.contains("point 1 of the garbler's base opening"), "{text}");
    let text = error(&|opening| {
        let half = half_element(&SESSION, &opening[..SEED_BYTES]);
        let element = (half + half).compress();
        opening[SEED_BYTES..][..32].copy_from_slice(element.as_bytes());
    });
    assert!(text.contains("point 0 of the garbler's base opening"), "{text}");
}

#[test]
fn bad_challenges_and_responses_are_refused() {
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        exchange([SESSION; 2], |_| {}, change).unwrap_err().to_string()
    };
    let text = error(&|challenge| challenge.push(0));
    assert!(text.contains("the evaluator's base challenge has 4161 bytes, not 4160"), "{text}");
    for fill in [0, 0xff] {
        let text = error(&|challenge| challenge[..32].fill(fill));
        assert!(text.contains("point 0 of the evaluator's base challenge"), "{text}");
    }
    let (_, opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
    let (_, _, owed) = BaseSender::respond(SESSION, &opening).unwrap();
    let text = owed.check(&[0; 31]).unwrap_err().to_string();
    assert!(text.contains("the garbler's base response has 31 bytes, not 32"), "{text}");
}

#[test]
fn debug_shows_no_secret() {
    let (receiver, opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
    let (_, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
    assert_eq!(
        format!("{receiver:?} {pairs:?} {owed:?}"),
        "BaseReceiver(…) SeedPairs(…) BaseResponse(…)"
    );
}
