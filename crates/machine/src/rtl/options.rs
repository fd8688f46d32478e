//! Options for building a machine.

use halfgate_verilated::{Aes, Design, Mutation};
use std::path::PathBuf;

/// Options besides the machine's shape. `S` is the type of the memory sizes.
#[derive(Clone, Debug)]
pub struct Options<S> {
    /// The AES implementation.
    pub aes: Aes,
    /// Sizes of its memories, in powers of two; `None` for the sizes of the published machine.
    pub size: Option<S>,
    /// Whether to compile for speed and without assertions, which takes longer: for long runs.
    pub fast: bool,
    /// File for the waveforms of every run. They contain every label and delta.
    pub waveforms: Option<PathBuf>,
    /// Seed for stalls: if set, the host takes data in three of four clock cycles only.
    pub stalls: Option<u64>,
    /// Changes to the SystemVerilog: faults that tests must find.
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
    /// The design of a machine with these parameters. `has_pipelines` states whether it has AES
    /// pipelines.
    pub fn of(&self, top: &str, name: &str, params: &[(&str, u32)], has_pipelines: bool) -> Design {
        let mut design = Design::of(top).for_sessions(self.fast);
        for (name, value) in params {
            design = design.param(name, (*value).into());
        }
        for Mutation { file, from, to } in &self.mutations {
            design = design.mutate(file, from, to);
        }
        if self.waveforms.is_some() {
            design = design.traced();
        } else if self.aes != Aes::Dpi && has_pipelines {
            // All AES pipelines are equal, so they are compiled once. Waveforms do not show the
            // inside of such a block.
            design = design.hierarchical();
        }
        design.named(&format!("{name}-{}", self.aes))
    }
}

/// A memory cannot have the requested size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} must be a power of two from {least} to {most}, not {value}")]
pub struct DepthError {
    /// The memory's name in the options.
    pub name: &'static str,
    /// The requested size, in words.
    pub value: u32,
    /// The smallest size.
    pub least: u32,
    /// The largest size.
    pub most: u32,
}

/// Checks that a memory can have this size.
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
