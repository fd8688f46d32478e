//! Carries records from a backward pass over the gates to a forward pass.

use halfgate_circuit::positioned::FileExt;
use std::fs::File;
use std::io;

/// Records read from or written to the file at a time.
const BLOCK: usize = 1 << 16;

/// A stack of records of `N` bytes. It is in memory while it is short; a long stack uses a
/// temporary file.
///
/// Memory: [`ReverseSpool::IN_MEMORY`] bytes of records at most.
#[derive(Debug, Default)]
pub struct ReverseSpool<const N: usize> {
    /// The newest records.
    newest: Vec<[u8; N]>,
    file: Option<File>,
    in_file: usize,
}

impl<const N: usize> ReverseSpool<N> {
    /// Bytes of records that are held in memory.
    pub const IN_MEMORY: usize = 32 << 20;

    /// An empty stack.
    pub fn new() -> ReverseSpool<N> {
        ReverseSpool { newest: Vec::new(), file: None, in_file: 0 }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    #[inline]
    pub fn push(&mut self, record: [u8; N]) -> io::Result<()> {
        self.newest.push(record);
        if self.newest.len() * N >= ReverseSpool::<N>::IN_MEMORY { self.spill() } else { Ok(()) }
    }

    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let file = self.file.as_ref().expect("made above");
        for block in self.newest.chunks(BLOCK) {
            file.write_all_at(block.as_flattened(), (self.in_file * N) as u64)?;
            self.in_file += block.len();
        }
        self.newest.clear();
        Ok(())
    }

    /// Removes and returns the newest record, or `None` if the stack is empty.
    ///
    /// # Errors
    /// If the temporary file cannot be read back.
    #[inline]
    pub fn pop(&mut self) -> io::Result<Option<[u8; N]>> {
        if self.newest.is_empty() && self.in_file > 0 {
            self.read_back()?;
        }
        Ok(self.newest.pop())
    }

    #[cold]
    fn read_back(&mut self) -> io::Result<()> {
        let count = self.in_file.min(BLOCK);
        self.in_file -= count;
        self.newest.resize(count, [0; N]);
        let file = self.file.as_ref().expect("records before the newest lie in a file");
        file.read_exact_at(self.newest.as_flattened_mut(), (self.in_file * N) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_beyond_memory_come_back_last_first() {
        let count = (2 * ReverseSpool::<8>::IN_MEMORY / 8 + 12_345) as u64;
        let mut spool = ReverseSpool::<8>::new();
        for i in 0..count {
            spool.push(i.to_le_bytes()).unwrap();
        }
        for i in (0..count).rev() {
            assert_eq!(spool.pop().unwrap(), Some(i.to_le_bytes()));
        }
        assert_eq!(spool.pop().unwrap(), None);
    }
}
