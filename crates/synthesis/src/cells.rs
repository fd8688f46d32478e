//! Area, longest path and power in the standard cells of a library.

use super::Design;
use super::buffers::{Driving, insert};
use super::files::{read, write};
use super::liberty::{Library, Macro};
use super::netlist::resets;
use super::sta::{self, PERIOD, Timed};
use super::tools::Tools;
use super::yosys::{file_name, reading};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A library of standard cells, copied to the folder that the tools work in.
pub struct Cells {
    /// The library's name.
    pub library: String,
    /// The manufacturing process, as the user names it; empty if not named.
    pub process: String,
    /// Its memories.
    pub macros: Vec<Macro>,
    /// Names of memories that are left out, since their figures are made up.
    pub made_up: Vec<String>,
    /// The copies of its files with cells.
    files: Vec<String>,
    /// Those that have flip-flops.
    registers: Vec<String>,
    /// Picoseconds in the library's unit of time.
    unit: f64,
    /// Leakage of each cell in watts.
    leakage: BTreeMap<String, f64>,
    /// Its buffers and registers.
    driving: Driving,
}

/// Area, timing and power of a module in standard cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Area in the library's unit, usually square micrometres, without RAMs.
    pub area: f64,
    /// Number of cells.
    pub cells: u64,
    /// RAMs, which are not in the area: they would be macros.
    pub rams: Vec<Ram>,
    /// Leakage of the cells in watts, by the library's figures.
    pub leakage: f64,
    /// Longest path and power, or the reason why OpenSTA gives none.
    pub timed: Result<Timed, String>,
    /// Why it was not mapped for speed, although it misses the clock.
    pub unmapped: Option<String>,
}

impl Area {
    /// A clause that says why it was not mapped for speed, if it should have been.
    pub fn remark(&self) -> Option<String> {
        self.unmapped.as_ref().map(|why| format!("not mapped for speed: {why}"))
    }
}

/// A RAM of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ram {
    /// Words.
    pub words: u64,
    /// Bits of a word.
    pub bits: u64,
}

impl Area {
    /// Bits of all RAMs.
    pub fn ram_bits(&self) -> u64 {
        self.rams.iter().map(|ram| ram.words * ram.bits).sum()
    }
}

/// Memories for one or more RAMs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memories {
    /// Their number.
    pub count: u64,
    /// Their area.
    pub area: f64,
    /// Their leakage in watts; memories without a figure count as zero.
    pub leakage: f64,
    /// Energy in joules of one access to each RAM; `None` if the library has none.
    pub access: Option<f64>,
}

impl Default for Memories {
    fn default() -> Memories {
        Memories { count: 0, area: 0.0, leakage: 0.0, access: Some(0.0) }
    }
}

impl Ram {
    /// The memories that make up this RAM with the least area; `None` if the library has none. Only
    /// words and bits are made up: a memory may have fewer ports than the RAM.
    pub fn of(self, macros: &[Macro]) -> Option<Memories> {
        let made = macros.iter().map(|of| {
            // An access is to one memory of each column.
            let columns = self.bits.div_ceil(of.bits);
            let count = self.words.div_ceil(of.words) * columns;
            Memories {
                count,
                area: count as f64 * of.area,
                leakage: count as f64 * of.leakage.unwrap_or(0.0),
                access: of.access.map(|access| access * columns as f64),
            }
        });
        made.min_by(|a, b| a.area.total_cmp(&b.area))
    }
}

impl Cells {
    /// Copies Liberty files, and those in folders. `process` describes the library's manufacturing
    /// process; without it, only the library's name is known.
    ///
    /// # Errors
    /// If a file cannot be read or is not a Liberty file, or none has cells and flip-flops.
    pub fn take(tools: &Tools, paths: &[PathBuf], process: Option<&str>) -> Result<Cells, String> {
        let library = Library::read(paths)?;
        let mut files = Vec::new();
        for (number, text) in library.texts.iter().enumerate() {
            let name = format!("cells-{number}.lib");
            write(&tools.work.join(&name), text)?;
            files.push(name);
        }
        let pairs = files.iter().zip(library.has_registers());
        let registers: Vec<_> =
            pairs.filter(|(_, has)| *has).map(|(file, _)| file.clone()).collect();
        let lacks = library.lacks();
        if !lacks.is_empty() {
            return Err(format!(
                "library {} has no {}: give all its files (--liberty may be repeated, or name a folder)",
                library.name(),
                lacks.join(", no ")
            ));
        }
        let process = process.unwrap_or_default().to_owned();
        let driving = Driving::of(&library);
        let leakage =
            library.leakage().into_iter().map(|(cell, leaks)| (cell.to_owned(), leaks)).collect();
        let (library, macros, made_up, unit) =
            (library.name(), library.macros, library.made_up, library.picoseconds);
        Ok(Cells { library, process, macros, made_up, files, registers, unit, leakage, driving })
    }

    /// Library and process, as text.
    pub fn title(&self) -> String {
        let process = match self.process.as_str() {
            "" => "process not named: give --process",
            process => process,
        };
        format!("library {}, {process}", self.library)
    }
}

/// How ABC maps, with buffers for nets of many pins: a name, options, and a script. The first makes
/// small netlists, for the clock of [`PERIOD`]. The second makes fast ones: it balances depth three
/// times, keeps the prefix trees of adders, which `dc2` turns into chains, leaves time for
/// registers and their buffers, which ABC does not see, and buffers nothing with cells that are
/// made to delay. Its last sizing is for speed, as `dnsize` gives back some of what `upsize` won:
/// 3.5 % of a machine's path.
const MAPPINGS: [(&str, &str, &str); 2] = [
    (
        "cells",
        "",
        "+strash;ifraig;scorr;dc2;dch,-f;map,-B,0.9,{D};topo;buffer,-c,-N,16;\
         topo;upsize,{D};dnsize,{D}",
    ),
    (
        "fast cells",
        " -dont_use HB* -dont_use *dly*",
        "+strash;ifraig;scorr;if,-g;strash;if,-g;strash;if,-g;strash;dch,-f;\
         map,-B,0.9,-D,600;topo;buffer,-c,-N,16;topo;\
         upsize,-D,600;dnsize,-D,600;upsize,-D,600;dnsize,-D,600;upsize,-D,600",
    ),
];

/// Maps `design` to the cells and measures it. If it is too slow for a clock of `period`
/// picoseconds, maps it for speed, and takes the faster of both netlists; if that takes too long or
/// fails, the first one, with the reason.
///
/// # Errors
/// Yosys' error, or a timeout.
pub fn measure(
    tools: &Tools,
    cells: &Cells,
    files: &[String],
    design: &Design,
    period: f64,
) -> Result<Area, String> {
    let longest = |area: &Area| {
        area.timed.as_ref().ok().and_then(|timed| timed.path.as_ref()).map(|path| path.picoseconds)
    };
    let map = |mapping| tools.alone(&design.files, || map(tools, cells, files, design, mapping));
    let small = map(MAPPINGS[0])?;
    let Some(first) = longest(&small).filter(|longest| *longest > period) else {
        return Ok(small);
    };
    Ok(match map(MAPPINGS[1]) {
        Ok(fast) if longest(&fast).is_some_and(|longest| longest < first) => fast,
        Ok(_) => small,
        Err(why) => Area { unmapped: Some(why), ..small },
    })
}

/// Maps `design` with one of the [`MAPPINGS`] and measures it.
fn map(
    tools: &Tools,
    cells: &Cells,
    files: &[String],
    design: &Design,
    (short, options, mapping): (&str, &str, &str),
) -> Result<Area, String> {
    let name = file_name(&format!("{} {short}", design.files));
    let Design { top, .. } = design;
    // RAMs are not mapped: as flip-flops they would take most of the area, whereas a real RAM is a
    // macro. The netlist has neither them nor modules that were left out.
    let (stat, rams, netlist) =
        (format!("{name}.json"), format!("{name}-rams.txt"), format!("{name}.v"));
    let left_out: String =
        design.without.iter().map(|module| format!("delete t:{module}\n")).collect();
    let given = |files: &[String]| -> String {
        files.iter().map(|file| format!(" -liberty {file}")).collect()
    };
    let (all, registers) = (given(&cells.files), given(&cells.registers));
    let script = format!(
        "{}synth -flatten -noabc -top {top} -run begin:fine\n\
         opt -fast -full\nopt -undriven -fine\ntechmap\nopt -fast\n\
         dfflibmap{registers}\nabc{options} -D {PERIOD} -script {mapping}{all}\n\
         setattr -mod -unset keep_hierarchy *\nflatten\nopt_clean -purge\n\
         tee -q -o {stat} stat -json -top {top}{all}\n\
         tee -q -o {rams} dump t:$mem_v2\n{left_out}delete t:$mem_v2\nsplitnets\nopt_clean -purge\n\
         write_verilog -noattr -simple-lhs {netlist}\n",
        reading(design, files)
    );
    let inputs: Vec<_> = cells.files.iter().map(String::as_str).collect();
    tools.yosys(&name, &script, &inputs, &[&stat, &rams, &netlist])?;
    let stat = read(&tools.work.join(stat))?;
    let stat: Value =
        serde_json::from_str(&stat).map_err(|e| format!("{name}: statistics: {e}"))?;
    let module = &stat["modules"][format!("\\{top}")];
    let area = module["area"].as_f64().ok_or_else(|| format!("{name}: Yosys gives no area"))?;
    let (buffered, buffers) = insert(&read(&tools.work.join(&netlist))?, &cells.driving);
    let netlist = format!("{name}-buffered.v");
    write(&tools.work.join(&netlist), &buffered)?;
    let Driving { asynchronous, registers, .. } = &cells.driving;
    let resets = resets(&buffered, asynchronous, registers);
    let leaks = cells.driving.buffer.as_ref().and_then(|buffer| cells.leakage.get(&buffer.cell));
    let leaks = leaks.copied().unwrap_or(0.0);
    let more = cells.driving.buffer.as_ref().map_or(0.0, |buffer| buffer.area * buffers as f64);
    Ok(Area {
        area: area + more,
        cells: module["num_cells"].as_u64().unwrap_or(0) + buffers as u64,
        rams: self::rams(&read(&tools.work.join(rams))?),
        leakage: leakage(&cells.leakage, module) + leaks * buffers as f64,
        timed: sta::time(tools, &name, top, (&netlist, &resets), &cells.files, cells.unit),
        unmapped: None,
    })
}

/// The leakage of a module's cells.
fn leakage(of: &BTreeMap<String, f64>, module: &Value) -> f64 {
    let counts = module["num_cells_by_type"].as_object().into_iter().flatten();
    let leaks = counts.filter_map(|(cell, count)| Some(of.get(cell)? * count.as_f64()?));
    leaks.sum()
}

/// The RAMs in Yosys' dump, which has a SIZE and a WIDTH for each.
fn rams(dump: &str) -> Vec<Ram> {
    let numbers = |name: &'static str| {
        let line = move |line: &str| line.trim().strip_prefix(name)?.trim().parse::<u64>().ok();
        dump.lines().filter_map(line)
    };
    let pairs = numbers("parameter \\SIZE ").zip(numbers("parameter \\WIDTH "));
    pairs.map(|(words, bits)| Ram { words, bits }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rams_are_made_of_the_smallest_memories() {
        let dump = "  cell $mem_v2 \\a\n    parameter signed \\OFFSET 0\n    parameter \\SIZE 1024\n\
                    \x20   parameter \\WIDTH 130\n  end\n  cell $mem_v2 \\b\n    parameter \\SIZE 16\n\
                    \x20   parameter \\WIDTH 8\n  end\n";
        let found = rams(dump);
        assert_eq!(found, [Ram { words: 1024, bits: 130 }, Ram { words: 16, bits: 8 }]);
        assert!(rams("").is_empty());
        let memory = |words, bits, area| Macro {
            name: format!("{words}x{bits}"),
            words,
            bits,
            area,
            leakage: Some(1.0),
            access: Some(7.0),
        };
        let macros = [memory(1024, 64, 10.0), memory(256, 64, 4.0)];
        let made = |count, area, leakage, access| {
            Some(Memories { count, area, leakage, access: Some(access) })
        };
        assert_eq!(found[0].of(&macros), made(3, 30.0, 3.0, 21.0));
        assert_eq!(found[1].of(&macros), made(1, 4.0, 1.0, 7.0));
        assert_eq!(found[0].of(&[]), None);
    }

    #[test]
    fn leakage_is_that_of_all_cells() {
        let of = BTreeMap::from([("INV".to_owned(), 2e-9), ("DFF".to_owned(), 5e-9)]);
        let module = serde_json::json!({ "num_cells_by_type": { "INV": 3, "DFF": 2, "other": 9 } });
        assert!((leakage(&of, &module) - 16e-9).abs() < 1e-15);
    }
}
