//! Small parts of HAAC's memory side: checksums, the contract's timing, and the showing of
//! responses.

use std::collections::VecDeque;

use crate::rtl::memory_bench::{Random, Tested};
use crc_fast::{CrcAlgorithm, checksum};
use halfgate_verilated::{Design, In, Simulation};

/// CRC-32C of a stream.
fn crc(bytes: &[u8]) -> u64 {
    checksum(CrcAlgorithm::Crc32Iscsi, bytes)
}

#[test]
fn a_burst_moves_the_crc_as_64_bytes_do() -> Tested {
    let mut sim = Simulation::new(&Design::of("crc32c").param("Bytes", 64).build()?)?;
    let (state, data) = (sim.input("crc_i", 32)?, sim.input("data_i", 512)?);
    let next = sim.output("crc_o", 32)?;
    let mut random = Random(1);
    let mut stream = Vec::new();
    sim.set_bit(sim.input("valid_i", 1)?, true);
    sim.set_u64(state, u32::MAX.into());
    for _ in 0..50 {
        let burst = random.burst();
        stream.extend(burst);
        sim.set_bytes(data, &burst);
        sim.settle()?;
        let is = sim.get_u64(next);
        assert_eq!(is ^ 0xffff_ffff, crc(&stream));
        sim.set_u64(state, is);
    }
    Ok(())
}

/// All ports with one engine each, and the module that adds up their checksums.
const CHECKSUMS: &str = "
module checksum_bench
  import haac_regs_pkg::*;
#(parameter int unsigned NumPorts = 1) (
  input  logic clk_i, rst_ni, clear_i, go_i,
  input  logic [NumPorts-1:0][2:0] push_i,
  input  logic [NumPorts-1:0][511:0] burst_i,
  input  logic [31:0] bursts_i, crc_i,
  input  logic [NumPorts-1:0][31:0] words_i, oor_crc_i,
  output logic done_o, bad_o,
  output logic [7:0] stream_o, engine_o,
  output logic [31:0] descriptor_o
);
  logic [NumPorts-1:0][31:0] part, oor, descriptor;
  stream_e stream;
  assign stream_o = stream;
  assign descriptor_o = descriptor[0];
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    haac_checksum #(.NumPorts(NumPorts), .First(p == 0)) u_checksum (
      .clk_i, .rst_ni, .clear_i, .push_i(push_i[p]), .burst_i(burst_i[p]),
      .descriptor_o(descriptor[p]), .part_o(part[p]), .oor_o(oor[p])
    );
  end
  haac_crc_sum #(.Engines(NumPorts), .NumPorts(NumPorts)) u_sum (
    .clk_i, .rst_ni, .go_i, .bursts_i, .part_i(part), .crc_i, .oor_words_i(words_i), .oor_i(oor),
    .oor_crc_i, .done_o, .bad_o, .stream_o(stream), .engine_o
  );
endmodule
";

/// Sets the 64 bytes of a port's burst, from bit `low` on.
fn set_burst(sim: &mut Simulation, port: In, low: u32, bytes: &[u8; 64]) {
    for (i, part) in bytes.chunks(16).enumerate() {
        let value = u128::from_le_bytes(part.try_into().unwrap());
        sim.set_field(port, low + 128 * i as u32, 128, value);
    }
}

#[test]
fn checksums_of_striped_streams_are_those_of_the_whole() -> Tested {
    for ports in [1usize, 2, 4] {
        let design = Design::of("checksum_bench").source("checksum_bench", CHECKSUMS);
        let mut sim = Simulation::new(&design.param("NumPorts", ports as u64).build()?)?;
        let wide = ports as u32;
        let push = sim.input("push_i", 3 * wide)?;
        let burst = sim.input("burst_i", 512 * wide)?;
        let (clear, go) = (sim.input("clear_i", 1)?, sim.input("go_i", 1)?);
        let (bursts, sum) = (sim.input("bursts_i", 32)?, sim.input("crc_i", 32)?);
        let words = sim.input("words_i", 32 * wide)?;
        let words_crc = sim.input("oor_crc_i", 32 * wide)?;
        let (done, bad) = (sim.output("done_o", 1)?, sim.output("bad_o", 1)?);
        let (stream, engine) = (sim.output("stream_o", 8)?, sim.output("engine_o", 8)?);
        sim.reset()?;
        let mut random = Random(ports as u64);
        for count in [1, 2, 3, 4, 5, 7, 8, 21] {
            let all: Vec<[u8; 64]> = (0..count).map(|_| random.burst()).collect();
            let own: Vec<Vec<[u8; 64]>> =
                (0..ports).map(|p| (0..p % 3).map(|_| random.burst()).collect()).collect();
            sim.set_bit(clear, true);
            sim.clock()?;
            sim.set_bit(clear, false);
            // The bursts of each port are in order. At random times, bursts of its engine come in
            // between.
            let mut next: Vec<usize> = (0..ports).collect();
            let mut next_own = vec![0; ports];
            while next.iter().any(|&k| k < count) || (0..ports).any(|p| next_own[p] < own[p].len())
            {
                sim.clear(push);
                for p in 0..ports {
                    let low = 512 * p as u32;
                    let give = |sim: &mut Simulation, stream: u32, bytes: &[u8; 64]| {
                        set_burst(sim, burst, low, bytes);
                        sim.set_field(push, 3 * p as u32 + stream, 1, 1);
                    };
                    match random.below(3) {
                        0 if next[p] < count => {
                            give(&mut sim, 1, &all[next[p]]);
                            next[p] += ports;
                        }
                        1 if next_own[p] < own[p].len() => {
                            give(&mut sim, 2, &own[p][next_own[p]]);
                            next_own[p] += 1;
                        }
                        _ => {}
                    }
                }
                sim.clock()?;
            }
            sim.clear(push);
            let flip = random.below(3) == 0;
            let flip_own = random.below(3) == 0 && ports > 1;
            sim.set_u64(bursts, count as u64);
            sim.set_u64(sum, crc(&all.concat()) ^ u64::from(flip));
            for (p, own) in own.iter().enumerate() {
                sim.set_field(words, 32 * p as u32, 32, own.len() as u128);
                let wrong = flip_own && p == 1;
                let value = crc(&own.concat()) ^ u64::from(wrong);
                sim.set_field(words_crc, 32 * p as u32, 32, value.into());
            }
            sim.set_bit(go, true);
            let mut cycles = 0;
            sim.settle()?;
            while !sim.is_set(done) {
                sim.clock()?;
                cycles += 1;
                assert!(cycles <= ports + 1);
            }
            assert_eq!(sim.is_set(bad), flip || flip_own, "{ports} ports, {count} bursts");
            if flip || flip_own {
                let is = (sim.get_u64(stream), sim.get_u64(engine));
                assert_eq!(is, if flip { (2, 0) } else { (4, 1) });
            }
            sim.set_bit(go, false);
            sim.clock()?;
        }
    }
    Ok(())
}

#[test]
fn a_descriptors_crc_leaves_itself_out() -> Tested {
    let design = Design::of("checksum_bench").source("checksum_bench", CHECKSUMS);
    let mut sim = Simulation::new(&design.param("NumPorts", 1).build()?)?;
    let (push, burst) = (sim.input("push_i", 3)?, sim.input("burst_i", 512)?);
    let is = sim.output("descriptor_o", 32)?;
    sim.reset()?;
    let mut random = Random(9);
    let mut stream = Vec::new();
    sim.set_u64(push, 1);
    for k in 0..3 {
        let mut bytes = random.burst();
        sim.set_bytes(burst, &bytes);
        sim.clock()?;
        if k == 0 {
            bytes[60..].fill(0);
        }
        stream.extend(bytes);
        assert_eq!(sim.get_u64(is), crc(&stream));
    }
    Ok(())
}

#[test]
fn requests_are_due_after_the_latency_and_not_before() -> Tested {
    let mut sim = Simulation::new(&Design::of("haac_pace").param("Width", 5).build()?)?;
    let (clear, latency) = (sim.input("clear_i", 1)?, sim.input("latency_i", 9)?);
    let (grant, due) = (sim.input("gnt_i", 5)?, sim.output("due_o", 5)?);
    sim.reset()?;
    let mut random = Random(3);
    for cycles in [1u64, 2, 3, 60, 255, 256, 0, 7] {
        sim.set_u64(latency, cycles);
        sim.set_u64(grant, random.below(32));
        sim.set_bit(clear, true);
        sim.clock()?;
        sim.set_bit(clear, false);
        let delay = cycles.max(1) as usize;
        let mut granted = Vec::new();
        for now in 0..700 {
            let value = if random.below(3) == 0 { random.below(32) } else { 0 };
            sim.set_u64(grant, value);
            granted.push(value);
            sim.settle()?;
            let expected = if now < delay { 0 } else { granted[now - delay] };
            assert_eq!(sim.get_u64(due), expected, "latency {cycles}, cycle {now}");
            sim.clock()?;
        }
    }
    Ok(())
}

#[test]
fn a_due_response_is_shown_once_and_in_its_cycle() -> Tested {
    let mut sim = Simulation::new(&Design::of("haac_show").build()?)?;
    let (due, come) = (sim.input("due_i", 1)?, sim.input("come_i", 1)?);
    let (show, late) = (sim.output("show_o", 1)?, sim.output("late_o", 1)?);
    sim.reset()?;
    let mut random = Random(4);
    let (mut is_due, mut has_come) = (0u32, 0u32);
    for cycle in 0..2000 {
        // Memory is fast and slow by turns, with a limited number of due and of arrived responses.
        let quick = cycle / 100 % 2 == 0;
        let now_due = random.below(4) < if quick { 1 } else { 2 } && is_due < 200;
        let now_come = random.below(4) < if quick { 2 } else { 1 } && has_come < 200;
        sim.set_bit(due, now_due);
        sim.set_bit(come, now_come);
        is_due += u32::from(now_due);
        has_come += u32::from(now_come);
        sim.settle()?;
        assert_eq!(sim.is_set(show), is_due > 0 && has_come > 0, "cycle {cycle}");
        assert_eq!(sim.is_set(late), is_due > 0 && has_come == 0, "cycle {cycle}");
        if sim.is_set(show) {
            (is_due, has_come) = (is_due - 1, has_come - 1);
        }
        sim.clock()?;
    }
    Ok(())
}

#[test]
fn striped_bursts_are_shown_in_order_however_ports_bring_them() -> Tested {
    for (ports, most) in [(1usize, 2usize), (2, 3), (4, 2), (4, 8)] {
        let design = Design::of("haac_show_striped").param("NumPorts", ports as u64);
        let mut sim = Simulation::new(&design.param("MaxShow", most as u64).build()?)?;
        let (due, come) = (sim.input("due_i", 8)?, sim.input("come_i", ports as u32)?);
        let (show, late) = (sim.output("show_o", 8)?, sim.output("late_o", 1)?);
        sim.reset()?;
        let mut random = Random(5 + ports as u64);
        // Bursts in flight by port, those that arrived, and the numbers due and shown.
        let mut requested = 0;
        let mut ways = vec![VecDeque::new(); ports];
        let mut there: Vec<bool> = Vec::new();
        let (mut all_due, mut shown) = (0, 0);
        for cycle in 0..1500 {
            if requested < shown + 40 {
                for _ in 0..random.below(most as u64 + 1) {
                    ways[requested % ports].push_back(requested);
                    requested += 1;
                }
                there.resize(requested, false);
            }
            let mut mask = 0;
            for (p, way) in ways.iter_mut().enumerate() {
                if random.below(4) < 1 + p as u64 % 3
                    && let Some(burst) = way.pop_front()
                {
                    there[burst] = true;
                    mask |= 1 << p;
                }
            }
            let more = random.below(most as u64 + 1).min((requested - all_due) as u64);
            all_due += more as usize;
            sim.set_u64(come, mask);
            sim.set_u64(due, more);
            sim.settle()?;
            let can = there[shown..all_due].iter().take_while(|there| **there).count();
            assert_eq!(sim.get_u64(show), can.min(most) as u64, "{ports} ports, cycle {cycle}");
            let after = shown + can.min(most);
            assert_eq!(sim.is_set(late), after < all_due && !there[after], "cycle {cycle}");
            shown = after;
            sim.clock()?;
        }
        assert!(shown > 300, "{shown} of {requested}");
    }
    Ok(())
}
