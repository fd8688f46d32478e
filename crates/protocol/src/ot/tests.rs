//! Both sides against each other, message by message.

use super::*;
use halfgate_engine::{Delta, Label};
use proptest::prelude::*;
use std::time::Instant;

const SESSION: SessionId = SessionId([42; 32]);

fn delta() -> Delta {
    let mut bytes = [0; 16];
    fill_random(&mut bytes).unwrap();
    Delta::new(Label::from_bytes(bytes))
}

/// Both sides after the base OTs.
fn setup(mode: OtMode) -> (ExtensionSender, ExtensionReceiver) {
    let (base, opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
    let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
    let (answer, seeds) = base.finish(&challenge).unwrap();
    owed.check(&answer).unwrap();
    (ExtensionSender::new(mode, &seeds), ExtensionReceiver::new(mode, &pairs))
}

fn random_bytes(count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    fill_random(&mut bytes).unwrap();
    bytes
}

fn bit(choices: &[u8], j: usize) -> bool {
    choices[j / 8] >> (j % 8) & 1 == 1
}

fn mode() -> impl Strategy<Value = OtMode> {
    prop_oneof![Just(OtMode::SemiHonest), Just(OtMode::Malicious)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn labels_are_correlated(mode in mode(), counts in prop::collection::vec(0..3000_usize, 1..4)) {
        let (mut sender, mut receiver) = setup(mode);
        let (mut q, mut t) = (Vec::new(), Vec::new());
        for count in counts {
            let choices = random_bytes(count.div_ceil(8));
            let (mut message, start) = (Vec::new(), q.len());
            receiver.extend(&choices, count, &mut message, &mut t).unwrap();
            prop_assert_eq!(message.len(), message_bytes(mode, count));
            sender.extend(count, &message, &mut q).unwrap();
            prop_assert_eq!((q.len(), t.len()), (start + count, start + count));
            for j in 0..count {
                let expected = q[start + j] ^ sender.delta().label().masked(bit(&choices, j));
                prop_assert_eq!(t[start + j], expected);
            }
        }
        prop_assert_eq!(sender.produced(), q.len() as u64);
        prop_assert_eq!(receiver.produced(), q.len() as u64);
        // Labels never repeat.
        let mut values: Vec<u128> = q.iter().map(|label| label.to_u128()).collect();
        values.sort_unstable();
        values.dedup();
        prop_assert_eq!(values.len(), q.len());
    }

    #[test]
    fn masked_labels_open_to_the_chosen_ones(mode in mode(), counts in [1..300_usize, 1..300]) {
        let (mut sender, mut receiver) = setup(mode);
        let hash = RandomOtHash::new(&SESSION);
        for count in counts {
            let choices = random_bytes(count.div_ceil(8));
            let (mut u, mut q, mut t) = (Vec::new(), Vec::new(), Vec::new());
            let first = receiver.produced();
            receiver.extend(&choices, count, &mut u, &mut t).unwrap();
            sender.extend(count, &u, &mut q).unwrap();
            let pairs: Vec<(Label, Label)> = random_bytes(32 * count)
                .chunks_exact(32)
                .map(|b| {
                    let (zero, one) = b.split_at(16);
                    let label = |b: &[u8]| Label::from_bytes(b.try_into().unwrap());
                    (label(zero), label(one))
                })
                .collect();
            let mut masked = Vec::new();
            hash.mask_pairs(first, &q, sender.delta(), &pairs, &mut masked);
            let mut opened = t.clone();
            hash.unmask(first, &mut opened, &choices, &masked).unwrap();
            for (j, pair) in pairs.iter().enumerate() {
                let wanted = if bit(&choices, j) { pair.1 } else { pair.0 };
                prop_assert_eq!(opened[j], wanted);
            }
            // Another transfer's number gives another key.
            hash.unmask(first + 1, &mut t, &choices, &masked).unwrap();
            prop_assert!(t.iter().zip(&opened).all(|(a, b)| a != b));
        }
    }

    #[test]
    fn a_flipped_bit_is_caught(count in 1..3000_usize, at in any::<prop::sample::Index>()) {
        let (mut sender, mut receiver) = setup(OtMode::Malicious);
        let choices = random_bytes(count.div_ceil(8));
        let (mut message, mut q, mut t) = (Vec::new(), Vec::new(), Vec::new());
        receiver.extend(&choices, count, &mut message, &mut t).unwrap();
        let at = at.index(8 * message.len());
        message[at / 8] ^= 1 << (at % 8);
        // Caught wherever it is, for a flipped bit changes the challenge too.
        let error = sender.extend(count, &message, &mut q).unwrap_err();
        prop_assert!(matches!(error, OtError::Inconsistent { batch: 0 }), "{error}");
        prop_assert!(q.is_empty());
        prop_assert!(matches!(sender.extend(0, &[], &mut q), Err(OtError::Failed)));
    }
}

/// A receiver that makes its answer fit the columns it sent: it runs the protocol, with one bit of
/// one column's choices flipped, and hashes honestly. Only the columns' inconsistency is left to
/// catch it by, and is caught where Δ has a one and is harmless where it has a zero.
#[test]
fn a_consistent_liar_is_caught_where_delta_looks() {
    let mut caught = [0; 2];
    for column in 0..64 {
        let (mut sender, mut receiver) = setup(OtMode::Malicious);
        let looked = sender.delta().label().to_u128() >> column & 1;
        let (mut message, mut q, mut t) = (Vec::new(), Vec::new(), Vec::new());
        receiver.lie_in_column = Some(column);
        receiver.extend(&[0x5a; 16], 128, &mut message, &mut t).unwrap();
        let failed = sender.extend(128, &message, &mut q).is_err();
        assert_eq!(failed, looked == 1, "column {column}");
        caught[usize::from(failed)] += 1;
    }
    assert!(caught[0] > 0 && caught[1] > 0, "random offsets have both bits: {caught:?}");
}

#[test]
fn wrong_lengths_are_errors() {
    let (mut sender, mut receiver) = setup(OtMode::SemiHonest);
    let (mut message, mut labels) = (Vec::new(), Vec::new());
    let error = sender.extend(5, &[0; 2047], &mut labels).unwrap_err().to_string();
    assert!(
        error.contains("the evaluator's extension message has 2047 bytes, not 2048"),
        "{error}"
    );
    let error = receiver.extend(&[0; 1], 9, &mut message, &mut labels).unwrap_err().to_string();
    assert!(error.contains("1 bytes of choice bits given for 9"), "{error}");
    let hash = RandomOtHash::new(&SESSION);
    let error = hash.unmask(0, &mut [Label::ZERO; 2], &[0], &[0; 63]).unwrap_err().to_string();
    assert!(error.contains("the garbler's masked labels has 63 bytes, not 64"), "{error}");
}

#[test]
fn debug_shows_no_secret() {
    let (sender, receiver) = setup(OtMode::Malicious);
    assert_eq!(format!("{sender:?}"), "ExtensionSender(malicious, 0 made)");
    assert_eq!(format!("{receiver:?}"), "ExtensionReceiver(malicious, 0 made)");
}

/// Prints the times. `cargo test --release -p halfgate-protocol ot_rate -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn ot_rate() {
    let millis = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    for _ in 0..5 {
        let start = Instant::now();
        let (base, opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
        let (t1, start) = (millis(start), Instant::now());
        let (challenge, _, owed) = BaseSender::respond(SESSION, &opening).unwrap();
        let (t2, start) = (millis(start), Instant::now());
        owed.check(&base.finish(&challenge).unwrap().0).unwrap();
        println!("base OTs: {t1:.2} ms + {t2:.2} ms + {:.2} ms", millis(start));
    }
    const BATCH: usize = 1 << 16;
    const BATCHES: usize = 100;
    let rate = |seconds: f64| (BATCH * BATCHES) as f64 / seconds / 1e6;
    let choices = random_bytes(BATCH / 8);
    for mode in [OtMode::SemiHonest, OtMode::Malicious] {
        let (mut sender, mut receiver) = setup(mode);
        let hash = RandomOtHash::new(&SESSION);
        let (mut message, mut q, mut t, mut pairs) = (vec![], vec![], vec![], vec![]);
        let mut seconds = [0.0; 4];
        for _ in 0..BATCHES {
            let first = receiver.produced();
            message.clear();
            t.clear();
            q.clear();
            pairs.clear();
            let start = Instant::now();
            receiver.extend(&choices, BATCH, &mut message, &mut t).unwrap();
            seconds[0] += start.elapsed().as_secs_f64();
            let start = Instant::now();
            sender.extend(BATCH, &message, &mut q).unwrap();
            seconds[1] += start.elapsed().as_secs_f64();
            let start = Instant::now();
            hash.hash(first, &mut t);
            seconds[2] += start.elapsed().as_secs_f64();
            let start = Instant::now();
            hash.hash_pairs(first, &q, sender.delta(), &mut pairs);
            seconds[3] += start.elapsed().as_secs_f64();
        }
        println!(
            "{mode}: correlated: receiver {:.1} M/s, sender {:.1} M/s; \
             random: receiver {:.1} M/s, sender {:.1} M/s",
            rate(seconds[0]),
            rate(seconds[1]),
            rate(seconds[0] + seconds[2]),
            rate(seconds[1] + seconds[3]),
        );
    }
    let mut columns = Box::new([[1; 2 * transpose::BLOCKS]; 128]);
    let mut rows = Box::new([0; transpose::ROWS]);
    let start = Instant::now();
    for _ in 0..10_000 {
        transpose::transpose(&mut columns, &mut rows);
    }
    println!("transpose: {:.2} ns a row", millis(start) * 1e6 / 1e4 / transpose::ROWS as f64);
}
