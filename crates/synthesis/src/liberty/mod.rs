//! Reads the parts of Liberty files that area, leakage and delays need: [`Library`].
//!
//! A library may have several files, as that of one process often has. A file with memories has
//! [macros](Macro), which are counted and not mapped.

mod files;
mod parse;

use parse::Group;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A library of standard cells, in one or more files, and its memories.
pub struct Library {
    /// The libraries of the files with standard cells.
    cells: Vec<Group>,
    /// The texts of these files.
    pub texts: Vec<String>,
    /// The memories.
    pub macros: Vec<Macro>,
    /// Names of memories that are left out, since they are stand-ins.
    pub made_up: Vec<String>,
    /// Picoseconds in the unit of time of the first file.
    pub picoseconds: f64,
}

/// A memory of a compiler or of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Words.
    pub words: u64,
    /// Bits of a word.
    pub bits: u64,
    /// Area in the library's unit.
    pub area: f64,
    /// Leakage in watts, if the library has it.
    pub leakage: Option<f64>,
    /// Energy of an access in joules, if the library has it: of the kind that takes most.
    pub access: Option<f64>,
}

/// A cell that repeats its input.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// The cell.
    pub cell: String,
    /// Its input pin.
    pub input: String,
    /// Its output pin.
    pub output: String,
    /// Its area.
    pub area: f64,
}

impl Library {
    /// Reads Liberty files, which may be compressed by gzip. A folder stands for the Liberty files
    /// in it.
    ///
    /// # Errors
    /// If a file cannot be read or is not a Liberty file, or none has standard cells.
    pub fn read(paths: &[PathBuf]) -> Result<Library, String> {
        let mut library = Library::empty();
        for (path, text) in files::read(paths)? {
            library.add(text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        library.checked()
    }

    /// Reads the text of one file.
    ///
    /// # Errors
    /// If it is not a Liberty file, or has no cells.
    pub fn parse(text: &str) -> Result<Library, String> {
        let mut library = Library::empty();
        library.add(text.to_owned())?;
        library.checked()
    }

    fn empty() -> Library {
        let (cells, texts, macros, made_up) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Library { cells, texts, macros, made_up, picoseconds: 1000.0 }
    }

    fn checked(self) -> Result<Library, String> {
        match self.cells.is_empty() {
            true => Err("the library has no cells".to_owned()),
            false => Ok(self),
        }
    }

    fn add(&mut self, text: String) -> Result<(), String> {
        let library = Group::library(&text)?;
        let unit = watts(library.text("leakage_power_unit"));
        let mut has_memories = false;
        for cell in library.of("cell") {
            let Some(memory) = cell.of("memory").next() else { continue };
            has_memories = true;
            // OpenROAD's platforms have stand-ins for memories, with figures that are made up.
            if cell.name.starts_with("fakeram") {
                self.made_up.push(cell.name.clone());
                continue;
            }
            let count = |name: &str| memory.number(name).filter(|n| *n >= 1.0);
            let (Some(address), Some(bits)) = (count("address_width"), count("word_width")) else {
                return Err(format!("memory {} lacks address_width or word_width", cell.name));
            };
            let area = cell.number("area").filter(|area| *area > 0.0);
            self.macros.push(Macro {
                name: cell.name.clone(),
                words: 1 << (address as u32).min(40),
                bits: bits as u64,
                area: area.ok_or_else(|| format!("memory {} lacks an area", cell.name))?,
                leakage: leakage(cell).map(|leakage| leakage * unit),
                access: access(cell).map(|energy| energy * joules(&library)),
            });
        }
        if has_memories {
            return Ok(());
        }
        if library.of("cell").next().is_none() {
            return Err("its library has no cells".to_owned());
        }
        if self.cells.is_empty() {
            self.picoseconds = picoseconds(library.text("time_unit"));
        }
        self.cells.push(library);
        self.texts.push(text);
        Ok(())
    }

    /// The library's name. If there are several files, the name of the first, and their number.
    pub fn name(&self) -> String {
        let first = self.cells.first().map_or("", |library| &library.name);
        match self.cells.len() {
            0 | 1 => first.to_owned(),
            more => format!("{first} and {} other files", more - 1),
        }
    }

    /// Whether each file of [`texts`](Library::texts) has flip-flops.
    pub fn has_registers(&self) -> Vec<bool> {
        let is_register = |cell: &Group| cell.of("ff").next().is_some();
        self.cells.iter().map(|library| library.of("cell").any(is_register)).collect()
    }

    /// Kinds of cells without which nothing can be mapped, and which the library lacks.
    pub fn lacks(&self) -> Vec<&'static str> {
        let cells = || self.cells.iter().flat_map(|library| library.of("cell"));
        let inputs = |cell: &&Group| {
            let pins: Vec<_> = cell.of("pin").collect();
            let computes = pins.iter().any(|pin| !pin.text("function").is_empty());
            let inputs = pins.iter().filter(|pin| pin.text("direction") == "input").count();
            if computes && cell.of("ff").next().is_none() { inputs } else { 0 }
        };
        let inverts =
            |cell: &Group| cell.of("pin").any(|pin| pin.text("function").contains(['!', '\'']));
        let found = [
            ("flip-flops", self.has_registers().contains(&true)),
            ("inverters", cells().any(|cell| inputs(&cell) == 1 && inverts(cell))),
            ("gates of two inputs", cells().any(|cell| inputs(&cell) == 2)),
        ];
        found.into_iter().filter(|(_, has)| !has).map(|(kind, _)| kind).collect()
    }

    /// The cells that repeat one input.
    pub fn buffers(&self) -> Vec<Buffer> {
        self.cells.iter().flat_map(|library| library.of("cell")).filter_map(buffer).collect()
    }

    /// The output pins of each cell with a flip-flop.
    pub fn registers(&self) -> BTreeMap<String, Vec<String>> {
        let cells = self.cells.iter().flat_map(|library| library.of("cell"));
        let registers = cells.filter(|cell| cell.of("ff").next().is_some());
        let pins = |cell: &Group| {
            let outputs = cell.of("pin").filter(|pin| pin.text("direction") == "output");
            outputs.map(|pin| pin.name.clone()).collect()
        };
        registers.map(|cell| (cell.name.clone(), pins(cell))).collect()
    }

    /// Pins that set or clear flip-flops without a clock.
    pub fn asynchronous(&self) -> BTreeSet<String> {
        let cells = self.cells.iter().flat_map(|library| library.of("cell"));
        let registers = cells.flat_map(|cell| cell.of("ff"));
        let texts = registers.flat_map(|ff| [ff.text("clear"), ff.text("preset")]);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = texts.flat_map(|text| text.split(move |c| !is_name(c)));
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Leakage of each cell in watts, averaged over its states.
    pub fn leakage(&self) -> BTreeMap<&str, f64> {
        let mut found = BTreeMap::new();
        for library in &self.cells {
            let unit = watts(library.text("leakage_power_unit"));
            for cell in library.of("cell") {
                if let Some(leakage) = leakage(cell) {
                    found.insert(cell.name.as_str(), leakage * unit);
                }
            }
        }
        found
    }
}

/// A cell as a buffer, if it is one.
fn buffer(cell: &Group) -> Option<Buffer> {
    let pins: Vec<_> = cell.of("pin").collect();
    let is = |direction: &'static str| move |pin: &&&Group| pin.text("direction") == direction;
    let input = pins.iter().find(is("input"))?;
    let output = pins.iter().find(is("output"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let function: String = output.text("function").chars().filter(|&c| plain(c)).collect();
    let negates = output.text("function").contains(['!', '\'']);
    let is_buffer = pins.len() == 2 && function == input.name && !negates;
    // Cells of clock trees and delays are not for data, and have other names in each library.
    let usable = is_buffer && cell.text("dont_use") != "true";
    usable.then(|| Buffer {
        cell: cell.name.clone(),
        input: input.name.clone(),
        output: output.name.clone(),
        area: cell.number("area").unwrap_or(0.0),
    })
}

/// Leakage of a cell in the library's unit: its own figure, or the mean over states.
fn leakage(cell: &Group) -> Option<f64> {
    if let Some(own) = cell.number("cell_leakage_power") {
        return Some(own);
    }
    // A library may give a state once for each supply; those of ground are zero.
    let values: Vec<f64> = cell
        .of("leakage_power")
        .filter(|state| !matches!(state.text("related_pg_pin"), "VSS" | "GND"))
        .filter_map(|state| state.number("value"))
        .collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The largest energy that a clock edge takes inside a cell, in the library's unit.
fn access(cell: &Group) -> Option<f64> {
    let clocks = cell.of("pin").filter(|pin| pin.text("clock") == "true");
    let energy = |state: &Group, kind: &str| {
        let table = state.of(kind).next()?;
        let values = table.attribute("values")?;
        let numbers = values.iter().flat_map(|row| row.split([',', ' ']));
        numbers.filter_map(|number| number.parse::<f64>().ok()).reduce(f64::max)
    };
    let states = clocks.flat_map(|pin| pin.of("internal_power"));
    let sums = states.filter_map(|state| {
        Some(energy(state, "rise_power")? + energy(state, "fall_power").unwrap_or(0.0))
    });
    sums.reduce(f64::max).filter(|most| *most > 0.0)
}

/// A library's unit of energy inside cells, in joules: its unit of capacitance times a square volt.
fn joules(library: &Group) -> f64 {
    let unit = library.attribute("capacitive_load_unit").unwrap_or_default();
    let number = unit.first().and_then(|number| number.parse().ok()).unwrap_or(1.0);
    let scale = match unit.get(1).map(|unit| unit.to_lowercase()).as_deref() {
        Some("ff") => 1e-15,
        _ => 1e-12,
    };
    number * scale
}

/// A unit of power, such as `1pW`, in watts.
fn watts(unit: &str) -> f64 {
    let digits: String = unit.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let scale = match &unit[digits.len()..] {
        "mW" => 1e-3,
        "uW" => 1e-6,
        "pW" => 1e-12,
        "fW" => 1e-15,
        "W" => 1.0,
        _ => 1e-9,
    };
    digits.parse::<f64>().unwrap_or(1.0) * scale
}

/// A unit of time, such as `1ns`, in picoseconds.
fn picoseconds(unit: &str) -> f64 {
    let digits: String = unit.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().unwrap_or(1.0) * if unit.ends_with("ps") { 1.0 } else { 1000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
/* a comment */
library (tiny) {
  time_unit : "1ns"; leakage_power_unit : "1nW"; capacitive_load_unit (1, pf);
  cell (INV) { area : 16;
    leakage_power () { when : "A"; value : 2; related_pg_pin : VDD; }
    leakage_power () { when : "!A"; value : 4; related_pg_pin : VDD; }
    leakage_power () { when : "A"; value : 0; related_pg_pin : VSS; }
    pin(A) { direction : input; capacitance : 0.01; }
    pin(Y) { direction : output; function : "(!A)"; } }
  cell (BUF) { area : 20; pin(A) { direction : input; }
    pin(Y) { direction : output; function : "(A)"; } }
  cell (DFF)
  { area : 96
    cell_leakage_power : 7; ff (q, n) { next_state : "D"; clear : "!RESET_B"; }
    pin(Q) { direction : output; } }
}"#;

    const MEMORY: &str = r#"library (ram) { leakage_power_unit : "1uW";
  cell (R_16x8) { area : 1000; cell_leakage_power : 3;
    memory () { type : ram; address_width : 4; word_width : 8; }
    pin (CLK) { clock : true;
      internal_power () { when : "EN"; rise_power (scalar) { values (120.5); }
        fall_power (scalar) { values (1.5); } }
      internal_power () { when : "!EN"; rise_power (scalar) { values (3); } } } } }"#;

    #[test]
    fn leakage_is_in_watts_and_averaged_over_states() {
        let library = Library::parse(SMALL).expect("a library");
        assert_eq!((library.name().as_str(), library.has_registers()), ("tiny", vec![true]));
        let leakage = library.leakage();
        assert!((leakage["INV"] - 3e-9).abs() < 1e-15 && (leakage["DFF"] - 7e-9).abs() < 1e-15);
        assert_eq!(watts("1pW"), 1e-12);
        let [buffer] = &library.buffers()[..] else { panic!("{:?}", library.buffers()) };
        assert_eq!((buffer.cell.as_str(), buffer.area), ("BUF", 20.0));
        assert_eq!(library.registers()["DFF"], ["Q"]);
        assert_eq!(library.lacks(), ["gates of two inputs"]);
        assert_eq!(library.asynchronous(), BTreeSet::from(["RESET_B".to_owned()]));
        let other = Library::parse("library (x) { cell (A) { area : 1; } }").expect("a library");
        assert_eq!(other.lacks().len(), 3);
    }

    #[test]
    fn a_folder_of_packed_files_is_one_library_with_memories() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = std::fs::File::create(folder.path().join(name)).expect("made");
            let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            std::io::Write::write_all(&mut packed, text.as_bytes()).expect("written");
            packed.finish().expect("written");
        };
        write("a.lib.gz", SMALL);
        write("b.lib.gz", MEMORY);
        let made_up = MEMORY.replace("R_16x8", "fakeram_16x8");
        std::fs::write(folder.path().join("c.lib"), made_up).expect("written");
        let library = Library::read(&[folder.path().to_owned()]).expect("a library");
        assert_eq!((library.texts.len(), library.made_up.len()), (1, 1));
        let [ram] = &library.macros[..] else { panic!("{:?}", library.macros) };
        assert_eq!((ram.words, ram.bits, ram.area), (16, 8, 1000.0));
        assert!((ram.leakage.expect("given") - 3e-6).abs() < 1e-12);
        assert!((ram.access.expect("given") - 122e-12).abs() < 1e-18);
        std::fs::write(folder.path().join("d.lib"), "library (x) {").expect("written");
        let error = Library::read(&[folder.path().to_owned()]).err().unwrap_or_default();
        assert!(error.contains("d.lib: it ends inside library"), "{error}");
        let empty = tempfile::tempdir().expect("a folder");
        let error = Library::read(&[empty.path().to_owned()]).err().unwrap_or_default();
        assert!(error.contains("no Liberty file"), "{error}");
    }

    #[test]
    fn invalid_libraries_are_refused() {
        for (text, why) in [
            ("", "no library"),
            ("library (x) { }", "no cells"),
            ("library (x) { cell (y) {", "ends inside"),
            ("hello world", "neither value nor group"),
            (&"a(b){".repeat(100), "too deep"),
            (&MEMORY.replace("word_width : 8;", ""), "word_width"),
            (&MEMORY.replace("area : 1000;", ""), "lacks an area"),
            (MEMORY, "the library has no cells"),
        ] {
            let error = Library::parse(text).err().unwrap_or_default();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
