//! The paper's figures for its problems, from the files in `machines/overlay/published`, and the
//! contradictions among these figures.

const PROBLEMS: &str = include_str!("../../published/problems.csv");
const TIMES: &str = include_str!("../../published/times.csv");

/// A row of Tables 5 to 7 and 11, in microseconds except for FlexSC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The paper's name of the problem.
    pub name: &'static str,
    /// Published time of FlexSC, a software garbler, in milliseconds.
    pub software_ms: Option<f64>,
    /// Table 5, with 5 AND cells.
    pub and5: Option<f64>,
    /// Table 5, with 10 AND cells.
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

/// All rows, in the order of [`problems`]. The rows of page rank come last; their circuits are
/// unknown.
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
    /// The paper's name of the problem, including a matrix's size.
    pub name: &'static str,
    /// Our program for it.
    pub spec: &'static str,
    /// The published counts, in the order of [`COLUMNS`].
    pub counts: [u64; 11],
    /// Number of times that a circuit with ten AND cells would be programmed: the last column of
    /// Table 1.
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

/// Explained differences of counts: the beginning of a problem's `spec`, the columns of
/// [`COLUMNS`], and the evidence in the paper.
const EXPLAINED: [(&str, &[usize], &str); 5] = [
    (
        "adder",
        &[0, 6],
        "17 layers compute the sum without its last carry; the counts of 24 XORs and 12 one-to-one wires include this carry, \
         which is in the 18th layer. Unlike in all other rows, no constant is counted for the first carry",
    ),
    (
        "hamming",
        &[2, 7, 8],
        "the paper gives outputs as many bits as an input. In the row of 30 bits, the 163 under A belongs to B: 163 of 420 is \
         Table 4's percentage C, and 163 + 11 = 174 is A",
    ),
    (
        "sort",
        &[1, 2],
        "20 numbers are sorted, ten from each party; the paper counts the ports of one party",
    ),
    (
        "sort",
        &[4, 5],
        "the published number of wires fits 4,664 XORs (80 inputs, 125 constants and 5,512 gates), and so does Table 3",
    ),
    ("matmult", &[1, 2], "the columns of inputs and outputs are exchanged"),
];

impl Problem {
    /// Our program with the fewest ANDs for this problem.
    pub fn ours(&self) -> String {
        self.spec.replacen("sort:", "sort-network:", 1)
    }

    /// Why our count of this column may differ, if the paper shows the reason.
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
