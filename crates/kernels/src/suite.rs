//! Suites: a garbling scheme and a hash, under one name.

use std::fmt;
use std::str::FromStr;

/// A garbling scheme and its hash. Its name goes into every handshake and file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Suite {
    /// Half gates, re-keyed: `H(x,k) = AES_k(σ(x)) ^ σ(x)`. The default.
    HalfGates,
    /// Half gates under one key: `H(x,T) = π(σ(x)^T) ^ σ(x) ^ T`. What fase and garbledcpu
    /// published.
    HalfGatesFixedKey,
    /// Half gates as the public FASE RTL hashes, `H(x,T) = π(x^T) ^ x ^ T`. **Broken**: one table
    /// gives Δ away. For comparison with that RTL only; sessions refuse it.
    HalfGatesFase,
}

impl Suite {
    /// All suites.
    pub const ALL: [Suite; 3] = [Suite::HalfGates, Suite::HalfGatesFixedKey, Suite::HalfGatesFase];

    /// The suite's name.
    pub const fn name(self) -> &'static str {
        match self {
            Suite::HalfGates => "half-gates",
            Suite::HalfGatesFixedKey => "half-gates-fixed-key",
            Suite::HalfGatesFase => "half-gates-fase",
        }
    }

    /// Bytes of one AND's table.
    pub const fn table_bytes(self) -> usize {
        match self {
            Suite::HalfGates | Suite::HalfGatesFixedKey | Suite::HalfGatesFase => 32,
        }
    }

    /// Whether a session may use the suite.
    pub const fn is_secure(self) -> bool {
        !matches!(self, Suite::HalfGatesFase)
    }

    /// Whether gates are tweaked by their position in the body (XORs counted) and the cycle, as
    /// in the fixed-key suites, rather than by the number of the AND.
    pub const fn tweaks_by_position(self) -> bool {
        !matches!(self, Suite::HalfGates)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no suite's.
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
