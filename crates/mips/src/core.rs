//! The processor as a circuit: the Verilog under `crates/mips/rtl`, read for one size and one set
//! of instructions.
//!
//! A step of the processor is a cycle of the circuit. The circuit has the ports of the module
//! `mips`. Instruction memory and the initial data memory are per-run inputs; the state after each
//! step is an output. From this circuit, `bind` makes the circuit that two parties run.

use crate::isa::InstructionSet;
use crate::processor::{DATA_START, Size};
use halfgate_circuit::Circuit;
use halfgate_frontends::scd::Outputs;
use halfgate_frontends::verilog;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Register mask with all registers.
pub const ALL_REGISTERS: u32 = u32::MAX;

/// Names and texts of the source files. The top module comes first.
const FILES: [(&str, &str); 16] = [
    ("mips.sv", include_str!("../rtl/mips.sv")),
    ("mips_alu.sv", include_str!("../rtl/mips_alu.sv")),
    ("mips_any_below.sv", include_str!("../rtl/mips_any_below.sv")),
    ("mips_data.sv", include_str!("../rtl/mips_data.sv")),
    ("mips_decode.sv", include_str!("../rtl/mips_decode.sv")),
    ("mips_divide.sv", include_str!("../rtl/mips_divide.sv")),
    ("mips_divide_row.sv", include_str!("../rtl/mips_divide_row.sv")),
    ("mips_enable.sv", include_str!("../rtl/mips_enable.sv")),
    ("mips_lanes.sv", include_str!("../rtl/mips_lanes.sv")),
    ("mips_multiply_divide.sv", include_str!("../rtl/mips_multiply_divide.sv")),
    ("mips_negate.sv", include_str!("../rtl/mips_negate.sv")),
    ("mips_next.sv", include_str!("../rtl/mips_next.sv")),
    ("mips_registers.sv", include_str!("../rtl/mips_registers.sv")),
    ("mips_select.sv", include_str!("../rtl/mips_select.sv")),
    ("mips_shift.sv", include_str!("../rtl/mips_shift.sv")),
    ("mips_isa.svh", include_str!("../rtl/generated/mips_isa.svh")),
];

/// Parameters of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    /// Sizes of the memories.
    pub size: Size,
    /// The instructions that it executes.
    pub set: InstructionSet,
    /// Bit `r` is 1 if the processor has register `r`.
    pub registers: u32,
    /// Selects a divider with a shorter chain of ANDs, but about 1,100 ANDs more in total. It suits
    /// evaluators with many pipelines, which wait for chains of ANDs.
    pub shallow: bool,
}

/// Why no circuit can be made.
#[derive(Debug, Error)]
pub enum CoreError {
    /// A memory has an unsupported size.
    #[error("{what} memory of {words} words: take a power of two from {min} to {max}", min = Core::WORDS.0, max = Core::WORDS.1)]
    Size {
        /// The kind of memory.
        what: &'static str,
        /// The requested number of words.
        words: u32,
    },
    /// The design's files cannot be written to the folder from which Yosys reads them.
    #[error("cannot write the processor's Verilog to a temporary folder (in TMPDIR): {0}")]
    Folder(#[from] io::Error),
    /// Yosys is missing or rejects the design.
    #[error(transparent)]
    Verilog(#[from] verilog::Error),
}

impl Core {
    /// The fewest and the most words of a memory. (The paper's memories have 32 to 512 words.) With
    /// at most 4,096 words, data memory ends below 2^15, so that every address fits the constant of
    /// an instruction.
    pub const WORDS: (u32, u32) = (4, 4096);

    /// Whether a memory may have this many words.
    pub fn has_memory_of(words: u32) -> bool {
        words.is_power_of_two() && (Core::WORDS.0..=Core::WORDS.1).contains(&words)
    }

    /// Makes the parameters of a processor with all registers.
    pub fn new(size: Size, set: InstructionSet) -> Core {
        Core { size, set, registers: ALL_REGISTERS, shallow: false }
    }

    /// Returns the circuit of one step. Every output is given in each cycle.
    ///
    /// Yosys takes most of the time and memory, which grow with the size of the processor's
    /// memories: seconds for 512 words.
    ///
    /// # Errors
    /// If a memory has an unsupported size, or Yosys is missing.
    pub fn circuit(&self) -> Result<Circuit, CoreError> {
        self.circuit_with(&mut verilog::Reading { store: None, progress: &mut |_| {} })
    }

    /// Like [`circuit`](Core::circuit), but takes the circuit from the store of circuits if that
    /// has one of the same processor.
    ///
    /// # Errors
    /// As [`circuit`](Core::circuit).
    pub fn circuit_with(&self, reading: &mut verilog::Reading<'_>) -> Result<Circuit, CoreError> {
        self.read(|_, text| text.to_owned(), reading)
    }

    /// Like [`circuit`](Core::circuit), but from files that `change` has edited. `change` gets a
    /// file's name and text, and returns the text to use. For mutation tests.
    ///
    /// # Errors
    /// As [`circuit`](Core::circuit).
    #[doc(hidden)]
    pub fn circuit_of(&self, change: impl Fn(&str, &str) -> String) -> Result<Circuit, CoreError> {
        self.read(change, &mut verilog::Reading { store: None, progress: &mut |_| {} })
    }

    fn read(
        &self,
        change: impl Fn(&str, &str) -> String,
        reading: &mut verilog::Reading<'_>,
    ) -> Result<Circuit, CoreError> {
        let memories = [("an instruction", self.size.instructions), ("a data", self.size.data)];
        for (what, words) in memories {
            if !Core::has_memory_of(words) {
                return Err(CoreError::Size { what, words });
            }
        }
        let folder = tempfile::TempDir::with_prefix("halfgate-mips-")?;
        let path = |name: &str| folder.path().join(name);
        for (name, text) in FILES {
            std::fs::write(path(name), change(name, text))?;
        }
        let is_module = |name: &&str| name.ends_with(".sv");
        let modules: Vec<PathBuf> =
            FILES.iter().map(|(name, _)| *name).filter(is_module).map(path).collect();
        let number = |name: &str, value: String| (name.to_owned(), value);
        let options = verilog::Options {
            top: Some("mips".to_owned()),
            parameters: vec![
                number("InstructionWords", self.size.instructions.to_string()),
                number("DataWords", self.size.data.to_string()),
                number("Instructions", format!("64'h{:x}", self.set.mask)),
                number("Registers", format!("32'h{:x}", self.registers)),
                number("Shallow", u32::from(self.shallow).to_string()),
                number("DataStart", DATA_START.to_string()),
            ],
            files: modules[1..].to_vec(),
            outputs: Some(Outputs::EveryCycle),
            as_written: true,
            ..verilog::Options::default()
        };
        Ok(verilog::read_with(&modules[0], &options, reading)?)
    }
}
