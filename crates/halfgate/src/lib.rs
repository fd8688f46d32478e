//! Two parties compute a function of their private inputs, and neither sees the other's.
//!
//! Start with the [`guide`]: from an empty crate to two processes.
//!
//! Write the function on secret values, compile it, and run it:
//!
//! ```
//! use halfgate::{Function, U32};
//!
//! let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob));
//! let program = richer.compile()?;
//! assert!(program.run(1_000_000, 999_999)?);
//! # Ok::<(), halfgate::Error>(())
//! ```
//!
//! [`Program::run`] garbles and evaluates in one process. With the parties in two processes, the
//! garbler calls [`Program::garble`] and the evaluator [`Program::evaluate`], each on its own
//! [`Connection`]. In malicious sessions, [`Program::preprocess`] does most of the work beforehand.
//!
//! - **Values**: [`Bool`], [`Uint`] (`U8` to `U128`, any width), [`Int`], [`F32`] and [`F64`],
//!   [`Fixed`] and [`UFixed`] with a fixed point, and tuples, arrays and vectors of them.
//!   [`halfgate_secret`] documents their operations.[`when!`] is `if` for a secret condition.
//! - **Functions**: [`Function`] for a single computation, [`Machine`] for a step that is repeated
//!   over any number of cycles. Inside them, [`function()`] makes a part that is written once and
//!   called, mapped over a list or folded over one.
//! - **Errors**: [`Error`], one line each.
//!
//! The security model is semi-honest by default: both parties are assumed to follow the protocol.
//! With [`SecurityLevel::Malicious`] in both parties' [`Options`] they need not. The function's
//! outputs may reveal information about the inputs. Read the project's README, "Security", before
//! using it for anything that matters.

mod connection;
mod error;
mod function;
mod machine;
mod options;
mod outcome;
mod ports;
mod preprocessing;
mod written;

pub mod guide {
    #![doc = include_str!("guide.md")]
}

pub use connection::{Connection, Identity, Listener, Peer};
pub use error::Error;
pub use function::{Function, Program};
pub use halfgate_circuit::Party;
pub use halfgate_engine::Suite;
pub use halfgate_protocol::session::authenticated::ahead::{PreprocessingReport, Protection};
pub use halfgate_protocol::session::{Deadlines, Learn, OtField, OtMode, Report, SecurityLevel};
pub use halfgate_secret::{
    Amount, Bool, Callable, Closure, F32, F64, Fixed, Float, I8, I16, I32, I64, I128, Int, Lanes,
    Length, List, Native, Ordered, Pack, Secret, Shared, Stateful, U8, U16, U32, U64, U128, UFixed,
    Uint, Unpack, ValueError, function, shared, when, with_builder,
};
pub use machine::{Machine, MachineProgram, Names};
pub use options::Options;
pub use outcome::{FunctionOutcome, MachineOutcome, Outcome};
pub use preprocessing::Preprocessing;

pub use halfgate_circuit as circuit;
pub use halfgate_compiler as compiler;
pub use halfgate_engine as engine;
pub use halfgate_protocol as protocol;
pub use halfgate_secret as secret;
