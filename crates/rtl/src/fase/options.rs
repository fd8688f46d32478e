//! How a machine is built.

use crate::{Aes, Design, Mutation};
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::code::Size;
use std::path::PathBuf;

/// What is chosen beside the machine's shape. `S` says how much it holds.
#[derive(Clone, Debug)]
pub struct Options<S = Size> {
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
    pub(crate) fn of(
        &self,
        top: &str,
        name: &str,
        params: &[(&str, u32)],
        has_pipelines: bool,
    ) -> Design {
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

/// Whether a memory can be of this size.
///
/// # Errors
/// Says what it can be.
pub(crate) fn check_depth(name: &str, value: u32, least: u32, most: u32) -> Result<(), String> {
    match value.is_power_of_two() && (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(format!("{name} must be a power of two from {least} to {most}, not {value}")),
    }
}

impl Options {
    /// How much a machine's memories hold.
    pub fn size(&self, shape: Shape) -> Size {
        self.size.unwrap_or_else(|| Size::published(shape))
    }

    /// The most that a size can be.
    pub(super) fn most(&self, option: &str) -> u32 {
        match option {
            "kernel" => Size::MOST.kernel,
            "bank" => Size::MOST.bank,
            _ => Size::MOST.inputs,
        }
    }

    /// The design of a machine with these options.
    ///
    /// # Errors
    /// Says which size is impossible.
    pub(super) fn design(&self, shape: Shape) -> Result<Design, String> {
        let Size { kernel, bank, inputs, initials, .. } = self.size(shape);
        let most = Size::MOST;
        for (name, value, limit) in [
            ("kernel", kernel, most.kernel),
            ("bank", bank, most.bank),
            ("inputs", inputs, most.inputs),
            ("initials", initials, most.initials),
        ] {
            check_depth(name, value, 2, limit)?;
        }
        let params = [
            ("Pipelines", shape.pipelines),
            ("Xors", shape.xors),
            ("Banks", shape.banks),
            ("KernelDepth", kernel),
            ("BankDepth", bank),
            ("InputDepth", inputs),
            ("InitialDepth", initials),
            ("Impl", self.aes as u32),
        ];
        Ok(self.of("fase", &shape.name(), &params, true))
    }
}
