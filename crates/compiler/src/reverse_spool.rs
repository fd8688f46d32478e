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
    /// The newest records: the first `left`. Those after them are removed.
    newest: Vec<[u8; N]>,
    left: usize,
    file: Option<File>,
    in_file: usize,
}

impl<const N: usize> ReverseSpool<N> {
    /// Bytes of records that are held in memory.
    pub const IN_MEMORY: usize = 32 << 20;

    /// An empty stack.
    pub fn new() -> ReverseSpool<N> {
        ReverseSpool { newest: Vec::new(), left: 0, file: None, in_file: 0 }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    #[inline]
    pub fn push(&mut self, record: [u8; N]) -> io::Result<()> {
        self.newest.truncate(self.left);
        if self.newest.len() == self.newest.capacity() {
            self.make_space()?;
        }
        self.newest.push(record);
        self.left = self.newest.len();
        Ok(())
    }

    /// Doubles the memory up to the limit; beyond it, writes the records to the file.
    #[cold]
    fn make_space(&mut self) -> io::Result<()> {
        let (len, limit) = (self.newest.len(), ReverseSpool::<N>::IN_MEMORY / N);
        if len >= limit {
            return self.spill();
        }
        self.newest.reserve_exact(len.max(64).min(limit - len));
        Ok(())
    }

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

    /// Removes and returns the newest record, or `None` if the stack is empty. It returns a
    /// reference, since a pass that copies a record before it reads a part of it is much slower.
    ///
    /// # Errors
    /// If the temporary file cannot be read back.
    #[inline]
    pub fn pop(&mut self) -> io::Result<Option<&[u8; N]>> {
        if self.left == 0 {
            self.read_back()?;
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        Ok(self.newest.get(left))
    }

    /// Fills the memory with records from the file, if there are any.
    #[cold]
    fn read_back(&mut self) -> io::Result<()> {
        let count = self.in_file.min(BLOCK);
        self.newest.resize(count, [0; N]);
        if let Some(file) = &self.file {
            let start = (self.in_file - count) * N;
            file.read_exact_at(self.newest.as_flattened_mut(), start as u64)?;
        }
        self.in_file -= count;
        self.left = count;
        Ok(())
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
            assert_eq!(spool.pop().unwrap(), Some(&i.to_le_bytes()));
        }
        assert_eq!(spool.pop().unwrap(), None);
    }

    #[test]
    fn records_may_be_added_after_others_are_removed() {
        let mut spool = ReverseSpool::new();
        (0..5).for_each(|i| spool.push([i]).unwrap());
        assert_eq!(spool.pop().unwrap(), Some(&[4]));
        assert_eq!(spool.pop().unwrap(), Some(&[3]));
        spool.push([7]).unwrap();
        for i in [7, 2, 1, 0] {
            assert_eq!(spool.pop().unwrap(), Some(&[i]));
        }
        assert_eq!(spool.pop().unwrap(), None);
    }
}
