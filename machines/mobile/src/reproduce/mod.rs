//! Reproduces the mobile coprocessor (Kulp): clock cycles of its gates, bytes on its link, and
//! times of its benchmarks. Published figures are in `machines/mobile/published/coprocessor.csv`;
//! those for clock cycles, bytes and seconds are from the thesis.

mod absent;
mod energy;
mod gates;
mod headlines;
mod link;
mod time;
mod wide;

use crate::engine::MHZ;
use crate::engine::{Link, MobileEngine, Sent};
use halfgate_circuit::{Circuit, GateKind, random};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_frontends as frontends;
use halfgate_mobile_model::published::{Packets, packets};
use halfgate_record::part::{Effort, Part, Wanted};
use halfgate_record::record::{Figure, How, in_part};
use std::path::Path;

/// All parts, in the order in which they are printed.
pub const PARTS: [&str; 8] =
    ["headlines", "gates", "link", "time", "any", "energy", "wide", "targets"];

/// Parts whose recorded rows can be reproduced on any computer, except for speed-ups over a core.
pub const CHECKS: [(&str, Effort); 5] = [
    ("headlines", Effort::Minutes),
    ("gates", Effort::Seconds),
    ("link", Effort::Minutes),
    ("time", Effort::Minutes),
    ("wide", Effort::Minutes),
];

/// Source of a published figure that the poster lacks.
const THESIS: &str = "published: G. Kulp's thesis (Oregon State University, 2021), not the poster";
/// Clock cycles of the published chip: per AND and per XOR (from the thesis), and from the poster,
/// the mean per gate and the mean wait for the phone per gate.
const PUBLISHED_AND: f64 = 247.0;
const PUBLISHED_XOR: f64 = 26.0;
const PUBLISHED_MIX: f64 = 80.0;
const PUBLISHED_WAITING: f64 = 5000.0;
/// Bytes per AND and per XOR on the published link (from the thesis).
const PUBLISHED_BYTES: [f64; 2] = [55.0, 7.0];
/// Seconds of the published benchmark with the chip, and on the phone alone (from the thesis).
const PUBLISHED_SECONDS: [f64; 2] = [10.1, 7.6];
/// Netlist of the published benchmark, its numbers of ANDs and XORs, and our own division.
const GIVEN: &str = "udivide64.txt";
const GIVEN_GATES: [f64; 2] = [4285.0, 12603.0];
const OURS: &str = "divide:64";
/// The second benchmark.
const SQRT: &str = "sqrt64";
const SPI_MHZ: f64 = 30.0;
const SPI: Link = Link { mhz: MHZ, clocks: 8.0 * MHZ / SPI_MHZ };
/// Circuits that the published chip could not hold: it lost wires above 8,191.
const ANY: [&str; 3] = ["sha256", "aes128", "matmult:5x16"];

/// Sum over all ANDs and XORs, of which each costs `each[0]` or `each[1]`.
fn mix(gates: [f64; 2], each: [f64; 2]) -> f64 {
    gates[0] * each[0] + gates[1] * each[1]
}

/// A figure from the model.
fn model(name: &str, unit: &str, value: f64) -> Figure {
    Figure { how: How::Model, ..Figure::measured(name, unit, value) }
}

/// A benchmark.
struct Benchmark {
    name: String,
    /// Numbers of ANDs and XORs in the circuit, including gates that no output needs.
    gates: [f64; 2],
    program: Program,
    /// Packets of the gates in the published format, in the order of the netlist's file.
    published: Packets,
}

impl Benchmark {
    fn of(name: &str, circuit: Circuit) -> Result<Benchmark, String> {
        let is_xor = |kind| matches!(kind, GateKind::Xor { .. });
        let xors = circuit.gates.iter().filter(|gate| is_xor(gate.kind())).count();
        let gates = [circuit.gates.ands() as f64, xors as f64];
        let published = packets(&circuit, || [0; 48], |_| ());
        let program = compile(circuit, Order::default()).map_err(|error| error.to_string())?;
        Ok(Benchmark { name: name.to_owned(), gates, program, published })
    }

    /// Runs the benchmark on the model behind a link, and compares labels with the reference.
    fn run(&self, suite: Suite, link: Link) -> Result<Ran, String> {
        let inputs = random::inputs_for(&self.program.circuit, 1, 1);
        let garbler = CpuEngine::new(None).map_err(|error| error.to_string())?;
        let engine = MobileEngine::new(link);
        check_pair(&garbler, &engine, &self.program, &inputs, Run { suite, seed: 1, cycles: 1 })?;
        let clocks = engine.simulated().expect("it simulates").clock_cycles;
        let seconds = |clocks: u64| clocks as f64 / (link.mhz * 1e6);
        let after = seconds(engine.after_last_table());
        Ok(Ran { sent: engine.sent(), seconds: seconds(clocks), after })
    }
}

/// Counts of the link, the time of the run in seconds, and the time after the last table in
/// seconds.
struct Ran {
    sent: Sent,
    seconds: f64,
    after: f64,
}

/// Parts, targets and figures that were made from benchmarks.
struct Made {
    link: Part,
    time: Part,
    energy: Part,
    wide: Part,
    targets: Vec<Figure>,
    spent: Vec<link::Spent>,
    /// Times of each benchmark.
    raced: Vec<headlines::Raced>,
}

impl Made {
    fn new() -> Made {
        Made {
            link: Part::new("link", "bytes on the link, framing and inputs included"),
            time: Part::new("time", "milliseconds, from the model"),
            energy: energy::part(),
            wide: wide::part(),
            targets: Vec::new(),
            spent: Vec::new(),
            raced: Vec::new(),
        }
    }

    /// Runs a benchmark.
    fn run(&mut self, benchmark: &Benchmark) -> Result<(), String> {
        let Made { link, time, energy, wide, targets, spent, raced } = self;
        let spi = benchmark.run(Suite::HalfGates, SPI)?;
        spent.push(link::of(benchmark, &spi.sent, link)?);
        let alone = time::of(benchmark, &spi, time, targets)?;
        raced.push(headlines::Raced::of(benchmark, spi.seconds, alone)?);
        let (host, _) = energy::host(&benchmark.program)?;
        let ands = spi.sent.gates[0] as f64;
        energy::of(&benchmark.name, ands, alone, (spi.seconds, host), energy);
        wide::of(benchmark, wide)
    }

    /// Adds each row of the given benchmark, with `why` as the reason for its missing figure.
    fn is_absent(&mut self, why: &str) {
        let Made { link, time, energy, wide, targets, .. } = self;
        for figures in
            [link, time, energy, wide].map(|part| &mut part.figures).into_iter().chain([targets])
        {
            let rows = absent::rows(figures, why);
            figures.extend(rows);
        }
    }
}

/// Returns the given benchmark, or the reason why it is missing.
fn given(netlists: Option<&Path>) -> Result<Result<Benchmark, String>, String> {
    let Some(folder) = netlists else { return Ok(Err(format!("needs --netlists with {GIVEN}"))) };
    if !folder.is_dir() {
        return Err(format!("{}: there is no such folder", folder.display()));
    }
    let path = folder.join(GIVEN);
    if !path.exists() {
        return Ok(Err(format!("{} has no {GIVEN}", folder.display())));
    }
    let options = frontends::Options { as_given: true, ..frontends::Options::default() };
    let circuit = frontends::open(path, &options).map_err(|error| error.to_string())?;
    Benchmark::of(GIVEN, circuit).map(Ok)
}

/// Runs the wanted parts: on our own circuits and, if a folder is given, on its netlist. Progress
/// goes to `report`.
///
/// # Errors
/// If a circuit cannot be built or run.
pub fn reproduce(
    want: &Wanted,
    netlists: Option<&Path>,
    report: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let built = |name| {
        let circuit = halfgate_programs::build(name).map_err(|error| error.to_string())?;
        Benchmark::of(name, circuit)
    };
    let mut made = Made::new();
    let given = given(netlists)?;
    if ["headlines", "link", "time", "energy", "wide", "targets"].iter().any(|part| want.has(part))
    {
        let ours = [built(OURS)?, built(SQRT)?];
        for benchmark in ours.iter().chain(&given) {
            report(&format!("{} on the model", benchmark.name));
            made.run(benchmark)?;
        }
        let why = given.as_ref().err();
        if let Some(why) = why {
            report(&format!("no figures on {GIVEN}: {why}"));
            made.is_absent(why);
        }
        let times = in_part("time", std::mem::take(&mut made.targets));
        let links = link::targets(&made.spent, why.map(String::as_str));
        made.targets = in_part("link", links).into_iter().chain(times).collect();
    }
    let mut any = Part::new("any", "other circuits, through SPI at 30 MHz");
    for name in ANY.into_iter().filter(|_| want.has("any") || want.has("wide")) {
        report(&format!("{name} on the model"));
        let benchmark = built(name)?;
        on_any(&benchmark, &mut any)?;
        wide::of(&benchmark, &mut made.wide)?;
    }
    let Made { link, mut time, energy, wide, mut targets, raced, .. } = made;
    time.remark("each party gives some of the inputs; no table arrives late");
    time.remark(&format!(
        "{THESIS}: 10.1 s with the chip by serial line, 7.6 s on the phone alone"
    ));
    let gates = gates::part();
    targets.splice(0..0, in_part("gates", gates::targets(&gates)));
    targets.extend(in_part("wide", wide::target(&wide)));
    let heads = in_part("headlines", headlines::figures(&raced));
    let headlines = headlines::part(&heads);
    targets.splice(0..0, heads);
    targets.extend(in_part("headlines", [headlines::clock()]));
    let parts = [headlines, gates, link, time, any, energy, wide];
    let parts = parts.into_iter().filter(|part| want.has(part.name)).collect();
    Ok((parts, targets))
}

/// A circuit with more wires than the chip has slots, and with long live ranges.
fn on_any(benchmark: &Benchmark, part: &mut Part) -> Result<(), String> {
    let Ran { sent, seconds, .. } = benchmark.run(Suite::HalfGates, SPI)?;
    let Benchmark { name, gates: [ands, xors], .. } = benchmark;
    part.model(&format!("{name}: to the chip"), "bytes", None, sent.traffic.to_chip as f64);
    part.note(format!(
        "{ands} ANDs, {xors} XORs; {} labels were spilled, {} were loaded again; outputs equal the reference's",
        sent.reads - benchmark.program.circuit.output_bits() as u64,
        sent.loads[1],
    ));
    part.model(name, "ms", None, seconds * 1e3);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built-in program as a benchmark.
    pub(super) fn small(name: &str) -> Benchmark {
        let circuit = halfgate_programs::build(name).expect("a built-in program");
        Benchmark::of(name, circuit).expect("it compiles")
    }

    /// Rows and targets of the given benchmark, except for those that are measured.
    fn rows(made: &Made) -> Vec<Figure> {
        let Made { link, time, energy, wide, targets, spent, .. } = made;
        let parts = [link, time, energy, wide].into_iter().flat_map(|part| &part.figures);
        let targets = link::targets(spent, Some("why")).into_iter().chain(targets.iter().cloned());
        let all = parts.cloned().chain(targets).filter(|figure| figure.name.contains(GIVEN));
        all.map(|figure| Figure { met: None, note: String::new(), ..figure }).collect()
    }

    #[test]
    fn missing_rows_are_in_all_parts_and_targets() {
        let (mut with, mut without) = (Made::new(), Made::new());
        let ours = Benchmark { name: OURS.to_owned(), ..small("divide:4") };
        with.run(&Benchmark { name: GIVEN.to_owned(), ..small("divide:4") }).expect("it runs");
        without.run(&ours).expect("it runs");
        without.is_absent("why");
        let (with, without) = (rows(&with), rows(&without));
        assert!(without.iter().all(|figure| figure.measured.is_none()), "{without:?}");
        assert!(without.iter().all(|figure| figure.not_run), "{without:?}");
        let key = |figure: &Figure| {
            let published = figure.published.is_some() && !figure.name.contains("of 34.2");
            (figure.name.clone(), figure.unit.clone(), figure.target, figure.how as u8, published)
        };
        let sorted = |all: &[Figure]| {
            let mut all: Vec<_> = all.iter().map(key).collect();
            all.sort_by(|one, other| one.partial_cmp(other).expect("no target is NaN"));
            all
        };
        assert_eq!(sorted(&without), sorted(&with));
        assert!(with.len() > 20, "{}", with.len());
    }

    #[test]
    fn a_folder_without_the_netlist_is_no_error_and_no_folder_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let why = given(Some(folder.path())).expect("a folder").err().expect("it is empty");
        assert!(why.contains("has no udivide64.txt"), "{why}");
        assert!(
            given(None).expect("no folder").err().is_some_and(|why| why.contains("--netlists"))
        );
        assert!(given(Some(&folder.path().join("nowhere"))).is_err());
        std::fs::write(folder.path().join(GIVEN), "no netlist").expect("written");
        assert!(given(Some(folder.path())).is_err());
    }

    /// The link takes the same time for every clock of the chip.
    #[test]
    fn a_link_that_binds_takes_the_same_time_at_any_clock() {
        let benchmark = small("divide:8");
        let at = |mhz| benchmark.run(Suite::HalfGates, Link::spi(mhz, SPI_MHZ)).expect("it runs");
        let (slow, fast) = (at(30.0), at(45.0));
        let least = slow.sent.traffic.to_chip as f64 * 8.0 / 30e6;
        assert!(least < fast.seconds && fast.seconds < slow.seconds, "{least} {}", slow.seconds);
        assert!(slow.seconds < 1.6 * fast.seconds && slow.after > fast.after);
    }
}
