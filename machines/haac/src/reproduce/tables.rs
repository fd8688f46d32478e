//! Tables 2, 3 and 5.

use super::published;
use super::small::Small;
use super::vip::Vip;
use halfgate_record::part::Part;

/// Table 2: properties of the programs.
pub fn table2(vips: &[Vip]) -> Part {
    let mut part =
        Part::new("table2", "the benchmarks' circuits; spent wires with full reorder, 2 MB");
    for vip in vips {
        let row = vip.row;
        let name = |what: &str| format!("{} ({}), {what}", vip.name, vip.program);
        let of = |get: fn(&published::Row) -> f64| row.as_ref().map(get);
        let circuit = &vip.circuit;
        let gates = circuit.gates as f64;
        part.measured(&name("levels"), "", of(|r| r.levels), circuit.depth.into());
        part.measured(&name("wires"), "k", of(|r| r.wires_k), circuit.wires as f64 / 1e3);
        part.measured(&name("gates"), "k", of(|r| r.gates_k), gates / 1e3);
        let ands = circuit.ands as f64;
        part.measured(&name("AND"), "%", of(|r| r.and_percent), 100.0 * ands / gates);
        part.measured(
            &name("gates a level"),
            "",
            of(|r| r.ilp),
            gates / f64::from(circuit.depth.max(1)),
        );
        part.measured(&name("ANDs"), "k", of(|r| r.ands() / 1e3), ands / 1e3);
        if let Some(spent) = vip.spent_percent() {
            part.measured(&name("spent wires"), "%", of(|r| r.spent_percent), spent);
        }
    }
    part.remark(
        "our circuits have at most as many gates as the paper's; rows as published are of \
         circuits that have the paper's counts",
    );
    part
}

/// Table 3: wires that leave the window, by gate order.
pub fn table3(vips: &[Vip]) -> Part {
    let mut part = Part::new("table3", "wires to and from memory, 16 engines, 2 MB, in thousands");
    for vip in vips {
        let published = |get: fn(&published::Row) -> [f64; 2]| vip.row.as_ref().map(get);
        let Some([segment, full]) = vip.table3() else { continue };
        for (order, found) in [("segment", segment), ("full", full)] {
            let row = match order {
                "segment" => published(|r| r.segment_k),
                _ => published(|r| r.full_k),
            };
            let ours = [found.live as f64 / 1e3, found.oor_reads as f64 / 1e3];
            for (k, what) in ["live", "out of range"].iter().enumerate() {
                let name = format!("{}, {order}, {what}", vip.name);
                part.measured(&name, "k", row.map(|row| row[k]), ours[k]);
            }
            let name = format!("{}, {order}, total", vip.name);
            part.measured(&name, "k", row.map(|row| row[0] + row[1]), ours[0] + ours[1]);
        }
        let name = format!("{}, segments from the first gate, total", vip.name);
        let total = vip.paper[1].traffic.live + vip.paper[1].traffic.oor_reads;
        part.measured(&name, "k", None, total as f64 / 1e3);
    }
    part.remark(
        "outputs count as live, and so do inputs that are read after they left the window; an \
         inversion reads its operand twice and no constant; with these rules ReLU has the paper's \
         row",
    );
    part.remark(
        "a segment is a half of the window, as in the paper, so the segment reorder moves the same \
         wires as the baseline; our order haac:segment counts its segments from the first gate",
    );
    part
}

/// Table 5: small programs.
pub fn table5(smalls: &[Small]) -> Part {
    let mut part =
        Part::new("table5", "garbling small programs, 16 engines, 1 MB, in microseconds");
    for small in smalls {
        let published = published::table5_us(small.name);
        let name = |what: &str| format!("{} ({}), {what}", small.name, small.program);
        part.model(&name("full"), "us", published, small.full.us);
        part.note(format!(
            "{} gates, {} ANDs; {:.3} us from a cold start with DDR4; bound {:.3} us",
            small.full.gates, small.full.ands, small.full.cold_us[0], small.full.bound_us
        ));
        part.model(&name("best"), "us", published, small.best.us);
        if let Some(latency) = small.latency {
            part.model(&name("best, shorter path"), "us", published, latency.us);
            part.note(format!("{} ANDs instead of {}", latency.ands, small.best.ands));
        }
    }
    for (work, benchmark, theirs, _) in published::table5() {
        let Some(small) = smalls.iter().find(|small| small.name == benchmark) else { continue };
        if work.starts_with("GPU") {
            let rate = small.full.gates as f64 / small.full.us;
            part.model("AES-128, gates a microsecond", "", Some(8700.0), rate);
            part.note(format!(
                "{work} reaches {theirs}; the paper's number does not follow from its time"
            ));
            continue;
        }
        let ours = theirs / small.us();
        let paper = published::table5_us(benchmark).map(|us| theirs / us);
        part.model(&format!("speed-up over {work}, {benchmark}"), "times", paper, ours);
    }
    part.remark(
        "time counts from the first issue to the last write-back; queues and inputs are preloaded",
    );
    part.remark("tables are written over HBM2: with DDR4, the 6,400 tables of AES-128 alone take longer than the paper's time");
    part
}
