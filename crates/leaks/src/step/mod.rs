//! Checks that a function takes the same path through code and memory for all secrets.
//!
//! A function runs under different secrets while the processor is single-stepped ([`tracer`]). For
//! each step, the check compares the address of the instruction and the values of all registers
//! from which it computes an address ([`addresses`]). A branch on a secret changes the address of
//! the instruction. A secret used as an index changes a register.
//!
//! This shows constant time in the usual model, in which an attacker sees the program counter and
//! all addresses. It holds for the code compiled into this program, and for the paths that the
//! function takes. It shows nothing about instructions whose time depends on their operands. Inside
//! other libraries only code addresses are compared. On entry to a library, the pointer arguments
//! are compared too: the first argument, and for `memcpy` also the second.

mod addresses;
mod tracer;

pub use addresses::Instructions;
pub use tracer::{Step, difference, trace, trace_with};

use std::hint::black_box;

/// Disassembles the program. If nothing can be compared here, prints the reason and returns `None`.
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
