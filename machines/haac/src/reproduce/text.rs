//! Figures from the paper's text: the cost of re-keying, and garbler compared with evaluator.

use super::published;
use super::vip::Vip;
use halfgate_record::part::Part;

/// The cost of re-keying on the CPU, and by how much garbling is slower than evaluating, on the CPU
/// and on the machine.
///
/// # Errors
/// If no kernel runs.
pub fn text(vips: &[Vip]) -> Result<Part, String> {
    let mut part = Part::new("text", "what re-keying costs, and how much slower garbling is");
    let [garble, evaluate] = super::cpu::rekeying_percent()?;
    let rekeying = published::text("rekeying_percent");
    part.measured("re-keying, garbling on a CPU", "%", Some(rekeying), garble);
    part.note("half-gates against half-gates-fixed-key, best kernel, second-level cache");
    part.measured("re-keying, evaluating on a CPU", "%", Some(rekeying), evaluate);
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let slower = |garbler: f64, evaluator: f64| 100.0 * (garbler / evaluator - 1.0);
    let cpu = vips.iter().filter_map(|vip| Some(slower(vip.cpu?.garble, vip.cpu?.evaluate)));
    let published_cpu = published::text("garbler_slower_cpu_percent");
    part.measured(
        "garbling slower than evaluating, CPU, mean",
        "%",
        Some(published_cpu),
        mean(cpu.collect()),
    );
    let model = vips.iter().filter_map(|vip| {
        let runs = vip.paper.iter().filter(|run| run.garbler.is_some());
        let better = runs.min_by_key(|run| run.reports[0].cycles)?;
        let garbler = better.garbler.as_ref()?;
        Some(slower(garbler.cycles as f64, better.reports[0].cycles as f64))
    });
    let model: Vec<f64> = model.collect();
    let published_model = published::text("garbler_slower_model_percent");
    part.model(
        "garbling slower than evaluating, machine, mean",
        "%",
        Some(published_model),
        mean(model),
    );
    part.note("16 engines, 2 MB, DDR4, the better order of each program");
    Ok(part)
}
