//! Tests that every kernel's path through code and memory is the same for all labels and Δ.
//!
//! Each kernel garbles and evaluates the same operations, and hashes labels, under different
//! secrets while the processor is single-stepped. `halfgate_leaks::step` documents the method and
//! what it shows. Further tests check that it detects a branch on a colour bit and a colour bit as
//! an index.
//!
//! The paths cover the operations of the test: public shapes, every group size, flag and kind of
//! move. The kernels use no instructions with operand-dependent time on secrets.
//! `scripts/constant-time.sh` checks this for divisions, the only instructions of that kind here.

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod authenticated;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod kernels;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod leaky;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
#[test]
fn kernels_take_the_same_path_for_all_secrets() {
    println!("not run: the tracer is for x86-64 Linux with the GNU C library");
}
