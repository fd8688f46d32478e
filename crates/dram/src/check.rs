//! What a memory must satisfy. The simulator ends the process, divides by zero or never answers
//! otherwise.

use crate::BURST;
use crate::configuration::{Configuration, ConfigurationError, Field, Structure, Timing};
use std::fmt::Display;

/// Bits of a bus that moves a burst in 32 beats, and in two.
const BUS_BITS: (u32, u32) = (16, 256);

/// Fields of the address.
pub(crate) const FIELDS: [Field; 6] =
    [Field::Channel, Field::Rank, Field::Group, Field::Bank, Field::Row, Field::Column];

/// Checks `found`, which `origin` names in errors.
pub(crate) fn check(found: &Configuration, origin: &str) -> Result<(), ConfigurationError> {
    let wrong = |key: &'static str, value: &dyn Display, must: String| {
        Err(ConfigurationError::Value {
            origin: origin.to_owned(),
            key,
            value: value.to_string(),
            must,
        })
    };
    let range = |key, value: u32, least: u32, most: u32| match (least..=most).contains(&value) {
        true => Ok(()),
        false => wrong(key, &value, format!("write a number from {least} to {most}")),
    };
    let Structure {
        channels,
        ranks,
        bank_groups,
        banks_per_group,
        rows,
        columns,
        device_bits,
        bus_bits,
        burst_length,
    } = found.structure;
    for (key, value, least, most) in [
        ("structure.channels", channels, 1, 64),
        ("structure.ranks", ranks, 1, 16),
        ("structure.bank_groups", bank_groups, 1, 8),
        ("structure.banks_per_group", banks_per_group, 1, 16),
        ("structure.rows", rows, 1, 1 << 20),
        ("structure.columns", columns, 1, 1 << 14),
        ("structure.device_bits", device_bits, 1, 1 << 10),
        ("structure.bus_bits", bus_bits, BUS_BITS.0, BUS_BITS.1),
        ("structure.burst_length", burst_length, 1, 32),
    ] {
        if !value.is_power_of_two() || !(least..=most).contains(&value) {
            return wrong(key, &value, format!("write a power of two from {least} to {most}"));
        }
    }
    if bus_bits < device_bits || device_bits < 4 {
        let must = format!("write 4 to {bus_bits}, the width of the bus, which devices share");
        return wrong("structure.device_bits", &device_bits, must);
    }
    if u64::from(bus_bits) * u64::from(burst_length) != 8 * BURST || burst_length < 2 {
        let must = format!(
            "a burst must have {BURST} bytes: with {bus_bits} bits of bus, write {}",
            8 * BURST / u64::from(bus_bits)
        );
        return wrong("structure.burst_length", &burst_length, must);
    }
    if found.row_bytes() < BURST || rows < 1 << 10 {
        let must = "write at least 1024 rows, of at least a burst each".to_owned();
        return wrong("structure.rows", &rows, must);
    }
    if found.row_bytes() * u64::from(device_bits) / u64::from(bus_bits) * u64::from(rows) < 1 << 20
    {
        let must = "a device's bank must have 1 MB: write more rows or more columns".to_owned();
        return wrong("structure.rows", &rows, must);
    }
    range("clock_mhz", found.clock_mhz, 100, 10_000)?;
    range("controller.queue", found.controller.queue, 16, 1024)?;
    range("controller.bank_queue", found.controller.bank_queue, 1, 64)?;
    range("controller.path_ns", found.controller.path_ns, 0, 10_000)?;
    let address = &found.controller.address;
    for field in FIELDS {
        let parts = address.iter().filter(|part| part.field == field);
        let rests = parts.clone().filter(|part| part.bits.is_none()).count();
        let sized: u64 = parts.filter_map(|part| part.bits).map(u64::from).sum();
        let has = found.bits(field);
        if rests != 1 || sized > has.into() {
            let must = format!(
                "name {field:?} once without a number, and its parts with at most {has} bits in all"
            );
            let named: Vec<String> = address.iter().map(|part| format!("{part:?}")).collect();
            return wrong("controller.address", &named.join(", "), must.to_lowercase());
        }
    }
    times(&found.timing, found.burst_cycles(), &wrong)
}

/// Makes an error of a key, its value, and what to write instead.
type Refuse<'a> = dyn Fn(&'static str, &dyn Display, String) -> Result<(), ConfigurationError> + 'a;

/// Checks the times, alone and beside each other.
fn times(timing: &Timing, burst: u32, wrong: &Refuse<'_>) -> Result<(), ConfigurationError> {
    let t = timing;
    for (key, value) in [
        ("timing.cl", t.cl),
        ("timing.cwl", t.cwl),
        ("timing.rcd", t.rcd),
        ("timing.rp", t.rp),
        ("timing.ras", t.ras),
        ("timing.rfc", t.rfc),
        ("timing.refi", t.refi),
        ("timing.rrd_s", t.rrd_s),
        ("timing.rrd_l", t.rrd_l),
        ("timing.wtr_s", t.wtr_s),
        ("timing.wtr_l", t.wtr_l),
        ("timing.faw", t.faw),
        ("timing.wr", t.wr),
        ("timing.rtp", t.rtp),
        ("timing.ccd_s", t.ccd_s),
        ("timing.ccd_l", t.ccd_l),
        ("timing.rtrs", t.rtrs),
    ] {
        if !(1..=1 << 20).contains(&value) {
            let must = format!("write clock cycles from 1 to {}", 1 << 20);
            return wrong(key, &value, must);
        }
    }
    for (key, value, least, why) in [
        ("timing.ras", t.ras, t.rcd, "rcd: a row stays open until it has been read"),
        ("timing.rrd_l", t.rrd_l, t.rrd_s, "rrd_s: the same bank group is not faster than others"),
        ("timing.ccd_l", t.ccd_l, t.ccd_s, "ccd_s: the same bank group is not faster than others"),
        ("timing.wtr_l", t.wtr_l, t.wtr_s, "wtr_s: the same bank group is not faster than others"),
        ("timing.faw", t.faw, t.rrd_s, "rrd_s: four rows are not opened faster than two"),
        (
            "timing.refi",
            t.refi,
            t.rfc.saturating_add(t.rp + t.ras + 1),
            "more than rfc + rp + ras: refresh would leave no time for anything else",
        ),
        (
            "timing.cl",
            t.cl,
            (t.cwl + 1).saturating_sub(burst + t.rtrs),
            "more than cwl less a burst and rtrs: a write would be on the bus before the read",
        ),
    ] {
        if value < least {
            return wrong(key, &value, format!("write at least {least}, {why}"));
        }
    }
    Ok(())
}
