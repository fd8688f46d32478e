//! Measures instances: garblings of one program side by side, on one core.
//!
//! Times are processor times. What is compared is measured in turns.

use halfgate_circuit::Wire;
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{
    Delta, Engine, GarblerIo, Garbling, IoError, Label, LabelSeed, Prepared, RunKey, Suite,
};
use halfgate_instances::{Job, Seed};
use halfgate_record::measure::{Spread, cpu_timed};
use halfgate_record::record::Figure;
use std::hint::black_box;

/// Programs, each with the number of turns.
const PROGRAMS: [(&str, usize); 3] = [("aes128", 61), ("sha256", 31), ("sort:256x16", 7)];
/// Instances together.
const COUNT: usize = 16;
/// Bytes that BLAKE3 hashes at a time when it is measured alone: as many as for an instance.
const HASHED: usize = 128 << 10;

/// Measures 16 instances together beside one after another, and their digests beside what BLAKE3
/// and the kernel allow.
///
/// # Errors
/// If a program cannot be built or garbled.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for (spec, turns) in PROGRAMS {
        report(&format!("  {spec}"));
        let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
        let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
        figures.extend(of_program(spec, &program, turns)?);
    }
    Ok(figures)
}

/// Seconds of one turn.
struct Turn {
    alone: f64,
    together: f64,
    digests: f64,
    blake3: f64,
}

fn of_program(spec: &str, program: &Program, turns: usize) -> Result<[Figure; 2], String> {
    let engine = CpuEngine::new(None).map_err(|e| e.to_string())?;
    let mut prepared = engine.prepare(program).map_err(|e| e.to_string())?;
    let mut measured = Vec::new();
    for turn in 0..=turns {
        let turn_of = turn_of(&mut *prepared, program)?;
        // The first turn fetches code and pages.
        if turn > 0 {
            measured.push(turn_of);
        }
    }
    let ands = (program.ands_per_cycle() * COUNT as u64) as f64;
    let of = |value: &dyn Fn(&Turn) -> f64| Spread::of(measured.iter().map(value).collect());
    let rate = |value: &dyn Fn(&Turn) -> f64| of(&|turn| ands / value(turn) / 1e6).median;
    let faster = of(&|turn| turn.alone / turn.together);
    let share = of(&|turn| 100.0 * (turn.alone.min(turn.together) + turn.blake3) / turn.digests);
    let together = Figure::measured(
        &format!("{spec}, {COUNT} instances together over one after another"),
        "times",
        faster.median,
    );
    let digests = Figure::measured(
        &format!(
            "{spec}, {COUNT} instances with digest only, share of what BLAKE3 and engine allow"
        ),
        "%",
        share.median,
    );
    Ok([
        together.at_least(1.15).note(format!(
            "{faster}; {:.1} and {:.1} M AND/s, one core",
            rate(&|turn| turn.together),
            rate(&|turn| turn.alone)
        )),
        digests.at_least(90.0).note(format!(
            "{share}; {:.1} M AND/s; BLAKE3 alone takes {:.2} ns a table",
            rate(&|turn| turn.digests),
            of(&|turn| turn.blake3 / ands * 1e9).median
        )),
    ])
}

fn turn_of(prepared: &mut dyn Prepared, program: &Program) -> Result<Turn, String> {
    let suite = Suite::HalfGates;
    let deltas: Vec<Delta> =
        (1..).map(|n| Delta::new(Label::from_u128(n << 64 | n))).take(COUNT).collect();
    let seeds: Vec<LabelSeed> = (0..COUNT as u8).map(|n| LabelSeed::new(&[n; 16])).collect();
    let key = |instance: usize| RunKey { suite, point: instance as u128 * 0x9e37_79b9_7f4a_7c15 };

    let (ran, alone) = cpu_timed(|| {
        (0..COUNT).try_for_each(|instance| {
            let mut io = Discarded::new(&seeds[instance]);
            prepared.garble(key(instance), &deltas[instance], 1, &mut io).map(drop)
        })
    });
    ran.map_err(|e| e.to_string())?;
    let (ran, together) = cpu_timed(|| {
        let mut ios: Vec<Discarded<'_>> = seeds.iter().map(Discarded::new).collect();
        let mut garblings: Vec<Garbling<'_>> = (ios.iter_mut().enumerate())
            .map(|(n, io)| Garbling { key: key(n), delta: &deltas[n], io })
            .collect();
        prepared.garble_together(1, &mut garblings)
    });
    ran.map_err(|e| e.to_string())?;

    let job = Job { program, suite, cycles: 1 };
    let seeds: Vec<Seed> = (0..COUNT as u8).map(|n| Seed::from_bytes(&[n; 32])).collect();
    let mut instances = Vec::new();
    let (ran, digests) = cpu_timed(|| {
        halfgate_instances::garble(prepared, &job, &seeds, &mut instances, &|_, _, _| Ok(()))
    });
    ran.map_err(|e| e.to_string())?;
    black_box(instances);

    let bytes = program.ands_per_cycle() as usize * COUNT * suite.table_bytes();
    let tables = vec![0x5a; HASHED];
    let ((), blake3) = cpu_timed(|| {
        let mut hasher = blake3::Hasher::new();
        let mut left = bytes;
        while left > 0 {
            let count = left.min(HASHED);
            hasher.update(black_box(&tables[..count]));
            left -= count;
        }
        black_box(hasher.finalize());
    });
    Ok(Turn { alone, together, digests, blake3 })
}

/// Input and output whose tables are overwritten by the next ones.
struct Discarded<'a> {
    seed: &'a LabelSeed,
    inputs: u64,
    tables: Vec<u8>,
}

impl<'a> Discarded<'a> {
    fn new(seed: &'a LabelSeed) -> Discarded<'a> {
        Discarded { seed, inputs: 0, tables: Vec::new() }
    }
}

impl GarblerIo for Discarded<'_> {
    fn false_labels(&mut self, _: u64, _: &[Wire], labels: &mut [Label]) -> Result<(), IoError> {
        for label in labels {
            *label = self.seed.label(self.inputs);
            self.inputs += 1;
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        if self.tables.len() < bytes {
            self.tables.resize(bytes, 0);
        }
        Ok(&mut self.tables[..bytes])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, _: u64, _: &[u32], _: &[Label]) -> Result<(), IoError> {
        Ok(())
    }
}
