//! Energy of an evaluation: by the phone's core alone, and by the chip with the core that feeds it. An estimate from published
//! measurements, each named here; nothing of it was measured on a board.

use crate::part::Part;
use halfgate_compiler::Program;
use halfgate_engine::mobile::engine::MHZ;
use halfgate_machines::mobile::{Encoder, Lowering, SLOTS, Step};
use std::time::Instant;

/// Watts of a phone's core under load: four A57 of an Exynos 7420 at 2.1 GHz take 5.49 W (AnandTech's measurements, as phonearena.com
/// gives them, 2015).
const CORE_W: f64 = 5.49 / 4.0;
/// Volts of the UP5K's core supply, and its currents in uA, as tinyVision.ai measured them with a Joulescope
/// (github.com/tinyvision-ai-inc/ice40_power): with the PLL at 32 and 48 MHz, core and PLL together.
const VOLTS: f64 = 1.219;
const PLL_UA: [(f64, f64); 2] = [(32.0, 2029.0 + 138.9), (48.0, 2573.0 + 103.6)];
/// The same source: an 8-bit multiplier without DSP takes 996 - 645 uA in 208 - 28 cells at 12 MHz. Its operands change in each
/// clock: cells of the chip, most of which wait for the link, take less.
const CELL_UA_MHZ: f64 = (996.0 - 645.0) / (208.0 - 28.0) / 12.0;
/// Logic cells of the chip as it is placed (`make mobile`).
const CELLS: f64 = 4146.0;

/// The part, with what is the same for all circuits.
pub fn part() -> Part {
    let mut part = Part::new("energy", "energy, estimated from published measurements of parts");
    part.model("the chip's core supply", "mW", None, chip_w() * 1e3);
    part.note(format!(
        "UP5K at {MHZ} MHz: {CELLS} cells at {:.3} uA a MHz each, as a multiplier's (tinyVision.ai, ice40_power), and the PLL; no pins",
        CELL_UA_MHZ
    ));
    part.model("a phone's core under load", "mW", None, CORE_W * 1e3);
    part.note("A57 at 2.1 GHz: a quarter of 5.49 W (Exynos 7420, AnandTech by phonearena.com)");
    part.remark("the core's times are this machine's, whose core is faster than a phone's: both its rows are too low by the same factor");
    part.remark("published: no significant difference in the phone's battery life");
    part
}

/// Watts of the chip while it works.
fn chip_w() -> f64 {
    let [(low, at_low), (high, at_high)] = PLL_UA;
    let pll = at_low + (MHZ - low) / (high - low) * (at_high - at_low);
    (pll + CELLS * MHZ * CELL_UA_MHZ) * 1e-6 * VOLTS
}

/// A benchmark's rows: seconds of the core alone; of the chip, and of the core that feeds it.
pub fn of(name: &str, ands: f64, alone: f64, (chip, host): (f64, f64), part: &mut Part) {
    let each = |watts: f64| 1e6 * watts / ands;
    let with_chip = chip * chip_w() + host * CORE_W;
    part.model(&format!("{name}: the core alone"), "uJ an AND", None, each(alone * CORE_W));
    part.model(&format!("{name}: with the chip"), "uJ an AND", None, each(with_chip));
    part.note(format!(
        "the chip {:.3}, for {:.2} ms; the core {:.3}, which makes items for {:.2} ms",
        each(chip * chip_w()),
        chip * 1e3,
        each(host * CORE_W),
        host * 1e3
    ));
    part.model(&format!("{name}: the core is busy with the chip"), "ratio", None, host / alone);
    part.note("of the time that it would be alone");
}

/// Seconds of this machine's core for a body as items.
///
/// # Errors
/// If its code cannot be read.
pub fn host(program: &Program) -> Result<f64, String> {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        let mut lowering =
            Lowering::new(&program.circuit, SLOTS).map_err(|error| error.to_string())?;
        let (mut encoder, mut bytes, mut count) = (Encoder::default(), Vec::new(), 0);
        while let Some(step) = lowering.next_step().map_err(|error| error.to_string())? {
            let Some(item) = step.item() else { continue };
            let follows: &[u8] = match step {
                Step::And(..) => &[0; 32],
                Step::Load { .. } => &[0; 16],
                _ => &[],
            };
            encoder.push(item, None, follows, &mut bytes);
            count += std::hint::black_box(&bytes).len();
            bytes.clear();
        }
        std::hint::black_box(count);
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
