//! Tests modules of the published FASE one by one, with every kind of stall.

use halfgate_fase_model::code::PAPER_SLOT_BITS;
use halfgate_reference::{Aes128, Key, Place, Suite, garble_and, position_tweak};
use halfgate_verilated::testing::stimulus::{Random, Tested, pipeline};
use halfgate_verilated::{Design, Simulation};
use std::collections::VecDeque;

/// The netlist memory offers slots in order. It always offers enough, for any number of slots used
/// per clock cycle.
#[test]
fn netlist_never_runs_dry() -> Tested {
    for pipelines in [1, 2, 3] {
        let design = Design::of("fase_paper_netlist").param("Pipelines", pipelines);
        let design = design.param("Depth", 64);
        let mut sim = Simulation::new(&design.build()?)?;
        let row_width = 64_u64.div_ceil(pipelines).next_power_of_two().ilog2();
        let column_width = pipelines.next_power_of_two().ilog2().max(1);
        let count_width = (2 * pipelines + 1).next_power_of_two().ilog2();
        let we = sim.input("we_i", 1)?;
        let row = sim.input("row_i", row_width)?;
        let column = sim.input("column_i", column_width)?;
        let data = sim.input("data_i", PAPER_SLOT_BITS)?;
        let (restart, pop) = (sim.input("restart_i", 1)?, sim.input("pop_i", count_width)?);
        let slots = sim.output("slots_o", PAPER_SLOT_BITS * pipelines as u32)?;
        let mut random = Random(pipelines);
        sim.reset()?;
        let text: Vec<u64> = (0..64).map(|_| random.u64()).collect();
        sim.set_bit(we, true);
        for (place, &slot) in (0..).zip(&text) {
            sim.set_u64(row, place / pipelines);
            sim.set_u64(column, place % pipelines);
            sim.set_field(data, 0, 64, slot.into());
            sim.clock()?;
        }
        sim.set_bit(we, false);
        for run in 0..50 {
            sim.set_bit(restart, true);
            sim.set_u64(pop, 0);
            sim.clock()?;
            sim.set_bit(restart, false);
            for _ in 0..3 {
                sim.clock()?;
            }
            // A run may use only the first part of the netlist.
            let (mut next, end) = (0, random.u64() % 65);
            while next < end {
                let seen = (end - next).min(pipelines);
                for place in 0..seen {
                    let slot = sim.field(slots, PAPER_SLOT_BITS * place as u32, 64) as u64;
                    assert_eq!(slot, text[(next + place) as usize], "run {run}, slot {next}");
                }
                let used = if run % 3 == 0 { seen } else { random.u64() % (seen + 1) };
                sim.set_u64(pop, used);
                next += used;
                sim.clock()?;
            }
            sim.set_u64(pop, 0);
        }
    }
    Ok(())
}

/// Reads have priority. Labels are written in order on the ports that are left, and `space_o` is 1
/// only if at most two labels wait.
#[test]
fn two_ports_are_shared() -> Tested {
    let mut sim =
        Simulation::new(&Design::of("fase_paper_port_labels").param("Depth", 16).build()?)?;
    let (read, word) = (sim.input("read_i", 2)?, sim.input("word_i", 8)?);
    let (give, give_word) = (sim.input("give_i", 2)?, sim.input("give_word_i", 8)?);
    let (give_label, label) = (sim.input("give_label_i", 256)?, sim.output("label_o", 256)?);
    let (space, idle) = (sim.output("space_o", 1)?, sim.output("idle_o", 1)?);
    let (wrote, wrote_word) = (sim.output("wrote_o", 2)?, sim.output("wrote_word_o", 8)?);
    let mut random = Random(1);
    sim.reset()?;
    let mut words: [Option<u128>; 16] = [None; 16];
    let mut waiting: VecDeque<(u64, u128)> = VecDeque::new();
    let mut next = 0;
    let (mut full, mut both) = (0, 0);
    for _ in 0..6000 {
        assert_eq!(sim.is_set(idle), waiting.is_empty());
        // Two labels may arrive if fewer than two wait, else only one.
        let coming = if waiting.len() < 2 { random.u64() % 3 } else { random.u64() % 2 };
        let mask = [0, 1 + random.u64() % 2, 3][coming as usize];
        sim.set_u64(give, mask);
        for place in 0..2 {
            if mask >> place & 1 == 1 {
                let value = random.u128();
                sim.set_field(give_word, 4 * place, 4, next);
                sim.set_field(give_label, 128 * place, 128, value);
                waiting.push_back((next as u64, value));
                next = (next + 1) % 16;
            }
        }
        sim.set_u64(read, 0);
        sim.settle()?;
        assert_eq!(sim.is_set(space), waiting.len() <= 2);
        full += u64::from(waiting.len() > 2);
        let mut reads = Vec::new();
        let mut requested = [None; 2];
        if sim.is_set(space) && random.chance(80) {
            let wanted = random.u64() % 4;
            for (place, requested) in (0..).zip(&mut requested) {
                let from = random.u64() % if random.chance(30) { 2 } else { 16 };
                sim.set_field(word, 4 * place, 4, from.into());
                if wanted >> place & 1 == 1 {
                    *requested = Some(from as usize);
                    reads.push(from);
                }
            }
            sim.set_u64(read, wanted);
            reads.dedup();
        }
        sim.settle()?;
        let ports = (2 - reads.len()).min(waiting.len());
        both += u64::from(ports == 2);
        let mut written: Vec<u64> = (0..2)
            .filter(|place| sim.field(wrote, *place, 1) == 1)
            .map(|place| sim.field(wrote_word, 4 * place, 4) as u64)
            .collect();
        let mut wanted: Vec<u64> = waiting.iter().take(ports).map(|(word, _)| *word).collect();
        written.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(written, wanted);
        // A word that is written in the clock cycle of its read is not compared, for it may read as
        // either value.
        let held = requested.map(|from| from.and_then(|from| words[from]));
        let clash = |from: Option<usize>| from.is_some_and(|from| written.contains(&(from as u64)));
        let clashes = requested.map(clash);
        sim.clock()?;
        for (place, (held, clash)) in (0..).zip(held.into_iter().zip(clashes)) {
            if let (Some(held), false) = (held, clash) {
                assert!(sim.field(label, 128 * place, 128) == held);
            }
        }
        for (word, value) in waiting.drain(..ports) {
            words[word as usize] = Some(value);
        }
    }
    assert!(full > 100 && both > 100);
    Ok(())
}

/// Words arrive in any order, and leave in the order of their addresses, each exactly once, at any
/// rate of the host.
#[test]
fn collectors_put_in_order() -> Tested {
    for (flags, reads) in [(1, 2), (1, 1), (0, 1)] {
        let design = Design::of("fase_paper_collect")
            .param("Width", 16)
            .param("Depth", 64)
            .param("Writes", 2)
            .param("Reads", reads)
            .param("Flags", flags);
        let mut sim = Simulation::new(&design.build()?)?;
        let (begin, we) = (sim.input("begin_i", 1)?, sim.input("we_i", 2)?);
        let (address, data) = (sim.input("address_i", 12)?, sim.input("data_i", 32)?);
        let (total, done) = (sim.input("total_i", 16)?, sim.input("done_i", 16)?);
        let (ready, empty) = (sim.input("ready_i", 1)?, sim.output("empty_o", 1)?);
        let valid = sim.output("valid_o", reads as u32)?;
        let out = sim.output("data_o", 16 * reads as u32)?;
        let mut random = Random(flags + 2 * reads);
        sim.reset()?;
        for run in 0..40 {
            let count = random.u64() % 65;
            let words: Vec<u64> = (0..count).map(|_| random.u64() >> 48).collect();
            // Addresses in order, except that some are swapped with one a few positions away.
            let mut order: Vec<u64> = (0..count).collect();
            for place in 0..count as usize {
                let other = (place + random.u64() as usize % 4).min(count as usize - 1);
                order.swap(place, other);
            }
            sim.set_u64(done, 0);
            sim.set_u64(total, count);
            sim.set_bit(begin, true);
            sim.set_bit(ready, false);
            sim.clock()?;
            sim.set_bit(begin, false);
            let mut order = order.into_iter();
            let mut came: Vec<u64> = Vec::new();
            let mut left = 0;
            for clock in 0.. {
                assert!(clock < 1000, "run {run}: {left} of {count} words have left");
                let takes = random.chance(if run % 2 == 0 { 100 } else { 40 });
                sim.set_bit(ready, takes);
                for place in (0..reads as u32).filter(|place| sim.field(valid, *place, 1) == 1) {
                    if takes {
                        let word = sim.field(out, 16 * place, 16) as u64;
                        assert_eq!(word, words[left as usize], "run {run}, word {left}");
                        left += 1;
                    }
                }
                let all_below = (0..).take_while(|place| came.contains(place)).count() as u64;
                sim.set_u64(done, all_below);
                let mut mask = 0;
                for place in 0..2 {
                    if random.chance(50)
                        && let Some(next) = order.next()
                    {
                        mask |= 1 << place;
                        sim.set_field(address, 6 * place, 6, next.into());
                        sim.set_field(data, 16 * place, 16, words[next as usize].into());
                        came.push(next);
                    }
                }
                sim.set_u64(we, mask);
                sim.clock()?;
                if sim.is_set(empty) {
                    break;
                }
            }
            sim.set_u64(we, 0);
            assert_eq!(left, count, "run {run}");
        }
    }
    Ok(())
}

/// The generator makes the labels of one netlist cycle after another with consecutive numbers, at
/// most one netlist cycle ahead.
#[test]
fn generator_is_a_netlist_cycle_ahead() -> Tested {
    let mut sim = Simulation::new(&Design::of("fase_paper_generator").param("Labels", 4).build()?)?;
    let start = sim.input("start_i", 1)?;
    let (first, each) = (sim.input("first_i", 16)?, sim.input("each_i", 16)?);
    let (cycles, cycle) = (sim.input("cycles_i", 32)?, sim.input("cycle_i", 32)?);
    let passed = sim.input("passed_i", 1)?;
    let (we, waddr) = (sim.output("we_o", 4)?, sim.output("waddr_o", 16)?);
    let (label, round) = (sim.output("label_o", 512)?, sim.output("round_o", 32)?);
    let (count, complete) = (sim.output("count_o", 16)?, sim.output("complete_o", 1)?);
    let seed = 0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00_u128;
    sim.set_u128(sim.input("seed_i", 128)?, seed);
    let aes = Aes128::new(seed);
    let mut random = Random(2);
    sim.reset()?;
    for _ in 0..40 {
        let (all, again) = (random.u64() % 30, random.u64() % 20);
        let (all, again) = (all.max(again), again);
        let rounds = 1 + random.u64() % 5;
        sim.set_u64(cycle, 0);
        sim.set_bit(passed, false);
        sim.set_bit(start, true);
        sim.clock()?;
        sim.set_bit(start, false);
        // In the machine, the registers that drive these ports have their values from this clock
        // cycle on.
        sim.set_u64(first, all);
        sim.set_u64(each, again);
        sim.set_u64(cycles, rounds);
        let (mut number, mut made) = (0_u64, vec![0; rounds as usize]);
        for now in 0..rounds {
            sim.set_u64(cycle, now);
            sim.set_bit(passed, false);
            sim.settle()?;
            let total = if now == 0 { all } else { again };
            let (pause, mut clock) = (4 + random.u64() % 40, 0);
            // Each netlist cycle lasts until all its labels are made, and some time longer.
            while clock < pause || !sim.is_set(complete) {
                assert!(clock < 200, "netlist cycle {now} is never complete");
                sim.set_bit(passed, clock * 2 > pause);
                for place in (0..4).filter(|place| sim.field(we, *place, 1) == 1) {
                    let which = if number < all { 0 } else { 1 + (number - all) / again };
                    assert!(which <= now + 1 && which < rounds, "{which} in {now}");
                    let at = if which == 0 { number } else { (number - all) % again };
                    let base = if which == 0 { 0 } else { all + (1 - which % 2) * again };
                    assert_eq!(sim.get_u64(waddr) + u64::from(place), base + at);
                    let wanted = aes.encrypt(number.into());
                    assert!(sim.field(label, 128 * place, 128) == wanted, "label {number}");
                    made[which as usize] += 1;
                    number += 1;
                }
                sim.clock()?;
                clock += 1;
            }
            assert_eq!(made[now as usize], total);
            if total > 0 && sim.get_u64(round) == now {
                assert_eq!(sim.get_u64(count), total);
            }
        }
    }
    Ok(())
}

/// A module with a key store and the unit that garbles under its key.
const KEYED: &str = "
module keyed_garbler #(
  parameter int unsigned Latency = 11,
  parameter bit          Sigma   = 1'b1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         en_i,
  input  logic         key_valid_i,
  input  logic [127:0] key_i,
  output logic         key_ready_o,
  input  logic         valid_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  input  logic [127:0] delta_i,
  input  logic [127:0] tweak_i,
  output logic         valid_o,
  output logic [127:0] label_o,
  output logic [255:0] table_o
);
  logic [10:0][127:0] keys;
  aes_key_store u_keys (
    .clk_i, .rst_ni, .clear_i(1'b0), .key_valid_i, .key_i, .ready_o(key_ready_o), .keys_o(keys));
  half_gate_garbler_fixed #(.Latency(Latency), .Sigma(Sigma)) u_unit (
    .clk_i, .rst_ni, .clear_i, .en_i, .keys_i(keys), .valid_i, .a_i, .b_i, .delta_i, .tweak_i,
    .valid_o, .label_o, .table_o);
endmodule
";

/// The unit for ANDs under a fixed key computes the suites' tables, with and without σ, at two
/// latencies. σ has no register, so each form is tried at one of them.
#[test]
fn ands_under_a_fixed_key_are_the_suites() -> Tested {
    for (sigma, suite, latency) in [(1, Suite::HalfGatesFixedKey, 11), (0, Suite::HalfGatesFase, 2)]
    {
        let design = Design::of("keyed_garbler").source("keyed_garbler", KEYED);
        let design = design.param("Latency", latency).param("Sigma", sigma);
        let mut sim = Simulation::new(&design.build()?)?;
        let mut random = Random(latency + sigma);
        let (point, delta) = (random.u128(), random.u128() | 1);
        sim.set_u128(sim.input("delta_i", 128)?, delta);
        sim.reset()?;
        sim.set_u128(sim.input("key_i", 128)?, point);
        let (key_valid, ready) = (sim.input("key_valid_i", 1)?, sim.output("key_ready_o", 1)?);
        sim.set_bit(key_valid, true);
        sim.clock()?;
        sim.set_bit(key_valid, false);
        while !sim.is_set(ready) {
            assert!(sim.cycles() < 30, "no key");
            sim.clock()?;
        }
        let (a, b) = (sim.input("a_i", 128)?, sim.input("b_i", 128)?);
        let tweak = sim.input("tweak_i", 128)?;
        let (label, table) = (sim.output("label_o", 128)?, sim.output("table_o", 256)?);
        let key = Key { suite, point };
        pipeline(&mut sim, latency as usize, 300, &mut random, |sim, random| {
            let place = Place { and: 0, cycle: random.u64() >> 32, gate: random.u64() >> 48 };
            let (a0, b0) = (random.u128(), random.u128());
            sim.set_u128(a, a0);
            sim.set_u128(b, b0);
            sim.set_u128(tweak, position_tweak(place, 0));
            let (c0, made) = garble_and(key, delta, place, a0, b0);
            let half =
                |at: usize| u128::from_le_bytes(made[at..at + 16].try_into().expect("16 bytes"));
            vec![(label, 0, c0), (table, 0, half(0)), (table, 128, half(16))]
        })?;
    }
    Ok(())
}
