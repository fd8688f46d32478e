//! Builds gadgets, counts their ANDs, and compares the counts with published ones and with targets.

use halfgate_circuit::{Bit, Builder, Party, aes, int, keccak};
use halfgate_record::record::Figure;

type Build = fn(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>;

/// A gadget with the widths of its operands, the smallest published number of ANDs, and our own
/// upper bound if that is lower.
struct Row {
    name: &'static str,
    widths: &'static [u32],
    published: f64,
    target: Option<f64>,
    build: Build,
}

/// The published figures are those of [`COLLECTION`] (`adder64`, `sub64`, `neg64`,
/// `mult64`, `mult2_64`, `udivide64`, `divide64`, `zero_equal`, AES and Keccak-f).
const ROWS: [Row; 14] = [
    row("add, 64 bits", &[64, 64], 63.0, None, |b, x| int::add(b, &x[0], &x[1])),
    row("subtract, 64 bits", &[64, 64], 63.0, None, |b, x| int::sub(b, &x[0], &x[1])),
    row("negate, 64 bits", &[64], 62.0, None, |b, x| int::neg(b, &x[0])),
    row("is zero, 64 bits", &[64], 63.0, None, |b, x| vec![int::is_zero(b, &x[0])]),
    row("multiply, low 64 bits", &[64, 64], 4033.0, None, |b, x| int::mul(b, &x[0], &x[1])),
    row("multiply, 64 by 64 bits", &[64, 64], 8128.0, None, |b, x| int::mul_full(b, &x[0], &x[1])),
    row("divide, 64 bits unsigned", &[64, 64], 4285.0, Some(3300.0), |b, x| {
        int::div_unsigned(b, &x[0], &x[1])
    }),
    row(DIVISION, &[64, 64], 4285.0, Some(3400.0), |b, x| {
        let (quotient, rest) = int::div_rem_unsigned(b, &x[0], &x[1]);
        [quotient, rest].concat()
    }),
    row("divide, 64 bits signed", &[64, 64], 4664.0, None, |b, x| int::div_signed(b, &x[0], &x[1])),
    row("AES-128", &[128, 128], 6400.0, None, |b, x| aes::encrypt(b, &x[0], &x[1])),
    row("AES-192", &[192, 128], 7168.0, None, |b, x| aes::encrypt(b, &x[0], &x[1])),
    row("AES-256", &[256, 128], 8832.0, None, |b, x| aes::encrypt(b, &x[0], &x[1])),
    row("Keccak-f, 1600 bits", &[1600], 38_400.0, None, |b, x| keccak::keccak_f(b, &x[0])),
    row(SHA3, &[512], 38_400.0, None, |b, x| keccak::sha3_256(b, &x[0])),
];

const SHA3: &str = "SHA3-256, 64 bytes";
const DIVISION: &str = "divide with remainder, 64 bits unsigned";

/// Rows whose published circuit does another job, and what differs.
const OTHERS: [(&str, &str); 2] = [
    (SHA3, "published is the permutation alone, on 1,600 bits; here all but 512 are constants"),
    (DIVISION, "published is the quotient alone"),
];

/// Where the published figures come from.
const COLLECTION: &str = "published: Bristol Fashion";

const fn row(
    name: &'static str,
    widths: &'static [u32],
    published: f64,
    target: Option<f64>,
    build: Build,
) -> Row {
    Row { name, widths, published, target, build }
}

/// Programs with a published number of ANDs per cycle.
const PROGRAMS: [(&str, &str, f64, &str); 2] = [
    ("sha256-block", "SHA-256, one block", 22_573.0, "published: Bristol Fashion, sha256"),
    (
        "aes128-rounds:1",
        "AES-128 over cycles, a block",
        15_807.0,
        "ANDs of all its cycles; published: AES_128_11, 11 cycles of 1,437, the same function by \
         another circuit",
    ),
];

/// Builds each gadget and counts its ANDs. A gadget must not have more ANDs than the published
/// circuit.
///
/// # Errors
/// If a gadget cannot be built.
pub fn run() -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for Row { name, widths, published, target, build } in ROWS {
        let mut b = Builder::new();
        let inputs: Vec<Vec<Bit>> = widths
            .iter()
            .enumerate()
            .map(|(i, &width)| b.input(format!("x{i}"), Party::Garbler, width))
            .collect();
        let result = build(&mut b, &inputs);
        b.output("y", &result);
        let circuit = b.finish().map_err(|e| format!("{name}: {e}"))?;
        let figure = Figure::measured(name, "AND", circuit.gates.ands() as f64);
        let figure =
            figure.published(published).at_most(target.unwrap_or(published)).note(COLLECTION);
        let other = OTHERS.iter().find(|(other, _)| *other == name);
        figures.push(figure.unlike_if(other.map(|&(_, why)| why)));
    }
    for (spec, name, published, note) in PROGRAMS {
        let circuit = halfgate_programs::build(spec).map_err(|e| e.to_string())?;
        let ands = circuit.gates.ands() * circuit.cycles;
        let figure = Figure::measured(name, "AND", ands as f64);
        figures.push(figure.published(published).at_most(published).note(note));
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_met() {
        for figure in run().unwrap() {
            let (name, measured) = (&figure.name, figure.measured);
            assert_eq!(figure.verdict(), Some(true), "{name}: {measured:?}");
            assert_eq!(figure.met.is_none(), [SHA3, DIVISION].contains(&&**name), "{name}");
        }
    }
}
