//! A prepared program on a machine that cannot garble.

use crate::{Counters, Delta, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey};
use halfgate_circuit::Party;

/// A program on a machine that only evaluates: `evaluate` runs it, and garbling is refused.
pub struct EvaluatesOnly<F> {
    name: String,
    evaluate: F,
}

impl<F> EvaluatesOnly<F>
where
    F: FnMut(RunKey, u64, &mut dyn EvaluatorIo) -> Result<Counters, EngineError> + Send,
{
    /// Creates the program for the engine called `name`.
    pub fn new(name: String, evaluate: F) -> EvaluatesOnly<F> {
        EvaluatesOnly { name, evaluate }
    }
}

impl<F> Prepared for EvaluatesOnly<F>
where
    F: FnMut(RunKey, u64, &mut dyn EvaluatorIo) -> Result<Counters, EngineError> + Send,
{
    fn garble(
        &mut self,
        _: RunKey,
        _: &Delta,
        _: u64,
        _: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        Err(EngineError::Role { engine: self.name.clone(), has: Party::Evaluator })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        (self.evaluate)(key, cycles, io)
    }
}
