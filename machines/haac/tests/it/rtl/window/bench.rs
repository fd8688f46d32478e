//! Drives the window with random requests and compares it with the rules in every cycle.

use std::collections::BTreeMap;

use halfgate_verilated::{Design, Error, In, Out, Simulation};

use super::rules::{Rules, Wanted, Write};

pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// A fault: a file, the original text, and its replacement.
pub type Fault = (&'static str, &'static str, &'static str);

/// Parameters of the window, and the probabilities of requests in percent.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub engines: u32,
    pub window: u32,
    pub banks: u32,
    pub xor: u32,
    pub and: u32,
    pub bursts: u32,
    pub percent: u64,
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn u128(&mut self) -> u128 {
        u128::from(self.u64()) << 64 | u128::from(self.u64())
    }

    pub fn below(&mut self, end: u32) -> u32 {
        (self.u64() % u64::from(end)) as u32
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.u64() % 100 < percent
    }
}

/// Inputs, in the order of [`INPUTS`].
#[derive(Clone, Copy)]
#[repr(usize)]
enum I {
    Clear,
    Run,
    Wipe,
    AllLoaded,
    Late,
    Read,
    ReadSlot,
    ReadEpoch,
    Request,
    IsAnd,
    RequestBank,
    Load,
    LoadSlot,
    LoadEpoch,
    LoadLabel,
    Bus,
    BusAddress,
    BusLabel,
}

const INPUTS: [&str; 18] = [
    "clear_i",
    "run_i",
    "wipe_i",
    "all_loaded_i",
    "late_i",
    "rd_req_i",
    "rd_slot_i",
    "rd_epoch_i",
    "wr_request_i",
    "wr_is_and_i",
    "wr_bank_i",
    "ld_valid_i",
    "ld_slot_i",
    "ld_epoch_i",
    "ld_label_i",
    "bus_valid_i",
    "bus_addr_i",
    "bus_label_i",
];

/// Counts of the events that a test must cause.
#[derive(Default, Debug)]
struct Seen {
    hits: u32,
    misses: u32,
    /// Hits of labels that were written in the cycle of the access.
    fresh: u32,
    read_refused: u32,
    write_refused: u32,
}

pub struct Bench {
    case: Case,
    sim: Simulation,
    inputs: Vec<In>,
    reads_won: Out,
    hit: Out,
    label: Out,
    writes_won: Out,
    wiping: Out,
    seen: Seen,
}

impl Bench {
    pub fn new(case: Case, faults: &[Fault]) -> Result<Bench, Error> {
        let mut design = Design::of("haac_window")
            .param("Engines", case.engines.into())
            .param("WindowLabels", case.window.into())
            .param("Banks", case.banks.into())
            .param("XorLatency", case.xor.into())
            .param("AndLatency", case.and.into())
            .param("LoaderBursts", case.bursts.into());
        for (file, from, to) in faults {
            design = design.mutate(file, from, to);
        }
        let mut sim = Simulation::new(&design.build()?)?;
        let (e, loads) = (case.engines, 4 * case.bursts);
        let (slot, bank) = (case.window.ilog2(), case.banks.ilog2());
        let widths = [
            1,
            1,
            1,
            1,
            e,
            4 * e,
            4 * e * slot,
            4 * e,
            e,
            e,
            e * bank,
            loads,
            loads * slot,
            loads,
            loads * 128,
            2 * e,
            2 * e * 31,
            2 * e * 128,
        ];
        let inputs = INPUTS.iter().zip(widths).map(|(name, width)| sim.input(name, width));
        let inputs = inputs.collect::<Result<Vec<In>, Error>>()?;
        let (reads_won, hit) = (sim.output("rd_gnt_o", 4 * e)?, sim.output("rd_hit_o", 4 * e)?);
        let (label, writes_won) =
            (sim.output("rd_label_o", 4 * e * 128)?, sim.output("wr_gnt_o", e)?);
        let wiping = sim.output("wiping_o", 1)?;
        sim.reset()?;
        let seen = Seen::default();
        Ok(Bench { case, sim, inputs, reads_won, hit, label, writes_won, wiping, seen })
    }

    fn set(&mut self, input: I, index: u32, width: u32, value: u128) {
        self.sim.set_field(self.inputs[input as usize], index * width, width, value);
    }

    /// Clears and wipes as before a launch. Returns the cycles that it took.
    fn wipe(&mut self) -> Result<u64, Error> {
        for input in &self.inputs {
            self.sim.clear(*input);
        }
        self.set(I::Clear, 0, 1, 1);
        self.set(I::Wipe, 0, 1, 1);
        self.sim.clock()?;
        self.set(I::Clear, 0, 1, 0);
        self.set(I::Wipe, 0, 1, 0);
        let start = self.sim.cycles();
        while self.sim.is_set(self.wiping) {
            self.sim.clock()?;
        }
        Ok(self.sim.cycles() - start)
    }

    /// A launch that is cut off after `cycles` cycles, as by an abort.
    pub fn launch(&mut self, number: u32, cycles: u64) -> Tested {
        let rows = u64::from(self.case.window / self.case.banks);
        let wiped = self.wipe()?;
        // After the reset all rows are wiped. The second launch used a quarter of the rows.
        let most = if number == 2 { rows.div_ceil(8) + 1 } else { rows.div_ceil(2) + 1 };
        if wiped > most || (number == 0 && wiped != most) {
            return Err(format!("wiping {rows} rows took {wiped} cycles").into());
        }
        let mut run = Run::new(self.case, number);
        for _ in 0..cycles {
            self.pause(&mut run.random)?;
            self.cycle(&mut run)?;
        }
        Ok(())
    }

    /// Sometimes inserts cycles that are not counted. Their requests must have no effect.
    fn pause(&mut self, random: &mut Random) -> Result<(), Error> {
        self.set(I::Run, 0, 1, 0);
        while random.chance(20) {
            for input in [I::Read, I::Request, I::Bus, I::Load] {
                let (index, width) = (0, self.case.engines.min(4 * self.case.bursts));
                let value = random.u128() & ((1 << width) - 1);
                self.set(input, index, width, value);
            }
            self.sim.clock()?;
        }
        self.set(I::Run, 0, 1, 1);
        Ok(())
    }

    fn cycle(&mut self, run: &mut Run) -> Tested {
        let case = self.case;
        for input in [I::Read, I::Request, I::Bus, I::Load, I::Late] {
            self.sim.clear(self.inputs[input as usize]);
        }
        let now = run.now;
        // First the writes of this cycle, then the results of reads that were won earlier.
        let fresh = std::mem::take(&mut run.writing);
        fresh.iter().for_each(|write| run.rules.write(*write));
        for (index, wanted) in std::mem::take(&mut run.accessing) {
            let found = run.rules.read(wanted);
            let new = fresh.iter().any(|write| write.slot == wanted.slot);
            self.seen.hits += u32::from(found.is_some());
            self.seen.misses += u32::from(found.is_none());
            self.seen.fresh += u32::from(found.is_some() && new);
            run.found.entry(now + 1).or_default().insert(index, found);
        }
        for (index, write) in run.bus.remove(&now).unwrap_or_default() {
            self.set(I::Bus, index, 1, 1);
            let lap = run.random.below(1 << 8) << 1 | u32::from(write.epoch);
            let address = u128::from(lap * case.window + write.slot) & 0x7fff_ffff;
            self.set(I::BusAddress, index, 31, address);
            self.set(I::BusLabel, index, 128, write.label);
            run.writing.push(write);
        }
        let requests = self.request_to_write(run);
        self.load(run);
        let reads = self.request_to_read(run);

        self.sim.settle()?;
        for (e, won) in requests {
            self.seen.write_refused += u32::from(!won);
            run.same("wr_gnt_o", e, self.sim.field(self.writes_won, e, 1) != 0, won)?;
        }
        for (index, won) in reads {
            self.seen.read_refused += u32::from(!won);
            run.same("rd_gnt_o", index, self.sim.field(self.reads_won, index, 1) != 0, won)?;
        }
        let found = run.found.remove(&now).unwrap_or_default();
        for index in 0..4 * case.engines {
            let expected = found.get(&index).copied().flatten();
            let hit = self.sim.field(self.hit, index, 1) != 0;
            run.same("rd_hit_o", index, hit, expected.is_some())?;
            let label = self.sim.field(self.label, 128 * index, 128);
            run.same("rd_label_o", index, expected.is_none_or(|expected| label == expected), true)?;
        }
        self.sim.clock()?;
        run.rules.end_of(now);
        run.now += 1;
        Ok(())
    }

    /// Engines that would issue, in the order of their numbers.
    fn request_to_write(&mut self, run: &mut Run) -> Vec<(u32, bool)> {
        let case = self.case;
        let most = if run.all_loaded() { 2 } else { 1 };
        self.set(I::AllLoaded, 0, 1, u128::from(run.all_loaded()));
        let mut requests = Vec::new();
        for e in 0..case.engines {
            if !run.random.chance(case.percent) {
                continue;
            }
            let is_and = run.random.chance(40);
            let latency = if is_and { case.and } else { case.xor };
            let bus = run.now + u64::from(latency);
            // No two results of a cycle have the same slot.
            let others = run.bus.get(&bus).into_iter().flatten();
            let others: Vec<u32> = others.map(|(_, write)| write.slot).collect();
            let Some(slot) = (0..9).map(|_| run.slot()).find(|slot| !others.contains(slot)) else {
                continue;
            };
            self.set(I::Request, e, 1, 1);
            self.set(I::IsAnd, e, 1, is_and.into());
            let bank = run.rules.bank(slot);
            self.set(I::RequestBank, e, case.banks.ilog2(), bank.into());
            let won = run.rules.take(slot, bus + 1, most);
            if won {
                let epoch = run.random.chance(50);
                let write = Write { slot, epoch, label: run.random.u128() };
                run.bus.entry(bus).or_default().push((2 * e + u32::from(!is_and), write));
            }
            requests.push((e, won));
        }
        requests
    }

    /// Loads labels of consecutive inputs, as long as there are any.
    fn load(&mut self, run: &mut Run) {
        let case = self.case;
        let mut left = 4 * run.random.below(case.bursts + 1);
        let mut place = 0;
        while left > 0 && run.to_load > 0 {
            let slot = run.next_load % case.window;
            // A result that is written in the same cycle must have another slot.
            let free = run.writing.iter().all(|write| write.slot != slot);
            if free && run.random.chance(90) {
                assert!(run.rules.take(slot, run.now + 1, 2), "engines leave one access");
                let write = Write { slot, epoch: run.random.chance(50), label: run.random.u128() };
                // Address i of a burst is at place i of the burst; the first address begins a
                // burst.
                self.set(I::Load, place, 1, 1);
                self.set(I::LoadSlot, place, case.window.ilog2(), slot.into());
                self.set(I::LoadEpoch, place, 1, write.epoch.into());
                self.set(I::LoadLabel, place, 128, write.label);
                run.writing.push(write);
            }
            (place, left) = (place + 1, left - 1);
            run.next_load += 1;
            run.to_load -= 1;
        }
    }

    /// Requests reads, late engines first.
    fn request_to_read(&mut self, run: &mut Run) -> Vec<(u32, bool)> {
        let case = self.case;
        let late: Vec<bool> = (0..case.engines).map(|_| run.random.chance(30)).collect();
        let mut requested = BTreeMap::new();
        for index in 0..4 * case.engines {
            if run.random.chance(case.percent) {
                let wanted = Wanted { slot: run.slot(), epoch: run.random.chance(50) };
                self.set(I::Read, index, 1, 1);
                self.set(I::ReadSlot, index, case.window.ilog2(), wanted.slot.into());
                self.set(I::ReadEpoch, index, 1, wanted.epoch.into());
                requested.insert(index, wanted);
            }
        }
        for (e, late) in (0..).zip(&late) {
            self.set(I::Late, e, 1, u128::from(*late));
        }
        let mut order: Vec<u32> = requested.keys().copied().collect();
        order.sort_by_key(|index| !late[*index as usize / 4]);
        let mut won = Vec::new();
        for index in order {
            let wins = run.rules.take(requested[&index].slot, run.now + 1, 2);
            if wins {
                run.accessing.push((index, requested[&index]));
            }
            won.push((index, wins));
        }
        won
    }

    /// Checks coverage: a test whose requests never meet would show nothing.
    pub fn assert_everything_happened(&self) {
        let Seen { hits, misses, fresh, read_refused, write_refused } = self.seen;
        let least = hits.min(misses).min(fresh).min(read_refused);
        assert!(least > 5, "{:?}: {:?}", self.case, self.seen);
        // A single engine never collides. Neither do results if each slot has a bank of its own.
        let may_meet = self.case.engines > 1 && self.case.window > self.case.banks;
        assert!(write_refused > 5 || !may_meet, "{:?}: {:?}", self.case, self.seen);
    }
}

/// State of a launch.
struct Run {
    case: Case,
    random: Random,
    now: u64,
    rules: Rules,
    /// Results with their places on the bus, by the cycle in which they are on the bus.
    bus: BTreeMap<u64, Vec<(u32, Write)>>,
    /// Writes of the next cycle.
    writing: Vec<Write>,
    /// Reads whose access is in the next cycle.
    accessing: Vec<(u32, Wanted)>,
    /// Results of these reads, by the cycle in which they return.
    found: BTreeMap<u64, BTreeMap<u32, Option<u128>>>,
    /// Number of inputs left to load, and the address of the next.
    to_load: u32,
    next_load: u32,
    /// Slots are drawn below this number, so that launches use different parts of the window.
    used: u32,
}

impl Run {
    fn new(case: Case, number: u32) -> Run {
        let used = (case.window >> (2 * number.min(2))).max(4);
        Run {
            case,
            random: Random(u64::from(number) << 32 | u64::from(case.window)),
            now: 0,
            rules: Rules::new(case.window, case.banks),
            bus: BTreeMap::new(),
            writing: Vec::new(),
            accessing: Vec::new(),
            found: BTreeMap::new(),
            to_load: if number == 1 { 0 } else { 160 },
            next_load: 0,
            used,
        }
    }

    fn all_loaded(&self) -> bool {
        self.to_load == 0
    }

    /// A random slot, often one of few.
    fn slot(&mut self) -> u32 {
        let most = if self.random.chance(50) { self.used } else { self.used.min(8) };
        self.random.below(most)
    }

    fn same(&self, what: &str, index: u32, is: bool, should: bool) -> Tested {
        if is == should {
            return Ok(());
        }
        let (case, now) = (self.case, self.now);
        Err(format!("{case:?}, cycle {now}: {what}[{index}] is {is}").into())
    }
}
