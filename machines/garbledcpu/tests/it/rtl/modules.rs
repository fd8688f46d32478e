//! Tests the modules of GarbledCPU's evaluator one by one, under random stalls.

use halfgate_garbledcpu_model::fields as f;
use halfgate_reference::{Key, Place, Suite, evaluate_and};
use halfgate_scheduled_model::code::Field;
use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, In, Simulation};
use std::collections::VecDeque;

/// Bits of a gate. From the lowest up: its result, its operands, its number and flags.
const RESULT: u32 = 121;
const OPERANDS: u32 = 72;
const GATE: u32 = RESULT + OPERANDS + 64 + 5;

/// Compares ANDs of three operands with a direct evaluation. A destination must leave together with
/// its label.
fn ands(stages: u64) -> Tested {
    let mut sim = Simulation::new(&Design::of("garbledcpu_and").param("Stages", stages).build()?)?;
    let (clear, en) = (sim.input("clear_i", 1)?, sim.input("en_i", 1)?);
    let (valid, gate) = (sim.input("valid_i", 1)?, sim.input("gate_i", GATE)?);
    let [a_in, b_in, c_in, point] =
        ["a_i", "b_i", "c_i", "point_i"].map(|name| sim.input(name, 128).expect("a port"));
    let table_in = sim.input("table_i", 256)?;
    let (done, label, result) =
        (sim.output("valid_o", 1)?, sim.output("label_o", 128)?, sim.output("result_o", RESULT)?);
    let mut random = Random(5 + stages);
    let key = Key { suite: Suite::HalfGates, point: random.u128() };
    sim.set_u128(point, key.point);
    sim.reset()?;
    let (latency, every) = if stages == 0 { (11, 10) } else { (stages as usize, 1) };
    let mut ways: VecDeque<Option<(u128, u128)>> = VecDeque::new();
    ways.resize_with(latency - 1, || None);
    let (mut due, mut since, mut seen) = (None, every, 0);
    for passed in 0..4000 {
        let (stalls, clears) = (!random.chance(80), random.chance(1));
        let takes = since >= every && random.chance(70);
        let [a, b, c, low, high] = std::array::from_fn(|_| random.u128());
        let xors: [bool; 3] = std::array::from_fn(|_| random.chance(50));
        let (number, beside) = (random.u64() >> 2, random.u128() >> (128 - RESULT));
        sim.clear(gate);
        sim.set_field(gate, 0, RESULT, beside);
        sim.set_field(gate, RESULT + OPERANDS, 64, number.into());
        for (place, xor) in (RESULT + OPERANDS + 64..).zip(xors) {
            sim.set_field(gate, place, 1, xor.into());
        }
        for (port, value) in [(a_in, a), (b_in, b), (c_in, c)] {
            sim.set_u128(port, value);
        }
        for (place, half) in [(0, low), (128, high)] {
            sim.set_field(table_in, place, 128, half);
        }
        sim.set_bit(valid, takes);
        sim.set_bit(en, !stalls);
        sim.set_bit(clear, clears);
        sim.clock()?;
        if clears {
            ways.iter_mut().for_each(|found| *found = None);
            (due, since) = (None, every);
        } else if !stalls {
            let third = xors.map(|xor| if xor { c } else { 0 });
            let made = takes.then(|| {
                let place = Place { and: number, cycle: 0, gate: 0 };
                let table: Vec<u8> =
                    [low, high].iter().flat_map(|half| half.to_le_bytes()).collect();
                let label = evaluate_and(key, place, &table, a ^ third[0], b ^ third[1]);
                (label ^ third[2], beside)
            });
            since = if takes { 1 } else { since + 1 };
            ways.push_back(made);
            due = ways.pop_front().flatten();
        }
        assert_eq!(sim.is_set(done), due.is_some(), "clock {passed}");
        if let Some((wanted, beside)) = due {
            assert_eq!((sim.get_u128(label), sim.get_u128(result)), (wanted, beside));
            seen += 1;
        }
    }
    assert!(seen > 4000 / every / 8, "{seen}");
    Ok(())
}

#[test]
fn pipelined_ands_take_in_what_is_around_them() -> Tested {
    ands(12)
}

#[test]
fn folded_ands_take_in_what_is_around_them() -> Tested {
    ands(0)
}

/// Writes the list of input addresses, and starts a run of 6 netlist cycles.
fn begin(sim: &mut Simulation, list: &VecDeque<u64>) -> Tested {
    let (we, address) = (sim.input("we_i", 1)?, sim.input("address_i", 4)?);
    let (data, entries) = (sim.input("data_i", 16)?, sim.input("entries_i", 5)?);
    let (start, en, cycles) =
        (sim.input("start_i", 1)?, sim.input("en_i", 1)?, sim.input("cycles_i", 32)?);
    sim.set_bit(we, true);
    for (place, &word) in (0..).zip(list) {
        sim.set_u64(address, place);
        sim.set_u64(data, word);
        sim.clock()?;
    }
    sim.set_bit(we, false);
    sim.set_u64(entries, list.len() as u64);
    sim.set_u64(cycles, 6);
    sim.set_bit(start, true);
    sim.set_bit(en, false);
    sim.clock()?;
    sim.set_bit(start, false);
    Ok(())
}

/// Checks that a label written in this clock cycle, if any, has the next address and the next
/// value.
fn check_written(
    sim: &Simulation,
    wanted: &mut VecDeque<u64>,
    labels: &mut VecDeque<u128>,
) -> Tested {
    let (written, waddr) = (sim.output("we_o", 1)?, sim.output("waddr_o", 16)?);
    let label = sim.output("label_o", 128)?;
    if sim.is_set(written) {
        assert_eq!(Some(sim.get_u64(waddr)), wanted.pop_front());
        assert_eq!(Some(sim.get_u128(label)), labels.pop_front());
    }
    Ok(())
}

/// Labels are written to the addresses on the list, then to those in the words, each exactly once,
/// for any pattern of waits of the host and the machine.
#[test]
fn inputs_go_where_they_belong() -> Tested {
    let mut sim = Simulation::new(&Design::of("garbledcpu_inputs").param("Entries", 16).build()?)?;
    let (en, round) = (sim.input("en_i", 1)?, sim.input("round_i", 32)?);
    let (valid, request) = (sim.input("valid_i", 1)?, sim.input("request_i", f::REQUEST_BITS)?);
    let (offered, given) = (sim.input("label_valid_i", 1)?, sim.input("label_i", 128)?);
    let (ready, missing) = (sim.output("label_ready_o", 1)?, sim.output("missing_o", 1)?);
    let mut random = Random(3);
    sim.reset()?;
    let set = |sim: &mut Simulation, port: In, field: Field, value: u64| {
        sim.set_field(port, field.low, field.width, value.into());
    };
    for _ in 0..40 {
        // Addresses in the order of requests, and labels in the order in which the host sends
        // them.
        let mut wanted: VecDeque<u64> = VecDeque::new();
        let mut labels: VecDeque<u128> = VecDeque::new();
        let count = random.u64() % 16;
        wanted.extend((0..count).map(|_| random.u64() % 65_536));
        sim.set_bit(offered, false);
        begin(&mut sim, &wanted)?;
        let mut left = count + 1;
        for _ in 0..120 {
            // When the list is done, words request labels. Some requests are of netlist cycles
            // before the first or after the last.
            let requests = left == 0 && random.chance(50);
            let (word, copies, stage) = (random.u64() % 60_000, random.u64() % 4, random.u64() % 4);
            let (at, there) = (random.u64() % 10, random.chance(80));
            sim.clear(request);
            set(&mut sim, request, f::REQUEST_ADDRESS, word);
            set(&mut sim, request, f::REQUEST_COPIES, copies);
            set(&mut sim, request, f::REQUEST_STAGE, stage);
            set(&mut sim, request, f::REQUEST_VALID, there.into());
            sim.set_u64(round, at);
            sim.set_bit(valid, requests);
            let offers = random.chance(60);
            let value = random.u128();
            sim.set_bit(offered, offers);
            sim.set_u128(given, value);
            sim.settle()?;
            let passes = !sim.is_set(missing) && random.chance(80);
            sim.set_bit(en, passes);
            sim.settle()?;
            if offers && sim.is_set(ready) {
                labels.push_back(value);
            }
            if passes {
                check_written(&sim, &mut wanted, &mut labels)?;
                left = left.saturating_sub(1);
                let cycle = at.checked_sub(stage).filter(|cycle| requests && there && *cycle < 6);
                wanted.extend(cycle.map(|cycle| word + cycle % (1 << copies)));
            }
            sim.clock()?;
        }
        // Waits for labels that are under way. Nothing more is requested, so nothing may be
        // missing.
        sim.set_bit(valid, false);
        for _ in 0..4 {
            let value = random.u128();
            sim.set_bit(offered, true);
            sim.set_u128(given, value);
            sim.settle()?;
            if sim.is_set(ready) {
                labels.push_back(value);
            }
            sim.set_bit(en, !sim.is_set(missing));
            sim.settle()?;
            if !sim.is_set(missing) {
                check_written(&sim, &mut wanted, &mut labels)?;
            }
            sim.clock()?;
        }
        assert!(wanted.is_empty(), "{} labels are missing", wanted.len());
        sim.reset()?;
    }
    Ok(())
}
