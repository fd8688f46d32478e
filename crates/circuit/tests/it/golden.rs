//! Golden files of gadget sizes in `tests/golden`, with one line per gadget and size.
//!
//! A test states how each gadget is built, and the documented formulas for its ANDs and AND depth.
//! [`check`] builds it, compares its sizes with the formulas, and compares the sizes of all gadgets
//! with the golden file. Set `HALFGATE_BLESS=1` to rewrite the file after an intended change.
#![allow(dead_code)] // Each test uses only a part.

use halfgate_circuit::{Bit, Builder, Party, Stats};
use std::fmt::Write;
use std::path::Path;

/// A gadget at one size.
pub struct Gadget {
    /// Name and size as in the golden file, such as `add 64`.
    pub name: String,
    /// Number of ANDs by the documented formula, if it is exact.
    pub ands: Option<u64>,
    /// AND depth by the documented formula, if it is exact.
    pub and_depth: Option<u32>,
    /// Sizes of the built gadget.
    pub stats: Stats,
}

impl Gadget {
    /// Builds a gadget on secret inputs of `widths` bits; its result becomes the output.
    pub fn new(
        name: impl Into<String>,
        widths: &[u32],
        build: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>,
    ) -> Gadget {
        let mut b = Builder::new();
        let party = |i: usize| if i == 0 { Party::Garbler } else { Party::Evaluator };
        let inputs: Vec<Vec<Bit>> = widths
            .iter()
            .enumerate()
            .map(|(i, &width)| b.input(format!("in{i}"), party(i), width))
            .collect();
        let result = build(&mut b, &inputs);
        b.output("out", &result);
        let circuit = b.finish().expect("the gadget is a valid circuit");
        Gadget { name: name.into(), ands: None, and_depth: None, stats: Stats::of(&circuit) }
    }

    /// Sets the documented number of ANDs.
    pub fn ands(self, formula: u64) -> Gadget {
        Gadget { ands: Some(formula), ..self }
    }

    /// Sets the documented AND depth.
    pub fn and_depth(self, formula: u32) -> Gadget {
        Gadget { and_depth: Some(formula), ..self }
    }
}

/// Compares `gadgets` with their formulas and with `tests/golden/FILE.txt`.
///
/// # Panics
/// If there is a difference. The message lists all differences from the formulas, or the first
/// difference from the golden file.
pub fn check(file: &str, gadgets: &[Gadget]) {
    let mut wrong = String::new();
    let mut text = String::from("# gadget and size: ANDs, XORs, AND depth\n");
    for Gadget { name, ands, and_depth, stats } in gadgets {
        writeln!(text, "{name}: {} {} {}", stats.ands, stats.xors, stats.and_depth).unwrap();
        if ands.is_some_and(|formula| formula != stats.ands) {
            writeln!(wrong, "{name}: {} ANDs, documented {ands:?}", stats.ands).unwrap();
        }
        if and_depth.is_some_and(|formula| formula != stats.and_depth) {
            let found = stats.and_depth;
            writeln!(wrong, "{name}: AND depth {found}, documented {and_depth:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "gadgets differ from their documentation:\n{wrong}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let path = path.with_extension("txt");
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
