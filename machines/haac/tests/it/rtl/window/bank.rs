//! A bank by itself: its contents after a wipe.

use halfgate_verilated::{Design, Simulation};

use super::bench::{Random, Tested};

/// Reads words whatever their valid bits: a label must be overwritten, not only invalid.
#[test]
fn wiping_leaves_no_label() -> Tested {
    let (rows, width) = (8u32, 128);
    let design = Design::of("haac_bank")
        .param("Writes", 1)
        .param("Reads", 1)
        .param("Rows", rows.into())
        .param("LabelWidth", u64::from(width));
    let mut sim = Simulation::new(&design.build()?)?;
    let (run, wipe) = (sim.input("run_i", 1)?, sim.input("wipe_i", 1)?);
    let (write, read) = (sim.input("write_i", 1)?, sim.input("first_i", 1)?);
    let (wipe_row, write_row) = (sim.input("wipe_row_i", 3)?, sim.input("wrow_i", 3)?);
    let (word, read_row) = (sim.input("wlabel_i", width)?, sim.input("rrow_i", 3)?);
    let found = sim.output("first_label_o", width)?;
    sim.reset()?;
    sim.set_bit(run, true);
    let mut random = Random(1);
    for row in 0..rows {
        sim.set_bit(write, true);
        sim.set_u64(write_row, row.into());
        sim.set_u128(word, random.u128() | 1);
        sim.clock()?;
    }
    sim.set_bit(write, false);
    let check = |sim: &mut Simulation, there: bool| -> Tested {
        sim.set_bit(run, true);
        for row in 0..rows {
            sim.set_bit(read, true);
            sim.set_u64(read_row, row.into());
            sim.clock()?;
            sim.set_bit(read, false);
            sim.clock()?;
            assert_eq!(sim.is_set(found), there, "row {row}");
        }
        Ok(())
    };
    check(&mut sim, true)?;
    sim.set_bit(run, false);
    for row in (0..rows).step_by(2) {
        sim.set_bit(wipe, true);
        sim.set_u64(wipe_row, row.into());
        sim.clock()?;
    }
    sim.set_bit(wipe, false);
    sim.clock()?;
    check(&mut sim, false)
}
