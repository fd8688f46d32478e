//! How a machine is built.

use halfgate_verilated::{Aes, Design, Mutation};
use std::path::PathBuf;

/// What is chosen beside the machine's shape. `S` says how much it holds.
#[derive(Clone, Debug)]
pub struct Options<S> {
    /// What computes AES.
    pub aes: Aes,
    /// How much its memories hold, in powers of two; as much as the published machine's unless said.
    pub size: Option<S>,
    /// Compiled without assertions and for speed, which takes longer: for long runs.
    pub fast: bool,
    /// Waveforms of every run go into this file. They have every label and delta.
    pub waveforms: Option<PathBuf>,
    /// The host takes what is made in three of four clocks only, drawn from this seed.
    pub stalls: Option<u64>,
    /// Changes of the SystemVerilog: faults that tests must find.
    pub mutations: Vec<Mutation>,
}

impl<S> Default for Options<S> {
    fn default() -> Options<S> {
        Options {
            aes: Aes::default(),
            size: None,
            fast: false,
            waveforms: None,
            stalls: None,
            mutations: Vec::new(),
        }
    }
}

impl<S> Options<S> {
    /// The design of a machine with these parameters, which has pipelines of AES or has not.
    pub fn of(&self, top: &str, name: &str, params: &[(&str, u32)], has_pipelines: bool) -> Design {
        let mut design = Design::of(top);
        for (name, value) in params {
            design = design.param(name, (*value).into());
        }
        for Mutation { file, from, to } in &self.mutations {
            design = design.mutate(file, from, to);
        }
        if self.fast {
            design = design.unchecked().optimised();
        }
        if self.waveforms.is_some() {
            design = design.traced();
        } else if self.aes != Aes::Dpi && has_pipelines {
            // All pipelines of AES are the same: compiled once. Waveforms show none of what is in such a block.
            design = design.hierarchical();
        }
        design.named(&format!("{name}-{}", self.aes))
    }
}

/// A memory cannot be of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} must be a power of two from {least} to {most}, not {value}")]
pub struct DepthError {
    /// The memory, as options name it.
    pub name: &'static str,
    /// The size that was asked for, in words.
    pub value: u32,
    /// The least that it can be.
    pub least: u32,
    /// The most that it can be.
    pub most: u32,
}

/// Whether a memory can be of this size.
///
/// # Errors
/// If it cannot.
pub fn check_depth(
    name: &'static str,
    value: u32,
    least: u32,
    most: u32,
) -> Result<(), DepthError> {
    match value.is_power_of_two() && (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(DepthError { name, value, least, most }),
    }
}
