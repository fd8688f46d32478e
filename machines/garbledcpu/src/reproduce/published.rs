//! The paper's figures, from the files in `machines/garbledcpu/published`.

use std::sync::LazyLock;

const PROGRAMS: &str = include_str!("../../published/programs.csv");
const EVALUATORS: &str = include_str!("../../published/evaluators.csv");
const RESOURCES: &str = include_str!("../../published/resources.csv");
const NETLISTS: &str = include_str!("../../published/netlists.csv");

/// A row of Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    /// The benchmark.
    pub name: &'static str,
    /// The size of the benchmark's input, in bits or elements.
    pub size: u32,
    /// Instructions executed.
    pub instructions: f64,
}

/// A row of Tables 2 and 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Processor {
    /// The paper's name of the instruction set.
    pub set: &'static str,
    /// Words of each memory.
    pub words: u32,
    /// Gates with tables.
    pub non_xor: f64,
    /// Flip-flops.
    pub flip_flops: f64,
    /// Clocks that the evaluator takes per instruction.
    pub clocks: f64,
}

/// A row of Table 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resources {
    /// The unit: FF, LUT, or BRAM of 36 Kbit.
    pub unit: &'static str,
    /// Number of units that the evaluator takes on a Virtex-7.
    pub value: f64,
}

/// A row of Table 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluator {
    /// Name of the evaluator.
    pub name: &'static str,
    /// Clocks per instruction of the full set, with memories of 64 words.
    pub clocks: f64,
    /// Clocks per non-XOR gate of the processor.
    pub a_gate: f64,
}

/// Table 1.
pub static TABLE_1: LazyLock<Vec<Program>> = LazyLock::new(|| {
    rows(PROGRAMS, |cells| Program {
        name: cells[0],
        size: number(cells[1]) as u32,
        instructions: number(cells[2]),
    })
});

/// Table 2.
pub static TABLE_2: LazyLock<Vec<Processor>> = LazyLock::new(|| {
    rows(NETLISTS, |cells| Processor {
        set: cells[0],
        words: number(cells[1]) as u32,
        non_xor: number(cells[2]),
        flip_flops: number(cells[3]),
        clocks: number(cells[4]),
    })
});

/// Table 3.
pub static TABLE_3: LazyLock<Vec<Resources>> = LazyLock::new(|| {
    rows(RESOURCES, |cells| Resources { unit: cells[0], value: number(cells[1]) })
});

/// Table 5.
pub static TABLE_5: LazyLock<Vec<Evaluator>> = LazyLock::new(|| {
    rows(EVALUATORS, |cells| Evaluator {
        name: cells[0],
        clocks: number(cells[1]),
        a_gate: number(cells[2]),
    })
});

fn rows<T>(text: &'static str, row: impl Fn(&[&'static str]) -> T) -> Vec<T> {
    let lines = text.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(|line| row(&line.split(',').collect::<Vec<_>>())).collect()
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number in published/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!((TABLE_1.len(), TABLE_2.len(), TABLE_3.len()), (7, 27, 3));
        assert_eq!(TABLE_2[22].flip_flops, 2110.0);
    }
}
