//! A party that cheats where only its secrets let it: in leaky ANDs, openings and buckets.

use super::*;
use crate::correlations::leaky::{G_BYTES, Piece};
use crate::session::tests::cheating::{assert_rate, tolerance};
use crate::universal::Universal;
use halfgate_engine::Delta;

/// How a party makes its leaky ANDs.
#[derive(Default)]
struct Cheat {
    /// The party's place in [`PARTIES`].
    party: usize,
    /// What it XORs into each G.
    g: Vec<Label>,
    /// For each AND whether it guesses that the peer's share of x is 1.
    guesses: Vec<bool>,
    /// What it XORs into Δ where it computes G.
    delta_of_g: Label,
    /// What it XORs into Δ where it compares, and where it adds d to z.
    delta_of_d: Label,
    /// Whether it flips its bits of d.
    flips_d: bool,
}

/// Leaky ANDs of both parties.
struct Made {
    shares: [Shares; 2],
    /// For each AND whether both parties' comparisons agree.
    agrees: Vec<bool>,
    piece: Piece,
}

fn make(sources: &mut [BitSource; 2], count: usize, cheat: &Cheat) -> Made {
    let mut shares = no_shares();
    draw(sources, 3 * count, &mut shares);
    let piece = Piece { first: 0, count, start: 0 };
    let mut hashes = PARTIES.map(|party| Hash::new(kernels::best(), party, 5));
    let mut l = [Labels::default(), Labels::default()];
    let mut messages = [Vec::new(), Vec::new()];
    let deltas = [0, 1].map(|party: usize| sources[party].delta().label());
    let used = |party: usize, error: Label| match party == cheat.party {
        true => Delta::new(deltas[party] ^ error),
        false => Delta::new(deltas[party]),
    };
    let of_g = [0, 1].map(|party| used(party, cheat.delta_of_g));
    for party in [0, 1] {
        let (l, message) = (&mut l[party], &mut messages[party]);
        hashes[party].send(&shares[party], piece, &of_g[party], l, message);
    }
    for (g, error) in messages[cheat.party].as_chunks_mut::<G_BYTES>().0.iter_mut().zip(&cheat.g) {
        *g = (Label::from_bytes(*g) ^ *error).to_bytes();
    }
    for party in [0, 1] {
        hashes[party].receive(&shares[party], piece, &mut l[party], &messages[1 - party]);
    }
    for (l, (error, guess)) in l[cheat.party].iter_mut().zip(cheat.g.iter().zip(&cheat.guesses)) {
        *l ^= error.masked(*guess);
    }
    let bit = |(a, b): (&Label, &Label)| correction(*a) ^ correction(*b) ^ cheat.flips_d;
    let d: Vec<bool> = l[0].iter().zip(&*l[1]).map(bit).collect();
    let offsets = [0, 1].map(|party| used(party, cheat.delta_of_d).label());
    for (shares, offset) in shares.iter_mut().zip(offsets) {
        let z = &mut shares.key[piece.z()];
        z.iter_mut().zip(&d).for_each(|(key, d)| *key ^= offset.masked(*d));
    }
    let compared = |j: usize| [0, 1].map(|party| l[party][j] ^ offsets[party].masked(d[j]));
    let agrees = (0..count).map(|j| compared(j)[0] == compared(j)[1]).collect();
    Made { shares, agrees, piece }
}

/// The share of each x of the party that is not `cheater`.
fn shares_of_x(made: &Made, cheater: usize) -> Vec<bool> {
    made.shares[1 - cheater].mac[made.piece.x()].iter().map(|mac| mac.colour()).collect()
}

/// Checks that ANDs for which the comparison agrees are ANDs.
fn check_products(sources: &[BitSource; 2], made: &Made) {
    let piece = made.piece;
    let [a, b] = &made.shares;
    let bits = values(sources, [&a.key, &b.key], [&a.mac, &b.mac]);
    let [x, y, z] = [piece.x(), piece.y(), piece.z()].map(|places| &bits[places]);
    for j in (0..piece.count).filter(|j| made.agrees[*j]) {
        assert_eq!(z[j], x[j] & y[j], "AND {j}");
    }
}

const TRIES: usize = 1000;

fn random_labels() -> Vec<Label> {
    (0..TRIES).map(|_| random_label()).collect()
}

fn count(bits: &[bool]) -> usize {
    bits.iter().filter(|bit| **bit).count()
}

#[test]
fn honest_leaky_ands_agree() {
    let mut sources = sources(OtField::Two);
    let made = make(&mut sources, TRIES, &Cheat::default());
    assert_eq!(count(&made.agrees), TRIES);
    check_products(&sources, &made);
}

/// Whatever the guess, the comparison agrees if and only if it is right.
#[test]
fn a_wrong_g_is_caught_half_the_time_and_tells_a_share() {
    let mut sources = sources(OtField::Two);
    let guessed: Vec<bool> = random_labels().iter().map(|label| label.colour()).collect();
    let guesses = [vec![false; TRIES], vec![true; TRIES], guessed];
    for (party, guesses) in [0, 1].iter().flat_map(|party| guesses.iter().map(|g| (*party, g))) {
        let (g, guesses) = (random_labels(), guesses.clone());
        let cheat = Cheat { party, g, guesses: guesses.clone(), ..Cheat::default() };
        let made = make(&mut sources, TRIES, &cheat);
        for (j, share) in shares_of_x(&made, party).into_iter().enumerate() {
            assert_eq!(made.agrees[j], share == guesses[j], "AND {j}");
        }
        assert_rate(count(&made.agrees), TRIES, 0.5, "right guesses");
        check_products(&sources, &made);
    }
}

#[test]
fn a_wrong_correction_is_always_caught() {
    let mut sources = sources(OtField::Two);
    for party in [0, 1] {
        let cheat = Cheat { party, flips_d: true, ..Cheat::default() };
        assert_eq!(count(&make(&mut sources, TRIES, &cheat).agrees), 0);
        let (g, guesses) = (random_labels(), vec![true; TRIES]);
        let cheat = Cheat { party, g, guesses, flips_d: true, ..Cheat::default() };
        assert_eq!(count(&make(&mut sources, TRIES, &cheat).agrees), 0);
    }
}

/// Another Δ in G is caught whenever x is 1, and another one in the comparison whenever d is 1.
#[test]
fn another_offset_is_caught_half_the_time_in_each_and() {
    let mut sources = sources(OtField::Two);
    let other = Label::from_u128(1 << 90);
    for party in [0, 1] {
        let cheat = Cheat { party, delta_of_g: other, ..Cheat::default() };
        let made = make(&mut sources, TRIES, &cheat);
        let both = [0, 1].map(|cheater| shares_of_x(&made, cheater));
        for (j, agrees) in made.agrees.iter().enumerate() {
            assert_eq!(*agrees, both[0][j] == both[1][j], "AND {j}");
        }
        assert_rate(count(&made.agrees), TRIES, 0.5, "ANDs of another offset");
        check_products(&sources, &made);
        let cheat = Cheat { party, delta_of_d: other, ..Cheat::default() };
        let made = make(&mut sources, TRIES, &cheat);
        assert_rate(count(&made.agrees), TRIES, 0.5, "corrections of another offset");
    }
}

/// The MAC of another bit, of either value, does not open a flipped share.
#[test]
fn a_share_needs_its_own_mac() {
    let mut sources = sources(OtField::Two);
    let mut shares = no_shares();
    draw(&mut sources, TRIES, &mut shares);
    let [a, b] = &shares;
    let delta = sources[0].delta().label();
    for j in 0..50 {
        let wrong = b.mac.iter().position(|mac| mac.colour() != b.mac[j].colour()).unwrap();
        let mut macs = b.mac.to_vec();
        macs[j] = b.mac[wrong];
        for proof in [Proof::Digest, universal(7)] {
            assert!(opened(&mut a.key.clone(), delta, &open(&macs, proof), proof).is_none());
        }
    }
    // Two bits of one window in each other's place.
    let mut macs = b.mac.to_vec();
    macs.swap(0, 1);
    for proof in [Proof::Digest, universal(7)] {
        assert!(opened(&mut a.key.clone(), delta, &open(&macs, proof), proof).is_none());
    }
}

/// A receiver of transfers chooses its shares. If it knows the point before, it chooses them such
/// that wrong ones pass. So the point depends on a number that is drawn later, or all MACs are
/// hashed.
#[test]
fn shares_that_are_chosen_for_a_point_do_not_pass_at_another() {
    const COUNT: usize = 130;
    let delta = random_label().to_u128() | 1;
    let sent: Vec<bool> = (0..COUNT).map(|_| random_label().colour()).collect();
    let keys: Vec<u128> = (0..COUNT).map(|_| random_label().to_u128() & !1).collect();
    let labels = |values: &dyn Fn(usize) -> u128| -> Vec<Label> {
        (0..COUNT).map(|j| Label::from_u128(values(j))).collect()
    };
    let known = universal(1);
    // What the proof at the known point is of the unit vectors of errors, and of none.
    let hash = |macs: &[Label]| {
        let point = known.point(&pack(sent.iter().copied())).unwrap();
        let mut hash = Universal::new(point);
        hash.add(macs);
        u128::from_le_bytes(*hash.finish())
    };
    let powers: Vec<u128> = (0..COUNT).map(|j| hash(&labels(&|i| (i == j) as u128))).collect();
    let wrong = dependent(&powers);
    assert!(wrong.iter().any(|set| *set));
    let macs = |j: usize| if sent[j] ^ wrong[j] { keys[j] ^ delta } else { keys[j] };
    for (proof, passes) in [(known, true), (universal(2), false), (Proof::Digest, false)] {
        let mut message = pack(sent.iter().copied());
        let proven = proof.of(&labels(&macs), &message);
        message.extend_from_slice(&proven);
        let mut keys = labels(&|j| keys[j]);
        let opened = opened(&mut keys, Label::from_u128(delta), &message, proof);
        assert_eq!(opened.is_some(), passes);
    }
}

/// A set of numbers, not empty, whose sum is zero.
fn dependent(numbers: &[u128]) -> Vec<bool> {
    let mut basis: Vec<(u128, Vec<bool>)> = Vec::new();
    for (j, number) in numbers.iter().enumerate() {
        let mut set = vec![false; numbers.len()];
        set[j] = true;
        let mut rest = *number;
        for (element, of) in &basis {
            if rest ^ element < rest {
                rest ^= element;
                set.iter_mut().zip(of).for_each(|(set, of)| *set ^= of);
            }
        }
        if rest == 0 {
            return set;
        }
        basis.push((rest, set));
        basis.sort_by_key(|(element, _)| std::cmp::Reverse(*element));
    }
    panic!("independent numbers")
}

/// Marks the x of each leaky AND in which a party cheats, and returns how many buckets consist of
/// them. The label of an AND of layer i has bit i.
fn leaky_buckets(shape: Shape, cheats: &[usize], coins: &mut Coins) -> usize {
    let mut labels = vec![Label::ZERO; shape.bits()];
    for (layer, cheats) in cheats.iter().enumerate() {
        for leaky in layer * shape.ands..layer * shape.ands + cheats {
            let piece = shape.piece_of(leaky);
            labels[piece.x().start + leaky - piece.first] = Label::from_u128(1 << layer);
        }
    }
    let shifts = shifts(shape, coins);
    let rows = vec![[Label::ZERO; 3]; shape.ands];
    let mut opened = Labels::default();
    Buckets { shape, shifts: &shifts, labels: &labels }.open(0..shape.ands, &rows, &mut opened);
    let e = &opened[(shape.layers - 1) * shape.ands..];
    e.iter().filter(|label| label.to_u128() == (1 << shape.layers) - 1).count()
}

fn random_coins() -> Coins {
    let [a, b] = [random_label(), random_label()].map(|label| label.to_bytes());
    Coins::new(&SESSION, &a, &b)
}

/// c_0·c_1·…·N^-(B-1) buckets leak.
#[test]
fn buckets_leak_as_often_as_the_formula_says() {
    let cases: [(usize, &[usize]); 6] =
        [(4, &[1, 1]), (4, &[2, 2]), (4, &[1, 3]), (3, &[1, 1, 1]), (3, &[2, 1, 2]), (8, &[3, 2])];
    for (ands, cheats) in cases {
        let shape = Shape { ands, layers: cheats.len(), piece: 3, block: ands };
        let tries = 20_000;
        let leaks: usize =
            (0..tries).map(|_| leaky_buckets(shape, cheats, &mut random_coins())).sum();
        let product: usize = cheats.iter().product();
        let expected = product as f64 / (ands as f64).powi(cheats.len() as i32 - 1);
        // At most `least` buckets leak in a try: tries of events that are `least` times as rare.
        let least = *cheats.iter().min().unwrap();
        let most = least as f64 * tolerance(tries, (expected / least as f64).min(1.0));
        let off = (leaks as f64 - tries as f64 * expected).abs();
        assert!(off <= most, "{ands} {cheats:?}: {leaks} in {tries} tries, not {expected} each");
    }
}

/// The whole attack on windows of N = 4 and B = 2: the garbler cheats in one AND of each layer. It
/// has to guess both shares, and then needs luck with the shift.
#[test]
fn guesses_and_buckets_together_bound_the_leak() {
    let mut sources = sources(OtField::Two);
    let shape = Shape { ands: 4, layers: 2, piece: 8, block: 8 };
    let tries = 3000;
    let (mut survived, mut leaked) = (0, 0);
    for _ in 0..tries {
        let mut cheat = Cheat { g: vec![Label::ZERO; shape.leaky()], ..Cheat::default() };
        let [first, second] = [0, 1].map(|layer| layer * shape.ands);
        cheat.g[first] = random_label();
        cheat.g[second] = random_label();
        let guess = random_label().to_u128();
        cheat.guesses = (0..shape.leaky()).map(|j| guess >> j & 1 == 1).collect();
        let made = make(&mut sources, shape.leaky(), &cheat);
        if made.agrees.iter().all(|agrees| *agrees) {
            survived += 1;
            leaked += leaky_buckets(shape, &[1, 1], &mut random_coins());
        }
    }
    assert_rate(survived, tries, 0.25, "windows that survive");
    assert_rate(leaked, tries, 0.25 / 4.0, "windows that survive and leak");
}

/// Neither party alone determines a shift: with the other's coins fixed, all shifts occur equally
/// often.
#[test]
fn shifts_depend_on_the_coins_of_both_parties() {
    let shape = Shape { ands: 4, layers: 3, piece: 8, block: 8 };
    let tries = 4000;
    for party in PARTIES {
        let mut counts = [[0; 4]; 2];
        for _ in 0..tries {
            let (fixed, random) = ([9; 32], [random_label().to_bytes(); 2].concat());
            let mut coins = match party {
                Party::Garbler => Coins::new(&SESSION, &random, &fixed),
                Party::Evaluator => Coins::new(&SESSION, &fixed, &random),
            };
            for (layer, shift) in shifts(shape, &mut coins).into_iter().enumerate() {
                counts[layer][shift] += 1;
            }
        }
        for count in counts.into_iter().flatten() {
            assert_rate(count, tries, 0.25, "a shift");
        }
    }
}
