//! Checks that inputs are placed in order, each once, and as many per cycle as possible.

use super::stripes::{BURST, Stripes};
use super::{Change, Random, Tested, unchanged};
use halfgate_haac_model::machine::Shape;
use halfgate_verilated::{Design, Simulation};

struct Case {
    window: u32,
    bursts: usize,
    hold: usize,
    ports: usize,
}

/// The label of an address, as memory holds it.
fn label(address: u32) -> u128 {
    u128::from(address).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// The burst with this number, as memory holds it.
fn burst(number: u32) -> [u8; BURST] {
    let labels: Vec<u8> = (0..4).flat_map(|i| label(4 * number + i).to_le_bytes()).collect();
    labels.try_into().expect("a burst")
}

/// Clears the loader, waits until its buffer is wiped, and starts it.
fn begin(sim: &mut Simulation) -> Tested {
    let (clear, run) = (sim.input("clear_i", 1)?, sim.input("run_i", 1)?);
    let wiping = sim.output("wiping_o", 1)?;
    sim.set_bit(run, false);
    sim.set_bit(clear, true);
    sim.clock()?;
    sim.set_bit(clear, false);
    sim.settle()?;
    while sim.is_set(wiping) {
        sim.clock()?;
    }
    sim.set_bit(run, true);
    Ok(())
}

fn load(case: &Case, sim: &mut Simulation, random: &mut Random, first: u32, end: u32) -> Tested {
    let shape = Shape { engines: 1, window: case.window };
    let slot_bits = shape.slot_bits();
    let labels = 4 * case.bursts as u32;
    let (valid, epoch) = (sim.output("ld_valid_o", labels)?, sim.output("ld_epoch_o", labels)?);
    let slot = sim.output("ld_slot_o", labels * slot_bits)?;
    let data = sim.output("ld_label_o", labels * 128)?;
    let loaded = sim.output("loaded_o", 31)?;
    let (all_loaded, idle) = (sim.output("all_loaded_o", 1)?, sim.output("idle_o", 1)?);
    let (requested, placed) = (sim.output("bursts_o", 32)?, sim.output("placed_o", 8)?);
    for (name, value) in [("first_output_i", end), ("first_loaded_i", first)] {
        let port = sim.input(name, 31)?;
        sim.set_u64(port, value.into());
    }
    let mut memory = Stripes::new(sim, case.ports)?;
    begin(sim)?;

    // Addresses to be placed, and their bursts.
    let mut inputs = Vec::new();
    let mut address = first;
    while address < end {
        inputs.push(address);
        address = shape.next_address(address);
    }
    let mut numbers: Vec<u32> = inputs.iter().map(|address| address / 4).collect();
    numbers.dedup();
    assert_eq!(sim.get_u64(requested) as usize, numbers.len());
    let bursts: Vec<[u8; BURST]> = numbers.iter().map(|&number| burst(number)).collect();

    let (mut next, mut done_bursts, mut on_the_way) = (0, 0, false);
    let speed = [100, 50, 10][random.below(3) as usize];
    for _ in 0..100_000 {
        let there = memory.shown - done_bursts;
        memory.requested = (done_bursts + case.hold).min(bursts.len());
        memory.cycle(sim, random, speed, &bursts, case.bursts);
        sim.settle()?;
        assert_eq!(sim.is_set(all_loaded), next == inputs.len());
        assert_eq!(sim.is_set(idle), next == inputs.len() && !on_the_way);
        // The loader's next address, as far as it is visible: multiples of the window belong to no
        // input.
        let place = sim.get_u64(loaded) as u32;
        let place = if shape.slot(place) == 0 { place + 1 } else { place };
        assert_eq!(place, inputs.get(next).copied().unwrap_or(end), "after {next} inputs");

        let taken = there.min(case.bursts);
        assert_eq!(sim.get_u64(placed) as usize, taken);
        let mut expected = Vec::new();
        for number in &numbers[done_bursts..done_bursts + taken] {
            while next < inputs.len() && inputs[next] / 4 == *number {
                expected.push(inputs[next]);
                next += 1;
            }
        }
        done_bursts += taken;
        on_the_way = !expected.is_empty();
        let got: Vec<(u32, bool, u128)> = (0..labels)
            .filter(|i| sim.field(valid, *i, 1) == 1)
            .map(|i| {
                let at = sim.field(slot, i * slot_bits, slot_bits) as u32;
                (at, sim.field(epoch, i, 1) == 1, sim.field(data, 128 * i, 128))
            })
            .collect();
        let expected: Vec<(u32, bool, u128)> = expected
            .into_iter()
            .map(|a| (shape.slot(a), a / shape.window % 2 == 1, label(a)))
            .collect();
        assert_eq!(got.len(), expected.len());
        assert!(got == expected, "labels, slots or epochs are wrong");
        sim.clock()?;
        if next == inputs.len() && !on_the_way && memory.shown == bursts.len() {
            return Ok(());
        }
    }
    panic!("it does not end");
}

#[test]
fn inputs_are_placed_in_order() -> Tested {
    check(&unchanged)
}

pub fn check(change: Change<'_>) -> Tested {
    for case in [
        Case { window: 16, bursts: 1, hold: 4, ports: 1 },
        Case { window: 64, bursts: 3, hold: 7, ports: 2 },
        Case { window: 4096, bursts: 2, hold: 64, ports: 1 },
    ] {
        let design = Design::of("haac_loader")
            .param("WindowLabels", case.window.into())
            .param("LoaderBursts", case.bursts as u64)
            .param("InputHold", case.hold as u64)
            .param("NumPorts", case.ports as u64);
        let mut sim = Simulation::new(&change(design).build()?)?;
        sim.reset()?;
        let mut random = Random(u64::from(case.window));
        let window = case.window;
        // Launches with no input, with one, with inputs up to a multiple of the window and beyond
        // it, and random ones.
        let mut launches = vec![
            (5, 5),
            (1, 2),
            (1, window - 1),
            (window - 3, window + 1),
            (window + 1, window + 3),
        ];
        for _ in 0..20 {
            let end = 1 + random.below(3 * u64::from(window)) as u32;
            let end = if end.is_multiple_of(window) { end + 1 } else { end };
            let first = end.saturating_sub(random.below(u64::from(window) * 9 / 10) as u32).max(1);
            launches.push((if first.is_multiple_of(window) { first + 1 } else { first }, end));
        }
        for (first, end) in launches {
            load(&case, &mut sim, &mut random, first, end)?;
        }
    }
    Ok(())
}
