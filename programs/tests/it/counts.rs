//! Sizes of all programs at their default parameters, in a golden file, and the documented AND
//! counts for other parameters.

use crate::common::build;
use halfgate_circuit::Stats;
use std::fmt::Write;
use std::path::Path;

/// Set `HALFGATE_BLESS=1` to rewrite the file after an intended change.
#[test]
fn default_sizes() {
    let mut text = String::from("# program: ANDs and XORs of a cycle, AND depth, cycles\n");
    for program in halfgate_programs::all() {
        let circuit = build(program.name);
        let stats = Stats::of(&circuit);
        let spec = match program.default {
            "" => program.name.to_owned(),
            default => format!("{}:{default}", program.name),
        };
        writeln!(
            text,
            "{spec}: {} {} {} {}",
            stats.ands, stats.xors, stats.and_depth, circuit.cycles
        )
        .unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/programs.txt");
    if std::env::var_os("HALFGATE_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    for (found, kept) in text.lines().zip(golden.lines()) {
        assert_eq!(found, kept, "{} (left is new; HALFGATE_BLESS=1 accepts it)", path.display());
    }
    let lines = (text.lines().count(), golden.lines().count());
    assert_eq!(lines.0, lines.1, "{}: number of lines (left is new)", path.display());
}

#[track_caller]
fn ands(spec: String) -> u64 {
    build(&spec).gates.ands()
}

#[test]
fn edit_distance() {
    for (n, k) in [(1u64, 8), (2, 1), (7, 3), (32, 8), (64, 5)] {
        let ones = u64::from(n.count_ones());
        let expected = n * n * (k + 3) + 2 * n * k - 5 * n - ones;
        assert_eq!(ands(format!("edit-distance:{n}x{k}")), expected, "{n}x{k}");
    }
}

#[test]
fn vickrey() {
    for (k, w) in [(1, 8), (2, 1), (5, 16), (8, 32)] {
        let n = 1 << k;
        let expected = 2 * w * (n + k - 2) + (w + 1) * (n - k - 1);
        assert_eq!(ands(format!("vickrey:{n}x{w}")), expected, "{n}x{w}");
    }
    // Never more ANDs than the sequential auction, for any number of bidders.
    for n in 2..70 {
        assert!(ands(format!("vickrey:{n}x32")) <= ands(format!("auction:{n}x32")), "{n}");
    }
}

#[test]
fn decision_tree() {
    for (d, log) in [(1, 1), (4, 2), (8, 4), (3, 7)] {
        let (f, nodes) = (1u64 << log, (1 << d) - 1);
        let expected = 40 * (nodes - d) + 8 * nodes + d * (32 * (f + 1) + 7 - log);
        assert_eq!(ands(format!("decision-tree:{d}x{f}")), expected, "{d}x{f}");
        for f in f + 1..(2 * f).min(20) {
            let most = 40 * (nodes - d) + 8 * nodes + d * (32 * (f + 1) + 7 + 39);
            assert!(ands(format!("decision-tree:{d}x{f}")) <= most, "{d}x{f}");
        }
    }
}
