//! Both sides together, message by message.

use super::*;
use halfgate_engine::{Delta, Label};
use halfgate_kernels::transpose::{Columns, Transposer};
use proptest::prelude::*;

const SESSION: SessionId = SessionId([42; 32]);

fn delta() -> Delta {
    let mut bytes = [0; 16];
    fill_random(&mut bytes).unwrap();
    Delta::new(Label::from_bytes(bytes))
}

/// Both sides after the base OTs.
fn setup(mode: OtMode, field: OtField) -> (ExtensionSender, ExtensionReceiver) {
    let (seeds, pairs) = base_ots(&delta());
    let (receiver, trees) = ExtensionReceiver::new(mode, field, &pairs);
    assert_eq!(trees.len(), tree_bytes(field));
    (ExtensionSender::new(mode, field, &seeds, &trees).unwrap(), receiver)
}

fn base_ots(delta: &Delta) -> (Seeds, SeedPairs) {
    let (base, opening) = BaseReceiver::new(SESSION, delta).unwrap();
    let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
    let (response, seeds) = base.finish(&challenge).unwrap();
    owed.check(&response).unwrap();
    (seeds, pairs)
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

fn field() -> impl Strategy<Value = OtField> {
    prop::sample::select(&OtField::ALL[..])
}

/// A sender whose Δ has bit 0 cleared would have all seeds of which random choices are made.
#[test]
fn a_sender_whose_first_choice_is_0_has_no_odd_seed() {
    for field in OtField::ALL {
        let choices = delta().label().to_u128();
        for (choices, is_honest) in [(choices, true), (choices & !1, false)] {
            let (base, opening) = BaseReceiver::with_choices(SESSION, choices).unwrap();
            let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
            let (response, seeds) = base.finish(&challenge).unwrap();
            owed.check(&response).unwrap();
            let first = usize::from(is_honest);
            assert_eq!(pairs.pairs[0][first], seeds.keys[0], "it has a key of each transfer");

            let pairs = pairs.require_first_choice().unwrap();
            let (_, trees) = ExtensionReceiver::new(OtMode::Malicious, field, &pairs);
            assert_eq!(pairs.pairs[0][first] == seeds.keys[0], is_honest);
            if field != OtField::One {
                assert_eq!(tree::regrow(field, &seeds, &trees).is_ok(), is_honest, "{field}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn labels_are_correlated(
        mode in mode(),
        field in field(),
        counts in prop::collection::vec(prop_oneof![0..3000_usize, 8000..20_000_usize], 1..4),
    ) {
        let (mut sender, mut receiver) = setup(mode, field);
        let (mut q, mut t) = (Vec::new(), Vec::new());
        for count in counts {
            let choices = random_bytes(count.div_ceil(8));
            let (mut message, start) = (Vec::new(), q.len());
            receiver.extend(&choices, count, &mut message, &mut t).unwrap();
            prop_assert_eq!(message.len(), message_bytes(mode, field, count));
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

    /// The choice is the colour bit of the receiver's label, and the sender's has none.
    #[test]
    fn random_choices_are_colour_bits(
        mode in mode(),
        field in field(),
        counts in prop::collection::vec(prop_oneof![0..300_usize, 8000..20_000_usize], 1..3),
    ) {
        let (mut sender, mut receiver) = setup(mode, field);
        let (mut q, mut t) = (Vec::new(), Vec::new());
        for count in counts {
            let mut message = Vec::new();
            receiver.extend_random(count, &mut message, &mut t);
            prop_assert_eq!(message.len(), message_bytes(mode, field, count));
            sender.extend(count, &message, &mut q).unwrap();
        }
        for (q, t) in q.iter().zip(&t) {
            prop_assert!(!q.colour());
            prop_assert_eq!(*t, *q ^ sender.delta().label().masked(t.colour()));
        }
    }

    #[test]
    fn masked_labels_open_to_the_chosen_ones(
        mode in mode(),
        field in field(),
        counts in [1..300_usize, 1..300],
    ) {
        let (mut sender, mut receiver) = setup(mode, field);
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
            // The number of another transfer gives another key.
            hash.unmask(first + 1, &mut t, &choices, &masked).unwrap();
            prop_assert!(t.iter().zip(&opened).all(|(a, b)| a != b));
        }
    }

    #[test]
    fn a_flipped_bit_is_caught(
        field in field(),
        count in 1..3000_usize,
        at in any::<prop::sample::Index>(),
    ) {
        let (mut sender, mut receiver) = setup(OtMode::Malicious, field);
        let choices = random_bytes(count.div_ceil(8));
        let (mut message, mut q, mut t) = (Vec::new(), Vec::new(), Vec::new());
        receiver.extend(&choices, count, &mut message, &mut t).unwrap();
        let at = at.index(8 * message.len());
        message[at / 8] ^= 1 << (at % 8);
        // Detected at every position, because a flipped bit also changes the challenge.
        let error = sender.extend(count, &message, &mut q).unwrap_err();
        prop_assert!(matches!(error, OtError::Inconsistent { batch: 0 }), "{error}");
        prop_assert!(q.is_empty());
        prop_assert!(matches!(sender.extend(0, &[], &mut q), Err(OtError::Failed)));
    }
}

/// A receiver whose response is consistent with its columns: it runs the protocol with one bit of
/// one group's choices flipped, and hashes honestly. Only the inconsistency between groups can
/// reveal it. It is detected if the group's element of Δ has a one there. If the element is zero,
/// which the receiver would have to guess, the deviation has no effect.
#[test]
fn an_inconsistent_group_is_detected_where_delta_has_a_one() {
    for field in OtField::ALL {
        let (bits, last) = (field.bits(), field.groups() - 1);
        // The elements of Δ are random except for two: a zero one, and one with only its last bit
        // set.
        let element = ((1 << bits) - 1) << bits;
        let random = delta().label().to_u128() & !element & !(1 << 127 >> (bits - 1) << (bits - 1));
        let random = Delta::new(Label::from_u128(random | 1 << 127));
        let (seeds, pairs) = base_ots(&random);
        let mut caught = [0; 2];
        for group in (0..=last).filter(|group| group % 4 < 2 || *group == last) {
            let (mut receiver, trees) = ExtensionReceiver::new(OtMode::Malicious, field, &pairs);
            let mut sender =
                ExtensionSender::new(OtMode::Malicious, field, &seeds, &trees).unwrap();
            let looked = random.label().to_u128() >> (group * bits) & ((1 << bits) - 1);
            let (mut message, mut q, mut t) = (Vec::new(), Vec::new(), Vec::new());
            receiver.lie_in_group = Some(group);
            receiver.extend(&[0x5a; 16], 128, &mut message, &mut t).unwrap();
            let failed = sender.extend(128, &message, &mut q).is_err();
            assert_eq!(failed, looked != 0, "k = {field}, group {group}");
            caught[usize::from(failed)] += 1;
        }
        assert!(caught[0] > 0 && caught[1] > 0, "k = {field}: {caught:?}");
    }
}

/// Messages have the length of the formula, and a larger field makes them shorter.
#[test]
fn larger_fields_send_less() {
    let bytes = |mode, count| OtField::ALL.map(|field| message_bytes(mode, field, count));
    assert_eq!(bytes(OtMode::SemiHonest, 1 << 16), [1 << 20, 1 << 19, 1 << 18, 1 << 17]);
    let response = 129 * 16;
    let block = |k: usize| 2048 / k;
    assert_eq!(bytes(OtMode::Malicious, 129), [1, 2, 4, 8].map(|k| 3 * block(k) + response));
    assert_eq!(bytes(OtMode::Malicious, 0), [0; 4]);
    assert_eq!(OtField::ALL.map(tree_bytes), [0, 64 * 96, 32 * 160, 16 * 288]);
}

/// Parties with different fields, which the handshake prevents, detect it.
#[test]
fn fields_do_not_mix() {
    let (seeds, pairs) = base_ots(&delta());
    for (ours, theirs) in OtField::ALL.into_iter().zip(OtField::ALL.into_iter().cycle().skip(1)) {
        let (_, trees) = ExtensionReceiver::new(OtMode::Malicious, theirs, &pairs);
        let error = ExtensionSender::new(OtMode::Malicious, ours, &seeds, &trees).unwrap_err();
        assert!(matches!(error, OtError::Length { .. }), "{error}");
    }
}

/// The same choices in two connections, or in two batches of one, give unrelated messages.
#[test]
fn messages_of_connections_and_batches_differ() {
    for field in OtField::ALL {
        let mut messages = Vec::new();
        for _ in 0..2 {
            let (_, mut receiver) = setup(OtMode::Malicious, field);
            for _ in 0..2 {
                let (mut message, mut t) = (Vec::new(), Vec::new());
                receiver.extend(&[0; 16], 128, &mut message, &mut t).unwrap();
                // Without the last block, whose choices are random.
                message.truncate(16 * field.groups());
                messages.extend(message.chunks_exact(16).map(<[u8]>::to_vec));
            }
        }
        let count = messages.len();
        messages.sort_unstable();
        messages.dedup();
        assert_eq!(messages.len(), count, "k = {field}");
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let (mut sender, mut receiver) = setup(OtMode::SemiHonest, OtField::One);
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
    let (sender, receiver) = setup(OtMode::Malicious, OtField::Four);
    assert_eq!(format!("{sender:?}"), "ExtensionSender(malicious, 0 made)");
    assert_eq!(format!("{receiver:?}"), "ExtensionReceiver(malicious, 0 made)");
}

/// Prints the processor time of this thread rather than wall-clock time, so that other processes
/// may use the computer. `cargo test --release -p halfgate-protocol --lib ot_rate -- --ignored
/// --nocapture`
#[test]
#[ignore = "a measurement"]
fn ot_rate() {
    for _ in 0..5 {
        let start = seconds();
        let (base, opening) = BaseReceiver::new(SESSION, &delta()).unwrap();
        let (t1, start) = (seconds() - start, seconds());
        let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
        let (t2, start) = (seconds() - start, seconds());
        let (response, seeds) = base.finish(&challenge).unwrap();
        owed.check(&response).unwrap();
        let t3 = seconds() - start;
        print!("base OTs: {:.2} ms + {:.2} ms + {:.2} ms; trees", t1 * 1e3, t2 * 1e3, t3 * 1e3);
        for field in OtField::ALL {
            let start = seconds();
            let (_, trees) = ExtensionReceiver::new(OtMode::Malicious, field, &pairs);
            let (grown, start) = (seconds() - start, seconds());
            ExtensionSender::new(OtMode::Malicious, field, &seeds, &trees).unwrap();
            print!(" {:.2} + {:.2} ms (k = {field})", grown * 1e3, (seconds() - start) * 1e3);
        }
        println!();
    }
    for mode in [OtMode::SemiHonest, OtMode::Malicious] {
        for field in OtField::ALL {
            extension_rate(mode, field);
        }
    }
    let blocks = vec![1; 128 * 64];
    let columns = Columns::new(&blocks, 64);
    let (mut transposer, mut rows) = (Transposer::default(), vec![]);
    let start = seconds();
    for _ in 0..1000 {
        rows.clear();
        transposer.append(columns, None, 128 * 64, &mut rows);
    }
    let nanos = (seconds() - start) * 1e9 / 1e3 / (128.0 * 64.0);
    println!("transpose: {nanos:.2} ns per row");
}

/// The processor time of this thread.
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn extension_rate(mode: OtMode, field: OtField) {
    const BATCH: usize = 1 << 16;
    const BATCHES: usize = 60;
    let choices = random_bytes(BATCH / 8);
    let (mut sender, mut receiver) = setup(mode, field);
    let hash = RandomOtHash::new(&SESSION);
    let (mut message, mut q, mut t, mut pairs) = (vec![], vec![], vec![], vec![]);
    // The best of each, because other threads use the caches too.
    let mut best = [f64::MAX; 4];
    for _ in 0..BATCHES {
        let first = receiver.produced();
        message.clear();
        t.clear();
        q.clear();
        pairs.clear();
        let mut start = seconds();
        let mut lap = |i: usize| {
            let now = seconds();
            best[i] = best[i].min(now - start);
            start = now;
        };
        receiver.extend(&choices, BATCH, &mut message, &mut t).unwrap();
        lap(0);
        sender.extend(BATCH, &message, &mut q).unwrap();
        lap(1);
        hash.hash(first, &mut t);
        lap(2);
        hash.hash_pairs(first, &q, sender.delta(), &mut pairs);
        lap(3);
    }
    let rate = |seconds: f64| BATCH as f64 / seconds / 1e6;
    println!(
        "{mode}, k = {field}: correlated: receiver {:.1} M/s, sender {:.1} M/s; \
         random: receiver {:.1} M/s, sender {:.1} M/s",
        rate(best[0]),
        rate(best[1]),
        rate(best[0] + best[2]),
        rate(best[1] + best[3]),
    );
}
