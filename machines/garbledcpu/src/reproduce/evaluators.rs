//! Clock cycles per instruction: our evaluators on our processors, beside the paper's evaluator on
//! the paper's processors.

use super::processors::core;
use super::published::{Processor, TABLE_2, TABLE_5};
use halfgate_compiler::{Order, compile};
use halfgate_engine::Suite;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_garbledcpu_model::{Machine, body};
use halfgate_mips::core::Core;
use halfgate_record::measure::Spread;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_scheduled_model::model;
use std::sync::Mutex;

/// The machines of Table 4, and their names in the table.
const MACHINES: [(&str, &str); 5] = [
    ("garbledcpu-paper", "as published"),
    ("garbledcpu-1", "overlapping"),
    ("garbledcpu-4", "four pipelines"),
    ("garbledcpu-short-1", "12 stages"),
    ("garbledcpu-short-4", "four pipelines of 12 stages"),
];

/// The machines that mostly wait for the division when they run the full instruction set. They also
/// run a shallow processor, whose division is faster.
const WIDE: [(&str, &str); 2] = [MACHINES[2], MACHINES[4]];

/// Number of instructions, that is netlist cycles, for which code is scheduled.
const STEPS: u64 = 1000;

/// Instructions that the model runs; every label is checked.
const RUN: u64 = 3;

/// Results of machines on a processor.
struct Found {
    /// ANDs of the processor.
    ands: u64,
    /// For each machine, the clock cycles between two instructions.
    clocks: Vec<u64>,
}

impl Found {
    fn a_gate(&self, machine: usize) -> f64 {
        self.clocks[machine] as f64 / self.ands as f64
    }
}

/// The rows of Table 4: our processor on [`MACHINES`] and, for the full set, the shallow processor
/// on [`WIDE`].
pub struct Clocks(Vec<(&'static Processor, Found, Option<Found>)>);

impl Clocks {
    /// Schedules all processors for all machines, and runs the models.
    ///
    /// # Errors
    /// If Yosys is missing, a schedule is wrong, or a processor exceeds a machine's capacity.
    pub fn count(report: &mut dyn FnMut(&str)) -> Result<Clocks, String> {
        let mut rows = Vec::new();
        for row in TABLE_2.iter() {
            report(&format!(
                "{} set, {} words, on {} evaluators",
                row.set,
                row.words,
                MACHINES.len()
            ));
            let found = on(core(row)?, &MACHINES.map(|(name, _)| name))?;
            let shallow = Core { shallow: true, ..core(row)? };
            let wide = (row.set == "full").then(|| on(shallow, &WIDE.map(|(name, _)| name)));
            rows.push((row, found, wide.transpose()?));
        }
        Ok(Clocks(rows))
    }

    /// Table 4.
    pub fn table(&self) -> Part {
        let mut part =
            Part::new("table4", "clocks for an instruction, and for each of its non-XOR gates");
        for (row, all, wide) in &self.0 {
            let shallow = wide.iter().map(|found| (found, &WIDE[..], ", shallow"));
            for (found, machines, processor) in
                [(all, &MACHINES[..], "")].into_iter().chain(shallow)
            {
                for (place, (_, form)) in machines.iter().enumerate() {
                    let name = |of: &str| {
                        format!("{}{processor}, {} words, {form}{of}", row.set, row.words)
                    };
                    let clocks = found.clocks[place] as f64;
                    part.model(&name(""), "clocks", Some(row.clocks), clocks);
                    let published = row.clocks / row.non_xor;
                    part.model(&name(", a gate"), "clocks", Some(published), found.a_gate(place));
                }
            }
        }
        part.remark("of ours: processors with all registers, Table 2's; from one instruction's begin to the next's, after the first, which waits for input labels");
        part.remark("one-cycle division is the longest loop of the full set: HI and LO, a register and a divider of 32 subtractions of 32 bits, in two instructions; a shallow processor divides with carry select, in more ANDs of which fewer stand behind one another");
        part
    }

    /// The targets: at most 1.05 clocks per gate with one pipeline; with four pipelines at most
    /// 0.30, or 0.40 if memories are small. They are not compared with the published evaluator,
    /// which runs another processor.
    pub fn targets(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (row, all, wide) in &self.0 {
            let four = if row.words >= 128 { 0.30 } else { 0.40 };
            let rows = [("one pipeline", 1, 3, 1.05), ("four pipelines", 2, 4, four)];
            for (pipelines, machine, short, most) in rows {
                let note = format!("{:.3} with 12 stages for 21", all.a_gate(short));
                let why = if machine == 2 { FOUR } else { OVERLAPS };
                figures.push(a_gate(row, pipelines, all.a_gate(machine), most, (note, why)));
            }
            let Some(wide) = wide else { continue };
            let note = format!("{} clocks for {} ANDs", wide.clocks[0], wide.ands);
            let what = "four pipelines, shallow processor";
            figures.push(a_gate(row, what, wide.a_gate(0), four, (note, SHALLOW)));
        }
        figures
    }

    /// The clocks per gate of a machine, as mean over the rows of Table 4.
    fn mean_a_gate(&self, machine: usize) -> f64 {
        let all = self.0.iter().map(|(_, found, _)| found.a_gate(machine));
        all.sum::<f64>() / self.0.len() as f64
    }

    /// The headline figures that follow from Table 4: clocks and time per gate. `cpu` has the
    /// seconds per AND of our engine on one core, with its best and its portable kernel.
    pub fn headlines(&self, cpu: [(&str, f64); 2]) -> Vec<Figure> {
        let model = |name: &str, unit: &str, value: f64| Figure {
            how: How::Model,
            ..Figure::measured(name, unit, value)
        };
        let of_paper = self.mean_a_gate(0);
        let ns = 1e9 * of_paper / CLOCK;
        let clocks = model("clocks a non-XOR gate, published evaluator, mean", "clocks", of_paper);
        let mut figures = vec![
            clocks
                .published(1.1)
                .at_most(1.1)
                .note(format!(
                    "our model of it, mean over Table 4; with overlap of instructions, {:.3}",
                    self.mean_a_gate(1)
                ))
                .unlike("our processors, which have fewer gates than the paper's"),
            model("time a non-XOR gate, published evaluator, mean", "ns", ns)
                .published(11.0)
                .at_most(11.0)
                .note("at the published 100 MHz")
                .unlike("the clock is assumed: ours is not placed"),
        ];
        let faster = JUST_GARBLE_NS / 11.0;
        for (kernel, seconds) in cpu {
            let name = format!("faster than software, in time, {kernel} kernel");
            let figure = model(&name, "times", 1e9 * seconds / ns);
            let figure = figure.published(faster).at_least(faster).note(format!(
                "our engine evaluates an AND in {:.2} ns on one core of this processor, from \
                 second-level cache, in the paper's suite",
                1e9 * seconds
            ));
            figures.push(figure.timed().unlike(
                "the paper's software is JustGarble, 56.4 clocks a gate at 3 GHz; its evaluator's \
                 clock is assumed here",
            ));
        }
        figures.into_iter().map(Figure::headline).collect()
    }
}

/// Clock frequency of the published evaluator, in Hz.
const CLOCK: f64 = 100e6;

/// JustGarble's time per gate in the paper: 56.4 clocks at 3 GHz.
const JUST_GARBLE_NS: f64 = 56.4 / 3.0;

/// Why rows of one pipeline have no verdict.
const OVERLAPS: &str = "our processor has fewer gates than the paper's; our instructions overlap, and \
                        what was published is the time of one; an entry of ours has an AND with its \
                        XORs";

/// Why rows of four pipelines have no verdict.
const FOUR: &str = "four pipelines, with four times the AES; the published evaluator has one";

/// Why rows of a shallow processor have no verdict.
const SHALLOW: &str = "four pipelines, and a processor with more ANDs than ours for the set has, of \
                       which fewer stand behind one another";

/// Makes a row of the targets.
fn a_gate(
    row: &Processor,
    pipelines: &str,
    value: f64,
    most: f64,
    (note, why): (String, &str),
) -> Figure {
    let name = format!("{} set, {} words, clocks a non-XOR gate, {pipelines}", row.set, row.words);
    let figure = Figure::measured(&name, "clocks", value).at_most(most);
    let figure = figure.published(row.clocks / row.non_xor).note(note).unlike(why);
    Figure { how: How::Model, ..figure }
}

/// Measures the seconds per AND of our CPU engine on one core in the paper's suite, with its best
/// kernel and with its portable kernel.
///
/// # Errors
/// If no kernel runs.
pub fn processor() -> Result<[(&'static str, f64); 2], String> {
    const TURNS: usize = 9;
    let best = CpuEngine::new(None).map_err(|e| e.to_string())?.kernel();
    let portable = CpuEngine::new(Some("portable")).map_err(|e| e.to_string())?.kernel();
    Ok([("best", best), ("portable", portable)].map(|(name, kernel)| {
        let mut rate = Rate::of_suite(kernel, Load::Ands, Suite::HalfGatesFixedKey);
        let turns = (0..TURNS).map(|_| rate.evaluate(0.02)).collect();
        (name, Spread::of(turns).median)
    }))
}

/// The paper's claims about Table 5: the ratio to JustGarble in clocks, and the speed-up by
/// pipeline stages.
///
/// # Errors
/// As [`Clocks::count`].
pub fn headlines(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    report("full set, 64 words, with stages and without");
    let Found { ands, clocks } = full_set(&["garbledcpu-folded", "garbledcpu-paper"])?;
    let figure = |name: &str, published: f64, value: f64, note: &str| {
        let figure = Figure::measured(name, "times", value).published(published);
        let figure = figure.at_least(published).note(note);
        Figure { how: How::Model, ..figure }.headline()
    };
    let fewer = TABLE_5[2].clocks / TABLE_5[4].clocks;
    let clocks_a_gate = clocks[1] as f64 / ands as f64;
    let note = format!(
        "JustGarble's clocks as the paper has them, for its own processor; ours on our model; a \
         gate: {:.1} times, published {:.1}",
        TABLE_5[2].a_gate / clocks_a_gate,
        TABLE_5[2].a_gate / TABLE_5[4].a_gate
    );
    Ok(vec![
        figure(
            "clocks of JustGarble over the published evaluator's, full set, 64 words",
            fewer,
            TABLE_5[2].clocks / clocks[1] as f64,
            &note,
        )
        .unlike("our processor has fewer gates than the paper's"),
        figure(
            "clocks without stages over those with stages, full set, 64 words",
            TABLE_5[3].clocks / TABLE_5[4].clocks,
            clocks[0] as f64 / clocks[1] as f64,
            "our model, one round of AES a clock against stages",
        )
        .unlike("the paper does not say what its evaluator without stages does in a clock"),
    ])
}

/// Runs the full set with memories of 64 words, as in Table 5, on the given machines.
fn full_set(machines: &[&str]) -> Result<Found, String> {
    let row = TABLE_2.iter().find(|row| (row.set, row.words) == ("full", 64));
    let row = row.ok_or("published/ has no full set of 64 words")?;
    on(core(row)?, machines)
}

/// Table 5.
///
/// # Errors
/// As [`Clocks::count`].
pub fn beside_others(report: &mut dyn FnMut(&str)) -> Result<Part, String> {
    report("full set, 64 words, with stages and without");
    let machines = [("garbledcpu-folded", 3), ("garbledcpu-paper", 4), ("garbledcpu-1", 4)];
    let Found { ands, clocks } = full_set(&machines.map(|(name, _)| name))?;
    let mut part = Part::new(
        "table5",
        "evaluators of the full set, memories of 64 words: clocks an instruction",
    );
    for others in &TABLE_5[..3] {
        part.missing(
            others.name,
            "clocks",
            others.clocks,
            "another project's, which was not run here",
        );
    }
    for ((name, published), clocks) in machines.into_iter().zip(&clocks) {
        let published = TABLE_5[published];
        part.model(
            &format!("{name}, for {}", published.name),
            "clocks",
            Some(published.clocks),
            *clocks as f64,
        );
        part.model(
            &format!("{name}, a gate"),
            "clocks",
            Some(published.a_gate),
            *clocks as f64 / ands as f64,
        );
    }
    let times = |of: f64| format!("stages make the published form {of:.1} times as fast, ours");
    part.remark(&format!(
        "{} {:.1} times",
        times(TABLE_5[3].clocks / TABLE_5[4].clocks),
        clocks[0] as f64 / clocks[1] as f64
    ));
    Ok(part)
}

/// The rows of Table 5 for the record. They have no targets.
pub fn targets(table: &Part) -> Vec<Figure> {
    let row = |figure: &Figure| {
        let figure = Figure { name: format!("Table 5, {}", figure.name), ..figure.clone() };
        let own = figure.measured.map(|_| "our processor has fewer gates than the paper's");
        figure.unlike_if(own)
    };
    table.figures.iter().map(row).collect()
}

/// Schedules a processor for these machines, and runs the models.
fn on(core: Core, machines: &[&str]) -> Result<Found, String> {
    let circuit = core.circuit().map_err(|e| e.to_string())?;
    let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
    let left = Mutex::new(machines.iter().enumerate());
    let found = Mutex::new(vec![Ok(0); machines.len()]);
    // Only two threads, because a large processor's schedule takes some hundred megabytes.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap_or_else(|e| e.into_inner()).next();
                    let Some((place, name)) = next else { break };
                    let clocks = clocks(&program.circuit, name);
                    found.lock().unwrap_or_else(|e| e.into_inner())[place] = clocks;
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_else(|e| e.into_inner());
    let clocks = found.into_iter().collect::<Result<_, String>>()?;
    Ok(Found { ands: program.circuit.gates.ands(), clocks })
}

fn clocks(circuit: &halfgate_circuit::Circuit, name: &str) -> Result<u64, String> {
    let machine = Machine::named(name).ok_or_else(|| format!("there is no machine {name}"))?;
    let code = machine.code_of(body(circuit), STEPS).map_err(|e| e.to_string())?;
    // The model runs some instructions and checks every label.
    let report = model::run(&code, RUN).map_err(|e| format!("{name}: {e}"))?;
    match report.clocks == code.clocks(RUN) {
        true => Ok(code.interval()),
        false => Err(format!("{name}: the model takes {} clocks", report.clocks)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks() -> Clocks {
        let found = |clocks: [u64; 5]| Found { ands: 100, clocks: clocks.to_vec() };
        let full = TABLE_2.iter().find(|row| row.set == "full").expect("a row");
        let wide = Found { ands: 120, clocks: vec![30, 31] };
        Clocks(vec![
            (&TABLE_2[0], found([105, 100, 25, 100, 25]), None),
            (full, found([125, 110, 60, 101, 50]), Some(wide)),
        ])
    }

    #[test]
    fn clocks_of_our_processors_have_no_verdict() {
        let rows = clocks().targets();
        let found: Vec<_> = rows.iter().map(|row| row.measured).collect();
        assert_eq!(found, [1.0, 0.25, 1.1, 0.6, 0.25].map(Some));
        assert!(rows.iter().all(|row| row.met.is_none() && row.note.contains("no verdict: ")));
        assert!(rows[4].name.ends_with("four pipelines, shallow processor"));
    }

    #[test]
    fn all_of_table_5_is_recorded_without_verdict() {
        let mut table = Part::new("table5", "evaluators");
        table.missing(TABLE_5[0].name, "clocks", TABLE_5[0].clocks, "another project's");
        table.model("ours", "clocks", Some(18_500.0), 13_000.0);
        let rows = targets(&table);
        let found: Vec<_> = rows.iter().map(|row| (&*row.name, row.measured, row.met)).collect();
        let others = format!("Table 5, {}", TABLE_5[0].name);
        assert_eq!(found, [(&*others, None, None), ("Table 5, ours", Some(13_000.0), None)]);
        assert_eq!(
            rows.iter().map(|row| row.published).collect::<Vec<_>>(),
            [Some(TABLE_5[0].clocks), Some(18_500.0)]
        );
        assert_eq!(rows[0].note, "another project's");
        assert!(rows[1].note.contains("fewer gates"), "{rows:?}");
    }

    #[test]
    fn headlines_are_of_the_published_form() {
        let rows = clocks().headlines([("best", 5.75e-9), ("portable", 115e-9)]);
        let found: Vec<_> = rows.iter().map(|row| (row.measured, row.met)).collect();
        // 1.15 clocks per gate are 11.5 ns.
        let wanted = [(1.15, None), (11.5, None), (0.5, None), (10.0, None)];
        for ((measured, met), (value, verdict)) in found.into_iter().zip(wanted) {
            assert!((measured.expect("a figure") - value).abs() < 1e-9);
            assert_eq!(met, verdict);
        }
        assert!(rows.iter().all(|row| row.headline && row.published.is_some()));
    }
}
