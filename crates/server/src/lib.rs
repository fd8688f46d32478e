//! A party that offers programs to several peers: `halfgate serve` without its command line.
//!
//! Read the modules in this order: [`config`] (the configuration file), [`setup`] (a configuration
//! with its keys and programs loaded), `server` (accepting peers, sessions, shutdown), `session`
//! (one session), `limits` (what each peer may use), `metered` (a channel that enforces limits),
//! `inputs` (the server's values), `unknown_peers` (the log of unknown peers), `metrics` and `http`
//! (health and metrics for monitoring), `heap` (returns memory to the system).
//!
//! The command implements the [`host`], which reads circuits and values in the user's formats.
//!
//! **Logs** hold names of peers and programs, addresses, fingerprints, sizes, counts, times and
//! errors. They never hold a value, a label or a key.

pub mod config;
mod heap;
pub mod host;
mod http;
mod inputs;
pub mod limits;
mod metered;
mod metrics;
pub mod secret_file;
mod server;
mod session;
pub mod setup;
mod unknown_peers;

pub use server::{Control, ServeError, Summary, serve};
