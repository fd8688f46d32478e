//! What a peer can send.

mod fuzz_seeds;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod soak;
