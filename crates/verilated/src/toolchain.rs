//! Verilator, make and the C++ compiler.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::error::Error;

/// The programs that build a library of a design.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Verilator.
    pub verilator: OsString,
    /// The C++ compiler.
    pub cxx: OsString,
    /// Make.
    pub make: OsString,
}

/// Number of lines of a tool's output that an error contains.
const FIRST_LINES: usize = 12;

impl Toolchain {
    /// Takes Verilator from the variable `VERILATOR` (default `verilator`), the compiler from `CXX`
    /// (default `g++`), and `make` from the path.
    pub fn from_environment() -> Toolchain {
        let or = |name: &str, default: &str| std::env::var_os(name).unwrap_or(default.into());
        Toolchain {
            verilator: or("VERILATOR", "verilator"),
            cxx: or("CXX", "g++"),
            make: "make".into(),
        }
    }

    /// Verilator's version line.
    ///
    /// # Errors
    /// If Verilator is missing.
    pub fn version(&self) -> Result<String, Error> {
        self.printed(&["--version"], "reading the version")
    }

    /// Verilator's installation folder.
    pub(crate) fn verilator_root(&self) -> Result<PathBuf, Error> {
        self.printed(&["--getenv", "VERILATOR_ROOT"], "reading its root folder").map(PathBuf::from)
    }

    /// What Verilator prints of itself. Each call takes 0.1 s, and a test builds many designs, so
    /// a process runs it once.
    fn printed(&self, arguments: &[&str], step: &'static str) -> Result<String, Error> {
        static KNOWN: Mutex<BTreeMap<(OsString, String), String>> = Mutex::new(BTreeMap::new());
        let key = (self.verilator.clone(), arguments.join(" "));
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = known().get(&key) {
            return Ok(text.clone());
        }
        let mut command = Command::new(&self.verilator);
        let text = run(command.args(arguments), "Verilator 5.006", "verilator", step)?;
        let text = text.trim().to_owned();
        known().insert(key, text.clone());
        Ok(text)
    }

    /// Runs Verilator in `folder`.
    pub(crate) fn verilate(
        &self,
        folder: &Path,
        arguments: &[String],
        design: &str,
    ) -> Result<(), Error> {
        let mut command = Command::new(&self.verilator);
        command.current_dir(folder).args(arguments);
        run(&mut command, "Verilator 5.006", design, "Verilating").map(|_| ())
    }

    /// Runs make in `folder`.
    pub(crate) fn make(
        &self,
        folder: &Path,
        arguments: &[&str],
        design: &str,
    ) -> Result<(), Error> {
        let mut command = Command::new(&self.make);
        command.current_dir(folder).env_remove("MAKEFLAGS").env_remove("MAKELEVEL").args(arguments);
        run(&mut command, "make", design, "compiling what Verilator wrote").map(|_| ())
    }

    /// Runs the C++ compiler, to compile or link.
    pub(crate) fn compile(
        &self,
        folder: &Path,
        arguments: &[String],
        design: &str,
    ) -> Result<(), Error> {
        let mut command = Command::new(&self.cxx);
        command.current_dir(folder).args(arguments);
        run(&mut command, "a C++ compiler (g++)", design, "compiling the harness").map(|_| ())
    }
}

fn run(
    command: &mut Command,
    program: &str,
    design: &str,
    step: &'static str,
) -> Result<String, Error> {
    tracing::debug!(program = ?command.get_program(), design, step, "running a tool");
    let output = command.output().map_err(|_| Error::NoTool { program: program.to_string() })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let complaints = text(&output.stderr);
    let lines = complaints.lines().filter(|line| !line.trim().is_empty());
    let message = lines.take(FIRST_LINES).collect::<Vec<_>>().join("\n");
    Err(Error::Build { design: design.to_string(), step, message })
}
