//! A queue of tables: in memory while short, partly in a temporary file when long.

use super::TABLE;
use halfgate_circuit::positioned::FileExt;
use std::collections::VecDeque;
use std::fs::File;
use std::io;

/// Largest number of tables in memory at each end of the queue.
const HELD: usize = 1 << 10;

/// A queue of tables whose length has no limit.
///
/// Memory: 64 KiB; the middle of the queue is in an unnamed temporary file. Tables are not secret:
/// the evaluator gets all of them.
#[derive(Default)]
pub(super) struct Fifo {
    front: VecDeque<[u8; TABLE]>,
    back: Vec<[u8; TABLE]>,
    file: Option<File>,
    /// Number of tables read from the file, and written to it.
    read: u64,
    written: u64,
}

impl Fifo {
    pub fn push(&mut self, table: [u8; TABLE]) -> io::Result<()> {
        if self.front.len() < HELD && self.read == self.written && self.back.is_empty() {
            self.front.push_back(table);
            return Ok(());
        }
        self.back.push(table);
        if self.back.len() < HELD {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let file = self.file.as_ref().expect("made above");
        file.write_all_at(self.back.as_flattened(), self.written * TABLE as u64)?;
        self.written += self.back.len() as u64;
        self.back.clear();
        Ok(())
    }

    pub fn pop(&mut self) -> io::Result<Option<[u8; TABLE]>> {
        if self.front.is_empty() {
            self.refill()?;
        }
        Ok(self.front.pop_front())
    }

    fn refill(&mut self) -> io::Result<()> {
        if self.read == self.written {
            self.front.extend(self.back.drain(..));
            return Ok(());
        }
        let count = (self.written - self.read).min(HELD as u64);
        let mut tables = vec![[0; TABLE]; count as usize];
        let file = self.file.as_ref().expect("what was written is in it");
        file.read_exact_at(tables.as_flattened_mut(), self.read * TABLE as u64)?;
        self.read += count;
        if self.read == self.written {
            (self.read, self.written) = (0, 0);
        }
        self.front.extend(tables);
        Ok(())
    }

    pub fn clear(&mut self) {
        self.front.clear();
        self.back.clear();
        (self.read, self.written) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_out_in_order_however_many_wait() {
        let mut fifo = Fifo::default();
        let table = |n: u64| {
            let mut table = [0; TABLE];
            table[..8].copy_from_slice(&n.to_le_bytes());
            table
        };
        let (mut pushed, mut popped) = (0, 0);
        for (push, pop) in [(10, 5), (5000, 100), (3, 4908), (1000, 900), (9000, 9100), (70, 70)] {
            for _ in 0..push {
                fifo.push(table(pushed)).unwrap();
                pushed += 1;
            }
            for _ in 0..pop {
                assert_eq!(fifo.pop().unwrap(), Some(table(popped)));
                popped += 1;
            }
        }
        assert_eq!(pushed, popped);
        assert_eq!(fifo.pop().unwrap(), None);
        assert!(fifo.file.is_some());
        assert!(fifo.front.capacity() <= 2 * HELD && fifo.back.capacity() <= 2 * HELD);
    }
}
