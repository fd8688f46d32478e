//! The reference: every suite, garbled and evaluated in one plain file. All kernels and machines
//! are tested against it.
//!
//! The code is neither fast nor constant time: secret bytes index the S-box, and colour bits choose
//! branches. Sessions never use it. Tests use it, and the conformance vectors in `spec/vectors`
//! come from it. It has no dependencies, so that it can be read and checked against the papers from
//! the first line to the last: labels are `u128`, and AES is written out below.
//!
//! Garbling follows Zahur, Rosulek and Evans, "Two Halves Make a Whole: Reducing Data Transfer in
//! Garbled Circuits using Half Gates" (EUROCRYPT 2015), figure 2, in the paper's letters, with the
//! table layout of the EMP toolkit. The other scheme is point and permute with one row reduced
//! (Naor, Pinkas and Sumner 1999) together with free XOR (Kolesnikov and Schneider 2008), as used
//! by Fang, Ioannidis and Leeser, and by Kulp.
//!
//! The file contains, in this order: suites, gates, a cycle of a circuit ([`garble`],
//! [`evaluate`]), one AND ([`garble_and`], [`evaluate_and`]), the hashes ([`Key::hash`],
//! [`Key::hash_pair`]), AES ([`Aes128`]), and SHA-1 ([`sha1`]).
//!
//! [`functions`] is a second file: circuits that call functions, and their flattening to gates.

pub mod functions;

// ------------------------------------------------------------------------------------- suites

/// A garbling scheme and a hash.
///
/// To add a suite of another scheme, change three places: this type; [`garble_and`] and
/// [`evaluate_and`], which treat a table as bytes and leave its layout to the scheme; and
/// [`Key::hash`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suite {
    /// `half-gates`: half gates, a new AES key for each input of each AND. The default.
    HalfGates,
    /// `half-gates-fixed-key`: half gates, one public key K for the whole run.
    HalfGatesFixedKey,
    /// `half-gates-fase`: fixed-key half gates without σ, as in the RTL of Hussain and Koushanfar.
    /// **Broken**: one table reveals Δ (`tests/it/fase_leaks_delta.rs` shows how). Only for
    /// comparison with that RTL.
    HalfGatesFase,
    /// `grr3-sha1`: three rows and SHA-1, labels of 80 bits, as Fang, Ioannidis and Leeser
    /// published it. **Weak**: 80 bits are too few today.
    Grr3Sha1,
    /// `grr3`: three rows under one public key K for the whole run, as Kulp published it.
    Grr3,
}

impl Suite {
    /// All suites.
    pub const ALL: [Suite; 5] = [
        Suite::HalfGates,
        Suite::HalfGatesFixedKey,
        Suite::HalfGatesFase,
        Suite::Grr3Sha1,
        Suite::Grr3,
    ];

    /// Name of the suite in files and handshakes.
    pub fn name(self) -> &'static str {
        match self {
            Suite::HalfGates => "half-gates",
            Suite::HalfGatesFixedKey => "half-gates-fixed-key",
            Suite::HalfGatesFase => "half-gates-fase",
            Suite::Grr3Sha1 => "grr3-sha1",
            Suite::Grr3 => "grr3",
        }
    }

    /// Returns the suite of that name.
    pub fn from_name(name: &str) -> Option<Suite> {
        Suite::ALL.into_iter().find(|suite| suite.name() == name)
    }

    /// Bytes of one AND's table.
    pub fn table_bytes(self) -> usize {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase => 32,
            Suite::Grr3Sha1 => 30,
            Suite::Grr3 => 48,
        }
    }

    /// Bits of a label, also of Δ. Higher bits are 0.
    pub fn label_bits(self) -> u32 {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase | Suite::Grr3 => 128,
            Suite::Grr3Sha1 => 80,
        }
    }

    /// Cuts a random number to the bits of the suite's labels.
    pub fn clip(self, random: u128) -> u128 {
        random & (u128::MAX >> (128 - self.label_bits()))
    }
}

/// The public randomness of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The suite.
    pub suite: Suite,
    /// The start point S (`half-gates`) or π's key K (the fixed-key suites, `grr3`). `grr3-sha1`
    /// has none.
    pub point: u128,
}

// -------------------------------------------------------------------------------------- gates

/// One gate. Wires are indices into a list of labels; the circuit's inputs come first in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "a, b: input wires; out: the wire driven; invert: of which value")]
pub enum Gate {
    /// `out = a ^ b ^ invert`. Free.
    Xor { a: usize, b: usize, out: usize, invert: bool },
    /// `out = ((a ^ invert_a) & (b ^ invert_b)) ^ invert_out`. One table.
    And { a: usize, b: usize, out: usize, invert_a: bool, invert_b: bool, invert_out: bool },
    /// `out = a ^ invert`. Free.
    Copy { a: usize, out: usize, invert: bool },
}

impl Gate {
    /// The wire that the gate drives.
    pub fn out(self) -> usize {
        match self {
            Gate::Xor { out, .. } | Gate::And { out, .. } | Gate::Copy { out, .. } => out,
        }
    }

    /// Computes the gate's value from the values of wires.
    pub fn clear(self, value: &[bool]) -> bool {
        match self {
            Gate::Xor { a, b, invert, .. } => value[a] ^ value[b] ^ invert,
            Gate::And { a, b, invert_a, invert_b, invert_out, .. } => {
                ((value[a] ^ invert_a) & (value[b] ^ invert_b)) ^ invert_out
            }
            Gate::Copy { a, invert, .. } => value[a] ^ invert,
        }
    }
}

// ------------------------------------------------------------------------ a cycle of a circuit

/// The position of one run of the body in a sequential circuit's run. `Cycle::default()` is the
/// first.
///
/// A sequential circuit is garbled by garbling the body once per cycle. The labels of the
/// flip-flops' next values are inputs of the following cycle, and [`Cycle::next`] is its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cycle {
    /// The number of the cycle, from 0.
    pub number: u64,
    /// Number of ANDs in all earlier cycles, which is the number of this cycle's first AND.
    pub first_and: u64,
}

impl Cycle {
    /// Returns the next cycle, for a body of these gates.
    pub fn next(self, gates: &[Gate]) -> Cycle {
        let ands = gates.iter().filter(|gate| matches!(gate, Gate::And { .. })).count() as u64;
        Cycle { number: self.number + 1, first_and: self.first_and + ands }
    }
}

/// The result of garbling a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Garbled {
    /// One table of [`Suite::table_bytes`] bytes for each AND, in order.
    pub tables: Vec<Vec<u8>>,
    /// The false label of every wire, inputs first; 0 for a wire that no gate drives.
    pub false_labels: Vec<u128>,
}

/// Garbles a body once: `inputs` are the false labels of the first wires.
///
/// # Panics
/// If Δ's colour bit is not set, Δ or an input has more bits than the suite's labels, or a gate
/// names a wire beyond the inputs and the gates' outputs.
pub fn garble(key: Key, delta: u128, cycle: Cycle, gates: &[Gate], inputs: &[u128]) -> Garbled {
    assert!(colour(delta), "the colour bit of Δ must be set");
    let fits = |label: u128| key.suite.clip(label) == label;
    assert!(fits(delta) && inputs.iter().all(|&label| fits(label)), "a label is too long");
    let mut w = space_for_outputs(inputs, gates);
    let mut tables = Vec::new();
    // Offset of the false label if a value is inverted.
    let inv = |invert: bool| if invert { delta } else { 0 };
    for (position, &gate) in gates.iter().enumerate() {
        match gate {
            Gate::Xor { a, b, out, invert } => w[out] = w[a] ^ w[b] ^ inv(invert),
            Gate::Copy { a, out, invert } => w[out] = w[a] ^ inv(invert),
            Gate::And { a, b, out, invert_a, invert_b, invert_out } => {
                let place = Place::of(cycle, tables.len(), position);
                let (a0, b0) = (w[a] ^ inv(invert_a), w[b] ^ inv(invert_b));
                let (c0, table) = garble_and(key, delta, place, a0, b0);
                w[out] = c0 ^ inv(invert_out);
                tables.push(table);
            }
        }
    }
    Garbled { tables, false_labels: w }
}

/// Evaluates a body once. `inputs` are the active labels of the first wires; the result holds the
/// active label of every wire. Inversions concern only the garbler.
///
/// # Panics
/// If there are fewer tables than ANDs, a table does not have the suite's size, or a gate names a
/// wire beyond the inputs and the gates' outputs.
pub fn evaluate(
    key: Key,
    cycle: Cycle,
    gates: &[Gate],
    tables: &[Vec<u8>],
    inputs: &[u128],
) -> Vec<u128> {
    let mut w = space_for_outputs(inputs, gates);
    let mut ands = 0;
    for (position, &gate) in gates.iter().enumerate() {
        match gate {
            Gate::Xor { a, b, out, .. } => w[out] = w[a] ^ w[b],
            Gate::Copy { a, out, .. } => w[out] = w[a],
            Gate::And { a, b, out, .. } => {
                let place = Place::of(cycle, ands, position);
                w[out] = evaluate_and(key, place, &tables[ands], w[a], w[b]);
                ands += 1;
            }
        }
    }
    w
}

fn space_for_outputs(inputs: &[u128], gates: &[Gate]) -> Vec<u128> {
    let wires = gates.iter().map(|gate| gate.out() + 1).max().unwrap_or(0).max(inputs.len());
    let mut labels = inputs.to_vec();
    labels.resize(wires, 0);
    labels
}

// ------------------------------------------------------------------------------------ one AND

/// Identifies an AND of a run. The tweaks of its hashes come from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the AND in the run, counting only ANDs, through all cycles.
    pub and: u64,
    /// Number of the cycle.
    pub cycle: u64,
    /// Position of the AND in the body, counting gates of every kind, from 0 in each cycle.
    pub gate: u64,
}

impl Place {
    /// Returns the place of the AND that is number `and` among the ANDs of `cycle`, and number
    /// `gate` among its gates.
    pub fn of(cycle: Cycle, and: usize, gate: usize) -> Place {
        Place { and: cycle.first_and + and as u64, cycle: cycle.number, gate: gate as u64 }
    }
}

/// Garbles one AND. From the false labels of its inputs, returns the false label of its output and
/// the table. The table of half gates is TG, then TE, each 16 bytes, little endian. The table of
/// `grr3-sha1` and `grr3` is the rows of the colours 01, 10 and 11, each 10 or 16 bytes.
pub fn garble_and(key: Key, delta: u128, place: Place, a0: u128, b0: u128) -> (u128, Vec<u8>) {
    match key.suite {
        Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase => {
            let h = |x, half| key.hash(x, place, half);
            let (a1, b1) = (a0 ^ delta, b0 ^ delta);
            let (pa, pb) = (colour(a0), colour(b0));
            // Garbler half gate: the garbler knows pb.
            let tg = h(a0, 0) ^ h(a1, 0) ^ when(pb, delta);
            let wg0 = h(a0, 0) ^ when(pa, tg);
            // Evaluator half gate: the evaluator knows the value of b, masked by pb.
            let te = h(b0, 1) ^ h(b1, 1) ^ a0;
            let we0 = h(b0, 1) ^ when(pb, te ^ a0);
            (wg0 ^ we0, [tg.to_le_bytes(), te.to_le_bytes()].concat())
        }
        Suite::Grr3Sha1 | Suite::Grr3 => {
            let (pa, pb) = (colour(a0), colour(b0));
            // Row (i, j) belongs to the labels A and B with these colours, which carry the values
            // pa ^ i and pb ^ j.
            let h = |i, j| key.hash_pair(a0 ^ when(pa ^ i, delta), b0 ^ when(pb ^ j, delta), place);
            let value = |i, j| (pa ^ i) & (pb ^ j);
            // Row (0, 0) is all zeros and is not sent. So the hash H(0,0) is the output label for
            // the value of row (0, 0).
            let c0 = h(false, false) ^ when(value(false, false), delta);
            let row = |(i, j)| h(i, j) ^ c0 ^ when(value(i, j), delta);
            let rows = [(false, true), (true, false), (true, true)].map(row);
            let bytes = key.suite.label_bits() as usize / 8;
            (c0, rows.iter().flat_map(|row| row.to_le_bytes()[..bytes].to_vec()).collect())
        }
    }
}

/// Evaluates one AND. From the active labels of its inputs and the table, returns the active label
/// of its output.
///
/// # Panics
/// If the table does not have the suite's size.
pub fn evaluate_and(key: Key, place: Place, table: &[u8], a: u128, b: u128) -> u128 {
    assert_eq!(table.len(), key.suite.table_bytes(), "bytes of a table");
    match key.suite {
        Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase => {
            let (tg, te) = (from_le(&table[..16]), from_le(&table[16..]));
            let (sa, sb) = (colour(a), colour(b));
            let wg = key.hash(a, place, 0) ^ when(sa, tg);
            let we = key.hash(b, place, 1) ^ when(sb, te ^ a);
            wg ^ we
        }
        Suite::Grr3Sha1 | Suite::Grr3 => {
            let row = 2 * usize::from(colour(a)) + usize::from(colour(b));
            let (hash, bytes) = (key.hash_pair(a, b, place), key.suite.label_bits() as usize / 8);
            if row == 0 { hash } else { hash ^ from_le(&table[bytes * (row - 1)..][..bytes]) }
        }
    }
}

/// The colour (permute) bit of a label: `lsb` in the paper.
pub fn colour(label: u128) -> bool {
    label & 1 == 1
}

fn when(condition: bool, x: u128) -> u128 {
    if condition { x } else { 0 }
}

fn from_le(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |label, &byte| label << 8 | u128::from(byte))
}

// ----------------------------------------------------------------------------------- the hashes

impl Key {
    /// Hashes label `x` for the AND at `place`, in the garbler half (`half` 0) or the evaluator
    /// half (1).
    pub fn hash(self, x: u128, place: Place, half: u64) -> u128 {
        let aes = |key: u128, block: u128| Aes128::new(key).encrypt(block);
        match self.suite {
            Suite::HalfGates => {
                let k = self.point ^ ((2 * u128::from(place.and) + u128::from(half)) << 64);
                aes(k, sigma(x)) ^ sigma(x)
            }
            Suite::HalfGatesFixedKey => {
                let y = sigma(x) ^ position_tweak(place, half);
                aes(self.point, y) ^ y
            }
            Suite::HalfGatesFase => {
                let y = x ^ position_tweak(place, half);
                aes(self.point, y) ^ y
            }
            Suite::Grr3Sha1 | Suite::Grr3 => panic!("this suite hashes labels in pairs"),
        }
    }

    /// Hashes the labels of both inputs of the AND at `place`. `grr3-sha1`: the first 80 bits of
    /// SHA-1(A‖B‖T), where T is the AND's number in the run; labels are 10 bytes and T is 8, all
    /// little endian. `grr3`: π(x) ^ x with x = 2A ^ 4B ^ T, and T as in the fixed-key suites
    /// (Bellare, Hoang, Keelveedhi and Rogaway, "Efficient Garbling from a Fixed-Key Blockcipher",
    /// 2013).
    pub fn hash_pair(self, a: u128, b: u128, place: Place) -> u128 {
        match self.suite {
            Suite::Grr3Sha1 => {
                let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
                let message = [&a[..10], &b[..10], &place.and.to_le_bytes()].concat();
                from_le(&sha1(&message)[..10])
            }
            Suite::Grr3 => {
                let x = double(a) ^ double(double(b)) ^ position_tweak(place, 0);
                Aes128::new(self.point).encrypt(x) ^ x
            }
            _ => panic!("this suite hashes labels one by one"),
        }
    }
}

/// Computes 2x in GF(2^128) modulo z^128 + z^7 + z^2 + z + 1, where bit i is the coefficient of
/// z^i.
pub fn double(x: u128) -> u128 {
    x << 1 ^ when(x >> 127 == 1, 0x87)
}

/// Computes `σ(hi‖lo) = (hi^lo)‖hi`. It is linear, and so is `x ↦ σ(x) ^ x`; both are one to one
/// (Guo, Katz, Wang and Yu, "Efficient and Secure Multiparty Computation from Fixed-Key Block
/// Ciphers", 2020).
pub fn sigma(x: u128) -> u128 {
    let (hi, lo) = (x >> 64, x & u128::from(u64::MAX));
    (hi ^ lo) << 64 | hi
}

/// The tweak T of the fixed-key suites.
pub fn position_tweak(place: Place, half: u64) -> u128 {
    u128::from(place.cycle) << 64 | (2 * u128::from(place.gate) + u128::from(half))
}

// ------------------------------------------------------------------------------ AES-128 (FIPS 197)

/// AES-128 under one key. Keys and blocks are integers of 16 little-endian bytes.
pub struct Aes128 {
    round_keys: [[u8; 16]; 11],
}

impl Aes128 {
    /// Expands `key` (FIPS 197, section 5.2).
    pub fn new(key: u128) -> Aes128 {
        let mut round_keys = [key.to_le_bytes(); 11];
        let mut rcon = 1;
        for round in 1..11 {
            let before = round_keys[round - 1];
            let mut word = [before[13], before[14], before[15], before[12]].map(substitute);
            word[0] ^= rcon;
            rcon = times_x(rcon);
            for i in 0..16 {
                word[i % 4] ^= before[i];
                round_keys[round][i] = word[i % 4];
            }
        }
        Aes128 { round_keys }
    }

    /// The cipher (section 5.1). Byte `4c + r` of the block is row `r`, column `c` of the state.
    pub fn encrypt(&self, block: u128) -> u128 {
        let mut state = add(block.to_le_bytes(), &self.round_keys[0]);
        for round in 1..11 {
            let shifted = |i: usize| state[(i + 4 * (i % 4)) % 16];
            state = std::array::from_fn(|i| substitute(shifted(i)));
            if round < 10 {
                state = mix_columns(state, [2, 3, 1, 1]);
            }
            state = add(state, &self.round_keys[round]);
        }
        u128::from_le_bytes(state)
    }

    /// The inverse cipher (section 5.3). No suite needs it; the attack on `half-gates-fase` does.
    pub fn decrypt(&self, block: u128) -> u128 {
        let mut state = block.to_le_bytes();
        for round in (1..11).rev() {
            state = add(state, &self.round_keys[round]);
            if round < 10 {
                state = mix_columns(state, [14, 11, 13, 9]);
            }
            let unshifted = |i: usize| state[(i + 16 - 4 * (i % 4)) % 16];
            state = std::array::from_fn(|i| INVERSE_S_BOX[unshifted(i) as usize]);
        }
        u128::from_le_bytes(add(state, &self.round_keys[0]))
    }
}

fn add(state: [u8; 16], round_key: &[u8; 16]) -> [u8; 16] {
    std::array::from_fn(|i| state[i] ^ round_key[i])
}

/// Multiplies each column by the circulant matrix whose first row is `row`.
fn mix_columns(state: [u8; 16], row: [u8; 4]) -> [u8; 16] {
    std::array::from_fn(|i| {
        let (column, r) = (i / 4 * 4, i % 4);
        (0..4).fold(0, |sum, j| sum ^ times(state[column + j], row[(j + 4 - r) % 4]))
    })
}

fn substitute(byte: u8) -> u8 {
    S_BOX[byte as usize]
}

const S_BOX: [u8; 256] = s_box();
const INVERSE_S_BOX: [u8; 256] = inverse_permutation(&S_BOX);

/// The S-box from its definition (section 5.1.1): the inverse in GF(2^8), then an affine map.
const fn s_box() -> [u8; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let y = inverse(x as u8);
        let spread = y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4);
        table[x] = spread ^ 0x63;
        x += 1;
    }
    table
}

const fn inverse_permutation(table: &[u8; 256]) -> [u8; 256] {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[table[x] as usize] = x as u8;
        x += 1;
    }
    inverse
}

/// `x^254`, which is `1/x` in GF(2^8), and 0 for 0.
const fn inverse(x: u8) -> u8 {
    let mut product = 1;
    let mut i = 0;
    while i < 254 {
        product = times(product, x);
        i += 1;
    }
    product
}

/// The product in GF(2^8) modulo `x^8 + x^4 + x^3 + x + 1`.
const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = times_x(a);
        b >>= 1;
    }
    product
}

const fn times_x(a: u8) -> u8 {
    (a << 1) ^ if a & 0x80 != 0 { 0x1b } else { 0 }
}

// ------------------------------------------------------------------------------ SHA-1 (FIPS 180-4)

/// The SHA-1 digest of a message (FIPS 180-4, section 6.1).
pub fn sha1(message: &[u8]) -> [u8; 20] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * message.len() as u64).to_be_bytes());

    let mut hash: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("a word is 4 bytes")))
            .collect();
        for t in 16..80 {
            w.push((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = hash;
        for (t, &word) in w.iter().enumerate() {
            let (f, k) = match t / 20 {
                0 => ((b & c) ^ (!b & d), 0x5a827999),
                1 => (b ^ c ^ d, 0x6ed9eba1),
                2 => ((b & c) ^ (b & d) ^ (c & d), 0x8f1bbcdc),
                _ => (b ^ c ^ d, 0xca62c1d6_u32),
            };
            let sum = a.rotate_left(5).wrapping_add(f).wrapping_add(e);
            let next = sum.wrapping_add(k).wrapping_add(word);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (sum, word) in hash.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(word);
        }
    }
    let mut digest = [0; 20];
    for (bytes, word) in digest.chunks_mut(4).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}
