//! The paper's headline figures: the speed-up of the paper's two pipelines over the original FASE,
//! which has one, and the time for AES.

use super::clocks::Clocks;
use super::netlists::{NO_NETLISTS, NO_YOSYS};
use super::published::MHZ;
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};

/// The time for AES-128 that the paper's conclusion gives, in microseconds.
const AES_US: f64 = 700.0;

/// The speed-up of two pipelines over one: as published, and in our models of both machines.
fn improvements(all: &[Clocks]) -> [f64; 2] {
    let mean = |of: &dyn Fn(&Clocks) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    [mean(&|clocks| clocks.row.one / clocks.row.two), mean(&improvement)]
}

fn improvement(clocks: &Clocks) -> f64 {
    clocks.paper[0].clocks as f64 / clocks.paper[1].clocks as f64
}

fn row(name: &str, unit: &str, value: Result<f64, &str>) -> Figure {
    let figure = match value {
        Ok(value) => Figure::measured(name, unit, value),
        Err(why) => Figure::not_run(name, unit, why),
    };
    Figure { how: How::Model, ..figure }
}

/// Why the mean over the public netlists has no verdict.
const SOME: &str = "the paper does not give this mean of some rows, and some of them chose the model's \
                    constants";

/// Makes the figures from counts of clock cycles on the published netlists and on our functions.
pub fn figures(of_given: &[Clocks], of_ours: &[Clocks]) -> Vec<Figure> {
    let ours = if of_ours.is_empty() { Err(NO_YOSYS) } else { Ok(improvements(of_ours)[1]) };
    let mult = of_ours.iter().find(|clocks| clocks.row.name == "Mult_256_512");
    let mult = mult.map(improvement).ok_or(NO_YOSYS);
    let own = "other netlists than the paper's, of our own Verilog";
    let note = "the published machines on our model, mean of 12";
    let mut figures = vec![
        row("two pipelines over FASE, mean", "x", ours)
            .published(1.26)
            .at_least(1.26)
            .note(note)
            .unlike(own),
        row("two pipelines over FASE, most (Mult_256_512)", "x", mult)
            .published(1.87)
            .at_least(1.87)
            .note("the published machines on our model")
            .unlike(own),
    ];
    let name = "two pipelines over FASE, mean of the netlists that are public";
    figures.push(match of_given.is_empty() {
        true => row(name, "x", Err(NO_NETLISTS)),
        false => {
            let [published, ours] = improvements(of_given);
            let count = of_given.len();
            let note = format!("the published machines on our model; {count} of Table 3's 12 rows");
            let figure = row(name, "x", Ok(ours)).published(published).at_least(published);
            figure.note(note).unlike(SOME)
        }
    });
    let aes = of_given.iter().find(|clocks| clocks.row.name == "AES_128_11");
    let us = aes.map(|clocks| clocks.paper[1].clocks as f64 / MHZ).ok_or(NO_NETLISTS);
    let figure = row("AES-128 garbled by two pipelines", "us", us);
    figures.push(
        figure
            .published(AES_US)
            .at_most(AES_US)
            .note("the published machine on our model, on its netlist, at the published 80 MHz")
            .unlike("the clock is assumed: the machine is not placed here"),
    );
    figures.into_iter().map(Figure::headline).collect()
}

/// Makes the part with these figures.
pub fn part(figures: Vec<Figure>) -> Part {
    let mut part = Part::new("headlines", "the paper's most prominent figures");
    part.figures = figures;
    part
}
