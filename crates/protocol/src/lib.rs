//! Two parties: oblivious transfer, channels, sessions.
//!
//! Read in this order: [`stream`] (bytes with a deadline), [`frame`] (what is on the wire),
//! [`channel`] (frames, whoever carries them), [`framed`] (how that is done), [`carrier`] with
//! [`stream_channel`] and [`ring`] (what moves the bytes), [`ot`] (how the evaluator gets the labels
//! of its inputs), [`handshake`] (what both parties must agree on), [`session`] (a run, from both
//! sides), [`offline`] (garbling ahead of time), [`net`] (who dials whom), [`keys`] and [`tls`] (who
//! they are), [`rendezvous`] (one peer among strangers).
//!
//! **Logs** are events of the `tracing` crate. They have roles, names, sizes, counts, addresses,
//! fingerprints and the program's hash; never a value, a label, Δ, a seed, a nonce or what a frame
//! holds. So an event names its fields one by one and prints no value of a type as a whole.

pub mod carrier;
pub mod channel;
mod forward;
pub mod frame;
pub mod framed;
pub mod handshake;
pub mod keys;
pub mod net;
pub mod offline;
pub mod ot;
mod private;
pub mod rendezvous;
pub mod ring;
pub mod session;
pub mod stream;
pub mod stream_channel;
pub mod text;
pub mod tls;

#[cfg(test)]
mod testing;

/// Tests search memory for what our own code leaves, and for what libraries leave.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: halfgate_leaks::allocator::SwitchedAllocator =
    halfgate_leaks::allocator::SwitchedAllocator;
