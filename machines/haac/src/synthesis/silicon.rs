//! Machines in standard cells, and the rows of the paper's Table 4 beside ours.

use super::activity::{self, PROGRAMS};
use super::designs::{self, Machine};
use crate::reproduce::published;
use halfgate_haac_model::{Components, Description, Overrides};
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::cells::Area;
use halfgate_synthesis::silicon::figures::name;
use halfgate_synthesis::silicon::{Found, Piece, Row, scaling};

/// The machine of the paper's Table 4, whose figures are in every description.
const PAPER: &str = "haac-16ge";
/// The machine whose longest path has a target.
const SMALLEST: &str = "haac-1ge";
/// The process whose longest path has a target, in nanometres, and the target in picoseconds.
const TIMED: f64 = 7.0;
const LIMIT: f64 = 1000.0;

/// Units by themselves, then machines of 1, 4 and 16 engines in both roles, row by row.
///
/// # Errors
/// If a description is invalid, or a program cannot be simulated.
pub fn pieces(report: &mut dyn FnMut(&str)) -> Result<Vec<Piece>, String> {
    let units = [designs::sbox(true), designs::free_xor()].into_iter().chain(designs::units());
    let unit = |design| Piece { group: "units".to_owned(), count: 1, design, uses: Vec::new() };
    let mut pieces: Vec<Piece> = units.map(unit).collect();
    for machine in [SMALLEST, "haac-4ge", PAPER] {
        for garbler in [false, true] {
            let found = Machine::new(machine, garbler)?;
            let group = found.title();
            report(&format!("{group}: simulating {}", PROGRAMS.join(" and ")));
            let runs = activity::simulate(machine, garbler)?;
            for part in found.rows() {
                let name = &part.design.name;
                let what = name.strip_prefix(&format!("{group}: ")).unwrap_or(name);
                let uses = runs.iter().map(|run| run.of(what)).collect::<Result<_, _>>()?;
                let (group, count, design) = (group.clone(), part.count, part.design);
                pieces.push(Piece { group, count, design, uses });
            }
        }
    }
    pieces.extend(Piece::of(Machine::new(PAPER, false)?.operands(false)));
    for garbler in [false, true] {
        let design = Machine::new(SMALLEST, garbler)?.in_one_piece();
        pieces.extend(Piece::of([designs::once(design)]));
    }
    Ok(pieces)
}

/// A row of Table 4: its name, and the parts of ours that do its job.
struct PaperRow {
    name: &'static str,
    /// Our parts' names, without what follows a colon; all parts if empty.
    parts: &'static [&'static str],
    /// What is counted of them.
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Cells,
    Memories,
    Both,
}

const QUEUES: &[&str] =
    &["issue queue", "table queue", "address queue", "out-of-range queue", "live queue"];

const ROWS: [PaperRow; 7] = [
    PaperRow { name: "Half-Gate", parts: &["half-gate unit"], what: What::Cells },
    PaperRow { name: "FreeXOR", parts: &["XOR unit"], what: What::Cells },
    PaperRow { name: "FWD", parts: &["operand and forwarding"], what: What::Cells },
    PaperRow { name: "Crossbar", parts: &["window"], what: What::Cells },
    PaperRow { name: "SWW (SRAM)", parts: &["window"], what: What::Memories },
    PaperRow { name: "Queues (SRAM)", parts: QUEUES, what: What::Both },
    PaperRow { name: "Total", parts: &[], what: What::Both },
];

/// What follows from the measured parts.
pub fn parts(found: &Found) -> Vec<Part> {
    let mut parts = vec![targets(found)];
    parts.extend(["evaluator", "garbler"].into_iter().filter_map(|role| table4(found, role)));
    parts
}

/// An area in square millimetres, and power in milliwatts by program.
#[derive(Default)]
struct Sum {
    area: f64,
    power: [f64; PROGRAMS.len()],
    /// Whether memories are the paper's, since the library has none.
    borrowed: bool,
}

impl Sum {
    fn note(&self) -> &'static str {
        match self.borrowed {
            true => "memories are the paper's, since the library has none",
            false => "",
        }
    }
}

/// Our figures for a row of Table 4; or why there are none.
fn ours(found: &Found, group: &str, of: &PaperRow, paper: &Paper) -> Result<Sum, String> {
    let rows: Vec<&Row> = found.rows.iter().filter(|row| row.piece.group == group).collect();
    if rows.is_empty() {
        return Err(format!("{group} was not measured"));
    }
    let mut sum = Sum::default();
    for row in &rows {
        let name = &row.piece.design.name;
        let is_wanted = |part: &&str| {
            let rest = name.strip_prefix(&format!("{group}: {part}"));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
        };
        if !of.parts.is_empty() && !of.parts.iter().any(is_wanted) {
            continue;
        }
        let area = row.area.as_ref().map_err(|why| format!("{name}: {why}"))?;
        let count = row.piece.count as f64;
        if of.what != What::Memories {
            add_cells(found, row, area, count, &mut sum)?;
        }
        if of.what != What::Cells && !area.rams.is_empty() {
            add_memories(found, row, area, count, &mut sum);
        }
    }
    if sum.borrowed {
        // The paper's memories, in 16 nm, in this library's terms.
        let scale = found.nanometres().and_then(scaling::to_16);
        let scale =
            scale.ok_or("the library has no memories, and made-up ones are not reported")?;
        let memories = |c: &Components| match of.parts {
            [] => c.window + c.queues,
            _ if of.name.starts_with("SWW") => c.window,
            _ => c.queues,
        };
        sum.area += memories(&paper.area) * 1e6 / scale;
        sum.power.iter_mut().for_each(|power| *power += memories(&paper.power));
    }
    sum.area *= 1e-6;
    Ok(sum)
}

fn add_cells(
    found: &Found,
    row: &Row,
    area: &Area,
    count: f64,
    sum: &mut Sum,
) -> Result<(), String> {
    sum.area += count * area.area;
    for (power, program) in sum.power.iter_mut().zip(PROGRAMS) {
        let share = row.use_of(program).map_or(1.0, |of| of.cells);
        let each = found.milliwatts(area, share);
        *power += count * each.ok_or("no power: OpenSTA is missing or failed")?;
    }
    Ok(())
}

fn add_memories(found: &Found, row: &Row, area: &Area, count: f64, sum: &mut Sum) {
    let Some(memories) = found.memories(area) else {
        sum.borrowed = true;
        return;
    };
    sum.area += count * memories.area;
    for (power, program) in sum.power.iter_mut().zip(PROGRAMS) {
        let accesses = row.use_of(program).map_or(1.0, |of| of.rams);
        *power += count * found.memory_milliwatts(area, accesses).unwrap_or(0.0);
    }
}

/// The paper's area in square millimetres and power in milliwatts.
struct Paper {
    area: Components,
    power: Components,
}

fn paper() -> Option<Paper> {
    let described = Description::built_in(PAPER).ok()?;
    let machine = described.machine(&Overrides::default()).ok()?;
    // As printed: the description's are for the paper's machine, not scaled to the queues of ours.
    Some(Paper { area: machine.silicon.area_mm2, power: machine.silicon.power_mw })
}

/// Table 4 beside ours, in one role.
fn table4(found: &Found, role: &str) -> Option<Part> {
    let (paper, group) = (paper()?, format!("{PAPER} {role}"));
    let scale = found.nanometres().and_then(scaling::to_16);
    let mut part = Part::new("table4", &format!("{group} in {}", found.library));
    for of in &ROWS {
        let sum = ours(found, &group, of, &paper);
        let (area, power) = published::table4(of.name);
        let mut add = |what: &str, unit: &str, published: f64, value: fn(&Sum, f64) -> f64, by| {
            let row = name(&format!("Table 4, {}, {role}, {what}", of.name), found);
            let figure = match &sum {
                Ok(sum) => Figure::measured(&row, unit, value(sum, by)).note(sum.note()),
                Err(why) => Figure::missing(&row, unit, why),
            };
            let figure = Figure { how: How::Synthesis, ..figure.published(published) };
            part.figures.push(figure.unlike_if(sum.is_ok().then_some(ACTIVITY)));
        };
        add("area", "mm2", area, |sum, _| sum.area, 1.0);
        if let Some(scale) = scale {
            add("area scaled to 16 nm", "mm2", area, |sum, scale| sum.area * scale, scale);
        }
        add(&format!("power in {}", PROGRAMS[0]), "mW", power, |sum, _| sum.power[0], 1.0);
        add(&format!("power in {}", PROGRAMS[1]), "mW", power, |sum, _| sum.power[1], 1.0);
    }
    part.remark(&format!("no row has a verdict: {ACTIVITY}"));
    part.remark(&format!(
        "power at {} MHz, by the share of cycles in which a part takes new data in the cycle model \
         with HBM2",
        found.mhz
    ));
    if let Some(scale) = scale {
        part.remark(&format!("areas are scaled to 16 nm by {scale} ({})", scaling::SOURCE));
    }
    Some(part)
}

/// The figures with targets.
fn targets(found: &Found) -> Part {
    let mut part = Part::new("targets", &format!("the machine's targets in {}", found.library));
    let row = |what: &str| name(what, found);
    let made = |what: &str, unit: &str, value: Result<(f64, String), String>| {
        let figure = match value {
            Ok((value, note)) => Figure::measured(&row(what), unit, value).note(note),
            Err(why) => Figure::missing(&row(what), unit, &why),
        };
        Figure { how: How::Synthesis, ..figure }
    };
    let rows = table_rows(found);
    part.figures
        .push(made("rows of Table 4 with our figure", "rows", rows).at_least(ROWS.len() as f64));
    let is_timed = found.nanometres() == Some(TIMED);
    let path = |what: &str, machine: &str, target: &str| {
        let path = longest(found, machine).map(|(picoseconds, note)| match is_timed {
            true => (picoseconds, format!("{note}; {target}")),
            false => (picoseconds, note),
        });
        let path = made(what, "ps", path);
        if is_timed { path.at_most(LIMIT) } else { path }
    };
    part.figures.push(path("longest path of one engine's machine", SMALLEST, OWN_TARGET));
    part.figures.push(path("longest path of sixteen engines' machine", PAPER, PAPER_CLOCK));
    for form in ["", ", after-read"] {
        let what = format!("operands and forwarding over the evaluator's half-gate unit{form}");
        part.figures.push(made(&what, "x", forwarding(found, form)).at_most(0.2));
    }
    if found.nanometres().and_then(scaling::to_16).is_some() {
        let scaled =
            made("half-gate units scaled to 16 nm over the published", "x", half_gates(found));
        part.figures.push(if is_timed { scaled.at_most(1.0).unlike(LAYOUT) } else { scaled });
    }
    part
}

/// What the targets of the longest paths are.
const OWN_TARGET: &str = "the target is ours: the paper's 1 ns is after layout and of 16 engines, whose \
                          path here has a row of its own";
const PAPER_CLOCK: &str =
    "the target is the paper's 1 GHz, which is after layout, in 28 nm scaled to 16";

/// What differs between areas of ours and the paper's.
const LAYOUT: &str = "cells before layout in a predictive process, where the paper's are after it at \
                      a utilisation of 70 %, in another process, scaled by its authors";

/// What differs between the rows of Table 4 and ours.
const ACTIVITY: &str = "published is 28 nm after layout, scaled by its authors to 16 nm, at an activity \
                        that the paper does not give; ours are cells before layout";

/// Rows of Table 4 that have our area and power in both roles.
fn table_rows(found: &Found) -> Result<(f64, String), String> {
    let paper = paper().ok_or("the paper's machine has no description")?;
    let has = |of: &&PaperRow| {
        // A row that is all of the paper's memory is not ours.
        let is_ours = |sum: Sum| !(sum.borrowed && of.what == What::Memories);
        let in_role =
            |role: &str| ours(found, &format!("{PAPER} {role}"), of, &paper).is_ok_and(is_ours);
        ["evaluator", "garbler"].into_iter().all(in_role)
    };
    let memories = match found.macros.is_empty() {
        true => "the paper's, since the library has none",
        false => "the library's, of one port",
    };
    let note = format!(
        "counts rows with our area and power in both roles, not how near they are; memories are \
         {memories}; the HBM2 PHY is no row of ours"
    );
    Ok((ROWS.iter().filter(has).count() as f64, note))
}

/// The longest path of a machine, in either role: of its parts, and of those in one piece. A path
/// beyond `LIMIT` counts even if a part was not measured.
fn longest(found: &Found, machine: &str) -> Result<(f64, String), String> {
    let is_of =
        |row: &&Row| row.piece.group.split_once(' ').is_some_and(|(name, _)| name == machine);
    let (mut longest, mut note, mut missing) = (0.0, String::new(), None);
    for row in found.rows.iter().filter(is_of) {
        let name = &row.piece.design.name;
        let timed = row.area.as_ref().and_then(|area| area.timed.as_ref());
        match timed.map(|timed| &timed.path) {
            Ok(Some(path)) if path.picoseconds > longest => {
                (longest, note) = (path.picoseconds, format!("{name}: {path}; before layout"));
            }
            Ok(_) => {}
            Err(why) => missing = missing.or(Some(format!("{name}: {why}"))),
        }
    }
    match missing {
        Some(why) if longest > LIMIT => {
            Ok((longest, format!("{note}; at least, since a part was not measured: {why}")))
        }
        Some(why) => Err(why),
        None if longest == 0.0 => Err(format!("no part of {machine} was measured")),
        None => Ok((longest, note)),
    }
}

/// Cells of an engine's operands over those of its evaluator's half-gate unit, in a form of
/// forwarding.
fn forwarding(found: &Found, form: &str) -> Result<(f64, String), String> {
    let group = format!("{PAPER} evaluator");
    let (units, unit) = found.row(&format!("{group}: half-gate unit"))?;
    let prefix = format!("{group}{form}: operand and forwarding: ");
    let (mut count, mut cells, mut by_area) = (0.0, 0.0, 0.0);
    for row in found.rows.iter().filter(|row| row.piece.design.name.starts_with(&prefix)) {
        let (_, area) = found.row(&row.piece.design.name)?;
        let each = row.piece.count as f64 / units.piece.count as f64;
        count += each;
        cells += each * area.cells as f64;
        by_area += each * area.area;
    }
    if count == 0.0 {
        return Err(format!("{group}{form}: its operands were not measured"));
    }
    let note = format!("{count} operands an engine, by cells; {:.2} by area", by_area / unit.area);
    Ok((cells / unit.cells as f64, note))
}

/// The larger of both roles' half-gate units, scaled, over the published area.
fn half_gates(found: &Found) -> Result<(f64, String), String> {
    let scale = found.nanometres().and_then(scaling::to_16);
    let scale = scale.ok_or("the process has no factor to 16 nm")?;
    let published = paper().ok_or("the paper's machine has no description")?.area.half_gate;
    let of = |role: &str| {
        let (row, area) = found.row(&format!("{PAPER} {role}: half-gate unit"))?;
        Ok::<_, String>(row.piece.count as f64 * area.area * 1e-6 * scale / published)
    };
    let (garbler, evaluator) = (of("garbler")?, of("evaluator")?);
    let note = format!(
        "garbler {garbler:.3}, evaluator {evaluator:.3}; scaled by {scale} ({})",
        scaling::SOURCE
    );
    Ok((garbler.max(evaluator), note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_synthesis::Design;
    use halfgate_synthesis::cells::Ram;
    use halfgate_synthesis::liberty::Macro;
    use halfgate_synthesis::silicon::{Use, table};
    use halfgate_synthesis::sta::{Path, Power, Timed};

    fn area(area: f64, rams: Vec<Ram>) -> Area {
        let (from, to) = ("valid_q".to_owned(), "label_q".to_owned());
        let path = Some(Path { picoseconds: 812.0, cells: 9, from, to });
        let power = Power { leakage: 0.0, idle: 1e-3, busy: 3e-3 };
        let timed = Ok(Timed { path, power });
        Area { area, cells: 7, rams, leakage: 1e-6, timed, unmapped: None }
    }

    fn found(macros: Vec<Macro>) -> Found {
        let row = |what: &str, count, area: Result<Area, String>| {
            let group = "haac-16ge evaluator".to_owned();
            let design = Design::new(format!("{group}: {what}"), "top", &[]);
            let of = |program: &str| Use { program: program.to_owned(), cells: 0.5, rams: 2.0 };
            let uses = PROGRAMS.map(of).to_vec();
            Row { piece: Piece { group, count, design, uses }, area }
        };
        let rams = vec![Ram { words: 2048, bits: 128 }];
        Found {
            tools: "Yosys".to_owned(),
            library: "library tiny, 7 nm".to_owned(),
            process: "7 nm".to_owned(),
            macros,
            mhz: 1000.0,
            rows: vec![
                row("half-gate unit", 16, Ok(area(5000.0, Vec::new()))),
                row("operand and forwarding: R a", 160, Ok(area(50.0, Vec::new()))),
                row("window", 1, Ok(area(250_000.0, rams))),
                row("XOR unit", 16, Err("too large".to_owned())),
            ],
        }
    }

    fn memory() -> Macro {
        let (name, leakage, access) = ("R".to_owned(), None, Some(5e-12));
        Macro { name, words: 1024, bits: 64, area: 1e6, leakage, access }
    }

    fn figure<'f>(parts: &'f [Part], name: &str) -> &'f Figure {
        let mut figures = parts.iter().flat_map(|part| &part.figures);
        figures.find(|figure| figure.name == format!("{name}, 7 nm")).expect(name)
    }

    #[test]
    fn rows_of_the_paper_have_ours_beside_them_or_the_reason_why_not() {
        let parts = parts(&found(vec![memory()]));
        let near = |name: &str, expected: f64| {
            let value = figure(&parts, name).measured.expect(name);
            assert!((value - expected).abs() < 1e-9 * expected.max(1.0), "{name}: {value}");
        };
        let total = figure(&parts, "Table 4, Total, evaluator, area");
        assert_eq!(total.published, Some(4.33));
        near("Table 4, Half-Gate, evaluator, area", 0.08);
        near("Table 4, Half-Gate, evaluator, area scaled to 16 nm", 0.256);
        near("Table 4, Half-Gate, evaluator, power in aes128", 32.0);
        near("Table 4, Crossbar, evaluator, area", 0.25);
        // 2,048 words of 128 bits are four memories, and an access is to two of them.
        near("Table 4, SWW (SRAM), evaluator, area", 4.0);
        near("Table 4, SWW (SRAM), evaluator, power in aes128", 20.0);
        let units = figure(&parts, "Table 4, Half-Gate, evaluator, area");
        assert_eq!((units.published, units.met), (Some(2.15), None));
        for missing in ["Half-Gate, garbler", "FreeXOR, evaluator", "Total, evaluator"] {
            let figure = figure(&parts, &format!("Table 4, {missing}, area"));
            assert!(figure.measured.is_none() && !figure.note.is_empty(), "{missing}");
        }
    }

    #[test]
    fn a_part_that_is_counted_in_parts_is_their_sum() {
        let mut found = found(vec![memory()]);
        for row in &mut found.rows {
            let name = &mut row.piece.design.name;
            *name = name.replace(": window", ": window: bank").replace(": XOR unit", ": windows");
        }
        let again = found.rows[2].clone();
        found.rows.push(again);
        let area = figure(&parts(&found), "Table 4, Crossbar, evaluator, area").measured;
        assert!((area.expect("a sum") - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_library_without_memories_borrows_those_of_the_paper_by_name() {
        let parts = parts(&found(Vec::new()));
        let row = figure(&parts, "Table 4, SWW (SRAM), evaluator, area scaled to 16 nm");
        assert!((row.measured.expect("borrowed") - 1.94).abs() < 1e-9);
        assert!(row.note.contains("the paper's"), "{}", row.note);
        let other = Found { process: "180 nm".to_owned(), ..found(Vec::new()) };
        let parts = super::parts(&other);
        let mut figures = parts.iter().flat_map(|part| &part.figures);
        let row = figures.find(|figure| figure.name.starts_with("Table 4, SWW")).expect("a row");
        assert!(row.measured.is_none() && row.note.contains("made-up"), "{}", row.note);
    }

    #[test]
    fn targets_are_those_of_the_measured_process() {
        let parts = parts(&found(Vec::new()));
        let of = |what: &str| figure(&parts, what);
        let ratio = of("operands and forwarding over the evaluator's half-gate unit");
        assert_eq!((ratio.measured, ratio.target, ratio.met), (Some(10.0), Some(0.2), Some(false)));
        let rows = of("rows of Table 4 with our figure");
        assert_eq!((rows.measured, rows.met), (Some(0.0), Some(false)));
        let path = of("longest path of one engine's machine");
        assert!(path.measured.is_none() && path.note.contains("no part of haac-1ge"));
        let path = of("longest path of sixteen engines' machine");
        assert!(path.measured.is_none() && path.note.contains("too large"));
        // A long path counts, though a part was not measured.
        let mut slow = found(Vec::new());
        let area = slow.rows[0].area.as_mut().expect("measured");
        let timed = area.timed.as_mut().expect("timed");
        timed.path.as_mut().expect("a path").picoseconds = 2300.0;
        let slow = super::parts(&slow);
        let path = figure(&slow, "longest path of sixteen engines' machine");
        assert_eq!((path.measured, path.met), (Some(2300.0), Some(false)));
        assert!(path.note.contains("at least") && path.note.contains("too large"));
        let text = table::tables(&found(Vec::new()));
        for part in ["valid_q -> label_q: 9 cells, 812 ps", "too large", "aes128 mW", "2.000"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
