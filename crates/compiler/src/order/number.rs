//! Numbers in order names.

/// Parses a number of digits only. Rust's own parser would accept a sign.
pub(crate) fn digits(text: &str) -> Option<u32> {
    let written = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| written)
}
