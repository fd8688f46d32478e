//! The streams of tables in memory, one per engine: the AND number of each table.

use std::collections::VecDeque;
use std::io;

use halfgate_compiler::spool::SpoolReader;

use crate::code::Code;
use crate::instruction::{Instruction, Op};

/// Reads the numbers of an engine's ANDs in order.
///
/// Memory: the numbers between the requests of the engine that is furthest ahead and of the one
/// that is furthest behind.
pub struct TableStreams<'a> {
    reader: SpoolReader<'a, 8>,
    numbers: Vec<VecDeque<u64>>,
    engine: usize,
    next: u64,
}

impl<'a> TableStreams<'a> {
    /// The streams of `code`.
    pub fn new(code: &'a Code) -> TableStreams<'a> {
        let engines = code.shape.engines as usize;
        TableStreams {
            reader: code.rows.reader(),
            numbers: vec![VecDeque::new(); engines],
            engine: 0,
            next: 0,
        }
    }

    /// The number of the next table of `engine`, or `None` after its last.
    pub fn next(&mut self, engine: usize) -> io::Result<Option<u64>> {
        while self.numbers[engine].is_empty() {
            let Some(bits) = self.reader.next()? else { return Ok(None) };
            if Instruction::from_bits(u64::from_le_bytes(bits)).op() == Op::And {
                self.numbers[self.engine].push_back(self.next);
                self.next += 1;
            }
            self.engine = (self.engine + 1) % self.numbers.len();
        }
        Ok(self.numbers[engine].pop_front())
    }
}
