//! A run of the fast model.

use super::accounts::Dispatched;
use super::ahead::Ahead;
use super::engine::Engine;
use super::frontend::Loader;
use super::memory::Memory;
use super::window::{Banks, REFRESH, Slots};
use super::{Counts, Fast, Halves, Spoke};
use crate::code::Code;
use crate::issue::Sink;
use crate::machine::Machine;
use crate::model::attached::{Attached, Ports};
use crate::model::config::Config;
use crate::model::rows::{CodeError, RowBits, survey};
use crate::model::{Cause, Error, Options};
use crate::report::Report;
use halfgate_circuit::Party;

/// Runs `code` once on `machine`; `sizes` has the length of each row of instructions.
///
/// # Errors
/// If machine or code is impossible, a temporary file cannot be read, the program gets stuck, or
/// the sink stops it.
pub fn run<S: Sink>(
    code: &Code,
    machine: &Machine,
    options: &Options,
    sizes: &mut dyn RowBits,
    sink: &mut S,
) -> Result<Report, Error<S::Error>> {
    start(code, machine, options, sizes)?.run(code, machine, options, sink)
}

/// As [`run`], with a memory that has times of its own.
///
/// # Errors
/// As [`run`]; also if that memory no longer responds.
pub fn run_attached<'a, S: Sink>(
    code: &'a Code,
    machine: &Machine,
    options: &Options,
    sizes: &'a mut dyn RowBits,
    sink: &mut S,
    attached: Attached<'a>,
) -> Result<Report, Error<S::Error>> {
    let mut fast = start(code, machine, options, sizes)?;
    fast.memory.ports = Some(Ports::new(attached, fast.config.engines));
    fast.run(code, machine, options, sink)
}

/// The machine before its first cycle.
fn start<'a, E>(
    code: &'a Code,
    machine: &Machine,
    options: &Options,
    sizes: &'a mut dyn RowBits,
) -> Result<Fast<'a>, Error<E>> {
    let config = Config::new(machine, options.role).map_err(Error::Machine)?;
    let survey = survey(code, &config)?.map_err(Error::Code)?;
    let engine = |e: usize| Engine::new(&config, survey.ands[e], code.oor[e].len());
    let complete = config.half_of(code.first_output);
    let ring = (config.and.max(config.xor) as usize + 3).next_power_of_two();
    Ok(Fast {
        first_output: code.first_output,
        is_evaluator: options.role == Party::Evaluator,
        now: 0,
        engines: (0..config.engines).map(engine).collect(),
        awake: !0 >> (64 - config.engines),
        wait_write: 0,
        wait_read: 0,
        wait_input: 0,
        wait_unissued: 0,
        slots: Slots::new(&config, code.first_output),
        banks: Banks::new(&config, ring),
        touched: 0,
        refresh_at: REFRESH,
        wheel: vec![Spoke::default(); ring],
        results: vec![0; 2 * ring * config.engines],
        full: 0,
        late: 0,
        read_limit: (u64::from(complete) + 2) * u64::from(config.shape.half()),
        write_limit: 0,
        halves: Halves {
            complete,
            issued: [0; 2],
            size: config.instructions_in_half(complete, code.first_output),
            unwritten: [0; 2],
            finished: [0; 2],
        },
        ahead: Ahead::new(code, sizes, &config),
        dispatched: Dispatched::new(),
        rows_left: survey.rows,
        next_output: code.first_output,
        next_and: 0,
        used_bits: 0,
        loader: Loader::new(code, &survey, &config),
        memory: Memory::new(code),
        counts: Counts::default(),
        config,
    })
}

impl Fast<'_> {
    fn run<S: Sink>(
        mut self,
        code: &Code,
        machine: &Machine,
        options: &Options,
        sink: &mut S,
    ) -> Result<Report, Error<S::Error>> {
        let preloaded_bytes = if options.preloaded { self.preload()? } else { 0 };
        self.ahead.has_burst(0)?;
        while self.is_at_work() || self.now < self.end() {
            self.cycle(sink)?;
            if self.ahead.too_long {
                return Err(Error::Code(CodeError::LongRow));
            }
        }
        Ok(self.report(code, machine, preloaded_bytes))
    }

    /// Whether any work is left.
    pub(super) fn is_at_work(&self) -> bool {
        self.rows_left > 0
            || self.counts.unissued > 0
            || self.counts.to_memory > 0
            || !self.memory.is_idle()
            || !self.loader.is_done()
    }

    /// The cycle after the last known event.
    pub(super) fn end(&self) -> u64 {
        let last = self.last_result().map(|due| due + 1).max(self.counts.last_event);
        last.map_or(0, |cycle| cycle + 1)
    }

    /// When the last result is on the bus.
    fn last_result(&self) -> Option<u64> {
        let issued = self.engines.iter().filter(|engine| engine.has_issued());
        issued.map(|engine| engine.last_due).max()
    }

    fn report(mut self, code: &Code, machine: &Machine, preloaded_bytes: u64) -> Report {
        for e in 0..self.engines.len() {
            self.wake(e, self.now);
        }
        let last_result = self.last_result();
        let mut activity = self.counts.activity;
        activity.window_writes += activity.ands + activity.xors;
        let mut traffic = self.counts.traffic;
        traffic.live_outputs = code.stats.live_outputs;
        Report {
            cycles: self.now,
            first_issue: self.counts.first_issue.unwrap_or(0),
            last_write_back: last_result
                .map(|due| due + 1)
                .max(self.counts.last_write)
                .unwrap_or(0),
            engines: self.engines.iter().map(|engine| Cause::report(&engine.causes)).collect(),
            traffic,
            preloaded_bytes,
            memory_bound_cycles: self.counts.memory_bound,
            wire_bytes: self.config.wire_bytes,
            bytes_per_cycle: machine.memory.bytes_per_cycle,
            activity,
        }
    }
}
