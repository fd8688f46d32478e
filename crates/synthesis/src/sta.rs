//! Timing and power of a netlist of standard cells, by OpenSTA.
//!
//! Each cell drives the pins of its net and no wire; the clock is ideal. Power is the library's: of
//! leakage, of transitions inside cells, and of those on nets. A busy netlist is one in which every
//! net changes in half of the clock cycles. Random data in every cycle causes no more, except for
//! glitches, which are not counted. OpenSTA could also propagate the activity of inputs, but it
//! adds up glitches as if none were filtered: in an AES round, that gives twenty times the power.

use super::files::{read, write};
use super::netlist::pin;
use super::tools::Tools;
use std::fmt::Write as _;

/// A path from an input or a register to an output or a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Delay in picoseconds, with the setup time of a register at its end.
    pub picoseconds: f64,
    /// Cells on the path, including the register at its start.
    pub cells: u64,
    /// The start of the path: a port, or what a register drives.
    pub from: String,
    /// The end of the path: a port, or what a register drives.
    pub to: String,
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Path { picoseconds, cells, from, to } = self;
        write!(f, "{from} -> {to}: {cells} cells, {picoseconds:.0} ps")
    }
}

/// Power in watts at a clock rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Power {
    /// Of cells that do nothing.
    pub leakage: f64,
    /// With a clock, and no net that changes.
    pub idle: f64,
    /// With nets that change in half of the clock cycles.
    pub busy: f64,
}

impl Power {
    /// The power at another clock rate than that of [`PERIOD`]: all but leakage is in proportion.
    pub fn at(self, mhz: f64) -> Power {
        let times = mhz * PERIOD / 1e6;
        let at = |power: f64| self.leakage + (power - self.leakage) * times;
        Power { leakage: self.leakage, idle: at(self.idle), busy: at(self.busy) }
    }
}

/// What OpenSTA finds out about a netlist.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The longest path; `None` if there is none.
    pub path: Option<Path>,
    /// The power at the clock of [`PERIOD`].
    pub power: Power,
}

/// The clock period in picoseconds, for power and for mapping: 1 GHz.
pub const PERIOD: f64 = 1000.0;

/// Transitions of a net in a clock cycle of random data: a bit differs from the previous one with
/// probability 1/2.
const RANDOM: f64 = 0.5;

/// Clock ports by name.
const CLOCKS: &str = "clk_i aclk_i aclk clk";
/// Reset ports by name: their paths are not timed.
const RESETS: &str = "rst_ni aresetn_i aresetn rst_n";

/// Times the netlist `netlist` of the module `top`. Paths from `resets`, the registers that
/// synchronise a reset, are not timed, as those from its ports: a reset is a tree of its own, like
/// the clock.
///
/// # Errors
/// OpenSTA's error, a timeout, or that it is missing.
pub fn time(
    tools: &Tools,
    name: &str,
    top: &str,
    (netlist, resets): (&str, &[&str]),
    libraries: &[String],
    unit: f64,
) -> Result<Timed, String> {
    let reports = ["path", "idle", "busy"].map(|report| format!("{name}-{report}.txt"));
    let script = script(top, (netlist, resets), libraries, PERIOD / unit, &reports);
    let file = format!("{name}.tcl");
    write(&tools.work.join(&file), &script)?;
    let mut inputs = vec![file.as_str(), netlist];
    inputs.extend(libraries.iter().map(String::as_str));
    let outputs = reports.each_ref().map(String::as_str);
    tools.opensta(&format!("{name}-sta"), &file, &inputs, &outputs)?;
    let text = |report: &String| read(&tools.work.join(report));
    let path = longest(&text(&reports[0])?, unit).map(|mut path| {
        let netlist = read(&tools.work.join(netlist)).unwrap_or_default();
        for end in [&mut path.from, &mut path.to] {
            if let Some(net) = named(&netlist, end) {
                *end = net;
            }
        }
        path
    });
    // OpenSTA goes on after an error, and then exits with 0.
    let failed = || {
        let printed = read(&tools.work.join(format!("{name}-sta.out"))).unwrap_or_default();
        let error = printed.lines().find(|line| line.starts_with("Error")).map(str::to_owned);
        error.unwrap_or_else(|| "OpenSTA gives no power".to_owned())
    };
    let (leakage, idle) = total(&text(&reports[1])?).ok_or_else(failed)?;
    let (_, busy) = total(&text(&reports[2])?).ok_or_else(failed)?;
    Ok(Timed { path, power: Power { leakage, idle, busy } })
}

fn script(
    top: &str,
    (netlist, resets): (&str, &[&str]),
    libraries: &[String],
    period: f64,
    out: &[String],
) -> String {
    let mut text = String::new();
    for library in libraries {
        let _ = writeln!(text, "read_liberty {library}");
    }
    let _ = write!(
        text,
        "read_verilog {netlist}\nlink_design {top}\nset clocks {{}}\n\
         foreach name {{{CLOCKS}}} {{\n  if {{![catch {{get_ports $name}} port] && $port != \"\"}} \
         {{ lappend clocks $port }}\n}}\n\
         if {{$clocks == {{}}}} {{ create_clock -name clk -period {period} }} else {{\n  \
         create_clock -name clk -period {period} $clocks\n}}\n\
         set_input_delay 0 -clock clk [all_inputs]\nset_output_delay 0 -clock clk [all_outputs]\n\
         foreach name {{{RESETS}}} {{\n  if {{![catch {{get_ports $name}} port] && $port != \"\"}} \
         {{ set_false_path -from $port }}\n}}\n\
         foreach name {{{}}} {{ set_false_path -from [get_cells $name] }}\n\
         report_checks -path_delay max -format full -digits 4 > {}\n\
         set_power_activity -global -activity 0 -duty 0.5\nreport_power -digits 8 > {}\n\
         set_power_activity -global -activity {RANDOM} -duty 0.5\nreport_power -digits 8 > {}\n",
        resets.join(" "),
        out[0],
        out[1],
        out[2]
    );
    text
}

/// Parses the longest of OpenSTA's paths, one for each group.
fn longest(printed: &str, unit: f64) -> Option<Path> {
    let paths = printed.split("Startpoint: ").skip(1).filter_map(|text| one_path(text, unit));
    paths.max_by(|a, b| a.picoseconds.total_cmp(&b.picoseconds))
}

fn one_path(text: &str, unit: f64) -> Option<Path> {
    let from = text.split_whitespace().next()?;
    let to = text.split_once("Endpoint: ")?.1.split_whitespace().next()?;
    let numbers = |line: &str| -> Option<f64> {
        line.split_whitespace().find_map(|word| word.parse::<f64>().ok())
    };
    let arrival = text.lines().find(|line| line.contains("data arrival time")).and_then(numbers)?;
    let setup = text.lines().find(|line| line.contains("library setup time")).and_then(numbers);
    // The setup time is printed as what it takes from the period.
    let picoseconds = (arrival + setup.map_or(0.0, |setup| -setup)) * unit;
    let on_path = text.lines().take_while(|line| !line.contains("data arrival time"));
    let outputs = on_path.filter(|line| line.contains('/') && line.ends_with(')'));
    // A register at the end has its input on the path, after the last output.
    let cells = outputs.count().saturating_sub(usize::from(setup.is_some()));
    let cells =
        cells.saturating_sub(usize::from(text.contains("/CLK (") || text.contains("/CK (")));
    let (from, to) = (from.to_owned(), to.to_owned());
    Some(Path { picoseconds, cells: cells as u64, from, to })
}

/// The net that an instance drives, by its name in the source. If that net has none, as behind a
/// register with an inverted output, the name behind the inverter.
fn named(netlist: &str, instance: &str) -> Option<String> {
    let net = driven(netlist, instance)?;
    if !is_anonymous(&net) {
        return Some(net);
    }
    let mut readers = netlist.split(");\n").filter(|cell| cell.contains(&format!("({net})")));
    let behind = readers.find_map(|cell| {
        let nets: Vec<&str> =
            cell.lines().filter_map(|line| pin(line).map(|(_, net)| net)).collect();
        let [input, output] = nets[..] else { return None };
        let name = output.trim_start_matches('\\').trim();
        (input == net && !is_anonymous(name)).then(|| name.to_owned())
    });
    behind.or(Some(net))
}

/// Whether Yosys made up a name.
fn is_anonymous(net: &str) -> bool {
    net.starts_with('_') && net.ends_with('_')
}

/// The net that an instance drives; `None` if it drives none.
fn driven(netlist: &str, instance: &str) -> Option<String> {
    let start = netlist.find(&format!(" {instance} ("))?;
    let pins = netlist[start..].split(';').next()?;
    let output = |pin: &str| {
        let text = pins.split_once(&format!(".{pin}("))?.1;
        let net = text.split(')').next()?.trim().trim_start_matches('\\').trim();
        Some(net.to_owned())
    };
    ["Q", "QN", "Q_N", "Y", "X", "Z"].into_iter().find_map(output)
}

/// Leakage and total of the last line of a power report, in watts.
fn total(printed: &str) -> Option<(f64, f64)> {
    let line = printed.lines().find(|line| line.starts_with("Total"))?;
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Some((*numbers.get(2)?, *numbers.get(3)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: &str = "Startpoint: _22_ (rising edge-triggered flip-flop clocked by clk)
Endpoint: _33_ (rising edge-triggered flip-flop clocked by clk)
Path Group: clk
Path Type: max

    Delay      Time   Description
-------------------------------------------------------------
   0.0000    0.0000   clock clk (rise edge)
   0.0000    0.0000 ^ _22_/CLK (DFFHQx4)
   0.0644    0.0644 ^ _22_/Q (DFFHQx4)
   0.0120    0.0764 v _10_/Y (NOR2)
   0.0000    0.0764 ^ _33_/D (DFFHQx4)
             0.0764   data arrival time

   1.0000    1.0000   clock clk (rise edge)
             1.0000 ^ _33_/CLK (DFFHQx4)
  -0.0180    0.9820   library setup time
             0.9820   data required time
-------------------------------------------------------------
Startpoint: en_i (input port clocked by clk)
Endpoint: y_o (output port clocked by clk)
   0.0500    0.0500 ^ _10_/Y (NOR2)
             0.0500   data arrival time
";

    #[test]
    fn the_longest_path_is_read_with_its_names() {
        let path = longest(PATHS, 1000.0).expect("a path");
        assert_eq!((path.picoseconds.round(), path.cells), (94.0, 2));
        assert_eq!((path.from.as_str(), path.to.as_str()), ("_22_", "_33_"));
        let other = PATHS.split_once("Startpoint: en_i").map(|(_, rest)| rest).expect("there");
        let path = longest(&format!("Startpoint: en_i{other}"), 1000.0).expect("a path");
        assert_eq!((path.picoseconds.round(), path.cells, path.to.as_str()), (50.0, 1, "y_o"));
        assert_eq!(longest("No paths found.", 1.0), None);
        let netlist = "  DFFHQx4 _22_ (\n    .CLK(clk_i),\n    .Q(\\u_a.state_q [3])\n  );\n";
        assert_eq!(driven(netlist, "_22_").as_deref(), Some("u_a.state_q [3]"));
        assert_eq!(driven(netlist, "_2_"), None);
        let netlist = "  DFFHQN _22_ (\n    .CLK(clk_i),\n    .QN(_7_)\n  );\n  INV _9_ (\n    .A(_7_),\n    \
                       .Y(\\u_a.state_q [3])\n  );\n";
        assert_eq!(named(netlist, "_22_").as_deref(), Some("u_a.state_q [3]"));
        assert_eq!(named(&netlist.replace("(_7_),", "(_8_),"), "_22_").as_deref(), Some("_7_"));
    }

    #[test]
    fn leakage_does_not_depend_on_the_clock() {
        let power = Power { leakage: 1.0, idle: 3.0, busy: 5.0 };
        assert_eq!(power.at(1000.0), power);
        assert_eq!(power.at(500.0), Power { leakage: 1.0, idle: 2.0, busy: 3.0 });
    }

    #[test]
    fn power_is_the_total_line() {
        let printed = "Sequential  1.5e-04 0.0 2.4e-07 1.52e-04  99.9%\n\
                       Total  1.5e-04 0.0e+00 3.9e-07 1.53e-04 100.0%\n  99.7% 0.0% 0.3%\n";
        assert_eq!(total(printed), Some((3.9e-7, 1.53e-4)));
        assert_eq!(total("Error: no design"), None);
    }
}
