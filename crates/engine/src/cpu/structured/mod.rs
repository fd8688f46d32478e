//! Structured programs on the CPU engine: each function is lowered once and runs on the lanes of a
//! block side by side.
//!
//! Reading order: `code` (what a body is lowered to), `ranges` (the wires of a body), `slots`
//! (assignment of slots), `lower`, `ports` (ports of the outermost body), `independent` (maps that
//! may run together), `machine` (frames and tasks), `run` (bodies and chunks), `call` (arguments,
//! blocks and steps), `tasks`, `task` and `team` (blocks on several threads), `fetch` (inputs and
//! outputs), `program`.

mod call;
mod code;
mod fetch;
mod independent;
mod lower;
mod machine;
mod ports;
mod program;
mod ranges;
mod run;
mod slots;
mod task;
mod tasks;
mod team;

pub(super) use program::StructuredRun;

#[cfg(test)]
mod tests;
