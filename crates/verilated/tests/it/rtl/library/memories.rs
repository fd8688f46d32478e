//! Tests of `ram_sdp`, `ram_queue`, `ram_tdp`, `banked_ram` and `lvt_ram`. Words that were never
//! written are not compared.

use halfgate_verilated::{Design, Simulation};

use super::{Random, Tested};

#[test]
fn ram_sdp_gives_what_was_written_last() -> Tested {
    let (width, depth) = (40, 6u64);
    let design = Design::of("ram_sdp").param("Width", width.into()).param("Depth", depth);
    let mut sim = Simulation::new(&design.build()?)?;
    let (we, waddr) = (sim.input("we_i", 1)?, sim.input("waddr_i", 3)?);
    let (wdata, re) = (sim.input("wdata_i", width)?, sim.input("re_i", 1)?);
    let (raddr, rdata) = (sim.input("raddr_i", 3)?, sim.output("rdata_o", width)?);
    let mut random = Random(1);
    let mut words = vec![None; depth as usize];
    let mut expected = None;
    for _ in 0..2000 {
        let (at, word, from) = (random.below(depth), random.bits(width), random.below(depth));
        let (writes, reads) = (random.chance(50), random.chance(60));
        sim.set_bit(we, writes);
        sim.set_u64(waddr, at);
        sim.set_u128(wdata, word);
        sim.set_bit(re, reads);
        sim.set_u64(raddr, from);
        sim.clock()?;
        if writes {
            words[at as usize] = Some(word);
        }
        if reads {
            expected = words[from as usize];
        }
        if let Some(expected) = expected {
            assert_eq!(sim.get_u128(rdata), expected);
        }
    }
    Ok(())
}

#[test]
fn ram_queue_reads_the_word_whose_address_came_a_cycle_ahead() -> Tested {
    // Tests a memory of registers, and a memory with a read-ahead register.
    for (depth, shallow) in [(6u64, 16u64), (6, 2)] {
        let width = 40;
        let design = Design::of("ram_queue")
            .param("Width", width.into())
            .param("Depth", depth)
            .param("Shallow", shallow);
        let mut sim = Simulation::new(&design.build()?)?;
        let (we, waddr) = (sim.input("we_i", 1)?, sim.input("waddr_i", 3)?);
        let (wdata, addr) = (sim.input("wdata_i", width)?, sim.input("addr_i", 3)?);
        let (next, moves) = (sim.input("next_i", 3)?, sim.input("moves_i", 1)?);
        let data = sim.output("data_o", width)?;
        let mut random = Random(4);
        let mut words = vec![None; depth as usize];
        let (mut now, mut known) = (0, false);
        for _ in 0..3000 {
            // The reader may set moves_i and still keep its address.
            let then = if random.chance(40) { random.below(depth) } else { now };
            let set_moves = then != now || random.chance(10);
            let (at, word, writes) = (random.below(depth), random.bits(width), random.chance(50));
            sim.set_bit(we, writes);
            sim.set_u64(waddr, at);
            sim.set_u128(wdata, word);
            sim.set_u64(addr, now);
            sim.set_u64(next, then);
            sim.set_bit(moves, set_moves);
            sim.clock()?;
            if writes {
                words[at as usize] = Some(word);
            }
            (now, known) = (then, known || set_moves);
            sim.set_u64(addr, now);
            sim.set_u64(next, now);
            sim.set_bit(moves, false);
            sim.set_bit(we, false);
            sim.settle()?;
            if let (true, Some(word)) = (known, words[now as usize]) {
                assert_eq!(sim.get_u128(data), word);
            }
        }
    }
    Ok(())
}

#[test]
fn ram_tdp_ports_are_equal() -> Tested {
    let (width, depth) = (33, 8u64);
    let design = Design::of("ram_tdp").param("Width", width.into()).param("Depth", depth);
    let mut sim = Simulation::new(&design.build()?)?;
    let mut ports = Vec::new();
    for name in ["a", "b"] {
        let input = |port, width| sim.input(&format!("{name}_{port}_i"), width);
        let inputs = (input("en", 1)?, input("we", 1)?, input("addr", 3)?, input("wdata", width)?);
        ports.push((inputs, sim.output(&format!("{name}_rdata_o"), width)?));
    }
    let mut random = Random(2);
    let mut words = vec![None; depth as usize];
    let mut expected = [None, None];
    for _ in 0..3000 {
        let accesses = [0, 1].map(|_| {
            (random.chance(80), random.chance(40), random.below(depth), random.bits(width))
        });
        let [(a_en, a_we, a_addr, _), (b_en, b_we, b_addr, _)] = accesses;
        let meet = a_en && b_en && a_addr == b_addr;
        if meet && a_we && b_we {
            continue;
        }
        let before = words.clone();
        for (((en_port, we_port, addr_port, data_port), _), (en, we, addr, word)) in
            ports.iter().zip(accesses)
        {
            sim.set_bit(*en_port, en);
            sim.set_bit(*we_port, we);
            sim.set_u64(*addr_port, addr);
            sim.set_u128(*data_port, word);
            if en && we {
                words[addr as usize] = Some(word);
            }
        }
        sim.clock()?;
        for (port, (en, we, addr, word)) in accesses.into_iter().enumerate() {
            if en {
                expected[port] = match we {
                    true => Some(word),
                    // The word is undefined if the other port writes to the same address.
                    false if meet && (a_we || b_we) => None,
                    false => before[addr as usize],
                };
            }
            if let Some(expected) = expected[port] {
                assert_eq!(sim.get_u128(ports[port].1), expected, "port {port}");
            }
        }
    }
    Ok(())
}

#[test]
fn banked_ram_serves_users_of_a_bank_in_turns() -> Tested {
    for (users, banks, depth) in [(4u32, 4u64, 32u64), (3, 2, 24), (1, 2, 2)] {
        let (width, address) = (20u32, depth.next_power_of_two().ilog2());
        let design = Design::of("banked_ram")
            .param("Users", users.into())
            .param("Width", width.into())
            .param("Depth", depth)
            .param("Banks", banks);
        let mut sim = Simulation::new(&design.build()?)?;
        let (req, we) = (sim.input("req_i", users)?, sim.input("we_i", users)?);
        let addr = sim.input("addr_i", users * address)?;
        let wdata = sim.input("wdata_i", users * width)?;
        let (gnt, valid) = (sim.output("gnt_o", users)?, sim.output("valid_o", users)?);
        let rdata = sim.output("rdata_o", users * width)?;
        sim.reset()?;
        let mut random = Random(depth);
        let mut words = vec![None; depth as usize];
        let mut turns = vec![0; banks as usize];
        for _ in 0..1500 {
            sim.clear(req);
            let mut requests = Vec::new();
            for u in 0..users {
                let (writes, at) = (random.chance(40), random.below(depth));
                let word = random.bits(width);
                sim.set_field(we, u, 1, writes.into());
                sim.set_field(addr, u * address, address, at.into());
                sim.set_field(wdata, u * width, width, word);
                if random.chance(70) {
                    sim.set_field(req, u, 1, 1);
                    requests.push((u, writes, at, word));
                }
            }
            sim.settle()?;
            let mut found = vec![None; users as usize];
            let mut served = 0;
            for (bank, turn) in turns.iter_mut().enumerate() {
                let here = requests.iter().filter(|request| request.2 % banks == bank as u64);
                let first = here.min_by_key(|request| (request.0 + users - *turn) % users);
                if let Some(&(u, writes, at, word)) = first {
                    served |= 1 << u;
                    *turn = (u + 1) % users;
                    if writes {
                        words[at as usize] = Some(word);
                    } else {
                        found[u as usize] = Some(words[at as usize]);
                    }
                }
            }
            assert_eq!(sim.get_u64(gnt), served);
            sim.clock()?;
            for (u, found) in (0..).zip(&found) {
                assert_eq!(sim.field(valid, u, 1) != 0, found.is_some());
                if let Some(Some(word)) = found {
                    assert_eq!(sim.field(rdata, u * width, width), *word);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn lvt_ram_has_as_many_ports_as_one_likes() -> Tested {
    for (writes, reads) in [(1u32, 2u32), (3, 2)] {
        let (width, depth, address) = (17u32, 12u64, 4u32);
        let design = Design::of("lvt_ram")
            .param("Width", width.into())
            .param("Depth", depth)
            .param("Writes", writes.into())
            .param("Reads", reads.into());
        let mut sim = Simulation::new(&design.build()?)?;
        let (we, waddr) = (sim.input("we_i", writes)?, sim.input("waddr_i", writes * address)?);
        let wdata = sim.input("wdata_i", writes * width)?;
        let (re, raddr) = (sim.input("re_i", reads)?, sim.input("raddr_i", reads * address)?);
        let rdata = sim.output("rdata_o", reads * width)?;
        let mut random = Random(writes.into());
        let mut words = vec![None; depth as usize];
        let mut expected = vec![None; reads as usize];
        for _ in 0..2000 {
            sim.clear(we);
            let mut written = Vec::new();
            for w in 0..writes {
                let (at, word) = (random.below(depth), random.bits(width));
                sim.set_field(waddr, w * address, address, at.into());
                sim.set_field(wdata, w * width, width, word);
                if random.chance(50) && !written.contains(&at) {
                    sim.set_field(we, w, 1, 1);
                    written.push(at);
                    words[at as usize] = Some(word);
                }
            }
            for r in 0..reads {
                let (from, requests) = (random.below(depth), random.chance(80));
                sim.set_field(raddr, r * address, address, from.into());
                sim.set_field(re, r, 1, requests.into());
                if requests {
                    expected[r as usize] = words[from as usize];
                }
            }
            sim.clock()?;
            for (r, expected) in (0..).zip(&expected) {
                if let Some(word) = expected {
                    assert_eq!(sim.field(rdata, r * width, width), *word, "port {r}");
                }
            }
        }
    }
    Ok(())
}
