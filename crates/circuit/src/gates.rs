//! The list of a body's gates, in memory while it is short, in a temporary file when it is long.
//!
//! Compiler passes read the list forwards ([`Gates::iter`]) or backwards ([`Gates::iter_rev`]), in
//! blocks, and write a new list with [`Gates::push`]. A long list is never in memory as a whole.

use crate::gate::Gate;
use crate::positioned::FileExt;
use crate::source_map::SourceMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::slice;

const GATE_BYTES: usize = 8;
/// Number of gates read from or written to the file at a time.
const BLOCK: usize = 1 << 16;

/// A growing list of gates.
///
/// Memory: at most [`Gates::IN_MEMORY`] gates of eight bytes. Further gates go to an unnamed
/// temporary file (in `TMPDIR`), which the system removes with the process.
pub struct Gates {
    /// The newest gates, as [`Gate::to_bytes`]: all of them while there is no file.
    tail: Vec<[u8; GATE_BYTES]>,
    file: Option<File>,
    in_file: usize,
    ands: u64,
    /// The gates' source lines; created when the first line is set.
    sources: Option<Box<SourceMap>>,
}

impl Gates {
    /// The largest number of gates held in memory, which take 32 MiB.
    pub const IN_MEMORY: usize = 1 << 22;

    /// An empty list.
    pub fn new() -> Gates {
        Gates { tail: Vec::new(), file: None, in_file: 0, ands: 0, sources: None }
    }

    /// Appends a gate.
    ///
    /// # Errors
    /// If the list no longer fits in memory and the temporary file cannot be written.
    #[inline]
    pub fn push(&mut self, gate: Gate) -> io::Result<()> {
        if self.tail.len() == self.tail.capacity() {
            self.make_space()?;
        }
        self.tail.push(gate.to_bytes());
        self.ands += u64::from(gate.is_and());
        Ok(())
    }

    /// Sets the source line of the gates that follow, such as `sum.v:12`. An empty `line` means
    /// that no line is known.
    pub fn begin_line(&mut self, line: &str) {
        if line.is_empty() && self.sources.is_none() {
            return;
        }
        let gate = self.len() as u64;
        self.sources.get_or_insert_with(|| Box::new(SourceMap::new())).begin(gate, line);
    }

    /// Returns the source lines of the gates, if any are known.
    pub fn sources(&self) -> Option<&SourceMap> {
        self.sources.as_deref()
    }

    /// Number of gates.
    pub fn len(&self) -> usize {
        self.in_file + self.tail.len()
    }

    /// Whether there are no gates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of ANDs.
    pub fn ands(&self) -> u64 {
        self.ands
    }

    /// The gates in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { gates: self, block: Vec::new(), next: 0, read: 0, tail: self.tail.iter() }
    }

    /// The gates from the last to the first.
    pub fn iter_rev(&self) -> IterRev<'_> {
        IterRev { gates: self, tail: self.tail.iter(), block: Vec::new(), left: self.in_file }
    }

    /// Calls `visit` with the bytes of all gates in order, in long blocks of whole gates.
    pub fn for_each_block(&self, mut visit: impl FnMut(&[u8])) {
        let mut block = Vec::new();
        for start in (0..self.in_file).step_by(BLOCK) {
            self.read(&mut block, start..self.in_file.min(start + BLOCK));
            visit(block.as_flattened());
        }
        visit(self.tail.as_flattened());
    }

    /// Doubles the memory up to the limit; beyond it, writes the gates to the file.
    #[cold]
    fn make_space(&mut self) -> io::Result<()> {
        let len = self.tail.len();
        let limit = if self.file.is_some() { BLOCK } else { Gates::IN_MEMORY };
        if len >= limit {
            return self.spill();
        }
        self.tail.reserve_exact(len.max(64).min(limit - len));
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let file = self.file.as_ref().expect("made above");
        for block in self.tail.chunks(BLOCK) {
            file.write_all_at(block.as_flattened(), (self.in_file * GATE_BYTES) as u64)?;
            self.in_file += block.len();
        }
        // From now on, memory holds only one block, to be written together.
        self.tail.clear();
        self.tail.shrink_to(BLOCK);
        Ok(())
    }

    /// Fills `block` with the gates in `range`, which must all be in the file.
    #[cold]
    fn read(&self, block: &mut Vec<[u8; GATE_BYTES]>, range: Range<usize>) {
        let file = self.file.as_ref().expect("gates before the tail lie in a file");
        block.resize(range.len(), [0; GATE_BYTES]);
        // The unnamed file belongs to this list and is already written. A failure to read it back
        // is a failing disk, which no caller can handle.
        file.read_exact_at(block.as_flattened_mut(), (range.start * GATE_BYTES) as u64)
            .unwrap_or_else(|e| panic!("cannot read back the temporary file of gates: {e}"));
    }
}

impl Default for Gates {
    fn default() -> Gates {
        Gates::new()
    }
}

impl FromIterator<Gate> for Gates {
    fn from_iter<I: IntoIterator<Item = Gate>>(gates: I) -> Gates {
        let mut list = Gates::new();
        for gate in gates {
            list.push(gate).expect("a temporary file for gates that do not fit in memory");
        }
        list
    }
}

impl fmt::Debug for Gates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} gates, {} of them AND", self.len(), self.ands)
    }
}

/// Gates in order: see [`Gates::iter`].
pub struct Iter<'a> {
    gates: &'a Gates,
    /// Gates read from the file, and the index of the next of them.
    block: Vec<[u8; GATE_BYTES]>,
    next: usize,
    /// Number of gates read from the file so far.
    read: usize,
    tail: slice::Iter<'a, [u8; GATE_BYTES]>,
}

impl Iterator for Iter<'_> {
    type Item = Gate;

    #[inline]
    fn next(&mut self) -> Option<Gate> {
        if self.next == self.block.len() && self.read < self.gates.in_file {
            let end = self.gates.in_file.min(self.read + BLOCK);
            self.gates.read(&mut self.block, self.read..end);
            self.read = end;
            self.next = 0;
        }
        let Some(&bytes) = self.block.get(self.next) else {
            return self.tail.next().copied().map(Gate::from_bytes);
        };
        self.next += 1;
        Some(Gate::from_bytes(bytes))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let in_file = self.gates.in_file - self.read + self.block.len() - self.next;
        let left = in_file + self.tail.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Gates from the last to the first: see [`Gates::iter_rev`].
pub struct IterRev<'a> {
    gates: &'a Gates,
    tail: slice::Iter<'a, [u8; GATE_BYTES]>,
    /// Gates read from the file.
    block: Vec<[u8; GATE_BYTES]>,
    /// Number of gates that are left in the file.
    left: usize,
}

impl Iterator for IterRev<'_> {
    type Item = Gate;

    #[inline]
    fn next(&mut self) -> Option<Gate> {
        if let Some(&bytes) = self.tail.next_back() {
            return Some(Gate::from_bytes(bytes));
        }
        if self.block.is_empty() && self.left > 0 {
            let start = self.left.saturating_sub(BLOCK);
            self.gates.read(&mut self.block, start..self.left);
            self.left = start;
        }
        self.block.pop().map(Gate::from_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Wire;

    #[test]
    fn a_list_longer_than_memory_reads_back_both_ways() {
        let gate =
            |i: u32| Gate::and(Wire::new(i).bit(), !Wire::new(i / 2).bit(), i.is_multiple_of(3));
        let count = Gates::IN_MEMORY as u32 + 3 * BLOCK as u32 + 17;
        let gates: Gates = (0..count).map(gate).collect();
        assert_eq!(gates.len(), count as usize);
        assert_eq!(gates.ands(), u64::from(count));
        assert!(gates.iter().eq((0..count).map(gate)));
        assert!(gates.iter_rev().eq((0..count).rev().map(gate)));
        assert_eq!(gates.iter().skip(BLOCK + 5).len(), gates.len() - BLOCK - 5);
        let mut bytes = gates.iter().map(Gate::to_bytes);
        gates.for_each_block(|block| {
            for found in block.as_chunks().0 {
                assert_eq!(Some(*found), bytes.next());
            }
        });
        assert_eq!(bytes.next(), None);
    }
}
