//! The result of a run, as text and as JSON.

use crate::phases::PhaseTime;
use halfgate_circuit::{Bits, Element, Party};
use halfgate_compiler::Program;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_engine::{Simulated, Suite, Traffic};
use halfgate_protocol::session::{Learn, Report};
use halfgate_values::Elements;
use halfgate_values::show::{self, Shown};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// How to see the rest of a truncated output.
pub const SHOW_ALL: &str = "--json shows all";

/// One run, in the form that `--json` prints.
#[derive(Serialize)]
pub struct RunResult {
    /// The outputs, in the circuit's order.
    pub outputs: Vec<OutputValue>,
    /// The suite.
    pub suite: &'static str,
    /// Against whom the session is secure.
    pub security: &'static str,
    /// The program hash that both parties compared, in hexadecimal.
    pub program_hash: String,
    /// The two engines.
    pub engines: Engines,
    /// Gates of all cycles.
    pub gates: u64,
    /// ANDs among them.
    pub and_gates: u64,
    /// Number of cycles.
    pub cycles: u64,
    /// Bytes that this party sent; those of the garbler if both parties run in this process.
    pub bytes_sent: u64,
    /// Bytes that this party received; those of the garbler if both parties run in this process.
    pub bytes_received: u64,
    /// Time from the connection to the first usable oblivious transfer.
    pub setup_seconds: f64,
    /// Time of the run, from its first label to its outputs.
    pub seconds: f64,
    /// The phases of a malicious session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseTime>,
    /// Why the peer has not confirmed the end of the run, if it has not. The outputs are verified,
    /// but the peer may not have its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unconfirmed: Option<String>,
    /// By party: the time of its simulated machine, if its engine is one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub simulated: BTreeMap<&'static str, SimulatedTime>,
    /// By party: the traffic on the link to its device, if its engine has one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub link: BTreeMap<&'static str, LinkBytes>,
}

/// Traffic of a run on the link to a device, including framing.
#[derive(Serialize, Clone, Copy)]
pub struct LinkBytes {
    /// Bytes to the device.
    pub to_device: u64,
    /// Bytes from the device.
    pub from_device: u64,
    /// Retransmitted frames.
    pub frames_again: u64,
}

/// A run on a simulated machine, in the machine's time.
#[derive(Serialize, Clone, Copy)]
pub struct SimulatedTime {
    /// Clock cycles of all launches.
    pub clock_cycles: u64,
    /// Number of launches: one per cycle of the circuit.
    pub launches: u64,
    /// The clock frequency.
    pub mhz: f64,
    /// The machine's time in seconds.
    pub seconds: f64,
}

impl SimulatedTime {
    /// One run's share of the work of `runs` runs. All take the same time, which depends on no
    /// value and no label.
    fn of_each(all: Simulated, runs: u64) -> SimulatedTime {
        let runs = runs.max(1);
        let each = Simulated {
            clock_cycles: all.clock_cycles / runs,
            launches: all.launches / runs,
            mhz: all.mhz,
        };
        SimulatedTime {
            clock_cycles: each.clock_cycles,
            launches: each.launches,
            mhz: each.mhz,
            seconds: each.seconds(),
        }
    }
}

/// One output.
pub struct OutputValue {
    /// Its name.
    pub name: String,
    /// Its width, over all cycles if it is output in each cycle.
    pub bits: usize,
    /// ceil(bits / 4) hex digits, with wire 0 in the last one (of the first cycle); `None` if this
    /// party does not learn it.
    pub hex: Option<Hex>,
    /// The parties that learn it.
    pub learned_by: Vec<&'static str>,
    /// Whether its values were already printed during the run; `hex` is then missing.
    pub streamed: bool,
    /// The value in the type that the program declares, if it does: a number or a text, or a list
    /// of these.
    typed: Option<Typed>,
}

/// A value in its type.
enum Typed {
    /// The bits are bytes.
    Bytes,
    Shown(Shown),
}

impl Serialize for OutputValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 4 + usize::from(self.streamed) + usize::from(self.typed.is_some());
        let mut all = serializer.serialize_struct("OutputValue", fields)?;
        all.serialize_field("name", &self.name)?;
        all.serialize_field("bits", &self.bits)?;
        all.serialize_field("hex", &self.hex)?;
        all.serialize_field("learned_by", &self.learned_by)?;
        if self.streamed {
            all.serialize_field("streamed", &true)?;
        }
        match (&self.typed, &self.hex) {
            (Some(Typed::Shown(shown)), _) => all.serialize_field("value", &shown.json)?,
            (Some(Typed::Bytes), Some(Hex(bits))) => all.serialize_field("value", &Bytes(bits))?,
            _ => {}
        }
        all.end()
    }
}

/// Bits, shown as `bytes:` and the hex digits of bytes in order. The text is not held as a whole.
struct Bytes<'b>(&'b Bits);

impl Display for Bytes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("bytes:")?;
        for start in (0..self.0.len()).step_by(PART) {
            let part = self.0.slice(start, PART.min(self.0.len() - start));
            f.write_str(&show::hex(&part))?;
        }
        Ok(())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Bits whose digits are made together.
const PART: usize = 1 << 16;

/// Bits, shown as hex digits. The text is not held as a whole.
pub struct Hex(Bits);

impl Display for Hex {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut end = self.0.len();
        while end > 0 {
            let start = (end - 1) / PART * PART;
            f.write_str(&self.0.slice(start, end - start).to_hex())?;
            end = start;
        }
        Ok(())
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The two engines' names.
#[derive(Serialize)]
pub struct Engines {
    /// The garbler's engine.
    pub garbler: String,
    /// The evaluator's engine.
    pub evaluator: String,
}

/// Data that all runs of a session share.
pub struct Session<'a> {
    /// The program.
    pub program: &'a Program,
    /// The suite.
    pub suite: Suite,
    /// This party; `None` if both parties run in this process and the report is the garbler's.
    pub party: Option<Party>,
    /// Number of runs of the session.
    pub runs: u64,
    /// For each party in this process, the work of its simulated engine over all runs.
    pub simulated: Vec<(Party, Option<Simulated>)>,
    /// Traffic on links to devices, over all runs.
    pub links: Vec<(Party, Option<Traffic>)>,
}

impl Session<'_> {
    /// The result of the run that `report` describes.
    pub fn result(&self, report: Report) -> RunResult {
        let circuit = &self.program.circuit;
        let (own, peer) = report.engines;
        let (garbler, evaluator) = match self.party {
            Some(Party::Evaluator) => (peer, own),
            _ => (own, peer),
        };
        let cycles = report.counters.cycles;
        let outputs = circuit.outputs.iter().zip(report.outputs).zip(&report.learn);
        let output = |((output, value), &learn): ((&halfgate_circuit::Output, Option<Bits>), _)| {
            let cycles = if output.per_cycle { cycles as usize } else { 1 };
            let width = output.bits.len();
            let streamed = value.as_ref().is_some_and(Bits::is_empty);
            let value = value.filter(|_| !streamed);
            let elements = Elements::of(output.elements);
            let is_bytes = matches!(elements, Elements::List { element: Element::Bytes, .. });
            let typed = value.as_ref().and_then(|value| match output.per_cycle {
                true => Some(Typed::Shown(show::cycles(value, width, elements, SHOW_ALL))),
                false if is_bytes => Some(Typed::Bytes),
                false => show::elements(value, elements).map(|shown| {
                    let text = show::list(&shown, SHOW_ALL);
                    Typed::Shown(Shown { text, json: show::json(shown) })
                }),
            });
            OutputValue {
                name: output.name.clone(),
                bits: width * cycles,
                hex: value.map(Hex),
                learned_by: learned_by(learn),
                streamed,
                typed,
            }
        };
        RunResult {
            outputs: outputs.map(output).collect(),
            suite: self.suite.name(),
            security: report.security.name(),
            program_hash: self.program.hash.to_string(),
            engines: Engines { garbler, evaluator },
            gates: report.counters.gates,
            and_gates: report.counters.ands,
            cycles,
            bytes_sent: report.bytes_sent,
            bytes_received: report.bytes_received,
            setup_seconds: report.setup.as_secs_f64(),
            seconds: report.total.as_secs_f64(),
            phases: report.phases.iter().map(PhaseTime::of).collect(),
            unconfirmed: report.unconfirmed.map(|unconfirmed| unconfirmed.reason),
            simulated: self.simulated(),
            link: self.link(),
        }
    }

    fn simulated(&self) -> BTreeMap<&'static str, SimulatedTime> {
        let time = |(party, all): &(Party, Option<Simulated>)| {
            all.map(|all| (called(*party), SimulatedTime::of_each(all, self.runs)))
        };
        self.simulated.iter().filter_map(time).collect()
    }

    fn link(&self) -> BTreeMap<&'static str, LinkBytes> {
        let runs = self.runs.max(1);
        let each = |(party, all): &(Party, Option<Traffic>)| {
            let all = all.filter(|all| all.to_chip > 0)?;
            let link = LinkBytes {
                to_device: all.to_chip / runs,
                from_device: all.from_chip / runs,
                frames_again: all.again / runs,
            };
            Some((called(*party), link))
        };
        self.links.iter().filter_map(each).collect()
    }
}

fn called(party: Party) -> &'static str {
    if party == Party::Garbler { "garbler" } else { "evaluator" }
}

fn learned_by(learn: Learn) -> Vec<&'static str> {
    let parties = [(Party::Garbler, "garbler"), (Party::Evaluator, "evaluator")];
    parties.into_iter().filter(|(party, _)| learn.by(*party)).map(|(_, name)| name).collect()
}

/// Several runs over one connection, in the form that `--json` prints.
#[derive(Serialize)]
struct Runs<'a> {
    runs: &'a [RunResult],
    /// Why there are no further runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The object of one run.
pub fn json(result: &RunResult) -> String {
    // Strings, numbers and lists of them always serialize: every map has string keys.
    serde_json::to_string(result).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}

/// Prints the one object of `--json`: the run's, or `{"runs": […]}` for several. `error` is the
/// reason why there are fewer runs than requested.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_json(results: &[RunResult], error: Option<String>) -> Result<(), Failure> {
    match (results, error) {
        ([one], None) => print::json(one),
        (several, error) => print::json(&Runs { runs: several, error }),
    }
}

/// The results as text.
pub fn text(results: &[RunResult]) -> String {
    let mut text = String::new();
    for (index, result) in results.iter().enumerate() {
        if results.len() > 1 {
            let _ = writeln!(text, "run {}", index + 1);
        }
        let widest = result.outputs.iter().map(|o| o.name.chars().count()).max().unwrap_or(0);
        for output in &result.outputs {
            let _ = writeln!(text, "{:widest$} = {}", output.name, value_text(output));
        }
        text.push_str(&summary(result));
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

/// Widest value, in bits, that the text shows in full.
const SHOWN: usize = 2048;

/// A value in useful bases: decimal up to 128 bits, hexadecimal, bytes in order.
fn value_text(output: &OutputValue) -> String {
    if output.streamed {
        return "(printed during the run)".to_owned();
    }
    let Some(hex @ Hex(value)) = &output.hex else {
        return match output.learned_by.first() {
            Some(party) => format!("(only the {party} learns it)"),
            None => "(no party learns it)".to_owned(),
        };
    };
    if let Some(typed) = &output.typed {
        let (text, is_number) = match typed {
            // A part is longer than what is shown of it.
            Typed::Bytes => (bytes_text(&value.slice(0, value.len().min(PART))), false),
            Typed::Shown(shown) => (shown.text.clone(), shown.json.is_number()),
        };
        // For a single number, the bits are shown as well.
        let hex = if is_number && value.len() > 1 { format!("  0x{hex}") } else { String::new() };
        return format!("{text}{hex} ({})", bits(value.len()));
    }
    if value.len() > SHOWN {
        let start = show::hex(&value.slice(0, 128));
        return format!("bytes:{start}… ({}; {SHOW_ALL})", bits(value.len()));
    }
    let mut forms = Vec::new();
    forms.extend(value.to_integer().map(|integer| integer.to_string()));
    if value.len() > 1 {
        forms.push(format!("0x{hex}"));
    }
    if value.len() >= 64 && value.len().is_multiple_of(8) {
        forms.push(Bytes(value).to_string());
    }
    format!("{} ({})", forms.join("  "), bits(value.len()))
}

/// Bytes, or the first of many.
fn bytes_text(start: &Bits) -> String {
    let bytes = Elements::List { element: Element::Bytes, width: 8 };
    let shown = show::elements(start, bytes).unwrap_or_default();
    show::list(&shown, SHOW_ALL)
}

fn bits(count: usize) -> String {
    format!("{} bit{}", print::grouped(count as u64), if count == 1 { "" } else { "s" })
}

/// Counts, time and rate.
fn summary(result: &RunResult) -> String {
    let rate = print::rate(result.and_gates as f64 / result.seconds.max(1e-9), "AND");
    let cycles = match result.cycles {
        1 => String::new(),
        cycles => format!(" in {} cycles", print::grouped(cycles)),
    };
    let mut text = format!(
        "{} gates, {} ANDs{cycles}; {} ({rate}) after {} of set-up; security {}; sent {}, \
         received {}\n",
        print::grouped(result.gates),
        print::grouped(result.and_gates),
        print::seconds(result.seconds),
        print::seconds(result.setup_seconds),
        result.security,
        print::bytes(result.bytes_sent),
        print::bytes(result.bytes_received),
    );
    for phase in &result.phases {
        let _ = writeln!(text, "{phase}");
    }
    for (party, time) in &result.simulated {
        let SimulatedTime { clock_cycles, mhz, seconds, .. } = *time;
        let clock = match mhz {
            ..1000.0 => format!("{mhz} MHz"),
            _ => format!("{} GHz", mhz / 1000.0),
        };
        let _ = writeln!(
            text,
            "simulated: the {party}'s machine took {} clock cycles, {} at {clock}; the run took {} here",
            print::grouped(clock_cycles),
            print::seconds(seconds),
            print::seconds(result.seconds),
        );
    }
    for (party, link) in &result.link {
        let again = match link.frames_again {
            0 => String::new(),
            1 => "; 1 frame was sent again".to_owned(),
            frames => format!("; {} frames were sent again", print::grouped(frames)),
        };
        let _ = writeln!(
            text,
            "link: {} to the {party}'s device, {} from it{again}",
            print::bytes(link.to_device),
            print::bytes(link.from_device),
        );
    }
    text
}
