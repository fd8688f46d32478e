//! A party that offers programs to several peers: `halfgate serve` without its command line.
//!
//! Read in this order: [`config`] (what may be said), [`setup`] (that, with keys and programs),
//! `server` (the door, sessions, and the end), `session` (one of them), `limits` (who may use
//! what), `metered` (a channel that keeps to it), `inputs` (the server's values), `unknown_peers` (what
//! is logged of who is no peer), `metrics` and `http` (what others may ask), `heap` (what is
//! given back to the system).
//!
//! The command is the [`host`]: it reads circuits and values as users write them.
//!
//! **Logs** have names of peers and programs, addresses, fingerprints, sizes, counts, times and
//! errors; never a value, a label or a key.

pub mod config;
mod heap;
pub mod host;
mod http;
mod inputs;
pub mod limits;
mod metered;
mod metrics;
mod secret_file;
mod server;
mod session;
pub mod setup;
mod unknown_peers;

pub use server::{Control, ServeError, Summary, serve};
