//! A ring of the rows between the dispatcher and the last requested burst.

use std::io;

use halfgate_compiler::spool::SpoolReader;

use crate::code::Code;
use crate::instruction::Instruction;
use crate::model::config::{BURST, Config};
use crate::model::rows::RowBits;

/// The ring.
///
/// Memory: as many rows as the instruction queue holds.
pub struct Ahead<'a> {
    reader: SpoolReader<'a, 8>,
    sizes: &'a mut dyn RowBits,
    engines: usize,
    rows: Vec<Instruction>,
    /// For each row the index of the bit after it, and the engines that have an instruction in it.
    about: Vec<(u64, u64)>,
    first: u64,
    end: u64,
    bits: u64,
    ended: bool,
    limit: u64,
    pub too_long: bool,
}

impl<'a> Ahead<'a> {
    pub fn new(code: &'a Code, sizes: &'a mut dyn RowBits, config: &Config) -> Ahead<'a> {
        let rows = 64;
        Ahead {
            reader: code.rows.reader(),
            sizes,
            engines: config.engines,
            rows: vec![Instruction::NOP; rows * config.engines],
            about: vec![(0, 0); rows],
            first: 0,
            end: 0,
            bits: 0,
            ended: false,
            limit: (config.instruction_bursts - 1) * u64::from(8 * BURST) + 1,
            too_long: false,
        }
    }

    /// Whether the stream has a burst with number `index`.
    #[inline]
    pub fn has_burst(&mut self, index: u64) -> io::Result<bool> {
        let bit = index * u64::from(8 * BURST);
        while self.bits <= bit && !self.ended {
            self.read()?;
        }
        Ok(self.bits > bit)
    }

    fn read(&mut self) -> io::Result<()> {
        if (self.end - self.first) as usize == self.about.len() {
            self.grow();
        }
        let index = self.end as usize & (self.about.len() - 1);
        let row = &mut self.rows[index * self.engines..][..self.engines];
        let mut some = 0;
        for (e, place) in row.iter_mut().enumerate() {
            let Some(bits) = self.reader.next()? else {
                self.ended = true;
                return Ok(());
            };
            *place = Instruction::from_bits(u64::from_le_bytes(bits));
            some |= u64::from(!place.is_nop()) << e;
        }
        let size = u64::from(self.sizes.bits(row)?);
        self.too_long |= size > self.limit;
        self.bits += size;
        self.about[index] = (self.bits, some);
        self.end += 1;
        Ok(())
    }

    /// Doubles the capacity, in rows.
    #[cold]
    fn grow(&mut self) {
        let old = self.about.len();
        let mut rows = vec![Instruction::NOP; 2 * old * self.engines];
        let mut about = vec![(0, 0); 2 * old];
        for row in self.first..self.end {
            let from = row as usize & (old - 1);
            let to = row as usize & (2 * old - 1);
            about[to] = self.about[from];
            rows[to * self.engines..][..self.engines]
                .copy_from_slice(&self.rows[from * self.engines..][..self.engines]);
        }
        (self.rows, self.about) = (rows, about);
    }

    /// The index of the bit after the next row, and the engines that it has instructions for. The
    /// row must exist.
    #[inline]
    pub fn about(&mut self) -> io::Result<(u64, u64)> {
        if self.first == self.end {
            self.read()?;
        }
        Ok(self.about[self.first as usize & (self.about.len() - 1)])
    }

    /// The next row's instruction for an engine.
    #[inline]
    pub fn peek(&self, e: usize) -> Instruction {
        self.rows[(self.first as usize & (self.about.len() - 1)) * self.engines + e]
    }

    /// Moves on to the next row.
    #[inline]
    pub fn pop(&mut self) {
        self.first += 1;
    }
}
