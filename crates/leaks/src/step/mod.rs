//! Whether a function takes the same path through code and memory whatever its secrets are.
//!
//! A function runs under different secrets while the processor is single-stepped ([`tracer`]). What
//! is compared, step by step, is the address of the instruction and the values of all registers
//! from which it computes an address ([`addresses`]). A branch on a secret changes the first, a
//! secret as an index the second.
//!
//! This shows constant time in the usual model, program counter and addresses, for the code that
//! was compiled into this very program and for the paths that the function takes. It says nothing
//! of instructions whose time depends on their operands. Inside other libraries only code addresses
//! are compared, and where one is entered the arguments that are pointers: both of `memcpy`.

mod addresses;
mod tracer;

pub use addresses::Instructions;
pub use tracer::{Step, difference, trace, trace_with};

use std::hint::black_box;

/// The program's instructions, or a line that says why nothing can be compared here.
pub fn instructions() -> Option<Instructions> {
    match Instructions::of_this_program() {
        Ok(code) if trace(&code, &mut || _ = black_box(1)).is_empty() => {
            println!("not run: this system does not single-step");
            None
        }
        Ok(code) => Some(code),
        Err(why) => {
            println!("not run: {why}");
            None
        }
    }
}
