//! A long list of records that is written once, in order, and then read forwards by any number of
//! readers.

use halfgate_circuit::positioned::FileExt;
use std::fs::File;
use std::io;

/// Number of bytes that a reader reads from the file at a time.
const BLOCK: usize = 1 << 16;

/// A growing list of records of `N` bytes. It is in memory while it is short; a long list uses a
/// temporary file.
///
/// Memory: at most [`Spool::IN_MEMORY`] bytes of records, or the limit given to
/// [`with_memory`](Spool::with_memory). Further records go to an unnamed temporary file (in
/// `TMPDIR`). Each reader holds a block of 64 KiB of the file.
#[derive(Debug)]
pub struct Spool<const N: usize> {
    /// The newest records. While there is no file, these are all records.
    newest: Vec<[u8; N]>,
    file: Option<File>,
    in_file: u64,
    /// The most records held in memory.
    limit: usize,
}

impl<const N: usize> Spool<N> {
    /// Bytes of records held in memory, unless the spool is made with a lower limit.
    pub const IN_MEMORY: usize = 32 << 20;

    /// An empty list.
    pub fn new() -> Spool<N> {
        Spool::with_memory(Spool::<N>::IN_MEMORY)
    }

    /// An empty list that holds at most `bytes` bytes of records in memory, and at least one
    /// record.
    pub fn with_memory(bytes: usize) -> Spool<N> {
        const { assert!(N > 0, "a record has bytes") };
        Spool { newest: Vec::new(), file: None, in_file: 0, limit: (bytes / N).max(1) }
    }

    /// Number of records.
    pub fn len(&self) -> u64 {
        self.in_file + self.newest.len() as u64
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If the list no longer fits in memory and the temporary file cannot be written.
    #[inline]
    pub fn push(&mut self, record: [u8; N]) -> io::Result<()> {
        if self.newest.len() == self.newest.capacity() {
            self.make_space()?;
        }
        self.newest.push(record);
        Ok(())
    }

    /// Doubles the memory up to the limit; beyond it, writes the records to the file.
    #[cold]
    fn make_space(&mut self) -> io::Result<()> {
        let len = self.newest.len();
        if len >= self.limit {
            return self.spill();
        }
        self.newest.reserve_exact(len.max(64).min(self.limit - len));
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let file = self.file.as_ref().expect("made above");
        file.write_all_at(self.newest.as_flattened(), self.in_file * N as u64)?;
        self.in_file += self.newest.len() as u64;
        // From now on, memory holds only one block of records, to be written together.
        self.limit = self.limit.min((BLOCK / N).max(1));
        self.newest = Vec::new();
        self.newest.reserve_exact(self.limit);
        Ok(())
    }

    /// A reader that starts with the first record.
    pub fn reader(&self) -> SpoolReader<'_, N> {
        SpoolReader { spool: self, block: Vec::new(), start: 0, next: 0 }
    }
}

impl<const N: usize> Default for Spool<N> {
    fn default() -> Spool<N> {
        Spool::new()
    }
}

/// Reads the records of a [`Spool`]. Several readers can read at the same time.
#[derive(Debug)]
pub struct SpoolReader<'a, const N: usize> {
    spool: &'a Spool<N>,
    /// Records read from the file, from `start` on.
    block: Vec<[u8; N]>,
    start: u64,
    next: u64,
}

impl<const N: usize> SpoolReader<'_, N> {
    /// The next record, or `None` after the last.
    ///
    /// # Errors
    /// If the temporary file cannot be read back.
    #[inline]
    #[allow(clippy::should_implement_trait)] // `next` returns a `Result`, unlike an iterator's.
    pub fn next(&mut self) -> io::Result<Option<[u8; N]>> {
        let record = if self.next >= self.spool.in_file {
            self.spool.newest.get((self.next - self.spool.in_file) as usize)
        } else {
            let in_block = |reader: &Self| {
                let index = reader.next.wrapping_sub(reader.start);
                (index < reader.block.len() as u64).then_some(index as usize)
            };
            if in_block(self).is_none() {
                self.read_block()?;
            }
            in_block(self).map(|index| &self.block[index])
        };
        let Some(&record) = record else { return Ok(None) };
        self.next += 1;
        Ok(Some(record))
    }

    /// Returns the next records that are together in memory. There is at least one, unless no
    /// record is left. The returned records count as read.
    ///
    /// # Errors
    /// If the temporary file cannot be read back.
    pub fn next_block(&mut self) -> io::Result<&[[u8; N]]> {
        if self.next >= self.spool.in_file {
            let index = (self.next - self.spool.in_file) as usize;
            self.next = self.next.max(self.spool.len());
            return Ok(self.spool.newest.get(index..).unwrap_or_default());
        }
        let here = |reader: &Self| {
            let index = reader.next.wrapping_sub(reader.start);
            (index < reader.block.len() as u64).then_some(index as usize)
        };
        if here(self).is_none() {
            self.read_block()?;
        }
        let index = here(self).unwrap_or(self.block.len());
        self.next += (self.block.len() - index) as u64;
        Ok(&self.block[index..])
    }

    /// Continues with record number `index`. If that is at or beyond the end, no record follows.
    pub fn seek(&mut self, index: u64) {
        self.next = index;
    }

    /// Returns the number of the next record.
    pub fn position(&self) -> u64 {
        self.next
    }

    #[cold]
    fn read_block(&mut self) -> io::Result<()> {
        let count = (self.spool.in_file - self.next).min((BLOCK / N).max(1) as u64);
        let file = self.spool.file.as_ref().expect("records before the newest lie in a file");
        // The block stays empty if reading fails.
        let mut block = std::mem::take(&mut self.block);
        block.resize(count as usize, [0; N]);
        file.read_exact_at(block.as_flattened_mut(), self.next * N as u64)?;
        self.block = block;
        self.start = self.next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record<const N: usize>(i: u64) -> [u8; N] {
        std::array::from_fn(|byte| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (byte % 8 * 8)) as u8)
    }

    fn spool<const N: usize>(count: u64, memory: usize) -> Spool<N> {
        let mut spool = Spool::with_memory(memory);
        (0..count).for_each(|i| spool.push(record(i)).unwrap());
        spool
    }

    #[test]
    fn records_beyond_memory_come_back_in_order() {
        let count = (2 * Spool::<8>::IN_MEMORY / 8 + 12_345) as u64;
        let spool = spool::<8>(count, Spool::<8>::IN_MEMORY);
        assert_eq!(spool.len(), count);
        assert!(spool.file.is_some());
        assert!(spool.newest.capacity() * 8 <= Spool::<8>::IN_MEMORY);
        let mut reader = spool.reader();
        for i in 0..count {
            assert_eq!(reader.next().unwrap(), Some(record(i)));
        }
        assert_eq!(reader.next().unwrap(), None);
        assert_eq!(reader.next().unwrap(), None);
    }

    #[test]
    fn short_lists_use_no_file() {
        let spool = spool::<5>(1000, 5000);
        assert!(spool.file.is_none());
        assert_eq!(spool.len(), 1000);
        assert!(Spool::<5>::new().is_empty());
        assert_eq!(Spool::<5>::new().reader().next().unwrap(), None);
    }

    /// Reads one spool with two readers. Each of them sometimes seeks.
    fn read_here_and_there<const N: usize>(count: u64, memory: usize, steps: &[(bool, bool, u64)]) {
        let spool = spool::<N>(count, memory);
        let mut readers = [spool.reader(), spool.reader()];
        let mut expected = [0, 0];
        for &(which, seek, index) in steps {
            let which = usize::from(which);
            if seek {
                readers[which].seek(index);
                expected[which] = index;
            }
            if index % 5 == 0 {
                let block = readers[which].next_block().unwrap().to_vec();
                assert!(!block.is_empty() || expected[which] >= count);
                for found in block {
                    assert_eq!(found, record(expected[which]));
                    expected[which] += 1;
                }
                assert_eq!(readers[which].position().min(count), expected[which].min(count));
            }
            for _ in 0..index % 7 {
                let found = readers[which].next().unwrap();
                let there = expected[which] < count;
                assert_eq!(found, there.then(|| record(expected[which])));
                expected[which] += u64::from(there);
                assert_eq!(readers[which].position(), expected[which]);
            }
        }
    }

    proptest! {
        #[test]
        fn readers_do_not_disturb_each_other(
            count in 0u64..40_000,
            memory in 0usize..100_000,
            steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0u64..41_000), 0..60),
        ) {
            read_here_and_there::<1>(count, memory, &steps);
            read_here_and_there::<12>(count, memory, &steps);
        }

        #[test]
        fn records_may_be_longer_than_a_block(
            steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0u64..6), 0..10),
        ) {
            read_here_and_there::<70_000>(4, 0, &steps);
        }
    }
}
