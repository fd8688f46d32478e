//! Both parties in one thread, message by message.

mod cheating;

use super::bits::{BitSource, SetUp, offset_of};
use super::buckets::{Buckets, Rows, Shape, append_inputs, correct, shifts};
use super::coins::{Coins, Commitments};
use super::leaky::{Hash, correction};
use super::opening::{LabelDigest, Proof, bit, equal, open, opened, pack};
use super::*;
use crate::ot::{OtField, SessionId, fill_random};
use halfgate_circuit::Party;
use halfgate_engine::kernels;
use proptest::prelude::*;

const SESSION: SessionId = SessionId([7; 32]);
const PARTIES: [Party; 2] = [Party::Garbler, Party::Evaluator];

fn random_label() -> Label {
    let mut bytes = [0; 16];
    fill_random(&mut bytes).unwrap();
    Label::from_bytes(bytes)
}

/// Both parties' sources of bits after their set-up.
pub(super) fn sources(field: OtField) -> [BitSource; 2] {
    let new = |party| {
        let delta = offset_of(party, random_label());
        SetUp::new(party, SESSION, &delta, field).unwrap()
    };
    let [(a, to_b), (b, to_a)] = PARTIES.map(new);
    let ((a, to_b), (b, to_a)) = (a.challenge(&to_a).unwrap(), b.challenge(&to_b).unwrap());
    let ((a, to_b), (b, to_a)) = (a.respond(&to_a).unwrap(), b.respond(&to_b).unwrap());
    [a.finish(&to_a).unwrap(), b.finish(&to_b).unwrap()]
}

/// Draws `count` bits more.
fn draw(sources: &mut [BitSource; 2], count: usize, shares: &mut [Shares; 2]) {
    let [a, b] = sources;
    let [mine, theirs] = shares;
    let [mut to_b, mut to_a] = [Vec::new(), Vec::new()];
    a.draw(count, mine, &mut to_b);
    b.draw(count, theirs, &mut to_a);
    assert_eq!([to_b.len(), to_a.len()], [a.message_bytes(count); 2]);
    a.complete(count, &to_a, mine).unwrap();
    b.complete(count, &to_b, theirs).unwrap();
}

fn no_shares() -> [Shares; 2] {
    [Shares::with_capacity(0), Shares::with_capacity(0)]
}

/// The values of bits, checked in both directions.
fn values(sources: &[BitSource; 2], keys: [&[Label]; 2], macs: [&[Label]; 2]) -> Vec<bool> {
    let deltas = [0, 1].map(|party: usize| sources[party].delta().label());
    (0..keys[0].len())
        .map(|i| {
            let [one, two] = [0, 1].map(|own: usize| {
                let difference = keys[own][i] ^ macs[1 - own][i];
                assert!(difference == Label::ZERO || difference == deltas[own], "bit {i}");
                difference != Label::ZERO
            });
            assert_eq!(one, two, "both directions have the same bit {i}");
            one
        })
        .collect()
}

#[test]
fn offsets_differ_in_bit_1() {
    let sources = sources(OtField::Two);
    let [a, b] = sources.each_ref().map(|source| source.delta().label().to_u128());
    assert_eq!((a & 3, b & 3), (3, 1));
}

#[test]
fn bits_are_authenticated_in_both_directions_and_random() {
    for field in OtField::ALL {
        let mut sources = sources(field);
        let mut shares = no_shares();
        for count in [1, 1000, 20_000] {
            draw(&mut sources, count, &mut shares);
        }
        let [a, b] = &shares;
        let values = values(&sources, [&a.key, &b.key], [&a.mac, &b.mac]);
        let ones = values.iter().filter(|value| **value).count();
        assert!((9_500..11_500).contains(&ones), "{ones} ones of 21,001");
        // The own share is the colour bit of both labels.
        for shares in [a, b] {
            assert!(
                shares.key.iter().zip(shares.mac.iter()).all(|(k, m)| k.colour() == m.colour())
            );
            let ones = shares.mac.iter().filter(|mac| mac.colour()).count();
            assert!((9_500..11_500).contains(&ones), "{ones} ones of 21,001 shares");
        }
    }
}

#[test]
fn a_receiver_that_makes_other_choices_has_made_its_share() {
    let [mut a, mut b] = sources(OtField::Two);
    let [mut mine, mut theirs] = no_shares();
    let count = 1000;
    let mut to_b = Vec::new();
    a.draw(count, &mut mine, &mut to_b);
    // The evaluator chooses 1 everywhere, whatever its first column is.
    let mut message = Vec::new();
    let choices = vec![255; count.div_ceil(8)];
    b.receiver_for_tests().extend(&choices, count, &mut message, &mut theirs.mac).unwrap();
    a.complete(count, &message, &mut mine).unwrap();
    let delta = a.delta().label();
    for (key, mac) in mine.key.iter().zip(theirs.mac.iter()) {
        let key = *key ^ delta.masked(key.colour());
        // The key was 1 where the column was 0. It was cleared, and so its MAC is known too.
        let mac = *mac ^ Label::from_u128(u128::from(!mac.colour()));
        assert!(!key.colour() && mac == key ^ delta, "the share is 1, and has a MAC");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn opened_bits_need_their_macs(
        count in 1..300_usize,
        flip in any::<prop::sample::Index>(),
        number: Option<u128>,
    ) {
        let proof = number.map_or(Proof::Digest, universal);
        let mut sources = sources(OtField::Two);
        let mut shares = no_shares();
        draw(&mut sources, count, &mut shares);
        let [a, b] = &shares;
        let values = values(&sources, [&a.key, &b.key], [&a.mac, &b.mac]);
        let message = open(&b.mac, proof);
        prop_assert_eq!(message.len(), super::opening::message_bytes(count));
        let delta = sources[0].delta().label();
        let got = opened(&mut a.key.clone(), delta, &message, proof).unwrap();
        prop_assert!(got.iter().zip(&values).all(|(got, value)| (*got == 1) == *value));
        let flip = flip.index(count);
        let mut wrong = message.clone();
        wrong[flip / 8] ^= 1 << (flip % 8);
        prop_assert!(opened(&mut a.key.clone(), delta, &wrong, proof).is_none());
        wrong = message;
        *wrong.last_mut().unwrap() ^= 1;
        prop_assert!(opened(&mut a.key.clone(), delta, &wrong, proof).is_none());
    }

    #[test]
    fn packed_bits_keep_their_places(bits in prop::collection::vec(any::<bool>(), 0..70)) {
        let packed = pack(bits.iter().copied());
        prop_assert_eq!(packed.len(), bits.len().div_ceil(8));
        prop_assert!(bits.iter().enumerate().all(|(j, set)| bit(&packed, j) == *set));
    }

    #[test]
    fn buckets_multiply_the_masks(
        ands in 1..200_usize,
        layers in 2..6_usize,
        piece in 1..400_usize,
        block in 1..300_usize,
    ) {
        let mut sources = sources(OtField::Two);
        let shape = Shape { ands, layers, piece, block };
        let mut wires = no_shares();
        draw(&mut sources, 2 * ands, &mut wires);
        let mut window = window(&mut sources, shape, &wires);
        combine(&mut sources, shape, &mut window, [3; 32]);
        let [a, b] = &window.rows;
        let column = |rows: &Rows, i: usize| -> Vec<Label> { rows.iter().map(|row| row[i]).collect() };
        let read = |i| {
            let keys = [column(&a[0], i), column(&b[0], i)];
            let macs = [column(&a[1], i), column(&b[1], i)];
            values(&sources, [&keys[0], &keys[1]], [&macs[0], &macs[1]])
        };
        let [alpha, beta, product] = [read(0), read(1), read(2)];
        let fresh = {
            let [a, b] = &window.shares;
            let [k, l] = [&a.key[..ands], &b.key[..ands]];
            values(&sources, [k, l], [&a.mac[..ands], &b.mac[..ands]])
        };
        for g in 0..ands {
            prop_assert_eq!(product[g], fresh[g] ^ (alpha[g] & beta[g]), "AND {}", g);
        }
    }
}

/// A window of both parties before its buckets are drawn.
struct Window {
    shares: [Shares; 2],
    /// For each party its rows of keys and of MACs.
    rows: [[Vec<[Label; 3]>; 2]; 2],
    /// Each party's digest of the leaky ANDs.
    digests: [[u8; 32]; 2],
}

/// Makes the leaky ANDs of a window whose ANDs have the masks `wires` as inputs: first all first
/// inputs, then all second ones.
fn window(sources: &mut [BitSource; 2], shape: Shape, wires: &[Shares; 2]) -> Window {
    let mut shares = no_shares();
    draw(sources, shape.ands, &mut shares);
    let rows = [0, 1].map(|party: usize| {
        let rows = |wires: &[Label], fresh: &[Label]| -> Vec<[Label; 3]> {
            (0..shape.ands).map(|g| [wires[g], wires[shape.ands + g], fresh[g]]).collect()
        };
        let (wires, fresh) = (&wires[party], &shares[party]);
        [rows(&wires.key, &fresh.key), rows(&wires.mac, &fresh.mac)]
    });
    let mut hashes = PARTIES.map(|party| Hash::new(kernels::best(), party, 99));
    let mut digests = [0, 1].map(|_| LabelDigest::new("test"));
    for piece in shape.pieces() {
        draw(sources, shape.drawn(piece), &mut shares);
        if shape.is_first(piece) {
            for (shares, [keys, macs]) in shares.iter_mut().zip(&rows) {
                append_inputs(&mut shares.key, piece, keys);
                append_inputs(&mut shares.mac, piece, macs);
            }
        }
        assert!([&shares[0].key, &shares[1].mac].iter().all(|list| list.len() == piece.y().end));
        let mut l = [Labels::default(), Labels::default()];
        let mut messages = [Vec::new(), Vec::new()];
        for party in [0, 1] {
            let delta = sources[party].delta();
            let (l, message) = (&mut l[party], &mut messages[party]);
            hashes[party].send(&shares[party], piece, delta, l, message);
        }
        for party in [0, 1] {
            hashes[party].receive(&shares[party], piece, &mut l[party], &messages[1 - party]);
        }
        let d: Vec<bool> =
            l[0].iter().zip(&*l[1]).map(|(a, b)| correction(*a) ^ correction(*b)).collect();
        for party in [0, 1] {
            let delta = sources[party].delta().label();
            let compared = l[party].iter().zip(&d).map(|(l, d)| *l ^ delta.masked(*d));
            digests[party].add(compared);
            correct(piece, &mut shares[party], delta, &pack(d.iter().copied()));
        }
    }
    assert_eq!(shares[0].key.len(), shape.bits());
    Window { shares, rows, digests: digests.map(|digest| digest.finish()) }
}

/// A proof at a point of this number.
fn universal(number: u128) -> Proof {
    Proof::Universal { number, opener: Party::Evaluator, message: 3 }
}

/// Combines the buckets of a window.
fn combine(sources: &mut [BitSource; 2], shape: Shape, window: &mut Window, coin: [u8; 32]) {
    assert!(equal(&window.digests[0], &window.digests[1]));
    let shifts = shifts(shape, &mut Coins::new(&SESSION, &coin, &coin));
    let buckets = |labels| Buckets { shape, shifts: &shifts, labels };
    for block in shape.blocks() {
        let messages = [0, 1].map(|party: usize| {
            let mut macs = Labels::default();
            let (labels, rows) = (&window.shares[party].mac, &window.rows[party][1]);
            buckets(labels).open(block.clone(), rows, &mut macs);
            open(&macs, universal(5))
        });
        for party in [0, 1] {
            let Shares { key, mac } = &window.shares[party];
            let [keys, macs] = &mut window.rows[party];
            let mut labels = Labels::default();
            buckets(key).open(block.clone(), keys, &mut labels);
            let delta = sources[party].delta().label();
            let values = opened(&mut labels, delta, &messages[1 - party], universal(5)).unwrap();
            buckets(key).add_products(block.clone(), &values, keys);
            buckets(mac).add_products(block.clone(), &values, macs);
        }
    }
}

#[test]
fn commitments_bind_value_number_party_and_session() {
    let mut own = Commitments::new(&SESSION, Party::Garbler);
    let mut other = Commitments::new(&SESSION, Party::Evaluator);
    let (first, opening) = own.commit(b"value").unwrap();
    let (mine, own_opening) = other.commit(b"other").unwrap();
    assert_eq!(other.open(&first, &opening), Some(&b"value"[..]));
    assert_eq!(own.open(&mine, &own_opening), Some(&b"other"[..]));
    // A commitment sent back is not one of the peer.
    assert_eq!(own.open(&first, &opening), None);
    for byte in 0..opening.len() {
        let mut wrong = opening.to_vec();
        wrong[byte] ^= 1;
        assert_eq!(other.open(&first, &wrong), None, "byte {byte}");
    }
    let (second, opening) = own.commit(b"value").unwrap();
    assert_eq!(other.open(&second, &opening), None, "the evaluator has made one commitment");
    let mut elsewhere = Commitments::new(&SessionId([8; 32]), Party::Evaluator);
    elsewhere.commit(b"").unwrap();
    assert_eq!(elsewhere.open(&first, &opening), None);
}
