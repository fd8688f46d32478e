//! How a published machine is built.

use super::super::options::{Options, check_depth};
use crate::{Aes, Design};
use halfgate_engine::Suite;
use halfgate_machines::fase::paper::Size;
use std::ops::RangeInclusive;

/// How many pipelines there can be: a live-value table has 4 copies of all labels for each two pipelines squared.
pub const PIPELINES: RangeInclusive<usize> = 1..=4;

impl Options<Size> {
    /// How much the machine's memories hold.
    pub(super) fn depths(&self) -> Size {
        self.size.unwrap_or(Size::PUBLISHED)
    }

    /// The design of a machine with these options.
    ///
    /// # Errors
    /// Says what is impossible.
    pub(super) fn paper(&self, pipelines: usize, suite: Suite) -> Result<Design, String> {
        if !PIPELINES.contains(&pipelines) {
            let (least, most) = PIPELINES.into_inner();
            return Err(format!(
                "the circuit of the published machine has {least} to {most} pipelines, not {pipelines}"
            ));
        }
        if self.aes == Aes::Dpi {
            return Err(
                "the published machine has AES in RTL only: aes=rtl or aes=composite".into()
            );
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
