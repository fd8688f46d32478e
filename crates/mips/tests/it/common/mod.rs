//! Shared code of tests of programs: builds them, makes inputs, and computes results natively.

#![allow(dead_code)] // Each test file uses its own part.

pub mod beside;

use halfgate_mips::image::{Image, Owner, Port};
use halfgate_mips::isa::InstructionSet;
use halfgate_mips::processor::Size;
use halfgate_mips::toolchain::{self, BuildError, Options};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pseudorandom numbers (xorshift), which are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Random values for the elements of `port`. If the program expects a set, they are in
    /// ascending order.
    pub fn values(&mut self, program: &str, port: &Port) -> Vec<u64> {
        let mask = u64::MAX >> (64 - 8 * port.bytes);
        if program.starts_with("psi") {
            let mut last = 0;
            return (0..port.count)
                .map(|_| {
                    last += 1 + self.below(2);
                    last
                })
                .collect();
        }
        // The alphabet is small, so that some letters are equal.
        let bound = if program == "edit_distance" { 3 } else { mask };
        (0..port.count).map(|_| self.below(bound) & mask).collect()
    }
}

/// Whether a tool that the test needs is missing. Prints a message if so.
pub fn is_missing(tool: &str) -> bool {
    let missing = Command::new(tool).arg("--version").output().is_err();
    if missing {
        eprintln!("NOT RUN: {tool} is not installed");
    }
    missing
}

/// The source file of a program in `programs/mips`, or of these tests.
pub fn source(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = here.join(format!("tests/{name}.c"));
    if own.exists() { own } else { here.join(format!("../../programs/mips/{name}.c")) }
}

pub fn set(name: &str) -> InstructionSet {
    InstructionSet::named(name).unwrap()
}

/// Builds a program of `programs/mips`.
pub fn build(
    name: &str,
    set: InstructionSet,
    size: Size,
    flags: &[&str],
) -> Result<Image, BuildError> {
    let folder = tempfile::tempdir().unwrap();
    let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    let options = Options { size, set, steps: None, flags };
    toolchain::build(&[source(name)], &options, &folder.path().join("program.elf"))
}

/// Compiles the program for this computer, and runs it on `values`. Returns the elements of each
/// output.
pub fn natively(name: &str, flags: &[&str], image: &Image, values: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("halfgate.h"),
        "#define GARBLER\n#define EVALUATOR\n#define OUTPUT\n#define PROGRAM void program(void)\n\
         #define halfgate_end() return\n",
    )
    .unwrap();
    let mut text = format!("#include <stdio.h>\n#include {:?}\nint main(void) {{\n", source(name));
    let inputs = image.inputs();
    for (port, values) in inputs.zip(values) {
        for (element, value) in values.iter().enumerate() {
            text += &format!("  {}[{element}] = {value}u;\n", port.name);
        }
    }
    text += "  program();\n";
    for port in image.ports_of(Owner::Output) {
        for element in 0..port.count {
            let element = if port.count > 1 { format!("[{element}]") } else { String::new() };
            let mask = u64::MAX >> (64 - 8 * port.bytes);
            text += &format!(
                "  printf(\"%llu\\n\", (unsigned long long){}{element} & {mask}ull);\n",
                port.name
            );
        }
    }
    text += "  return 0;\n}\n";
    let (main, program) = (folder.path().join("main.c"), folder.path().join("main"));
    std::fs::write(&main, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-w"])
        .args(flags)
        .arg("-I")
        .arg(folder.path())
        .arg(&main)
        .arg("-o")
        .arg(&program);
    assert!(compiler.status().unwrap().success(), "{name} compiles natively");
    let printed = Command::new(&program).output().unwrap();
    let mut numbers =
        std::str::from_utf8(&printed.stdout).unwrap().lines().map(|line| line.parse().unwrap());
    let outputs = image.ports_of(Owner::Output);
    outputs.map(|port| numbers.by_ref().take(port.count as usize).collect()).collect()
}

/// Runs the program in the clear. Returns the elements of each output, and the number of steps.
pub fn in_the_clear(image: &Image, values: &[Vec<u64>]) -> (Vec<Vec<u64>>, u64) {
    let run = image.run(values, 1_000_000).unwrap();
    let outputs = image.ports_of(Owner::Output).map(|port| port.values(&run.processor.data));
    (outputs.collect(), run.steps)
}
