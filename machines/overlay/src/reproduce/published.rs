//! The paper's figures of its problems, from the file in `machines/overlay/published`, and the
//! contradictions among them.

const PROBLEMS: &str = include_str!("../../published/problems.csv");
const TIMES: &str = include_str!("../../published/times.csv");

/// A row of Tables 5 to 7 and 11, in microseconds except for FlexSC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The paper's name of the problem.
    pub name: &'static str,
    /// FlexSC, in milliseconds.
    pub software_ms: Option<f64>,
    /// Table 5, with 5 ANDs.
    pub and5: Option<f64>,
    /// Table 5, with 10 ANDs.
    pub and10: Option<f64>,
    /// Table 6.
    pub no_check: Option<f64>,
    /// Table 7.
    pub hybrid: Option<f64>,
    /// Table 11.
    pub last: Option<f64>,
}

impl Times {
    /// Table 8.
    pub fn most_frequent(&self) -> Option<f64> {
        let found = TABLE_8.iter().find(|(name, _)| *name == self.name);
        found.map(|(_, time)| *time)
    }
}

/// Table 8, which the file lacks.
const TABLE_8: [(&str, f64); 3] =
    [("32-bit mult", 4384.0), ("64-bit mult", 15_648.0), ("10 4-bit sorting", 2425.0)];

/// All rows, in the order of [`problems`]. The page ranks come last; their circuits are unknown.
pub fn times() -> Vec<Times> {
    let row = |line: &'static str| {
        let cells: Vec<&'static str> = line.split(',').collect();
        let time = |column: usize| cells[column].parse().ok();
        Times {
            name: cells[0],
            software_ms: time(1),
            and5: time(2),
            and10: time(3),
            no_check: time(4),
            hybrid: time(5),
            last: time(6),
        }
    };
    TIMES.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect()
}

/// Names of the columns of Tables 1 and 3, in the order of [`Problem::counts`].
pub const COLUMNS: [&str; 11] = [
    "layers",
    "inputs",
    "outputs",
    "ANDs",
    "XORs",
    "gates",
    "wires",
    "one-to-one wires",
    "read in the next layer",
    "read later",
    "at most in a layer",
];

/// A row of Tables 1 and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// The paper's name, including the matrix.
    pub name: &'static str,
    /// Our program for it.
    pub spec: &'static str,
    /// Its counts, by [`COLUMNS`].
    pub counts: [u64; 11],
    /// Number of times that a circuit with ten ANDs would be programmed: the last column of Table
    /// 1.
    pub reprogrammings: u64,
}

/// Our programs and the last column of Table 1, which the file lacks, in the paper's order.
const SPECS: [(&str, u64); 14] = [
    ("adder:6", 1),
    ("hamming:10", 1),
    ("hamming:30", 6),
    ("hamming:50", 10),
    ("multiplier-full:8", 12),
    ("multiplier-full:16", 50),
    ("multiplier-full:32", 201),
    ("multiplier-full:64", 813),
    ("sort:20x4", 85),
    ("matmult:5x4", 390),
    ("matmult:10x4", 753),
    ("matmult:5x8", 1580),
    ("matmult:10x8", 12720),
    ("matmult:20x4", 25440),
];

/// Why counts differ: the beginning of a spec, columns of [`COLUMNS`], and the evidence in the
/// paper.
const EXPLAINED: [(&str, &[usize], &str); 5] = [
    (
        "adder",
        &[0, 6],
        "17 layers are those of the sum: the last carry, which the 24 XORs and 12 one-to-one wires have, is in the 18th; and \
         no constant is counted for the first carry, as in all other rows",
    ),
    (
        "hamming",
        &[2, 7, 8],
        "outputs are given as wide as an input. Of 30 bits, 163 stands under A and is B: 163 of 420 are Table 4's percentage \
         C, and 163 + 11 = 174 are A",
    ),
    (
        "sort",
        &[1, 2],
        "20 numbers are sorted, of which each party has ten: ports of one party are given",
    ),
    (
        "sort",
        &[4, 5],
        "the wires are those of 4,664 XORs: 80 inputs, 125 constants and 5,512 gates, and all of Table 3 agrees",
    ),
    ("matmult", &[1, 2], "inputs and outputs stand in each other's columns"),
];

impl Problem {
    /// Our program with the fewest ANDs for it.
    pub fn ours(&self) -> String {
        self.spec.replacen("sort:", "sort-network:", 1)
    }

    /// Why our count of a column may differ, if the paper shows the reason.
    pub fn explained(&self, column: usize) -> Option<&'static str> {
        // Row 11 fits no circuit, and has no explanation.
        let of = |(name, columns, _): &&(&str, &[usize], _)| {
            self.spec.starts_with(name) && columns.contains(&column) && self.spec != "matmult:10x4"
        };
        EXPLAINED.iter().find(of).map(|(_, _, why)| *why)
    }
}

/// All rows.
pub fn problems() -> Vec<Problem> {
    let lines = PROBLEMS.lines().skip(1).filter(|line| !line.is_empty());
    let row = |(line, (spec, reprogrammings)): (&'static str, (&'static str, u64))| {
        let cells: Vec<&'static str> = line.split(',').collect();
        let count = |cell: &str| cell.parse().expect("a number in published/");
        let counts = std::array::from_fn(|column| count(cells[1 + column]));
        Problem { name: cells[0], spec, counts, reprogrammings }
    };
    lines.zip(SPECS).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_whole() {
        let names = |times: Times| times.name;
        let of = times().into_iter().map(names).zip(problems());
        assert!(of.into_iter().all(|(name, problem)| name == problem.name));
        assert_eq!(times()[13].last, Some(340_698.0));
        let problems = problems();
        assert_eq!(problems.len(), 14);
        let last = problems[13];
        assert_eq!((last.spec, last.counts[0], last.counts[10]), ("matmult:20x4", 37, 128_000));
        assert!(problems.iter().all(|row| row.counts[3] + row.counts[4] == row.counts[5]));
    }
}
