//! What the paper reports, from the files in `machines/fase/published`, and what the public RTL was
//! measured to take.

use std::sync::LazyLock;

const TABLES: &str = include_str!("../../published/parallel-fase.csv");
const RESOURCES: &str = include_str!("../../published/resources.csv");

/// A function of Tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// As the paper calls it: function, bits, netlist cycles.
    pub name: &'static str,
    /// Netlist cycles.
    pub cycles: u64,
    /// Gates of the netlist.
    pub gates: f64,
    /// Of these XOR, XNOR and NOT.
    pub xors: f64,
    /// Clocks of FASE with one pipeline, in the paper.
    pub one: f64,
    /// Clocks of the paper's machine of two pipelines.
    pub two: f64,
    /// Clocks of the public RTL of one pipeline, simulated on the netlist that the paper used; 0 if unknown.
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
    let rtl = RTL.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, clocks)| *clocks);
    let (gates, xors, one, two) = (number(4), number(5), number(6), number(7));
    Row { name, cycles: number(3) as u64, gates, xors, one, two, rtl }
}

/// The public RTL of FASE (github.com/ACESLabUCSD/FASE), simulated on the netlists that its host software comes
/// with, which the paper used.
const RTL: [(&str, f64); 6] = [
    ("Mill_8_8", 258.0),
    ("Add_8_8", 178.0),
    ("Hamm_32_32", 2_723.0),
    ("MAC_8_1", 700.0),
    ("CORDIC_32_31", 128_746.0),
    ("AES_128_11", 82_899.0),
];

/// Tables 4 and 5, in part: what a module takes, in the units of [`UNITS`].
pub fn resources(module: &str, pipelines: usize) -> Option<[f64; 4]> {
    let design = if pipelines == 1 { "FASE" } else { "two_pipelines" };
    let mut lines = RESOURCES.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let cells = lines.find(|cells| cells[0] == module && cells[1] == design)?;
    Some([2, 3, 4, 5].map(|place| cells[place].parse().expect("a number in the resources' file")))
}

/// Megahertz of the published machines.
pub const MHZ: f64 = 80.0;

/// What resources are counted in; a block RAM has 36 Kbit.
pub const UNITS: [&str; 4] = ["LUT", "LUTRAM", "FF", "BRAM"];

/// The modules that the paper gives beside the total.
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
        assert_eq!(ROWS.iter().filter(|row| row.rtl > 0.0).count(), 6);
    }
}
