//! The data behind Figures 6 to 10.

use super::published;
use super::vip::{ENGINES, MEMORIES, PAPER, Vip};
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::energy::Energy;
use halfgate_record::part::{Part, geo_mean};

/// AND/s of EMP's evaluator, the paper's software baseline, measured by us on another computer.
fn emp() -> f64 {
    published::emp().0
}

fn seconds(cycles: u64) -> f64 {
    cycles as f64 * 1e-9
}

/// Remarks on the baselines of all speed-ups.
fn baselines(part: &mut Part) {
    part.remark(
        "speed-ups are over our CPU engine, measured here evaluating the same program on one core",
    );
    part.remark("the paper's speed-ups are over EMP on a Core i7-10700K, and only its text gives averages; our rate of EMP is that of version 0.3 on another computer of our kind, 47 M AND/s");
}

/// The geometric mean over all programs of a speed-up, once over our CPU engine and once over EMP's
/// rate.
fn average(
    part: &mut Part,
    vips: &[Vip],
    what: &str,
    key: Option<&str>,
    cycles: impl Fn(&Vip) -> Option<u64>,
) {
    let over = |cpu: fn(&Vip) -> Option<f64>| {
        geo_mean(vips.iter().filter_map(|vip| Some(cpu(vip)? / seconds(cycles(vip)?))))
    };
    let ours = over(|vip| Some(vip.cpu?.evaluate));
    part.model(&format!("mean, {what}, over our CPU engine"), "times", None, ours);
    let theirs = over(|vip| Some(vip.cpu?.ands as f64 / emp()));
    part.model(
        &format!("mean, {what}, over EMP's rate"),
        "times",
        key.map(published::text),
        theirs,
    );
}

/// Figure 6: speed-up by each pass of the compiler.
pub fn figure6(vips: &[Vip]) -> Part {
    let mut part =
        Part::new("figure6", "speed-up over a CPU by pass, 16 engines, 2 MB, DDR4, evaluating");
    for vip in vips {
        let Some(cpu) = vip.cpu else { continue };
        let [baseline, _, full] = &vip.paper[..] else { continue };
        let cells = [
            ("baseline", baseline.every_wire.as_ref()),
            ("reorder, rename", full.every_wire.as_ref()),
            ("reorder, rename, spent wires", Some(&full.reports[0])),
        ];
        for (what, report) in cells {
            let Some(report) = report else { continue };
            let name = format!("{}, {what}", vip.name);
            part.model(&name, "times", None, cpu.evaluate / seconds(report.cycles));
        }
    }
    let baseline = |vip: &Vip| Some(vip.paper.first()?.every_wire.as_ref()?.cycles);
    let reordered = |vip: &Vip| Some(vip.paper.get(2)?.every_wire.as_ref()?.cycles);
    let spent = |vip: &Vip| Some(vip.paper.get(2)?.reports[0].cycles);
    average(&mut part, vips, "baseline", Some("speedup_baseline"), baseline);
    let gain = |a: &dyn Fn(&Vip) -> Option<u64>, b: &dyn Fn(&Vip) -> Option<u64>| -> Vec<f64> {
        vips.iter().filter_map(|vip| Some(a(vip)? as f64 / b(vip)? as f64)).collect()
    };
    let most = |gains: &[f64]| gains.iter().copied().fold(0.0, f64::max);
    let gains = gain(&baseline, &reordered);
    part.model(
        "gain of reorder and rename, mean",
        "times",
        Some(published::text("speedup_reorder_rename")),
        geo_mean(gains.iter().copied()),
    );
    part.model(
        "gain of reorder and rename, most",
        "times",
        Some(published::text("speedup_reorder_max")),
        most(&gains),
    );
    let gains = gain(&reordered, &spent);
    part.model(
        "gain of spent wires, mean",
        "times",
        Some(published::text("speedup_esw")),
        geo_mean(gains.iter().copied()),
    );
    part.model(
        "gain of spent wires, most",
        "times",
        Some(published::text("speedup_esw_max")),
        most(&gains),
    );
    baselines(&mut part);
    part.remark(
        "without the pass for spent wires, and in the baseline, every output is written to memory",
    );
    part
}

/// Figure 7: compute time and time of wire traffic, by order and window.
pub fn figure7(vips: &[Vip]) -> Part {
    let mut part = Part::new(
        "figure7",
        "compute alone and wire traffic alone, 16 engines, DDR4, in microseconds",
    );
    for vip in vips {
        for point in &vip.windows {
            let mb = f64::from(point.labels) / 65536.0;
            let name =
                |what: &str| format!("{}, {}, {mb} MB, {what}", vip.name, point.order.name());
            part.model(&name("compute"), "us", None, point.compute as f64 / 1e3);
            part.model(&name("wires"), "us", None, point.traffic / 1e3);
        }
        let find =
            |order, labels| vip.windows.iter().find(|p| (p.order, p.labels) == (order, labels));
        if let (Some(baseline), Some(full)) = (find(PAPER[0], 1 << 16), find(PAPER[2], 1 << 16))
            && vip.benchmark == "MatMult"
        {
            let gain = baseline.compute as f64 / full.compute as f64;
            part.model(
                "MatMult, compute of baseline over full",
                "times",
                Some(published::text("matmult_reorder_compute")),
                gain,
            );
            let more = full.traffic / baseline.traffic;
            part.model(
                "MatMult, wires of full over baseline, 1 MB",
                "times",
                Some(published::text("matmult_full_traffic_1mb")),
                more,
            );
        }
    }
    part.remark(
        "the paper gives no numbers for the figure's bars; only those of its text, on MatMult, are here",
    );
    part
}

/// Figure 8: speed-up by number of engines.
pub fn figure8(vips: &[Vip]) -> Part {
    let mut part = Part::new("figure8", "speed-up over a CPU by engines, 2 MB, evaluating");
    for vip in vips {
        let Some(cpu) = vip.cpu else { continue };
        for point in &vip.scaling {
            for (memory, cycles) in MEMORIES.iter().zip(point.cycles) {
                let name = format!("{}, {} engines, {memory}", vip.name, point.engines);
                part.model(&name, "times", None, cpu.evaluate / seconds(cycles));
            }
        }
    }
    let at = |vip: &Vip, engines: u32, memory: usize| {
        vip.scaling.iter().find(|p| p.engines == engines).map(|p| p.cycles[memory])
    };
    for engines in ENGINES {
        let key = match engines {
            1 => Some("speedup_hbm2_1ge"),
            16 => Some("speedup_hbm2_full"),
            _ => None,
        };
        let what = format!("{engines} engines, HBM2, full");
        average(&mut part, vips, &what, key, |vip| at(vip, engines, 1));
    }
    average(&mut part, vips, "16 engines, DDR4", Some("speedup_ddr4"), |vip| at(vip, 16, 0));
    let scaling: Vec<f64> = vips
        .iter()
        .filter_map(|vip| Some(at(vip, 1, 1)? as f64 / at(vip, 16, 1)? as f64))
        .collect();
    part.model(
        "1 to 16 engines, HBM2, mean",
        "times",
        Some(published::text("scaling_hbm2")),
        geo_mean(scaling.iter().copied()),
    );
    part.model(
        "1 to 16 engines, HBM2, most",
        "times",
        Some(published::text("scaling_hbm2_max")),
        scaling.iter().copied().fold(0.0, f64::max),
    );
    baselines(&mut part);
    part
}

/// Figure 9: energy by component.
pub fn figure9(vips: &[Vip], machine: &Machine) -> Part {
    let mut part = Part::new(
        "figure9",
        "energy by component, full reorder, 16 engines, 2 MB, HBM2, evaluating",
    );
    let (mut half_gate, mut power, mut efficiency) = (Vec::new(), Vec::new(), Vec::new());
    for vip in vips {
        let Some(full) = vip.paper.get(2) else { continue };
        let report = &full.reports[1];
        let energy = Energy::of(report, machine);
        let nj = energy.nanojoules;
        let total = energy.total() + nj.phy;
        let others = nj.free_xor + nj.forwarding;
        for (what, nj) in [
            ("half gates", nj.half_gate),
            ("crossbar", nj.crossbar),
            ("window", nj.window),
            ("queues", nj.queues),
            ("HBM2 interface", nj.phy),
            ("others", others),
        ] {
            part.model(&format!("{}, {what}", vip.name), "%", None, 100.0 * nj / total);
        }
        half_gate.push(100.0 * nj.half_gate / total);
        part.model(&format!("{}, all together", vip.name), "uJ", None, total * 1e-3);
        power.push(total / (seconds(report.cycles) * 1e6));
        if let Some(cpu) = vip.cpu {
            // Power of a CPU as the paper has it, 25 W: this computer's processor does not report
            // its own.
            efficiency.push(25.0 * cpu.ands as f64 / emp() / (total * 1e-9));
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    part.model(
        "half gates, mean",
        "%",
        Some(published::text("energy_half_gate_percent")),
        mean(&half_gate),
    );
    part.model("average power, mean", "mW", Some(1727.0), mean(&power));
    part.note("published: 1,502 mW, and 225 mW of the HBM2 interface");
    part.model(
        "energy of EMP at 25 W over ours, mean",
        "times",
        Some(published::text("energy_efficiency")),
        geo_mean(efficiency),
    );
    part.note(
        "EMP's rate as above, and the 25 W that the paper measured: no power can be read here",
    );
    part.remark("each component's power in Table 4 is taken for that of a component in constant use, and is scaled by the component's use");
    part
}

/// Figure 10: slowdown compared with plain code.
pub fn figure10(vips: &[Vip]) -> Part {
    let mut part = Part::new(
        "figure10",
        "slowdown against the same function in plain Rust here, 16 engines, 2 MB",
    );
    let mut slow: [Vec<(f64, bool)>; 3] = Default::default();
    for vip in vips {
        let (Some(plain), Some(cpu)) = (vip.plaintext, vip.cpu) else { continue };
        let integer = vip.benchmark != "GradDesc";
        let cells = [
            ("CPU", Some(cpu.evaluate)),
            ("DDR4", vip.better(0).map(seconds)),
            ("HBM2", vip.better(1).map(seconds)),
        ];
        for ((what, time), all) in cells.into_iter().zip(&mut slow) {
            let Some(time) = time else { continue };
            all.push((time / plain, integer));
            part.model(&format!("{}, {what}", vip.name), "times", None, time / plain);
        }
        part.note(format!("plain Rust takes {:.3} us", plain * 1e6));
    }
    let [cpu, ddr4, hbm2] = slow;
    let all = |values: &[(f64, bool)]| geo_mean(values.iter().map(|(value, _)| *value));
    let integer = |values: &[(f64, bool)]| {
        geo_mean(values.iter().filter(|(_, integer)| *integer).map(|(value, _)| *value))
    };
    part.model("mean, CPU", "times", None, all(&cpu));
    part.model("mean, DDR4", "times", None, all(&ddr4));
    part.model("mean, HBM2", "times", Some(published::text("slowdown_plaintext")), all(&hbm2));
    part.model(
        "mean of integer programs, HBM2",
        "times",
        Some(published::text("slowdown_plaintext_integer")),
        integer(&hbm2),
    );
    average(&mut part, vips, "the better order, DDR4", Some("speedup_ddr4"), |vip| vip.better(0));
    average(&mut part, vips, "the better order, HBM2", Some("speedup_hbm2"), |vip| vip.better(1));
    baselines(&mut part);
    part
}
