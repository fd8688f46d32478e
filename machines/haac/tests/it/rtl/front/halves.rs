//! Checks that halves become complete in order, each in the cycle after its last instruction
//! finished.

use super::{Change, Random, Tested, unchanged};
use halfgate_haac_model::machine::Shape;
use halfgate_verilated::{Design, Simulation};

#[test]
fn halves_become_complete_in_order() -> Tested {
    check(&unchanged)
}

pub fn check(change: Change<'_>) -> Tested {
    for (window, events) in [(16, 3), (64, 12)] {
        let design =
            Design::of("haac_halves").param("WindowLabels", window).param("Events", events);
        let mut sim = Simulation::new(&change(design).build()?)?;
        sim.reset()?;
        let shape = Shape { engines: 1, window: window as u32 };
        let bits = 32 - window.ilog2();
        let (finish, odd) =
            (sim.input("finish_i", events as u32)?, sim.input("odd_i", events as u32)?);
        let (first_port, complete, latest, advances) = (
            sim.input("first_output_i", 31)?,
            sim.output("complete_o", bits)?,
            sim.output("latest_o", bits + 1)?,
            sim.output("advances_o", 1)?,
        );
        let (clear, run) = (sim.input("clear_i", 1)?, sim.input("run_i", 1)?);
        let mut random = Random(window);
        for launch in 0..12 {
            let mut next = shape.next_address(random.below(5 * window) as u32);
            sim.set_u64(first_port, next.into());
            sim.set_bit(clear, true);
            sim.clock()?;
            sim.set_bit(clear, false);
            sim.set_bit(run, true);
            // Addresses that were issued and are not finished. None is two halves ahead of the
            // lowest.
            let mut open = Vec::new();
            let mut lowest = shape.half_of(next);
            let speed = [100, 30][launch % 2];
            for _ in 0..400 {
                while shape.half_of(next) <= lowest + 1 {
                    open.push(next);
                    next = shape.next_address(next);
                }
                sim.clear(finish);
                for i in 0..events as u32 {
                    // Prefers early addresses, so that halves become complete.
                    let count = open.len().max(1) as u64;
                    let index = random.below(count).min(random.below(count)) as usize;
                    sim.set_field(odd, i, 1, random.below(2).into());
                    if random.chance(speed) && !open.is_empty() {
                        let half = shape.half_of(open.swap_remove(index));
                        sim.set_field(finish, i, 1, 1);
                        sim.set_field(odd, i, 1, (half & 1).into());
                    }
                }
                sim.settle()?;
                // At most one half per cycle.
                let is_complete = !open.iter().any(|address| shape.half_of(*address) == lowest);
                assert_eq!(sim.get_u64(complete), u64::from(lowest));
                assert_eq!(sim.get_u64(latest), u64::from(lowest) + 1);
                assert_eq!(sim.get_u64(advances), u64::from(is_complete));
                sim.clock()?;
                lowest += u32::from(is_complete);
            }
            assert!(lowest > 3, "halves went on");
        }
    }
    Ok(())
}
