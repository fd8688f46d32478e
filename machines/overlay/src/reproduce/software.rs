//! Software baselines for the overlays, in place of FlexSC: our reference garbler on one thread,
//! and the CPU engine.

use super::beyond::Beyond;
use super::published::{Problem, problems, times};
use super::times::Times;
use halfgate_compiler::{Order, compile};
use halfgate_engine::Suite;
use halfgate_engine::conformance::ByReference;
use halfgate_engine::cpu::CpuEngine;
use halfgate_programs::published;
use halfgate_record::engine::garbling_seconds_in;
use halfgate_record::measure::cpu_timed;
use halfgate_record::part::Part;
use std::time::Instant;

/// Times of a problem in software, in milliseconds.
struct Row {
    problem: Problem,
    flexsc: Option<f64>,
    /// Time of the reference in the paper's suite.
    reference: f64,
    /// Times of the CPU engine in the paper's suite, and in half gates.
    cpu: [f64; 2],
    /// Time of the host's work before an overlay can garble the problem, in seconds.
    switching: f64,
}

/// All problems with known circuits.
pub struct Software(Vec<Row>);

impl Software {
    /// Runs all problems.
    ///
    /// # Errors
    /// If a circuit cannot be built or an engine fails.
    pub fn measure(report: &mut dyn FnMut(&str)) -> Result<Software, String> {
        let each = problems().into_iter().zip(times());
        let known = each.filter(|(problem, _)| problem.spec != "matmult:10x4");
        let rows = known.map(|(problem, times)| {
            report(&format!("{}: software", problem.name));
            row(problem, times.software_ms)
        });
        Ok(Software(rows.collect::<Result<_, String>>()?))
    }

    /// The times beside FlexSC's, and the speed-ups of overlays over both baselines.
    pub fn part(&self, times: &Times, beyond: &Beyond) -> Part {
        let mut part = Part::new("software", "overlays and one core");
        for Row { problem, flexsc, reference, cpu: [rows, halves], .. } in &self.0 {
            let name = problem.name;
            part.measured(&format!("{name}, reference, grr3-sha1"), "ms", *flexsc, *reference);
            part.measured(&format!("{name}, CPU engine, grr3-sha1"), "ms", *flexsc, *rows);
            part.measured(&format!("{name}, CPU engine, half-gates"), "ms", *flexsc, *halves);
            let published = |us: f64| flexsc.map(|ms| ms * 1000.0 / us);
            if let Some(us) = times.last(problem.spec) {
                let name = format!("{name}, published overlay: faster than the reference");
                part.measured(&name, "x", published(us), reference * 1000.0 / us);
                let name =
                    format!("{}, published overlay: faster than the CPU engine", problem.name);
                part.measured(&name, "x", published(us), rows * 1000.0 / us);
            }
            for board in ["overlay-dma", "overlay-pcie4"] {
                if let Some(us) = beyond.us(problem.spec, board) {
                    let name = format!("{name}, {board}: faster than the CPU engine, half-gates");
                    part.model(&name, "x", None, halves * 1000.0 / us);
                }
            }
        }
        part.remark(
            "published: FlexSC on one thread of a processor of 3.6 GHz; ours: processor time of one thread, which garbles once and \
             writes the tables to memory",
        );
        part
    }

    /// Table 2: the time to switch to another problem.
    pub fn switching(&self) -> Part {
        let mut part = Part::new("table2", "problem switching time");
        for row in &self.0 {
            part.measured(&format!("{}, host's work", row.problem.name), "s", None, row.switching);
        }
        part.remark(
            "published: minutes with an overlay, minutes to hours if each problem has its own hardware; ours: the time to make the \
             circuit, split it into batches and place its labels, after which commands can be sent; no hardware is built",
        );
        part
    }
}

fn row(problem: Problem, flexsc: Option<f64>) -> Result<Row, String> {
    let start = Instant::now();
    let circuit = published::build(problem.spec).map_err(|error| error.to_string())?;
    let overlay = halfgate_overlay_model::Overlay::named("overlay-paper");
    let plan = overlay.map_err(|error| error.to_string())?;
    let plan = plan.plan(&circuit).map_err(|error| error.to_string())?;
    let switching = start.elapsed().as_secs_f64();
    drop(plan);

    let by_reference = ByReference::new(&circuit, Suite::Grr3Sha1);
    let (tables, reference) = cpu_timed(|| by_reference.garble());
    let ands = circuit.gates.iter().filter(|gate| gate.is_and()).count();
    assert_eq!(tables, ands, "one table per AND");
    let engine = CpuEngine::new(None).map_err(|error| error.to_string())?;
    let program = compile(circuit, Order::Given).map_err(|error| error.to_string())?;
    let by = |suite| garbling_seconds_in(&engine, &program, suite).map(|seconds| seconds * 1000.0);
    let cpu = [by(Suite::Grr3Sha1)?, by(Suite::HalfGates)?];
    Ok(Row { problem, flexsc, reference: reference * 1000.0, cpu, switching })
}
