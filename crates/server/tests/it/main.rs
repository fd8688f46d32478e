//! A server and its peers, all in one process.

mod fuzz_seeds;
mod limits;
mod sessions;
mod stopping;
mod support;
mod values;
