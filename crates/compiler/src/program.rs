//! A program: a circuit in one gate order, with the hash that both parties compare.

use crate::order::Order;
use crate::skip::Known;
use halfgate_circuit::Circuit;
use std::fmt;
use std::sync::Arc;

/// A circuit whose gates stand in the order of garbling. AND numbers and tables follow that order.
/// A program does not depend on the machines that run it.
#[derive(Debug)]
pub struct Program {
    /// The circuit, gates in program order.
    pub circuit: Circuit,
    /// The order, by the name that the peer receives.
    pub order: Order,
    /// Hash of the canonical encoding: see [`ProgramHash`].
    pub hash: ProgramHash,
    /// Present if gates with public results are skipped in each cycle: see [`skip`](crate::skip).
    pub skips: Option<Skips>,
}

/// Marks a program that skips gates.
#[derive(Clone, Debug, Default)]
pub struct Skips {
    /// Public knowledge about the program's state, in addition to what its gates show.
    pub known: Option<Arc<dyn Known>>,
}

impl Program {
    /// Returns the same program with skipping. It counts as another program with another hash.
    #[must_use]
    pub fn skipping(self, skips: Skips) -> Program {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"halfgate program 1, skipping\n").update(&self.hash.0);
        if let Some(known) = &skips.known {
            hasher.update(&known.hash());
        }
        let hash = ProgramHash(*hasher.finalize().as_bytes());
        Program { hash, skips: Some(skips), ..self }
    }

    /// ANDs in one run of the body, without skipping.
    pub fn ands_per_cycle(&self) -> u64 {
        self.circuit.gates.ands()
    }

    /// Gates in one run of the body.
    pub fn gates_per_cycle(&self) -> u64 {
        self.circuit.gates.len() as u64
    }
}

/// BLAKE3 over the canonical encoding of a program's gates in order, its flip-flops, and its
/// input and output layout with owners. The number of cycles is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgramHash(pub [u8; 32]);

impl fmt::Display for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProgramHash({self})")
    }
}
