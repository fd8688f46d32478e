//! Tests the modules of SIFO's overlay one by one, under random stalls.

use halfgate_reference::{Key, Place, Suite, garble_and};
use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, Out, Simulation};
use std::collections::VecDeque;

/// A garbled AND is compared with the reference: labels and tables, 82 cycles after each request.
#[test]
fn and_cells_garble_as_the_reference_does() -> Tested {
    let mut sim = Simulation::new(&Design::of("overlay_and_sha1").build()?)?;
    let [clear, valid] = ["clear_i", "valid_i"].map(|name| sim.input(name, 1).expect("a port"));
    let [a_in, b_in, delta_in] =
        ["a_i", "b_i", "delta_i"].map(|name| sim.input(name, 80).expect("a port"));
    let number_in = sim.input("number_i", 64)?;
    let [busy, done] = ["busy_o", "valid_o"].map(|name| sim.output(name, 1).expect("a port"));
    let (label, table) = (sim.output("label_o", 80)?, sim.output("table_o", 240)?);
    sim.reset()?;
    let mut random = Random(3);
    let label_of = |random: &mut Random| random.u128() >> 48;
    let key = Key { suite: Suite::Grr3Sha1, point: 0 };
    let delta = label_of(&mut random) | 1;
    sim.set_u128(delta_in, delta);
    let (mut due, mut seen): (Option<(u32, u128, Vec<u8>)>, u32) = (None, 0);
    for _ in 0..12_000 {
        let takes = due.is_none() && random.chance(30);
        let (a, b, number) = (label_of(&mut random), label_of(&mut random), random.u64());
        sim.set_bit(valid, takes);
        sim.set_u128(a_in, a);
        sim.set_u128(b_in, b);
        sim.set_u64(number_in, number);
        sim.clock()?;
        if takes {
            let place = Place { and: number, cycle: 0, gate: 0 };
            let (c, rows) = garble_and(key, delta, place, a, b);
            due = Some((81, c, rows));
        } else if let Some((left, c, rows)) = &mut due {
            *left -= 1;
            if *left == 0 {
                assert!(sim.is_set(done));
                assert_eq!(sim.get_u128(label), *c);
                assert_eq!(sim.bytes(table), &rows[..]);
                seen += 1;
                due = None;
                continue;
            }
        }
        assert!(!sim.is_set(done), "too early");
        // The last busy cycle computes the digest's final sum.
        assert_eq!(sim.is_set(busy), due.as_ref().is_some_and(|(left, ..)| *left > 0));
    }
    assert!(seen > 90, "{seen}");
    // A cleared AND has no result.
    sim.set_bit(valid, true);
    sim.clock()?;
    sim.set_bit(valid, false);
    sim.set_bit(clear, true);
    sim.clock()?;
    sim.set_bit(clear, false);
    for _ in 0..100 {
        sim.clock()?;
        assert!(!sim.is_set(done) && !sim.is_set(label));
    }
    Ok(())
}

/// Each entry crosses from one clock to another exactly once and in order, for all clocks and
/// stalls.
#[test]
fn queues_cross_clocks() -> Tested {
    let library = Design::of("fifo_async").param("Width", 16).param("Depth", 4).build()?;
    for (from_period, to_period) in [(1, 1), (2, 3), (3, 2), (1, 5), (7, 1)] {
        let mut sim = Simulation::new(&library)?;
        let [from, to, valid, ready] = ["from_clk_i", "to_clk_i", "valid_i", "ready_i"]
            .map(|name| sim.input(name, 1).expect("a port"));
        let [takes, offers] =
            ["ready_o", "valid_o"].map(|name| sim.output(name, 1).expect("a port"));
        let (data_in, data_out) = (sim.input("data_i", 16)?, sim.output("data_o", 16)?);
        let reset = sim.input("rst_ni", 1)?;
        for value in [true, false, true] {
            sim.set_bit(reset, value);
            sim.settle()?;
        }
        let mut random = Random(from_period * 8 + to_period);
        let mut inside: VecDeque<u64> = VecDeque::new();
        let (mut pushed, mut popped, mut full, mut longest) = (0, 0, 0, 0);
        for time in 1..6000 {
            let edges = [time % from_period == 0, time % to_period == 0];
            // Each side is idle for long periods.
            let (gives, requests) =
                (random.chance(if time % 800 < 400 { 90 } else { 20 }), random.chance(60));
            let value = random.u64() & 0xffff;
            sim.set_bit(valid, gives);
            sim.set_u64(data_in, value);
            sim.set_bit(ready, requests);
            sim.settle()?;
            let (took, offered) = (sim.is_set(takes), sim.is_set(offers));
            if edges[1] && offered && requests {
                assert_eq!(Some(sim.get_u64(data_out)), inside.pop_front());
                popped += 1;
            }
            if edges[0] && gives && took {
                inside.push_back(value);
                pushed += 1;
            }
            full += u32::from(!took);
            longest = longest.max(inside.len());
            for (clock, edge) in [from, to].into_iter().zip(edges) {
                sim.set_bit(clock, edge);
            }
            sim.settle()?;
            for clock in [from, to] {
                sim.set_bit(clock, false);
            }
            sim.settle()?;
        }
        assert!(
            pushed > 300 && popped + 4 >= pushed && longest <= 4,
            "{pushed} {popped} {longest}"
        );
        assert!(full > 0 || from_period > to_period, "{from_period} {to_period}: never full");
    }
    Ok(())
}

/// A request to a port, and whether it was made before a wipe. A read has a slot, an operand number
/// and a label; a write has `None`.
type Requested = (Option<(u64, u64, u32)>, bool);

/// Checks the fields of a request for a label: a write of `written`, or a read.
fn check_request(sim: &Simulation, request: Out, place: u64, written: Option<u128>) {
    assert_eq!(sim.field(request, 516, 27) as u64, place >> 3);
    assert_eq!(sim.field(request, 543, 1) == 1, written.is_some());
    if let Some(written) = written {
        let lane = (place & 3) as u32;
        assert_eq!(sim.field(request, 512, 4), 1 << lane);
        assert_eq!(sim.field(request, 128 * lane, 128), written);
    }
}

/// Checks a label that was read: slot and number of its operand, and its value.
fn check_read(sim: &Simulation, operand: (u64, u64), read: u128) -> Tested {
    let (slot, number, label) =
        (sim.output("slot_o", 4)?, sim.output("number_o", 1)?, sim.output("label_o", 128)?);
    assert_eq!((sim.get_u64(slot), sim.get_u64(number)), operand);
    assert_eq!(sim.get_u128(label), read);
    Ok(())
}

/// A port of DDR: writes have priority over reads. A response goes to the operand that requested
/// it, and responses to requests from before a wipe are dropped.
#[test]
fn ports_respond_to_their_request() -> Tested {
    let mut sim = Simulation::new(&Design::of("overlay_port").param("Depth", 4).build()?)?;
    let [clear, read, write, ready, came] = ["clear_i", "read_i", "write_i", "ready_i", "valid_i"]
        .map(|name| sim.input(name, 1).expect("a port"));
    let [read_ready, write_ready, valid, found, ack, dropping] =
        ["read_ready_o", "write_ready_o", "valid_o", "came_o", "ack_o", "dropping_o"]
            .map(|name| sim.output(name, 1).expect("a port"));
    let (read_at, write_at) = (sim.input("read_address_i", 30)?, sim.input("write_address_i", 30)?);
    let (slot_in, number_in) = (sim.input("read_slot_i", 4)?, sim.input("read_number_i", 1)?);
    let (label_in, data_in) = (sim.input("write_label_i", 128)?, sim.input("data_i", 512)?);
    let request = sim.output("request_o", 1 + 27 + 4 + 512)?;
    sim.reset()?;
    let mut random = Random(9);
    let mut requested: VecDeque<Requested> = VecDeque::new();
    let (mut reads, mut writes, mut dropped, mut filled) = (0, 0, 0, 0);
    for _ in 0..20_000 {
        let clears = random.chance(1) && random.chance(20);
        let stale = requested.iter().any(|(_, stale)| *stale);
        let (reads_now, writes_now) = (!stale && random.chance(60), !stale && random.chance(30));
        let (takes, responds) = (random.chance(70), !requested.is_empty() && random.chance(40));
        let (at, to) = (random.u64() & 0x3fff_ffff, random.u64() & 0x3fff_ffff);
        let (own_slot, own_number) = (random.u64() & 15, random.u64() & 1);
        let written = random.u128();
        let words: [u128; 4] = std::array::from_fn(|_| random.u128());
        for (port, value) in [
            (clear, clears),
            (read, reads_now),
            (write, writes_now),
            (ready, takes),
            (came, responds),
        ] {
            sim.set_bit(port, value);
        }
        for (port, value) in
            [(read_at, at), (write_at, to), (slot_in, own_slot), (number_in, own_number)]
        {
            sim.set_u64(port, value);
        }
        sim.set_u128(label_in, written);
        for (lane, word) in (0..).zip(words) {
            sim.set_field(data_in, 128 * lane, 128, word);
        }
        sim.settle()?;
        let full = requested.len() == 4;
        filled += u32::from(full);
        assert_eq!(sim.is_set(valid), (reads_now || writes_now) && !full);
        assert_eq!(sim.is_set(write_ready), takes && !full);
        assert_eq!(sim.is_set(read_ready), takes && !full && !writes_now);
        if sim.is_set(valid) {
            let place = if writes_now { to } else { at };
            check_request(&sim, request, place, writes_now.then_some(written));
        }
        if responds {
            let (what, stale) = requested.pop_front().expect("checked");
            let is_read = what.is_some() && !stale && !clears;
            assert_eq!(sim.is_set(found), is_read);
            assert_eq!(sim.is_set(ack), what.is_none() && !stale);
            if let Some((its_slot, its_number, lane)) = what.filter(|_| is_read) {
                check_read(&sim, (its_slot, its_number), words[lane as usize])?;
            }
            dropped += u32::from(stale);
        }
        if sim.is_set(valid) && takes {
            let lane = (at & 3) as u32;
            requested.push_back(((!writes_now).then_some((own_slot, own_number, lane)), false));
            reads += u32::from(!writes_now);
            writes += u32::from(writes_now);
        }
        if clears {
            requested.iter_mut().for_each(|(_, stale)| *stale = true);
        }
        sim.clock()?;
        if requested.iter().any(|(_, stale)| *stale) {
            assert!(sim.is_set(dropping));
        }
    }
    assert!(reads > 2000 && writes > 1000 && dropped > 20 && filled > 500);
    Ok(())
}
