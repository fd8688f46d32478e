//! A list of fixed-size records, kept in memory while it is short and continued in a temporary file
//! when it is long.

use halfgate_circuit::positioned::FileExt;
use std::fs::File;
use std::io;

/// Bytes that a spool holds in memory before it creates a file.
const IN_MEMORY_BYTES: usize = 32 << 20;
/// Approximate bytes read from or written to the file at a time.
const BLOCK_BYTES: usize = 1 << 20;

/// A value with an encoding of fixed size, for a [`Spool`].
pub(crate) trait Record: Copy {
    /// Length of the encoding.
    const BYTES: usize;
    /// Appends the encoding, which is [`BYTES`](Record::BYTES) long.
    fn store(&self, out: &mut Vec<u8>);
    /// Decodes an encoding made by [`store`](Record::store).
    fn load(bytes: &[u8]) -> Self;
}

/// The list. Memory: at most 32 MiB of encoded records, or one block if there is a file.
///
/// The file is unnamed, in `TMPDIR`, and the system removes it with the process.
pub(crate) struct Spool<R> {
    /// The newest records. While there is no file, these are all records.
    tail: Vec<R>,
    file: Option<File>,
    in_file: usize,
    /// The largest number of records that are held before a file is created.
    limit: usize,
    /// Number of records that are read from or written to the file at a time.
    block: usize,
}

impl<R: Record> Default for Spool<R> {
    fn default() -> Spool<R> {
        Spool::new()
    }
}

impl<R: Record> Spool<R> {
    pub(crate) fn new() -> Spool<R> {
        Spool::with_limits(IN_MEMORY_BYTES / R::BYTES, BLOCK_BYTES / R::BYTES)
    }

    fn with_limits(limit: usize, block: usize) -> Spool<R> {
        Spool { tail: Vec::new(), file: None, in_file: 0, limit, block }
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If the temporary file cannot be made or written.
    #[inline]
    pub(crate) fn push(&mut self, record: R) -> io::Result<()> {
        self.tail.push(record);
        if self.tail.len() >= self.limit { self.spill() } else { Ok(()) }
    }

    /// Calls `f` with every record, first to last.
    ///
    /// # Errors
    /// The first error of `f`, or a failure to read the file.
    pub(crate) fn for_each<E: From<io::Error>>(
        &self,
        mut f: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut records = Vec::new();
        for start in (0..self.in_file).step_by(self.block) {
            self.read(start, &mut records)?;
            records.iter().try_for_each(|&record| f(record))?;
        }
        self.tail.iter().try_for_each(|&record| f(record))
    }

    /// Returns a reader of the records, first to last. With cursors, several lists can be read in
    /// parallel.
    pub(crate) fn cursor(&self) -> Cursor<'_, R> {
        Cursor { spool: self, block: Vec::new(), start: 0, next: 0 }
    }

    /// Calls `f` with every record, last to first.
    ///
    /// # Errors
    /// The first error of `f`, or a failure to read the file.
    pub(crate) fn for_each_rev<E: From<io::Error>>(
        &self,
        mut f: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        self.tail.iter().rev().try_for_each(|&record| f(record))?;
        let mut records = Vec::new();
        for start in (0..self.in_file).step_by(self.block).rev() {
            self.read(start, &mut records)?;
            records.iter().rev().try_for_each(|&record| f(record))?;
        }
        Ok(())
    }

    /// Changes every record in place, last to first.
    ///
    /// # Errors
    /// If the temporary file cannot be read or written.
    pub(crate) fn rewrite_rev(&mut self, mut f: impl FnMut(&mut R)) -> io::Result<()> {
        self.tail.iter_mut().rev().for_each(&mut f);
        let mut records = Vec::new();
        for start in (0..self.in_file).step_by(self.block).rev() {
            self.read(start, &mut records)?;
            records.iter_mut().rev().for_each(&mut f);
            self.write(start, &records)?;
        }
        Ok(())
    }

    /// Moves the records in memory to the file.
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let records = std::mem::take(&mut self.tail);
        for block in records.chunks(self.block) {
            self.write(self.in_file, block)?;
            self.in_file += block.len();
        }
        self.limit = self.block;
        Ok(())
    }

    fn file(&self) -> &File {
        self.file.as_ref().expect("records before the tail lie in a file")
    }

    fn write(&self, start: usize, records: &[R]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(records.len() * R::BYTES);
        records.iter().for_each(|record| record.store(&mut bytes));
        self.file().write_all_at(&bytes, (start * R::BYTES) as u64)
    }

    /// Replaces `records` with the block of the file that begins at record `start`.
    fn read(&self, start: usize, records: &mut Vec<R>) -> io::Result<()> {
        let count = self.block.min(self.in_file - start);
        let mut bytes = vec![0; count * R::BYTES];
        self.file().read_exact_at(&mut bytes, (start * R::BYTES) as u64)?;
        records.clear();
        records.extend(bytes.chunks_exact(R::BYTES).map(R::load));
        Ok(())
    }
}

/// A position in a [`Spool`]. Memory: one block.
pub(crate) struct Cursor<'a, R> {
    spool: &'a Spool<R>,
    /// The records of the file from `start` on.
    block: Vec<R>,
    start: usize,
    next: usize,
}

impl<R: Record> Cursor<'_, R> {
    /// Returns the next record, or `None` after the last.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<R>> {
        let index = self.next;
        self.next += 1;
        if index >= self.spool.in_file {
            return Ok(self.spool.tail.get(index - self.spool.in_file).copied());
        }
        if index - self.start >= self.block.len() {
            self.spool.read(index, &mut self.block)?;
            self.start = index;
        }
        Ok(self.block.get(index - self.start).copied())
    }
}

/// A number, such as a wire.
impl Record for u32 {
    const BYTES: usize = 4;
    fn store(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn load(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_in_memory_and_in_the_file_read_back_both_ways() {
        for count in [0, 1, 9, 10, 11, 13, 14, 15, 100] {
            let mut spool = Spool::with_limits(10, 4);
            (0..count).try_for_each(|i| spool.push(i)).unwrap();
            assert_eq!(spool.file.is_some(), count >= 10);
            spool.rewrite_rev(|record| *record *= 3).unwrap();

            let mut seen = Vec::new();
            let mut see = |record| {
                seen.push(record);
                Ok::<(), io::Error>(())
            };
            spool.for_each(&mut see).unwrap();
            spool.for_each_rev(&mut see).unwrap();
            let forwards = (0..count).map(|i| 3 * i);
            let mut cursor = spool.cursor();
            let mut from_cursor = Vec::new();
            while let Some(record) = cursor.next().unwrap() {
                from_cursor.push(record);
            }
            assert!(from_cursor.into_iter().eq(forwards.clone()));
            assert!(seen.into_iter().eq(forwards.clone().chain(forwards.rev())));
        }
    }
}
