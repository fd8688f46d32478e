//! Numbers in the names of orders.

/// A number written in digits alone: no sign, which Rust would take.
pub(crate) fn digits(text: &str) -> Option<u32> {
    let written = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| written)
}
