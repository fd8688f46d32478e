//! A gate engine by itself: the cycles of its issues, every cause of a cycle without an issue, and
//! the results of its units. The expected cycles are those of machines/haac/spec/machine.md.

pub mod mutants;

use crate::rtl::engine_bench::{
    AND_BASE, Bench, DELTA, FIRST, FOLDED_INTERVAL, FOLDED_LATENCY, LIVE, POINT,
};
use crate::rtl::engine_bench::{TABLES, and_latency, design, input};
use halfgate_circuit::Party;
use halfgate_haac_model::instruction::Op::{And, Unary, Xor};
use halfgate_haac_model::model::Cause::*;
use halfgate_reference::{Key, Place, Suite, evaluate_and, garble_and};

type Tested = Result<(), Box<dyn std::error::Error>>;

const ROLES: [Party; 2] = [Party::Garbler, Party::Evaluator];
const COPY: u32 = 1;
const INV: u32 = 2;
const KEY: Key = Key { suite: Suite::HalfGates, point: POINT };

fn place(number: u64) -> Place {
    Place { and: AND_BASE + number, cycle: 0, gate: 0 }
}

/// A table for the evaluator, as memory holds it.
fn table(number: u8) -> [u8; 32] {
    std::array::from_fn(|i| (37 * u32::from(number) + 11 * i as u32) as u8)
}

/// An engine; an evaluator's also has tables in its queue.
fn bench(role: Party) -> Result<Bench, halfgate_verilated::Error> {
    with_tables(Bench::new(role)?, role)
}

fn with_tables(mut bench: Bench, role: Party) -> Result<Bench, halfgate_verilated::Error> {
    if role == Party::Evaluator {
        for burst in 0..TABLES as u8 / 2 {
            bench.around.table_grant = 2;
            bench.around.tables = vec![table(2 * burst), table(2 * burst + 1)];
            bench.cycle()?;
        }
    }
    Ok(bench)
}

/// The label of an AND's output.
fn and(role: Party, number: u64, a: u128, b: u128) -> u128 {
    match role {
        Party::Garbler => garble_and(KEY, DELTA, place(number), a, b).0,
        Party::Evaluator => evaluate_and(KEY, place(number), &table(number as u8), a, b),
    }
}

#[test]
fn an_instruction_issues_six_cycles_after_its_dispatch() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let out = bench.give(Xor, 1, 2, false);
        assert_eq!(bench.until_issue()?, 6);
        let issued = bench.now - 1;
        bench.causes(2)?;
        assert_eq!(bench.results[&out], (input(1) ^ input(2), issued + 1));
    }
    Ok(())
}

#[test]
fn forwarding_costs_no_cycle() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let first = bench.give(Xor, 1, 2, false);
        let second = bench.give(And, first, 3, false);
        let third = bench.give(Xor, second, first, false);
        bench.until_issue()?;
        let issued = bench.now - 1;
        let mut forwarded = 0;
        assert_eq!(bench.causes(1)?, [Issue], "the AND in the next cycle");
        for _ in 1..and_latency(role) {
            let seen = bench.cycle()?;
            assert_eq!(seen.cause, Operand);
            forwarded += seen.forwarded;
        }
        let seen = bench.cycle()?;
        assert_eq!((seen.cause, bench.now - 1 - issued), (Issue, 1 + and_latency(role)));
        assert_eq!(forwarded + seen.forwarded, 1, "of {first}, the second had it in its stage");
        bench.causes(2)?;
        let label = and(role, 0, input(1) ^ input(2), input(3));
        assert_eq!(bench.results[&second].0, label);
        assert_eq!(bench.results[&third].0, label ^ input(1) ^ input(2));
    }
    Ok(())
}

#[test]
fn a_result_is_found_on_the_bus_or_in_the_window() -> Tested {
    for distance in 1..8 {
        let mut bench = Bench::new(Party::Garbler)?;
        let first = bench.give(Xor, 1, 2, false);
        bench.causes(distance)?;
        let second = bench.give(Xor, first, 3, false);
        let seen = (0..12).map(|_| bench.cycle()).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(bench.results[&second].0, input(1) ^ input(2) ^ input(3), "{distance} apart");
        assert_eq!(bench.results[&second].1, bench.results[&first].1 + distance as u64);
        // The result is on the bus in cycle 7, and in the window from cycle 8 on. The access is in
        // cycle 4 + distance.
        let forwarded: u32 = seen.iter().map(|seen| seen.forwarded).sum();
        assert_eq!(forwarded, u32::from(4 + distance < 8), "{distance} apart");
    }
    Ok(())
}

#[test]
fn an_and_is_accepted_in_every_cycle() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let outs: Vec<u32> = (0..TABLES).map(|i| bench.give(And, 1 + i, 8 - i, false)).collect();
        let mut busy = 0;
        let seen: Vec<_> = (0..60).map(|_| bench.cycle()).collect::<Result<_, _>>()?;
        let first = seen.iter().position(|seen| seen.cause == Issue).ok_or("none issued")?;
        for seen in &seen[first..first + TABLES as usize] {
            assert_eq!(seen.cause, Issue);
        }
        busy += seen.iter().filter(|seen| seen.half_gate).count() as u64;
        assert_eq!(busy, and_latency(role) + u64::from(TABLES) - 1);
        let reads: u32 = seen.iter().map(|seen| seen.reads).sum();
        assert_eq!(reads, 2 * TABLES);
        for (number, out) in (0..).zip(outs) {
            let (a, b) = (input(1 + number), input(8 - number));
            assert_eq!(bench.results[&out].0, and(role, number.into(), a, b), "AND {number}");
        }
        if role == Party::Garbler {
            // Tables leave in the order of ANDs, and equal those of the reference.
            for number in 0..TABLES {
                let (a, b) = (input(1 + number), input(8 - number));
                let table = garble_and(KEY, DELTA, place(number.into()), a, b).1;
                assert_eq!(bench.first_table(), table, "table {number}");
                bench.around.table_grant = 1;
                bench.cycle()?;
            }
            assert_eq!(bench.get("tables_taken_o"), 0);
        }
    }
    Ok(())
}

#[test]
fn a_folded_half_gate_takes_an_and_every_ten_cycles() -> Tested {
    for role in ROLES {
        let mut bench = with_tables(Bench::of(&design(role, true))?, role)?;
        let outs = [bench.give(And, 1, 2, false), bench.give(And, 3, 4, false)];
        let third = bench.give(And, outs[1], outs[0], false);
        bench.until_issue()?;
        let issued = bench.now - 1;
        let wait = FOLDED_INTERVAL as usize - 1;
        assert_eq!(bench.causes(4)?, [Operand; 4], "the unit counts as an operand");
        // The unit runs on while the machine pauses. Its result is still on the bus in the right
        // cycle.
        bench.around.run = false;
        bench.causes(30)?;
        bench.around.run = true;
        let causes = bench.causes(wait - 4 + 1)?;
        assert_eq!(causes.iter().position(|cause| *cause == Issue), Some(wait - 4));
        bench.until_issue()?;
        bench.causes(FOLDED_LATENCY as usize + 1)?;
        let second = issued + FOLDED_INTERVAL;
        let labels = [and(role, 0, input(1), input(2)), and(role, 1, input(3), input(4))];
        assert_eq!(bench.results[&outs[0]], (labels[0], issued + FOLDED_LATENCY));
        assert_eq!(bench.results[&outs[1]], (labels[1], second + FOLDED_LATENCY));
        let label = and(role, 2, labels[1], labels[0]);
        assert_eq!(bench.results[&third], (label, second + 2 * FOLDED_LATENCY));
        if role == Party::Garbler {
            let table = garble_and(KEY, DELTA, place(0), input(1), input(2)).1;
            assert_eq!(bench.first_table(), table);
        }
    }
    Ok(())
}

#[test]
fn unary_copies_and_inverts() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let copy = bench.give(Unary, 4, COPY, false);
        let inverse = bench.give(Unary, copy, INV, false);
        bench.causes(12)?;
        let flip = if role == Party::Garbler { DELTA } else { 0 };
        assert_eq!(bench.results[&copy].0, input(4));
        assert_eq!(bench.results[&inverse].0, input(4) ^ flip);
        assert_eq!(bench.results[&inverse].1, bench.results[&copy].1 + 1);
    }
    Ok(())
}

#[test]
fn a_gap_carries_what_the_dispatcher_did_six_cycles_ago() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    assert_eq!(bench.causes(6)?, [Instructions; 6], "before the first cycle nothing had arrived");
    let given = [Nop, Behind, Instructions, Finished, Nop, Nop, Behind];
    let mut seen = Vec::new();
    for cause in given {
        bench.around.nothing = cause;
        seen.extend(bench.causes(1)?);
    }
    bench.around.nothing = Finished;
    seen.extend(bench.causes(6)?);
    assert_eq!(seen[6..], given);
    Ok(())
}

#[test]
fn refused_reads_are_repeated_and_won_ones_are_kept() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    bench.give(Xor, 1, 2, false);
    bench.give(Xor, 3, 4, false);
    bench.causes(3)?;
    // R1's access for b is refused. D wins the access for its b a cycle early, although R1 stays.
    bench.around.refuse_reads = 0b0110;
    let seen = bench.cycle()?;
    assert_eq!((seen.requested, seen.reads), (0b1111, 2));
    let seen = bench.cycle()?;
    assert_eq!((seen.requested, seen.reads), (0b0110, 0));
    bench.around.refuse_reads = 0;
    let seen = bench.cycle()?;
    assert_eq!((seen.requested, seen.reads), (0b0110, 2));
    assert_eq!(bench.cycle()?.requested, 0, "no request is left");
    assert_eq!(bench.causes(4)?, [Bank, Issue, Issue, Finished]);
    bench.causes(2)?;
    assert_eq!(bench.results[&FIRST].0, input(1) ^ input(2));
    assert_eq!(bench.results[&(FIRST + 1)].0, input(3) ^ input(4));
    Ok(())
}

#[test]
fn operands_of_one_slot_share_an_access() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    let outs = [bench.give(Xor, 5, 5, false), bench.give(And, 5, 5, false)];
    let reads: u32 =
        (0..40).map(|_| bench.cycle().map(|seen| seen.reads)).sum::<Result<u32, _>>()?;
    assert_eq!(reads, 2);
    assert_eq!(bench.results[&outs[0]].0, 0);
    assert_eq!(bench.results[&outs[1]].0, and(Party::Garbler, 0, input(5), input(5)));
    Ok(())
}

#[test]
fn out_of_range_operands_come_one_a_cycle_the_first_first() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        // a and b differ, and a half gate is not symmetric. So exchanging the operands would be
        // seen.
        bench.around.address_grant = 2;
        bench.around.address_words = vec![20, 21];
        let out = bench.give(And, 0, 0, false);
        assert_eq!(bench.causes(8)?[6..], [OorEmpty; 2]);
        let (a, b) = (input(20), input(21));
        bench.around.wire_grant = true;
        bench.cycle()?;
        assert_eq!((bench.get("wires_level_o"), bench.get("wires_taken_o")), (0, 1));
        bench.around.wire = Some(a);
        bench.around.wire_grant = true;
        assert!(!bench.cycle()?.pops, "seen a cycle later");
        bench.around.wire = Some(b);
        assert!(bench.cycle()?.pops);
        assert!(bench.cycle()?.pops, "the second leaves with the instruction");
        assert_eq!((bench.get("wires_level_o"), bench.get("wires_taken_o")), (0, 0));
        assert_eq!(bench.causes(3)?, [OorEmpty, OorEmpty, Issue]);
        bench.causes(and_latency(role) as usize + 1)?;
        assert_eq!(bench.results[&out].0, and(role, 0, a, b));
    }
    Ok(())
}

#[test]
fn the_read_interlock_and_inputs_hold_an_instruction_in_r1() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    // First all outputs up to half 1, then one in half 2, which waits until half 0 is complete.
    for _ in FIRST..63 {
        bench.give(Unary, 1, COPY, false);
    }
    let far = bench.give(Xor, 62, 61, false);
    let causes = bench.causes(80)?;
    assert_eq!(causes.iter().filter(|cause| **cause == Issue).count(), 55);
    assert_eq!(far, 63, "half 1 does not wait");
    let held = bench.give(Xor, 62, 63, false);
    assert_eq!(
        bench.causes(10)?[7..],
        [Interlock; 3],
        "65 is in half 2, and half 0 the lowest open"
    );
    assert!(!bench.results.contains_key(&held));
    bench.around.complete = 1;
    assert_eq!(bench.causes(4)?, [Interlock, Interlock, Interlock, Issue]);
    Ok(())
}

#[test]
fn an_input_must_be_loaded() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    bench.around.loaded = 8;
    bench.around.all_loaded = false;
    bench.give(Xor, 7, 8, false);
    bench.give(Xor, 1, 2, false);
    assert_eq!(bench.causes(9)?[6..], [Input; 3]);
    let seen = bench.cycle()?;
    assert_eq!((seen.requested, seen.cause), (0, Input), "the next one requests nothing either");
    bench.around.loaded = FIRST;
    assert_eq!(bench.causes(5)?, [Input, Input, Input, Issue, Issue]);
    Ok(())
}

#[test]
fn x_waits_in_the_order_of_the_conditions() -> Tested {
    for role in ROLES {
        let mut bench = Bench::new(role)?;
        bench.give(And, 1, 2, true);
        bench.around.stall = true;
        bench.around.oldest_half = 0;
        bench.around.refuse_write = true;
        assert_eq!(bench.causes(8)?[6..], [Operand; 2], "kept from issuing");
        bench.around.stall = false;
        // The half of its output is 0, so no earlier half can block it.
        let first = if role == Party::Evaluator { Table } else { WritePort };
        assert_eq!(bench.causes(2)?, [first; 2]);
        if role == Party::Evaluator {
            bench.around.table_grant = 1;
            bench.around.tables = vec![self::table(0)];
        }
        bench.causes(1)?;
        assert_eq!(bench.causes(1)?, [WritePort]);
        bench.around.refuse_write = false;
        assert_eq!(bench.causes(1)?, [Issue]);
        assert_eq!(bench.get("live_taken_o"), 1);
        bench.causes(and_latency(role) as usize - 1)?;
        assert_eq!((bench.get("live_level_o"), bench.get("live_taken_o")), (0, 1));
        bench.causes(1)?;
        assert_eq!(bench.get("live_level_o"), 1);
        assert_eq!(bench.get("live_addr_o"), FIRST.into());
        assert_eq!(bench.get("live_label_o"), and(role, 0, input(1), input(2)));
        bench.around.live_grant = true;
        bench.cycle()?;
        assert_eq!((bench.get("live_level_o"), bench.get("live_taken_o")), (0, 0));
    }
    Ok(())
}

#[test]
fn the_write_interlock_waits_for_readers_and_the_loader() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    bench.around.complete = 1;
    // Halves have 32 addresses, so output 32 begins half 1.
    for _ in FIRST..32 {
        bench.give(Unary, 1, COPY, false);
    }
    bench.around.oldest_half = 0;
    bench.around.all_loaded = false;
    bench.give(Unary, 1, COPY, false);
    let causes = bench.causes(40)?;
    assert_eq!(causes.iter().filter(|cause| **cause == Issue).count(), 23);
    assert_eq!(causes[39], Interlock);
    bench.around.oldest_half = 1;
    assert_eq!(bench.causes(2)?, [Interlock; 2], "the loader is at work");
    bench.around.oldest_half = 0;
    bench.around.all_loaded = true;
    assert_eq!(bench.causes(2)?, [Interlock; 2], "an instruction of half 0 has still to read");
    bench.around.oldest_half = u32::MAX;
    assert_eq!(bench.causes(1)?, [Issue]);
    Ok(())
}

#[test]
fn full_queues_hold_instructions_in_x() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    for _ in 0..=LIVE {
        bench.give(Xor, 1, 2, true);
    }
    assert_eq!(bench.causes(10)?[6..], [Issue, Issue, LiveFull, LiveFull]);
    bench.around.live_grant = true;
    assert_eq!(bench.causes(2)?, [LiveFull, Issue]);
    for _ in 0..=TABLES {
        bench.give(And, 1, 2, false);
    }
    let mut causes = bench.causes(40)?;
    causes.retain(|cause| *cause != Finished);
    assert_eq!(causes[..TABLES as usize], [Issue; TABLES as usize]);
    assert!(causes[TABLES as usize..].iter().all(|cause| *cause == Table));
    bench.around.table_grant = 2;
    assert_eq!(bench.causes(2)?, [Table, Issue]);
    Ok(())
}

#[test]
fn live_results_of_one_cycle_queue_the_ands_first() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let and_out = bench.give(And, 1, 2, true);
        bench.until_issue()?;
        bench.causes(and_latency(role) as usize - 8)?;
        let xor_out = bench.give(Xor, 3, 4, true);
        bench.causes(9)?;
        assert_eq!(bench.results[&and_out].1, bench.results[&xor_out].1, "on the bus together");
        assert_eq!(bench.get("live_level_o"), 2);
        for out in [and_out, xor_out] {
            assert_eq!(bench.get("live_addr_o"), out.into());
            assert_eq!(bench.get("live_label_o"), bench.results[&out].0);
            bench.around.live_grant = true;
            bench.cycle()?;
        }
    }
    Ok(())
}

#[test]
fn addresses_come_in_bursts_and_leave_one_by_one() -> Tested {
    let mut bench = Bench::new(Party::Garbler)?;
    let words: Vec<u32> = (0..17).map(|i| (1000 + i) | (u32::from(i % 3 == 0) << 31)).collect();
    bench.around.address_grant = 16;
    bench.cycle()?;
    bench.around.address_grant = 1;
    bench.around.address_words = words[..16].to_vec();
    bench.cycle()?;
    bench.around.address_words = words[16..].to_vec();
    bench.cycle()?;
    assert_eq!((bench.get("addrs_level_o"), bench.get("addrs_taken_o")), (17, 17));
    for word in words {
        let head = bench.get("addr_head_o") as u32 | (bench.get("addr_last_o") as u32) << 31;
        assert_eq!(head, word);
        bench.around.wire_grant = true;
        bench.cycle()?;
        bench.around.wire = Some(1);
        bench.cycle()?;
        bench.give(Unary, 0, COPY, false);
        bench.causes(4)?;
    }
    assert_eq!((bench.get("addrs_level_o"), bench.get("addrs_taken_o")), (0, 0));
    Ok(())
}

#[test]
fn nothing_moves_without_run_and_clear_empties() -> Tested {
    for role in ROLES {
        let mut bench = bench(role)?;
        let first = bench.give(And, 1, 2, true);
        let second = bench.give(Xor, first, 3, true);
        bench.causes(9)?;
        bench.around.run = false;
        bench.causes(50)?;
        assert!(!bench.results.contains_key(&first));
        bench.around.run = true;
        bench.causes(and_latency(role) as usize + 1)?;
        let label = and(role, 0, input(1), input(2));
        assert_eq!(bench.results[&second].0, label ^ input(3));

        bench.give(And, 4, 5, true);
        bench.give(Xor, 0, 5, true);
        bench.causes(10)?;
        assert!(!bench.cycle()?.idle);
        (bench.around.run, bench.around.clear) = (false, true);
        bench.cycle()?;
        bench.around.clear = false;
        bench.wait_for_wiping()?;
        for level in
            ["fifo_level_o", "tables_level_o", "tables_taken_o", "live_taken_o", "live_level_o"]
        {
            assert_eq!(bench.get(level), 0, "{level}");
        }
        // The queues' memories and the bus hold nothing of the last run.
        assert_eq!(bench.get("live_label_o"), 0);
        assert!(!bench.is_set("res_label_o"));
        bench.around.run = true;
        assert_eq!(bench.causes(6)?, [Instructions; 6]);
        assert!(bench.cycle()?.idle);
        bench.causes(30)?;
        assert_eq!(bench.get("res_valid_o"), 0);
    }
    Ok(())
}
