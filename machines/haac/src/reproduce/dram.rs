//! The eight programs with a simulated DRAM behind the machine, over the model whose memory has a
//! bandwidth and a latency only.

use super::lab::{self, Lab, Source};
use super::vip::{MEMORIES, PAPER, Paper, WINDOW};
use super::{QUICK, Want};
use crate::dram::Attachment;
use halfgate_circuit::Party;
use halfgate_dram::DramError;
use halfgate_haac_model::Code;
use halfgate_haac_model::encoding::Encoding;
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::Options;
use halfgate_haac_model::model::packed::Packed;
use halfgate_programs::vip::VIP;
use halfgate_record::part::{Part, geo_mean};
use halfgate_record::record::{Figure, How};

/// The simulated memories, in the order of [`MEMORIES`], and the targets of their means.
const DRAMS: [(&str, f64); 2] = [("ddr4-4400", 1.15), ("hbm2", 1.25)];

/// Where labels are in memory, and what has them there.
const FORMS: [(&str, &str); 2] = [
    ("labels at their addresses", "the machine as its SystemVerilog is"),
    (
        "labels packed",
        "packed labels are in the models only; the baseline is the same order and code, by the \
         bandwidth-only model",
    ),
];

/// Cycles above which a run is left out: the simulator takes minutes for as many.
const LONGEST: u64 = 12_000_000;

/// An evaluation of a program in one order.
struct Run {
    /// Name of the program, and of the order.
    name: String,
    order: &'static str,
    /// Index in [`DRAMS`].
    memory: usize,
    /// Cycles by the bandwidth alone, with 16 and with 64 bytes a label; `None` if they were not
    /// run.
    bandwidth: Option<[u64; 2]>,
    /// Cycles with the DRAM: labels at their addresses, and packed; `None` if they were not run.
    dram: [Option<u64>; 2],
}

impl Run {
    /// Time with the DRAM over that by the bandwidth, for a form of labels and a size of accesses.
    fn over(&self, form: usize, bytes: usize) -> Option<f64> {
        Some(self.dram[form]? as f64 / self.bandwidth?[bytes].max(1) as f64)
    }
}

/// Runs all programs in all orders.
///
/// # Errors
/// If a program cannot be built, lowered or simulated, or there is no simulator.
pub fn part(want: &Want, report: &mut dyn FnMut(&str)) -> Result<Part, String> {
    if !halfgate_dram::IS_BUILT_IN {
        return Err(DramError::NotBuilt.to_string());
    }
    let mut runs = Vec::new();
    for (benchmark, quick) in VIP.iter().zip(QUICK) {
        let spec = if want.quick { quick } else { benchmark.program };
        for (memory, (dram, ..)) in DRAMS.iter().enumerate() {
            for order in PAPER.into_iter().map(Some).chain([None]) {
                let name = order.map_or("best", Paper::name);
                report(&format!("  {spec}, {dram}, {name}"));
                runs.push(run(benchmark.paper, Source::ours(spec), memory, order)?);
            }
        }
    }
    let title = "times with a simulated DRAM over those by bandwidth and latency alone, evaluating";
    let mut part = Part::new("dram", title);
    part.figures = figures(&runs);
    part.remark(
        "packed labels are a form of the machine that its models have and its SystemVerilog has \
         not; runs of more than 12 million cycles are left out",
    );
    Ok(part)
}

/// Runs a program in one of the paper's orders, or in ours.
fn run(name: &str, source: Source<'_>, memory: usize, order: Option<Paper>) -> Result<Run, String> {
    let machine = lab::machine(16, WINDOW, MEMORIES[memory])?;
    let role = Party::Evaluator;
    let program = lab::program(source, order.map_or(lab::best(&machine), |o| o.order(WINDOW)))?;
    let code = match order {
        Some(_) => lab::paper_code(&program, &machine, role)?,
        None => lab::best_code(&program, &machine, role)?,
    };
    drop(program);
    let lab = Lab { role, ..Lab::default() };
    let cycles = |wire_bytes| {
        let mut machine = machine.clone();
        machine.memory.wire_bytes = wire_bytes;
        lab.simulate(&code, &machine).map(|report| report.cycles)
    };
    let order_name = order.map_or("best", Paper::name);
    let (name, mut dram) = (name.to_owned(), [None; 2]);
    // A row takes a cycle, so this run is too long; the model alone would take minutes.
    if code.rows.len() / u64::from(machine.shape.engines) > LONGEST {
        return Ok(Run { name, order: order_name, memory, bandwidth: None, dram });
    }
    let bandwidth = [cycles(16)?, cycles(64)?];
    if bandwidth[0] <= LONGEST {
        dram[0] = Some(simulated(&code, &machine, memory, false)?);
        // Our order is the one to close the distance for.
        if order.is_none() {
            dram[1] = Some(simulated(&code, &machine, memory, true)?);
        }
    }
    Ok(Run { name, order: order_name, memory, bandwidth: Some(bandwidth), dram })
}

/// Cycles with the DRAM.
fn simulated(code: &Code, machine: &Machine, memory: usize, packed: bool) -> Result<u64, String> {
    let suffix = if packed { "+packed" } else { "" };
    let name = format!("dram:{}{suffix}", DRAMS[memory].0);
    let dram = Attachment::of(&name).map_err(|e| e.to_string())?.expect("it is one");
    let sizes = Packed::of(code, Encoding::Plain).map_err(|e| e.to_string())?;
    let options = Options::new(Party::Evaluator);
    dram.run(code, machine, (&options, false), &mut sizes.sizes(), &mut NoSink)
        .map(|report| report.cycles)
        .map_err(|e| e.to_string())
}

/// All rows: the means of our order with their targets, then those of each program and order.
fn figures(runs: &[Run]) -> Vec<Figure> {
    let model = |name: &str, value: f64| Figure {
        how: How::Model,
        ..Figure::measured(name, "times", value)
    };
    let mut figures = Vec::new();
    for (memory, (dram, target)) in DRAMS.iter().enumerate() {
        let of = |form: usize, bytes: usize| {
            let best = runs.iter().filter(|run| run.memory == memory && run.order == "best");
            let ratios: Option<Vec<f64>> = best.map(|run| run.over(form, bytes)).collect();
            let ratios = ratios.filter(|ratios| ratios.len() == VIP.len());
            ratios.map(|ratios| {
                let most = ratios.iter().copied().fold(0.0, f64::max);
                let above = ratios.iter().filter(|ratio| *ratio > target).count();
                let spread = match bytes {
                    0 => format!("most {most:.2}, {above} of eight above {target}"),
                    _ => format!("most {most:.2}"),
                };
                (spread, geo_mean(ratios))
            })
        };
        for (form, (what, about)) in FORMS.iter().enumerate() {
            for (bytes, size) in ["16", "64"].iter().enumerate() {
                let name = format!(
                    "{dram}, best, {what}, DRAM over bandwidth with {size}-byte labels, geometric mean \
                     of eight"
                );
                let figure = match of(form, bytes) {
                    Some((spread, mean)) => model(&name, mean).note(format!("{spread}; {about}")),
                    None => Figure::not_run(&name, "times", "a program was left out: see its row"),
                };
                figures.push(if bytes == 0 { figure.at_most(*target) } else { figure });
            }
        }
    }
    for run in runs {
        let start = format!("{}, {}, {}", run.name, DRAMS[run.memory].0, run.order);
        if let Some([narrow, wide]) = run.bandwidth {
            let name = format!("{start}, bandwidth with 64-byte labels over 16-byte");
            figures.push(model(&name, wide as f64 / narrow.max(1) as f64));
        }
        for (form, what) in ["DRAM", "DRAM with packed labels"].iter().enumerate() {
            if form == 1 && run.order != "best" {
                continue;
            }
            for (bytes, size) in ["16", "64"].iter().enumerate() {
                let name = format!("{start}, {what} over bandwidth with {size}-byte labels");
                figures.push(match (run.over(form, bytes), run.dram[form], run.bandwidth) {
                    (Some(over), Some(cycles), Some(than)) => {
                        let note = format!("{cycles} cycles against {}", than[bytes]);
                        model(&name, over).note(note)
                    }
                    _ => Figure::not_run(&name, "times", "more than 12 million cycles"),
                });
            }
        }
    }
    figures
}
