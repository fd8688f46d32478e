//! A description as TOML represents it: keys and types only. Unknown keys are errors, so that a
//! misspelled key is not ignored.

use super::Description;
use super::check::Checker;
use super::error::DescriptionError;
use crate::machine::{Components, Latency, Memory, Queues, Rtl, Silicon};
use crate::model::config::{MAX_ENGINES, MAX_UNIT_LATENCY};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    name: String,
    about: String,
    default_memory: String,
    engines: RawEngines,
    window: RawWindow,
    latency: RawLatency,
    queues: RawQueues,
    memory: BTreeMap<String, RawMemory>,
    #[serde(default)]
    rtl: RawRtl,
    clock: RawClock,
    silicon: RawSilicon,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEngines {
    count: i64,
    #[serde(default = "all")]
    forwarding: String,
}

/// The default of `forwarding`.
fn all() -> String {
    "all".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWindow {
    labels: i64,
    banks_per_engine: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLatency {
    xor: i64,
    and_garbler: i64,
    and_evaluator: i64,
    read: i64,
    write_back: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawQueues {
    bytes: i64,
    instruction_bytes: i64,
    inputs: i64,
    issue: i64,
    tables: i64,
    oor_addresses: i64,
    oor_wires: i64,
    live: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMemory {
    bytes_per_cycle: [i64; 2],
    latency: i64,
    wire_bytes: i64,
}

/// The default: a description without this section has one port of 512 bits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawRtl {
    ports: i64,
    data_bits: i64,
}

impl Default for RawRtl {
    fn default() -> RawRtl {
        RawRtl { ports: 1, data_bits: 512 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClock {
    mhz: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSilicon {
    engines: i64,
    labels: i64,
    queue_bytes: i64,
    power_mw: RawComponents,
    area_mm2: RawComponents,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawComponents {
    half_gate: f64,
    free_xor: f64,
    forwarding: f64,
    crossbar: f64,
    window: f64,
    queues: f64,
    phy: f64,
}

/// Parses the text; an error names the line and shows it.
pub(super) fn parse(origin: &str, text: &str) -> Result<Raw, DescriptionError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let before = &text.as_bytes()[..start];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let shown = text.lines().nth(line - 1).unwrap_or_default().trim();
        let shown: String = shown.chars().take(80).collect();
        let reason = error.message().lines().collect::<Vec<_>>().join("; ");
        let message = format!("{reason} (in \"{}\")", shown.escape_debug());
        DescriptionError::Syntax { origin: origin.to_owned(), line, message }
    })
}

impl Raw {
    /// Converts to a description, with every number checked by itself.
    pub(super) fn into_description(self, origin: &str) -> Result<Description, DescriptionError> {
        let check = Checker { origin };
        let Raw { name, about, default_memory, .. } = self;
        check.name("name", &name)?;
        check.line("about", &about)?;
        let mut memories = Vec::new();
        for (memory, raw) in self.memory {
            check.name("memory", &memory)?;
            memories.push(raw.into_memory(memory, &check)?);
        }
        if !memories.iter().any(|memory| memory.name == default_memory) {
            let known: Vec<&str> = memories.iter().map(|memory| memory.name.as_str()).collect();
            let allowed = match known.is_empty() {
                true => "described in a section [memory.NAME]".to_owned(),
                false => format!("one of {}", known.join(", ")),
            };
            let value = format!("{default_memory:?}");
            return Err(DescriptionError::value(origin, "default_memory", value, allowed));
        }
        let (latency, queues) = (self.latency, self.queues);
        let unit = 1..=MAX_UNIT_LATENCY;
        Ok(Description {
            origin: origin.to_owned(),
            name,
            about,
            engines: check.number("engines.count", self.engines.count, 1..=MAX_ENGINES)?,
            window: check.window("window.labels", self.window.labels)?,
            banks_per_engine: check.number(
                "window.banks_per_engine",
                self.window.banks_per_engine,
                1..=64,
            )?,
            forwarding: check.forwarding("engines.forwarding", &self.engines.forwarding)?,
            latency: Latency {
                xor: check.number("latency.xor", latency.xor, unit.clone())?,
                and_garbler: check.number(
                    "latency.and_garbler",
                    latency.and_garbler,
                    unit.clone(),
                )?,
                and_evaluator: check.number(
                    "latency.and_evaluator",
                    latency.and_evaluator,
                    unit,
                )?,
                read: check.number("latency.read", latency.read, 3..=3)?,
                write_back: check.number("latency.write_back", latency.write_back, 2..=2)?,
            },
            queue_memory: check.number("queues.bytes", queues.bytes, 1..=1 << 30)?,
            queues: Queues {
                // Upper limits keep sums far from overflow. Lower limits let a queue hold one
                // burst.
                instruction_bytes: check.number(
                    "queues.instruction_bytes",
                    queues.instruction_bytes,
                    128..=1 << 24,
                )?,
                inputs: check.multiple_of_4("queues.inputs", queues.inputs)?,
                issue: check.number("queues.issue", queues.issue, 1..=1 << 12)?,
                tables: check.number("queues.tables", queues.tables, 2..=1 << 16)?,
                oor_addresses: check.number(
                    "queues.oor_addresses",
                    queues.oor_addresses,
                    16..=1 << 16,
                )?,
                oor_wires: check.number("queues.oor_wires", queues.oor_wires, 1..=1 << 16)?,
                live: check.number("queues.live", queues.live, 1..=1 << 16)?,
            },
            memories,
            default_memory,
            rtl: Rtl {
                ports: check.power_of_two("rtl.ports", self.rtl.ports, 1..=MAX_ENGINES)?,
                data_bits: check.power_of_two("rtl.data_bits", self.rtl.data_bits, 64..=512)?,
            },
            mhz: check.number("clock.mhz", self.clock.mhz, 1..=100_000)?,
            silicon: self.silicon.into_silicon(&check)?,
        })
    }
}

impl RawMemory {
    fn into_memory(self, name: String, check: &Checker) -> Result<Memory, DescriptionError> {
        let key = |key: &str| format!("memory.{name}.{key}");
        let [numerator, denominator] = self.bytes_per_cycle;
        let bytes_per_cycle = (
            check.number(key("bytes_per_cycle[0]"), numerator, 1..=1_000_000)?,
            check.number(key("bytes_per_cycle[1]"), denominator, 1..=10_000)?,
        );
        let latency = check.number(key("latency"), self.latency, 1..=100_000)?;
        let wire_bytes = check.wire_bytes(key("wire_bytes"), self.wire_bytes)?;
        Ok(Memory { name, bytes_per_cycle, latency, wire_bytes })
    }
}

impl RawSilicon {
    fn into_silicon(self, check: &Checker) -> Result<Silicon, DescriptionError> {
        Ok(Silicon {
            engines: check.number("silicon.engines", self.engines, 1..=MAX_ENGINES)?,
            window: check.window("silicon.labels", self.labels)?,
            queue_bytes: check.number("silicon.queue_bytes", self.queue_bytes, 1..=1 << 30)?,
            power_mw: self.power_mw.into_components("silicon.power_mw", check)?,
            area_mm2: self.area_mm2.into_components("silicon.area_mm2", check)?,
        })
    }
}

impl RawComponents {
    fn into_components(
        self,
        section: &str,
        check: &Checker,
    ) -> Result<Components, DescriptionError> {
        let amount = |key: &str, value| check.amount(format!("{section}.{key}"), value);
        Ok(Components {
            half_gate: amount("half_gate", self.half_gate)?,
            free_xor: amount("free_xor", self.free_xor)?,
            forwarding: amount("forwarding", self.forwarding)?,
            crossbar: amount("crossbar", self.crossbar)?,
            window: amount("window", self.window)?,
            queues: amount("queues", self.queues)?,
            phy: amount("phy", self.phy)?,
        })
    }
}
