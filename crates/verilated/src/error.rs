//! Errors of building and simulating designs.

use std::path::PathBuf;

/// Why a design cannot be built, loaded or simulated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program that builds designs is missing.
    #[error("needs {program} to simulate SystemVerilog: run `make setup`")]
    NoTool {
        /// Verilator, make, or the C++ compiler.
        program: String,
    },
    /// The running program is static and cannot load libraries.
    #[error(
        "this halfgate is a static binary, which cannot load simulated designs: use the one of the Debian \
         package, or build it from source"
    )]
    Static,
    /// There is no folder for built designs.
    #[error("there is no folder to keep simulated designs in: name one in HALFGATE_RTL_DIR")]
    NoCache,
    /// A folder that should contain SystemVerilog is missing.
    #[error(
        "no folder {0} with SystemVerilog sources: set HALFGATE_RTL_SOURCES to the folders that have them, \
         separated as in PATH"
    )]
    NoSources(PathBuf),
    /// No file has the name of a module.
    #[error("no file {module}.sv under {}", list(folders))]
    NoModule {
        /// The module.
        module: String,
        /// The folders that were searched.
        folders: Vec<PathBuf>,
    },
    /// Two files have the same name, so it is unclear which one is meant.
    #[error("two files are named {0}.sv")]
    SameName(String),
    /// A source mutation does not fit the sources.
    #[error("the text to replace occurs {found} times in {file}, not once: {from:?}")]
    Mutation {
        /// The file.
        file: String,
        /// The text to replace.
        from: String,
        /// How often the text occurs in the file.
        found: usize,
    },
    /// Verilator or the compiler rejected the sources.
    #[error("{step} of design {design} failed:\n{message}")]
    Build {
        /// The design.
        design: String,
        /// The step that failed.
        step: &'static str,
        /// The first lines of the tool's output.
        message: String,
    },
    /// The library cannot be loaded.
    #[error("cannot load {path}: {message}")]
    Load {
        /// The library.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A design has no such port.
    #[error("{design} has no {direction} {port}")]
    NoPort {
        /// The design.
        design: String,
        /// Input or output.
        direction: &'static str,
        /// The port.
        port: String,
    },
    /// A port has another width.
    #[error("{port} of {design} is {is} bits wide, not {requested}")]
    Width {
        /// The design.
        design: String,
        /// The port.
        port: String,
        /// The port's width.
        is: u32,
        /// The width that the caller expects.
        requested: u32,
    },
    /// An assertion of the design failed, or it called `$fatal` or `$stop`.
    #[error("{design} failed in cycle {cycle}: {message}")]
    Failed {
        /// The design.
        design: String,
        /// Clock cycles before the failure.
        cycle: u64,
        /// Text that the design printed.
        message: String,
    },
    /// The design cannot be traced, or not into this file.
    #[error("cannot trace {design} into {path}: {why}")]
    Trace {
        /// The design.
        design: String,
        /// The file.
        path: PathBuf,
        /// Why.
        why: &'static str,
    },
    /// A file or folder that the build needs cannot be used.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::Io { path, source }
    }
}

fn list(folders: &[PathBuf]) -> String {
    let names: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(", ")
}
