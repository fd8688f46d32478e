//! Netlists of standard cells as Yosys writes them, with one pin on each line.

/// All pins of all cells: the pin, its net, and the cell.
pub fn pins(netlist: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut cell = "";
    netlist.lines().filter_map(move |line| {
        if let Some((pin, net)) = pin(line) {
            return Some((pin, net, cell));
        }
        if line.ends_with(" (") {
            cell = line.split_whitespace().next().unwrap_or_default();
        }
        None
    })
}

/// A pin and its net, from a line `.PIN(net),`.
pub fn pin(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().strip_prefix('.')?;
    let (pin, net) = line.split_once('(')?;
    let net = net.trim_end_matches(',').strip_suffix(')')?;
    Some((pin, net.trim()))
}
