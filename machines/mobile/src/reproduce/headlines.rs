//! The poster's most prominent figures beside ours: the speed-up if the link is not the limit, the
//! speed-up behind a real link, and a phone's battery life.

use super::{Benchmark, GIVEN, OURS, PUBLISHED_SECONDS, energy, model, wide};
use halfgate_engine::Suite;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};

/// The speed-up that the poster calculates.
const SATURATED: f64 = 62.0;
/// The highest clock of the published chip, in MHz; from the thesis.
const CLOCK: f64 = 45.0;
/// Name of the row with the placed chip's clock.
const PLACED_CLOCK: &str = "iCE40 UP5K, spi: clock after place and route";
/// Note on the software baseline.
const STAND_IN: &str = "the software is a server's core without AES instructions, which stands in \
                        for the phone's; the published software is the author's, on his phone, the \
                        poster's benchmark a square root of 64-bit floats, its suite not half-gates \
                        and its link the phone's serial line";

/// Sources of the published speed-ups.
const POSTER: &str = "published: calculated on the poster";
const DIVISION: &str = "published: 7.6 s on the phone over 10.1 s with the chip, the thesis's \
                        division; the poster has 25 % slower for its square root";

/// Times of a benchmark in seconds.
pub struct Raced {
    name: String,
    /// Times of the chip: behind a link that is not the limit, and behind SPI.
    chip: [f64; 2],
    /// Time of one core alone.
    alone: f64,
}

impl Raced {
    /// Runs a benchmark on a link that is not the limit. It took `spi` seconds behind SPI and
    /// `alone` seconds on a core.
    ///
    /// # Errors
    /// If the benchmark cannot be run.
    pub fn of(benchmark: &Benchmark, spi: f64, alone: f64) -> Result<Raced, String> {
        let unbound = benchmark.run(Suite::HalfGates, wide::UNBOUND)?.seconds;
        Ok(Raced { name: benchmark.name.clone(), chip: [unbound, spi], alone })
    }
}

/// All figures, for the published benchmark. If that was not run, each figure is marked so, and has
/// the value of our own division.
pub fn figures(all: &[Raced]) -> Vec<Figure> {
    let find = |name: &str| all.iter().find(|raced| raced.name == name);
    let raced = find(GIVEN).or_else(|| find(OURS));
    let [with_chip, phone] = PUBLISHED_SECONDS;
    let speed_up = |what: &str, link: usize, published: f64, source: &str| {
        let figure = match raced {
            Some(raced) => model(what, "times", raced.alone / raced.chip[link])
                .note(format!("{}; half-gates, by the chip's model; {source}", raced.name)),
            None => Figure { how: How::Model, ..Figure::not_run(what, "times", "it was not run") },
        };
        let figure = Figure { not_run: find(GIVEN).is_none(), ..figure.timed() };
        let figure = figure.published(published).at_least(published);
        figure.unlike(STAND_IN).headline()
    };
    let battery = Figure::missing(
        "a phone's battery life with the chip",
        "",
        "published: no significant difference; not measured here, as there is no board",
    );
    vec![
        speed_up("speed-up over software, link that does not bind", 0, SATURATED, POSTER),
        speed_up("speed-up over software, behind the link", 1, phone / with_chip, DIVISION),
        battery.headline(),
    ]
}

/// The clock that the small chip reaches, beside that of the published chip.
pub fn clock() -> Figure {
    let figure = model("clock of the placed chip, UP5K", "MHz", energy::placed(PLACED_CLOCK));
    let figure = Figure { how: How::Synthesis, ..figure }.published(CLOCK).at_least(CLOCK);
    figure.note(format!("bench/results/mobile-place.json; {}", super::THESIS))
}

/// All figures as a part.
pub fn part(figures: &[Figure]) -> Part {
    let mut part = Part::new("headlines", "the poster's most prominent figures");
    part.figures = figures.to_vec();
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_ups_are_of_the_published_benchmark_if_it_is_there() {
        let raced = |name: &str, alone| Raced { name: name.to_owned(), chip: [2.0, 16.0], alone };
        let of = |all: &[Raced]| {
            figures(all).iter().map(|row| (row.published, row.measured)).collect::<Vec<_>>()
        };
        let ratio = 7.6 / 10.1;
        assert_eq!(
            of(&[raced(OURS, 4.0), raced(GIVEN, 8.0)]),
            [(Some(62.0), Some(4.0)), (Some(ratio), Some(0.5)), (None, None)]
        );
        assert_eq!(of(&[raced(OURS, 4.0)])[0], (Some(62.0), Some(2.0)));
        // A record keeps rows of the published benchmark.
        let not_run =
            |all: &[Raced]| figures(all).iter().map(|row| row.not_run).collect::<Vec<_>>();
        assert_eq!(not_run(&[raced(OURS, 4.0)]), [true, true, false]);
        assert_eq!(not_run(&[raced(GIVEN, 8.0)]), [false; 3]);
        assert_eq!(of(&[])[0], (Some(62.0), None));
        assert!(figures(&[]).iter().all(|row| row.headline && row.met.is_none()));
    }

    #[test]
    fn the_placed_chip_is_slower_than_the_published_one() {
        let clock = clock();
        assert!(clock.measured > Some(40.0) && clock.met == clock.verdict());
    }
}
