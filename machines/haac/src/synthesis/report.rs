//! Tables to print, and figures for the record.

use super::Found;
use halfgate_record::record::{Figure, How};
use halfgate_synthesis::grid::grid;
use halfgate_synthesis::yosys::Counts;
use halfgate_synthesis::{Outcome, place};
use std::fmt::Write;

const ULTRASCALE: &str = "Yosys estimate, not placed, not Vivado; S-boxes in units as tables";

/// Targets by design: the largest allowed number of LUT4s.
const TARGETS: [(&str, f64); 3] = [
    ("sbox, COMPOSITE", 66.0),
    ("half_gate_garbler, 21 stages", 64_000.0),
    ("half_gate_garbler_folded", 9_000.0),
];

/// Targets of placed designs: the smallest allowed clock in MHz.
const CLOCKS: [(&str, f64); 1] =
    [("haac-1ge evaluator, folded half gate, short queues, AXI of 128 bits", 25.0)];

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
            place::chip()
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
    text
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
        let note = format!("{more}placed and routed, {}; {tools}", place::chip());
        let mut figure = made(format!("{name}, ECP5-85, clock"), "MHz", value, note);
        if let Some((_, target)) = CLOCKS.iter().find(|(design, _)| design == name) {
            figure = figure.at_least(*target);
        }
        figures.push(figure);
    }
    figures
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
        for part in ["no such module", "50"] {
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
