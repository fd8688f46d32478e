//! The source line of each gate.

use std::collections::HashMap;

/// The source line of each run of consecutive gates, as far as the code that built the circuit set
/// it.
///
/// This information is for users and not part of the circuit: two circuits that differ only here
/// have the same program hash.
///
/// Memory: every line is stored twice, and all lines together have at most
/// [`MAX_BYTES`](SourceMap::MAX_BYTES). Each run takes 16 bytes, and there are at most
/// [`MAX_RUNS`](SourceMap::MAX_RUNS). Gates after the last stored run have no line. A line that
/// would exceed the limit is not stored, so its gates have no line either.
#[derive(Clone, Debug)]
pub struct SourceMap {
    /// Line 0 is empty, for gates whose line is unknown.
    lines: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The first gate of each run, and the index of its line.
    runs: Vec<(u64, u32)>,
    /// Bytes of all lines.
    bytes: usize,
}

impl SourceMap {
    /// The most runs stored.
    pub const MAX_RUNS: usize = 1 << 20;
    /// The most bytes of the texts of all lines together.
    pub const MAX_BYTES: usize = 1 << 24;

    /// Creates a map without lines.
    pub(crate) fn new() -> SourceMap {
        let numbers = HashMap::from([(String::new(), 0)]);
        SourceMap { lines: vec![String::new()], numbers, runs: Vec::new(), bytes: 0 }
    }

    /// Sets the line of the gates from number `gate` on. An empty `line` means that no line is
    /// known. Gates are numbered from 0, and `gate` must not decrease between calls.
    pub(crate) fn begin(&mut self, gate: u64, line: &str) {
        let present = self.runs.last().map_or(0, |run| run.1);
        if self.runs.len() == SourceMap::MAX_RUNS || self.lines[present as usize] == line {
            return;
        }
        let is_last = self.runs.len() + 1 == SourceMap::MAX_RUNS;
        let number = match self.numbers.get(line) {
            _ if is_last => 0,
            Some(&number) => number,
            None if self.bytes + line.len() > SourceMap::MAX_BYTES => 0,
            None => {
                self.bytes += line.len();
                let number = self.lines.len() as u32;
                self.lines.push(line.to_owned());
                self.numbers.insert(line.to_owned(), number);
                number
            }
        };
        // A run without gates is replaced.
        if self.runs.last().is_some_and(|run| run.0 == gate) {
            self.runs.pop();
        }
        if self.runs.last().map_or(0, |run| run.1) != number {
            self.runs.push((gate, number));
        }
    }

    /// Returns the line of gate number `gate`, such as `sum.v:12`, if it is known.
    pub fn line(&self, gate: u64) -> Option<&str> {
        let behind = self.runs.partition_point(|run| run.0 <= gate);
        let (_, number) = self.runs[..behind].last()?;
        Some(self.lines[*number as usize].as_str()).filter(|line| !line.is_empty())
    }

    /// Returns the first gate and the line of each run, in order. If the line of a run is not
    /// known, it is empty.
    pub fn runs(&self) -> impl Iterator<Item = (u64, &str)> {
        self.runs.iter().map(|&(gate, line)| (gate, self.lines[line as usize].as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::SourceMap;

    #[test]
    fn gates_have_the_line_of_their_run() {
        let mut map = SourceMap::new();
        map.begin(2, "a.v:1");
        map.begin(5, "a.v:2");
        map.begin(5, "a.v:3");
        map.begin(6, "a.v:3");
        map.begin(9, "");
        map.begin(12, "a.v:1");
        let lines: Vec<_> = (0..14).map(|gate| map.line(gate).unwrap_or("-")).collect();
        let [a, b] = ["a.v:1", "a.v:3"];
        assert_eq!(lines, ["-", "-", a, a, a, b, b, b, b, "-", "-", "-", a, a]);
        assert_eq!(map.runs().collect::<Vec<_>>(), [(2, a), (5, b), (9, ""), (12, a)]);
    }

    #[test]
    fn a_run_without_gates_is_none() {
        let mut map = SourceMap::new();
        map.begin(0, "a");
        map.begin(3, "b");
        map.begin(3, "a");
        assert_eq!(map.runs().collect::<Vec<_>>(), [(0, "a")]);
    }

    #[test]
    fn gates_beyond_the_limits_have_no_line() {
        let mut map = SourceMap::new();
        for gate in 0..SourceMap::MAX_RUNS as u64 + 5 {
            map.begin(gate, if gate % 2 == 0 { "even" } else { "odd" });
        }
        assert_eq!(map.runs().count(), SourceMap::MAX_RUNS);
        let last = SourceMap::MAX_RUNS as u64 - 1;
        assert_eq!(map.line(last - 1), Some("even"));
        assert_eq!(map.line(last), None);
        assert_eq!(map.line(last + 9), None);

        let mut map = SourceMap::new();
        let long = |number: u64| "x".repeat(SourceMap::MAX_BYTES / 4 - 1) + &number.to_string();
        (0..6).for_each(|gate| map.begin(gate, &long(gate)));
        assert_eq!(map.line(3), Some(&long(3)[..]));
        assert_eq!((map.line(4), map.line(5)), (None, None));
    }
}
