//! What we aim at, as the scoreboard keeps it.

use super::small::Small;
use super::vip::{MEMORIES, PAPER, Vip, wires_apart};
use halfgate_record::part::geo_mean;
use halfgate_record::record::{Figure, How};

/// Every target, with what was measured. Where a program's sizes are not the paper's, what is
/// compared with the paper is missing.
pub fn targets(vips: &[Vip], smalls: &[Small]) -> Vec<Figure> {
    let mut figures = ands(vips);
    figures.extend(window_model(vips));
    figures.extend(schedules(vips));
    figures.extend(encoding(vips));
    figures.extend(small(smalls));
    figures.extend(speed(vips));
    figures
}

fn model(name: &str, unit: &str, value: f64) -> Figure {
    Figure { how: How::Model, ..Figure::measured(name, unit, value) }
}

fn ands(vips: &[Vip]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for vip in vips {
        let ands = vip.circuit.ands as f64;
        let name = format!("{} ({}), ANDs", vip.name, vip.program);
        let Some(row) = vip.row else { continue };
        let mut bound = row.ands_at_most();
        let mut note = "published: gates in thousands times the share of ANDs, and the target the most that rounds to these".to_owned();
        if vip.name == "Hamm" {
            bound = bound.min(40_960.0);
            note = "at most an AND for each bit".to_owned();
        }
        figures.push(
            Figure::measured(&name, "ANDs", ands).published(row.ands()).at_most(bound).note(note),
        );
    }
    let names = ["Hamm", "Merse", "Triangle", "GradDesc"];
    let fewer: Vec<f64> = named(vips, &names)
        .filter_map(|vip| Some(vip.row?.ands() / vip.circuit.ands as f64))
        .collect();
    if fewer.len() == names.len() {
        let name = "ANDs fewer than published, mean of Hamm, Merse, Triangle, GradDesc";
        figures.push(Figure::measured(name, "times", geo_mean(fewer)).at_least(1.6));
    }
    figures
}

fn named<'a>(vips: &'a [Vip], names: &'a [&str]) -> impl Iterator<Item = &'a Vip> {
    vips.iter().filter(|vip| names.contains(&vip.name))
}

fn window_model(vips: &[Vip]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let matmult = named(vips, &["MatMult"]).find(|vip| vip.row.is_some());
    if let Some(baseline) = matmult.and_then(|vip| vip.paper.first()) {
        let reads = baseline.stats.oor_reads as f64;
        let off = 100.0 * (reads / 496e3 - 1.0).abs();
        figures.push(
            model("MatMult in element order, out-of-range reads off from 496 k", "%", off)
                .at_most(2.0)
                .note(format!("{reads:.0} reads; published 495 k, for segment")),
        );
    }
    for vip in vips {
        let Some(row) = vip.row else { continue };
        let gates = vip.circuit.gates as f64 / (row.gates_k * 1e3);
        let near = (gates - 1.0).abs() <= 0.1;
        let mut compare = |what: &str, unit: &str, published: f64, ours: f64| {
            let off = 100.0 * (ours / published - 1.0);
            let figure =
                model(&format!("{}, {what}, off from published", vip.name), "%", off.abs());
            let note = format!(
                "{ours:.2} {unit}, published {published:.2}; gates {gates:.2} of published"
            );
            figures.push(match near {
                true => figure.at_most(10.0).note(note),
                false => figure.note(format!("{note}, so no target")),
            });
        };
        for (order, at) in [("segment", 1), ("full", 2)] {
            let Some(run) = vip.paper.get(at) else { continue };
            let [live, oor] = if at == 1 { row.segment_k } else { row.full_k };
            compare(&format!("{order} live"), "k", live, run.stats.live as f64 / 1e3);
            compare(&format!("{order} out of range"), "k", oor, run.stats.oor_reads as f64 / 1e3);
            if at == 2 {
                let spent = 100.0 - 100.0 * run.stats.live as f64 / run.stats.gates.max(1) as f64;
                compare("spent wires", "%", row.spent_percent, spent);
            }
        }
    }
    figures
}

fn schedules(vips: &[Vip]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (m, memory) in MEMORIES.iter().enumerate() {
        for vip in vips {
            let (Some(best), Some(better)) = (vip.best.get(m), vip.better(m)) else { continue };
            let cycles = best.reports[0].cycles;
            figures.push(
                model(
                    &format!(
                        "{}, {memory}, time of best over the better of full and segment",
                        vip.name
                    ),
                    "times",
                    cycles as f64 / better as f64,
                )
                .at_most(1.0)
                .note(format!("{cycles} cycles against {better}, evaluating")),
            );
        }
    }
    let mut off_chip = Vec::new();
    for vip in vips {
        let Some(best) = vip.best.first() else { continue };
        let theirs = PAPER
            .iter()
            .zip(&vip.paper)
            .skip(1)
            .map(|(_, run)| wires_apart(&run.stats, run.inputs))
            .min();
        let Some(theirs) = theirs else { continue };
        let ours = wires_apart(&best.stats, best.inputs);
        // None at all counts as one, so that a mean can be taken.
        let ratio = ours.max(1) as f64 / theirs.max(1) as f64;
        let bound = if vip.name == "MatMult" { 0.15 } else { 1.0 };
        off_chip.push((vip.name, ratio));
        figures.push(
            model(
                &format!(
                    "{}, off-chip wires of best over the better of full and segment",
                    vip.name
                ),
                "times",
                ratio,
            )
            .at_most(bound)
            .note(format!("{ours} against {theirs}, beyond each input once and each output once")),
        );
    }
    let five = ["DotProd", "MatMult", "Triangle", "BubbSt", "GradDesc"];
    let of_five: Vec<f64> =
        off_chip.iter().filter(|(name, _)| five.contains(name)).map(|(_, r)| *r).collect();
    if of_five.len() == five.len() {
        let name = "off-chip wires of best, mean of DotProd, MatMult, Triangle, BubbSt, GradDesc";
        figures.push(model(name, "times", geo_mean(of_five)).at_most(0.5));
    }
    figures.extend(bounds(vips));
    figures
}

fn bounds(vips: &[Vip]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let (mut near, mut all) = (0, 0);
    for (m, memory) in MEMORIES.iter().enumerate() {
        for vip in vips {
            let Some(best) = vip.best.get(m) else { continue };
            let over = best.reports[0].cycles as f64 / best.bounds.greatest().max(1) as f64;
            if m == 1 {
                all += 1;
                near += u32::from(over <= 1.10);
            }
            let figure =
                model(&format!("{}, {memory}, best over the bound", vip.name), "times", over)
                    .note(format!("bound by {}", best.bounds.limit()));
            let floor = m == 0 && ["DotProd", "MatMult", "Triangle"].contains(&vip.name);
            figures.push(if floor { figure.at_most(1.08) } else { figure });
        }
    }
    if all == 8 {
        let name = "programs within 1.10x of the bound, hbm2, of eight";
        figures.push(model(name, "programs", near.into()).at_least(6.0));
    }
    figures
}

fn encoding(vips: &[Vip]) -> Vec<Figure> {
    let best: Vec<_> = vips.iter().filter_map(|vip| vip.best.first()).collect();
    if best.is_empty() {
        return Vec::new();
    }
    let bytes = |run: &super::vip::BestRun| {
        64.0 * run.reports[1].traffic.instruction_bursts as f64 / run.stats.gates.max(1) as f64
    };
    let mean = best.iter().map(|run| bytes(run)).sum::<f64>() / best.len() as f64;
    let gain = geo_mean(
        best.iter().map(|run| run.reports[0].cycles as f64 / run.reports[1].cycles as f64),
    );
    let each: Vec<_> = vips
        .iter()
        .filter_map(|vip| Some(format!("{} {:.2}", vip.name, bytes(vip.best.first()?))))
        .collect();
    vec![
        model("compact instructions, mean over programs", "bytes/gate", mean)
            .at_most(2.6)
            .note(each.join(", ")),
        model("compact instructions, gain over 37 bits with DDR4, mean", "times", gain)
            .at_least(1.15),
    ]
}

fn small(smalls: &[Small]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for small in smalls {
        let name = format!("Table 5, {} ({})", small.name, small.program);
        let published = super::published::table5_us(small.name);
        let figure = model(&name, "us", small.us());
        let figure = match published {
            Some(us) if small.name == "AES-128" => figure.published(us).at_most(2.45),
            Some(us) => figure.published(us).at_most(us),
            None => figure,
        };
        figures.push(figure.note(format!(
            "the faster of full ({:.3}) and best ({:.3}); {:.3} us from a cold start with DDR4",
            small.full.us, small.best.us, small.best.cold_us
        )));
    }
    let find = |name: &str| smalls.iter().find(|small| small.name == name);
    if let (Some(six), Some(sixteen)) = (find("Add-6"), find("Add-16")) {
        let a_bit = (sixteen.us() - six.us()) * 1000.0 / 10.0;
        figures.push(
            model("Table 5, ripple form, cycles a bit", "cycles", a_bit)
                .published(26.0)
                .at_most(24.0)
                .note("from Add-6 to Add-16"),
        );
    }
    if let Some(aes) = find("AES-128") {
        let run = if aes.best.us <= aes.full.us { aes.best } else { aes.full };
        figures
            .push(model("Table 5, AES-128 over its bound", "times", run.over_bound).at_most(1.15));
    }
    if let Some(latency) = find("Add-16").and_then(|small| small.latency) {
        figures.push(
            model("Table 5, Add-16 with --objective latency", "us", latency.us)
                .published(0.396)
                .at_most(0.20)
                .note(format!("{} ANDs", latency.ands)),
        );
    }
    figures
}

/// How fast our own passes and the model are, over all programs together.
fn speed(vips: &[Vip]) -> Vec<Figure> {
    let total = |rate: &dyn Fn(&Vip) -> Option<f64>| {
        let (mut gates, mut seconds) = (0.0, 0.0);
        for vip in vips {
            let each = vip.circuit.gates as f64 * 1e-6;
            let Some(rate) = rate(vip) else { continue };
            gates += each;
            seconds += each / rate;
        }
        gates / f64::max(seconds, 1e-12)
    };
    if vips.iter().all(|vip| vip.best.is_empty()) {
        return Vec::new();
    }
    let measured = |name: &str, rate: f64, least: f64| {
        Figure::measured(name, "M gates/s", rate)
            .at_least(least)
            .note("all programs together, by processor time of one core")
    };
    vec![
        measured("compile, full", total(&|vip| Some(vip.paper.get(2)?.compile_rate)), 5.0),
        measured("compile, segment", total(&|vip| Some(vip.paper.get(1)?.compile_rate)), 5.0),
        measured("compile, best", total(&|vip| Some(vip.best.first()?.compile_rate)), 1.0),
        measured(
            "model, 16 engines, labels off",
            total(&|vip| Some(vip.best.first()?.model_rate)),
            20.0,
        ),
        measured(
            "model, 16 engines, with labels, garbling",
            total(&|vip| Some(vip.best.first()?.labels_rate)),
            5.0,
        ),
    ]
}
