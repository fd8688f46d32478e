//! Times of a benchmark: on the chip behind each link, and on one core alone.

use super::{Benchmark, GIVEN, OURS, PUBLISHED_SECONDS, Ran, SPI, SPI_MHZ, model};
use crate::engine::Link;
use crate::engine::MHZ;
use halfgate_engine::cpu::rate::{Load, Rate};
use halfgate_engine::{Suite, kernels};
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

const ON_SPI: &str = ", SPI at 30 MHz";
const ALONE: &str = ", one core without AES instructions";
const OVER: &str = ": chip behind SPI over the stand-in core alone";
const LAST: &str = ", from the last table to the results";
/// Further clocks in MHz. The second is the maximum of the published chip.
const CLOCKS: [f64; 2] = [30.0, 45.0];
/// Why the published times are not comparable.
const MEASURED: &str = "the published 10.1 s (the thesis) were measured with a phone, its serial line and grr3; ours is the chip's model, and the host's time is not counted";
/// Note on our own division, which is not the published one.
const OUR_DIVISION: &str =
    "a division of our own with fewer ANDs, by the chip's model; the published netlist has a row";
/// Note on times after the last table.
const WAITS: &str = "the chip's model, the host's time not counted; of a garbler that is faster than the link: frames are waiting then";

/// Published value for a row of the given benchmark: milliseconds, or a ratio.
pub fn published(what: &str) -> Option<f64> {
    let [chip, phone] = PUBLISHED_SECONDS;
    match what {
        ALONE => Some(phone * 1e3),
        OVER => Some(phone / chip),
        _ if what.starts_with(": ") || what.ends_with(LAST) => None,
        _ => Some(chip * 1e3),
    }
}

/// Adds a benchmark's rows and targets. Returns the time of one core alone, in seconds.
///
/// # Errors
/// If the benchmark cannot be run.
pub fn of(
    benchmark: &Benchmark,
    spi: &Ran,
    part: &mut Part,
    targets: &mut Vec<Figure>,
) -> Result<f64, String> {
    let name = &benchmark.name;
    let row = |what: &str, unit: &str, value: f64| {
        let published = published(what).filter(|_| name == GIVEN);
        Figure { published, ..model(&format!("{name}{what}"), unit, value) }
    };
    let ms = |what: &str, seconds: f64| row(what, "ms", seconds * 1e3);
    part.figures.push(ms(ON_SPI, spi.seconds).note(format!("core at {MHZ} MHz, as placed")));
    for mhz in CLOCKS {
        let ran = benchmark.run(Suite::HalfGates, Link::spi(mhz, SPI_MHZ))?;
        let figure = ms(&format!("{ON_SPI}, core at {mhz} MHz"), ran.seconds);
        let note = match mhz > MHZ {
            true => format!("the published chip's limit; ours is placed for {MHZ} MHz"),
            false => format!("ours is placed for {MHZ} MHz"),
        };
        part.figures.push(figure.note(note));
    }
    let (what, waits) = (format!("{ON_SPI}{LAST}"), |figure: Figure| figure.note(WAITS));
    let mut last = vec![waits(ms(&what, spi.after))];
    for mbaud in [12.0, 3.0] {
        let ran = benchmark.run(Suite::HalfGates, Link::serial(MHZ, mbaud))?;
        let what = format!(", serial line of {mbaud} Mbaud");
        part.figures.push(ms(&what, ran.seconds));
        last.push(waits(ms(&format!("{what}{LAST}"), ran.after)));
    }
    let ran = benchmark.run(Suite::Grr3, SPI)?;
    part.figures.push(ms(&format!(", grr3{ON_SPI}"), ran.seconds));
    targets.push(last[0].clone().at_most(1.0));
    part.figures.extend(last);

    let kernel = kernels::by_name("portable").map_err(|error| error.to_string())?;
    // Counts the ANDs that the chip evaluates, so gates that no output needs are left out.
    let alone = spi.sent.gates[0] as f64 * Rate::new(kernel, Load::Serial).evaluate(0.2);
    let figure = ms(ALONE, alone);
    part.measured(&figure.name, "ms", figure.published, alone * 1e3);
    part.note("its ANDs alone, one after the other, on this machine's core: a stand-in for a phone's, and faster than one of 2016");
    let over = row(OVER, "times", alone / spi.seconds).note(format!(
        "the stand-in is a server's core without AES instructions, measured on this machine; the published phone took {} s for its division",
        PUBLISHED_SECONDS[1]
    ));
    let over = over.timed();
    part.figures.push(over.clone());
    targets.push(over.at_least(1.0));
    let bound = spi.sent.traffic.to_chip as f64 * 8.0 / (SPI_MHZ * 1e6);
    let share = row(": share of SPI's time", "%", 100.0 * bound / spi.seconds);
    targets.push(share.at_least(90.0));
    if name == GIVEN || name == OURS {
        let figure = ms(&format!(", half-gates{ON_SPI}"), spi.seconds).at_most(55.0);
        let own = figure.clone().note(OUR_DIVISION);
        targets.push(if name == GIVEN { figure.unlike(MEASURED) } else { own });
    }
    Ok(alone)
}
