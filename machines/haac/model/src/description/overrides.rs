//! What a user wants different from a description, and how sizes of windows are written.

use super::check::window_allowed;
use super::error::DescriptionError;
use crate::isa::LABEL_BYTES;

/// Values in place of a description's; none of them changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// Gate engines. For more than the description has, the queues' memory and the instruction
    /// queue grow with them.
    pub engines: Option<u32>,
    /// Labels in the window: see [`parse_window`].
    pub window: Option<u32>,
    /// The memory that is attached: the name of one of the description's.
    pub memory: Option<String>,
    /// What an access to one label moves: 16 or 64.
    pub wire_bytes: Option<u32>,
}

/// The labels of a window that is written as `1MB`, `512KB` (of 16 bytes a label), or
/// `65536 labels`.
///
/// # Errors
/// If it is written otherwise, or is no size that a window can have.
pub fn parse_window(text: &str) -> Result<u32, DescriptionError> {
    let form = "a number with KB, MB or labels, such as 2MB or \"65536 labels\"";
    let wrong = |allowed: String| {
        DescriptionError::value("the command line", "the window", format!("{text:?}"), allowed)
    };
    let lower = text.trim().to_ascii_lowercase();
    let end = lower.find(|c: char| !c.is_ascii_digit()).unwrap_or(lower.len());
    let (number, unit) = lower.split_at(end);
    let number: u64 = number.parse().map_err(|_| wrong(form.to_owned()))?;
    let label = u64::from(LABEL_BYTES);
    let (times, per) = match unit.trim_start() {
        "labels" => (1, 1),
        "kb" | "kib" => (1 << 10, label),
        "mb" | "mib" => (1 << 20, label),
        _ => return Err(wrong(form.to_owned())),
    };
    let labels = number.saturating_mul(times) / per;
    window_allowed(labels).map_err(wrong)
}
