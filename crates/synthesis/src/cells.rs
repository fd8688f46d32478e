//! Area and critical path in the standard cells of a Liberty file.

use super::Design;
use super::liberty::Library;
use super::tools::{Tools, read, write};
use super::yosys::{file_name, reading};
use serde_json::Value;

/// A Liberty library, copied to the folder that the tools work in.
pub struct Cells {
    /// The library's name.
    pub library: String,
    /// The manufacturing process, as the user names it.
    pub process: String,
}

/// Area and timing of a module in standard cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Area in the library's unit, usually square micrometres, without RAMs.
    pub area: f64,
    /// Number of cells.
    pub cells: u64,
    /// Bits of RAM, which are not in the area: they would be macros.
    pub ram_bits: u64,
    /// The longest path by Yosys' `sta`, without wire delays.
    pub path: Option<Path>,
}

/// A path from an input or a register's clock to an output or a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Delay in picoseconds.
    pub picoseconds: u64,
    /// Cells on the path, including the register at its start.
    pub cells: u64,
    /// The start of the path.
    pub from: String,
    /// The end of the path.
    pub to: String,
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Path { picoseconds, cells, from, to } = self;
        write!(f, "{from} -> {to}: {cells} cells, {picoseconds} ps")
    }
}

const LIBRARY: &str = "cells.lib";
const TIMING: &str = "cells-timing.v";

impl Cells {
    /// Copies a Liberty file. `process` describes the library's manufacturing process; without it,
    /// only the library's name is known.
    ///
    /// # Errors
    /// If the file cannot be read or is not a Liberty file.
    pub fn take(
        tools: &Tools,
        file: &std::path::Path,
        process: Option<&str>,
    ) -> Result<Cells, String> {
        let text = read(file)?;
        let library = Library::parse(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        write(&tools.work.join(LIBRARY), &text)?;
        write(&tools.work.join(TIMING), &library.timing_model())?;
        let process = process.unwrap_or("process not named: give --process").to_owned();
        Ok(Cells { library: library.name().to_owned(), process })
    }

    /// Library and process, as text.
    pub fn title(&self) -> String {
        format!("library {}, {}", self.library, self.process)
    }
}

/// Maps `design` to the cells and measures it.
///
/// # Errors
/// Yosys' error, or a timeout.
pub fn measure(tools: &Tools, files: &[String], design: &Design) -> Result<Area, String> {
    let name = file_name(&format!("{} cells", design.name));
    let Design { top, .. } = design;
    // RAMs are not mapped: as flip-flops they would take most of the area, whereas a real RAM is a
    // macro. `sta` accepts no modules that were left out.
    let (stat, rams, paths) =
        (format!("{name}.json"), format!("{name}-rams.txt"), format!("{name}-sta.txt"));
    let left_out: String =
        design.without.iter().map(|module| format!("delete t:{module}\n")).collect();
    let script = format!(
        "{}synth -flatten -noabc -top {top} -run begin:fine\n\
         opt -fast -full\nopt -undriven -fine\ntechmap\nopt -fast\n\
         dfflibmap -liberty {LIBRARY}\nabc -liberty {LIBRARY}\n\
         setattr -mod -unset keep_hierarchy *\nflatten\nopt_clean -purge\n\
         tee -q -o {stat} stat -json -top {top} -liberty {LIBRARY}\n\
         tee -q -o {rams} dump t:$mem_v2\n{left_out}\
         read_verilog -overwrite -lib -specify {TIMING}\ntee -o {paths} sta {top}\n",
        reading(design, files)
    );
    tools.yosys(&name, &script, &[LIBRARY, TIMING], &[&stat, &rams, &paths])?;
    let stat = read(&tools.work.join(stat))?;
    let stat: Value =
        serde_json::from_str(&stat).map_err(|e| format!("{name}: statistics: {e}"))?;
    let module = &stat["modules"][format!("\\{top}")];
    let area = module["area"].as_f64().ok_or_else(|| format!("{name}: Yosys gives no area"))?;
    let paths = read(&tools.work.join(paths))?;
    Ok(Area {
        area,
        cells: module["num_cells"].as_u64().unwrap_or(0),
        ram_bits: ram_bits(&read(&tools.work.join(rams))?),
        path: longest(&paths),
    })
}

/// Sums the bits of the RAMs in Yosys' dump, which has a SIZE and a WIDTH for each.
fn ram_bits(dump: &str) -> u64 {
    let numbers = |name: &'static str| {
        let line = move |line: &str| line.trim().strip_prefix(name)?.trim().parse::<u64>().ok();
        dump.lines().filter_map(line)
    };
    let (sizes, widths) = (numbers("parameter \\SIZE "), numbers("parameter \\WIDTH "));
    sizes.zip(widths).map(|(size, width)| size * width).sum()
}

/// Parses the longest path in the output of `sta`, which begins at the end of the path: `Latest
/// arrival time in 'm' is 123:`, then a line for each cell with the time and the signal after it,
/// down to time 0.
fn longest(printed: &str) -> Option<Path> {
    const HEAD: &str = "Latest arrival time in ";
    let lines: Vec<&str> = printed.lines().collect();
    let at = |line: &&str| -> Option<u64> {
        line.rsplit(' ').next()?.trim_end_matches(':').parse().ok()
    };
    let heads = (0..lines.len()).filter(|&i| lines[i].contains(HEAD));
    let (picoseconds, start) = heads.filter_map(|i| Some((at(&lines[i])?, i + 1))).max()?;
    let steps = lines[start..].iter().take_while(|line| !line.trim().is_empty());
    // A cell's line has its time first and its pins last; the next line has the signal that it
    // reads.
    let (mut cells, mut from, mut to, mut signal) = (0, "?", "?", "?");
    for line in steps {
        let line = line.trim();
        let timed = line.split_once(' ').filter(|(time, _)| time.parse::<u64>().is_ok());
        let Some((name, pins)) = timed.and_then(|(_, cell)| cell.trim().rsplit_once(" (")) else {
            signal = line;
            continue;
        };
        if to == "?" {
            to = name;
        }
        if pins.contains("->") {
            cells += 1;
            from = signal;
        } else if !name.contains("clk") {
            // An input that is not a clock: there is no register before the last signal.
            from = name;
        }
    }
    Some(Path { picoseconds, cells, from: from.to_owned(), to: to.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_is_read() {
        let printed = "Latest arrival time in 'a' is 12:\n      12   \\y_o (<primary output>)\n\n\
                    Latest arrival time in 'free_xor' is 2991:\n\
                    \x20   2991 slice$97 (DFFSR.D)\n           $abc$1254\n\
                    \x20   2860 blif$6 (AND2X1.B->Y)\n           \\valid_o\n\
                    \x20   2297 slice$3 (DFFSR.CLK->Q)\n\
                    \x20      0   \\clk_i (<primary input>)\n\nArrival histogram:\n";
        let path = longest(printed).expect("a path");
        assert_eq!(path.to_string(), "\\valid_o -> slice$97: 2 cells, 2991 ps");
        let printed = "Latest arrival time in 'a' is 12:\n    12 \\y_o [1] (<primary output>)\n\
                    \x20   12 blif$0 (XOR2X1.B->Y)\n    0   \\x_i [45] (<primary input>)\n";
        let path = longest(printed).expect("a path");
        assert_eq!((path.cells, path.from.as_str()), (1, "\\x_i [45]"));
        assert_eq!(longest("nothing"), None);
    }

    #[test]
    fn bits_of_rams_are_added_up() {
        let dump = "  cell $mem_v2 \\a\n    parameter signed \\OFFSET 0\n    parameter \\SIZE 1024\n\
                    \x20   parameter \\WIDTH 130\n  end\n  cell $mem_v2 \\b\n    parameter \\SIZE 16\n\
                    \x20   parameter \\WIDTH 8\n  end\n";
        assert_eq!(ram_bits(dump), 1024 * 130 + 16 * 8);
        assert_eq!(ram_bits(""), 0);
    }
}
