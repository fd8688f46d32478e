//! The paper's most prominent figures, each beside ours: speed-ups over a CPU, the slowdown
//! compared with plain code, and area, power and energy, which we do not measure.
//!
//! A speed-up over a CPU depends on the CPU as much as on the machine. So we give each speed-up
//! over four baselines: EMP as measured on another computer, which makes the row the same
//! everywhere; EMP scaled to this processor by its rate of AES; and our engine with its best and
//! with its portable kernel.

use super::published::{emp, text};
use super::sets::Sets;
use super::vip::Vip;
use halfgate_record::part::{Part, geo_mean};
use halfgate_record::record::{Figure, How};

/// The reason why energy, area and power are missing.
const NO_SILICON: &str = "not measured: no cell library of 16 nm and no layout here; cells of \
                          7 and 130 nm are in bench/results/silicon.json";

/// Conditions of the slowdown: the machine, and the plain code.
const PLAIN: &str = "the better order on the model, 16 engines, 2 MB, HBM2, beside the same \
                     functions in plain Rust on this processor";

/// The number of circuits with the paper's counts, and how many of these the counts shaped.
fn matched(vips: &[Vip]) -> String {
    let count = |is: fn(&&Vip) -> bool| vips.iter().filter(is).count();
    let (all, matched) = (vips.len(), count(|vip| vip.differs().is_none()));
    let mut text = format!("{matched} of {all} circuits have its counts");
    let fits = count(|vip| vip.differs().is_none() && vip.is_fit());
    let chosen = count(|vip| vip.differs().is_none() && vip.is_chosen());
    for (number, how) in [(fits, "by a fit"), (chosen, "in a form that these counts chose")] {
        if number > 0 {
            text += &format!(", {number} {how}");
        }
    }
    text
}

/// A speed-up of the paper: the name of its row, its key in the file of the paper's text, and our
/// cycles.
struct SpeedUp {
    what: &'static str,
    key: &'static str,
    cycles: fn(&Vip) -> Option<u64>,
}

const SPEED_UPS: [SpeedUp; 5] = [
    SpeedUp {
        what: "speed-up over a CPU, 16 engines, DDR4, better order, mean",
        key: "speedup_ddr4",
        cycles: |vip| vip.better(0),
    },
    SpeedUp {
        what: "speed-up over a CPU, 16 engines, HBM2, better order, mean",
        key: "speedup_hbm2",
        cycles: |vip| vip.better(1),
    },
    SpeedUp {
        what: "speed-up over a CPU, 16 engines, HBM2, full reorder, mean",
        key: "speedup_hbm2_full",
        cycles: full_hbm2,
    },
    SpeedUp {
        what: "speed-up over a CPU, one engine, HBM2, full reorder, mean",
        key: "speedup_hbm2_1ge",
        cycles: |vip| vip.one_engine,
    },
    SpeedUp {
        what: "speed-up over a CPU, 16 engines, HBM2, full reorder, ReLU",
        key: "speedup_hbm2_relu",
        cycles: |vip| full_hbm2(vip).filter(|_| vip.benchmark == "ReLU"),
    },
];

fn full_hbm2(vip: &Vip) -> Option<u64> {
    Some(vip.paper.get(2)?.reports[1].cycles)
}

fn seconds(cycles: u64) -> f64 {
    cycles as f64 * 1e-9
}

impl SpeedUp {
    /// The mean speed-up over a CPU that takes `cpu` seconds for a program.
    fn over(&self, vips: &[Vip], cpu: impl Fn(&Vip) -> Option<f64>) -> Option<f64> {
        let each = |vip| Some(cpu(vip)? / seconds((self.cycles)(vip)?));
        let ratios: Vec<f64> = vips.iter().filter_map(each).collect();
        (!ratios.is_empty()).then(|| geo_mean(ratios))
    }

    /// The row relative to EMP's rate on another computer.
    fn headline(&self, vips: &[Vip]) -> Figure {
        let (rate, _) = emp();
        let found = self.over(vips, |vip| Some(vip.circuit.ands as f64 / rate));
        let figure = model(self.what, "times", found, "it was not run");
        let figure = figure.published(text(self.key)).at_least(text(self.key));
        let why = format!(
            "the paper's CPU is a Core i7-10700K, and {}; if its machine takes these cycles, its CPU \
             did {:.2} M AND/s",
            matched(vips),
            found.map_or(0.0, |found| rate * 1e-6 * found / text(self.key))
        );
        let note = format!(
            "our cycles at 1 GHz by the model, over EMP 0.3 evaluating {:.0} M AND/s on one core \
             of another machine",
            rate * 1e-6
        );
        figure.note(note).unlike(&why).headline()
    }

    /// Rows relative to this processor.
    fn here(&self, vips: &[Vip], (kernel, block): (&str, f64)) -> Vec<Figure> {
        let (_, blocks) = emp();
        let scaled = blocks * block;
        let baselines = [
            (
                "over EMP scaled to this processor",
                self.over(vips, |vip| Some(vip.circuit.ands as f64 * scaled)),
                format!(
                    "{blocks:.1} block times an AND of EMP 0.3 evaluating, measured on another \
                     machine; {:.0} M AES-128 blocks/s here, so {:.0} M AND/s",
                    1e-6 / block,
                    1e-6 / scaled
                ),
            ),
            (
                "over our CPU engine, best kernel",
                self.over(vips, |vip| Some(vip.cpu?.evaluate)),
                format!(
                    "{kernel} kernel, evaluating the same programs on one core, {:.1} M AND/s",
                    rate(vips, |cpu| cpu.evaluate)
                ),
            ),
            (
                "over our CPU engine, portable kernel",
                self.over(vips, |vip| Some(vip.cpu?.portable)),
                format!(
                    "the same without instructions for AES, {:.2} M AND/s",
                    rate(vips, |cpu| cpu.portable)
                ),
            ),
        ];
        baselines
            .into_iter()
            .map(|(over, found, note)| {
                let name = format!("{}, {over}", self.what.replacen(" over a CPU", "", 1));
                let figure = model(&name, "times", found, "nothing was run on this processor");
                figure.timed().note(note)
            })
            .collect()
    }
}

/// The mean rate over the programs, in M AND/s.
fn rate(vips: &[Vip], of: fn(&super::cpu::CpuTime) -> f64) -> f64 {
    let each = |vip: &Vip| Some(vip.cpu.as_ref()?.ands as f64 * 1e-6 / of(vip.cpu.as_ref()?));
    geo_mean(vips.iter().filter_map(each))
}

fn model(name: &str, unit: &str, value: Option<f64>, why: &str) -> Figure {
    let figure = match value {
        Some(value) => Figure::measured(name, unit, value),
        None => Figure::missing(name, unit, why),
    };
    Figure { how: How::Model, ..figure }
}

/// All headlines, first for the paper's circuits where they exist, then for ours. The speed-ups
/// over this processor follow. `processor` is the name of its best kernel, and the seconds for an
/// AES block.
pub fn figures(sets: &Sets, processor: (&str, f64)) -> Vec<Figure> {
    let vips = &sets.published[..];
    let mut figures: Vec<Figure> = SPEED_UPS.iter().map(|row| row.headline(vips)).collect();
    figures.push(
        Figure::missing("energy of a CPU over the machine's, mean", "times", NO_SILICON)
            .published(text("energy_efficiency"))
            .headline(),
    );
    figures.extend(slowdowns(vips));
    for (name, unit, published) in [
        ("area, 16 nm, 16 engines, 2 MB", "mm2", text("area_mm2")),
        ("power, 16 nm, 16 engines, 2 MB, mean", "W", text("power_mw") / 1000.0),
    ] {
        figures.push(Figure::missing(name, unit, NO_SILICON).published(published).headline());
    }
    for row in &SPEED_UPS[..2] {
        figures.extend(row.here(vips, processor));
    }
    let of_ours = SPEED_UPS.iter().map(|row| row.headline(&sets.ours));
    for mut row in of_ours.chain(slowdowns(&sets.ours)) {
        row.name.push_str(", our circuits");
        row.headline = false;
        figures.push(row);
    }
    figures
}

fn slowdowns(vips: &[Vip]) -> [Figure; 2] {
    let of = |name, key, is_of| slowdown(vips, name, text(key), is_of);
    [
        of("slowdown against plain code, HBM2, mean", "slowdown_plaintext", all),
        of(
            "slowdown against plain code, HBM2, mean of integer programs",
            "slowdown_plaintext_integer",
            integer,
        ),
    ]
}

fn all(_: &Vip) -> bool {
    true
}

/// Whether the paper counts the program among the integer ones: all except this one.
fn integer(vip: &Vip) -> bool {
    vip.benchmark != "GradDesc"
}

fn slowdown(vips: &[Vip], name: &str, published: f64, is_of: fn(&Vip) -> bool) -> Figure {
    let each = |vip: &Vip| Some(seconds(vip.better(1)?) / vip.plaintext?);
    let ratios: Vec<f64> = vips.iter().filter(|vip| is_of(vip)).filter_map(each).collect();
    let found = (!ratios.is_empty()).then(|| geo_mean(ratios));
    let figure = model(name, "times", found, "nothing was run on this processor");
    let figure = figure.timed().published(published).at_most(published).note(PLAIN);
    let why = format!("the paper's plain C++ and its processor are others, and {}", matched(vips));
    figure.unlike(&why).headline()
}

/// All headlines as a part.
pub fn part(figures: Vec<Figure>) -> Part {
    let mut part = Part::new("headlines", "the paper's most prominent figures");
    part.figures = figures;
    part.remark("machines/haac/README.md has the arithmetic on the paper's CPU");
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::{Want, cpu::CpuTime, lab::Source, vip};
    use halfgate_programs::vip::VIP;

    /// Results of a small program, in place of those of the paper's programs.
    fn small() -> Sets {
        let want = Want { headlines: true, quick: true, ..Want::default() };
        let mut vip =
            vip::measure(&VIP[6], Source::ours("relu:2x8"), &want, &mut |_| ()).expect("it runs");
        vip.cpu = Some(CpuTime { garble: 1.0, evaluate: 1e-3, portable: 1e-2, ands: 14 });
        vip.plaintext = Some(1e-9);
        Sets { ours: vec![vip.clone()], published: vec![vip] }
    }

    #[test]
    fn each_headline_is_there_and_none_is_met_under_other_conditions() {
        let rows = figures(&small(), ("some", 1e-9));
        let published: Vec<f64> =
            rows.iter().filter(|row| row.headline).filter_map(|row| row.published).collect();
        let wanted = [589.0, 2627.0, 2616.0, 213.0, 11330.0, 53060.0, 76.0, 23.0, 4.33, 1.502];
        assert_eq!(published, wanted);
        assert!(rows.iter().all(|row| row.met.is_none()));
        let silicon = |row: &&Figure| row.note == NO_SILICON;
        assert!(rows.iter().filter(silicon).all(|row| row.measured.is_none()));
        assert_eq!(rows.iter().filter(silicon).count(), 3);
    }

    #[test]
    fn speed_ups_are_times_over_cycles() {
        let sets = small();
        let vips = &sets.published;
        let cycles = vips[0].better(0).expect("cycles") as f64;
        let rows = figures(&sets, ("some", 1e-9));
        let of = |name: &str| {
            let row = rows.iter().find(|row| row.name.contains(name)).expect(name);
            row.measured.expect(name)
        };
        let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-9);
        let ands = vips[0].circuit.ands as f64;
        near(of("over a CPU, 16 engines, DDR4"), ands / 47e6 / (cycles * 1e-9));
        near(of("DDR4, better order, mean, over our CPU engine, best"), 1e6 / cycles);
        near(of("DDR4, better order, mean, over our CPU engine, portable"), 1e7 / cycles);
        let scaled = ands * 1e-9 * 1185.0 / 47.0;
        near(of("DDR4, better order, mean, over EMP scaled"), scaled / (cycles * 1e-9));
        near(of("plain code, HBM2, mean"), vips[0].better(1).expect("cycles") as f64);
        // One engine takes longer than 16, with the same memory.
        assert!(of("one engine") <= of("HBM2, full reorder, mean"));
    }
}
