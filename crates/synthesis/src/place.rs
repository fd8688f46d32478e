//! Place and route on an ECP5-85.

use super::Design;
use super::files::{read, write};
use super::tools::Tools;
use super::yosys::{file_name, reading_with};
use serde_json::Value;

/// Result for a module on the chip, inside the frame that [`wrapper`] puts around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// The clock frequency after routing, in MHz.
    pub mhz: f64,
    /// Lookup tables of four inputs; this and the other counts are (used, available).
    pub luts: (u64, u64),
    /// Flip-flops.
    pub registers: (u64, u64),
    /// Block RAMs of 18 Kbit.
    pub block_rams: (u64, u64),
    /// Multipliers.
    pub multipliers: (u64, u64),
    /// The path that limits the clock frequency.
    pub path: Path,
}

/// A routed path between registers, or from a pin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The cell at its start.
    pub from: String,
    /// The cell at its end.
    pub to: String,
    /// Logic cells between them.
    pub levels: u64,
    /// Nanoseconds in cells, clock-to-output and setup included.
    pub logic: f64,
    /// Nanoseconds in wires.
    pub routing: f64,
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Path { from, to, levels, logic, routing } = self;
        write!(
            f,
            "{from} -> {to}: {levels} levels, {logic:.1} ns in cells, {routing:.1} ns in wires"
        )
    }
}

/// Synthesises, places and routes `design`.
///
/// # Errors
/// A tool's error, a design that does not fit, or a timeout.
pub fn place(tools: &Tools, files: &[String], design: &Design) -> Result<Placed, String> {
    tools.nextpnr.as_ref().map_err(Clone::clone)?;
    let name = file_name(&format!("{} placed", design.files));
    tools.alone(&name, || place_as(&name, tools, files, design))
}

/// Places and routes `design` with files whose names begin with `name`.
fn place_as(
    name: &str,
    tools: &Tools,
    files: &[String],
    design: &Design,
) -> Result<Placed, String> {
    let Design { top, .. } = design;
    let ports = format!("{name}-ports");
    let script = reading_with(design, top, &design.parameters, files);
    let list = format!("{ports}.txt");
    tools.yosys(&ports, &format!("{script}tee -q -o {list} portlist {top}\n"), &[], &[&list])?;
    let printed = read(&tools.work.join(list))?;
    let frame = format!("{name}.sv");
    write(&tools.work.join(&frame), &wrapper(design, &ports_of(&printed)?))?;

    let mut all = files.to_vec();
    all.push(frame.clone());
    let (netlist, report) = (format!("{name}.json"), format!("{name}-report.json"));
    let script = format!(
        "{}synth_ecp5 -top {FRAME} -nowidelut\nflatten\nopt_clean\nwrite_json {netlist}\n",
        reading_with(design, FRAME, &[], &all)
    );
    tools.yosys(&format!("{name}-synth"), &script, &[&frame], &[&netlist])?;
    let chip = ["--85k", "--package", "CABGA756", "--speed", "6", "--seed", SEED, "--freq", "100"];
    let mut arguments = chip.to_vec();
    // router1, the default, had routed a third of a machine's arcs after a quarter of an hour: see
    // bench/notes.md.
    arguments.extend(["--router", "router2", "--timing-allow-fail", "--lpf-allow-unconstrained"]);
    // The placer `static` leaves half the wires of `heap`, the default, with which a machine of one
    // engine does not route.
    arguments.extend(["--placer", "static"]);
    arguments.extend(["--json", &netlist, "--report", &report]);
    tools.nextpnr(name, &arguments, &[&netlist], &[&report])?;
    placed(&read(&tools.work.join(&report))?)
}

/// Where the placer's random numbers start. Clocks of other seeds: bench/notes.md.
const SEED: &str = "2";

/// The chip, speed grade and seed, as shown in tables.
pub fn chip() -> String {
    format!("LFE5U-85F-6, seed {SEED}")
}

const FRAME: &str = "synth_frame";

/// A port: whether it is an input, its width, its name.
type Port = (bool, usize, String);

/// Reads Yosys' list of ports.
fn ports_of(list: &str) -> Result<Vec<Port>, String> {
    let mut ports = Vec::new();
    for line in list.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (direction, range, name) = match words[..] {
            [direction @ ("input" | "output"), range, name] => (direction, range, name),
            _ => continue,
        };
        let width = range.trim_matches(['[', ']']).split_once(':').and_then(|(high, low)| {
            let (high, low): (usize, usize) = (high.parse().ok()?, low.parse().ok()?);
            Some(high.abs_diff(low) + 1)
        });
        let width = width.ok_or_else(|| format!("Yosys names a port in an unknown way: {line}"))?;
        ports.push((direction == "input", width, name.trim_end_matches([',', ';']).to_owned()));
    }
    if ports.is_empty() { Err("Yosys names no ports".to_owned()) } else { Ok(ports) }
}

/// Makes a module with four pins around `design`. All inputs have registers, which are filled bit
/// by bit. All outputs have registers; these are reduced to one bit, four to one in each step, with
/// a register at each step. A chip does not have enough pins for a memory port, and without
/// registers there is no path to time.
fn wrapper(design: &Design, ports: &[Port]) -> String {
    let clock = |name: &str| name == "clk_i" || name == "rst_ni";
    let total = |input: bool| -> usize {
        let of = |port: &&Port| port.0 == input && !clock(&port.2);
        ports.iter().filter(of).map(|port| port.1).sum()
    };
    let (inputs, outputs) = (total(true).max(2), total(false).div_ceil(4).max(1) * 4);
    let mut text = format!(
        "module {FRAME} (input logic clk_i, rst_ni, serial_i, output logic serial_o);\n\
         \x20 logic [{}:0] in_q;\n  logic [{}:0] out, out_q;\n\
         \x20 always_ff @(posedge clk_i) begin\n    in_q <= {{in_q[{}:0], serial_i}};\n    \
         out_q <= out;\n  end\n",
        inputs - 1,
        outputs - 1,
        inputs - 2
    );
    let parameters: Vec<String> =
        design.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let (mut input, mut output) = (0, 0);
    let mut pins = Vec::new();
    for (is_input, width, name) in ports {
        let place = if *is_input { &mut input } else { &mut output };
        pins.push(if clock(name) {
            format!(".{name}({name})")
        } else {
            let vector = if *is_input { "in_q" } else { "out" };
            let low = *place;
            *place += width;
            format!(".{name}({vector}[{low} +: {width}])")
        });
    }
    if output < outputs {
        text += &format!("  assign out[{}:{output}] = '0;\n", outputs - 1);
    }
    let list = if parameters.is_empty() {
        String::new()
    } else {
        format!("#({}) ", parameters.join(", "))
    };
    text += &format!("  {} {list}u_design (\n    {});\n", design.top, pins.join(",\n    "));
    // Reduce four bits to one, with a register for each result.
    let (mut from, mut width, mut level) = ("out_q".to_owned(), outputs, 0);
    while width > 1 {
        let next = width.div_ceil(4);
        let to = format!("fold{level}_q");
        text += &format!("  logic [{}:0] {to};\n  always_ff @(posedge clk_i) begin\n", next - 1);
        for i in 0..next {
            let high = (4 * i + 3).min(width - 1);
            text += &format!("    {to}[{i}] <= ^{from}[{high}:{}];\n", 4 * i);
        }
        text += "  end\n";
        (from, width, level) = (to, next, level + 1);
    }
    text + &format!("  assign serial_o = {from}[0];\nendmodule\n")
}

/// Parses nextpnr's report.
fn placed(report: &str) -> Result<Placed, String> {
    let report: Value =
        serde_json::from_str(report).map_err(|e| format!("nextpnr's report: {e}"))?;
    let clocks = report["fmax"].as_object().into_iter().flatten();
    let rates = clocks.filter_map(|(clock, rate)| Some((rate["achieved"].as_f64()?, clock)));
    let slowest = rates.min_by(|(a, _), (b, _)| a.total_cmp(b));
    let (mhz, clock) = slowest.ok_or("nextpnr found no path between registers")?;
    let of = |cell: &str| {
        let number = |what| report["utilization"][cell][what].as_u64().unwrap_or(0);
        (number("used"), number("available"))
    };
    Ok(Placed {
        mhz,
        luts: of("TRELLIS_COMB"),
        registers: of("TRELLIS_FF"),
        block_rams: of("DP16KD"),
        multipliers: of("MULT18X18D"),
        path: critical(&report, clock),
    })
}

/// The critical path between registers of `clock`.
fn critical(report: &Value, clock: &str) -> Path {
    let ends = |path: &&Value| {
        let at_clock = |end: &str| path[end].as_str().is_some_and(|end| end.ends_with(clock));
        at_clock("from") && at_clock("to")
    };
    let steps = report["critical_paths"].as_array().into_iter().flatten().find(ends);
    let Some(steps) = steps.and_then(|path| path["path"].as_array()) else {
        return Path::default();
    };
    let cell = |step: Option<&Value>, end: &str| {
        step.and_then(|step| step[end]["cell"].as_str()).unwrap_or("?").to_owned()
    };
    let of = |kind: &'static str| steps.iter().filter(move |step| step["type"] == kind);
    let nanoseconds = |step: &Value| step["delay"].as_f64().unwrap_or(0.0);
    let routing: f64 = of("routing").map(nanoseconds).sum();
    Path {
        from: cell(steps.first(), "from"),
        to: cell(steps.last(), "to"),
        levels: of("logic").count() as u64,
        logic: steps.iter().map(nanoseconds).sum::<f64>() - routing,
        routing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_registers_every_port() {
        let ports = ports_of(
            "module m (\ninput [0:0] clk_i,\ninput [0:0] rst_ni,\ninput [7:0] a_i,\noutput [4:0] y_o\n);",
        );
        let ports = ports.expect("ports");
        assert_eq!(ports.len(), 4);
        let text = wrapper(&Design::new("sbox, COMPOSITE", "sbox_composite", &[]), &ports);
        assert!(text.contains(".a_i(in_q[0 +: 8])"), "{text}");
        assert!(text.contains(".y_o(out[0 +: 5])"), "{text}");
        assert!(text.contains("assign out[7:5] = '0;"), "{text}");
        assert!(text.contains("fold0_q[1] <= ^out_q[7:4];"), "{text}");
        assert!(text.contains("serial_o = fold1_q[0];"), "{text}");
        assert!(ports_of("").is_err());
    }

    /// A report of nextpnr 0.11, shortened.
    const REPORT: &str = r#"{
        "critical_paths": [
            {"from": "<async>", "path": [], "to": "posedge $glbnet$a"},
            {"from": "posedge $glbnet$a", "to": "posedge $glbnet$a", "path": [
                {"delay": 0.5, "from": {"cell": "one"}, "to": {"cell": "one"}, "type": "clk-to-q"},
                {"delay": 1.25, "from": {"cell": "one"}, "to": {"cell": "l"}, "type": "routing"},
                {"delay": 0.25, "from": {"cell": "l"}, "to": {"cell": "l"}, "type": "logic"},
                {"delay": 2.0, "from": {"cell": "l"}, "to": {"cell": "two"}, "type": "routing"},
                {"delay": 0.5, "from": {"cell": "two"}, "to": {"cell": "two"}, "type": "setup"}]}],
        "fmax": {"$glbnet$b": {"achieved": 300.5}, "$glbnet$a": {"achieved": 222.25}},
        "utilization": {"TRELLIS_COMB": {"available": 83640, "used": 12},
            "TRELLIS_FF": {"available": 83640, "used": 3}, "DP16KD": {"available": 208, "used": 1}}}"#;

    #[test]
    fn the_slowest_clock_counts_with_its_path_and_none_is_an_error() {
        let placed_at = placed(REPORT).expect("a report");
        assert_eq!((placed_at.mhz, placed_at.luts), (222.25, (12, 83640)));
        assert_eq!((placed_at.registers, placed_at.block_rams), ((3, 83640), (1, 208)));
        let (from, to) = ("one".to_owned(), "two".to_owned());
        let path = Path { from, to, levels: 1, logic: 1.25, routing: 3.25 };
        assert_eq!(placed_at.path, path);
        assert_eq!(path.to_string(), "one -> two: 1 levels, 1.2 ns in cells, 3.2 ns in wires");
        assert!(placed(r#"{"fmax": {}}"#).is_err());
        assert!(placed("no report").is_err());
    }
}
