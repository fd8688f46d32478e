//! Tables to print, and figures for the record.

use super::Found;
use halfgate_haac_model::{Description, Overrides};
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::yosys::Counts;
use halfgate_synthesis::{Outcome, place};
use std::fmt::Write;

/// The machine of the paper's Table 4, whose areas are in every description.
const PAPER: &str = "haac-16ge";
/// The process of Table 4.
const PAPER_PROCESS: &str = "paper, Table 4: 28 nm, scaled by its authors to 16 nm";
const ULTRASCALE: &str = "Yosys estimate, not placed, not Vivado; S-boxes in units as tables";

/// Targets by design: the largest allowed number of LUT4s.
const TARGETS: [(&str, f64); 3] = [
    ("sbox, COMPOSITE", 66.0),
    ("half_gate_garbler, 21 stages", 64_000.0),
    ("half_gate_garbler_folded", 9_000.0),
];

const IN_CELLS: &str = ", standard cells";

/// All tables.
pub fn tables(found: &Found) -> String {
    let mut text = format!("Tools: {}\n", found.tools);
    if !found.ecp5.is_empty() {
        text += "\nLattice ECP5 (40 nm FPGA), synthesised with tables of four inputs only, not placed\n";
        let header = ["", "LUT4", "flip-flops", "DP16KD", "MULT18X18D"];
        text += &grid(&header, found.ecp5.iter().map(counted));
    }
    if !found.ultrascale.is_empty() {
        let _ = write!(text, "\nXilinx UltraScale+ (16 nm FPGA): {ULTRASCALE}\n");
        let header = ["", "LUT", "flip-flops", "RAMB18", "DSP48E2"];
        text += &grid(&header, found.ultrascale.iter().map(counted));
    }
    if !found.placed.is_empty() {
        let _ = write!(
            text,
            "\nECP5-85 ({}), placed and routed by nextpnr in a frame of registers\n",
            place::CHIP
        );
        let header = ["", "MHz", "LUT4", "flip-flops", "DP16KD", "MULT18X18D"];
        text += &grid(
            &header,
            found.placed.iter().map(|(name, outcome)| match outcome {
                Ok(placed) => {
                    let share = |(used, there): (u64, u64)| {
                        format!("{used} ({:.0} %)", 100.0 * used as f64 / there.max(1) as f64)
                    };
                    vec![
                        name.clone(),
                        format!("{:.1}", placed.mhz),
                        share(placed.luts),
                        share(placed.registers),
                        share(placed.block_rams),
                        share(placed.multipliers),
                    ]
                }
                Err(why) => vec![name.clone(), why.clone()],
            }),
        );
        text += "  Their longest paths:\n";
        for (name, placed) in &found.placed {
            if let Ok(placed) = placed {
                let _ = writeln!(text, "    {name}: {}", placed.path);
            }
        }
    }
    match &found.library {
        None => {
            text += "\nStandard cells: no Liberty file was given (make synth LIBERTY=file.lib PROCESS=\"130 nm\")\n"
        }
        Some(library) => {
            let _ = write!(text, "\nStandard cells: {library}; RAMs and wires not counted\n");
            let header = ["", "area um2", "cells", "longest path ps (sta)", "RAM bits"];
            text += &grid(
                &header,
                found.cells.iter().map(|(name, outcome)| match outcome {
                    Ok(area) => vec![
                        name.clone(),
                        format!("{:.0}", area.area),
                        area.cells.to_string(),
                        area.path
                            .as_ref()
                            .map_or("none".to_owned(), |path| path.picoseconds.to_string()),
                        area.ram_bits.to_string(),
                    ],
                    Err(why) => vec![name.clone(), why.clone()],
                }),
            );
        }
    }
    text + &beside_the_paper(found)
}

/// The components of Table 4 beside ours, each with its process.
fn beside_the_paper(found: &Found) -> String {
    let described = Description::built_in(PAPER)
        .and_then(|description| description.machine(&Overrides::default()));
    let Ok(machine) = described else { return String::new() };
    let (area, power) = (machine.area_mm2(), machine.power_mw());
    let engines = f64::from(machine.shape.engines);
    let unit = "half_gate_garbler, 21 stages";
    let cells = |name: &str| {
        let (_, outcome) = found.cells.iter().find(|(design, _)| design == name)?;
        Some(outcome.as_ref().ok()?.area * engines * 1e-6)
    };
    let luts = |list: &[Outcome<Counts>], name: &str| {
        let (_, outcome) = list.iter().find(|(design, _)| design == name)?;
        Some(outcome.as_ref().ok()?.luts * u64::from(machine.shape.engines))
    };
    let process = found.library.as_deref().unwrap_or("no Liberty file given");
    let mut text = format!(
        "\nBeside the paper's Table 4, {PAPER} (16 engines, 2 MB). Four processes that must not be taken \
         for each other:\n  A  {PAPER_PROCESS}\n  B  ours, standard cells: {process}\n  \
         C  ours, LUT4 of ECP5, 40 nm FPGA, not placed\n  D  ours, LUTs of UltraScale+, 16 nm FPGA: \
         {ULTRASCALE}\n"
    );
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let count = |value: Option<u64>| value.map_or("-".to_owned(), |value| value.to_string());
    let rows = [
        ("half-gate units", area.half_gate, power.half_gate, unit),
        ("free XOR", area.free_xor, power.free_xor, "free_xor"),
        ("forwarding", area.forwarding, power.forwarding, ""),
        ("crossbar", area.crossbar, power.crossbar, ""),
        ("window (SRAM)", area.window, power.window, ""),
        ("queues (SRAM)", area.queues, power.queues, ""),
    ];
    text += &grid(
        &["", "A mm2", "A mW", "B mm2", "C LUT4", "D LUT"],
        rows.into_iter().map(|(name, area, power, design)| {
            vec![
                name.to_owned(),
                format!("{area:.6}"),
                format!("{power:.3}"),
                number(cells(design)),
                count(luts(&found.ecp5, design)),
                count(luts(&found.ultrascale, design)),
            ]
        }),
    );
    text + "  - is not measured: forwarding and crossbar are inside engine and window, and SRAM wants macros\n"
}

fn counted((name, outcome): &Outcome<Counts>) -> Vec<String> {
    match outcome {
        Ok(counts) => vec![
            name.clone(),
            counts.luts.to_string(),
            counts.registers.to_string(),
            counts.block_rams.to_string(),
            counts.multipliers.to_string(),
        ],
        Err(why) => vec![name.clone(), why.clone()],
    }
}

/// Formats rows under a header. A row with two cells has a reason instead of numbers.
fn grid(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut all = vec![header.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
    all.extend(rows);
    let full = |row: &&Vec<String>| row.len() == header.len();
    let widths: Vec<usize> = (0..header.len())
        .map(|i| all.iter().filter(full).map(|row| row[i].chars().count()).max().unwrap_or(0))
        .collect();
    let names = all.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in &all {
        let mut line = format!("  {:names$}", row[0]);
        for (i, cell) in row.iter().enumerate().skip(1) {
            let width = if row.len() == header.len() { widths[i] } else { 0 };
            let _ = write!(line, "  {cell:>width$}");
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

/// Figures for the record.
pub fn figures(found: &Found) -> Vec<Figure> {
    let mut figures = Vec::new();
    let tools = &found.tools;
    let made = |name: String, unit: &str, value: Result<f64, &String>, note: String| {
        let figure = match value {
            Ok(value) => Figure::measured(&name, unit, value).note(note),
            Err(why) => Figure::missing(&name, unit, &format!("{why}; {note}")),
        };
        Figure { how: How::Synthesis, ..figure }
    };
    for (name, outcome) in &found.ecp5 {
        let value = outcome.as_ref().map(|counts| counts.luts as f64);
        let more = outcome.as_ref().map_or(String::new(), |counts| {
            let Counts { registers, block_rams, multipliers, .. } = counts;
            format!("{registers} flip-flops, {block_rams} DP16KD, {multipliers} MULT18X18D; ")
        });
        let note = format!("{more}ECP5, synth_ecp5 -nowidelut, not placed; {tools}");
        let mut figure = made(format!("{name}, ECP5"), "LUT4", value, note);
        if let Some((_, target)) = TARGETS.iter().find(|(design, _)| design == name) {
            figure = figure.at_most(*target);
        }
        figures.push(figure);
    }
    for (name, outcome) in &found.ultrascale {
        let value = outcome.as_ref().map(|counts| counts.luts as f64);
        let more = outcome.as_ref().map_or(String::new(), |counts| {
            let Counts { registers, block_rams, multipliers, .. } = counts;
            format!("{registers} flip-flops, {block_rams} RAMB18, {multipliers} DSP48E2; ")
        });
        let note = format!("{more}{ULTRASCALE}; {tools}");
        figures.push(made(format!("{name}, UltraScale+"), "LUT", value, note));
    }
    for (name, outcome) in &found.placed {
        let value = outcome.as_ref().map(|placed| placed.mhz);
        let more = outcome.as_ref().map_or(String::new(), |placed| {
            let of = |(used, there): (u64, u64), what| format!("{used} of {there} {what}");
            let used = [
                of(placed.luts, "LUT4"),
                of(placed.registers, "flip-flops"),
                of(placed.block_rams, "DP16KD"),
                of(placed.multipliers, "MULT18X18D"),
            ];
            format!("{}; longest path {}; ", used.join(", "), placed.path)
        });
        let note = format!("{more}placed and routed, {}; {tools}", place::CHIP);
        figures.push(made(format!("{name}, ECP5-85, clock"), "MHz", value, note));
    }
    let library = found.library.as_deref().unwrap_or_default();
    for (name, outcome) in &found.cells {
        let value = outcome.as_ref().map(|area| area.area);
        let area = outcome.as_ref().ok();
        let size =
            area.map(|area| format!("{} cells, {} bits of RAM; ", area.cells, area.ram_bits));
        let path = area.and_then(|area| area.path.as_ref());
        let path = path.map(|path| format!("longest path by sta, no wires: {path}; "));
        let more = size.unwrap_or_default() + &path.unwrap_or_default();
        let note = format!("{more}{library}; the paper's areas are at 16 nm; {tools}");
        figures.push(made(format!("{name}{IN_CELLS}"), "um2", value, note));
    }
    figures
}

/// Whether this is an area in standard cells.
pub fn is_area(figure: &Figure) -> bool {
    figure.name.ends_with(IN_CELLS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_that_failed_is_shown_with_its_reason_and_its_target_missed() {
        let counts = Counts { luts: 50, ..Counts::default() };
        let found = Found {
            tools: "Yosys 0.70".to_owned(),
            ecp5: vec![
                ("sbox, COMPOSITE".to_owned(), Ok(counts)),
                ("half_gate_garbler_folded".to_owned(), Err("no such module".to_owned())),
            ],
            ..Found::default()
        };
        let figures = figures(&found);
        assert_eq!((figures[0].met, figures[0].measured), (Some(true), Some(50.0)));
        assert_eq!((figures[1].met, figures[1].target), (None, Some(9000.0)));
        assert!(figures[1].note.contains("no such module"));
        let text = tables(&found);
        for part in ["no such module", "no Liberty file was given", "28 nm, scaled", "2.15", "50"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn the_scoreboard_reads_what_is_recorded_and_has_what_was_missed_first() {
        let counts = |luts| Ok(Counts { luts, ..Counts::default() });
        let path = place::Path { from: "a_q".to_owned(), levels: 3, ..Default::default() };
        let found = Found {
            tools: "Yosys 0.70".to_owned(),
            ecp5: vec![
                ("sbox, COMPOSITE".to_owned(), counts(50)),
                ("half_gate_garbler_folded".to_owned(), counts(9001)),
            ],
            ultrascale: vec![("sbox, COMPOSITE".to_owned(), counts(30))],
            placed: vec![
                ("small".to_owned(), Ok(place::Placed { mhz: 61.5, path, ..Default::default() })),
                ("large".to_owned(), Err("no BELs remaining".to_owned())),
            ],
            ..Found::default()
        };
        assert_eq!(found.failed(), ["large"]);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("haac-synth.json");
        halfgate_record::Results::here(found.figures()).write(&file).expect("written");
        let files = halfgate_record::scoreboard::read(folder.path()).expect("read");
        let all = halfgate_record::scoreboard::all(&files);
        let names: Vec<_> = all.iter().map(|figure| figure.name.as_str()).collect();
        let missed = "haac-synth: half_gate_garbler_folded, ECP5";
        assert_eq!(names[..2], [missed, "haac-synth: sbox, COMPOSITE, ECP5"]);
        assert_eq!((all[0].met, all[0].how), (Some(false), How::Synthesis));
        let text = halfgate_record::scoreboard::print(&files);
        for part in ["1 of 2 targets met", "not Vivado", "61.50", "a_q -> ", "no BELs remaining"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
