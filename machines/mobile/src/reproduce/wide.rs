//! The wide core on the larger board beside the small chip, both on links that are not the limit.

use super::Benchmark;
use crate::engine::MHZ;
use crate::engine::wide::MHZ as WIDE_MHZ;
use crate::engine::{Link, WideEngine};
use halfgate_circuit::random;
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite, kernels};
use halfgate_mobile_model::Item;
use halfgate_mobile_model::model::{self, Form};
use halfgate_mobile_model::wide::{self, UNITS};
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};

/// Target speed-up of the AND rate over the small chip's rate.
const TIMES: f64 = 20.0;
/// Why the speed-up has no verdict.
const SLOWER: &str = "over the slower of our own two forms, and for ANDs alone: whole circuits gain \
                      5 to 16 times";
/// A link that transfers a byte per clock cycle: the bytes of an AND arrive before the previous AND
/// is done.
pub(super) const UNBOUND: Link = Link { mhz: MHZ, clocks: 1.0 };

/// ANDs that do not depend on each other.
fn ands(count: u32) -> Vec<(Item, &'static [u8])> {
    let and = |at: u32| Item::And { a: 1, b: 2, c: 0, xors: 0, out: 8 + at % 200 };
    (0..count).map(|at| (and(at), &[0; 32][..])).collect()
}

/// Mean clock cycles between results, without the first `first` results.
fn each(stores: &[u64], first: usize) -> f64 {
    let all = stores[first..].iter().zip(&stores[first + 1..]);
    all.map(|(one, next)| (next - one) as f64).sum::<f64>() / (stores.len() - first - 1) as f64
}

/// Clock cycles per AND, and the AND rates of both cores.
pub fn part() -> Part {
    let mut part =
        Part::new("wide", "the wide core and the small chip, both on links that are not the limit");
    // All items fit into one frame, which the small chip receives at once.
    let narrow = each(&model::stores(Form::Half, &ands(25)), 5);
    let clocks = each(&wide::stores(UNITS, &ands(3000)), 100);
    let (narrow_rate, rate) = (MHZ / narrow, WIDE_MHZ / clocks);
    part.model("ANDs that do not wait for one another", "cycles each", None, clocks);
    part.note(format!("{UNITS} units; the first chip takes {narrow:.0}"));
    part.model("the same, UP5K", "M AND/s", None, narrow_rate);
    part.note(format!("at {MHZ} MHz, the board's clock"));
    part.model("the same, ECP5", "M AND/s", None, rate);
    part.note(format!("at {WIDE_MHZ} MHz, its board's clock"));
    let round = each(&model::stores(Form::Round, &ands(25)), 5);
    let times = rate / (MHZ / round);
    part.model("ECP5 over UP5K", "times", None, rate / narrow_rate);
    part.note(format!(
        "over our own UP5K with half a round of AES a cycle, the published form; {times:.1} over \
         its form with a round"
    ));
    part.model("ECP5 over UP5K with a round of AES a cycle", "times", None, times);
    part.note(format!("the first chip's other form takes {round:.0} cycles; at {MHZ} MHz too"));
    part
}

/// The target of the part's last figure.
pub fn target(part: &Part) -> Option<Figure> {
    let figure = part.figures.iter().find(|figure| figure.name == "ECP5 over UP5K")?;
    let name = "ECP5 over UP5K: ANDs that do not wait for one another, links that do not bind";
    let figure = Figure { name: name.to_owned(), how: How::Model, ..figure.clone() };
    Some(figure.at_least(TIMES).unlike(SLOWER))
}

/// Runs a benchmark on both cores, and checks it against the reference.
pub fn of(benchmark: &Benchmark, part: &mut Part) -> Result<(), String> {
    let narrow = benchmark.run(Suite::HalfGates, UNBOUND)?.seconds;
    let inputs = random::inputs_for(&benchmark.program.circuit, 1, 1);
    let garbler = CpuEngine::new(None).map_err(|error| error.to_string())?;
    let engine = WideEngine::model(kernels::best(), UNITS);
    let run = Run { suite: Suite::HalfGates, seed: 1, cycles: 1 };
    check_pair(&garbler, &engine, &benchmark.program, &inputs, run)?;
    let (time, sent) = (engine.simulated().expect("it simulates"), engine.sent());
    let name = &benchmark.name;
    part.model(&format!("{name}, ECP5"), "ms", None, time.seconds() * 1e3);
    part.note(format!(
        "{} ANDs and {} XORs as items, {:.2} cycles for each AND",
        sent.items[0],
        sent.items[1],
        time.clock_cycles as f64 / sent.items[0] as f64
    ));
    part.model(&format!("{name}, UP5K over ECP5"), "times", None, narrow / time.seconds());
    Ok(())
}
