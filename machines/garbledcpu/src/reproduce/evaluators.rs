//! Our evaluators on our processors, beside the paper's on its own: clocks for an instruction.

use super::processors::core;
use super::published::{Processor, TABLE_2, TABLE_5};
use halfgate_compiler::{Order, compile};
use halfgate_garbledcpu_model::{Machine, body};
use halfgate_mips::core::Core;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_scheduled_model::model;
use std::sync::Mutex;

/// The machines of Table 4, and how the table calls them.
const MACHINES: [(&str, &str); 5] = [
    ("garbledcpu-paper", "as published"),
    ("garbledcpu-1", "overlapping"),
    ("garbledcpu-4", "four pipelines"),
    ("garbledcpu-short-1", "12 stages"),
    ("garbledcpu-short-4", "four pipelines of 12 stages"),
];

/// Of [`MACHINES`], those that wait for the division of the full set, and so run a processor of another form, too.
const WIDE: [(&str, &str); 2] = [MACHINES[2], MACHINES[4]];

/// Instructions for which netlist cycles are scheduled, as many as a program has or more.
const STEPS: u64 = 1000;

/// Instructions that the model runs, label by label.
const RUN: u64 = 3;

/// What machines take for instructions of a processor.
struct Found {
    /// ANDs of the processor.
    ands: u64,
    /// For each machine, the clocks between two instructions.
    clocks: Vec<u64>,
}

impl Found {
    fn a_gate(&self, machine: usize) -> f64 {
        self.clocks[machine] as f64 / self.ands as f64
    }
}

/// Each row of Table 4: our processor on [`MACHINES`]; and that of the full set in its shallow form on those that are
/// [`WIDE`].
pub struct Clocks(Vec<(&'static Processor, Found, Option<Found>)>);

impl Clocks {
    /// Schedules all processors for all machines, and runs the models.
    ///
    /// # Errors
    /// If Yosys is not there, a schedule is wrong, or a processor is beyond a machine.
    pub fn count(say: &mut dyn FnMut(&str)) -> Result<Clocks, String> {
        let mut rows = Vec::new();
        for row in TABLE_2.iter() {
            say(&format!("{} set, {} words, on {} evaluators", row.set, row.words, MACHINES.len()));
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

    /// At most 1.05 clocks a gate with one pipeline; with four 0.30, or 0.40 for small memories.
    pub fn targets(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (row, all, wide) in &self.0 {
            let four = if row.words >= 128 { 0.30 } else { 0.40 };
            for (pipelines, machine, short, most) in [("one", 1, 3, 1.05), ("four", 2, 4, four)] {
                let plural = if pipelines == "one" { "" } else { "s" };
                let name = format!(
                    "{} set, {} words, clocks a non-XOR gate, {pipelines} pipeline{plural}",
                    row.set, row.words
                );
                let (a_gate, note) = match wide {
                    // Of two processors the one that takes fewer clocks.
                    Some(wide) if machine == 2 && wide.clocks[0] < all.clocks[machine] => {
                        let clocks = |found: &Found, place: usize| found.clocks[place];
                        let text = format!(
                            "{} clocks for {} ANDs of the shallow processor; {} for {} of the other, {:.3} a gate",
                            clocks(wide, 0),
                            wide.ands,
                            clocks(all, machine),
                            all.ands,
                            all.a_gate(machine)
                        );
                        (wide.a_gate(0), text)
                    }
                    _ => (
                        all.a_gate(machine),
                        format!("{:.3} with 12 stages for 21", all.a_gate(short)),
                    ),
                };
                let figure = Figure::measured(&name, "clocks", a_gate).at_most(most);
                let figure = figure.published(row.clocks / row.non_xor).note(note);
                figures.push(Figure { how: How::Model, ..figure });
            }
        }
        figures
    }
}

/// Table 5.
///
/// # Errors
/// As [`Clocks::count`].
pub fn beside_others(say: &mut dyn FnMut(&str)) -> Result<Part, String> {
    say("full set, 64 words, with stages and without");
    let row = TABLE_2.iter().find(|row| (row.set, row.words) == ("full", 64));
    let row = row.ok_or("published/ has no full set of 64 words")?;
    let machines = [("garbledcpu-folded", 3), ("garbledcpu-paper", 4), ("garbledcpu-1", 4)];
    let Found { ands, clocks } = on(core(row)?, &machines.map(|(name, _)| name))?;
    let mut part = Part::new(
        "table5",
        "evaluators of the full set, memories of 64 words: clocks an instruction",
    );
    for others in &TABLE_5[..3] {
        part.missing(others.name, "clocks", others.clocks, "another project's");
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

/// What these machines take for instructions of a processor.
fn on(core: Core, machines: &[&str]) -> Result<Found, String> {
    let circuit = core.circuit().map_err(|e| e.to_string())?;
    let program = compile(circuit, Order::default()).map_err(|e| e.to_string())?;
    let left = Mutex::new(machines.iter().enumerate());
    let found = Mutex::new(vec![Ok(0); machines.len()]);
    // Two at a time: a large processor's schedule takes some hundred megabytes.
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
    // Every label of some instructions is the right one.
    let report = model::run(&code, RUN).map_err(|e| format!("{name}: {e}"))?;
    match report.clocks == code.clocks(RUN) {
        true => Ok(code.interval()),
        false => Err(format!("{name}: the model takes {} clocks", report.clocks)),
    }
}
