//! What a thread's party does otherwise than the protocol says, for tests of malicious sessions.
//! What a party sends is changed by a channel; this is for what needs its secrets.

use halfgate_circuit::Wire;
use halfgate_engine::{Delta, Label};
use std::cell::Cell;

/// How a party cheats. By default it is honest.
#[derive(Clone, Copy, Default)]
pub(crate) struct Inside {
    /// All digests of the peer pass, so that the session continues after a changed message.
    pub is_reckless: bool,
    /// The garbler garbles under another offset than that of its authenticated bits.
    pub garbles_under_another_offset: bool,
    /// The value of this own input bit is flipped.
    pub flipped_input: Option<Wire>,
}

thread_local! {
    static INSIDE: Cell<Inside> = const {
        Cell::new(Inside {
            is_reckless: false,
            garbles_under_another_offset: false,
            flipped_input: None,
        })
    };
}

/// How this thread's party cheats.
pub(crate) fn inside() -> Inside {
    INSIDE.get()
}

/// Calls `party`, which cheats.
pub(crate) fn with<T>(inside: Inside, party: impl FnOnce() -> T) -> T {
    let before = INSIDE.replace(inside);
    let result = party();
    INSIDE.set(before);
    result
}

/// The offset under which this thread's party garbles.
pub(crate) fn garbling_offset(delta: &Delta) -> Delta {
    let other = Label::from_u128(u128::from(inside().garbles_under_another_offset) << 77);
    Delta::new(delta.label() ^ other)
}
