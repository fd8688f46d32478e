//! Aborts runs of GarbledCPU's evaluator. After each abort the machine must be wiped, and must then
//! evaluate correctly.

use halfgate_circuit::random;
use halfgate_garbledcpu_model::encode::{INITIAL_BITS, Numbered, Size, word_bits, words};
use halfgate_garbledcpu_model::{Machine, body};
use halfgate_scheduled_model::code::Bits;
use halfgate_verilated::testing::can_build;
use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, Simulation};

/// Clock cycles after which a run is aborted: during set-up, while the first ANDs are under way,
/// later, or never.
const ENDS: [usize; 6] = [1, 9, 21, 40, 133, usize::MAX];

const CYCLES: u64 = 20;

#[test]
fn the_evaluator_evaluates_after_an_abort() -> Tested {
    if !can_build() {
        return Ok(());
    }
    // The equality tests use the same machine, so it is already built.
    let machine = Machine::named("garbledcpu-1").expect("a machine");
    let (shape, size) = (machine.shape(), Size { gates: 1 << 13, bank: 1 << 9, inputs: 1 << 10 });
    let design = Design::of("garbledcpu")
        .param("Pipelines", shape.pipelines.into())
        .param("Stages", shape.and.into())
        .param("Fixed", 0)
        .param("Banks", shape.banks.into())
        .param("GateDepth", size.gates.into())
        .param("BankDepth", size.bank.into())
        .param("InputDepth", size.inputs.into())
        .param("Impl", 0);
    let mut sim = Simulation::new(&design.hierarchical().named("garbledcpu-1-table").build()?)?;
    sim.reset()?;
    let code = machine.code_of(body(&random::gated_shift_register()), CYCLES)?;
    let data = sim.input("load_data_i", word_bits(shape))?;
    let address = sim.input("load_address_i", 16)?;
    let initials = code.initials.iter().map(|found| Bits(vec![found.address.into()])).collect();
    for (port, words, width) in [
        ("load_word_i", words(&code, size, Numbered::InRun)?, word_bits(shape)),
        ("load_initial_i", initials, INITIAL_BITS),
    ] {
        let we = sim.input(port, 1)?;
        sim.set_bit(we, true);
        for (place, Bits(pieces)) in (0..).zip(words) {
            sim.set_u64(address, place);
            sim.clear(data);
            for (low, piece) in (0..).step_by(64).zip(pieces) {
                sim.set_field(data, low, (width - low).min(64), piece.into());
            }
            sim.clock()?;
        }
        sim.set_bit(we, false);
    }
    for (name, bits, value) in [
        ("interval_i", 17, code.interval()),
        ("words_i", 64, code.taken_words(CYCLES)),
        ("delay_i", 32, u64::from(code.delay) - 3),
        ("cycles_i", 32, CYCLES),
        ("ands_i", 32, code.body.ands),
        ("initials_i", 17, code.initials.len() as u64),
    ] {
        sim.set_u64(sim.input(name, bits)?, value);
    }
    let labels = code.body.tags.len() as u64 * CYCLES;
    let mut whole: Option<Vec<u128>> = None;
    for end in [usize::MAX].into_iter().chain(ENDS) {
        let found = run(&mut sim, end)?;
        match &whole {
            None => {
                assert!(found.len() as u64 == labels && labels > 0, "{} labels", found.len());
                whole = Some(found);
            }
            Some(whole) => {
                assert_eq!(end == usize::MAX, found.len() == whole.len(), "ended at {end}");
                assert!(found == whole[..found.len()], "ended at {end}");
            }
        }
    }
    Ok(())
}

/// Runs the machine for at most `end` clock cycles, and wipes it. Every call uses the same random
/// tables and labels. Returns the labels that the machine made.
fn run(sim: &mut Simulation, end: usize) -> Result<Vec<u128>, Box<dyn std::error::Error>> {
    let (ready, wipe) = (sim.input("ready_i", 1)?, sim.input("wipe_i", 1)?);
    let (busy, wiping) = (sim.output("busy_o", 1)?, sim.output("wiping_o", 1)?);
    let (step, start) = (sim.output("step_o", 1)?, sim.input("start_i", 1)?);
    let (valid, label) = (sim.output("label_valid_o", 2)?, sim.output("label_o", 256)?);
    let (offers, space) = (sim.input("input_valid_i", 1)?, sim.output("input_ready_o", 1)?);
    let (gives, has_space) = (sim.input("table_valid_i", 1)?, sim.output("table_ready_o", 1)?);
    let (input, table) = (sim.input("input_i", 128)?, sim.input("table_i", 256)?);
    let (mut inputs, mut tables) = (Random(3), Random(4));
    sim.set_bit(ready, true);
    sim.set_bit(offers, false);
    sim.set_bit(gives, false);
    let mut clocks = 0;
    while sim.is_set(wiping) {
        assert!(clocks < 20_000, "never wiped");
        sim.clock()?;
        clocks += 1;
    }
    sim.set_bit(start, true);
    sim.clock()?;
    sim.set_bit(start, false);
    let (mut labels, mut clocks) = (Vec::new(), 0);
    while sim.is_set(busy) && clocks < end {
        if sim.is_set(step) {
            let there = (0..2).filter(|slot| sim.field(valid, *slot, 1) == 1);
            labels.extend(there.map(|slot| sim.field(label, 128 * slot, 128)));
        }
        sim.set_bit(offers, sim.is_set(space));
        if sim.is_set(space) {
            sim.set_u128(input, inputs.u128());
        }
        sim.set_bit(gives, sim.is_set(has_space));
        if sim.is_set(has_space) {
            sim.set_field(table, 0, 128, tables.u128());
            sim.set_field(table, 128, 128, tables.u128());
        }
        sim.clock()?;
        clocks += 1;
        assert!(clocks < 20_000, "it never ends");
    }
    sim.set_bit(wipe, true);
    sim.clock()?;
    sim.set_bit(wipe, false);
    sim.clock()?;
    assert!(!sim.is_set(busy), "ended at {end}, it goes on");
    sim.set_bit(offers, false);
    sim.clock()?;
    assert!(sim.bytes(label).iter().all(|byte| *byte == 0), "ended at {end}, a label stays");
    Ok(labels)
}
