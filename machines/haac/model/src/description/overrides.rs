//! A user's changes to a description, and the notation of window sizes.

use super::check::window_allowed;
use super::error::DescriptionError;
use crate::isa::LABEL_BYTES;
use crate::machine::Forwarding;

/// Values that replace those of a description; the default replaces none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// Gate engines. If there are more than in the description, the queues' memory and the
    /// instruction queue grow with their number.
    pub engines: Option<u32>,
    /// Labels in the window: see [`parse_window`].
    pub window: Option<u32>,
    /// Name of the attached memory, one of the description's.
    pub memory: Option<String>,
    /// Bytes moved by an access to one label: 16 or 64.
    pub wire_bytes: Option<u32>,
    /// Stages that take results from the bus.
    pub forwarding: Option<Forwarding>,
}

/// Parses a window's size, written as `1MB` or `512KB` (with 16 bytes per label), or as `65536
/// labels`, and returns its labels.
///
/// # Errors
/// If the notation is wrong, or no window can have this size.
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
