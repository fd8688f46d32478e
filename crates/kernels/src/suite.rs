//! Suites: a garbling scheme and a hash under one name.

use crate::label::Label;
use std::fmt;
use std::str::FromStr;

/// A garbling scheme and its hash. Its name is part of every handshake and file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Suite {
    /// Half gates, re-keyed: `H(x,k) = AES_k(σ(x)) ^ σ(x)`. The default.
    HalfGates,
    /// Half gates under one key: `H(x,T) = π(σ(x)^T) ^ σ(x) ^ T`. Two published accelerators run
    /// it.
    HalfGatesFixedKey,
    /// Half gates with the hash of Hussain and Koushanfar's RTL (2019), `H(x,T) = π(x^T) ^ x ^ T`.
    /// **Broken**: one table reveals Δ. For comparison with that RTL only; sessions refuse it.
    HalfGatesFase,
    /// Point and permute with three rows under SHA-1 and labels of 80 bits, as Fang, Ioannidis and
    /// Leeser published. **Weak**: sessions require `--insecure-suite` for it.
    Grr3Sha1,
    /// Point and permute with three rows under one key, as Kulp published.
    Grr3,
}

/// Security level of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Suitable for sessions.
    Sound,
    /// Below today's level: only for sessions that explicitly allow it.
    Weak,
    /// Reveals secrets: not allowed in any session.
    Broken,
}

/// For fixed-key suites: most hashes under one key that the evaluator does not know.
const MAX_HASHES_OF_A_KEY: u64 = 1 << 40;

impl Suite {
    /// All suites.
    pub const ALL: [Suite; 5] = [
        Suite::HalfGates,
        Suite::HalfGatesFixedKey,
        Suite::HalfGatesFase,
        Suite::Grr3Sha1,
        Suite::Grr3,
    ];

    /// The suite's name.
    pub const fn name(self) -> &'static str {
        match self {
            Suite::HalfGates => "half-gates",
            Suite::HalfGatesFixedKey => "half-gates-fixed-key",
            Suite::HalfGatesFase => "half-gates-fase",
            Suite::Grr3Sha1 => "grr3-sha1",
            Suite::Grr3 => "grr3",
        }
    }

    /// Bytes of one AND's table.
    pub const fn table_bytes(self) -> usize {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase => 32,
            Suite::Grr3Sha1 | Suite::Grr3 => 3 * self.label_bits() as usize / 8,
        }
    }

    /// Bits of a label, and of Δ. The bits above are 0.
    pub const fn label_bits(self) -> u32 {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase | Suite::Grr3 => 128,
            Suite::Grr3Sha1 => 80,
        }
    }

    /// Makes a label of the suite from a random one by keeping its lowest bits.
    #[inline]
    pub const fn clip(self, random: Label) -> Label {
        Label::from_u128(random.to_u128() & (u128::MAX >> (128 - self.label_bits())))
    }

    /// The suite's security level, which decides whether sessions allow it.
    pub const fn strength(self) -> Strength {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::Grr3 => Strength::Sound,
            Suite::Grr3Sha1 => Strength::Weak,
            Suite::HalfGatesFase => Strength::Broken,
        }
    }

    /// Most ANDs under one key; `None` if each key is used for one AND only. A key is drawn for
    /// each run, so this bounds a run. `spec/suites.md` derives the numbers: the hash of a
    /// fixed-key suite may be queried 2^40 times on labels that the evaluator does not hold.
    pub const fn max_ands(self) -> Option<u64> {
        match self {
            Suite::HalfGates | Suite::Grr3Sha1 => None,
            // The evaluator knows two of the four hashes of a half gate, and one of the four hashes
            // in `grr3`.
            Suite::HalfGatesFixedKey | Suite::HalfGatesFase => Some(MAX_HASHES_OF_A_KEY / 2),
            Suite::Grr3 => Some(MAX_HASHES_OF_A_KEY / 4),
        }
    }

    /// Whether the tweak is the gate's position in the body (XORs counted) and the cycle, as in the
    /// fixed-key suites. Otherwise it is the number of the AND.
    pub const fn tweaks_by_position(self) -> bool {
        matches!(self, Suite::HalfGatesFixedKey | Suite::HalfGatesFase | Suite::Grr3)
    }

    /// Whether a table is made of half gates, not of rows.
    pub const fn has_half_gates(self) -> bool {
        !matches!(self, Suite::Grr3Sha1 | Suite::Grr3)
    }

    /// Whether a run has a public random number: S, or π's key.
    pub const fn has_point(self) -> bool {
        !matches!(self, Suite::Grr3Sha1)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSuite(pub String);

impl fmt::Display for UnknownSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Suite::ALL.iter().map(|s| s.name()).collect();
        write!(f, "unknown suite {:?}: there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownSuite {}

impl FromStr for Suite {
    type Err = UnknownSuite;
    fn from_str(name: &str) -> Result<Suite, UnknownSuite> {
        let found = Suite::ALL.into_iter().find(|s| s.name() == name);
        found.ok_or_else(|| UnknownSuite(name.to_owned()))
    }
}
