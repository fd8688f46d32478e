//! Bytes on the link, for a whole run and for its gates, beside the bytes of the published packets
//! and the targets.

use super::{Benchmark, GIVEN, PUBLISHED_BYTES, SQRT, THESIS, mix, model};
use crate::engine::Sent;
use halfgate_compiler::Program;
use halfgate_mobile_model::{Begin, Encoder, Item, Lowering, SLOTS, Step};
use halfgate_record::part::Part;
use halfgate_record::record::{Figure, How};

/// Target bytes per AND and per XOR.
const BYTES: [f64; 2] = [34.2, 2.1];
/// Minimum number of bytes of an item that loads a label.
const LOAD: f64 = 17.5;
/// Name of the row with the bytes of a benchmark's gates, in percent of the target [`BYTES`].
const OF: &str = "bytes for gates, of 34.2 an AND and 2.1 an XOR";
/// Why the square root has no verdict.
const OWN_CIRCUIT: &str = "a circuit of our own; published: the thesis's packets for grr3, of all its \
                           gates, where ours are half-gates that were sent";

/// Bytes of a body's items without framing. Each item includes half a byte for its kind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Items {
    /// Number of ANDs and XORs.
    pub gates: [u64; 2],
    /// Bytes of ANDs without the XORs in their items; bytes of XORs, in items of their own and in
    /// those of ANDs.
    pub bytes: [f64; 2],
    /// Bytes of the items that begin or end a run, or transfer labels.
    pub others: f64,
}

impl Items {
    /// Counts the bytes of one netlist cycle of a program in half-gates.
    ///
    /// # Errors
    /// If the program's code cannot be read.
    pub fn of(program: &Program) -> Result<Items, String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut all = Items::default();
        all.others += bytes(Item::Begin, &[0; Begin::BYTES]) + bytes(Item::End, &[]);
        let mut lowering = Lowering::new(&program.circuit, SLOTS).map_err(failed)?;
        while let Some(step) = lowering.next_step().map_err(failed)? {
            match (step, step.item()) {
                (_, Some(item @ Item::And { a, b, c, out, .. })) => {
                    let alone = bytes(Item::And { a, b, c, xors: 0, out }, &[0; 32]);
                    all.bytes[0] += alone;
                    all.bytes[1] += bytes(item, &[0; 32]) - alone;
                }
                (_, Some(item @ Item::Xor { .. })) => all.bytes[1] += bytes(item, &[]),
                (Step::Load { .. }, Some(item)) => all.others += bytes(item, &[0; 16]),
                (_, Some(item)) => all.others += bytes(item, &[]),
                (_, None) => (),
            }
        }
        all.gates = lowering.counts();
        Ok(all)
    }

    /// Total number of bytes.
    pub fn all(&self) -> f64 {
        self.bytes[0] + self.bytes[1] + self.others
    }
}

/// Bytes of an item and of what follows it, including half a byte for its kind.
fn bytes(item: Item, follows: &[u8]) -> f64 {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    encoder.push(item, None, follows, &mut bytes);
    encoder.flush(&mut bytes);
    bytes.len() as f64 - 0.5
}

/// Bytes of a benchmark's gates on the link.
pub struct Spent {
    name: String,
    gates: [f64; 2],
    bytes: f64,
    /// Bytes of the published packets for all gates of the netlist.
    published: f64,
}

impl Spent {
    /// The bytes of this benchmark's gates, in percent of the target.
    fn share(&self) -> Figure {
        share(&format!("{}: {OF}", self.name), &[self]).note(format!(
            "{} ANDs and {} XORs, those that were sent",
            self.gates[0], self.gates[1]
        ))
    }
}

/// The bytes of these benchmarks' gates together, with framing, in percent of the target.
fn share(name: &str, all: &[&Spent]) -> Figure {
    let sum = |of: fn(&Spent) -> f64| all.iter().map(|spent| of(spent)).sum::<f64>();
    let part = |bytes: f64| 100.0 * bytes / sum(|spent| mix(spent.gates, BYTES));
    let published = part(sum(|spent| spent.published));
    model(name, "%", part(sum(|spent| spent.bytes))).published(published)
}

/// Adds a benchmark's rows.
///
/// # Errors
/// If the program's code cannot be read.
pub fn of(benchmark: &Benchmark, sent: &Sent, part: &mut Part) -> Result<Spent, String> {
    let Benchmark { name, gates: [ands, xors], published, .. } = benchmark;
    let to_chip = sent.traffic.to_chip as f64;
    part.model(&format!("{name}: to the chip"), "bytes", Some(published.bytes as f64), to_chip);
    part.note(format!(
        "{ands} ANDs, {xors} XORs in the netlist; {} labels to the chip, {} of them again, {} back",
        sent.loads[0] + sent.loads[1],
        sent.loads[1],
        sent.reads
    ));
    let spent = Spent {
        name: name.clone(),
        gates: sent.gates.map(|gates| gates as f64),
        bytes: to_chip - LOAD * sent.loads[0] as f64,
        published: mix(benchmark.gates, PUBLISHED_BYTES),
    };
    part.model(&format!("{name}: bytes for gates"), "bytes", Some(spent.published), spent.bytes);
    part.note("all but inputs' labels, at 17.5 each; published: of all gates of the netlist");
    part.figures.push(spent.share());
    // Framing consists of frames, resets and acknowledgements. All items share it in proportion to
    // their bytes.
    let items = Items::of(&benchmark.program)?;
    let framing = to_chip / items.all();
    for (kind, what) in ["an AND", "an XOR"].into_iter().enumerate() {
        let each = framing * items.bytes[kind] / items.gates[kind] as f64;
        let published = Some(PUBLISHED_BYTES[kind]);
        part.model(&format!("{name}: bytes {what}"), "bytes", published, each);
        part.note(format!(
            "on average over {}, framing included; XORs in an AND's item take what they add to it; {THESIS}",
            items.gates[kind]
        ));
    }
    let what = format!("{name} as published: gates that get another wire's label");
    part.model(&what, "gates", None, published.wrong as f64);
    part.note("where a wire is overwritten by the one 8,192 after it; here none is");
    Ok(spent)
}

/// A target for each benchmark, and one without a verdict for the mean of both. Rows that need the
/// given netlist have no figure if it is missing.
pub fn targets(all: &[Spent], why: Option<&str>) -> Vec<Figure> {
    let name = format!("{OF}, on average over {GIVEN} and {SQRT}");
    let find = |name: &str| all.iter().find(|spent| spent.name == name);
    let missing = |name: &str| Figure {
        how: How::Model,
        ..Figure::not_run(name, "%", why.unwrap_or("it was not run"))
    };
    let mean = match (find(GIVEN), find(SQRT)) {
        (Some(given), Some(sqrt)) => share(&name, &[given, sqrt])
            .at_most(100.0)
            .note(
                "gates that were sent, framing included, labels of inputs not; published: bytes \
                 of its packets (the thesis), of all gates of the netlists",
            )
            .unlike("a mean of two that are on either side of the target; each has a row"),
        _ => missing(&name).at_most(100.0),
    };
    let each = [GIVEN, SQRT].map(|name| {
        let figure = find(name).map(|spent| {
            let share = spent.share().at_most(100.0);
            share.unlike_if((name == SQRT).then_some(OWN_CIRCUIT))
        });
        figure.unwrap_or_else(|| missing(&format!("{name}: {OF}")).at_most(100.0))
    });
    std::iter::once(mean).chain(each).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::small;
    use super::super::{SPI, energy};
    use super::*;
    use halfgate_engine::Suite;

    #[test]
    fn bytes_of_items_are_those_of_the_format() {
        let and = |xors, c, out| bytes(Item::And { a: 1, b: 2, c, xors, out }, &[0; 32]);
        assert_eq!((and(0, 0, 3), and(0, 0, 1)), (35.5, 34.5));
        assert_eq!((and(6, 3, 3), and(6, 3, 4)), (35.5, 36.5));
        let xor = |out| bytes(Item::Xor { a: 1, b: 2, c: None, out }, &[]);
        assert_eq!((xor(3), xor(1), xor(300)), (3.5, 2.5, 4.5));
    }

    /// Without framing, the counted bytes are all bytes on the link. The core that is timed makes
    /// as many bytes as the link transfers with framing.
    #[test]
    fn counted_bytes_add_up_to_those_on_the_link() {
        let benchmark = small("divide:16");
        let ran = benchmark.run(Suite::HalfGates, SPI).expect("it runs");
        let items = Items::of(&benchmark.program).expect("items");
        let to_chip = ran.sent.traffic.to_chip as f64;
        assert_eq!(items.gates, ran.sent.gates);
        let mut lowering = Lowering::new(&benchmark.program.circuit, SLOTS).expect("steps");
        let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
        encoder.push(Item::Begin, None, &[0; Begin::BYTES], &mut bytes);
        while let Some(step) = lowering.next_step().expect("a step") {
            let follows = match step {
                Step::And(..) => 32,
                Step::Load { .. } => 16,
                _ => 0,
            };
            let item = step.item().into_iter();
            item.for_each(|item| encoder.push(item, None, &[0; 32][..follows], &mut bytes));
        }
        encoder.push(Item::End, None, &[], &mut bytes);
        encoder.flush(&mut bytes);
        assert!((items.all() - bytes.len() as f64).abs() < 1.0, "{items:?} of {}", bytes.len());
        assert!((1.010..1.025).contains(&(to_chip / items.all())), "{items:?} of {to_chip}");
        // These bytes lack the acknowledgement of every eighth label.
        let (_, framed) = energy::host(&benchmark.program).expect("it is made");
        let framed = framed as f64 + (ran.sent.reads / 8 * 11) as f64;
        assert!((0.997..1.003).contains(&(framed / to_chip)), "{framed} of {to_chip}");
    }

    #[test]
    fn the_published_benchmark_has_a_verdict() {
        let spent = |name: &str, bytes| Spent {
            name: name.to_owned(),
            gates: [10.0, 100.0],
            bytes,
            published: 1250.0,
        };
        // The target for each benchmark is 552 bytes.
        let both = targets(&[spent(GIVEN, 553.0), spent(SQRT, 500.0)], None);
        assert_eq!(
            both.iter().map(|figure| figure.met).collect::<Vec<_>>(),
            [None, Some(false), None]
        );
        assert_eq!(both[0].verdict(), Some(true));
        assert!(both[1].measured > Some(100.0) && both[2].measured < Some(100.0), "{both:?}");
        let one = targets(&[spent(SQRT, 500.0)], Some("no netlist"));
        assert_eq!((one[0].met, one[0].target, one[1].measured), (None, Some(100.0), None));
        assert!(one[0].note == "no netlist" && one[2].measured.is_some());
    }
}
