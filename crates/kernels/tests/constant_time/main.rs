//! Every kernel's path through code and memory is the same whatever the labels and Δ are.
//!
//! Each kernel garbles and evaluates the same operations under different secrets while the
//! processor is single-stepped ([`tracer`]). What is compared, step by step, is the address of the
//! instruction and the values of all registers from which it computes an address
//! ([`addresses`]). A branch on a colour bit changes the first, a colour bit as an index the
//! second; that the test sees both is tested too.
//!
//! This shows constant time in the usual model, program counter and addresses, for the compiled
//! code of this very profile and for the paths that these operations take (public shapes: every
//! group size, flag and kind of move). It says nothing of instructions whose time depends on
//! their operands; the kernels use none on secrets, as `scripts/constant-time.sh` checks for the
//! one kind that exists here, divisions. Inside other libraries (`memcpy`), only code addresses
//! and the two pointer arguments are compared.

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod addresses;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod kernels;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod tracer;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
#[test]
fn kernels_take_the_same_path_for_all_secrets() {
    println!("not run: the tracer is for x86-64 Linux with the GNU C library");
}
