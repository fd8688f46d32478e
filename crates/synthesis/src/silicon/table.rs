//! Tables of parts in standard cells.

use super::{Found, Row};
use crate::grid::grid;
use std::fmt::Write as _;

/// A table of each group of parts, and the longest paths by name.
pub fn tables(found: &Found) -> String {
    let mut text = format!("Standard cells: {}; without RAMs and wires\n", found.library);
    for group in found.groups() {
        let rows: Vec<&Row> = found.rows.iter().filter(|row| row.piece.group == group).collect();
        let programs = programs(&rows);
        let mut header: Vec<String> = ["", "each", "cells um2", "cells", "path ps", "leaks uW"]
            .into_iter()
            .map(str::to_owned)
            .collect();
        header.extend(["idle mW", "busy mW"].map(str::to_owned));
        header.extend(programs.iter().map(|program| format!("{program} mW")));
        header.extend(["RAM bits", "RAM um2"].map(str::to_owned));
        let _ = write!(text, "\n  {group}, each part by itself:\n");
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        text += &grid(&header, rows.iter().map(|row| cells(found, group, row, &programs)));
    }
    let _ = write!(
        text,
        "  path: by OpenSTA, with the setup time, without wires and RAMs. idle and busy: at {} MHz, no \
         net\n  changes, and every net in half of the cycles; busy is what random data in every cycle \
         causes\n  at most, without glitches. A program's power is between the two, by the share of \
         cycles in\n  which the part takes new data in a simulation. RAM um2: memories of the library, \
         of one port\n  or more\n",
        found.mhz
    );
    let longest: Vec<String> = found.rows.iter().filter_map(longest).collect();
    if !longest.is_empty() {
        text += "  Longest paths:\n";
        longest.iter().for_each(|line| text += &format!("    {line}\n"));
    }
    text
}

/// The programs that the parts of a group were simulated with.
fn programs(rows: &[&Row]) -> Vec<String> {
    let mut programs: Vec<String> = Vec::new();
    for of in rows.iter().flat_map(|row| &row.piece.uses) {
        if !programs.contains(&of.program) {
            programs.push(of.program.clone());
        }
    }
    programs
}

fn cells(found: &Found, group: &str, row: &Row, programs: &[String]) -> Vec<String> {
    let name = &row.piece.design.name;
    let name = name.strip_prefix(&format!("{group}: ")).unwrap_or(name).to_owned();
    let area = match &row.area {
        Ok(area) => area,
        Err(why) => return vec![name, why.clone()],
    };
    let timed = area.timed.as_ref().ok();
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    let path = timed.and_then(|timed| timed.path.as_ref()).map(|path| path.picoseconds);
    let mut cells = vec![
        name,
        row.piece.count.to_string(),
        format!("{:.0}", area.area),
        area.cells.to_string(),
        number(path, 0),
        format!("{:.2}", area.leakage * 1e6),
        number(found.milliwatts(area, 0.0), 3),
        number(found.milliwatts(area, 1.0), 3),
    ];
    let of = |program: &String| {
        let share = row.use_of(program)?.cells;
        found.milliwatts(area, share)
    };
    cells.extend(programs.iter().map(|program| number(of(program), 3)));
    cells.push(area.ram_bits().to_string());
    cells.push(number(found.memories(area).map(|memories| memories.area), 0));
    cells
}

/// The longest path of a part, by name.
fn longest(row: &Row) -> Option<String> {
    let name = &row.piece.design.name;
    let area = row.area.as_ref().ok()?;
    match &area.timed {
        Ok(timed) => timed.path.as_ref().map(|path| {
            let remark = area.remark().map_or(String::new(), |remark| format!("; {remark}"));
            format!("{name}: {path}{remark}")
        }),
        Err(why) => Some(format!("{name}: {why}")),
    }
}
