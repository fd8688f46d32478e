//! ANDs by source line, counted while a circuit is written.

use std::collections::BTreeMap;

/// Counts the ANDs that each source line causes in a whole run.
///
/// The gates of a map or fold are written once and run many times. So `runs` is how often what is
/// being written runs.
#[derive(Debug)]
pub struct Ledger {
    lines: BTreeMap<String, u64>,
    runs: u64,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger { lines: BTreeMap::new(), runs: 1 }
    }
}

impl Ledger {
    /// Counts `ands` gates, each of which runs as often as what is being written.
    pub fn add(&mut self, line: &str, ands: u64) {
        if ands == 0 {
            return;
        }
        let ands = ands.saturating_mul(self.runs);
        match self.lines.get_mut(line) {
            Some(sum) => *sum = sum.saturating_add(ands),
            None => {
                self.lines.insert(line.to_owned(), ands);
            }
        }
    }

    /// Multiplies the runs of what is written from now on. Returns what [`leave`](Self::leave)
    /// takes.
    pub fn enter(&mut self, runs: u64) -> u64 {
        let outside = self.runs;
        self.runs = outside.saturating_mul(runs);
        outside
    }

    /// Ends what [`enter`](Self::enter) began.
    pub fn leave(&mut self, outside: u64) {
        self.runs = outside;
    }

    /// Counts all of `other`, which is for one run.
    pub fn add_all(&mut self, other: &Ledger) {
        other.lines.iter().for_each(|(line, &ands)| self.add(line, ands));
    }

    /// The lines and their ANDs.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u64)> {
        self.lines.iter().map(|(line, &ands)| (line.as_str(), ands))
    }
}
