//! Draws authenticated bits over a channel.

use super::cost::BITS_AT_ONCE;
use super::link::Link;
use crate::correlations::Shares;
use crate::correlations::bits::BitSource;
use crate::frame::Kind;
use crate::session::SessionError;
use halfgate_engine::wipe;

/// Draws `count` authenticated bits.
///
/// # Errors
/// If the connection is lost, or the peer's message is wrong.
pub(super) fn draw(
    bits: &mut BitSource,
    link: &mut Link<'_>,
    count: usize,
    shares: &mut Shares,
) -> Result<(), SessionError> {
    let mut message = Vec::new();
    let mut left = count;
    while left > 0 {
        let count = left.min(BITS_AT_ONCE);
        left -= count;
        wipe::far_below(|| bits.draw(count, shares, &mut message));
        let theirs = bits.message_bytes(count);
        let received = link.exchange(Kind::Extension, &message, theirs, DRAWING)?;
        wipe::far_below(|| bits.complete(count, &received, shares))
            .map_err(|error| link.transfer_failed(error))?;
    }
    Ok(())
}

const DRAWING: &str = "drawing authenticated bits";
