//! Measures kernels alone, in ANDs per second and in block times per AND. A block time is the time
//! of one AES-128 block in registers.

use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate, block};
use halfgate_record::measure::Spread;
use halfgate_record::record::{Figure, machine};

/// Number of measurements of each figure. The figures are measured in turns.
const TURNS: usize = 15;
const SECONDS: f64 = 0.02;

/// Zen 4 and Zen 5, as the machine is described: Zen 4 by its models, Zen 5 by its family.
const ZEN: [&str; 3] = ["(family 25, model 17)", "(family 25, model 97)", "(family 26,"];

/// Measures the processor's best kernel in block times per AND, whose targets are for Zen 4 and
/// Zen 5.
pub fn block_times() -> Vec<Figure> {
    let kernel = CpuEngine::new(None).expect("some kernel runs everywhere").kernel();
    let mut ands = Rate::new(kernel, Load::Ands);
    let mut turns: [Vec<f64>; 2] = Default::default();
    for _ in 0..TURNS {
        let block = block(kernel, SECONDS);
        turns[0].push(ands.garble(SECONDS) / block);
        turns[1].push(ands.evaluate(SECONDS) / block);
    }
    let is_zen = ZEN.iter().any(|described| machine().contains(described));
    let elsewhere = (!is_zen).then_some("the target is for Zen 4 and Zen 5");
    let [garble, evaluate] = turns.map(Spread::of);
    [("garble", garble, 8.7), ("evaluate", evaluate, 7.0)]
        .map(|(role, times, target)| {
            let name = format!("{} kernel, {role} from L2, Zen 4 and 5", kernel.name);
            Figure::measured(&name, "block times/AND", times.median)
                .at_most(target)
                .note(times.to_string())
                .unlike_if(elsewhere)
        })
        .into()
}

/// Measures the processor's best kernel on independent ANDs, on a chain of ANDs, and on XORs.
pub fn run() -> Vec<Figure> {
    let kernel = CpuEngine::new(None).expect("some kernel runs everywhere").kernel();
    let [mut ands, mut serial, mut xors] =
        [Load::Ands, Load::Serial, Load::Xors].map(|load| Rate::new(kernel, load));
    let mut turns: [Vec<f64>; 6] = Default::default();
    for _ in 0..TURNS {
        turns[0].push(block(kernel, SECONDS));
        turns[1].push(ands.garble(SECONDS));
        turns[2].push(ands.evaluate(SECONDS));
        turns[3].push(serial.garble(SECONDS));
        turns[4].push(serial.evaluate(SECONDS));
        turns[5].push(xors.garble(SECONDS));
    }
    // Block times are ratios, so each is computed within one turn.
    let blocks = |turn: usize| {
        Spread::of(turns[turn].iter().zip(&turns[0]).map(|(and, block)| and / block).collect())
    };
    let (garble_blocks, evaluate_blocks) = (blocks(1), blocks(2));
    let [raw, garble, evaluate, serial_garble, serial_evaluate, xor] = turns.map(Spread::of);
    let rate = |s: Spread| s.map(|seconds| 1e-6 / seconds);
    let name = |what: &str| format!("{} kernel, {what}", kernel.name);
    let millions = |what: &str, s: Spread| {
        Figure::measured(&name(what), "M AND/s", rate(s).median).note(rate(s).to_string())
    };
    vec![
        Figure::measured(&name("AES-128 rounds in registers"), "M blocks/s", rate(raw).median)
            .note(format!("{}; one block time is {:.3} ns", rate(raw), raw.median * 1e9)),
        Figure::measured(&name("garble from L2"), "block times/AND", garble_blocks.median)
            .at_most(9.5)
            .note(format!("{garble_blocks}; stretch target 8.7; differs by processor")),
        Figure::measured(&name("evaluate from L2"), "block times/AND", evaluate_blocks.median)
            .at_most(8.0)
            .note(format!("{evaluate_blocks}; stretch target 7.3; differs by processor")),
        millions("garble from L2", garble).at_least(125.0),
        millions("evaluate from L2", evaluate).at_least(148.0),
        millions("garble, each AND after the one before", serial_garble),
        millions("evaluate, each AND after the one before", serial_evaluate),
        Figure::measured(&name("XOR"), "ns", xor.median * 1e9)
            .at_most(1.0)
            .note(xor.map(|s| s * 1e9).to_string()),
    ]
}
