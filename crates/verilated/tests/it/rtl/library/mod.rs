//! Compares queues, arbiter and memories of `rtl/lib` with plain Rust, under random pushes, pops
//! and stalls.

mod memories;
mod queues;

/// Result of a test.
pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.u64() % end
    }

    /// A number of `bits` bits.
    pub fn bits(&mut self, bits: u32) -> u128 {
        (u128::from(self.u64()) << 64 | u128::from(self.u64())) >> (128 - bits)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
