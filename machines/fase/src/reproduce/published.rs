//! The figures of the paper and the measured clocks of the public RTL, from the files in
//! `machines/fase/published`, whose README gives their origin.

use std::sync::LazyLock;

const TABLES: &str = include_str!("../../published/parallel-fase.csv");
const RESOURCES: &str = include_str!("../../published/resources.csv");
const PUBLIC_RTL: &str = include_str!("../../published/public-rtl.csv");

/// A function of Tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The paper's name: function, bits, netlist cycles.
    pub name: &'static str,
    /// Netlist cycles.
    pub cycles: u64,
    /// Gates of the netlist.
    pub gates: f64,
    /// Number of XOR, XNOR and NOT gates of the netlist.
    pub xors: f64,
    /// Clocks of FASE, which has one pipeline, in the paper.
    pub one: f64,
    /// Clocks of the paper's machine with two pipelines.
    pub two: f64,
    /// Clocks of the public RTL, which has one pipeline, simulated on the netlist that the paper
    /// used. 0 if that netlist is not public, so that no model can run on it.
    pub rtl: f64,
}

impl Row {
    /// Gates with tables.
    pub fn non_xor(&self) -> f64 {
        self.gates - self.xors
    }
}

/// All functions.
pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = TABLES.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(row).collect()
});

fn row(line: &'static str) -> Row {
    let cells: Vec<&'static str> = line.split(',').collect();
    let number = |place: usize| cells[place].parse::<f64>().expect("a number in parallel-fase.csv");
    let name = cells[0];
    let rtl = public_rtl(name).unwrap_or(0.0);
    let (gates, xors, one, two) = (number(4), number(5), number(6), number(7));
    Row { name, cycles: number(3) as u64, gates, xors, one, two, rtl }
}

/// Clocks of the public RTL (github.com/ACESLabUCSD/FASE) on a public netlist.
fn public_rtl(name: &str) -> Option<f64> {
    let mut lines = PUBLIC_RTL.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let cells = lines.find(|cells| cells[0] == name && cells[2] == "public")?;
    Some(cells[1].parse().expect("a number in public-rtl.csv"))
}

/// Resources of a module from Tables 4 and 5, in the units of [`UNITS`].
pub fn resources(module: &str, pipelines: usize) -> Option<[f64; 4]> {
    let design = if pipelines == 1 { "FASE" } else { "two_pipelines" };
    let mut lines = RESOURCES.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let cells = lines.find(|cells| cells[0] == module && cells[1] == design)?;
    Some([2, 3, 4, 5].map(|place| cells[place].parse().expect("a number in the resources' file")))
}

/// Clock frequency of the published machines, in MHz.
pub const MHZ: f64 = 80.0;

/// The units of resources; a block RAM has 36 Kbit.
pub const UNITS: [&str; 4] = ["LUT", "LUTRAM", "FF", "BRAM"];

/// The modules that the paper lists beside the total.
pub const MODULES: [&str; 3] = ["garbling_engine", "input_labels", "output_labels"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_resources_are_read() {
        for module in MODULES.into_iter().chain(["total"]) {
            assert!(resources(module, 1).is_some() && resources(module, 2).is_some());
        }
        assert_eq!(resources("total", 2), Some([158_902.0, 619.0, 44_497.0, 585.0]));
        assert_eq!(resources("output_labels", 1), Some([22_012.0, 0.0, 8596.0, 28.5]));
    }

    #[test]
    fn all_rows_are_read() {
        assert_eq!(ROWS.len(), 12);
        let aes = ROWS[11];
        assert_eq!(
            (aes.name, aes.cycles, aes.non_xor(), aes.two),
            ("AES_128_11", 11, 1437.0, 55_664.0)
        );
        let rtl: Vec<f64> = ROWS.iter().map(|row| row.rtl).filter(|clocks| *clocks > 0.0).collect();
        assert_eq!(rtl, [258.0, 178.0, 2723.0, 700.0, 128_746.0, 82_899.0]);
    }
}
