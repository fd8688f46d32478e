//! Parts in standard cells as figures for the record.

use super::{Found, Row};
use crate::cells::Area;
use halfgate_record::record::{Figure, How};

/// A figure for each part: its area, with everything else in the note.
pub fn figures(found: &Found) -> Vec<Figure> {
    found.rows.iter().map(|row| figure(found, row)).collect()
}

/// A name in the record: that of a part or a row, with the process, since a record has several.
pub fn name(of: &str, found: &Found) -> String {
    match found.process.is_empty() {
        true => format!("{of}, {}", found.library),
        false => format!("{of}, {}", found.process),
    }
}

fn figure(found: &Found, row: &Row) -> Figure {
    let about = format!("{}; {}", found.library, found.tools);
    let name = name(&row.piece.design.name, found);
    let made = match &row.area {
        Err(why) => Figure::missing(&name, "um2", &format!("{why}; {about}")),
        Ok(area) => {
            let count = row.piece.count;
            let times = if count > 1 { format!("one of {count}; ") } else { String::new() };
            let unmapped = area.remark().map_or(String::new(), |remark| remark + "; ");
            let note = format!(
                "{times}{} cells, {} bits of RAM, which are not in the area; leaks {:.3} uW; {}\
                 {unmapped}no wires; {about}",
                area.cells,
                area.ram_bits(),
                area.leakage * 1e6,
                timed(found, row, area),
            );
            Figure::measured(&name, "um2", area.area).note(note)
        }
    };
    Figure { how: How::Synthesis, ..made }
}

/// The longest path and the power, each with a semicolon behind.
fn timed(found: &Found, row: &Row, area: &Area) -> String {
    let timed = match &area.timed {
        Ok(timed) => timed,
        Err(why) => return format!("no timing: {why}; "),
    };
    let mut text =
        timed.path.as_ref().map_or(String::new(), |path| format!("longest path {path}; "));
    let power = |share: f64| found.milliwatts(area, share).unwrap_or_default();
    text += &format!("at {} MHz {:.4} mW idle, {:.4} mW busy", found.mhz, power(0.0), power(1.0));
    for of in &row.piece.uses {
        text += &format!(", {:.4} mW in {}", power(of.cells), of.program);
    }
    text + "; "
}
