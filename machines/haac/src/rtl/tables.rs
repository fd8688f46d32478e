//! The two directions of tables: a garbling machine writes them, an evaluating one reads them.

use super::BURST;
use crate::engine::host::{EngineTables, Evaluator, Garbler, Side, TABLE};
use halfgate_engine::EngineError;

/// A role, with its way to handle tables.
pub(super) trait Tables: Side {
    /// Handles `count` tables of an engine that the machine wrote.
    fn written(
        &mut self,
        tables: &mut EngineTables<'_>,
        engine: usize,
        burst: &[u8; BURST],
        count: usize,
    ) -> Result<bool, EngineError>;

    /// Provides `count` tables of an engine that the machine reads.
    fn read(
        &mut self,
        tables: &mut EngineTables<'_>,
        engine: usize,
        burst: &mut [u8],
        count: usize,
    ) -> Result<bool, EngineError>;

    /// Ends the launch.
    fn finish(&mut self, tables: &mut EngineTables<'_>) -> Result<(), EngineError>;
}

impl Tables for Garbler<'_> {
    fn written(
        &mut self,
        tables: &mut EngineTables<'_>,
        engine: usize,
        burst: &[u8; BURST],
        count: usize,
    ) -> Result<bool, EngineError> {
        for table in &burst.as_chunks::<TABLE>().0[..count] {
            tables.push(engine, *table)?;
        }
        tables.hand_on(self.io, false)?;
        Ok(true)
    }

    fn read(
        &mut self,
        _: &mut EngineTables<'_>,
        _: usize,
        _: &mut [u8],
        _: usize,
    ) -> Result<bool, EngineError> {
        Ok(false)
    }

    fn finish(&mut self, tables: &mut EngineTables<'_>) -> Result<(), EngineError> {
        tables.hand_on(self.io, true)
    }
}

impl Tables for Evaluator<'_> {
    fn written(
        &mut self,
        _: &mut EngineTables<'_>,
        _: usize,
        _: &[u8; BURST],
        _: usize,
    ) -> Result<bool, EngineError> {
        Ok(false)
    }

    fn read(
        &mut self,
        tables: &mut EngineTables<'_>,
        engine: usize,
        burst: &mut [u8],
        count: usize,
    ) -> Result<bool, EngineError> {
        for table in &mut burst.as_chunks_mut::<TABLE>().0[..count] {
            *table = tables.pull(engine, self.io)?;
        }
        Ok(true)
    }

    fn finish(&mut self, _: &mut EngineTables<'_>) -> Result<(), EngineError> {
        Ok(())
    }
}
