//! Tests of `fifo`, `fifo_burst`, `stream_register` and `rr_arbiter`.

use std::collections::VecDeque;

use halfgate_verilated::{Design, Simulation};

use super::{Random, Tested};

/// Percentages of pushes and of pops, one pair for each part of a test: empty, full, and in
/// between.
const PACES: [(u64, u64); 5] = [(90, 30), (30, 90), (100, 100), (50, 50), (100, 0)];

fn bits_for(most: u64) -> u32 {
    64 - most.leading_zeros()
}

#[test]
fn fifo_is_a_queue() -> Tested {
    // The deepest one is a block RAM.
    for (width, depth) in [(7, 1u64), (33, 5), (128, 8), (128, 37)] {
        let design = Design::of("fifo").param("Width", width.into()).param("Depth", depth);
        let mut sim = Simulation::new(&design.build()?)?;
        let (clear, push) = (sim.input("clear_i", 1)?, sim.input("push_i", 1)?);
        let (data, pop) = (sim.input("data_i", width)?, sim.input("pop_i", 1)?);
        let (head, level) = (sim.output("data_o", width)?, sim.output("level_o", bits_for(depth))?);
        let (empty, full) = (sim.output("empty_o", 1)?, sim.output("full_o", 1)?);
        sim.reset()?;
        let mut random = Random(depth);
        let mut queue = VecDeque::new();
        for (pushes, pops) in PACES {
            for _ in 0..200 {
                assert_eq!(sim.get_u64(level), queue.len() as u64);
                assert_eq!(sim.is_set(empty), queue.is_empty());
                assert_eq!(sim.is_set(full), queue.len() as u64 == depth);
                if let Some(first) = queue.front() {
                    assert_eq!(sim.get_u128(head), *first);
                }
                let (word, clears) = (random.bits(width), random.chance(2));
                let pushed = (queue.len() as u64) < depth && random.chance(pushes);
                let popped = !queue.is_empty() && random.chance(pops);
                sim.set_u128(data, word);
                sim.set_bit(push, pushed);
                sim.set_bit(pop, popped);
                sim.set_bit(clear, clears);
                sim.clock()?;
                if popped {
                    queue.pop_front();
                }
                if pushed {
                    queue.push_back(word);
                }
                if clears {
                    queue.clear();
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_fifo_that_is_overwritten_and_cleared_shows_nothing_old() -> Tested {
    // Queues of labels are wiped in this way, in registers and in a block RAM with read-ahead.
    let width = 128;
    for depth in [8u64, 32] {
        let design = Design::of("fifo").param("Width", width.into()).param("Depth", depth);
        let mut sim = Simulation::new(&design.build()?)?;
        let (clear, push) = (sim.input("clear_i", 1)?, sim.input("push_i", 1)?);
        let (data, pop) = (sim.input("data_i", width)?, sim.input("pop_i", 1)?);
        let head = sim.output("data_o", width)?;
        sim.reset()?;
        let mut random = Random(depth);
        for pops in 0..depth {
            let mut step = |clears, pushes, pops, word| {
                sim.set_bit(clear, clears);
                sim.set_bit(push, pushes);
                sim.set_bit(pop, pops);
                sim.set_u128(data, word);
                sim.clock()
            };
            for _ in 0..depth {
                step(false, true, false, random.bits(width))?;
            }
            for _ in 0..pops {
                step(false, false, true, 0)?;
            }
            step(true, false, false, 0)?;
            for _ in 0..depth {
                step(false, true, false, 0)?;
            }
            step(true, false, false, 0)?;
            assert_eq!(sim.get_u128(head), 0, "depth {depth}, after {pops} were taken");
        }
    }
    Ok(())
}

#[test]
fn fifo_burst_is_a_queue_of_several_a_cycle() -> Tested {
    // Words of a burst one by one; tables two by two; depths that are no power of two.
    for (depth, most_in, most_out) in
        [(33u64, 16u64, 1u64), (6, 1, 2), (7, 3, 2), (1, 1, 1), (72, 1, 2)]
    {
        let width = 19;
        let design = Design::of("fifo_burst")
            .param("Width", width.into())
            .param("Depth", depth)
            .param("MaxPush", most_in)
            .param("MaxPop", most_out);
        let mut sim = Simulation::new(&design.build()?)?;
        let (clear, push) = (sim.input("clear_i", 1)?, sim.input("push_i", bits_for(most_in))?);
        let data = sim.input("data_i", width * most_in as u32)?;
        let pop = sim.input("pop_i", bits_for(most_out))?;
        let head = sim.output("data_o", width * most_out as u32)?;
        let level = sim.output("level_o", bits_for(depth))?;
        sim.reset()?;
        let mut random = Random(depth);
        let mut queue: VecDeque<u128> = VecDeque::new();
        for (pushes, pops) in PACES {
            for _ in 0..300 {
                assert_eq!(sim.get_u64(level), queue.len() as u64);
                for (i, word) in (0..most_out as u32).zip(&queue) {
                    assert_eq!(sim.field(head, i * width, width), *word);
                }
                let space = (depth - queue.len() as u64).min(most_in);
                let pushed = if random.chance(pushes) { random.below(space + 1) } else { 0 };
                let there = (queue.len() as u64).min(most_out);
                let popped = if random.chance(pops) { random.below(there + 1) } else { 0 };
                let clears = random.chance(1);
                let words: Vec<u128> = (0..most_in).map(|_| random.bits(width)).collect();
                for (i, word) in (0..).zip(&words) {
                    sim.set_field(data, i * width, width, *word);
                }
                sim.set_u64(push, pushed);
                sim.set_u64(pop, popped);
                sim.set_bit(clear, clears);
                sim.clock()?;
                queue.drain(..popped as usize);
                queue.extend(&words[..pushed as usize]);
                if clears {
                    queue.clear();
                }
            }
        }
    }
    Ok(())
}

#[test]
fn stream_register_keeps_order_and_pace() -> Tested {
    let width = 24;
    let design = Design::of("stream_register").param("Width", width.into());
    let mut sim = Simulation::new(&design.build()?)?;
    let (clear, valid) = (sim.input("clear_i", 1)?, sim.input("valid_i", 1)?);
    let (data, ready) = (sim.input("data_i", width)?, sim.input("ready_i", 1)?);
    let (may, offers) = (sim.output("ready_o", 1)?, sim.output("valid_o", 1)?);
    let out = sim.output("data_o", width)?;
    sim.reset()?;
    let mut random = Random(1);
    let mut queue = VecDeque::new();
    for (pushes, pops) in PACES {
        let mut moved = 0;
        for _ in 0..300 {
            let (word, offered) = (random.bits(width), random.chance(pushes));
            let (taken, clears) = (random.chance(pops), random.chance(1) && pushes != pops);
            sim.set_u128(data, word);
            sim.set_bit(valid, offered);
            sim.set_bit(ready, taken);
            sim.set_bit(clear, clears);
            sim.settle()?;
            assert_eq!(sim.is_set(offers), !queue.is_empty());
            assert_eq!(sim.is_set(may), queue.len() < 2);
            if let Some(first) = queue.front() {
                assert_eq!(sim.get_u128(out), *first);
            }
            let pushed = offered && sim.is_set(may);
            if taken && queue.pop_front().is_some() {
                moved += 1;
            }
            if pushed {
                queue.push_back(word);
            }
            if clears {
                queue.clear();
            }
            sim.clock()?;
            if clears {
                assert_eq!(sim.get_u128(out), 0, "what it held stays");
            }
        }
        assert!((pushes, pops) != (100, 100) || moved >= 298, "an entry each cycle: {moved}");
    }
    Ok(())
}

#[test]
fn arbiter_serves_in_turns() -> Tested {
    for requests in [1u32, 5, 16] {
        let design = Design::of("rr_arbiter").param("Requests", requests.into());
        let mut sim = Simulation::new(&design.build()?)?;
        let (clear, req) = (sim.input("clear_i", 1)?, sim.input("req_i", requests)?);
        let (ready, gnt) = (sim.input("ready_i", 1)?, sim.output("gnt_o", requests)?);
        let index = sim.output("index_o", bits_for(u64::from(requests - 1)).max(1))?;
        let valid = sim.output("valid_o", 1)?;
        sim.reset()?;
        let mut random = Random(requests.into());
        let mut turn = 0;
        for _ in 0..1000 {
            let raised =
                random.bits(requests) & if random.chance(50) { !0 } else { random.bits(128) };
            let (served, clears) = (random.chance(70), random.chance(2));
            sim.set_u128(req, raised);
            sim.set_bit(ready, served);
            sim.set_bit(clear, clears);
            sim.settle()?;
            let order = (turn..requests).chain(0..turn);
            let chosen = order.into_iter().find(|i| raised >> i & 1 != 0);
            assert_eq!(sim.is_set(valid), chosen.is_some());
            assert_eq!(sim.get_u128(gnt), chosen.map_or(0, |i| 1 << i));
            assert_eq!(sim.get_u64(index), u64::from(chosen.unwrap_or(0)));
            if let Some(i) = chosen
                && served
            {
                turn = (i + 1) % requests;
            }
            if clears {
                turn = 0;
            }
            sim.clock()?;
        }
    }
    Ok(())
}
