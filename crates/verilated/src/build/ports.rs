//! Reads ports from Verilator's output. Also sets the parameters of hierarchical designs, because
//! Verilator cannot.

use crate::design::Design;

/// The ports of a design, in the form that the harness includes.
pub struct Ports {
    /// `PORT(name, width, output)`, one per line.
    pub text: String,
    /// Whether the design has a clock, `clk_i`.
    pub clocked: bool,
}

/// Reads the ports from the header that Verilator wrote. A port is a line such as
/// `VL_INW(&name,msb,lsb,words);`.
pub fn table(header: &str) -> Ports {
    let mut ports = Ports { text: String::new(), clocked: false };
    for line in header.lines().map(str::trim) {
        let Some((kind, arguments)) = line.strip_suffix(");").and_then(|line| line.split_once('('))
        else {
            continue;
        };
        let output = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
            "VL_IN" => 0,
            "VL_OUT" => 1,
            _ => continue,
        };
        let mut arguments = arguments.split(',');
        let name = arguments.next().unwrap_or("").trim_start_matches('&');
        let mut bound = || arguments.next().and_then(|bound| bound.parse::<u32>().ok());
        let (Some(high), Some(low)) = (bound(), bound()) else { continue };
        let width = high - low + 1;
        ports.text.push_str(&format!("PORT({name}, {width}, {output})\n"));
        ports.clocked |= name == "clk_i";
    }
    ports
}

/// Returns the text of the top module with the design's parameters as defaults, because Verilator
/// 5.006 does not apply `-G` parameters to the top of hierarchical designs. After `=`, the text up
/// to the next `,` or the end of the line is replaced.
pub fn with_parameters(text: &str, design: &Design) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let changed = design.params.iter().find_map(|(name, value)| {
            let (before, after) = line.split_once('=')?;
            let mut words = before.split_whitespace();
            let named = words.next() == Some("parameter") && words.next_back() == Some(name);
            let end = after.find(',').map_or("", |at| &after[at..]);
            named.then(|| format!("{before}= 64'd{value}{end}"))
        });
        lines.push(changed.unwrap_or_else(|| line.to_string()));
    }
    lines.join("\n")
}

/// Waivers for width warnings, because all parameters are given as 64-bit numbers.
pub fn waivers(design: &Design) -> String {
    let mut text = String::from("`verilator_config\n");
    for (name, _) in &design.params {
        text.push_str(&format!(
            "lint_off -rule WIDTH -file \"{}.sv\" -match \"Operator VAR '{name}' expects *\"\n",
            design.top
        ));
    }
    text
}
