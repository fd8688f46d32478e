//! The two-party protocol: oblivious transfer, channels and sessions.
//!
//! Read the modules in this order: [`stream`] (byte streams with time-outs), [`frame`] (the wire
//! format), [`channel`] (frames in both directions), [`framed`] (the implementation of a channel),
//! [`carrier`] with [`stream_channel`] and [`ring`] (moving bytes), [`ot`] (how the evaluator gets
//! the labels of its inputs), `correlations` (authenticated bits and ANDs for malicious sessions),
//! [`handshake`] (the agreement on a run), [`session`] (a run, from both
//! sides), [`offline`] (garbling ahead of time), [`net`] (TCP connections), [`keys`] and [`tls`]
//! (identities), [`rendezvous`] (finding the peer among unknown peers).
//!
//! **Logs** are events of the `tracing` crate. They hold roles, names, sizes, counts, addresses,
//! fingerprints and the program's hash. They never hold a value, a label, Δ, a seed, a nonce or the
//! payload of a frame. So an event names its fields one by one and never prints a whole struct.

pub mod carrier;
pub mod channel;
mod correlations;
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
mod sending;
pub mod session;
pub mod stream;
pub mod stream_channel;
pub mod text;
pub mod tls;
mod universal;

#[cfg(test)]
mod cheating;
#[cfg(test)]
mod testing;

/// Tests search memory for secrets that our own code leaves behind, and that libraries leave
/// behind.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: halfgate_leaks::allocator::SwitchedAllocator =
    halfgate_leaks::allocator::SwitchedAllocator;
