//! The paper's results (Mo, Gopinath and Reagen, ISCA 2023), from the files in
//! `machines/haac/published`.

const AREA_POWER: &str = include_str!("../../published/area-power.csv");
const BENCHMARKS: &str = include_str!("../../published/benchmarks.csv");
const COMPARISON: &str = include_str!("../../published/comparison.csv");
const TEXT: &str = include_str!("../../published/text.csv");
const PEERS: &str = include_str!("../../../../bench/published/cpu-peers.csv");

/// A row of Tables 2 and 3, for 16 engines and 2 MB. Wires are in thousands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Name of the program, such as `BubbSt`.
    pub name: &'static str,
    /// Depth in gates.
    pub levels: f64,
    /// Wires, in thousands.
    pub wires_k: f64,
    /// Gates, in thousands.
    pub gates_k: f64,
    /// Percentage of ANDs.
    pub and_percent: f64,
    /// Gates per level.
    pub ilp: f64,
    /// Percentage of wires that are not written to memory, with the full reorder.
    pub spent_percent: f64,
    /// Live and out-of-range wires with the segment reorder, in thousands.
    pub segment_k: [f64; 2],
    /// The same with the full reorder.
    pub full_k: [f64; 2],
}

impl Row {
    /// ANDs.
    pub fn ands(&self) -> f64 {
        self.gates_k * 1e3 * self.and_percent / 100.0
    }

    /// The largest number of ANDs that the table's rounding allows: gates are in thousands, and the
    /// share of ANDs in hundredths of a percent.
    pub fn ands_at_most(&self) -> f64 {
        ((self.gates_k + 0.5) * 1e3 * (self.and_percent + 0.005) / 100.0).floor()
    }
}

/// Tables 2 and 3.
pub fn rows() -> Vec<Row> {
    let row = |fields: Vec<&'static str>| {
        let n = |at: usize| number(fields[at]);
        Row {
            name: fields[0],
            levels: n(2),
            wires_k: n(3),
            gates_k: n(4),
            and_percent: n(5),
            ilp: n(6),
            spent_percent: n(7),
            segment_k: [n(8), n(10)],
            full_k: [n(9), n(11)],
        }
    };
    lines(BENCHMARKS).map(row).collect()
}

/// The row with this name.
pub fn row(name: &str) -> Option<Row> {
    rows().into_iter().find(|row| row.name == name)
}

/// Garbling time of a benchmark of Table 5 in microseconds, with 16 engines and 1 MB.
pub fn table5_us(benchmark: &str) -> Option<f64> {
    lines(COMPARISON).find(|fields| fields[1] == benchmark).map(|fields| number(fields[3]))
}

/// Rows of Table 5: the other work, the benchmark, the other work's time in microseconds, and the
/// paper's time.
pub fn table5() -> Vec<(&'static str, &'static str, f64, f64)> {
    lines(COMPARISON).map(|f| (f[0], f[1], number(f[2]), number(f[3]))).collect()
}

/// Table 4's row whose name begins so: area in square millimetres at 16 nm, and power in
/// milliwatts.
///
/// # Panics
/// If the file has no such row, which a test rules out.
pub fn table4(component: &str) -> (f64, f64) {
    let found = lines(AREA_POWER).find(|fields| fields[0].starts_with(component));
    let found = found.unwrap_or_else(|| panic!("published/area-power.csv has no {component}"));
    (number(found[1]), number(found[2]))
}

/// A number from the paper's text.
///
/// # Panics
/// If the file has no such key, which a test rules out.
pub fn text(key: &str) -> f64 {
    let found = lines(TEXT).find(|fields| fields[0] == key);
    number(found.unwrap_or_else(|| panic!("published/text.csv has no {key}"))[1])
}

/// Other libraries on a processor: the name, M AND/s garbling, and M AND/s evaluating. Garbling
/// writes tables to memory; if this was not measured, the rate is with tables discarded.
pub fn peers() -> Vec<(&'static str, f64, f64)> {
    let rate = |fields: &[&'static str]| match fields[2] {
        "" => number(fields[1]),
        rate => number(rate),
    };
    lines(PEERS).map(|fields| (fields[0], rate(&fields), number(fields[3]))).collect()
}

/// M AES-128 blocks/s of one core, in registers, on the computer where [`peers`] were measured.
pub const PEERS_BLOCKS: f64 = 1185.0;

/// EMP's evaluator, the paper's software baseline: AND/s of one core of the computer where
/// [`peers`] were measured, and the time per AND in block times.
pub fn emp() -> (f64, f64) {
    let rate = peers()[0].2;
    (rate * 1e6, PEERS_BLOCKS / rate)
}

/// Fields of each line except the first. The files have no field with a comma.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).filter(|line| !line.is_empty()).map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} in a file of published figures is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_paper() {
        let rows = rows();
        assert_eq!(rows.len(), 8);
        let matmult = row("MatMult").expect("a row");
        assert_eq!(
            (matmult.levels, matmult.gates_k, matmult.spent_percent),
            (157.0, 1515.0, 82.16)
        );
        assert_eq!((matmult.segment_k, matmult.full_k), ([6.01, 495.0], [271.0, 582.0]));
        assert_eq!(table5_us("AES-128"), Some(3.607));
        assert_eq!(table5_us("Million-8"), Some(0.218));
        assert_eq!(table5().len(), 18);
        assert_eq!(text("speedup_ddr4"), 589.0);
        assert_eq!(peers()[0], ("EMP toolkit 0.3", 25.0, 47.0));
        assert_eq!(peers()[2], ("mpz", 12.0, 16.0));
        assert_eq!((emp().0, emp().1.round()), (47e6, 25.0));
    }
}
