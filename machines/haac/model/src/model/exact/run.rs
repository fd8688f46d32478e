//! A run of the exact model, from an empty machine to the last acknowledgement.

use super::engine::Engine;
use super::frontend::{Dispatcher, Loader};
use super::halves::Halves;
use super::memory::{Disturbance, Disturbed, Memory};
use super::tables::TableStreams;
use super::watch::{NoWatch, Watch};
use super::window::Window;
use super::{Counts, Exact, Mutation, Registered};
use crate::code::{Code, Source};
use crate::issue::Sink;
use crate::machine::Machine;
use crate::model::attached::{Attached, Ports};
use crate::model::config::{BURST, Config};
use crate::model::rows::{CodeError, RowBits, Rows, survey};
use crate::model::{Cause, Error, Options};
use crate::report::{Activity, Report, Traffic};
use halfgate_circuit::Party;

/// Options of a run that only tests use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra {
    /// Memory and engines outside the contract.
    pub disturbance: Option<Disturbance>,
    /// An injected fault.
    pub mutation: Option<Mutation>,
}

/// Runs `code` once on `machine`; `sizes` has the length of each row of instructions in an
/// encoding.
///
/// # Errors
/// If machine or code is impossible, a temporary file cannot be read, the program gets stuck, an
/// output is not written to memory, or the sink stops it.
pub fn run<S: Sink>(
    code: &Code,
    machine: &Machine,
    options: &Options,
    sizes: &mut dyn RowBits,
    sink: &mut S,
) -> Result<Report, Error<S::Error>> {
    run_with(code, machine, options, sizes, sink, &mut NoWatch, Extra::default())
}

/// As [`run`], with an observer, disturbances, and faults.
///
/// # Errors
/// As [`run`].
pub fn run_with<S: Sink, W: Watch>(
    code: &Code,
    machine: &Machine,
    options: &Options,
    sizes: &mut dyn RowBits,
    sink: &mut S,
    watch: &mut W,
    extra: Extra,
) -> Result<Report, Error<S::Error>> {
    start(code, machine, options, sizes, extra)?.run(machine, options, sink, watch)
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
    let mut exact = start(code, machine, options, sizes, Extra::default())?;
    exact.memory.ports = Some(Ports::new(attached, exact.config.engines));
    exact.run(machine, options, sink, &mut NoWatch)
}

/// The machine before its first cycle.
fn start<'a, E>(
    code: &'a Code,
    machine: &Machine,
    options: &Options,
    sizes: &'a mut dyn RowBits,
    extra: Extra,
) -> Result<Exact<'a>, Error<E>> {
    let config = Config::new(machine, options.role).map_err(Error::Machine)?;
    let survey = survey(code, &config)?.map_err(Error::Code)?;
    Ok(Exact {
        code,
        mutation: extra.mutation,
        now: 0,
        rows: Rows::new(code, sizes, &config),
        dispatcher: Dispatcher::new(code, &survey),
        loader: Loader::new(code, &survey, &config),
        engines: (0..config.engines).map(|_| Engine::new()).collect(),
        window: Window::new(&config, extra.mutation),
        writing: Vec::new(),
        halves: Halves::new(&config, code.first_output),
        memory: Memory::new(code, &survey.ands, &config),
        tables: TableStreams::new(code),
        registered: Registered::default(),
        disturbance: extra.disturbance.map(Disturbed::new),
        counts: Counts {
            causes: vec![[0; Cause::COUNT]; config.engines],
            traffic: Traffic::default(),
            memory_bound: 0,
            first_issue: None,
            last_write: None,
            activity: Activity::default(),
            last_progress: 0,
            live_writes: 0,
            last_causes: Vec::new(),
        },
        config,
    })
}

impl Exact<'_> {
    fn run<S: Sink, W: Watch>(
        mut self,
        machine: &Machine,
        options: &Options,
        sink: &mut S,
        watch: &mut W,
    ) -> Result<Report, Error<S::Error>> {
        let exact = &mut self;
        let preloaded_bytes = if options.preloaded { exact.preload()? } else { 0 };
        exact.rows.has_burst(0)?;
        // A run may be without issue, request and response for about this long: the time that units
        // and memory take, plus the time in which the credit of a slow memory grows to a burst.
        let burst =
            (u64::from(BURST) * exact.config.credit_byte).div_ceil(exact.config.credit_step);
        let patience = 1000 + 2 * (exact.config.latency + u64::from(exact.config.and) + burst);
        while !exact.is_done() {
            exact.cycle(sink, watch)?;
            if exact.rows.too_long() {
                return Err(Error::Code(CodeError::LongRow));
            }
            // A memory with times of its own may need longer.
            let is_waited_for = exact.memory.ports.as_ref().is_some_and(|ports| !ports.is_dead());
            let is_stuck = exact.now > exact.counts.last_progress + patience && !is_waited_for;
            if is_stuck {
                return Err(exact.stuck());
            }
        }
        exact.look_for_outputs()?;
        Ok(self.report(machine, preloaded_bytes))
    }

    /// Fills the queues and the window before the first cycle. Returns the bytes preloaded.
    fn preload<E>(&mut self) -> Result<u64, Error<E>> {
        let mut bursts = 0;
        while self.dispatcher.requested < self.config.instruction_bursts
            && self.rows.has_burst(self.dispatcher.requested)?
        {
            self.dispatcher.requested += 1;
            bursts += 1;
        }
        self.dispatcher.arrived = self.dispatcher.requested;
        for e in 0..self.engines.len() {
            loop {
                let count = self.memory.next_addresses(e);
                let taken = self.engines[e].levels.addresses_taken;
                if count == 0 || taken + count > self.config.oor_addresses {
                    break;
                }
                let words = self.memory.address_burst(e)?;
                self.engines[e].addresses.extend(words);
                self.engines[e].levels.addresses += count;
                self.engines[e].levels.addresses_taken += count;
                bursts += 1;
            }
            loop {
                let count = self.memory.next_tables(e);
                let taken = self.engines[e].levels.tables_taken;
                if count == 0 || taken + count > self.config.tables {
                    break;
                }
                let numbers = self.table_burst(e, count)?;
                self.engines[e].tables.extend(numbers);
                self.engines[e].levels.tables += count;
                self.engines[e].levels.tables_taken += count;
                bursts += 1;
            }
        }
        let (inputs, input_bursts) = self.loader.preload(&self.config);
        for address in inputs {
            self.window.write(&self.config, address, address);
        }
        Ok((bursts + input_bursts) * u64::from(BURST))
    }

    /// Whether all parts of the machine have finished.
    fn is_done(&self) -> bool {
        let unwritten = |engine: &Engine| {
            let tables = self.config.role == Party::Garbler && engine.levels.tables > 0;
            !engine.levels.idle || engine.levels.live > 0 || tables
        };
        self.dispatcher.next_output().is_none()
            && self.writing.is_empty()
            && self.loader.is_idle()
            && !self.loader.has_request()
            && self.memory.in_flight() == 0
            && !self.engines.iter().any(unwritten)
    }

    /// Checks that all outputs, except those that are inputs, are in memory.
    fn look_for_outputs<E>(&self) -> Result<(), Error<E>> {
        for source in self.code.outputs.iter().chain(&self.code.nexts) {
            if let Source::Wire { address, .. } = *source
                && address >= self.code.first_output
                && self.memory.live.get(&address) != Some(&address)
            {
                return Err(Error::Output { address });
            }
        }
        Ok(())
    }

    fn stuck<E>(&self) -> Error<E> {
        let oldest = |engine: &Engine| engine.oldest().unwrap_or(u32::MAX);
        let (e, _) = (0..)
            .zip(&self.engines)
            .min_by_key(|(_, engine)| oldest(engine))
            .expect("there is at least one engine");
        let waits_for = self.counts.last_causes[e as usize].name();
        Error::Stuck { cycle: self.counts.last_progress, engine: e, waits_for }
    }

    fn report(self, machine: &Machine, preloaded_bytes: u64) -> Report {
        let mut traffic = self.counts.traffic;
        traffic.live_outputs = self.code.stats.live_outputs;
        Report {
            cycles: self.now,
            first_issue: self.counts.first_issue.unwrap_or(0),
            last_write_back: self.counts.last_write.unwrap_or(0),
            engines: self.counts.causes.iter().map(Cause::report).collect(),
            traffic,
            preloaded_bytes,
            memory_bound_cycles: self.counts.memory_bound,
            wire_bytes: self.config.wire_bytes,
            bytes_per_cycle: machine.memory.bytes_per_cycle,
            activity: self.counts.activity,
        }
    }
}
