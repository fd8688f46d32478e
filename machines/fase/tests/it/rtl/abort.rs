//! Aborts runs of a FASE machine. After each abort the machine must be wiped, and must then garble
//! correctly.

use crate::rtl::common::can_build;
use halfgate_circuit::random;
use halfgate_fase_model::code::{self, Bits, Code, INITIAL_BITS, PAPER_SLOT_BITS};
use halfgate_fase_model::{Shape, paper};
use halfgate_verilated::testing::stimulus::Tested;
use halfgate_verilated::{Design, In, Simulation};

/// The same secrets for every run.
const DELTA: u128 = 0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1;
const SECRETS: [u128; 3] = [0x1234_5678, 0x9abc_def0 << 70, 0x5555 << 30];

/// Clock cycles after which a run is aborted: during set-up, while the first ANDs are under way,
/// later, or never.
const ENDS: [usize; 6] = [1, 9, 21, 40, 133, usize::MAX];

#[test]
fn the_scheduled_machine_garbles_after_an_abort() -> Tested {
    if !can_build() {
        return Ok(());
    }
    // The equality tests use the same machine, so it is already built.
    let (shape, cycles) = (Shape::best(2), 20);
    let size = code::Size::published(shape);
    let design = Design::of("fase")
        .param("Pipelines", shape.pipelines.into())
        .param("Xors", shape.xors.into())
        .param("Banks", shape.banks.into())
        .param("KernelDepth", size.kernel.into())
        .param("BankDepth", size.bank.into())
        .param("InputDepth", size.inputs.into())
        .param("InitialDepth", size.initials.into())
        .param("Impl", 0);
    let mut sim = Simulation::new(&design.hierarchical().named("fase-2-table").build()?)?;
    sim.reset()?;
    let code = Code::of(&random::gated_shift_register(), shape, cycles)?;
    let encoded = code.encode(size)?;
    let (address, width) = (sim.input("load_address_i", 16)?, Code::word_bits(shape));
    let data = sim.input("load_data_i", width)?;
    for (port, words, bits) in [
        ("load_word_i", &encoded.words, width),
        ("load_initial_i", &encoded.initials, INITIAL_BITS),
    ] {
        load(&mut sim, port, data, bits, words, |sim, place| sim.set_u64(address, place))?;
    }
    for (name, bits, value) in [
        ("interval_i", 17, code.interval()),
        ("words_i", 64, code.taken_words(cycles)),
        ("delay_i", 32, u64::from(code.delay) - 3),
        ("cycles_i", 32, cycles),
        ("ands_i", 32, code.body.ands),
        ("inputs_i", 32, code.body.requested.each),
        ("initials_i", 13, code.initials.len() as u64),
    ] {
        sim.set_u64(sim.input(name, bits)?, value);
    }
    let slots = shape.all_slots() as u32;
    aborted(&mut sim, "point_i", slots, code.body.ands * cycles)
}

#[test]
fn the_published_machine_garbles_after_an_abort() -> Tested {
    if !can_build() {
        return Ok(());
    }
    let (pipelines, cycles) = (2, 20);
    let size = paper::Size { slots: 1 << 10, inputs: 1 << 9, outputs: 1 << 9 };
    let design = Design::of("fase_paper")
        .param("Pipelines", pipelines)
        .param("SlotDepth", size.slots.into())
        .param("InputDepth", size.inputs.into())
        .param("OutputDepth", size.outputs.into())
        .param("Sigma", 1)
        .param("Impl", 0);
    let mut sim = Simulation::new(&design.hierarchical().named("fase-paper-2-table").build()?)?;
    sim.reset()?;
    let code = paper::Code::of(&random::gated_shift_register(), pipelines as usize);
    let data = sim.input("load_data_i", PAPER_SLOT_BITS)?;
    let (row, column) = (sim.input("load_row_i", 16)?, sim.input("load_column_i", 4)?);
    load(&mut sim, "load_i", data, PAPER_SLOT_BITS, &code.encode(size)?, |sim, place| {
        sim.set_u64(row, place / pipelines);
        sim.set_u64(column, place % pipelines);
    })?;
    for (name, bits, value) in [
        ("slots_i", 16, code.slots.len() as u64),
        ("flip_flops_i", 16, code.flip_flops as u64),
        ("first_i", 16, code.body.requested.first),
        ("each_i", 16, code.body.requested.each),
        ("cycles_i", 32, cycles),
    ] {
        sim.set_u64(sim.input(name, bits)?, value);
    }
    aborted(&mut sim, "key_i", 1, code.body.ands * cycles)
}

fn load(
    sim: &mut Simulation,
    port: &str,
    data: In,
    width: u32,
    words: &[Bits],
    mut to: impl FnMut(&mut Simulation, u64),
) -> Tested {
    let we = sim.input(port, 1)?;
    sim.set_bit(we, true);
    for (place, Bits(pieces)) in (0..).zip(words) {
        to(sim, place);
        sim.clear(data);
        for (low, &piece) in (0..).step_by(64).zip(pieces) {
            sim.set_field(data, low, (width - low).min(64), piece.into());
        }
        sim.clock()?;
    }
    sim.set_bit(we, false);
    Ok(())
}

/// Runs the machine repeatedly and aborts it at different times. Until its abort, each run must
/// give the same tables as a complete run.
fn aborted(sim: &mut Simulation, point: &str, slots: u32, ands: u64) -> Tested {
    let (ready, wipe) = (sim.input("ready_i", 1)?, sim.input("wipe_i", 1)?);
    let (busy, wiping) = (sim.output("busy_o", 1)?, sim.output("wiping_o", 1)?);
    let (valid, table) = (sim.output("table_valid_o", slots)?, sim.output("table_o", 256 * slots)?);
    let start = sim.input("start_i", 1)?;
    sim.set_u128(sim.input("delta_i", 128)?, DELTA);
    for (name, value) in [point, "seed_i", "constant_i"].into_iter().zip(SECRETS) {
        sim.set_u128(sim.input(name, 128)?, value);
    }
    sim.set_bit(ready, true);
    let mut whole: Option<Vec<u128>> = None;
    for end in [usize::MAX].into_iter().chain(ENDS) {
        let mut clocks = 0;
        while sim.is_set(wiping) {
            assert!(clocks < 20_000, "never wiped");
            sim.clock()?;
            clocks += 1;
        }
        sim.set_bit(start, true);
        sim.clock()?;
        sim.set_bit(start, false);
        let (mut tables, mut clocks) = (Vec::new(), 0);
        while sim.is_set(busy) && clocks < end {
            for slot in (0..slots).filter(|slot| sim.field(valid, *slot, 1) == 1) {
                tables.push(sim.field(table, 256 * slot, 128));
                tables.push(sim.field(table, 256 * slot + 128, 128));
            }
            sim.clock()?;
            clocks += 1;
            assert!(clocks < 20_000, "it never ends");
        }
        sim.set_bit(wipe, true);
        sim.clock()?;
        sim.set_bit(wipe, false);
        match &whole {
            None => {
                assert_eq!(tables.len() as u64, 2 * ands);
                whole = Some(tables);
            }
            Some(whole) => {
                assert_eq!(end == usize::MAX, tables.len() == whole.len(), "ended at {end}");
                assert!(tables == whole[..tables.len()], "ended at {end}");
            }
        }
        sim.clock()?;
        assert!(!sim.is_set(busy), "ended at {end}, it goes on");
        for slot in 0..2 * slots {
            assert!(sim.field(table, 128 * slot, 128) == 0 || slots == 1, "a table stays");
        }
    }
    Ok(())
}
