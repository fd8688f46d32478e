//! Reorders tables between the order of execution, in which a machine makes and uses them, and the
//! program's order, in which they are sent. A machine's memory has one stream of tables per engine,
//! and the host merges them by AND number. This module does the same for models.
//!
//! Memory: the tables from the first that is not done to the last that is done, at most a window.

use super::error::RunError;
use halfgate_engine::EngineError;

/// Bytes of a table.
pub(super) const TABLE: usize = 32;

/// Smallest capacity, in tables.
const LEAST: usize = 1 << 10;

/// The tables of a launch, which become done out of order.
pub(super) struct Tables {
    rows: Vec<[u8; TABLE]>,
    done: Vec<bool>,
    /// Number of the first table that is not done.
    due: u64,
    /// Largest distance from the first table that is not done to any table that is done.
    window: u64,
    /// Number of tables fetched from the caller, for an evaluator.
    pub fetched: u64,
}

impl Tables {
    /// Tables for ANDs that come at most `window` ahead of the first AND not done.
    pub fn new(window: u64) -> Tables {
        let space = LEAST;
        Tables {
            rows: vec![[0; TABLE]; space],
            done: vec![false; space],
            due: 0,
            window,
            fetched: 0,
        }
    }

    /// Begins a launch.
    pub fn clear(&mut self) {
        self.done.fill(false);
        self.due = 0;
        self.fetched = 0;
    }

    /// The number of the first table that is not done.
    pub fn due(&self) -> u64 {
        self.due
    }

    fn place(&self, number: u64) -> usize {
        number as usize & (self.rows.len() - 1)
    }

    /// The buffer of table `number`. It is an error if the table is done already, or is too far
    /// ahead of the first that is not done.
    pub fn row(&mut self, number: u64) -> Result<&mut [u8; TABLE], EngineError> {
        let window = self.window;
        let wrong = |error| Err(EngineError::machine(error));
        let Some(ahead) = number.checked_sub(self.due) else {
            return wrong(RunError::Twice { number });
        };
        if ahead >= window {
            return wrong(RunError::TooEarly { number, due: self.due });
        }
        while ahead >= self.rows.len() as u64 {
            self.grow();
        }
        let place = self.place(number);
        if self.done[place] {
            return wrong(RunError::Twice { number });
        }
        Ok(&mut self.rows[place])
    }

    /// Doubles the capacity; each row moves to its new place.
    fn grow(&mut self) {
        let old = self.rows.len();
        let (rows, done) = (self.rows.clone(), self.done.clone());
        self.rows.resize(2 * old, [0; TABLE]);
        self.done = vec![false; 2 * old];
        for number in self.due..self.due + old as u64 {
            let from = number as usize & (old - 1);
            let to = self.place(number);
            self.rows[to] = rows[from];
            self.done[to] = done[from];
        }
    }

    /// Marks table `number` as made or used. Its buffer must come from [`row`](Tables::row).
    pub fn set_done(&mut self, number: u64) {
        let place = self.place(number);
        self.done[place] = true;
    }

    /// Number of tables that are done without a gap, counted from the first one left and limited to
    /// `most`.
    pub fn in_turn(&self, most: usize) -> usize {
        let places = (0..most.min(self.rows.len()) as u64).map(|i| self.place(self.due + i));
        places.take_while(|place| self.done[*place]).count()
    }

    /// Removes the first `count` tables, which must be done. Passes each to `to`.
    pub fn leave(&mut self, count: usize, mut to: impl FnMut(usize, &[u8; TABLE])) {
        for i in 0..count {
            let place = self.place(self.due);
            self.done[place] = false;
            self.due += 1;
            to(i, &self.rows[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(tables: &mut Tables, number: u64) -> Result<(), EngineError> {
        *tables.row(number)? = [number as u8; TABLE];
        tables.set_done(number);
        Ok(())
    }

    #[test]
    fn tables_leave_in_order_whatever_order_they_come_in() {
        let mut tables = Tables::new(1 << 12);
        let mut seen = Vec::new();
        for start in [0, 4000, 8000] {
            for number in (start..start + 4000).rev() {
                done(&mut tables, number).unwrap();
                assert_eq!(tables.in_turn(9000) > 0, number == start);
            }
            let count = tables.in_turn(9000);
            tables.leave(count, |_, row| seen.push(row[0]));
        }
        assert_eq!(seen, (0..12_000).map(|n| n as u8).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_that_cannot_be_are_refused() {
        let mut tables = Tables::new(64);
        done(&mut tables, 0).unwrap();
        done(&mut tables, 5).unwrap();
        for wrong in [0, 5] {
            assert!(done(&mut tables, wrong).unwrap_err().to_string().contains("twice"));
        }
        tables.leave(1, |_, _| ());
        assert!(done(&mut tables, 0).unwrap_err().to_string().contains("twice"));
        done(&mut tables, 64).unwrap();
        assert!(done(&mut tables, 65).unwrap_err().to_string().contains("window"));
    }
}
