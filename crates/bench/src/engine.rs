//! Measures compiled programs on one core: the engine with its lowering, its chunks and its tables.

use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_record::engine::{TURNS, measure, program};
use halfgate_record::measure::Spread;
use halfgate_record::record::Figure;

/// Measures AES-128 chained a thousand times, bubble sort, and a chain of ANDs.
///
/// # Errors
/// If a program cannot be compiled or run.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    let kernel = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let mut rate = Rate::new(kernel, Load::Ands);
    let limits: [Vec<f64>; 2] = [
        (0..TURNS).map(|_| rate.garble(0.02)).collect(),
        (0..TURNS).map(|_| rate.evaluate(0.02)).collect(),
    ];
    let [kernel_garble, kernel_evaluate] = limits.map(|l| 1e-6 / Spread::of(l).median);
    for spec in ["aes128-chained:1000", "sort:256x32", "chain:2000000"] {
        report(&format!("  {spec}"));
        let program = program(spec)?;
        let measured = measure(&program)?;
        let rate = |s: Spread| s.map(|seconds| 1e-6 / seconds);
        let roles = [
            ("garble", measured.garble, kernel_garble),
            ("evaluate", measured.evaluate, kernel_evaluate),
        ];
        for (i, (role, spread, limit)) in roles.into_iter().enumerate() {
            let name = format!("{spec}, {role}");
            let figure = Figure::measured(&name, "M AND/s", rate(spread).median);
            let mut note = rate(spread).to_string();
            figures.push(
                match spec {
                    "aes128-chained:1000" => {
                        note += &format!(
                            "; a target of our own; EMP 0.3, tables to memory, reaches {}, {}",
                            [25, 47][i],
                            crate::PEERS_MACHINE
                        );
                        figure.at_least([70.0, 90.0][i])
                    }
                    "chain:2000000" => figure.at_least([45.0, 55.0][i]),
                    _ => figure,
                }
                .note(note),
            );
            if spec == "aes128-chained:1000" {
                let share = rate(spread).median / limit * 100.0;
                let name = format!("{name}, share of the kernel's rate");
                let xors = program.gates_per_cycle() - program.ands_per_cycle();
                let an_and = xors as f64 / program.ands_per_cycle() as f64;
                figures.push(Figure::measured(&name, "%", share).at_least(70.0).note(format!(
                    "the program has {an_and:.2} XORs per AND, the kernel's rate is without XORs"
                )));
            }
        }
    }
    Ok(figures)
}
