//! Build options of a published machine.

use crate::rtl::Options;
use halfgate_engine::Suite;
use halfgate_fase_model::paper::Size;
use halfgate_machine::rtl::{DepthError, check_depth};
use halfgate_verilated::{Aes, Design};
use std::ops::RangeInclusive;

/// The possible numbers of pipelines. They are few, because a live-value table for `p` pipelines
/// stores 4 `p`² copies of every label.
pub const PIPELINES: RangeInclusive<usize> = 1..=4;

/// Why a published machine cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaperError {
    /// The number of pipelines is out of range.
    #[error(
        "the circuit of the published machine has {least} to {most} pipelines, not {pipelines}"
    )]
    Pipelines {
        /// The smallest number of pipelines.
        least: usize,
        /// The largest number of pipelines.
        most: usize,
        /// The requested number of pipelines.
        pipelines: usize,
    },
    /// The published machine has no AES by a DPI call.
    #[error("the published machine has AES in RTL only: aes=rtl or aes=composite")]
    Aes,
    /// A memory cannot have the requested size.
    #[error(transparent)]
    Depth(#[from] DepthError),
}

/// Methods of the options of a published machine.
pub(super) trait Published {
    /// The capacities of the machine's memories.
    fn depths(&self) -> Size;

    /// Makes the design of a machine with these options.
    ///
    /// # Errors
    /// If an option is impossible.
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
