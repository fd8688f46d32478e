//! One of the paper's eight programs on the paper's machine, in all variants that tables, figures
//! and targets need.

use super::lab::{self, Lab, Source};
use super::traffic::Traffic;
use super::{Want, cpu, published};
use crate::engine::HaacEngine;
use halfgate_circuit::Party;
use halfgate_circuit::Stats as CircuitStats;
use halfgate_compiler::{Order, Program};
use halfgate_haac_model::code::Stats;
use halfgate_haac_model::encoding::Encoding;
use halfgate_haac_model::model::bounds::Bounds;
use halfgate_haac_model::report::Report;
use halfgate_programs::vip::Benchmark;
use halfgate_record::measure::cpu_timed as timed;

/// The paper's window: 2 MB of labels.
pub const WINDOW: u32 = 1 << 17;
/// Engines of Figure 8.
pub const ENGINES: [u32; 5] = [1, 2, 4, 8, 16];
/// The paper's memories. All pairs of results below are in this order.
pub const MEMORIES: [&str; 2] = ["ddr4", "hbm2"];
/// Windows of Figure 7: 0.5, 1 and 2 MB.
pub const WINDOWS: [u32; 3] = [1 << 15, 1 << 16, 1 << 17];
/// Programs of Figure 7.
pub const FIGURE7: [&str; 2] = ["MatMult", "BubbSt"];

/// The paper's three orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// The order in which the program computes. The paper's baseline is depth first.
    Baseline,
    /// By levels, in segments of half the window.
    Segment,
    /// By levels, over the whole program.
    Full,
}

/// The three orders.
pub const PAPER: [Paper; 3] = [Paper::Baseline, Paper::Segment, Paper::Full];

impl Paper {
    /// The order's name.
    pub fn name(self) -> &'static str {
        match self {
            Paper::Baseline => "baseline",
            Paper::Segment => "segment",
            Paper::Full => "full",
        }
    }

    /// The order for a window.
    pub(super) fn order(self, window: u32) -> Order {
        match self {
            Paper::Baseline => Order::HaacBaseline,
            Paper::Segment => Order::HaacSegment { gates: window / 2 },
            Paper::Full => Order::HaacFull,
        }
    }
}

/// Results of evaluating a program in one of the paper's orders, with 16 engines and 2 MB.
#[derive(Clone, Debug)]
pub struct PaperRun {
    /// Counts over its code.
    pub stats: Stats,
    /// Wires to and from memory as the paper counts them.
    pub traffic: Traffic,
    /// Inputs that have an address.
    pub inputs: u64,
    /// Reports of evaluating, with DDR4 and with HBM2.
    pub reports: [Report; 2],
    /// Report of evaluating, with DDR4 and every wire written to memory.
    pub every_wire: Option<Report>,
    /// Report of garbling, with DDR4.
    pub garbler: Option<Report>,
    /// M gates/s of compiling, from the circuit to the program in its order.
    pub compile_rate: f64,
}

/// Results of evaluating a program in our order, for one memory.
#[derive(Clone, Debug)]
pub struct BestRun {
    /// Counts over its code.
    pub stats: Stats,
    /// Inputs that have an address.
    pub inputs: u64,
    /// Reports with plain and with compact instructions.
    pub reports: [Report; 2],
    /// Report of garbling, with plain instructions.
    pub garbler: Report,
    /// The bounds with plain instructions.
    pub bounds: Bounds,
    /// M gates/s of compiling, from the circuit to the program in its order.
    pub compile_rate: f64,
    /// M gates/s of the model, plain instructions.
    pub model_rate: f64,
    /// M gates/s of the model with labels, garbling.
    pub labels_rate: f64,
}

/// A point of Figure 7.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Labels.
    pub labels: u32,
    /// The order.
    pub order: Paper,
    /// Cycles with a memory that never limits the machine.
    pub compute: u64,
    /// Cycles that DDR4 takes for wires alone.
    pub traffic: f64,
}

/// Cycles for a number of engines: with DDR4 in the better of segment and full, and with HBM2 in
/// full.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Engines.
    pub engines: u32,
    /// Cycles with DDR4 and with HBM2.
    pub cycles: [u64; 2],
}

/// All results of a program. Results that were not requested are empty.
#[derive(Clone, Debug)]
pub struct Vip {
    /// Name in the paper. It ends with "as published" if the circuit is the paper's and differs
    /// from ours.
    pub name: String,
    /// Name in the paper.
    pub benchmark: &'static str,
    /// Name of our program.
    pub program: String,
    /// The paper's row, if the sizes are the paper's.
    pub row: Option<published::Row>,
    /// The circuit in baseline order.
    pub circuit: CircuitStats,
    /// Results by order, as in [`PAPER`].
    pub paper: Vec<PaperRun>,
    /// Results in our order, for DDR4 and HBM2.
    pub best: Vec<BestRun>,
    /// Points of Figure 7.
    pub windows: Vec<Window>,
    /// Points of Figure 8.
    pub scaling: Vec<Scale>,
    /// Cycles on one engine, with HBM2 and the full reorder.
    pub one_engine: Option<u64>,
    /// Times of the CPU engine on this processor.
    pub cpu: Option<cpu::CpuTime>,
    /// Seconds of plain Rust on this processor, for inputs of the sizes in [`Vip::row`].
    pub plaintext: Option<f64>,
}

/// Runs one program. `source` is the benchmark's own size or a smaller one, with our circuit or the
/// paper's.
///
/// # Errors
/// Any error that keeps a program from being built, lowered or simulated.
pub fn measure(
    benchmark: &Benchmark,
    source: Source<'_>,
    want: &Want,
    report: &mut dyn FnMut(&str),
) -> Result<Vip, String> {
    let Source { spec, as_published } = source;
    let (program, plaintext) = match benchmark.published.filter(|_| as_published) {
        Some(published) => (published.program, published.plaintext),
        None => (benchmark.program, benchmark.plaintext),
    };
    let whole = spec == program;
    let baseline = lab::program(source, Order::HaacBaseline)?;
    let name = if as_published { " as published" } else { "" };
    let mut vip = Vip {
        name: format!("{}{name}", benchmark.paper),
        benchmark: benchmark.paper,
        program: spec.to_owned(),
        row: if whole { published::row(benchmark.paper) } else { None },
        circuit: CircuitStats::of(&baseline.circuit),
        paper: Vec::new(),
        best: Vec::new(),
        windows: Vec::new(),
        scaling: Vec::new(),
        one_engine: None,
        cpu: None,
        plaintext: None,
    };
    drop(baseline);
    if want.paper() {
        for order in PAPER {
            report(&format!("  {spec}{name}, {}", order.name()));
            vip.paper.push(paper_run(source, order, want)?);
        }
    }
    if want.figure8 {
        report(&format!("  {spec}, 1 to 16 engines"));
        vip.scaling = scaling(source)?;
    }
    if want.heads() {
        report(&format!("  {spec}, one engine"));
        vip.one_engine = Some(one_engine(source)?);
    }
    if want.figure7 && FIGURE7.contains(&benchmark.paper) {
        report(&format!("  {spec}, windows"));
        vip.windows = windows(source)?;
    }
    if want.best() && !as_published {
        for memory in MEMORIES {
            report(&format!("  {spec}, best for {memory}"));
            vip.best.push(best_run(source, memory)?);
        }
    }
    if want.cpu() {
        report(&format!("  {spec}, on this processor"));
        vip.cpu = Some(cpu::time(source)?);
    }
    if (want.figure10 || want.heads()) && whole {
        vip.plaintext = Some(cpu::plaintext(plaintext));
    }
    Ok(vip)
}

/// The program in an order, and the M gates/s of compiling it.
fn ordered(source: Source<'_>, order: Order) -> Result<(Program, f64), String> {
    let circuit = source.circuit()?;
    let gates = circuit.gates.len() as f64;
    let (program, seconds) = timed(|| halfgate_compiler::compile(circuit, order));
    Ok((program.map_err(|e| e.to_string())?, gates / seconds * 1e-6))
}

fn paper_run(source: Source<'_>, order: Paper, want: &Want) -> Result<PaperRun, String> {
    let machines = [lab::machine(16, WINDOW, "ddr4")?, lab::machine(16, WINDOW, "hbm2")?];
    let (program, compile_rate) = ordered(source, order.order(WINDOW))?;
    let evaluator = Lab { role: Party::Evaluator, ..Lab::default() };
    let code = lab::paper_code(&program, &machines[0], Party::Evaluator)?;
    let ddr4 = evaluator.simulate(&code, &machines[0])?;
    let (stats, inputs) = (code.stats, code.inputs.len() as u64);
    let traffic = Traffic::of(&program.circuit, machines[0].shape);
    let garbler = match want.text && order != Paper::Baseline {
        true => Some(Lab::default().simulate(&code, &machines[0])?),
        false => None,
    };
    let every_wire = match want.figure6 && order != Paper::Segment {
        true => Some(evaluator.simulate(&lab::every_wire_live(code)?, &machines[0])?),
        false => None,
    };
    // Instructions are given to engines for the memory that is simulated.
    let code = lab::paper_code(&program, &machines[1], Party::Evaluator)?;
    let hbm2 = evaluator.simulate(&code, &machines[1])?;
    Ok(PaperRun {
        stats,
        traffic,
        inputs,
        reports: [ddr4, hbm2],
        every_wire,
        garbler,
        compile_rate,
    })
}

fn best_run(source: Source<'_>, memory: &str) -> Result<BestRun, String> {
    let machine = lab::machine(16, WINDOW, memory)?;
    let (program, compile_rate) = ordered(source, lab::best(&machine))?;
    let code = lab::best_code(&program, &machine, Party::Evaluator)?;
    let lab = Lab { role: Party::Evaluator, ..Lab::default() };
    let (plain, seconds) = timed(|| lab.simulate(&code, &machine));
    let plain = plain?;
    let compact = Lab { encoding: Encoding::Compact, ..lab }.simulate(&code, &machine)?;
    let garbler = Lab::default().simulate(&code, &machine)?;
    let bounds = lab.bounds(&code, &machine)?;
    let gates = code.stats.gates as f64 * 1e-6;
    let engine = HaacEngine::new(machine);
    let with_labels = halfgate_record::engine::garbling_seconds(&engine, &program)?;
    Ok(BestRun {
        stats: code.stats,
        inputs: code.inputs.len() as u64,
        reports: [plain, compact],
        garbler,
        bounds,
        compile_rate,
        model_rate: gates / seconds,
        labels_rate: gates / with_labels,
    })
}

fn windows(source: Source<'_>) -> Result<Vec<Window>, String> {
    let mut points = Vec::new();
    for order in PAPER {
        for labels in WINDOWS {
            let machine = lab::machine(16, labels, "ddr4")?;
            let free = lab::without_memory(&machine);
            let program = lab::program(source, order.order(labels))?;
            let code = lab::paper_code(&program, &free, Party::Evaluator)?;
            let lab = Lab { role: Party::Evaluator, ..Lab::default() };
            let compute = lab.simulate(&code, &free)?.cycles;
            let wires = code.stats.live + code.stats.oor_reads;
            let (bytes, cycles) = machine.memory.bytes_per_cycle;
            let traffic = 16.0 * wires as f64 * f64::from(cycles) / f64::from(bytes);
            points.push(Window { labels, order, compute, traffic });
        }
    }
    Ok(points)
}

fn scaling(source: Source<'_>) -> Result<Vec<Scale>, String> {
    let mut points: Vec<_> =
        ENGINES.map(|engines| Scale { engines, cycles: [u64::MAX, 0] }).to_vec();
    for order in [Paper::Segment, Paper::Full] {
        let program = lab::program(source, order.order(WINDOW))?;
        for point in &mut points {
            let lab = Lab { role: Party::Evaluator, ..Lab::default() };
            for (memory, cycles) in MEMORIES.iter().zip(&mut point.cycles) {
                if *memory == "hbm2" && order == Paper::Segment {
                    continue;
                }
                let machine = lab::machine(point.engines, WINDOW, memory)?;
                let code = lab::paper_code(&program, &machine, Party::Evaluator)?;
                let took = lab.simulate(&code, &machine)?.cycles;
                *cycles = if *memory == "ddr4" { took.min(*cycles) } else { took };
            }
        }
    }
    Ok(points)
}

fn one_engine(source: Source<'_>) -> Result<u64, String> {
    let machine = lab::machine(1, WINDOW, "hbm2")?;
    let program = lab::program(source, Paper::Full.order(WINDOW))?;
    let code = lab::paper_code(&program, &machine, Party::Evaluator)?;
    let lab = Lab { role: Party::Evaluator, ..Lab::default() };
    Ok(lab.simulate(&code, &machine)?.cycles)
}

/// Largest distances from Table 2, in percent, with which a circuit still counts as the paper's: in
/// gates, in the share of ANDs, and in levels.
const MATCHED: [f64; 3] = [2.0, 2.0, 10.0];

/// Programs whose circuit as published is a fit to Table 2's counts: the paper gives neither their
/// netlists nor all of their sizes.
const FITS: [&str; 2] = ["Merse", "GradDesc"];

/// Programs whose circuit as published is one of several that their source allows, chosen by Table
/// 2's counts.
const CHOSEN: [&str; 3] = ["BubbSt", "Triangle", "ReLU"];

impl Vip {
    /// Whether the published counts chose the circuit among those that its source allows. Then its
    /// own counts are no evidence, while its cycles are.
    pub fn is_chosen(&self) -> bool {
        self.is_as_published() && CHOSEN.contains(&self.benchmark)
    }

    /// Whether the circuit is a fit to the published counts. Then agreement with them is no
    /// evidence.
    pub fn is_fit(&self) -> bool {
        self.is_as_published() && FITS.contains(&self.benchmark)
    }

    /// Whether the circuit is the paper's form of the program and differs from ours.
    pub fn is_as_published(&self) -> bool {
        self.name != self.benchmark
    }

    /// The reason why figures of this circuit are not compared with the paper's; `None` if they
    /// are.
    pub fn unlike(&self) -> Option<String> {
        let fit = "a circuit fitted to Table 2's counts: the paper gives neither its netlist nor \
                   all of its sizes";
        self.differs().or_else(|| self.is_fit().then(|| fit.to_owned()))
    }

    /// The reason why the circuit is not the paper's; `None` if it is.
    pub fn differs(&self) -> Option<String> {
        let Some(row) = &self.row else { return Some("sizes are not the paper's".to_owned()) };
        let (gates, ands) = (self.circuit.gates as f64, self.circuit.ands as f64);
        let of = [
            gates / (row.gates_k * 1e3),
            100.0 * ands / gates.max(1.0) / row.and_percent,
            f64::from(self.circuit.depth) / row.levels,
        ];
        let is_far = of.iter().zip(MATCHED).any(|(of, most)| 100.0 * (of - 1.0).abs() > most);
        let [gates, share, levels] = of;
        is_far.then(|| {
            format!(
                "another circuit: of the published it has {gates:.2} times the gates, {share:.2} \
                 times the share of ANDs and {levels:.2} times the levels"
            )
        })
    }

    /// The counts of Table 3, for the segment and for the full reorder. A segment is a half of the
    /// window, so its counts equal the baseline's ([`traffic`](super::traffic)).
    pub fn table3(&self) -> Option<[Traffic; 2]> {
        match &self.paper[..] {
            [baseline, _, full] => Some([baseline.traffic, full.traffic]),
            _ => None,
        }
    }

    /// Percentage of wires, inputs included, that are not live with the full reorder.
    pub fn spent_percent(&self) -> Option<f64> {
        Some(self.table3()?[1].spent_percent())
    }

    /// Cycles in the better of the orders segment and full, for DDR4 (0) or HBM2 (1).
    pub fn better(&self, memory: usize) -> Option<u64> {
        let of = |order: usize| Some(self.paper.get(order)?.reports[memory].cycles);
        Some(of(1)?.min(of(2)?))
    }
}

/// Labels moved between machine and memory beyond the minimum of any schedule, which reads each of
/// `inputs` once and writes each output once.
pub fn wires_apart(stats: &Stats, inputs: u64) -> u64 {
    let moved = stats.inputs_loaded + stats.oor_reads + stats.live;
    moved.saturating_sub(inputs + stats.live_outputs)
}
