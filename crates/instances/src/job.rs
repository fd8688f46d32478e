//! What instances are garblings of.

use halfgate_compiler::Program;
use halfgate_engine::Suite;

/// What instances are garblings of.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The program.
    pub program: &'a Program,
    /// The suite.
    pub suite: Suite,
    /// Number of cycles.
    pub cycles: u64,
}

impl Job<'_> {
    /// Hashes the program's hash, the suite's name and the number of cycles.
    pub(crate) fn hash_into(&self, hasher: &mut blake3::Hasher) {
        let suite = self.suite.name().as_bytes();
        hasher.update(&self.program.hash.0);
        hasher.update(&[suite.len() as u8]);
        hasher.update(suite);
        hasher.update(&self.cycles.to_le_bytes());
    }
}
