//! Generates code, hardware packages and documentation from the data in `spec/`, and in `spec/` of
//! each machine, so that each width and code is written down once. The crate reads TOML and depends
//! on no machine. A [`home`] is a machine's folder; the files in it decide what is generated:
//!
//! - `isa.toml` and `machines/*.toml`, for a machine of gate engines: [constants](rust) of the
//!   instruction set, [packages](system_verilog) for it and for each named machine, a
//!   [top](wrapper) for each, and [tables](markdown) in its `isa.md`. [`isa`] and [`description`]
//!   read the files;
//! - `words.toml`: the [words] of a machine, for Rust and SystemVerilog;
//! - `registers.toml`: the [registers] that host and hardware share, for Rust, SystemVerilog, C and
//!   a documentation page.
//!
//! [`mips`] handles the garbled processor's instructions and instruction sets (`spec/mips.toml`).
//!
//! [`outputs`] returns all generated files. `make spec` writes them, `make check` compares them.

mod comment;
pub mod description;
pub mod home;
pub mod isa;
pub mod markdown;
pub mod mips;
pub mod registers;
pub mod rust;
pub mod system_verilog;
pub mod words;
pub mod wrapper;

use description::Description;
use home::Home;
use registers::Registers;
use std::path::{Path, PathBuf};

/// A generated file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Path from the repository's root.
    pub path: PathBuf,
    /// Text of the file.
    pub text: String,
}

/// Errors of generation.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: std::io::Error,
    },
    /// The instruction set cannot be encoded.
    #[error("isa.toml: {0}")]
    Isa(String),
    /// A machine's words are inconsistent or invalid.
    #[error("{0}: {1}")]
    Words(String, String),
    /// The processor's instructions are inconsistent or invalid.
    #[error("spec/mips.toml: {0}")]
    Mips(String),
    /// The registers are inconsistent or invalid.
    #[error("registers.toml: {0}")]
    Registers(String),
    /// A machine's description is invalid.
    #[error("{0}: {1}")]
    Description(String, String),
    /// A document lacks a line that marks the place of the tables.
    #[error("{0} lacks the line {1:?}")]
    Marker(String, &'static str),
}

/// Generates all files from the data under `root`, the repository.
///
/// # Errors
/// If a file cannot be read or is invalid.
pub fn outputs(root: &Path) -> Result<Vec<Output>, SpecError> {
    let mut outputs = Vec::new();
    for home in Home::all(root)? {
        if let Some(path) = home.file(root, words::FILE) {
            let words = words::Words::parse(&home, &read(root, &path)?)?;
            outputs.push(output(&words.generated.rust, words.rust(&home)));
            outputs.push(output(&words.generated.system_verilog, words.system_verilog(&home)));
        }
        if let Some(path) = home.file(root, "spec/registers.toml") {
            let registers = Registers::parse(&read(root, &path)?)?;
            outputs.extend(of_registers(&registers, &home));
        }
        if let Some(path) = home.file(root, "spec/isa.toml") {
            let isa = isa::Isa::parse(&read(root, &path)?)?;
            outputs.extend(of_isa(root, &isa, &home)?);
        }
    }
    let mips = mips::Mips::parse(&read(root, "spec/mips.toml")?)?;
    outputs.push(output(mips::RUST, mips.rust()));
    outputs.push(output(mips::VERILOG, mips.verilog()));
    Ok(outputs)
}

fn of_registers(registers: &Registers, home: &Home) -> [Output; 4] {
    [
        output(&registers::c::path(home), registers::c::header(registers, home)),
        output(&registers::rust::path(home), registers::rust::constants(registers, home)),
        output(&registers::markdown::path(home), registers::markdown::page(registers, home)),
        output(
            &registers::system_verilog::path(home),
            registers::system_verilog::text(registers, home),
        ),
    ]
}

/// Generates the files of an instruction set and of the machines that use it.
fn of_isa(root: &Path, isa: &isa::Isa, home: &Home) -> Result<Vec<Output>, SpecError> {
    let machines = machines(root, home)?;
    let document = read(root, &markdown::path(home))?;
    let tables = markdown::with_tables(&document, isa, &machines, home)?;
    let folder = system_verilog::folder(home);
    let common = format!("{folder}/{}.sv", system_verilog::common_name(home));
    let mut outputs = vec![
        output(&home.path("model/src/isa_generated.rs"), rust::constants(isa, home)),
        output(&markdown::path(home), tables),
        output(&common, system_verilog::common(isa, home)),
    ];
    let source = read(root, &wrapper::source(home))?;
    for machine in &machines {
        let path = format!("{folder}/{}.sv", wrapper::module(machine));
        outputs.push(output(&path, wrapper::wrapper(&source, machine, home)?));
        let path = format!("{folder}/{}.sv", system_verilog::package(machine));
        outputs.push(output(&path, system_verilog::text(isa, machine, home)));
    }
    Ok(outputs)
}

/// Returns the files in folders of generated files that are not in `outputs`: those of removed
/// machines.
///
/// # Errors
/// If a folder cannot be read.
pub fn left_over(root: &Path, outputs: &[Output]) -> Result<Vec<PathBuf>, SpecError> {
    let mut left = Vec::new();
    for home in Home::all(root)? {
        let folder = system_verilog::folder(&home);
        if !root.join(&folder).is_dir() {
            continue;
        }
        for name in names(root, &folder)? {
            let path = Path::new(&folder).join(name);
            if !outputs.iter().any(|output| output.path == path) {
                left.push(path);
            }
        }
    }
    Ok(left)
}

/// Reads the descriptions in a machine's folder, sorted by name.
fn machines(root: &Path, home: &Home) -> Result<Vec<Description>, SpecError> {
    let folder = home.path("spec/machines");
    let parse = |name: String| {
        let path = format!("{folder}/{name}");
        Description::parse(&path, &read(root, &path)?)
    };
    names(root, &folder)?.into_iter().map(parse).collect()
}

/// Returns the names of the files in a folder, sorted.
pub(crate) fn names(root: &Path, folder: &str) -> Result<Vec<String>, SpecError> {
    let path = root.join(folder);
    let failed = |source| SpecError::File { path: path.clone(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&path).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn read(root: &Path, path: &str) -> Result<String, SpecError> {
    let path = root.join(path);
    std::fs::read_to_string(&path).map_err(|source| SpecError::File { path, source })
}

fn output(path: &str, text: String) -> Output {
    Output { path: PathBuf::from(path), text }
}
