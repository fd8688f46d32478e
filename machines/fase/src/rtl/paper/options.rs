//! How a published machine is built.

use crate::rtl::Options;
use halfgate_engine::Suite;
use halfgate_fase_model::paper::Size;
use halfgate_machine::rtl::{DepthError, check_depth};
use halfgate_verilated::{Aes, Design};
use std::ops::RangeInclusive;

/// How many pipelines there can be: a live-value table has 4 copies of all labels for each two pipelines squared.
pub const PIPELINES: RangeInclusive<usize> = 1..=4;

/// Why there can be no such published machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaperError {
    /// It has too many pipelines.
    #[error(
        "the circuit of the published machine has {least} to {most} pipelines, not {pipelines}"
    )]
    Pipelines {
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
        /// How many were asked for.
        pipelines: usize,
    },
    /// AES by a function of the simulator.
    #[error("the published machine has AES in RTL only: aes=rtl or aes=composite")]
    Aes,
    /// A memory cannot be of its size.
    #[error(transparent)]
    Depth(#[from] DepthError),
}

/// What a published machine's options say.
pub(super) trait Published {
    /// How much the machine's memories hold.
    fn depths(&self) -> Size;

    /// The design of a machine with these options.
    ///
    /// # Errors
    /// Says what is impossible.
    fn paper(&self, pipelines: usize, suite: Suite) -> Result<Design, PaperError>;
}

impl Published for Options<Size> {
    fn depths(&self) -> Size {
        self.size.unwrap_or(Size::PUBLISHED)
    }

    fn paper(&self, pipelines: usize, suite: Suite) -> Result<Design, PaperError> {
        if !PIPELINES.contains(&pipelines) {
            let (least, most) = PIPELINES.into_inner();
            return Err(PaperError::Pipelines { least, most, pipelines });
        }
        if self.aes == Aes::Dpi {
            return Err(PaperError::Aes);
        }
        let Size { slots, inputs, outputs } = self.depths();
        for (name, value, least, limit) in [
            ("slots", slots, 8, Size::MOST.slots),
            ("inputs", inputs, 8, Size::MOST.inputs),
            ("outputs", outputs, 8, Size::MOST.outputs),
        ] {
            check_depth(name, value, least, limit)?;
        }
        let sigma = u32::from(suite != Suite::HalfGatesFase);
        let params = [
            ("Pipelines", pipelines as u32),
            ("SlotDepth", slots),
            ("InputDepth", inputs),
            ("OutputDepth", outputs),
            ("Sigma", sigma),
            ("Impl", self.aes as u32),
        ];
        Ok(self.of("fase_paper", &format!("fase-paper-{pipelines}"), &params, true))
    }
}
