//! Times of the simulated memories.

use halfgate_dram::{Access, Configuration, Dram};
use std::collections::HashSet;

/// A memory behind a machine at 1 GHz, with the cycle of each burst that was done.
struct Run {
    dram: Dram,
    now: u64,
    done: Vec<(u64, u32)>,
}

impl Run {
    fn of(configuration: &Configuration) -> Run {
        let dram = Dram::new(configuration, 1000).expect("the simulator is there");
        Run { dram, now: 0, done: Vec::new() }
    }

    fn cycle(&mut self) {
        let now = self.now;
        self.dram.cycle(|tag| self.done.push((now, tag)));
        self.now += 1;
    }

    /// Adds bursts as soon as they are accepted, and waits for all. Returns the cycles taken.
    fn all(&mut self, bursts: impl IntoIterator<Item = (u64, Access)>) -> u64 {
        let (start, before) = (self.now, self.done.len());
        let mut tag = 0;
        let mut bursts = bursts.into_iter().peekable();
        while bursts.peek().is_some() || self.done.len() < before + tag as usize {
            while let Some((address, access)) =
                bursts.next_if(|&(address, access)| self.dram.accepts(address, access))
            {
                self.dram.add(address, access, tag);
                tag += 1;
            }
            self.cycle();
            assert!(self.now < 10_000_000, "it no longer answers");
        }
        self.now - start
    }
}

fn memories() -> impl Iterator<Item = Configuration> {
    Configuration::names().map(|name| Configuration::find(name).expect("built in"))
}

#[test]
fn an_idle_read_takes_the_descriptions_60_ns() {
    for memory in memories() {
        let mut run = Run::of(&memory);
        let cycles = run.all([(4096, Access::Read)]);
        assert!((59..=63).contains(&cycles), "{}: {cycles}", memory.name);
    }
}

#[test]
fn a_stream_gets_most_of_the_bandwidth_and_never_more() {
    for memory in memories() {
        let bursts = 40_000;
        let cycles = Run::of(&memory).all((0..bursts).map(|k| (64 * k, Access::Read)));
        let share =
            (64 * bursts) as f64 / (cycles as f64 * memory.bytes_per_second() as f64 * 1e-9);
        assert!((0.7..1.0).contains(&share), "{}: {share}", memory.name);
    }
}

#[test]
fn rows_turnarounds_and_refresh_cost_time() {
    for memory in memories() {
        let read = |k: u64| (64 * k, Access::Read);
        let stream = Run::of(&memory).all((0..8000).map(read));
        // Another row of the same bank each time, whatever is hashed: rows apart by all their bits.
        let mut same = memory.clone();
        same.controller.hashed = false;
        let row = memory.bytes()
            / u64::from(memory.structure.rows)
            / u64::from(memory.structure.channels);
        let far = row * u64::from(memory.structure.channels);
        let conflicts = Run::of(&same).all((0..2000).map(|k| (far * (k % 512), Access::Read)));
        assert!(4 * conflicts > 2 * stream, "{}: {conflicts} {stream}", memory.name);
        let mixed = |k: u64| match k / 64 % 2 {
            0 => (64 * k, Access::Read),
            _ => (64 * k + (1 << 28), Access::Write),
        };
        let turns = Run::of(&memory).all((0..8000).map(mixed));
        assert!(turns > stream * 9 / 10, "{}: {turns} {stream}", memory.name);
        let mut rarely = memory.clone();
        rarely.timing.refi = 1 << 20;
        let without = Run::of(&rarely).all((0..40_000).map(read));
        let with = Run::of(&memory).all((0..40_000).map(read));
        assert!(with > without, "{}: {with} {without}", memory.name);
    }
}

#[test]
fn every_burst_is_done_once() {
    for memory in memories() {
        let mut run = Run::of(&memory);
        let mut state = 1_u64;
        let mut random = move |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % bound
        };
        // Few addresses, so that some are asked for again while they wait.
        let bursts: Vec<_> = (0..5000)
            .map(|_| {
                let access = if random(3) == 0 { Access::Write } else { Access::Read };
                (16 * random(4000), access)
            })
            .collect();
        run.all(bursts.iter().copied());
        let tags: HashSet<u32> = run.done.iter().map(|(_, tag)| *tag).collect();
        assert_eq!((run.done.len(), tags.len()), (5000, 5000), "{}", memory.name);
    }
}
