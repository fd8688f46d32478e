//! What tests of designs share: random stimuli with stalls, faults that tests must find, and
//! whether designs can be built here at all.

pub mod mutants;
pub mod stimulus;

use crate::Toolchain;

/// Whether designs can be built here. Prints why a test is not run if not.
pub fn can_build() -> bool {
    match Toolchain::from_environment().version() {
        Ok(_) => true,
        Err(why) => {
            println!("not run: {why}");
            false
        }
    }
}
