//! The small programs of Table 5, with 16 engines and 1 MB. Time counts from the first issue to the
//! last write-back, and queues and inputs are preloaded.

use super::lab::{self, Lab, Source};
use halfgate_circuit::Party;
use halfgate_compiler::Order;
use halfgate_haac_model::machine::Machine;
use halfgate_programs::vip::Benchmark;

/// The window of Table 5: 1 MB of labels.
pub const WINDOW: u32 = 1 << 16;

/// Results of one program in one order.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From the first issue to the last write-back, in microseconds: preloaded, with HBM2.
    pub us: f64,
    /// From a cold start to the last write to memory, with DDR4 and with HBM2.
    pub cold_us: [f64; 2],
    /// Lower bound of the preloaded run, in microseconds.
    pub bound_us: f64,
    /// Time of the preloaded run, divided by its bound.
    pub over_bound: f64,
    /// Gates.
    pub gates: u64,
    /// ANDs.
    pub ands: u64,
}

/// Results of one program.
#[derive(Clone, Debug)]
pub struct Small {
    /// Name in the paper.
    pub name: &'static str,
    /// Name of our program.
    pub program: &'static str,
    /// Garbling in the paper's order (full).
    pub full: Run,
    /// Garbling in our order.
    pub best: Run,
    /// Garbling in our order, with a circuit that has a shorter path, if there is one.
    pub latency: Option<Run>,
}

impl Small {
    /// The time in the faster of the two orders.
    pub fn us(&self) -> f64 {
        self.full.us.min(self.best.us)
    }
}

/// Runs one program.
///
/// # Errors
/// Any error that keeps it from being built, lowered or simulated.
pub fn measure(benchmark: &Benchmark) -> Result<Small, String> {
    let machine = lab::machine(16, WINDOW, "hbm2")?;
    let cold = lab::machine(16, WINDOW, "ddr4")?;
    let best = |spec| run(spec, lab::best(&machine), false, &machine, &cold);
    Ok(Small {
        name: benchmark.paper,
        program: benchmark.program,
        full: run(benchmark.program, Order::HaacFull, true, &machine, &cold)?,
        best: best(benchmark.program)?,
        latency: benchmark.latency.map(best).transpose()?,
    })
}

fn run(
    spec: &str,
    order: Order,
    paper: bool,
    machine: &Machine,
    cold: &Machine,
) -> Result<Run, String> {
    let program = lab::program(Source::ours(spec), order)?;
    let code = match paper {
        true => lab::paper_code(&program, machine, Party::Garbler)?,
        false => lab::best_code(&program, machine, Party::Garbler)?,
    };
    let us = |cycles: u64| cycles as f64 / f64::from(machine.mhz);
    let lab = Lab { preloaded: true, ..Lab::default() };
    let report = lab.simulate(&code, machine)?;
    let from_cold = [cold, machine].map(|machine| Lab::default().simulate(&code, machine));
    let [ddr4, hbm2] = from_cold;
    let bound = lab.bounds(&code, machine)?.greatest();
    Ok(Run {
        us: us(report.busy_cycles()),
        cold_us: [us(ddr4?.cycles), us(hbm2?.cycles)],
        bound_us: us(bound),
        over_bound: report.cycles as f64 / bound.max(1) as f64,
        gates: code.stats.gates,
        ands: code.stats.ands,
    })
}
