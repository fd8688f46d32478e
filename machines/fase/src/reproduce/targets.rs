//! The targets of the scoreboard.

use super::clocks::Clocks;
use super::fit::{FITTED, Fitted};
use super::netlists::{Found, NO_NETLISTS, NO_YOSYS};
use super::published::{ROWS, Row};
use super::rate::Rates;
use halfgate_record::part::geo_mean;
use halfgate_record::record::{Figure, How};

/// The targets for clocks on the given netlists and on our functions. `fitted` has the parameters
/// that were fitted on half of the given netlists.
pub fn of_clocks(of_given: &[Clocks], of_ours: &[Clocks], fitted: Option<&Fitted>) -> Vec<Figure> {
    let mut figures = published_machines(fitted);
    figures.extend(near_bounds(of_given, of_ours));
    figures.extend(against_two_pipelines(of_given));
    figures.push(fitting(of_ours));
    figures
}

/// Counts the functions whose code fits our machine with two pipelines, if its memories hold as
/// many gates as those of the published machine.
fn fitting(of_ours: &[Clocks]) -> Figure {
    let name = "best, 2 pipelines: functions that fit memories for 2^13 gates, no clock lost";
    if of_ours.is_empty() {
        return Figure::not_run(name, "of 12", NO_YOSYS).at_least(12.0);
    }
    let fits = |clocks: &&Clocks| clocks.best.iter().any(|best| best.pipelines == 2 && best.fits);
    let count = of_ours.iter().filter(fits).count();
    model(name, "of 12", count as f64).at_least(12.0).note("of our own Verilog's netlists")
}

fn model(name: &str, unit: &str, value: f64) -> Figure {
    Figure { how: How::Model, ..Figure::measured(name, unit, value) }
}

/// Largest distance from the published gates, in percent, with which a netlist counts as the
/// paper's.
const SAME: f64 = 2.0;

/// Why the gates of our function are not compared with those of the paper's function of the same
/// name: it may compute something else, or it is another circuit.
fn unlike(row: &Row, gates: f64) -> Option<String> {
    let over = gates / row.non_xor();
    match row.name {
        name if name.starts_with("MAC") => Some(
            "the paper does not say what its MAC computes: the public netlist of 8 bits gives 8, \
             ours 16"
                .to_owned(),
        ),
        "CORDIC_32_31" => {
            Some("the paper does not say what its CORDIC computes, nor how exactly".to_owned())
        }
        _ if (over - 1.0).abs() * 100.0 > SAME => {
            Some(format!("another circuit for the function: {over:.2} times the gates"))
        }
        _ => None,
    }
}

/// The targets for the sizes of our functions.
pub fn sizes(ours: &[Found]) -> Vec<Figure> {
    let figure = |row: &Row| {
        let name = format!("{} in our Verilog, non-XOR gates", row.name);
        let found = ours.iter().find(|found| found.row.name == row.name);
        let figure = match found {
            Some(found) => Figure::measured(&name, "gates", found.netlist.ands() as f64)
                .note(found.source.clone()),
            None => Figure::not_run(&name, "gates", NO_YOSYS),
        };
        let figure = figure.published(row.non_xor()).at_most(row.non_xor());
        let why = found.and_then(|found| unlike(row, found.netlist.ands() as f64));
        figure.unlike_if(why.as_deref())
    };
    ROWS.iter().map(figure).collect()
}

/// The error of the models of the published machines, with parameters [`Fitted`] on half of the
/// netlists. There is no verdict: constants are fitted on one half, and the machine's rules were
/// chosen with the other half in view.
fn published_machines(fitted: Option<&Fitted>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for row in ROWS.iter().filter(|row| row.rtl > 0.0) {
        let found = fitted.and_then(|fitted| Some((fitted, fitted.clocks(row.name)?)));
        let seen = if FITTED.contains(&row.name) { SEEN } else { IN_VIEW };
        let table = format!("; Table 3 has {}", row.one);
        for (what, machine, published, whose, more) in [
            (
                "paper, 1 pipeline: off the public RTL",
                0,
                row.rtl,
                "the public RTL, simulated outside this repository,",
                table.as_str(),
            ),
            ("paper, 2 pipelines: off Table 3", 1, row.two, "Table 3", ""),
        ] {
            let name = format!("{}, {what}", row.name);
            let figure = match &found {
                Some((fitted, clocks)) => {
                    let off = (clocks[machine] as f64 / published - 1.0).abs() * 100.0;
                    let clocks = clocks[machine];
                    let note = format!("{clocks} clocks; {whose} has {published}{more}");
                    model(&name, "%", off).note(format!("{note}; {}", fitted.text()))
                }
                None => Figure { how: How::Model, ..Figure::not_run(&name, "%", NO_NETLISTS) },
            };
            // The carry of Add_8_8 needs two ANDs, which take 26 clocks. The RTL takes 22 for the
            // whole netlist cycle, so it does not wait for the carry. This row is treated like the
            // others.
            figures.push(figure.at_most(10.0).unlike_if(found.is_some().then_some(seen)));
        }
    }
    figures
}

/// Why a netlist has no verdict.
const SEEN: &str = "what the paper leaves open is fitted on this netlist";
const IN_VIEW: &str = "constants are fitted on other netlists, but the machine's rules were chosen \
                       with this one in view";

/// The worst ratio of clocks to the bound, among our netlists of at least 1,000 gate-cycles and
/// among the given ones.
fn near_bounds(of_given: &[Clocks], of_ours: &[Clocks]) -> Vec<Figure> {
    let worst = |pipelines: u32| {
        let all = of_ours.iter().filter(|clocks| clocks.gates >= 1000);
        let ratios = all.filter_map(|clocks| {
            let found = clocks.best.iter().find(|found| found.pipelines == pipelines)?;
            Some((found.over_bound(), clocks))
        });
        let name = format!("best, {pipelines} pipeline(s): clocks over bound, worst netlist");
        match ratios.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((ratio, clocks)) => {
                let found = clocks.best.iter().find(|found| found.pipelines == pipelines);
                let counts = found.map(|f| format!(": {} clocks, bound {}", f.clocks, f.bound));
                let least = found.and_then(|found| found.least).map(|least| {
                    format!("; with its dependences, no schedule takes fewer than {least}")
                });
                let [counts, least] = [counts, least].map(Option::unwrap_or_default);
                let note = format!("{}, our own netlist{counts}{least}", clocks.row.name);
                model(&name, "x", ratio).note(note)
            }
            None => Figure::not_run(&name, "x", NO_YOSYS),
        }
        .at_most(1.08)
    };
    let mut figures: Vec<Figure> = (1..=4).map(worst).collect();
    let given = || of_given.iter().filter(|clocks| clocks.gates >= 1000);
    let ratios =
        given().flat_map(|clocks| clocks.best.iter().map(super::clocks::Scheduled::over_bound));
    let name = "best, 1 to 4 pipelines: clocks over bound, public netlists of 1,000 gate-cycles";
    let figure = match ratios.max_by(f64::total_cmp) {
        Some(ratio) => {
            let names: Vec<_> = given().map(|clocks| clocks.row.name).collect();
            let note = format!(
                "the worst of {}; {} public netlists are smaller; our own have rows of their own",
                names.join(" and "),
                of_given.len() - names.len()
            );
            model(name, "x", ratio).note(note)
        }
        None => Figure::not_run(name, "x", NO_NETLISTS),
    };
    figures.push(figure.at_most(1.08));
    figures
}

fn against_two_pipelines(of_given: &[Clocks]) -> Vec<Figure> {
    let names = [
        ("best, 2 pipelines: geometric mean over Table 3's two", "x"),
        ("AES_128_11, best, 2 pipelines", "clocks"),
        ("AES_128_11, best: 4 pipelines over 2", "x"),
        ("CORDIC_32_31, best: 4 pipelines over 2", "x"),
        ("AES_128_11, wide, 2 pipelines", "clocks"),
    ];
    let of = |name: &str| of_given.iter().find(|clocks| clocks.row.name == name);
    let more = |name: &str| of(name).map(|c| c.best_of(2) as f64 / c.best_of(4) as f64);
    let mean = (!of_given.is_empty())
        .then(|| geo_mean(of_given.iter().map(|clocks| clocks.row.two / clocks.best_of(2) as f64)));
    let wide = of("AES_128_11").and_then(|c| c.wide.iter().find(|w| w.pipelines == 2));
    let values = [
        mean,
        of("AES_128_11").map(|clocks| clocks.best_of(2) as f64),
        more("AES_128_11"),
        more("CORDIC_32_31"),
        wide.map(|wide| wide.clocks as f64),
    ];
    let mut figures: Vec<Figure> = names
        .into_iter()
        .zip(values)
        .map(|((name, unit), value)| match value {
            Some(value) => model(name, unit, value),
            None => Figure::not_run(name, unit, NO_NETLISTS),
        })
        .collect();
    let aims = [(2.2, false), (28_000.0, true), (1.85, false), (1.85, false), (14_000.0, true)];
    for (figure, (target, at_most)) in figures.iter_mut().zip(aims) {
        let aimed = figure.clone();
        *figure = if at_most { aimed.at_most(target) } else { aimed.at_least(target) };
    }
    if figures[0].measured.is_some() {
        figures[0] = figures[0].clone().unlike(SIX_ROWS);
    }
    for row in [1, 4] {
        figures[row].published = Some(55_664.0);
        if figures[row].measured.is_some() {
            figures[row] = figures[row].clone().note(IN_CLOCKS).unlike(OVERLAPS);
        }
    }
    figures
}

/// Why a mean over the available netlists has no verdict.
const SIX_ROWS: &str = "six of Table 3's twelve rows: the other netlists are not public";

/// What our machines do and the paper's does not.
const OVERLAPS: &str = "ours processes gates of different netlist cycles at the same time, which \
                        section 4 excludes";

/// The note of the targets for clocks on a published netlist.
const IN_CLOCKS: &str = "on the netlist that the paper used; clocks, of machines of which neither is \
                         placed here";

/// The speed of simulating the machine in SystemVerilog.
pub fn of_simulation(rates: &Result<Rates, String>) -> Vec<Figure> {
    let rate = |name: &str, rate: &dyn Fn(&Rates) -> f64| match rates {
        Ok(rates) => Figure::measured(name, "k cycles/s", rate(rates) / 1e3),
        Err(why) => Figure::not_run(name, "k cycles/s", why),
    };
    vec![
        rate("best, 2 pipelines: RTL simulated", &|rates| rates.rtl).at_least(200.0),
        rate("best, 2 pipelines: RTL simulated, AES as a call", &|rates| rates.dpi),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_fase_model::paper::Open;

    #[test]
    fn netlists_that_were_in_view_have_no_verdict() {
        let all = ROWS.iter().filter(|row| row.rtl > 0.0);
        let clocks = all.map(|row| (row.name, [row.rtl as u64, row.two as u64 * 2])).collect();
        let rows = published_machines(Some(&Fitted::new(Open::FOUND, clocks)));
        assert_eq!(rows.len(), 12);
        for row in &rows {
            let seen = FITTED.iter().any(|name| row.name.starts_with(name));
            let off = if row.name.contains("1 pipeline:") { 0.0 } else { 100.0 };
            assert_eq!((row.met, row.measured), (None, Some(off)), "{}", row.name);
            assert_eq!(row.note.contains(SEEN), seen, "{}", row.name);
            assert!(row.target == Some(10.0) && row.note.contains("labels wait"));
        }
        let aes = rows.iter().find(|row| row.name.starts_with("AES_128_11, paper, 1"));
        assert!(aes.expect("a row").note.contains("; Table 3 has 84044; "), "{aes:?}");
        let missing = published_machines(None);
        assert!(missing.iter().all(|row| row.met.is_none() && row.note == NO_NETLISTS));
        assert!(missing.iter().all(|row| row.not_run && row.measured.is_none()));
    }
}
