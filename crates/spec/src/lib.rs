//! From the contract as data (`spec/isa.toml`, `spec/machines/*.toml`) to what code and hardware
//! read of it, so that no width or code is written down twice:
//!
//! - [`rust`]: the constants of `halfgate_machines::haac::isa`;
//! - [`system_verilog`]: a package of what all machines have in common, and one for each named machine;
//! - [`wrapper`]: a top for each named machine;
//! - [`markdown`]: the tables in `spec/isa.md`;
//! - [`mips`]: the garbled processor's instructions and sets, for both (`spec/mips.toml`);
//! - [`words`]: the words of machines, for both (`spec/fase.toml`, `spec/garbledcpu.toml`, `spec/overlay.toml`);
//! - [`registers`]: what host and hardware share, for both and as a page (`spec/registers.toml`).
//!
//! [`outputs`] is all of it. `make spec` writes the files, `make check` compares them.

pub mod isa;
pub mod markdown;
pub mod mips;
pub mod registers;
pub mod rust;
pub mod system_verilog;
pub mod words;
pub mod wrapper;

use halfgate_machines::haac::{Description, DescriptionError, Machine, Overrides};
use registers::Registers;
use std::path::{Path, PathBuf};

/// A file that is generated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Where it belongs, from the repository's root.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// Why nothing could be generated.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The instruction set is not one that can be encoded.
    #[error("spec/isa.toml: {0}")]
    Isa(String),
    /// A machine's words cannot be as they are described.
    #[error("{0}: {1}")]
    Words(&'static str, String),
    /// The processor's instructions cannot be as they are described.
    #[error("spec/mips.toml: {0}")]
    Mips(String),
    /// The registers cannot be as they are described.
    #[error("spec/registers.toml: {0}")]
    Registers(String),
    /// A machine's description is refused.
    #[error(transparent)]
    Machine(#[from] DescriptionError),
    /// A document lacks the lines between which the tables stand.
    #[error("{0} lacks the line {1:?}")]
    Marker(&'static str, &'static str),
}

/// Everything that is generated from the files under `root`, the repository.
///
/// # Errors
/// If one of them cannot be read or is refused.
pub fn outputs(root: &Path) -> Result<Vec<Output>, SpecError> {
    let isa = isa::Isa::parse(&read(root, "spec/isa.toml")?)?;
    let machines = machines(root)?;
    let document = read(root, markdown::PATH)?;
    let mut outputs = vec![
        output(rust::PATH, rust::constants(&isa)),
        output(markdown::PATH, markdown::with_tables(&document, &isa, &machines)?),
    ];
    let common = format!("{}/{}.sv", system_verilog::FOLDER, system_verilog::COMMON);
    outputs.push(output(&common, system_verilog::common(&isa)));
    let registers = Registers::parse(&read(root, "spec/registers.toml")?)?;
    outputs.push(output(registers::rust::PATH, registers::rust::constants(&registers)));
    outputs.push(output(registers::markdown::PATH, registers::markdown::page(&registers)));
    outputs
        .push(output(registers::system_verilog::PATH, registers::system_verilog::text(&registers)));
    for machine in &words::MACHINES {
        let found = words::Words::parse(machine, &read(root, machine.file)?)?;
        outputs.push(output(machine.rust, found.rust(machine)));
        outputs.push(output(machine.system_verilog, found.system_verilog(machine)));
    }
    let mips = mips::Mips::parse(&read(root, "spec/mips.toml")?)?;
    outputs.push(output(mips::RUST, mips.rust()));
    outputs.push(output(mips::VERILOG, mips.verilog()));
    let haac = read(root, wrapper::SOURCE)?;
    for machine in &machines {
        let path = format!("{}/{}.sv", system_verilog::FOLDER, wrapper::module(machine));
        outputs.push(output(&path, wrapper::text(&haac, machine)?));
        let name = system_verilog::package(machine);
        let path = format!("{}/{name}.sv", system_verilog::FOLDER);
        outputs.push(output(&path, system_verilog::text(&isa, machine)));
    }
    Ok(outputs)
}

/// Files in the folder of packages that are none of `outputs`: those of machines that are gone.
///
/// # Errors
/// If the folder cannot be read.
pub fn left_over(root: &Path, outputs: &[Output]) -> Result<Vec<PathBuf>, SpecError> {
    let mut left = Vec::new();
    for name in names(root, system_verilog::FOLDER)? {
        let path = Path::new(system_verilog::FOLDER).join(name);
        if !outputs.iter().any(|output| output.path == path) {
            left.push(path);
        }
    }
    Ok(left)
}

/// The machines of `spec/machines`, by name.
fn machines(root: &Path) -> Result<Vec<Machine>, SpecError> {
    let mut machines = Vec::new();
    for name in names(root, "spec/machines")? {
        // Overlays are read as they are.
        if !name.starts_with("haac-") {
            continue;
        }
        let path = Path::new("spec/machines").join(&name);
        let text = read(root, &path.to_string_lossy())?;
        let description = Description::parse(&path.to_string_lossy(), &text)?;
        machines.push(description.machine(&Overrides::default())?);
    }
    Ok(machines)
}

/// Names of the files in a folder, in order.
fn names(root: &Path, folder: &str) -> Result<Vec<String>, SpecError> {
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
