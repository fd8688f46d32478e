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

const GATE_BYTES: usize = 8;
/// Number of gates read from or written to the file at a time.
const BLOCK: usize = 1 << 16;

/// A growing list of gates.
///
/// Memory: at most [`Gates::IN_MEMORY`] gates of eight bytes. Further gates go to an unnamed
/// temporary file (in `TMPDIR`), which the system removes with the process.
pub struct Gates {
    /// The newest gates: all of them while there is no file.
    tail: Vec<Gate>,
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
        self.tail.push(gate);
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
        Iter { gates: self, block: Block::new(0), next: 0 }
    }

    /// The gates from the last to the first.
    pub fn iter_rev(&self) -> IterRev<'_> {
        IterRev { gates: self, block: Block::new(self.len()), next: self.len() }
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
        let mut bytes = Vec::with_capacity(BLOCK * GATE_BYTES);
        for block in self.tail.chunks(BLOCK) {
            bytes.clear();
            block.iter().for_each(|gate| bytes.extend_from_slice(&gate.to_bytes()));
            file.write_all_at(&bytes, (self.in_file * GATE_BYTES) as u64)?;
            self.in_file += block.len();
        }
        // From now on, memory holds only one block, to be written together.
        self.tail.clear();
        self.tail.shrink_to(BLOCK);
        Ok(())
    }

    /// Fills `block` with the gates `start..end`, which must all be in the file.
    fn read(&self, block: &mut Block, start: usize, end: usize) {
        let file = self.file.as_ref().expect("gates before the tail lie in a file");
        let mut bytes = vec![0; (end - start) * GATE_BYTES];
        // The unnamed file belongs to this list and is already written. A failure to read it back
        // is a failing disk, which no caller can handle.
        file.read_exact_at(&mut bytes, (start * GATE_BYTES) as u64)
            .unwrap_or_else(|e| panic!("cannot read back the temporary file of gates: {e}"));
        block.start = start;
        block.gates.clear();
        block.gates.extend(
            bytes
                .chunks_exact(GATE_BYTES)
                .map(|c| Gate::from_bytes(c.try_into().expect("chunks are eight bytes"))),
        );
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

struct Block {
    start: usize,
    gates: Vec<Gate>,
}

impl Block {
    fn new(start: usize) -> Block {
        Block { start, gates: Vec::new() }
    }

    #[inline]
    fn get(&self, index: usize) -> Option<Gate> {
        self.gates.get(index.wrapping_sub(self.start)).copied()
    }
}

/// Gates in order: see [`Gates::iter`].
pub struct Iter<'a> {
    gates: &'a Gates,
    block: Block,
    next: usize,
}

impl Iterator for Iter<'_> {
    type Item = Gate;

    #[inline]
    fn next(&mut self) -> Option<Gate> {
        let index = self.next;
        let gate = if index >= self.gates.in_file {
            *self.gates.tail.get(index - self.gates.in_file)?
        } else {
            if self.block.get(index).is_none() {
                let end = (index + BLOCK).min(self.gates.in_file);
                self.gates.read(&mut self.block, index, end);
            }
            self.block.get(index)?
        };
        self.next += 1;
        Some(gate)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.gates.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Gates from the last to the first: see [`Gates::iter_rev`].
pub struct IterRev<'a> {
    gates: &'a Gates,
    block: Block,
    next: usize,
}

impl Iterator for IterRev<'_> {
    type Item = Gate;

    #[inline]
    fn next(&mut self) -> Option<Gate> {
        let index = self.next.checked_sub(1)?;
        self.next = index;
        if index >= self.gates.in_file {
            return Some(self.gates.tail[index - self.gates.in_file]);
        }
        if self.block.get(index).is_none() {
            let start = (index + 1).saturating_sub(BLOCK);
            self.gates.read(&mut self.block, start, index + 1);
        }
        self.block.get(index)
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
    }
}
