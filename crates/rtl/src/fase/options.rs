//! How a machine is built.

use crate::{Aes, Design, Mutation};
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::code::Size;
use std::path::PathBuf;

/// What is chosen beside the machine's shape.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What computes AES.
    pub aes: Aes,
    /// How much its memories hold, in powers of two; as much as the published machine's unless said.
    pub size: Option<Size>,
    /// Compiled without assertions and for speed, which takes longer: for long runs.
    pub fast: bool,
    /// Waveforms of every run go into this file. They have every label and delta.
    pub waveforms: Option<PathBuf>,
    /// The host takes what is made in three of four clocks only, drawn from this seed.
    pub stalls: Option<u64>,
    /// Changes of the SystemVerilog: faults that tests must find.
    pub mutations: Vec<Mutation>,
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
            if !value.is_power_of_two() || !(2..=limit).contains(&value) {
                return Err(format!(
                    "{name} must be a power of two from 2 to {limit}, not {value}"
                ));
            }
        }
        let mut design = Design::of("fase");
        for (name, value) in [
            ("Pipelines", shape.pipelines),
            ("Xors", shape.xors),
            ("Banks", shape.banks),
            ("KernelDepth", kernel),
            ("BankDepth", bank),
            ("InputDepth", inputs),
            ("InitialDepth", initials),
            ("Impl", self.aes as u32),
        ] {
            design = design.param(name, value.into());
        }
        for Mutation { file, from, to } in &self.mutations {
            design = design.mutate(file, from, to);
        }
        if self.fast {
            design = design.unchecked().optimised();
        }
        if self.waveforms.is_some() {
            design = design.traced();
        } else if self.aes != Aes::Dpi {
            // All pipelines of AES are the same: compiled once. Waveforms show none of what is in such a block.
            design = design.hierarchical();
        }
        Ok(design.named(&format!("{}-{}", shape.name(), self.aes)))
    }
}
