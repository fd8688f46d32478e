//! A launch's counters, in the form of the models' reports.

use super::axi::Bus;
use super::machine::Machine;
use crate::rtl::registers as reg;
use halfgate_engine::EngineError;
use halfgate_haac_model::Code;
use halfgate_haac_model::model::Cause;
use halfgate_haac_model::report::{Activity, Report, Traffic};

/// The counters of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The counters that models have, too.
    pub report: Report,
    /// Number of due responses that had not arrived, summed over cycles and streams. 0 if memory
    /// has kept the contract. Only then the cycles equal the model's.
    pub late: u64,
}

/// Reads all counters.
pub(super) fn measure(
    machine: &mut Machine,
    bus: &mut impl Bus,
    of: &halfgate_haac_model::Machine,
    code: &Code,
) -> Result<Measured, EngineError> {
    let mut counter = |register| machine.counter(register, bus);
    let traffic = Traffic {
        instruction_bursts: counter(reg::COUNTER_INSTRUCTION_BURSTS)?,
        table_bursts: counter(reg::COUNTER_TABLE_BURSTS)?,
        oor_address_bursts: counter(reg::COUNTER_OOR_ADDRESS_BURSTS)?,
        oor_wires: counter(reg::COUNTER_OOR_WIRES)?,
        live: counter(reg::COUNTER_LIVE)?,
        live_outputs: code.stats.live_outputs,
        input_bursts: counter(reg::COUNTER_INPUT_BURSTS)?,
    };
    let activity = Activity {
        ands: counter(reg::COUNTER_ANDS)?,
        xors: counter(reg::COUNTER_XORS)?,
        half_gate_cycles: counter(reg::COUNTER_HALF_GATE_CYCLES)?,
        window_reads: counter(reg::COUNTER_WINDOW_READS)?,
        window_writes: counter(reg::COUNTER_WINDOW_WRITES)?,
        forwarded: counter(reg::COUNTER_FORWARDED)?,
        oor_pops: counter(reg::COUNTER_OOR_POPS)?,
    };
    let mut engines = Vec::new();
    for e in 0..of.shape.engines {
        let mut counts = [0; Cause::COUNT];
        for (place, count) in (0..).zip(&mut counts) {
            *count = counter(reg::CAUSES + e * reg::CAUSES_STRIDE + 8 * place)?;
        }
        engines.push(Cause::report(&counts));
    }
    let report = Report {
        cycles: counter(reg::COUNTER_CYCLES)?,
        first_issue: counter(reg::COUNTER_FIRST_ISSUE)?,
        last_write_back: counter(reg::COUNTER_LAST_WRITE_BACK)?,
        engines,
        traffic,
        preloaded_bytes: 0,
        memory_bound_cycles: counter(reg::COUNTER_MEMORY_BOUND)?,
        wire_bytes: of.memory.wire_bytes,
        bytes_per_cycle: of.memory.bytes_per_cycle,
        activity,
    };
    Ok(Measured { report, late: counter(reg::COUNTER_LATE)? })
}
