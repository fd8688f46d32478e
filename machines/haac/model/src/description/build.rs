//! Builds a machine from a description and overrides. Checks values that depend on each other.

use super::check::{Checker, shorten};
use super::error::DescriptionError;
use super::{Description, Overrides};
use crate::isa::BURST_BYTES;
use crate::machine::{Machine, Memory, Queues, Rtl, Shape, queue_bytes};
use crate::model::config::MAX_ENGINES;

/// The machine that a description with overrides defines. Checks values that depend on each other.
pub(super) fn machine(
    description: &Description,
    overrides: &Overrides,
) -> Result<Machine, DescriptionError> {
    let given = Checker { origin: "the command line" };
    let engines = match overrides.engines {
        Some(engines) => given.number("engines", engines.into(), 1..=MAX_ENGINES)?,
        None => description.engines,
    };
    let window = match overrides.window {
        Some(labels) => given.window("window", labels.into())?,
        None => description.window,
    };
    let mut memory = attached(description, overrides)?;
    if let Some(bytes) = overrides.wire_bytes {
        memory.wire_bytes = given.wire_bytes("wire_bytes", bytes.into())?;
    }
    // With more engines than in the description, the shared resources grow by this factor.
    let share = engines.div_ceil(description.engines);
    let queues = Queues {
        instruction_bytes: description.queues.instruction_bytes.saturating_mul(share),
        ..description.queues
    };
    let machine = Machine {
        name: description.name.clone(),
        shape: Shape { engines, window },
        banks_per_engine: description.banks_per_engine,
        forwarding: overrides.forwarding.unwrap_or(description.forwarding),
        latency: description.latency,
        queues,
        memory,
        // Every port has at least one engine.
        rtl: Rtl { ports: description.rtl.ports.min(1 << engines.ilog2()), ..description.rtl },
        mhz: description.mhz,
        silicon: description.silicon,
    };
    fits_together(&description.origin, &machine)?;
    let there_are = u64::from(description.queue_memory) * u64::from(share);
    let needed = queue_bytes(&machine.queues, machine.shape);
    if needed > there_are {
        return Err(DescriptionError::value(
            &description.origin,
            "queues.bytes",
            there_are,
            format!("at least {needed}, which the depths of {engines} engines' queues need"),
        ));
    }
    Ok(machine)
}

/// The memory named by the overrides, or the default one.
fn attached(description: &Description, overrides: &Overrides) -> Result<Memory, DescriptionError> {
    let name = overrides.memory.as_ref().unwrap_or(&description.default_memory);
    description.memories.iter().find(|memory| memory.name == *name).cloned().ok_or_else(|| {
        let known: Vec<&str> = description.memories().collect();
        DescriptionError::value(
            "the command line",
            "memory",
            format!("{:?}", shorten(name)),
            format!("one of {}'s: {}", description.name, known.join(", ")),
        )
    })
}

/// Checks window and instruction queue against the number of engines.
fn fits_together(origin: &str, machine: &Machine) -> Result<(), DescriptionError> {
    let Shape { engines, window } = machine.shape;
    let error = |key: &str, value: u32, allowed: String| {
        Err(DescriptionError::value(origin, key, value, allowed))
    };
    let least = (2 * engines).next_power_of_two();
    if window < least {
        let allowed = format!("at least {least} labels, two for each of {engines} engines");
        return error("window.labels", window, allowed);
    }
    let least = least_instruction_bytes(machine.shape);
    let bytes = machine.queues.instruction_bytes;
    if bytes < least || !bytes.is_multiple_of(BURST_BYTES) {
        let allowed = format!(
            "a multiple of {BURST_BYTES}, at least {least}: the longest row of {engines} engines must fit"
        );
        return error("queues.instruction_bytes", bytes, allowed);
    }
    Ok(())
}

/// Bytes of the longest row in any encoding, wherever in a burst it begins, plus one burst, rounded
/// up to whole bursts.
fn least_instruction_bytes(shape: Shape) -> u32 {
    let row =
        (u64::from(shape.engines.max(16)) * u64::from(2 * shape.slot_bits() + 16)).div_ceil(8);
    (row as u32 + BURST_BYTES).next_multiple_of(BURST_BYTES) + BURST_BYTES
}
