//! Test helpers for designs in a temporary folder, and for Yosys.

#![allow(dead_code)] // Each test file uses only a part.

pub mod functions;

use halfgate_circuit::Circuit;
use halfgate_frontends::verilog::{self, Error, Options};
use std::fs;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Returns Yosys, or prints a notice and returns `None` if it is not installed.
pub fn yosys() -> Option<String> {
    let program = std::env::var("HALFGATE_YOSYS").unwrap_or_else(|_| "yosys".to_owned());
    let run = Command::new(&program).arg("-V").stdout(Stdio::null()).status();
    if run.is_err() {
        eprintln!("not run: there is no Yosys here (`make setup` installs it)");
        return None;
    }
    Some(program)
}

/// A temporary folder with designs.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// Writes `text` to a file, and reads the file as a design.
    pub fn read(&self, name: &str, text: &str) -> Result<Circuit, Error> {
        self.read_with(name, text, &Options::default())
    }

    pub fn read_with(&self, name: &str, text: &str, options: &Options) -> Result<Circuit, Error> {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        verilog::read(&path, options)
    }

    /// Returns the error of reading a design, without the folder's name.
    pub fn complaint(&self, name: &str, text: &str) -> String {
        self.complaint_with(name, text, &Options::default())
    }

    pub fn complaint_with(&self, name: &str, text: &str, options: &Options) -> String {
        let result = self.read_with(name, text, options).map(|circuit| circuit.gates.len());
        let error = result.expect_err("a design that is no circuit").to_string();
        error.replace(&format!("{}/", self.0.path().display()), "")
    }

    /// Runs Yosys in the folder, and returns what it prints.
    pub fn run(&self, yosys: &str, script: &str) -> String {
        fs::write(self.0.path().join("script.ys"), script).unwrap();
        let printed = Command::new(yosys)
            .args(["-Q", "-s", "script.ys"])
            .current_dir(self.0.path())
            .output()
            .unwrap();
        String::from_utf8_lossy(&printed.stdout).into_owned()
    }
}

impl Folder {
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }
}
