//! Tests FASE's modules one by one, under random stalls. `memory.rs` tests the modules that hold
//! labels.

use halfgate_fase_model::code::INITIAL_BITS;
use halfgate_reference::{Aes128, Key, Place, Suite, garble_and};
use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, Simulation};
use std::collections::VecDeque;

/// The kernel emits words in order, each exactly once despite stalls, with its round and the sums
/// over earlier rounds.
#[test]
fn kernel_goes_round() -> Tested {
    let design = Design::of("scheduled_kernel").param("Width", 24).param("Depth", 8);
    let mut sim = Simulation::new(&design.build()?)?;
    let (we, address) = (sim.input("we_i", 1)?, sim.input("address_i", 3)?);
    let (data, start, en) =
        (sim.input("data_i", 24)?, sim.input("start_i", 1)?, sim.input("en_i", 1)?);
    let (interval, words) = (sim.input("interval_i", 4)?, sim.input("words_i", 64)?);
    let [delay, ands, inputs] =
        ["delay_i", "ands_i", "inputs_i"].map(|name| sim.input(name, 32).expect("a port"));
    let (valid, left) = (sim.output("valid_o", 1)?, sim.output("left_o", 1)?);
    let (word, round) = (sim.output("word_o", 24)?, sim.output("round_o", 32)?);
    let (ands_before, inputs_before) = (sim.output("ands_o", 64)?, sim.output("inputs_o", 64)?);
    let mut random = Random(7);
    sim.reset()?;
    for run in 0..60 {
        let length = 1 + random.u64() % 8;
        let all = random.u64() % 40;
        let late = random.u64() % 5;
        let each = [random.u64() >> 33, random.u64() >> 33];
        let text: Vec<u64> = (0..length).map(|_| random.u64() >> 40).collect();
        sim.set_bit(we, true);
        for (place, &word) in (0..).zip(&text) {
            sim.set_u64(address, place);
            sim.set_u64(data, word);
            sim.clock()?;
        }
        sim.set_bit(we, false);
        sim.set_u64(interval, length);
        sim.set_u64(words, all);
        sim.set_u64(delay, late);
        sim.set_u64(ands, each[0]);
        sim.set_u64(inputs, each[1]);
        sim.set_bit(start, true);
        sim.clock()?;
        sim.set_bit(start, false);
        let (mut passed, mut seen) = (0, 0);
        while passed < late + all + 4 {
            let advances = random.chance(if run % 2 == 0 { 100 } else { 60 });
            sim.set_bit(en, advances);
            if !advances {
                sim.clock()?;
                continue;
            }
            // The first word is fetched when the delay is over, and is at the output in the next
            // clock cycle.
            let is_due = (late + 1..late + 1 + all).contains(&passed);
            assert_eq!(sim.is_set(valid), is_due, "run {run}, clock {passed}");
            if is_due {
                let rounds = seen / length;
                assert_eq!(sim.get_u64(word), text[(seen % length) as usize]);
                assert_eq!(sim.get_u64(round), rounds);
                assert_eq!(sim.get_u64(ands_before), rounds * each[0]);
                assert_eq!(sim.get_u64(inputs_before), rounds * each[1]);
                seen += 1;
            }
            assert_eq!(
                sim.is_set(left),
                passed < late + all && all > 0,
                "run {run}, clock {passed}"
            );
            passed += 1;
            sim.clock()?;
        }
        assert_eq!(seen, all);
    }
    Ok(())
}

/// The expander makes one label per clock cycle in the order of the list, also with stalls.
#[test]
fn expander_makes_the_listed_labels() -> Tested {
    let design = Design::of("fase_expander").param("Entries", 32);
    let mut sim = Simulation::new(&design.build()?)?;
    let (we, address) = (sim.input("we_i", 1)?, sim.input("address_i", 5)?);
    let data = sim.input("data_i", INITIAL_BITS)?;
    let (start, clear, en) =
        (sim.input("start_i", 1)?, sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let entries = sim.input("entries_i", 6)?;
    let [seed, constant, delta] =
        ["seed_i", "constant_i", "delta_i"].map(|name| sim.input(name, 128).expect("a port"));
    let (written, waddr) = (sim.output("we_o", 1)?, sim.output("waddr_o", 12)?);
    let label = sim.output("label_o", 128)?;
    let mut random = Random(11);
    sim.reset()?;
    for run in 0..20 {
        let count = random.u64() % 33;
        let (key, offset, zero) = (random.u128(), random.u128() | 1, random.u128());
        let aes = Aes128::new(key);
        let mut wanted = VecDeque::new();
        sim.set_bit(we, true);
        for place in 0..count {
            let (word, number) = (random.u64() % 4096, random.u64() % 65_536);
            let (is_constant, invert) = (random.chance(20), random.chance(50));
            // Fields from the lowest bits up, as in machines/scheduled/spec/words.toml.
            let entry =
                word | number << 12 | u64::from(is_constant) << 28 | u64::from(invert) << 29;
            sim.set_u64(address, place);
            sim.set_u64(data, entry);
            sim.clock()?;
            let plain = if is_constant { zero } else { aes.encrypt(number.into()) };
            wanted.push_back((word, plain ^ if invert { offset } else { 0 }));
        }
        sim.set_bit(we, false);
        sim.set_u64(entries, count);
        sim.set_u128(seed, key);
        sim.set_u128(constant, zero);
        sim.set_u128(delta, offset);
        sim.set_bit(start, true);
        sim.clock()?;
        sim.set_bit(start, false);
        // Every fourth run is cleared in the middle. After that no label may be written.
        let cleared = (run % 4 == 3).then_some(14);
        for passed in 0..60 {
            while random.chance(30) {
                sim.set_bit(en, false);
                sim.clock()?;
            }
            sim.set_bit(en, true);
            sim.set_bit(clear, cleared == Some(passed));
            sim.settle()?;
            let is_gone = cleared.is_some_and(|at| passed > at);
            let is_due = (12..12 + count).contains(&passed) && !is_gone;
            assert_eq!(sim.is_set(written), is_due, "run {run}, clock {passed}");
            if is_due {
                let (word, made) = wanted.pop_front().expect("one is due");
                assert_eq!((sim.get_u64(waddr), sim.get_u128(label)), (word, made));
            }
            sim.clock()?;
        }
    }
    Ok(())
}

/// The output of an AND: label, table, number, and the bits of its result.
type Made = (u128, Vec<u8>, u64, u128);

/// Bits of a gate. From the lowest up: its result (85 bits), its operands (40), the other fields.
const GATE: u32 = 195;

#[test]
fn slots_execute_both_kinds_of_gates() -> Tested {
    let mut sim = Simulation::new(&Design::of("fase_execute").build()?)?;
    let (clear, en) = (sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let gate = sim.input("gate_i", GATE)?;
    let [a_in, b_in, delta, point] =
        ["a_i", "b_i", "delta_i", "point_i"].map(|name| sim.input(name, 128).expect("a port"));
    let (free, and) = (sim.output("free_o", 1)?, sim.output("and_o", 1)?);
    let (free_label, and_label) =
        (sim.output("free_label_o", 128)?, sim.output("and_label_o", 128)?);
    let (free_result, and_result) =
        (sim.output("free_result_o", 85)?, sim.output("and_result_o", 85)?);
    let (number_out, table) = (sim.output("number_o", 64)?, sim.output("table_o", 256)?);
    let mut random = Random(5);
    let (offset, start) = (random.u128() | 1, random.u128());
    sim.set_u128(delta, offset);
    sim.set_u128(point, start);
    sim.reset()?;
    let key = Key { suite: Suite::HalfGates, point: start };
    // The values in the output registers, and the ANDs on their way there.
    let (mut last_free, mut last_and) = (None, None);
    let mut ands: VecDeque<Option<Made>> = VecDeque::new();
    ands.resize_with(11, || None);
    let mut seen = [0, 0];
    for passed in 0..3000 {
        let stalls = !random.chance(80);
        let clears = random.chance(1);
        let [valid, is_and, copy, invert, invert_b, invert_a] =
            std::array::from_fn(|place| random.chance(if place == 0 { 70 } else { 50 }));
        let (number, result) = (random.u64() >> 2, random.u128() >> (128 - 85));
        let (a, b) = (random.u128(), random.u128());
        let flags = [invert_a, invert_b, invert, copy, is_and, valid];
        sim.clear(gate);
        sim.set_field(gate, 0, 85, result);
        sim.set_field(gate, 125, 64, number.into());
        for (place, flag) in (189..).zip(flags) {
            sim.set_field(gate, place, 1, flag.into());
        }
        sim.set_u128(a_in, a);
        sim.set_u128(b_in, b);
        sim.set_bit(en, !stalls);
        sim.set_bit(clear, clears);
        sim.clock()?;
        let masked = |invert: bool| if invert { offset } else { 0 };
        if clears {
            ands.iter_mut().for_each(|found| *found = None);
            (last_free, last_and) = (None, None);
        } else if !stalls {
            let label = a ^ if copy { 0 } else { b } ^ masked(invert);
            last_free = (valid && !is_and).then_some((label, result));
            let made = (valid && is_and).then(|| {
                let place = Place { and: number, cycle: 0, gate: 0 };
                let (label, table) =
                    garble_and(key, offset, place, a ^ masked(invert_a), b ^ masked(invert_b));
                (label ^ masked(invert), table, number, result)
            });
            ands.push_back(made);
            last_and = ands.pop_front().flatten();
        }
        assert_eq!(sim.is_set(free), last_free.is_some(), "clock {passed}");
        if let Some((label, result)) = last_free {
            assert_eq!((sim.get_u128(free_label), sim.get_u128(free_result)), (label, result));
            seen[0] += 1;
        }
        assert_eq!(sim.is_set(and), last_and.is_some(), "clock {passed}");
        if let Some((label, rows, number, result)) = &last_and {
            assert_eq!((sim.get_u128(and_label), sim.get_u128(and_result)), (*label, *result));
            assert_eq!((sim.bytes(table), sim.get_u64(number_out)), (&rows[..], *number));
            seen[1] += 1;
        }
    }
    assert!(seen[0] > 300 && seen[1] > 300, "{seen:?}");
    Ok(())
}

/// A slot's part of a word; fields are placed as in machines/scheduled/spec/words.toml.
struct SlotWord(Vec<(u32, u32, u64)>);

impl SlotWord {
    fn random(random: &mut Random) -> SlotWord {
        // Operands, destinations, and the slot's operation. Ranges are small, so that netlist
        // cycles before, in and after the run all occur.
        let mut fields = Vec::new();
        let small = |random: &mut Random, below: u64| random.u64() % below;
        for base in [0, 53] {
            let values = [
                (0, 6, 64),
                (6, 12, 4096),
                (18, 4, 6),
                (22, 10, 5),
                (32, 8, 4),
                (40, 12, 4096),
                (52, 1, 2),
            ];
            for (low, width, below) in values {
                fields.push((base + low, width, small(random, below)));
            }
        }
        for base in [106, 129] {
            for (low, width, below) in [(0, 6, 64), (6, 12, 4096), (18, 4, 6), (22, 1, 2)] {
                fields.push((base + low, width, small(random, below)));
            }
        }
        fields.push((152, 10, small(random, 5)));
        fields.push((162, 32, small(random, 1 << 32)));
        fields.push((194, 12, small(random, 4096)));
        fields.extend((206..213).map(|low| (low, 1, small(random, 2))));
        SlotWord(fields)
    }

    fn get(&self, low: u32) -> u64 {
        self.0.iter().find(|field| field.0 == low).expect("a field").2
    }
}

/// From a slot and a round, the module decodes the netlist cycle, words and AND number that the
/// model computes.
#[test]
fn decode_finds_words_and_numbers() -> Tested {
    let mut sim = Simulation::new(&Design::of("fase_decode").build()?)?;
    let (clear, en) = (sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let (valid, slot_in) = (sim.input("valid_i", 1)?, sim.input("slot_i", 213)?);
    let (round_in, ands_in) = (sim.input("round_i", 32)?, sim.input("ands_i", 64)?);
    let (cycles_in, gate) = (sim.input("cycles_i", 32)?, sim.output("gate_o", 195)?);
    let mut random = Random(5);
    sim.reset()?;
    let mut kinds = [0; 3];
    for turn in 0..4000 {
        let slot = SlotWord::random(&mut random);
        let (round, cycles) = (random.u64() % 12, 1 + random.u64() % 10);
        let (ands, is_valid) = (random.u64() >> 1, random.chance(80));
        sim.clear(slot_in);
        for &(low, width, value) in &slot.0 {
            sim.set_field(slot_in, low, width, value.into());
        }
        sim.set_u64(round_in, round);
        sim.set_u64(ands_in, ands);
        sim.set_u64(cycles_in, cycles);
        sim.set_bit(valid, is_valid);
        sim.set_bit(en, true);
        sim.set_bit(clear, false);
        sim.clock()?;
        let field = |low, width| sim.field(gate, low, width) as u64;
        let cycle = round.checked_sub(slot.get(152)).filter(|&cycle| cycle < cycles);
        let there = is_valid && slot.get(212) == 1 && cycle.is_some();
        assert_eq!(field(194, 1) == 1, there, "turn {turn}");
        kinds[0] += u64::from(there);
        if let (Some(cycle), true) = (cycle, there) {
            for (place, low) in [(193, 211), (192, 210), (191, 209), (190, 208), (189, 207)] {
                assert_eq!(field(place, 1), slot.get(low));
            }
            assert_eq!(field(125, 64), ands.wrapping_add(slot.get(162) as u32 as i32 as u64));
            // The address in a ring of `1 << copies` words, for the round `back` rounds earlier.
            let word = |base: u64, copies: u64, back: u64| {
                let place = round.wrapping_sub(back) & 0x3ff & ((1 << copies) - 1);
                (base + place) & 0xfff
            };
            for (place, base) in [(85, 0), (105, 53)] {
                let read = place == 85 || slot.get(210) == 0;
                assert_eq!(field(place + 19, 1) == 1, read, "turn {turn}");
                let early = cycle < slot.get(base + 32);
                let address = match early {
                    true => (slot.get(base + 40) + cycle) & 0xfff,
                    false => word(slot.get(base + 6), slot.get(base + 18), slot.get(base + 22)),
                };
                assert_eq!(field(place, 12), address, "turn {turn}");
                assert_eq!(field(place + 18, 1) == 1, early || slot.get(base + 52) == 1);
                assert_eq!(field(place + 12, 6), slot.get(base));
                kinds[1] += u64::from(early);
            }
            for (place, base) in [(0, 106), (20, 129)] {
                assert_eq!(field(place + 19, 1), slot.get(base + 22));
                assert_eq!(field(place + 12, 6), slot.get(base));
                let wanted = word(slot.get(base + 6), slot.get(base + 18), slot.get(152));
                assert_eq!(field(place, 12), wanted);
            }
            assert_eq!(
                [field(40, 32), field(72, 12), field(84, 1)],
                [cycle, slot.get(194), slot.get(206)]
            );
        }
        // The gate stays during a stall, and is removed when it is cleared.
        if random.chance(20) {
            let held = sim.bytes(gate).to_vec();
            sim.set_bit(en, false);
            sim.set_bit(valid, false);
            sim.clock()?;
            assert!(sim.bytes(gate) == held, "turn {turn}");
            sim.set_bit(clear, true);
            sim.clock()?;
            assert!(sim.bytes(gate).iter().all(|byte| *byte == 0), "turn {turn}");
            kinds[2] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 300), "{kinds:?}");
    Ok(())
}
