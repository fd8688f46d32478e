//! Area and critical path in the standard cells of a Liberty file.

use super::designs::Design;
use super::liberty::Library;
use super::tools::{Tools, read, write};
use super::yosys::{file_name, reading};
use serde_json::Value;
use std::path::Path;

/// A library that has been copied to where the tools work.
pub struct Cells {
    /// Its name.
    pub library: String,
    /// The process, as whoever gave it calls it.
    pub process: String,
}

/// A module in standard cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// In the library's unit, square micrometres as a rule; RAMs are left out.
    pub area: f64,
    /// Cells.
    pub cells: u64,
    /// Bits of RAM that are not in the area: they would be macros.
    pub ram_bits: u64,
    /// The longest path by Yosys' `sta`, in picoseconds, without wires.
    pub picoseconds: Option<u64>,
}

const LIBRARY: &str = "cells.lib";
const TIMING: &str = "cells-timing.v";

impl Cells {
    /// Takes a Liberty file. `process` says what it is of; without it only its name is known.
    ///
    /// # Errors
    /// If it cannot be read or is no such file.
    pub fn take(tools: &Tools, file: &Path, process: Option<&str>) -> Result<Cells, String> {
        let text = read(file)?;
        let library = Library::parse(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        write(&tools.work.join(LIBRARY), &text)?;
        write(&tools.work.join(TIMING), &library.timing_model())?;
        let process = process.unwrap_or("process not named: give --process").to_owned();
        Ok(Cells { library: library.name().to_owned(), process })
    }

    /// Library and process.
    pub fn title(&self) -> String {
        format!("library {}, {}", self.library, self.process)
    }
}

/// Maps `design` to the cells and measures it.
///
/// # Errors
/// Yosys' own, or that it took too long.
pub fn measure(tools: &Tools, files: &[String], design: &Design) -> Result<Area, String> {
    let name = file_name(&format!("{} cells", design.name));
    let Design { top, .. } = design;
    // RAMs stay as they are: as flip-flops they would be most of the area and nothing like a macro.
    let script = format!(
        "{}synth -flatten -noabc -top {top} -run begin:fine\n\
         opt -fast -full\nopt -undriven -fine\ntechmap\nopt -fast\n\
         dfflibmap -liberty {LIBRARY}\nabc -liberty {LIBRARY}\n\
         setattr -mod -unset keep_hierarchy *\nflatten\nopt_clean -purge\n\
         tee -q -o {name}.json stat -json -top {top} -liberty {LIBRARY}\n\
         read_verilog -overwrite -lib -specify {TIMING}\ntee -q -o {name}-sta.txt sta {top}\n",
        reading(design, files)
    );
    let (stat, paths) = (format!("{name}.json"), format!("{name}-sta.txt"));
    tools.yosys(&name, &script, &[LIBRARY, TIMING], &[&stat, &paths])?;
    let stat = read(&tools.work.join(stat))?;
    let stat: Value =
        serde_json::from_str(&stat).map_err(|e| format!("{name}: statistics: {e}"))?;
    let module = &stat["modules"][format!("\\{top}")];
    let area = module["area"].as_f64().ok_or_else(|| format!("{name}: Yosys gives no area"))?;
    let paths = read(&tools.work.join(paths))?;
    Ok(Area {
        area,
        cells: module["num_cells"].as_u64().unwrap_or(0),
        ram_bits: module["num_memory_bits"].as_u64().unwrap_or(0),
        picoseconds: longest(&paths),
    })
}

/// The longest path in `sta`'s words: `Latest arrival time in 'm' is 123:`.
fn longest(said: &str) -> Option<u64> {
    let times = said.lines().filter(|line| line.contains("Latest arrival time"));
    times.filter_map(|line| line.rsplit(' ').next()?.trim_end_matches(':').parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_is_read() {
        let said = "Latest arrival time in 'a' is 12:\nx\nLatest arrival time in 'b' is 340:\n";
        assert_eq!(longest(said), Some(340));
        assert_eq!(longest("nothing"), None);
    }
}
