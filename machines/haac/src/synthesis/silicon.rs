//! Machines in standard cells, and the rows of the paper's Table 4 beside ours.

use super::table::grid;
use super::{Found, Row};
use halfgate_haac_model::{Components, Description, Overrides};
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::cells::{Area, Memories};
use halfgate_synthesis::liberty::Macro;

/// The machine of the paper's Table 4, whose figures are in every description.
const PAPER: &str = "haac-16ge";
const IN_CELLS: &str = ", standard cells";

/// A row of Table 4: its name, and the parts of ours that do its job.
struct PaperRow {
    name: &'static str,
    /// Ends of our parts' names.
    parts: &'static [&'static str],
    /// What is counted of them.
    what: What,
    area: fn(&Components) -> f64,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Cells,
    Memories,
    Both,
}

const QUEUES: &[&str] =
    &["issue queue", "table queue", "address queue", "out-of-range queue", "live queue"];

const ROWS: [PaperRow; 6] = [
    PaperRow {
        name: "Half-Gate",
        parts: &["half-gate unit"],
        what: What::Cells,
        area: |c| c.half_gate,
    },
    PaperRow { name: "FreeXOR", parts: &["XOR unit"], what: What::Cells, area: |c| c.free_xor },
    PaperRow {
        name: "FWD",
        parts: &["operand and forwarding"],
        what: What::Cells,
        area: |c| c.forwarding,
    },
    PaperRow { name: "Crossbar", parts: &["window"], what: What::Cells, area: |c| c.crossbar },
    PaperRow { name: "SWW (SRAM)", parts: &["window"], what: What::Memories, area: |c| c.window },
    PaperRow { name: "Queues (SRAM)", parts: QUEUES, what: What::Both, area: |c| c.queues },
];

/// The tables of units and of machines.
pub fn tables(found: &Found) -> String {
    let header = [
        "",
        "each",
        "cells um2",
        "cells",
        "path ps",
        "leaks uW",
        "idle mW",
        "busy mW",
        "RAM bits",
        "RAM um2",
    ];
    let units = found.cells.iter().map(|(name, area)| row(name, 1, area.as_ref(), &found.macros));
    let mut text = grid(&header, units);
    for machine in machines(found) {
        let parts = found.rows.iter().filter(|(_, row)| row.machine == machine);
        let named = |(name, of): &(String, Row)| {
            let name = name.strip_prefix(&format!("{machine}: ")).unwrap_or(name);
            row(name, of.count, of.area.as_ref(), &found.macros)
        };
        text += &format!("\n  {machine}, each part by itself:\n");
        text += &grid(&header, parts.map(named));
    }
    text += "  path: by OpenSTA, with the setup time, without wires and RAMs. idle and busy: at 1 GHz, no net\n  \
             changes, and every net in half of the cycles; busy is what random data in every cycle causes\n  \
             at most, without glitches. RAM um2: memories of the library, of one port or more\n";
    let longest = longest(found);
    if !longest.is_empty() {
        text += "  Longest paths:\n";
        longest.iter().for_each(|line| text += &format!("    {line}\n"));
    }
    match found.rows.is_empty() {
        true => text,
        false => text + &beside_the_paper(found),
    }
}

fn row(name: &str, count: u64, area: Result<&Area, &String>, macros: &[Macro]) -> Vec<String> {
    let area = match area {
        Ok(area) => area,
        Err(why) => return vec![name.to_owned(), why.clone()],
    };
    let timed = area.timed.as_ref().ok();
    let path = timed.and_then(|timed| timed.path.as_ref());
    let power = timed.map(|timed| timed.power);
    let number = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    vec![
        name.to_owned(),
        count.to_string(),
        format!("{:.0}", area.area),
        area.cells.to_string(),
        number(path.map(|path| format!("{:.0}", path.picoseconds))),
        format!("{:.2}", area.leakage * 1e6),
        number(power.map(|power| format!("{:.3}", power.idle * 1e3))),
        number(power.map(|power| format!("{:.3}", power.busy * 1e3))),
        area.ram_bits().to_string(),
        number(memories(area, macros).map(|memories| format!("{:.0}", memories.area))),
    ]
}

/// The machines, in the order of the rows.
fn machines(found: &Found) -> Vec<&str> {
    let mut machines: Vec<&str> = found.rows.iter().map(|(_, row)| row.machine.as_str()).collect();
    machines.dedup();
    machines
}

/// The longest path of each part, by name.
fn longest(found: &Found) -> Vec<String> {
    let units = found.cells.iter().map(|(name, area)| (name, area));
    let parts = found.rows.iter().map(|(name, row)| (name, &row.area));
    let path = |(name, area): (&String, &Result<Area, String>)| {
        let timed = area.as_ref().ok()?.timed.as_ref();
        match timed {
            Ok(timed) => timed.path.as_ref().map(|path| format!("{name}: {path}")),
            Err(why) => Some(format!("{name}: {why}")),
        }
    };
    units.chain(parts).filter_map(path).collect()
}

/// The memories for all RAMs of a part; `None` if the library has none for it.
fn memories(area: &Area, macros: &[Macro]) -> Option<Memories> {
    area.rams.iter().try_fold(Memories::default(), |sum, ram| {
        let of = ram.of(macros)?;
        Some(Memories { count: sum.count + of.count, area: sum.area + of.area })
    })
}

/// Our area for a row of Table 4, in one role, in square millimetres; or why there is none.
fn ours(found: &Found, machine: &str, of: &PaperRow) -> Result<f64, String> {
    let mut sum = 0.0;
    for part in of.parts {
        let name = format!("{machine}: {part}");
        let (_, row) = found
            .rows
            .iter()
            .find(|(found, _)| *found == name)
            .ok_or_else(|| format!("{part} was not measured"))?;
        let area = row.area.as_ref().map_err(|why| format!("{part}: {why}"))?;
        let cells = if of.what == What::Memories { 0.0 } else { area.area };
        let rams = match of.what {
            What::Cells => 0.0,
            _ => memories(area, &found.macros)
                .map(|memories| memories.area)
                .ok_or("the library has no memories, and made-up ones are not reported")?,
        };
        sum += (cells + rams) * row.count as f64;
    }
    Ok(sum * 1e-6)
}

/// The rows of Table 4 beside ours in both roles, each with its process.
fn beside_the_paper(found: &Found) -> String {
    let Some(paper) = paper() else { return String::new() };
    let process = found.library.as_deref().unwrap_or_default();
    let roles = ["garbler", "evaluator"].map(|role| format!("{PAPER} {role}"));
    let number = |value: Result<f64, String>| match value {
        Ok(value) => format!("{value:.6}"),
        Err(_) => "-".to_owned(),
    };
    let rows = ROWS.iter().map(|of| {
        let published = format!("{:.6}", (of.area)(&paper));
        let [garbler, evaluator] = roles.each_ref().map(|machine| number(ours(found, machine, of)));
        vec![of.name.to_owned(), published, garbler, evaluator]
    });
    format!(
        "\n  The paper's Table 4, in mm2. Published: 28 nm, scaled by its authors to 16 nm. Ours: {process}\n{}",
        grid(&["", "published", "ours, garbler", "ours, evaluator"], rows)
    )
}

fn paper() -> Option<Components> {
    let described = Description::built_in(PAPER).ok()?;
    Some(described.machine(&Overrides::default()).ok()?.area_mm2())
}

/// Figures for the record.
pub fn figures(found: &Found) -> Vec<Figure> {
    let Some(library) = &found.library else { return Vec::new() };
    let about = format!("{library}; {}", found.tools);
    let mut figures = Vec::new();
    for (name, area) in &found.cells {
        figures.push(figure(name, 1, area.as_ref(), &about));
    }
    for (name, row) in &found.rows {
        figures.push(figure(name, row.count, row.area.as_ref(), &about));
    }
    let paper = paper().filter(|_| !found.rows.is_empty());
    for of in paper.iter().flat_map(|_| &ROWS) {
        for role in ["garbler", "evaluator"] {
            let name = format!("Table 4, {}, {role}{IN_CELLS}", of.name);
            let note = format!(
                "16 engines, 2 MB; another process than the paper's (28 nm, scaled by its authors to \
                 16 nm), so there is no target; {about}"
            );
            let published = paper.as_ref().map(|paper| (of.area)(paper));
            let made = match ours(found, &format!("{PAPER} {role}"), of) {
                Ok(value) => Figure::measured(&name, "mm2", value).note(note),
                Err(why) => Figure::missing(&name, "mm2", &format!("{why}; {note}")),
            };
            figures.push(Figure { how: How::Synthesis, published, ..made });
        }
    }
    figures
}

fn figure(name: &str, count: u64, area: Result<&Area, &String>, about: &str) -> Figure {
    let name = format!("{name}{IN_CELLS}");
    let made = match area {
        Err(why) => Figure::missing(&name, "um2", &format!("{why}; {about}")),
        Ok(area) => {
            let timed = match &area.timed {
                Ok(timed) => {
                    let path = timed.path.as_ref();
                    let path = path.map(|path| format!("longest path {path}; "));
                    let power = timed.power;
                    format!(
                        "{}at 1 GHz {:.4} mW idle, {:.4} mW busy; ",
                        path.unwrap_or_default(),
                        power.idle * 1e3,
                        power.busy * 1e3
                    )
                }
                Err(why) => format!("no timing: {why}; "),
            };
            let times = if count > 1 { format!("one of {count}; ") } else { String::new() };
            let note = format!(
                "{times}{} cells, {} bits of RAM, which are not in the area; leaks {:.3} uW; {timed}\
                 no wires; {about}",
                area.cells,
                area.ram_bits(),
                area.leakage * 1e6
            );
            Figure::measured(&name, "um2", area.area).note(note)
        }
    };
    Figure { how: How::Synthesis, ..made }
}

/// Whether this is a figure in standard cells.
pub fn is_in_cells(figure: &Figure) -> bool {
    figure.name.ends_with(IN_CELLS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_synthesis::cells::Ram;
    use halfgate_synthesis::sta::{Path, Power, Timed};

    fn area(area: f64, rams: Vec<Ram>) -> Area {
        let (from, to) = ("valid_q".to_owned(), "label_q".to_owned());
        let path = Some(Path { picoseconds: 812.0, cells: 9, from, to });
        let power = Power { leakage: 1e-6, idle: 1e-3, busy: 2e-3 };
        Area { area, cells: 7, rams, leakage: 1e-6, timed: Ok(Timed { path, power }) }
    }

    fn found() -> Found {
        let part = |name: &str, count, area| {
            let machine = "haac-16ge evaluator".to_owned();
            (format!("{machine}: {name}"), Row { machine, count, area })
        };
        let rams = vec![Ram { words: 2048, bits: 128 }];
        Found {
            library: Some("library tiny, 7 nm".to_owned()),
            macros: vec![Macro {
                name: "R".to_owned(),
                words: 1024,
                bits: 64,
                area: 1e6,
                leakage: None,
            }],
            cells: vec![("free_xor".to_owned(), Err("too large".to_owned()))],
            rows: vec![
                part("half-gate unit", 16, Ok(area(5000.0, Vec::new()))),
                part("window", 1, Ok(area(250_000.0, rams))),
            ],
            ..Found::default()
        }
    }

    #[test]
    fn rows_of_the_paper_have_ours_beside_them_or_the_reason_why_not() {
        let figures = figures(&found());
        let of = |name: &str| {
            let name = format!("Table 4, {name}, standard cells");
            figures.iter().find(|figure| figure.name == name).expect("a row")
        };
        let near = |value: Option<f64>, expected: f64| {
            assert!(value.is_some_and(|value| (value - expected).abs() < 1e-9), "{value:?}");
        };
        let units = of("Half-Gate, evaluator");
        near(units.measured, 0.08);
        assert_eq!((units.published, units.met), (Some(2.15), None));
        near(of("Crossbar, evaluator").measured, 0.25);
        // 2,048 words of 128 bits are four memories.
        near(of("SWW (SRAM), evaluator").measured, 4.0);
        let missing = of("Half-Gate, garbler");
        assert!(missing.measured.is_none() && missing.note.contains("was not measured"));
        let text = tables(&found());
        for part in ["valid_q -> label_q: 9 cells, 812 ps", "too large", "2.15", "7 nm"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn a_library_without_memories_gives_no_area_of_memory() {
        let found = Found { macros: Vec::new(), ..found() };
        let figures = figures(&found);
        let row = figures.iter().find(|figure| figure.name.contains("SWW (SRAM), evaluator"));
        let row = row.expect("a row");
        assert!(row.measured.is_none() && row.note.contains("made-up"), "{}", row.note);
    }
}
