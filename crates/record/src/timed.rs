//! Times of one program again and again, flat or with functions, on one core. Tables stay in the
//! second-level cache.

use crate::engine::{KEY, delta, give};
use crate::measure::{cpu_timed, timed};
use halfgate_circuit::Wire;
use halfgate_compiler::{Program, StructuredProgram};
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_engine::testing::Broken;
use halfgate_engine::{Engine, EngineError, EvaluatorIo, GarblerIo, IoError, Label, Prepared};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Bytes of the buffer that tables are written to and read from, again and again.
pub const RING: usize = 256 << 10;

/// Number of ANDs between two looks at the clock of a run that is stopped.
const CLOCK_INTERVAL_ANDS: u64 = 1 << 14;

/// A program that is ready to be garbled and evaluated on one core.
pub struct Timed<'p> {
    prepared: Box<dyn Prepared + 'p>,
    cycles: u64,
    ring: Ring,
}

/// A run, to its end or stopped.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// Seconds of processor time for each AND, of the thread that runs the program.
    pub seconds: f64,
    /// Seconds until the run ended.
    pub elapsed: f64,
    /// Tables made or used.
    pub ands: u64,
    /// When the first tables were made or used.
    pub first: Option<Instant>,
}

impl<'p> Timed<'p> {
    /// Prepares a flat program.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn flat(program: &'p Program) -> Result<Timed<'p>, String> {
        Timed::flat_on(program, Threads::default())
    }

    /// Prepares a flat program for several threads.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn flat_on(program: &'p Program, threads: Threads) -> Result<Timed<'p>, String> {
        let engine = engine()?.with_threads(threads);
        let prepared = engine.prepare(program).map_err(|e| e.to_string())?;
        Ok(Timed { prepared, cycles: program.circuit.cycles, ring: Ring::new() })
    }

    /// Prepares a program with functions.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn structured(program: &'p StructuredProgram) -> Result<Timed<'p>, String> {
        Timed::structured_on(program, Threads::default())
    }

    /// Prepares a program with functions for several threads. Tables that other threads make stay
    /// in their buffers.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn structured_on(
        program: &'p StructuredProgram,
        threads: Threads,
    ) -> Result<Timed<'p>, String> {
        let engine = engine()?.with_threads(threads);
        let prepared = engine.prepare_structured(program).map_err(|e| e.to_string())?;
        Ok(Timed { prepared, cycles: program.circuit.cycles, ring: Ring::new() })
    }

    /// Garbles the program, or as much of it as takes that time.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn garble(&mut self, most: Option<Duration>) -> Result<Ran, String> {
        let Timed { prepared, cycles, ring } = self;
        ring.start(most);
        let ((result, seconds), elapsed) = timed(|| {
            cpu_timed(|| prepared.garble(KEY, &delta(KEY.suite), *cycles, ring).map(drop))
        });
        ring.end(result, seconds, elapsed)
    }

    /// Evaluates the program, or as much of it as takes that time. The tables are arbitrary: the
    /// time does not depend on them.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn evaluate(&mut self, most: Option<Duration>) -> Result<Ran, String> {
        let Timed { prepared, cycles, ring } = self;
        ring.start(most);
        let ((result, seconds), elapsed) =
            timed(|| cpu_timed(|| prepared.evaluate(KEY, *cycles, ring).map(drop)));
        ring.end(result, seconds, elapsed)
    }
}

fn engine() -> Result<CpuEngine, String> {
    CpuEngine::new(None).map_err(|e| e.to_string())
}

/// Space for tables that begins again at its start. Takes labels from a seed and discards outputs.
struct Ring {
    tables: Vec<u8>,
    at: usize,
    ands: u64,
    first: Option<Instant>,
    stop: Option<Instant>,
    /// ANDs at which to look at the clock again.
    next_look: u64,
    stopped: bool,
}

impl Ring {
    fn new() -> Ring {
        Ring::of(vec![0xa5; RING])
    }

    fn of(tables: Vec<u8>) -> Ring {
        Ring { tables, at: 0, ands: 0, first: None, stop: None, next_look: 0, stopped: false }
    }

    fn start(&mut self, most: Option<Duration>) {
        let tables = std::mem::take(&mut self.tables);
        *self = Ring { stop: most.map(|most| Instant::now() + most), ..Ring::of(tables) };
    }

    fn end(
        &self,
        result: Result<(), EngineError>,
        seconds: f64,
        elapsed: f64,
    ) -> Result<Ran, String> {
        if !self.stopped {
            result.map_err(|e| e.to_string())?;
        }
        let seconds = seconds / self.ands as f64;
        Ok(Ran { seconds, elapsed, ands: self.ands, first: self.first })
    }

    /// The place of the next `bytes` bytes. Fails once it is time to stop.
    fn next(&mut self, bytes: usize) -> Result<Range<usize>, IoError> {
        if self.ands >= self.next_look {
            self.next_look = self.ands + CLOCK_INTERVAL_ANDS;
            if self.stop.is_some_and(|stop| Instant::now() >= stop) {
                self.stopped = true;
                return Err(IoError::kept());
            }
        }
        if self.at + bytes > RING {
            self.at = 0;
        }
        if bytes > RING {
            return Err(Broken::NoTables { requested: bytes, left: RING }.into());
        }
        self.at += bytes;
        self.ands += (bytes / KEY.suite.table_bytes()) as u64;
        Ok(self.at - bytes..self.at)
    }

    fn note_first(&mut self) {
        if self.first.is_none() {
            self.first = Some(Instant::now());
        }
    }
}

impl GarblerIo for Ring {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        give(cycle, bits, labels);
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        let part = self.next(bytes)?;
        Ok(&mut self.tables[part])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        self.note_first();
        Ok(())
    }

    fn give_tables(&mut self, tables: &[u8]) -> Result<(), IoError> {
        self.next(tables.len())?;
        self.note_first();
        Ok(())
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

impl EvaluatorIo for Ring {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        give(cycle, bits, labels);
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        let part = self.next(bytes)?;
        self.note_first();
        Ok(&self.tables[part])
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::builder::Arg;
    use halfgate_circuit::{Builder, Party, int};

    #[test]
    fn runs_count_their_ands_and_may_be_stopped() {
        let mut b = Builder::new();
        let x = b.input_array("x", Party::Garbler, 16, 2_000);
        let squares = b.map("square", 2_000, &[Arg::Array(x)], |b, x| int::square(b, &x[0]));
        b.output_array("squares", squares);
        let program = StructuredProgram::new(b.finish_structured().unwrap()).unwrap();
        let flat = program.flat().unwrap();
        let ands = program.size().ands;
        let mut timed = [Timed::flat(flat).unwrap(), Timed::structured(&program).unwrap()];
        for timed in &mut timed {
            for ran in [timed.garble(None), timed.evaluate(None)] {
                let ran = ran.unwrap();
                assert_eq!((ran.ands, ran.first.is_some()), (ands, true));
            }
        }
        let [_, timed] = &mut timed;
        assert_eq!(timed.garble(Some(Duration::ZERO)).unwrap().ands, 0);
        let some = timed.evaluate(Some(Duration::from_nanos(1))).unwrap();
        assert!(some.ands < ands && some.first.is_none());
    }
}
