//! Hostile peers, faults and long-running use.

mod fuzz_seeds;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod soak;

/// Windows has no fork.
#[cfg(not(unix))]
#[test]
fn hostile_messages_and_sessions_with_faults() {
    println!("hostile messages, sessions with faults: NOT RUN, this system cannot fork");
}
