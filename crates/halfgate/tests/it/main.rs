//! The library as its users see it.

mod examples;
mod functions;
mod malicious;
mod structured;
