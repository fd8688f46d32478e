//! Times of engines on compiled programs, on one core.

use crate::measure::{Spread, cpu_timed, timed};
use halfgate_circuit::Wire;
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::{Broken, seeded_labels};
use halfgate_engine::{
    Delta, Engine, EvaluatorIo, GarblerIo, IoError, Label, Prepared, RunKey, Suite,
};

/// Number of measurements of each time, in turns.
pub const TURNS: usize = 7;

/// Times of one program on one core.
pub struct Measured {
    /// Seconds per AND to garble, with tables written to memory.
    pub garble: Spread,
    /// Seconds per AND to evaluate.
    pub evaluate: Spread,
}

/// Builds a built-in program in the default order.
///
/// # Errors
/// If it cannot be built or compiled.
pub fn program(spec: &str) -> Result<Program, String> {
    let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
    compile(circuit, Order::default()).map_err(|e| e.to_string())
}

/// Garbles and evaluates `program` in turns. Tables go to memory that was touched before.
///
/// # Errors
/// Those of the engine.
pub fn measure(program: &Program) -> Result<Measured, String> {
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let cycles = program.circuit.cycles;
    let ands = (program.ands_per_cycle() * cycles) as f64;
    let mut tables = vec![0xa5; ands as usize * 32];
    let (mut garble, mut evaluate) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (result, seconds) = timed(|| garble_into(&mut *prepared, cycles, &mut tables));
        result?;
        garble.push(seconds / ands);
        let (result, seconds) = timed(|| evaluate_from(&mut *prepared, cycles, &tables));
        result?;
        evaluate.push(seconds / ands);
    }
    Ok(Measured { garble: Spread::of(garble), evaluate: Spread::of(evaluate) })
}

/// Seconds of processor time to garble `program` once on `engine`, without lowering, with tables
/// written to memory.
///
/// # Errors
/// Those of the engine.
pub fn garbling_seconds(engine: &dyn Engine, program: &Program) -> Result<f64, String> {
    garbling_seconds_in(engine, program, Suite::HalfGates)
}

/// Like [`garbling_seconds`], in another suite.
///
/// # Errors
/// Those of the engine.
pub fn garbling_seconds_in(
    engine: &dyn Engine,
    program: &Program,
    suite: Suite,
) -> Result<f64, String> {
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let cycles = program.circuit.cycles;
    let ands = (program.ands_per_cycle() * cycles) as usize;
    let mut tables = vec![0xa5; ands * suite.table_bytes()];
    let garble = || garble_in(suite, &mut *prepared, cycles, &mut tables);
    let (result, seconds) = cpu_timed(garble);
    result.map(|()| seconds)
}

/// Seconds of processor time to evaluate `program` once on `engine`, without lowering, with tables
/// from memory. The tables are arbitrary, as the time does not depend on them.
///
/// # Errors
/// Those of the engine.
pub fn evaluating_seconds(engine: &dyn Engine, program: &Program) -> Result<f64, String> {
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let cycles = program.circuit.cycles;
    let tables = vec![0xa5; (program.ands_per_cycle() * cycles) as usize * 32];
    let (result, seconds) = cpu_timed(|| evaluate_from(&mut *prepared, cycles, &tables));
    result.map(|()| seconds)
}

const POINT: u128 = 0x1234_5678_9abc_def0;
pub(crate) const KEY: RunKey = RunKey { suite: Suite::HalfGates, point: POINT };

fn garble_into(prepared: &mut dyn Prepared, cycles: u64, tables: &mut [u8]) -> Result<(), String> {
    garble_in(Suite::HalfGates, prepared, cycles, tables)
}

fn garble_in(
    suite: Suite,
    prepared: &mut dyn Prepared,
    cycles: u64,
    tables: &mut [u8],
) -> Result<(), String> {
    let mut io = ToMemory { suite, tables, done: 0 };
    let key = RunKey { suite, point: POINT };
    let garbled = prepared.garble(key, &delta(suite), cycles, &mut io);
    garbled.map_err(|e| e.to_string())?;
    Ok(())
}

pub(crate) fn delta(suite: Suite) -> Delta {
    Delta::new(suite.clip(Label::from_u128(0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1)))
}

fn evaluate_from(prepared: &mut dyn Prepared, cycles: u64, tables: &[u8]) -> Result<(), String> {
    let mut io = FromMemory { tables };
    prepared.evaluate(KEY, cycles, &mut io).map_err(|e| e.to_string())?;
    Ok(())
}

/// Writes tables to one large area of memory, takes labels from a seed and discards outputs.
struct ToMemory<'a> {
    suite: Suite,
    tables: &'a mut [u8],
    done: usize,
}

impl GarblerIo for ToMemory<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        give(cycle, bits, labels);
        for label in labels {
            *label = self.suite.clip(*label);
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        let start = self.done;
        self.done += bytes;
        let left = self.tables.len().saturating_sub(start);
        let space = self.tables.get_mut(start..start + bytes);
        Ok(space.ok_or(Broken::NoTables { requested: bytes, left })?)
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

struct FromMemory<'a> {
    tables: &'a [u8],
}

impl EvaluatorIo for FromMemory<'_> {
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
        let left = self.tables.len();
        let pieces = self.tables.split_at_checked(bytes);
        let (now, rest) = pieces.ok_or(Broken::NoTables { requested: bytes, left })?;
        self.tables = rest;
        Ok(now)
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

pub(crate) fn give(cycle: u64, bits: &[Wire], labels: &mut [Label]) {
    let mut seeded = seeded_labels(1);
    for (label, &bit) in labels.iter_mut().zip(bits) {
        *label = seeded(cycle, bit);
    }
}
