//! Shared code of tests of designs: random stimuli with stalls, mutants that tests must find, and a
//! check whether designs can be built here.

pub mod mutants;
pub mod stimulus;

use crate::Toolchain;

/// Whether designs can be built here. If not, prints why the test is not run.
pub fn can_build() -> bool {
    match Toolchain::from_environment().version() {
        Ok(_) => true,
        Err(why) => {
            println!("not run: {why}");
            false
        }
    }
}
