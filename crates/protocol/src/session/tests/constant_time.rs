//! Code that handles secrets takes the same path through code and memory for all secrets.
//!
//! Each part runs with two secrets and the same public sizes while the processor is single-stepped.
//! `halfgate_leaks::step` describes the method and what it proves. `scripts/constant-time.sh` runs
//! these tests in the release profile, because another profile gives another binary.
//!
//! Not covered:
//! - *The base transfers*, which run before the steps are counted. Their secrets go into
//!   `curve25519-dalek`, which claims constant time, and into BLAKE3. They draw other secrets each
//!   time, so the Δ and the keys of two traces differ too.
//! - *The system's randomness.* The random bytes are themselves secret; the time of the system call
//!   is the system's responsibility.
//! - *Memory allocation.* Both traces start with the same memory and get the same addresses if they
//!   request the same sizes, so a size that depends on a secret is detected. Bit vectors are
//!   allocated in advance, because the C library's copy of a few bytes loads them into an address
//!   register.
//! - *Ends.* A failed check ends the session, and the party that causes it may know that.

use super::*;
use crate::ot::{
    BaseReceiver, BaseSender, ExtensionReceiver, ExtensionSender, MASKED_PAIR_BYTES, OtField,
    OtMode, RandomOtHash, Seeds, SessionId,
};
use crate::session::decoding::{DECODING_BYTES, DecodingHash, decode, value_of};
use halfgate_engine::wipe::Buffer;
use halfgate_engine::{Delta, Label, RunKey};
use halfgate_leaks::step::{Instructions, difference, instructions, trace_with};
use std::hint::black_box;
use std::sync::OnceLock;

/// Seeds of the secrets. Each gives hundreds of random bits, so a path that depends on one of them
/// is very unlikely to remain undetected.
const SEEDS: [u64; 2] = [1, 2];

const SESSION: SessionId = SessionId([9; 32]);
const KEY: RunKey = RunKey { suite: Suite::HalfGates, point: 5 };

/// Transfers in a batch: not a multiple of a block, of a byte, or of the hash's batch size.
const COUNT: usize = 150;

/// Traces `run` with both seeds. Returns the differences and the number of steps.
fn compare<T>(
    code: &Instructions,
    mut set_up: impl FnMut(u64) -> T,
    mut run: impl FnMut(&mut T),
) -> (Option<String>, usize) {
    let [a, b] = trace_with(code, &SEEDS, &mut set_up, &mut run);
    (difference(code, &a, &b), code.known(&a))
}

/// Checks that `run` takes the same path for all secrets.
fn check_path<T>(what: &str, set_up: impl FnMut(u64) -> T, run: impl FnMut(&mut T)) {
    let Some(code) = code() else { return };
    let (found, steps) = compare(code, set_up, run);
    println!("{what}: {steps} steps");
    assert!(steps > 300, "{what}: the tracer missed it");
    assert_eq!(found, None, "{what} takes a path that depends on secrets");
}

/// The instructions of this program. Reading them takes seconds.
fn code() -> Option<&'static Instructions> {
    static CODE: OnceLock<Option<Instructions>> = OnceLock::new();
    CODE.get_or_init(instructions).as_ref()
}

/// Random bytes derived from a seed.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    random::bits(seed.wrapping_mul(77), 8 * len).to_bytes()
}

fn labels(seed: u64, count: usize) -> Vec<Label> {
    let bytes = bytes(seed, 16 * count);
    bytes.as_chunks::<16>().0.iter().map(|bytes| Label::from_bytes(*bytes)).collect()
}

fn delta(seed: u64) -> Delta {
    Delta::new(labels(seed + 40, 1)[0])
}

/// Both sides after the base transfers.
fn transfers(seed: u64, mode: OtMode) -> (ExtensionSender, ExtensionReceiver) {
    let (seeds, trees, receiver) = base(seed, mode);
    (ExtensionSender::new(mode, FIELD, &seeds, &trees).unwrap(), receiver)
}

/// The garbler's data before it opens the evaluator's trees, and the evaluator's side.
fn base(seed: u64, mode: OtMode) -> (Seeds, Vec<u8>, ExtensionReceiver) {
    let (base, opening) = BaseReceiver::new(SESSION, &delta(seed)).unwrap();
    let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).unwrap();
    let (response, seeds) = base.finish(&challenge).unwrap();
    owed.check(&response).unwrap();
    let (receiver, trees) = ExtensionReceiver::new(mode, FIELD, &pairs);
    (seeds, trees, receiver)
}

const MODES: [OtMode; 2] = [OtMode::SemiHonest, OtMode::Malicious];

/// The default field. The others repeat the same steps more or less often.
const FIELD: OtField = OtField::Two;

#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_the_evaluators_extension() {
    for mode in MODES {
        let set_up = |seed| (base(seed, mode).2, bytes(seed, COUNT.div_ceil(8)));
        let what = format!("the evaluator's extension, {mode}");
        check_path(&what, set_up, |(receiver, choices)| {
            let (mut message, mut labels) = (Vec::new(), Vec::new());
            receiver.extend(choices, COUNT, &mut message, &mut labels).unwrap();
            black_box((message, labels));
        });
    }
}

/// With the consistency check of a correct message.
#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_the_garblers_extension() {
    for mode in MODES {
        let set_up = |seed| {
            let (sender, mut receiver) = transfers(seed, mode);
            let (mut message, mut labels) = (Vec::new(), Vec::new());
            let choices = bytes(seed, COUNT.div_ceil(8));
            receiver.extend(&choices, COUNT, &mut message, &mut labels).unwrap();
            (sender, message)
        };
        let what = format!("the garbler's extension, {mode}");
        check_path(&what, set_up, |(sender, message)| {
            let mut labels = Vec::new();
            sender.extend(COUNT, message, &mut labels).unwrap();
            black_box(labels);
        });
    }
}

/// Authenticated bits: random choices, own shares added to the sender's labels, and their opening.
#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_authenticated_bits() {
    let set_up = |seed| base(seed, OtMode::Malicious).2;
    check_path("random choices", set_up, |receiver| {
        let (mut message, mut labels) = (Vec::new(), Vec::new());
        black_box(receiver.extend_random(COUNT, &mut message, &mut labels));
        black_box((message, labels));
    });
    let set_up = |seed| {
        let (sender, mut receiver) = transfers(seed, OtMode::Malicious);
        let (mut message, mut labels) = (Vec::new(), Vec::new());
        let shares = receiver.extend_random(COUNT, &mut message, &mut labels);
        (sender, shares, message)
    };
    check_path("labels with own shares", set_up, |(sender, shares, message)| {
        let mut labels = Vec::new();
        sender.extend_shares(shares, COUNT, message, &mut labels).unwrap();
        black_box(labels);
    });
}

/// The garbler opens the evaluator's trees with the bits of Δ.
#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_the_trees() {
    let set_up = |seed| base(seed, OtMode::Malicious);
    check_path("opening trees", set_up, |(seeds, trees, _)| {
        black_box(ExtensionSender::new(OtMode::Malicious, FIELD, seeds, trees).unwrap());
    });
}

#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_masked_pairs() {
    let pairs = |seed| {
        let both = labels(seed, COUNT).into_iter().zip(labels(seed + 9, COUNT));
        (
            RandomOtHash::new(&SESSION),
            labels(seed + 5, COUNT),
            delta(seed),
            both.collect::<Vec<_>>(),
        )
    };
    check_path("masking pairs", pairs, |(hash, labels, delta, pairs)| {
        let mut message = Vec::with_capacity(MASKED_PAIR_BYTES * COUNT);
        hash.mask_pairs(3, labels, delta, pairs, &mut message);
        black_box(message);
    });
    let masked = |seed| {
        let (choices, message) = (bytes(seed, COUNT.div_ceil(8)), bytes(seed + 3, 32 * COUNT));
        (RandomOtHash::new(&SESSION), labels(seed, COUNT), choices, message)
    };
    check_path("opening masked pairs", masked, |(hash, labels, choices, message)| {
        hash.unmask(3, labels, choices, message).unwrap();
    });
}

/// The garbler's decoding data and the evaluator's hashes.
#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_decoding() {
    let set_up = |seed| (DecodingHash::new(1, KEY), labels(seed, COUNT), delta(seed));
    check_path("decoding data", set_up, |(hash, labels, delta)| {
        let mut data = Buffer::with_capacity(DECODING_BYTES * COUNT);
        hash.decoding(7, labels, delta, &mut data);
        black_box(data);
    });
    // The values differ, and all data matches.
    let set_up = |seed| {
        let (hash, mut active, delta) =
            (DecodingHash::new(1, KEY), labels(seed, COUNT), delta(seed));
        let mut data = Buffer::default();
        hash.decoding(7, &active, &delta, &mut data);
        let values = bytes(seed + 8, COUNT);
        active.iter_mut().zip(&values).for_each(|(label, value)| {
            *label ^= delta.label().masked(value & 1 == 1);
        });
        (hash, active, data, Bits::with_len(COUNT + 64))
    };
    check_path("decoding", set_up, |(hash, active, data, values)| {
        hash.hash(7, active);
        let data = data.as_chunks::<DECODING_BYTES>().0;
        values_of(active.iter().zip(data).map(|(hash, data)| decode(*hash, data)), values);
    });
    let set_up = |seed| {
        let (labels, delta) = (labels(seed, COUNT), delta(seed));
        let values = bytes(seed + 8, COUNT);
        let active = |(label, value): (&Label, &u8)| {
            (*label ^ delta.label().masked(value & 1 == 1)).to_bytes()
        };
        let returned: Vec<[u8; 16]> = labels.iter().zip(&values).map(active).collect();
        (labels, returned, delta, Bits::with_len(COUNT + 64))
    };
    check_path("returned labels", set_up, |(labels, returned, delta, values)| {
        let all = returned.iter().zip(labels.iter());
        values_of(all.map(|(returned, label)| value_of(*returned, *label, delta)), values);
    });
}

/// Collects values as both parties do. Panics at the first one that does not decode.
fn values_of(all: impl Iterator<Item = Option<bool>>, values: &mut Bits) {
    for (at, value) in all.enumerate() {
        values.set(at, value.expect("all data fits"));
    }
}

/// The garbler's active labels of its own inputs, and the evaluator's choices.
#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_of_the_choice_of_labels() {
    let shape = Shape { input_bits: 300, ..Shape::default() };
    let circuit = random::circuit(3, &shape);
    let order = inputs::InputOrder::new(&circuit, 1);
    for party in [Party::Garbler, Party::Evaluator] {
        let set_up = |seed| {
            let values = inputs(&circuit, seed, 1);
            let own = circuit.inputs.iter().zip(values);
            let own: PartyInputs = own.map(|(i, v)| (i.party == party).then_some(v)).collect();
            (
                own,
                labels(seed, COUNT),
                delta(seed),
                Buffer::with_capacity(16 * 300),
                Bits::with_len(300),
            )
        };
        check_path(&format!("the {party}'s choice"), set_up, |(own, labels, delta, out, bits)| {
            let mut values = inputs::Values::new(party, 0, (&order, own), None);
            for (at, (bit, label)) in order.input_bits().of(party).zip(labels.iter()).enumerate() {
                let value = values.get(bit).unwrap();
                out.extend_from_slice(&(*label ^ delta.label().masked(value)).to_bytes());
                bits.set(at, value);
            }
        });
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "scripts/constant-time.sh runs it with optimisation")]
fn constant_time_is_not_found_where_a_choice_is_a_branch() {
    let Some(code) = code() else { return };
    // Like `unmask`, but branches on each choice.
    #[inline(never)]
    fn leaky(labels: &mut [Label], choices: &[u8], message: &[u8]) {
        let (masked, _) = message.as_chunks::<16>();
        for (j, (label, pair)) in labels.iter_mut().zip(masked.chunks_exact(2)).enumerate() {
            if black_box(choices[j / 8] >> (j % 8) & 1 == 1) {
                *label ^= black_box(Label::from_bytes(pair[1]));
            } else {
                *label ^= Label::from_bytes(pair[0]);
            }
        }
    }
    let set_up =
        |seed| (labels(seed, COUNT), bytes(seed, COUNT.div_ceil(8)), bytes(seed + 3, 32 * COUNT));
    let (found, _) = compare(code, set_up, |(labels, choices, message)| {
        leaky(labels, choices, message);
    });
    assert!(found.is_some_and(|found| found.contains("branch")));
    // Uses a choice as an index.
    let (found, _) = compare(code, set_up, |(labels, choices, message)| {
        let (masked, _) = message.as_chunks::<16>();
        for (j, label) in labels.iter_mut().enumerate() {
            let choice = black_box(usize::from(choices[j / 8] >> (j % 8) & 1));
            *label ^= Label::from_bytes(masked[2 * j + choice]);
        }
    });
    assert!(found.is_some_and(|found| found.contains("address")));
}
