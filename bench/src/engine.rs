//! Compiled programs on one core: the engine with its lowering, its chunks and its tables.

use crate::measure::{Spread, cpu_timed, timed};
use crate::record::Figure;
use halfgate_circuit::Wire;
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_engine::testing::seeded_labels;
use halfgate_engine::{
    Delta, Engine, EvaluatorIo, GarblerIo, IoError, Label, Prepared, RunKey, Suite,
};

const TURNS: usize = 7;

/// What one program does on one core.
pub struct Measured {
    /// Seconds an AND to garble, tables to memory.
    pub garble: Spread,
    /// Seconds an AND to evaluate.
    pub evaluate: Spread,
}

/// AES-128 chained a thousand times, bubble sort, and a chain of ANDs.
///
/// # Errors
/// If a program cannot be compiled or run.
pub fn run(say: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    let kernel = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let mut rate = Rate::new(kernel, Load::Ands);
    let limits: [Vec<f64>; 2] = [
        (0..TURNS).map(|_| rate.garble(0.02)).collect(),
        (0..TURNS).map(|_| rate.evaluate(0.02)).collect(),
    ];
    let [kernel_garble, kernel_evaluate] = limits.map(|l| 1e-6 / Spread::of(l).median);
    for spec in ["aes128-chained:1000", "sort:256x32", "chain:2000000"] {
        say(&format!("  {spec}"));
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
            let note = rate(spread).to_string();
            figures.push(
                match spec {
                    "aes128-chained:1000" => {
                        // EMP toolkit 0.3, tables to memory.
                        figure.published([25.0, 47.0][i]).at_least([70.0, 90.0][i])
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
                    "with {an_and:.2} XORs an AND, which the kernel's rate has not"
                )));
            }
        }
    }
    Ok(figures)
}

/// A built-in program in the default order.
///
/// # Errors
/// If it cannot be built or compiled.
pub fn program(spec: &str) -> Result<Program, String> {
    let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
    compile(circuit, Order::default()).map_err(|e| e.to_string())
}

/// Garbles and evaluates `program` in turns, tables to memory that was touched before.
///
/// # Errors
/// Those of the engine.
pub fn measure(program: &Program) -> Result<Measured, String> {
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let cycles = program.circuit.cycles;
    let ands = (program.ands_per_cycle() * cycles) as f64;
    let mut tables = vec![0xa5; ands as usize * 32];
    let (mut garble, mut evaluate) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (result, seconds) = timed(|| garble_into(&mut *prepared, cycles, &mut tables));
        result?;
        garble.push(seconds / ands);
        let (result, seconds) = timed(|| evaluate_from(&mut *prepared, cycles, &tables));
        result?;
        evaluate.push(seconds / ands);
    }
    Ok(Measured { garble: Spread::of(garble), evaluate: Spread::of(evaluate) })
}

/// Seconds of processor time that garbling `program` once takes on `engine`, lowering not counted, tables to memory.
///
/// # Errors
/// Those of the engine.
pub fn garbling_seconds(engine: &dyn Engine, program: &Program) -> Result<f64, String> {
    garbling_seconds_in(engine, program, Suite::HalfGates)
}

/// The same in another suite.
///
/// # Errors
/// Those of the engine.
pub fn garbling_seconds_in(
    engine: &dyn Engine,
    program: &Program,
    suite: Suite,
) -> Result<f64, String> {
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let cycles = program.circuit.cycles;
    let ands = (program.ands_per_cycle() * cycles) as usize;
    let mut tables = vec![0xa5; ands * suite.table_bytes()];
    let garble = || garble_in(suite, &mut *prepared, cycles, &mut tables);
    let (result, seconds) = cpu_timed(garble);
    result.map(|()| seconds)
}

const POINT: u128 = 0x1234_5678_9abc_def0;
const KEY: RunKey = RunKey { suite: Suite::HalfGates, point: POINT };

fn garble_into(prepared: &mut dyn Prepared, cycles: u64, tables: &mut [u8]) -> Result<(), String> {
    garble_in(Suite::HalfGates, prepared, cycles, tables)
}

fn garble_in(
    suite: Suite,
    prepared: &mut dyn Prepared,
    cycles: u64,
    tables: &mut [u8],
) -> Result<(), String> {
    let delta = Label::from_u128(0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1);
    let mut io = ToMemory { suite, tables, done: 0 };
    let key = RunKey { suite, point: POINT };
    let garbled = prepared.garble(key, &Delta::new(suite.clip(delta)), cycles, &mut io);
    garbled.map_err(|e| e.to_string())?;
    Ok(())
}

fn evaluate_from(prepared: &mut dyn Prepared, cycles: u64, tables: &[u8]) -> Result<(), String> {
    let mut io = FromMemory { tables };
    prepared.evaluate(KEY, cycles, &mut io).map_err(|e| e.to_string())?;
    Ok(())
}

/// Tables to one long piece of memory; labels from a seed; outputs to nowhere.
struct ToMemory<'a> {
    suite: Suite,
    tables: &'a mut [u8],
    done: usize,
}

impl GarblerIo for ToMemory<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        give(cycle, bits, labels);
        for label in labels {
            *label = self.suite.clip(*label);
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        let start = self.done;
        self.done += bytes;
        self.tables.get_mut(start..start + bytes).ok_or_else(|| "more tables than ANDs".into())
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

struct FromMemory<'a> {
    tables: &'a [u8],
}

impl EvaluatorIo for FromMemory<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        give(cycle, bits, labels);
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        let (now, rest) = self.tables.split_at_checked(bytes).ok_or("fewer tables than ANDs")?;
        self.tables = rest;
        Ok(now)
    }

    fn output(&mut self, _cycle: u64, _bits: &[u32], _labels: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}

fn give(cycle: u64, bits: &[Wire], labels: &mut [Label]) {
    let mut seeded = seeded_labels(1);
    for (label, &bit) in labels.iter_mut().zip(bits) {
        *label = seeded(cycle, bit);
    }
}
