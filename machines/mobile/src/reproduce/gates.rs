//! Clock cycles of consecutive gates whose bytes have arrived, in both forms of the chip and both
//! suites.

use super::{GIVEN_GATES, PUBLISHED_AND, PUBLISHED_MIX, PUBLISHED_WAITING, PUBLISHED_XOR, THESIS};
use halfgate_mobile_model::model::{Form, stores};
use halfgate_mobile_model::{Begin, Item};
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

/// Target clock cycles of the first rows, and reasons why the published figure is not comparable.
const MOST: [(f64, Option<&str>); 4] = [
    (60.0, Some("the published AND is of grr3, which has one hash for half-gates' two")),
    (6.0, None),
    (4.0, Some("a special case, whose operand need not be read; the published XOR reads two")),
    (PUBLISHED_AND, None),
];
/// Suffix of rows for the form [`Round`](Form::Round).
const ROUND: &str = ", a round of AES a cycle";

const AND: Item = Item::And { a: 1, b: 2, c: 0, xors: 0, out: 3 };
const XOR: Item = Item::Xor { a: 1, b: 2, c: None, out: 3 };
/// An XOR whose first operand is the previous result.
const FORWARDED: Item = Item::Xor { a: 1, b: 2, c: None, out: 1 };

/// Clock cycles of the second of two equal gates, in half-gates.
fn cycles(form: Form, item: Item, follows: &[u8]) -> f64 {
    between(&stores(form, &[(item, follows), (item, follows)]))
}

/// Clock cycles of an AND in grr3, with one byte of distance and three rows.
fn grr3(form: Form) -> f64 {
    let begin = Begin { is_grr3: true, number: 0, cycle: 0, point: 0 };
    let mut follows = [0; 1 + 48];
    follows[0] = 1;
    between(&stores(form, &[(Item::Begin, &begin.bytes()), (AND, &follows), (AND, &follows)]))
}

fn between(stores: &[u64]) -> f64 {
    let [one, two] = stores[..] else { panic!("two results, not {}", stores.len()) };
    (two - one) as f64
}

/// The part; [`targets`] applies to its first rows.
pub fn part() -> Part {
    let mut part = Part::new("gates", "clock cycles of a gate whose bytes have arrived");
    // The poster's figure is the mean over the division's gates.
    let mix = |and: f64, xor: f64| {
        let [ands, xors] = GIVEN_GATES;
        (ands * and + xors * xor) / (ands + xors)
    };
    let mean = format!(
        "with the division's gates both published counts make {:.0} cycles a gate, the poster \
         {PUBLISHED_MIX}",
        mix(PUBLISHED_AND, PUBLISHED_XOR)
    );
    let mut mixes = Vec::new();
    for (form, more) in [(Form::Half, ""), (Form::Round, ROUND)] {
        let and = cycles(form, AND, &[0; 32]);
        let xor = cycles(form, XOR, &[]);
        mixes.push((more, mix(and, xor)));
        part.model(&format!("AND{more}"), "cycles", Some(PUBLISHED_AND), and);
        part.note(match form {
            Form::Half => format!(
                "AES makes half a round a cycle, as published; the published cycles are grr3's, \
                 {THESIS}"
            ),
            Form::Round => {
                "the chip's other form: two bytes a cycle of what follows an item, too".to_owned()
            }
        });
        part.model(&format!("XOR{more}"), "cycles", Some(PUBLISHED_XOR), xor);
        part.note(format!("by the model, which equals the RTL clock by clock; {THESIS}; {mean}"));
        let forwarded = cycles(form, FORWARDED, &[]);
        let what = format!("XOR with the result before{more}");
        part.model(&what, "cycles", Some(PUBLISHED_XOR), forwarded);
        part.model(&format!("AND in grr3{more}"), "cycles", Some(PUBLISHED_AND), grr3(form));
        let aes = match form {
            Form::Half => "half a round of AES a cycle, as published",
            Form::Round => "a round of AES a cycle",
        };
        part.note(format!(
            "{aes}; by the model, which equals the RTL clock by clock; {THESIS}; {mean}"
        ));
    }
    for (more, mix) in mixes {
        let what = format!("here: a gate of the division{more}");
        part.model(&what, "cycles", Some(PUBLISHED_MIX), mix);
    }
    let [ands, xors] = GIVEN_GATES;
    part.model(
        "published: a gate of the division",
        "cycles",
        Some(PUBLISHED_MIX),
        mix(PUBLISHED_AND, PUBLISHED_XOR),
    );
    part.note(format!(
        "recomputed from published figures: {PUBLISHED_AND} and {PUBLISHED_XOR} cycles, {ands} ANDs and {xors} XORs"
    ));
    let all = PUBLISHED_WAITING + PUBLISHED_MIX;
    part.model(
        "published: speed-up with a link that does not bind",
        "times",
        Some(62.0),
        all / PUBLISHED_MIX,
    );
    part.note(format!(
        "recomputed from published figures: {PUBLISHED_WAITING} cycles of waiting and {PUBLISHED_MIX} of work over {PUBLISHED_MIX} are {:.1}; the poster says 62",
        all / PUBLISHED_MIX
    ));
    part
}

/// Targets for the part's first rows. Only the XOR and the AND of the published suite have a
/// verdict. The AND of half-gates and the XOR that saves a read have none.
pub fn targets(part: &Part) -> Vec<Figure> {
    let aimed = |(figure, (most, why)): (&Figure, (f64, Option<&str>))| {
        let name = match figure.name.as_str() {
            "AND in grr3" => figure.name.clone(),
            of => format!("{of} in half-gates"),
        };
        Figure { name, ..figure.clone() }.at_most(most).unlike_if(why)
    };
    part.figures.iter().zip(MOST).map(aimed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows have the clock cycles that the chip's documentation gives for their form and suite.
    #[test]
    fn rows_have_the_cycles_of_their_form_and_suite() {
        let part = part();
        let of = |name: &str| {
            let figure = part.figures.iter().find(|figure| figure.name == name);
            figure.and_then(|figure| figure.measured).expect(name)
        };
        assert_eq!((of("AND"), of("XOR"), of("XOR with the result before")), (50.0, 6.0, 4.0));
        assert_eq!(of("AND, a round of AES a cycle"), 30.0);
        // The AND of grr3 has one more row, whose bytes are taken one or two per clock cycle.
        assert!(of("AND in grr3") > of("AND"));
        assert!(of("AND in grr3, a round of AES a cycle") < of("AND in grr3"));
        let rows = targets(&part);
        let found: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.met)).collect();
        let aimed = [
            ("AND in half-gates", None),
            ("XOR in half-gates", Some(true)),
            ("XOR with the result before in half-gates", None),
            ("AND in grr3", Some(true)),
        ];
        assert_eq!(found, aimed);
        assert!(rows.iter().all(|row| row.note.contains("thesis") || row.met.is_none()));
    }
}
