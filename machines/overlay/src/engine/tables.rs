//! Tables in the order in which an overlay makes them, and in the program's.

use super::error::RunError;
use halfgate_engine::EngineError;
use halfgate_engine::io::GarblerIo;
use std::collections::VecDeque;

/// Tables that pass to the caller in one piece, at most.
const PIECE: usize = 4096;

/// The tables of a netlist cycle. Memory: those that were made before one that comes earlier.
#[derive(Default)]
pub struct Tables {
    bytes: usize,
    /// ANDs of the run before this netlist cycle, of it, and handed on.
    base: u64,
    ands: u64,
    handed: u64,
    waiting: VecDeque<Option<Vec<u8>>>,
}

impl Tables {
    /// For `ands` ANDs from number `base` on, with tables of so many bytes.
    pub fn new(base: u64, ands: u64, bytes: usize) -> Tables {
        Tables { bytes, base, ands, handed: 0, waiting: VecDeque::new() }
    }

    /// Bytes of a table.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The table of the AND of this number in the run.
    ///
    /// # Errors
    /// If there is none, or it was made before.
    pub fn put(&mut self, number: u64, table: &[u8]) -> Result<(), EngineError> {
        let wrong = || EngineError::machine(RunError::OutOfTurn { number });
        let own = number.checked_sub(self.base).filter(|own| *own < self.ands).ok_or_else(wrong)?;
        let place = own.checked_sub(self.handed).ok_or_else(wrong)? as usize;
        if place >= self.waiting.len() {
            self.waiting.resize(place + 1, None);
        }
        match self.waiting[place].replace(table.to_vec()) {
            None => Ok(()),
            Some(_) => Err(wrong()),
        }
    }

    /// Hands on what is in order, if it is a piece or `all` there are.
    ///
    /// # Errors
    /// The caller's; if all are wanted and there are not all.
    pub fn hand_on(&mut self, io: &mut dyn GarblerIo, all: bool) -> Result<(), EngineError> {
        loop {
            let ready = self.waiting.iter().take(PIECE).take_while(|table| table.is_some()).count();
            if ready == 0 || (ready < PIECE && !all) {
                break;
            }
            let space = io.table_space(ready * self.bytes).map_err(EngineError::Io)?;
            for (space, table) in
                space.chunks_exact_mut(self.bytes).zip(self.waiting.drain(..ready))
            {
                space.copy_from_slice(&table.unwrap_or_default());
            }
            io.tables_ready().map_err(EngineError::Io)?;
            self.handed += ready as u64;
        }
        match all && self.handed < self.ands {
            false => Ok(()),
            true => Err(EngineError::machine(RunError::NeverMade { number: self.handed })),
        }
    }
}
