//! Energy of an evaluation: by the phone's core alone, and by the chip together with the core that
//! serves it. This is an estimate from published measurements, which are named here. No energy was
//! measured on a board.

use crate::engine::MHZ;
use halfgate_compiler::Program;
use halfgate_mobile_model::frame::Frame;
use halfgate_mobile_model::names::{FORMAT_VERSION, STATUS_FINE, SUITE_HALF_GATES};
use halfgate_mobile_model::transport::Transport;
use halfgate_mobile_model::{Begin, Encoder, Item, Lowering, SLOTS, Step};
use halfgate_record::part::Part;
use halfgate_record::record::Results;
use std::time::Instant;

/// Watts of a phone's core under load. Four A57 cores of an Exynos 7420 take 5.49 W at 2.1 GHz
/// (measured by AnandTech, reported by phonearena.com, 2015).
const CORE_W: f64 = 5.49 / 4.0;
/// Core supply of the UP5K: its voltage, and the current in uA of the core and the PLL together,
/// with the PLL at 32 and at 48 MHz. tinyVision.ai measured these with a Joulescope
/// (github.com/tinyvision-ai-inc/ice40_power).
const VOLTS: f64 = 1.219;
const PLL_UA: [(f64, f64); 2] = [(32.0, 2029.0 + 138.9), (48.0, 2573.0 + 103.6)];
/// Current per cell and MHz, in uA, from the same source: at 12 MHz, an 8-bit multiplier without
/// DSP takes 996 - 645 uA in 208 - 28 cells. Its operands change in each clock cycle. Most cells of
/// the chip wait for the link, so they take less current.
const CELL_UA_MHZ: f64 = (996.0 - 645.0) / (208.0 - 28.0) / 12.0;
/// The record of the placed chip (`make place`), and the name of its row of logic cells.
const PLACED: &str = include_str!("../../../../bench/results/mobile-place.json");
const CELLS: &str = "iCE40 UP5K, spi: logic cells";
/// Tag of the run.
const RUN: u16 = 1;
/// Reported free space in frames.
const SPACE: u8 = 3;

/// Returns the recorded figure of the placed chip whose name begins with `row`.
pub fn placed(row: &str) -> f64 {
    let record: Results = serde_json::from_str(PLACED).expect("a record of the project");
    let found = record.results.iter().find(|figure| figure.name.starts_with(row));
    found.and_then(|figure| figure.measured).expect("the placed chip is recorded")
}

/// Number of logic cells of the placed chip.
fn cells() -> f64 {
    placed(CELLS)
}

/// The part, with the rows and notes that are common to all circuits.
pub fn part() -> Part {
    let mut part = Part::new("energy", "energy, estimated from published measurements of parts");
    part.model("the chip's core supply", "mW", None, chip_w() * 1e3);
    part.note(format!(
        "UP5K at {MHZ} MHz: {} cells (bench/results/mobile-place.json), each with {CELL_UA_MHZ:.3} uA per MHz like the cells of a multiplier (tinyVision.ai, ice40_power), and the PLL; pins are not included",
        cells()
    ));
    part.model("a phone's core under load", "mW", None, CORE_W * 1e3);
    part.note("A57 at 2.1 GHz: a quarter of 5.49 W (Exynos 7420, AnandTech by phonearena.com)");
    part.remark("the core's times were measured on this computer, whose core is faster than a phone's. So the core's energy is too low by the same factor, both alone and with the chip. The chip's own energy is not, so on a phone its share of the sum would be smaller");
    part.remark("published: no significant difference in the phone's battery life");
    part
}

/// Watts of the chip while it works.
fn chip_w() -> f64 {
    let [(low, at_low), (high, at_high)] = PLL_UA;
    let pll = at_low + (MHZ - low) / (high - low) * (at_high - at_low);
    (pll + cells() * MHZ * CELL_UA_MHZ) * 1e-6 * VOLTS
}

/// Adds a benchmark's rows. `alone`, `chip` and `host` are in seconds: the core that evaluates
/// alone, the chip, and the core that serves the chip.
pub fn of(name: &str, ands: f64, alone: f64, (chip, host): (f64, f64), part: &mut Part) {
    let each = |watts: f64| 1e6 * watts / ands;
    let with_chip = chip * chip_w() + host * CORE_W;
    part.model(&format!("{name}: the core alone"), "uJ per AND", None, each(alone * CORE_W));
    part.model(&format!("{name}: with the chip"), "uJ per AND", None, each(with_chip));
    part.note(format!(
        "the chip {:.3}, for {:.2} ms; the core {:.3}, which makes items and frames for {:.2} ms",
        each(chip * chip_w()),
        chip * 1e3,
        each(host * CORE_W),
        host * 1e3
    ));
    part.model(&format!("{name}: the core is busy with the chip"), "ratio", None, host / alone);
    part.note("its time with the chip over its time alone");
}

/// The phone's side of the link. Its chip acknowledges everything at once.
struct Phone {
    transport: Transport,
    frames: u8,
}

impl Phone {
    fn new() -> Result<Phone, String> {
        let mut transport = Transport::new(RUN, SUITE_HALF_GATES);
        transport.sends();
        let slots = SLOTS.ilog2() as u8;
        let hello =
            Frame::Hello { run: RUN, version: FORMAT_VERSION, suites: 3, slots, space: SPACE };
        transport.receive(&hello.encode()).map_err(|error| error.to_string())?;
        Ok(Phone { transport, frames: 0 })
    }

    /// Sends bytes and handles their acknowledgement. If `is_last` is set, also sends an incomplete
    /// frame.
    fn report(&mut self, bytes: &mut Vec<u8>, is_last: bool) -> Result<(), String> {
        self.transport.send(bytes);
        bytes.clear();
        if is_last {
            self.transport.flush();
        }
        while !self.transport.has_space() || (is_last && !self.transport.is_acknowledged()) {
            let sent = std::hint::black_box(self.transport.sends());
            let frames = sent.iter().filter(|byte| **byte == 0).count();
            self.frames = (self.frames + frames as u8) % 64;
            let response = Frame::Ack {
                number: self.frames,
                run: RUN,
                space: SPACE,
                status: STATUS_FINE,
                again: false,
            };
            self.transport.receive(&response.encode()).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Returns the seconds that a core of this computer takes to make the items and checksummed frames
/// of a body, and the number of their bytes.
///
/// # Errors
/// If the program's code cannot be read.
pub fn host(program: &Program) -> Result<(f64, u64), String> {
    let failed = |error: std::io::Error| error.to_string();
    let (mut best, mut sent) = (f64::MAX, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let mut lowering = Lowering::new(&program.circuit, SLOTS).map_err(failed)?;
        let (mut encoder, mut bytes, mut phone) = (Encoder::default(), Vec::new(), Phone::new()?);
        let begin = Begin { is_grr3: false, number: 0, cycle: 0, point: 0 };
        encoder.push(Item::Begin, None, &begin.bytes(), &mut bytes);
        while let Some(step) = lowering.next_step().map_err(failed)? {
            let Some(item) = step.item() else { continue };
            // Tables and labels contain few zeros, which byte stuffing removes. So these bytes are
            // not zero.
            let follows: &[u8] = match step {
                Step::And(..) => &[0xa5; 32],
                Step::Load { .. } => &[0xa5; 16],
                _ => &[],
            };
            encoder.push(item, None, follows, &mut bytes);
            if !bytes.is_empty() {
                phone.report(&mut bytes, false)?;
            }
        }
        encoder.push(Item::End, None, &[], &mut bytes);
        encoder.flush(&mut bytes);
        phone.report(&mut bytes, true)?;
        best = best.min(start.elapsed().as_secs_f64());
        sent = phone.transport.traffic().to_chip;
    }
    Ok((best, sent))
}
