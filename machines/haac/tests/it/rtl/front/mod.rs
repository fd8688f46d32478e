//! The parts of HAAC's front end: dispatcher, loader, halves and requests. Each gets random inputs
//! and is compared with a second implementation of its rules in machines/haac/spec/machine.md.

mod dispatcher;
mod halves;
mod loader;
mod mutants;
pub use mutants::MUTANTS;
mod requests;
mod stripes;

use halfgate_verilated::Design;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A change of a design before it is built: none, or a fault.
type Change<'a> = &'a dyn Fn(Design) -> Design;

/// The design without a change.
fn unchanged(design: Design) -> Design {
    design
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A random number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
