//! The library as a developer has it.

mod examples;
mod functions;
