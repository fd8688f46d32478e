//! Reorders tables from an overlay's order to the program's.

use super::error::RunError;
use halfgate_engine::EngineError;
use halfgate_engine::io::GarblerIo;
use std::collections::VecDeque;

/// Maximum number of tables that are passed to the caller at once.
const PIECE: usize = 4096;

/// The tables of a netlist cycle. Memory: all tables that were made and not yet passed on.
#[derive(Default)]
pub struct Tables {
    bytes: usize,
    /// Number of ANDs in the run before this netlist cycle; number in this cycle (`ands`); and
    /// number whose tables were passed on (`handed`).
    base: u64,
    ands: u64,
    handed: u64,
    waiting: VecDeque<Option<Vec<u8>>>,
}

impl Tables {
    /// Prepares for the tables of `ands` ANDs, whose numbers begin at `base`. A table has `bytes`
    /// bytes.
    pub fn new(base: u64, ands: u64, bytes: usize) -> Tables {
        Tables { bytes, base, ands, handed: 0, waiting: VecDeque::new() }
    }

    /// Bytes of a table.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Stores the table of the AND with this number in the run.
    ///
    /// # Errors
    /// If this cycle has no AND with this number, or its table was stored before.
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

    /// Passes on the next tables in order, if they fill a piece of 4,096 or `all` is set.
    ///
    /// # Errors
    /// If the caller fails, or if `all` is set and a table is missing.
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
