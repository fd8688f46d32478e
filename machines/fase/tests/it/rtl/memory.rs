//! Tests the modules of FASE that hold labels under random stalls: a bank, all banks, and the
//! module that wipes them.

use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, In, Simulation};

#[test]
fn bank_forwards_what_is_written() -> Tested {
    let mut sim = Simulation::new(&Design::of("scheduled_bank").param("Depth", 4).build()?)?;
    let (we, re) = (sim.input("we_i", 1)?, sim.input("re_i", 1)?);
    let (waddr, raddr) = (sim.input("waddr_i", 2)?, sim.input("raddr_i", 2)?);
    let (label_in, label) = (sim.input("label_i", 128)?, sim.output("label_o", 128)?);
    let forwarded = sim.output("forwarded_o", 1)?;
    let mut random = Random(3);
    let mut words = [None; 4];
    // The word whose read was requested last, and its contents at that time.
    let mut requested: Option<(usize, Option<u128>)> = None;
    let mut forwards = 0;
    for _ in 0..4000 {
        let (at, from) = (random.u64() as usize % 4, random.u64() as usize % 4);
        let (writes, reads, value) = (random.chance(50), random.chance(60), random.u128());
        sim.set_bit(we, writes);
        sim.set_u64(waddr, at as u64);
        sim.set_u128(label_in, value);
        sim.set_bit(re, reads);
        sim.set_u64(raddr, from as u64);
        sim.settle()?;
        if let Some((word, held)) = requested {
            let now = writes && at == word;
            assert_eq!(sim.is_set(forwarded), now);
            if let Some(wanted) = if now { Some(value) } else { held } {
                assert_eq!(sim.get_u128(label), wanted);
            }
            forwards += u64::from(now);
        }
        sim.clock()?;
        if writes {
            words[at] = Some(value);
        }
        if reads {
            requested = Some((from, words[from]));
        }
    }
    assert!(forwards > 200);
    Ok(())
}

#[test]
fn wiping_reaches_every_word() -> Tested {
    let mut sim = Simulation::new(&Design::of("memory_wipe").param("Depth", 16).build()?)?;
    let start = sim.input("start_i", 1)?;
    let (wiping, address) = (sim.output("wiping_o", 1)?, sim.output("address_o", 4)?);
    sim.reset()?;
    // Wipes after a reset, on request, and on a request while it already wipes.
    for again in [None, None, Some(5)] {
        for word in 0..again.unwrap_or(17) {
            assert!(sim.is_set(wiping));
            // Word 0 is wiped twice.
            assert_eq!(sim.get_u64(address), word % 16);
            sim.set_bit(start, again == Some(word + 1));
            sim.clock()?;
        }
        sim.set_bit(start, false);
        if again.is_some() {
            for word in 0..17 {
                assert!(sim.is_set(wiping) && sim.get_u64(address) == word % 16);
                sim.clock()?;
            }
        }
        for _ in 0..20 {
            assert!(!sim.is_set(wiping));
            sim.clock()?;
        }
        sim.set_bit(start, true);
        sim.clock()?;
        sim.set_bit(start, false);
    }
    Ok(())
}

/// Number of banks in the test below.
const BANKS: u64 = 4;

/// A write of a label: port, bank, word, label.
type Write = (u32, usize, usize, u128);

/// Random writes, at most one per bank.
fn random_writes(random: &mut Random) -> Vec<Write> {
    let mut writes: Vec<Write> = Vec::new();
    for place in 0..4 {
        let bank = (random.u64() % BANKS) as usize;
        if random.chance(40) && writes.iter().all(|&(_, other, ..)| other != bank) {
            writes.push((place, bank, (random.u64() % 8) as usize, random.u128()));
        }
    }
    writes
}

/// Sets bank and word: the field `number` of both ports. Each port comes with the width of its
/// fields.
fn set_place(sim: &mut Simulation, ports: [(In, u32); 2], number: u32, values: [usize; 2]) {
    for ((port, width), value) in ports.into_iter().zip(values) {
        sim.set_field(port, width * number, width, value as u128);
    }
}

/// Labels are written to the given banks and read back. A label that is read in the clock cycle of
/// its write is forwarded.
#[test]
fn banks_give_what_was_written() -> Tested {
    let design = Design::of("scheduled_banks").param("Banks", BANKS).param("Depth", 8);
    let mut sim = Simulation::new(&design.param("Reads", 2).param("Writes", 4).build()?)?;
    let (en, wipe) = (sim.input("en_i", 1)?, sim.input("wipe_i", 1)?);
    let wipe_word = sim.input("wipe_address_i", 3)?;
    let (read, label) = (sim.input("read_i", 2)?, sim.output("label_o", 256)?);
    let from = [(sim.input("read_bank_i", 12)?, 6), (sim.input("read_address_i", 32)?, 16)];
    let (write, given) = (sim.input("write_i", 4)?, sim.input("label_i", 512)?);
    let to = [(sim.input("write_bank_i", 24)?, 6), (sim.input("write_address_i", 64)?, 16)];
    let (forwarded, wrote) = (sim.output("forwarded_o", 2)?, sim.output("wrote_o", 4)?);
    let mut random = Random(9);
    sim.reset()?;
    let mut words = [[None; 8]; BANKS as usize];
    let mut requested = [None::<(usize, usize)>; 2];
    let (mut read_back, mut forwards) = (0, 0);
    for turn in 0..3000 {
        let passes = random.chance(80);
        sim.set_bit(en, passes);
        sim.clear(write);
        let writes = random_writes(&mut random);
        for &(place, bank, at, value) in &writes {
            sim.set_field(write, place, 1, 1);
            set_place(&mut sim, to, place, [bank, at]);
            sim.set_field(given, 128 * place, 128, value);
        }
        sim.clear(read);
        let mut next = [None; 2];
        for (place, next) in (0..).zip(&mut next) {
            if random.chance(70) {
                // The first slot uses the lower half of the banks, the second the upper half.
                let (bank, at) = (2 * u64::from(place) + random.u64() % 2, random.u64() % 8);
                sim.set_field(read, place, 1, 1);
                set_place(&mut sim, from, place, [bank as usize, at as usize]);
                *next = Some((bank as usize, at as usize));
            }
        }
        sim.settle()?;
        for (place, requested) in (0..).zip(requested) {
            let Some((bank, at)) = requested else { continue };
            let now = writes.iter().find(|&&(_, other, word, _)| (other, word) == (bank, at));
            if passes {
                assert_eq!(sim.field(forwarded, place, 1) == 1, now.is_some(), "turn {turn}");
                forwards += u64::from(now.is_some());
            }
            let held = words[bank][at];
            if let (Some(wanted), true) = (now.map(|now| now.3).or(held), passes) {
                assert!(sim.field(label, 128 * place, 128) == wanted, "turn {turn}");
                read_back += 1;
            }
        }
        for bank in 0..BANKS as usize {
            let is_written = writes.iter().any(|&(_, other, ..)| other == bank);
            assert_eq!(sim.field(wrote, bank as u32, 1) == 1, is_written);
        }
        sim.clock()?;
        if passes {
            for (_, bank, at, value) in writes {
                words[bank][at] = Some(value);
            }
            requested = next;
        }
    }
    assert!(read_back > 1000 && forwards > 100, "{read_back} {forwards}");
    sim.set_bit(en, false);
    sim.clear(write);
    sim.set_bit(wipe, true);
    for at in (0..8).chain([0]) {
        sim.set_u64(wipe_word, at);
        sim.clock()?;
    }
    assert!(sim.bytes(label).iter().all(|byte| *byte == 0), "a label stays");
    Ok(())
}
