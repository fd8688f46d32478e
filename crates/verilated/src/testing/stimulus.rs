//! Shared code of tests of leaf modules: random numbers, and comparison of units with expected
//! outputs.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::VecDeque;

use crate::{Error, In, Out, Simulation};

/// Result of a test.
pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// A generator of pseudorandom numbers (SplitMix64). The numbers depend only on the seed.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next 128 bits.
    pub fn u128(&mut self) -> u128 {
        u128::from(self.u64()) << 64 | u128::from(self.u64())
    }

    /// True with a probability of `percent` %.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.u64() % 100 < percent
    }
}

/// The expected outputs of an operation. Each is a port, the lowest bit, and the value of 128 bits
/// from there.
pub type Expected = Vec<(Out, u32, u128)>;

fn check(sim: &Simulation, expected: &Expected, when: &str) {
    for &(port, low, value) in expected {
        assert!(sim.field(port, low, 128) == value, "{when}: bits from {low} on of {port:?}");
    }
}

/// Runs a pipeline of `latency` clock cycles for `cycles` clock cycles, with random gaps, stalls
/// and clears. `drive` sets random operands, and returns the expected outputs.
pub fn pipeline(
    sim: &mut Simulation,
    latency: usize,
    cycles: u64,
    random: &mut Random,
    mut drive: impl FnMut(&mut Simulation, &mut Random) -> Expected,
) -> Result<(), Error> {
    let (clear, en) = (sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let (valid_in, valid_out) = (sim.input("valid_i", 1)?, sim.output("valid_o", 1)?);
    let mut inside: VecDeque<Option<Expected>> = (1..latency).map(|_| None).collect();
    let mut last = None;
    let mut checked = 0;
    for cycle in 0..cycles {
        // Gaps become more frequent with time.
        let density = 100 - 90 * cycle / cycles;
        let (valid, advances) = (random.chance(density), random.chance(density.max(50)));
        let clears = cycle > cycles / 2 && random.chance(2);
        let expected = drive(sim, random);
        sim.set_bit(valid_in, valid);
        sim.set_bit(en, advances);
        sim.set_bit(clear, clears);
        sim.clock()?;
        if clears {
            inside.iter_mut().for_each(|operation| *operation = None);
            last = None;
        } else if advances {
            inside.push_back(valid.then_some(expected));
            last = inside.pop_front().expect("one was pushed");
        }
        assert_eq!(sim.is_set(valid_out), last.is_some(), "valid_o after cycle {cycle}");
        if let Some(expected) = &last {
            check(sim, expected, &format!("after cycle {cycle}"));
            checked += 1;
        }
    }
    assert!(checked > cycles / 8, "only {checked} results were checked");
    Ok(())
}

/// Checks that `clear_i` clears a full pipeline, so that its outputs are 0 from then on.
pub fn cleared(sim: &mut Simulation, latency: usize, outputs: &[Out]) -> Result<(), Error> {
    let (clear, en) = (sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let valid = sim.input("valid_i", 1)?;
    sim.set_bit(clear, false);
    sim.set_bit(en, true);
    sim.set_bit(valid, true);
    for _ in 0..latency {
        sim.clock()?;
    }
    assert!(outputs.iter().all(|&port| sim.is_set(port)), "nothing to clear");
    sim.set_bit(valid, false);
    sim.set_bit(clear, true);
    sim.clock()?;
    sim.set_bit(clear, false);
    for _ in 0..=latency {
        assert!(!outputs.iter().any(|&port| sim.is_set(port)), "something was left");
        sim.clock()?;
    }
    Ok(())
}

/// The ports of a unit with handshakes on both sides.
pub struct Handshake {
    valid_in: In,
    ready_in: In,
    clear: In,
    valid_out: Out,
    ready_out: Out,
}

impl Handshake {
    /// Finds the handshake ports of a unit.
    ///
    /// # Errors
    /// If the design has no such ports.
    pub fn of(sim: &Simulation) -> Result<Handshake, Error> {
        Ok(Handshake {
            valid_in: sim.input("valid_i", 1)?,
            ready_in: sim.input("ready_i", 1)?,
            clear: sim.input("clear_i", 1)?,
            valid_out: sim.output("valid_o", 1)?,
            ready_out: sim.output("ready_o", 1)?,
        })
    }

    /// Runs `operations` operations. They are offered in `offered` percent of the clock cycles, and
    /// results are accepted in `taken` percent. Returns, for each operation, the clock cycle in
    /// which it was accepted, and the clock cycle in which its result was first offered.
    pub fn run(
        &self,
        sim: &mut Simulation,
        (operations, offered, taken): (usize, u64, u64),
        random: &mut Random,
        mut drive: impl FnMut(&mut Simulation, &mut Random) -> Expected,
    ) -> Result<Vec<(u64, u64)>, Error> {
        let mut inside: VecDeque<(u64, Expected)> = VecDeque::new();
        let mut times = Vec::new();
        let mut first_offered = None;
        let (mut started, mut cycle) = (0, 0);
        while times.len() < operations {
            let valid = started < operations && random.chance(offered);
            let ready = random.chance(taken);
            let expected = drive(sim, random);
            sim.set_bit(self.valid_in, valid);
            sim.set_bit(self.ready_in, ready);
            sim.settle()?;
            if sim.is_set(self.valid_out) {
                let (start, expected) = inside.front().expect("a result of nothing");
                check(sim, expected, &format!("cycle {cycle}"));
                let seen = *first_offered.get_or_insert(cycle);
                if ready {
                    times.push((*start, seen));
                    inside.pop_front();
                    first_offered = None;
                }
            }
            if valid && sim.is_set(self.ready_out) {
                inside.push_back((cycle, expected));
                started += 1;
            }
            sim.clock()?;
            cycle += 1;
            assert!(cycle < 100_000, "{} of {operations} came out", times.len());
        }
        sim.set_bit(self.valid_in, false);
        Ok(times)
    }

    /// Checks results for different rates of offers and of acceptance. Also checks that, without
    /// stalls, an operation is accepted every `interval` clock cycles, and its result is offered
    /// `latency` clock cycles later. After clear_i no result may be offered.
    pub fn sweep(
        &self,
        sim: &mut Simulation,
        (latency, interval): (u64, u64),
        random: &mut Random,
        mut drive: impl FnMut(&mut Simulation, &mut Random) -> Expected,
    ) -> Result<(), Error> {
        let times = self.run(sim, (40, 100, 100), random, &mut drive)?;
        assert!(times.iter().all(|(start, end)| end - start == latency), "{times:?}");
        assert!(times.windows(2).all(|two| two[1].0 - two[0].0 == interval), "{times:?}");
        for (offered, taken) in [(20, 100), (100, 4), (50, 50), (5, 5)] {
            self.run(sim, (40, offered, taken), random, &mut drive)?;
        }
        for wait in 0..12 {
            sim.set_bit(self.ready_in, false);
            sim.set_bit(self.valid_in, true);
            drive(sim, random);
            sim.clock()?;
            sim.set_bit(self.valid_in, false);
            for _ in 0..wait {
                sim.clock()?;
            }
            sim.set_bit(self.clear, true);
            sim.clock()?;
            sim.set_bit(self.clear, false);
            for _ in 0..15 {
                sim.settle()?;
                assert!(!sim.is_set(self.valid_out), "a result {wait} cycles after it was cleared");
                sim.clock()?;
            }
        }
        self.run(sim, (5, 100, 100), random, &mut drive)?;
        Ok(())
    }
}
