//! Every kernel's path through code and memory is the same whatever the labels and Δ are.
//!
//! Each kernel garbles and evaluates the same operations under different secrets while the
//! processor is single-stepped; `halfgate_leaks::step` says how, and what that shows. That the test
//! sees a branch on a colour bit and a colour bit as an index is tested too.
//!
//! The paths are those that these operations take: public shapes, every group size, flag and kind
//! of move. Of instructions whose time depends on their operands the kernels use none on secrets,
//! as `scripts/constant-time.sh` checks for the one kind that exists here, divisions.

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod kernels;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
#[test]
fn kernels_take_the_same_path_for_all_secrets() {
    println!("not run: the tracer is for x86-64 Linux with the GNU C library");
}
