//! Compares AES in SystemVerilog with the reference: S-boxes, rounds, pipelines, folded units.

use halfgate_reference::Aes128;
use halfgate_verilated::{Design, Simulation};

use halfgate_verilated::testing::stimulus::{
    Expected, Handshake, Random, Tested, cleared, pipeline,
};

const TABLE: u64 = 0;
const COMPOSITE: u64 = 1;
const DPI: u64 = 2;

/// FIPS 197, appendix C.1, as integers of little-endian bytes.
const KEY: u128 = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100;
const BLOCK: u128 = 0xffee_ddcc_bbaa_9988_7766_5544_3322_1100;
const RESULT: u128 = 0x5ac5_b470_80b7_cdd8_3004_7b6a_d8e0_c469;

#[test]
fn the_reference_knows_the_answer_of_fips_197() {
    assert_eq!(Aes128::new(KEY).encrypt(BLOCK), RESULT);
}

/// Checks the S-boxes against their definition: the inverse in GF(2^8), then an affine map.
#[test]
fn both_s_boxes_are_the_s_box_on_every_byte() -> Tested {
    let times = |mut a: u32, mut b: u32| {
        let mut product = 0;
        while b != 0 {
            product ^= a * (b & 1);
            a = a << 1 ^ if a & 0x80 != 0 { 0x11b } else { 0 };
            b >>= 1;
        }
        product
    };
    for implementation in [TABLE, COMPOSITE] {
        let mut sim = Simulation::new(&Design::of("sbox").param("Impl", implementation).build()?)?;
        let (x, y) = (sim.input("x_i", 8)?, sim.output("y_o", 8)?);
        for byte in 0..256u32 {
            let inverse = (0..256).find(|&y| times(byte, y) == 1).unwrap_or(0) as u8;
            let spread = (0..5).fold(0, |sum, turn| sum ^ inverse.rotate_left(turn));
            sim.set_u64(x, byte.into());
            sim.settle()?;
            assert_eq!(sim.get_u64(y), u64::from(spread ^ 0x63), "byte {byte:#x}");
        }
    }
    Ok(())
}

/// A module with a round, a last round and a round of the key schedule.
const ROUNDS: &str = "
module test_rounds #(parameter int unsigned Impl = 0) (
    input  logic [127:0] state_i,
    input  logic [127:0] key_i,
    input  logic [7:0]   rcon_i,
    output logic [127:0] key_o,
    output logic [127:0] state_o,
    output logic [127:0] last_o
);
  aes_key_round #(.Impl(Impl)) u_key (.key_i, .rcon_i, .key_o);
  aes_round #(.Impl(Impl)) u_round (.state_i, .key_i(key_o), .state_o);
  aes_round #(.Impl(Impl), .Last(1'b1)) u_last (.state_i, .key_i(key_o), .state_o(last_o));
endmodule
";

#[test]
fn ten_rounds_are_aes() -> Tested {
    for implementation in [TABLE, COMPOSITE] {
        let design = Design::of("test_rounds").source("test_rounds", ROUNDS);
        let mut sim = Simulation::new(&design.param("Impl", implementation).build()?)?;
        let (state_in, key_in) = (sim.input("state_i", 128)?, sim.input("key_i", 128)?);
        let rcon = sim.input("rcon_i", 8)?;
        let (key_out, state_out) = (sim.output("key_o", 128)?, sim.output("state_o", 128)?);
        let last_out = sim.output("last_o", 128)?;
        let mut random = Random(1);
        for block in 0..50 {
            let (key, text) =
                if block == 0 { (KEY, BLOCK) } else { (random.u128(), random.u128()) };
            let (mut round_key, mut state) = (key, text ^ key);
            for constant in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36] {
                sim.set_u128(state_in, state);
                sim.set_u128(key_in, round_key);
                sim.set_u64(rcon, constant);
                sim.settle()?;
                round_key = sim.get_u128(key_out);
                state = sim.get_u128(if constant == 0x36 { last_out } else { state_out });
            }
            assert_eq!(state, Aes128::new(key).encrypt(text), "block {block}");
        }
    }
    Ok(())
}

fn check_pipe(implementation: u64, lanes: u32, stages: usize) -> Tested {
    let design = Design::of("aes_pipe").param("Impl", implementation);
    let design = design.param("Lanes", lanes.into()).param("Stages", stages as u64);
    let mut sim = Simulation::new(&design.build()?)?;
    let (key_in, block_in) = (sim.input("key_i", 128)?, sim.input("block_i", 128 * lanes)?);
    let block_out = sim.output("block_o", 128 * lanes)?;
    sim.reset()?;
    let mut first = true;
    let drive = |sim: &mut Simulation, random: &mut Random| -> Expected {
        let key = if first { KEY } else { random.u128() };
        sim.set_u128(key_in, key);
        (0..lanes)
            .map(|lane| {
                let block = if first { BLOCK } else { random.u128() };
                first = false;
                sim.set_field(block_in, 128 * lane, 128, block);
                (block_out, 128 * lane, Aes128::new(key).encrypt(block))
            })
            .collect()
    };
    pipeline(&mut sim, stages, 400, &mut Random(stages as u64), drive)?;
    cleared(&mut sim, stages, &[block_out])?;
    Ok(())
}

#[test]
fn a_pipeline_of_tables_is_aes() -> Tested {
    check_pipe(TABLE, 1, 21)
}

#[test]
#[ignore = "long: make rtl"]
fn a_pipeline_of_composites_is_aes() -> Tested {
    check_pipe(COMPOSITE, 1, 7)
}

#[test]
fn a_pipeline_behind_dpi_is_aes_at_every_latency() -> Tested {
    for (lanes, stages) in [(1, 2), (2, 3), (2, 21)] {
        check_pipe(DPI, lanes, stages)?;
    }
    Ok(())
}

#[test]
#[ignore = "long: make rtl"]
fn pipelines_are_aes_wherever_registers_are() -> Tested {
    for (implementation, lanes, stages) in
        [(TABLE, 2, 1), (TABLE, 1, 2), (TABLE, 1, 11), (COMPOSITE, 2, 18), (TABLE, 1, 26)]
    {
        check_pipe(implementation, lanes, stages)?;
    }
    Ok(())
}

fn check_fixed(implementation: u64, lanes: u32, stages: usize) -> Tested {
    let design = Design::of("aes_pipe_fixed").param("Impl", implementation);
    let design = design.param("Lanes", lanes.into()).param("Stages", stages as u64);
    let mut sim = Simulation::new(&design.build()?)?;
    let (key_in, key_valid) = (sim.input("key_i", 128)?, sim.input("key_valid_i", 1)?);
    let (block_in, key_ready) = (sim.input("block_i", 128 * lanes)?, sim.output("key_ready_o", 1)?);
    let (clear, block_out) = (sim.input("clear_i", 1)?, sim.output("block_o", 128 * lanes)?);
    sim.reset()?;
    for key in [KEY, 0, Random(9).u128()] {
        sim.set_bit(key_valid, true);
        sim.set_u128(key_in, key);
        sim.clock()?;
        sim.set_bit(key_valid, false);
        sim.set_u128(key_in, !key);
        for waited in 1..11 {
            assert!(!sim.is_set(key_ready), "ready {waited} cycles after the key");
            sim.clock()?;
        }
        assert!(sim.is_set(key_ready), "eleven cycles after the key");
        let cipher = Aes128::new(key);
        let valid = sim.input("valid_i", 1)?;
        let en = sim.input("en_i", 1)?;
        let mut random = Random(3);
        // `pipeline` does not fit here, because clearing also removes the key.
        let mut inside: std::collections::VecDeque<_> = (1..stages).map(|_| None).collect();
        let mut last: Option<Vec<u128>> = None;
        for cycle in 0..200 {
            let (given, advances) = (random.chance(70), random.chance(80));
            let blocks: Vec<u128> = (0..lanes).map(|_| random.u128()).collect();
            for (lane, &block) in (0..).zip(&blocks) {
                sim.set_field(block_in, 128 * lane, 128, block);
            }
            sim.set_bit(valid, given);
            sim.set_bit(en, advances);
            sim.clock()?;
            if advances {
                let results = blocks.iter().map(|&block| cipher.encrypt(block)).collect();
                inside.push_back(given.then_some(results));
                last = inside.pop_front().expect("one was pushed");
            }
            assert_eq!(sim.is_set(sim.output("valid_o", 1)?), last.is_some(), "cycle {cycle}");
            for (lane, &result) in (0..).zip(last.iter().flatten()) {
                assert_eq!(sim.field(block_out, 128 * lane, 128), result, "cycle {cycle}");
            }
        }
        sim.set_bit(valid, false);
        sim.set_bit(clear, true);
        sim.clock()?;
        sim.set_bit(clear, false);
        assert!(!sim.is_set(key_ready) && !sim.is_set(block_out), "cleared");
    }
    sim.set_bit(sim.input("en_i", 1)?, true);
    sim.set_bit(sim.input("valid_i", 1)?, true);
    let error = sim.clock().unwrap_err().to_string();
    assert!(error.contains("a block before the key is expanded"), "{error}");
    Ok(())
}

#[test]
fn aes_under_a_fixed_key_is_aes() -> Tested {
    check_fixed(TABLE, 1, 21)
}

#[test]
#[ignore = "long: make rtl"]
fn aes_under_a_fixed_key_is_aes_wherever_registers_are() -> Tested {
    check_fixed(COMPOSITE, 2, 9)?;
    check_fixed(TABLE, 1, 1)
}

fn check_folded(implementation: u64, lanes: u32) -> Tested {
    let design = Design::of("aes_folded").param("Impl", implementation);
    let mut sim = Simulation::new(&design.param("Lanes", lanes.into()).build()?)?;
    let (key_in, block_in) = (sim.input("key_i", 128)?, sim.input("block_i", 128 * lanes)?);
    let block_out = sim.output("block_o", 128 * lanes)?;
    sim.reset()?;
    let drive = |sim: &mut Simulation, random: &mut Random| -> Expected {
        let key = random.u128();
        sim.set_u128(key_in, key);
        (0..lanes)
            .map(|lane| {
                let block = random.u128();
                sim.set_field(block_in, 128 * lane, 128, block);
                (block_out, 128 * lane, Aes128::new(key).encrypt(block))
            })
            .collect()
    };
    Handshake::of(&sim)?.sweep(&mut sim, (11, 10), &mut Random(5), drive)?;
    Ok(())
}

#[test]
fn folded_aes_is_aes_whatever_stalls_it() -> Tested {
    check_folded(COMPOSITE, 1)
}

#[test]
#[ignore = "long: make rtl"]
fn folded_aes_of_two_lanes_is_aes() -> Tested {
    check_folded(TABLE, 2)
}

#[test]
fn pairs_are_aes_at_half_a_round_a_cycle() -> Tested {
    check_pairs("aes_pair", 42)
}

#[test]
fn pairs_are_aes_at_a_round_a_cycle() -> Tested {
    check_pairs("aes_pair_round", 22)
}

/// Encrypts pairs of blocks under keys that differ in one bit, and checks that busy_o lasts
/// `cycles` clock cycles. Some pairs start after an aborted pair, others just after a finished one.
fn check_pairs(module: &str, cycles: u32) -> Tested {
    let mut sim = Simulation::new(&Design::of(module).build()?)?;
    let [clear, set, forget, go] =
        ["clear_i", "set_i", "forget_i", "go_i"].map(|name| sim.input(name, 1).expect("a port"));
    let (key_in, add, sum) =
        (sim.input("key_i", 128)?, sim.input("add_i", 2)?, sim.input("sum_i", 128)?);
    let (busy, block_out) = (sim.output("busy_o", 1)?, sim.output("block_o", 256)?);
    sim.reset()?;
    sim.set_bit(clear, true);
    sim.clock()?;
    sim.set_bit(clear, false);
    let blocks = |sim: &Simulation| [0, 128].map(|at| sim.field(block_out, at, 128));
    let mut random = Random(6);
    for round in 0..60 {
        let (mut key, mut texts) = (KEY, [BLOCK, BLOCK]);
        if round > 0 {
            (key, texts) = (random.u128(), [(); 2].map(|()| random.u128()));
        }
        sim.set_bit(set, true);
        sim.set_u128(key_in, key);
        sim.set_u128(sum, key);
        sim.set_u64(add, 3);
        sim.clock()?;
        sim.set_bit(set, false);
        sim.clear(key_in);
        assert_eq!(blocks(&sim), [key, key ^ 1 << 64], "round {round}");
        // Adds the blocks one after the other, or both at once.
        let mut sums = vec![(1, texts[0]), (2, texts[1])];
        if round % 3 == 1 {
            let both = random.u128();
            sums.push((3, both));
            texts = texts.map(|text| text ^ both);
        }
        while let Some((what, value)) = sums.pop() {
            sim.set_u64(add, what);
            sim.set_u128(sum, value);
            // The last block is added in the clock cycle in which the pair starts.
            sim.set_bit(go, sums.is_empty());
            sim.clock()?;
        }
        for port in [go, add, sum] {
            sim.clear(port);
        }
        let ends = if round % 5 == 4 { random.u128() as u32 % cycles } else { cycles };
        for cycle in 0..ends {
            assert!(sim.is_set(busy), "round {round}, cycle {cycle}");
            sim.clock()?;
        }
        if ends < cycles {
            sim.set_bit(clear, true);
            sim.clock()?;
            sim.set_bit(clear, false);
            assert!(!sim.is_set(busy) && blocks(&sim) == [0, 0], "round {round}");
            continue;
        }
        assert!(!sim.is_set(busy), "round {round}");
        let keys = [key, key ^ 1 << 64];
        for (context, found) in blocks(&sim).into_iter().enumerate() {
            let expected = Aes128::new(keys[context]).encrypt(texts[context]);
            assert_eq!(found, expected, "round {round}");
        }
        sim.set_bit(forget, true);
        sim.clock()?;
        sim.set_bit(forget, false);
        assert_eq!(blocks(&sim), [0, 0], "round {round}");
    }
    Ok(())
}
