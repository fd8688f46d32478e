//! The mobile coprocessor (Kulp), reproduced: cycles of its gates, bytes on its link, and what its benchmarks take, beside what it
//! published (`bench/published/mobile-coprocessor.csv`; its thesis for cycles, bytes and seconds).

mod energy;
mod wide;

use crate::part::{Part, Wanted};
use crate::record::{Figure, How};
use halfgate_circuit::{Circuit, GateKind, random};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_engine::mobile::engine::MHZ;
use halfgate_engine::mobile::{Link, MobileEngine, Sent};
use halfgate_engine::{Engine, Suite, kernels};
use halfgate_frontends as frontends;
use halfgate_machines::mobile::Item;
use halfgate_machines::mobile::model::{Form, stores};
use halfgate_machines::mobile::published::{Packets, packets};
use std::path::Path;

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 7] = ["gates", "link", "time", "any", "energy", "wide", "targets"];

/// Cycles of the published chip: an AND and an XOR, from the thesis; the poster's mix of both; and what the phone takes for one.
const PUBLISHED_AND: f64 = 247.0;
const PUBLISHED_XOR: f64 = 26.0;
const PUBLISHED_MIX: f64 = 80.0;
const PUBLISHED_WAITING: f64 = 5000.0;
/// Bytes of an AND and an XOR on its link.
const PUBLISHED_BYTES: [f64; 2] = [55.0, 7.0];
/// Seconds of its benchmark with the chip, and on the phone alone.
const PUBLISHED_SECONDS: [f64; 2] = [10.1, 7.6];
/// The netlist of its benchmark, and a division of ours.
const GIVEN: &str = "udivide64.txt";
const OURS: &str = "divide:64";
/// Bytes of an item that brings a label, at least.
const LOAD: f64 = 17.5;
const SPI: Link = Link { mhz: MHZ, clocks: 8.0 * MHZ / 30.0 };
/// Circuits that the published chip could not hold: it lost wires above 8,191.
const ANY: [&str; 3] = ["sha256", "aes128", "matmult:5x16"];
/// Bytes of an AND and an XOR that we aim at.
const BYTES: [f64; 2] = [34.2, 2.1];

/// A benchmark.
struct Benchmark {
    name: String,
    /// ANDs and XORs of the circuit, as it was before dead gates went.
    gates: [f64; 2],
    program: Program,
    /// The gates in the published format, in the order of the file.
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

    /// On the model behind a link, held to the reference.
    fn run(&self, suite: Suite, link: Link) -> Result<Ran, String> {
        let inputs = random::inputs_for(&self.program.circuit, 1, 1);
        let garbler = CpuEngine::new(None).map_err(|error| error.to_string())?;
        let engine = MobileEngine::new(link);
        check_pair(&garbler, &engine, &self.program, &inputs, Run { suite, seed: 1, cycles: 1 })?;
        let seconds = engine.simulated().expect("it simulates").seconds();
        let after = engine.after_last_table() as f64 / (MHZ * 1e6);
        Ok(Ran { sent: engine.sent(), seconds, after })
    }
}

/// What went over the link, the chip's seconds, and those of them after the last table.
struct Ran {
    sent: Sent,
    seconds: f64,
    after: f64,
}

/// Runs what is wanted; netlists of the folder, if there is one, beside our own. `say` hears what is being done.
///
/// # Errors
/// Whatever kept a circuit from being built or run.
pub fn reproduce(
    want: &Wanted,
    netlists: Option<&Path>,
    say: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let built = |name| {
        let circuit = halfgate_programs::build(name).map_err(|error| error.to_string())?;
        Benchmark::of(name, circuit)
    };
    let mut benchmarks = Vec::new();
    let runs = ["link", "time", "energy", "wide", "targets"].iter().any(|part| want.has(part));
    if runs {
        benchmarks.extend([built(OURS)?, built("sqrt64")?]);
    }
    if let Some(folder) = netlists.filter(|_| runs) {
        let options = frontends::Options { as_given: true, ..frontends::Options::default() };
        let circuit = frontends::open(folder.join(GIVEN), &options);
        benchmarks.push(Benchmark::of(GIVEN, circuit.map_err(|error| error.to_string())?)?);
    }
    let (mut link, mut time, mut energy) = (
        Part::new("link", "bytes on the link, framing and inputs included"),
        Part::new("time", "seconds, from the model"),
        energy::part(),
    );
    let mut wide = wide::part();
    let mut targets = Vec::new();
    for benchmark in &benchmarks {
        say(&format!("{} on the model", benchmark.name));
        let spi = benchmark.run(Suite::HalfGates, SPI)?;
        on_link(benchmark, &spi.sent, &mut link, &mut targets);
        let alone = in_time(benchmark, &spi, &mut time, &mut targets)?;
        let (host, _) = energy::host(&benchmark.program)?;
        let ands = benchmark.gates[0];
        energy::of(&benchmark.name, ands, alone, (spi.seconds, host), &mut energy);
        wide::of(benchmark, &mut wide)?;
    }
    let mut any = Part::new("any", "other circuits, through SPI at 30 MHz");
    for name in ANY.into_iter().filter(|_| want.has("any") || want.has("wide")) {
        say(&format!("{name} on the model"));
        let benchmark = built(name)?;
        on_any(&benchmark, &mut any)?;
        wide::of(&benchmark, &mut wide)?;
    }
    time.remark("each party gives some of the inputs; tables are there when they are wanted");
    time.remark("published, by serial line: 10.1 s with the chip, 7.6 s on the phone alone");
    let gates = gates();
    targets.splice(0..0, gates_targets(&gates));
    targets.extend(wide::target(&wide));
    let parts = [gates, link, time, any, energy, wide];
    let parts = parts.into_iter().filter(|part| want.has(part.name)).collect();
    Ok((parts, if want.has("targets") { targets } else { Vec::new() }))
}

/// Cycles of gates one after the other, whose bytes are there.
fn gates() -> Part {
    let mut part = Part::new("gates", "cycles of a gate whose bytes are there");
    // What the second of two takes.
    let table = [0; 32];
    let of = |item, follows| {
        let times = stores(Form::Half, &[(item, follows), (item, follows)]);
        (times[1] - times[0]) as f64
    };
    let and = of(Item::And { a: 1, b: 2, c: 0, xors: 0, out: 3 }, &table[..]);
    let xor = of(Item::Xor { a: 1, b: 2, c: None, out: 3 }, &[]);
    let forwarded = of(Item::Xor { a: 1, b: 2, c: None, out: 1 }, &[]);
    part.model("AND", "cycles", Some(PUBLISHED_AND), and);
    part.model("XOR", "cycles", Some(PUBLISHED_XOR), xor);
    part.model("XOR with the result before", "cycles", Some(PUBLISHED_XOR), forwarded);
    // The poster's figure is the mix of the division's gates.
    let mix = |and: f64, xor: f64| (4285.0 * and + 12603.0 * xor) / (4285.0 + 12603.0);
    part.measured(
        "published: a gate of the division, of 247 and 26",
        "cycles",
        Some(PUBLISHED_MIX),
        mix(PUBLISHED_AND, PUBLISHED_XOR),
    );
    part.measured(
        "published: speed-up with a link that does not bind",
        "times",
        Some(62.0),
        (PUBLISHED_WAITING + PUBLISHED_MIX) / PUBLISHED_MIX,
    );
    part.note("5,000 cycles of waiting and 80 of work over 80");
    part.model("here: a gate of the division", "cycles", Some(PUBLISHED_MIX), mix(and, xor));
    part
}

fn gates_targets(part: &Part) -> Vec<Figure> {
    let most = [60.0, 6.0, 4.0];
    let figures = part.figures.iter().take(most.len()).zip(most);
    figures
        .map(|(figure, most)| {
            let name = format!("{} in half-gates", figure.name);
            Figure { name, ..figure.clone() }.at_most(most)
        })
        .collect()
}

fn on_link(benchmark: &Benchmark, sent: &Sent, part: &mut Part, targets: &mut Vec<Figure>) {
    let Benchmark { name, gates: [ands, xors], .. } = benchmark;
    let bytes = sent.traffic.to_chip as f64;
    let mix = |of: [f64; 2]| ands * of[0] + xors * of[1];
    let theirs = benchmark.published;
    part.model(&format!("{name}: to the chip"), "bytes", Some(theirs.bytes as f64), bytes);
    part.note(format!(
        "{ands} ANDs, {xors} XORs; {} labels to the chip, {} of them again, {} back",
        sent.loads[0] + sent.loads[1],
        sent.loads[1],
        sent.reads
    ));
    let what = format!("{name} as published: gates that get another wire's label");
    part.model(&what, "gates", None, theirs.wrong as f64);
    part.note("where a wire is overwritten by the one 8,192 after it; here none is");
    // Ours is another division.
    if name == OURS {
        return;
    }
    let gates = bytes - LOAD * sent.loads[0] as f64;
    let figure = Figure::measured(&format!("{name}: bytes for gates"), "bytes", gates);
    let note = format!(
        "34.2 for each of {ands} ANDs and 2.1 for each of {xors} XORs, framing included; with labels of inputs {bytes}"
    );
    let figure = Figure { how: How::Model, ..figure };
    targets.push(figure.at_most(mix(BYTES)).published(mix(PUBLISHED_BYTES)).note(note));
}

fn in_time(
    benchmark: &Benchmark,
    &Ran { sent, seconds, after }: &Ran,
    part: &mut Part,
    targets: &mut Vec<Figure>,
) -> Result<f64, String> {
    let Benchmark { name, gates, .. } = benchmark;
    let is_theirs = name == GIVEN;
    let published = |n: usize| is_theirs.then_some(PUBLISHED_SECONDS[n] * 1e3);
    part.model(&format!("{name}, SPI at 30 MHz"), "ms", published(0), seconds * 1e3);
    for (suite, link, what) in [
        (Suite::HalfGates, Link::serial(MHZ, 12.0), "serial line of 12 Mbaud"),
        (Suite::HalfGates, Link::serial(MHZ, 3.0), "serial line of 3 Mbaud"),
        (Suite::Grr3, SPI, "grr3, SPI at 30 MHz"),
    ] {
        let Ran { seconds, .. } = benchmark.run(suite, link)?;
        part.model(&format!("{name}, {what}"), "ms", published(0), seconds * 1e3);
    }
    let (what, after) = (format!("{name}, SPI, from the last table to the results"), after * 1e3);
    part.model(&what, "ms", None, after);
    let waits = "of a garbler that is faster than the link: frames are waiting then";
    part.note(waits);
    if name != OURS {
        let figure = Figure { how: How::Model, ..Figure::measured(&what, "ms", after) };
        targets.push(figure.at_most(1.0).note(waits.to_owned()));
    }
    let kernel = kernels::by_name("portable").map_err(|error| error.to_string())?;
    let alone = gates[0] * Rate::new(kernel, Load::Serial).evaluate(0.2);
    let what = format!("{name}, one core without AES instructions");
    part.measured(&what, "ms", published(1), alone * 1e3);
    part.note("its ANDs alone, one after the other, on this machine's core: a stand-in for a phone's, and faster than one of 2016");
    let bound = sent.traffic.to_chip as f64 * 8.0 / 30e6;
    let share =
        Figure::measured(&format!("{name}: share of SPI's time"), "%", 100.0 * bound / seconds);
    targets.push(Figure { how: How::Model, ..share }.at_least(90.0));
    if is_theirs || name == OURS {
        let time =
            Figure::measured(&format!("{name}, half-gates, SPI at 30 MHz"), "ms", seconds * 1e3);
        let time = Figure { how: How::Model, published: published(0), ..time };
        targets.push(time.at_most(55.0));
    }
    Ok(alone)
}

/// Circuits with more wires than the chip has slots, and with long lives.
fn on_any(benchmark: &Benchmark, part: &mut Part) -> Result<(), String> {
    let Ran { sent, seconds, .. } = benchmark.run(Suite::HalfGates, SPI)?;
    let Benchmark { name, gates: [ands, xors], .. } = benchmark;
    part.model(&format!("{name}: to the chip"), "bytes", None, sent.traffic.to_chip as f64);
    part.note(format!(
        "{ands} ANDs, {xors} XORs; {} labels came back to make room, {} went again; outputs as the reference's",
        sent.reads - benchmark.program.circuit.output_bits() as u64,
        sent.loads[1],
    ));
    part.model(name, "ms", None, seconds * 1e3);
    Ok(())
}
