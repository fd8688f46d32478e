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
    /// The first G of each piece of leaky ANDs is wrong, and the party guesses that the peer's
    /// share of x is this.
    pub guess: Option<bool>,
    /// G of leaky ANDs is made with another offset.
    pub multiplies_another_offset: bool,
}

thread_local! {
    static INSIDE: Cell<Inside> = const {
        Cell::new(Inside {
            is_reckless: false,
            garbles_under_another_offset: false,
            flipped_input: None,
            guess: None,
            multiplies_another_offset: false,
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

/// The offset with which this thread's party makes G.
pub(crate) fn multiplied_offset(delta: &Delta) -> Delta {
    let other = Label::from_u128(u128::from(inside().multiplies_another_offset) << 77);
    Delta::new(delta.label() ^ other)
}

/// Changes the first G of a piece, and the own L if the guess is 1.
pub(crate) fn change_g(message: &mut [u8], l: &mut [Label]) {
    let (Some(guess), Some(l)) = (inside().guess, l.first_mut()) else { return };
    let error = Label::from_u128(0x5bd1_e995 << 60 | 1 << 9);
    message[..16].iter_mut().zip(error.to_bytes()).for_each(|(byte, error)| *byte ^= error);
    *l ^= error.masked(guess);
}
