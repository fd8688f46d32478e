//! Typed secret values: functions that are written like Rust and become circuits.
//!
//! ```
//! use halfgate_secret::{Party, U32, input, output, trace, when};
//!
//! /// Works on any width, as it is only Rust.
//! fn fee(amount: U32, members: U32) -> U32 {
//!     let share = amount / members;
//!     when!(if share.gt(1000) { 1000 + share % 7 } else { share })
//! }
//!
//! let circuit = trace(|| {
//!     let amount = input("amount", Party::Garbler);
//!     let members = input("members", Party::Evaluator);
//!     output("fee", &fee(amount, members));
//! })?;
//! # assert!(circuit.gates.ands() > 0);
//! # Ok::<(), halfgate_circuit::builder::BuildError>(())
//! ```
//!
//! A function runs once, while its circuit is written. Loops are unrolled, and plain Rust values
//! are constants that cost nothing. The structure of the circuit cannot depend on secrets, so a
//! secret cannot be the condition of an `if`, an index or a loop bound. Use [`when!`],
//! [`Bool::select`], and reads and writes of arrays at secret places instead.
//!
//! A part that is repeated often can become a [`function()`] of the circuit: its gates are then
//! written once, however often it is called, mapped over a list or folded over one.
//!
//! Values are `Copy`, have no lifetime, and belong to the circuit that their thread is writing.
//! Using a value in another circuit (after moving it out of its closure) panics, and so does using
//! one while no circuit is being written. Values cannot be sent to another thread.
//!
//! Reading order: [`trace()`] (makes a circuit from a closure), `ports` ([`input`], [`output`],
//! [`State`]), `boolean`, `secret` (the common part of all values), `choose` ([`when!`]), `native`
//! (the plain counterparts), `integer` with `unsigned` and `signed`, `shift`, `float`, `fixed`,
//! `list`, `callable` ([`function()`]) with `lanes` (arguments of maps) and `registry`.

mod boolean;
mod callable;
mod choose;
mod fixed;
mod float;
mod integer;
mod lanes;
mod list;
mod native;
mod ports;
mod registry;
mod secret;
mod shift;
mod trace;

pub use boolean::Bool;
pub use callable::{Callable, Closure, Stateful, function};
pub use fixed::{Fixed, UFixed};
pub use float::{F32, F64, Float};
pub use halfgate_circuit::Party;
pub use integer::{I8, I16, I32, I64, I128, Int, U8, U16, U32, U64, U128, Uint};
pub use lanes::{Arguments, Lanes, Shared, shared};
pub use list::{List, Ordered};
pub use native::{Bitwidth, Native, ValueError, Width};
pub use ports::{
    State, TraceError, input, input_each_cycle, input_parts, list, output, output_each_cycle,
    output_parts, set_cycles, shaped_input, shaped_input_each_cycle,
};
pub use secret::{Length, Secret};
pub use shift::Amount;
pub use trace::{Pack, Trace, Unpack, trace, trace_structured, with_builder};
