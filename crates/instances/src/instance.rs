//! What is public about an instance, and its digest.

use crate::job::Job;
use crate::seed::Secrets;
use halfgate_engine::Label;
use zeroize::Zeroize;

/// Version tag: the first bytes under the digest.
const TAG: &[u8] = b"halfgate instance 1\n";

/// What is public about an instance: what the garbler sends besides the tables, and hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// S, or K of the fixed-key suites, little endian.
    pub point: [u8; 16],
    /// The label of the public constant 0.
    pub constant: [u8; 16],
    /// Hash of all tables in program order.
    pub tables: [u8; 32],
    /// Hash of the colour bits of the false labels of outputs.
    pub outputs: [u8; 32],
    /// Hash of Δ and of the false labels of inputs. It hides them: Δ has at least 79 random bits.
    /// Who evaluates the instance cannot check it.
    pub secrets: [u8; 32],
}

impl Instance {
    /// The digest, which binds everything about the instance, and the program, suite and cycles.
    /// [`secrets`](Instance::secrets) is compared only if the instance is garbled again.
    pub fn digest(&self, job: &Job<'_>) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(TAG);
        job.hash_into(&mut hasher);
        hasher.update(&self.point);
        hasher.update(&self.constant);
        for part in [&self.tables, &self.outputs, &self.secrets] {
            hasher.update(part);
        }
        *hasher.finalize().as_bytes()
    }
}

/// Hashes the parts of an instance while it is garbled.
pub(crate) struct Hashes {
    tables: blake3::Hasher,
    outputs: blake3::Hasher,
    secrets: SecretHasher,
    /// For each output bit of the present cycle: the colour bit, or [`NOT_GIVEN`].
    colours: Vec<u8>,
    cycle: u64,
}

/// In place of the colour of an output bit that was not given in this cycle.
const NOT_GIVEN: u8 = 2;

/// Holds labels: wiped on drop, and not copied when it changes hands.
struct SecretHasher(Box<blake3::Hasher>);

impl Drop for SecretHasher {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Hashes {
    /// Its hashers have unused bytes, which take over what is on the stack: wipe it before.
    pub fn new() -> Hashes {
        Hashes {
            tables: blake3::Hasher::new(),
            outputs: blake3::Hasher::new(),
            secrets: SecretHasher(Box::new(blake3::Hasher::new())),
            colours: Vec::new(),
            cycle: 0,
        }
    }

    pub fn tables(&mut self, bytes: &[u8]) {
        self.tables.update(bytes);
    }

    /// Hashes Δ, before any label, or the false label of the next input bit.
    pub fn secret(&mut self, label: Label) {
        let mut bytes = label.to_bytes();
        self.secrets.0.update(&bytes);
        bytes.zeroize();
    }

    /// Takes output bits of a cycle, in any order. Cycles do not overlap.
    pub fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) {
        if cycle != self.cycle {
            self.end_cycle();
            self.cycle = cycle;
        }
        for (&bit, label) in bits.iter().zip(labels) {
            let place = bit as usize;
            if place >= self.colours.len() {
                self.colours.resize(place + 1, NOT_GIVEN);
            }
            self.colours[place] = u8::from(label.colour());
        }
    }

    /// Hashes the output bits of the present cycle, in their order.
    fn end_cycle(&mut self) {
        self.colours.retain(|&colour| colour != NOT_GIVEN);
        self.outputs.update(&self.colours);
        self.colours.clear();
    }

    pub fn finish(mut self, secrets: &Secrets) -> Instance {
        self.end_cycle();
        Instance {
            point: secrets.key.point.to_le_bytes(),
            constant: secrets.constant.to_bytes(),
            tables: *self.tables.finalize().as_bytes(),
            outputs: *self.outputs.finalize().as_bytes(),
            secrets: *self.secrets.0.finalize().as_bytes(),
        }
    }
}
