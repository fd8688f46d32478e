//! Checks the owners of inputs before the design is processed, because processing is slow and an
//! error should be reported early.

use super::error::Error;
use super::ports;
use super::sources::Sources;
use halfgate_circuit::Party;
use std::collections::HashSet;

/// An input of the top module, from Yosys' dump.
#[derive(Debug, PartialEq, Eq)]
struct Input {
    name: String,
    /// The input's position among the ports.
    number: u32,
    width: u32,
    party: Option<String>,
    place: Option<String>,
}

/// Rejects inputs without an owner. If owners are given, rejects a number of owners that differs
/// from the number of such inputs.
///
/// An input of one bit may be the clock or a reset, which need no owner. If the text of the module
/// `top` does not show which input is the clock (because a macro or a submodule uses it), inputs of
/// one bit are not rejected here, but later when the clock is known. The same holds for resets.
/// This check rejects only designs that the later check would also reject.
pub(super) fn check(
    dump: &str,
    sources: &Sources,
    top: Option<&str>,
    file: &str,
    parties: Option<&[Party]>,
) -> Result<(), Error> {
    let inputs = inputs(dump);
    let has_clock = inputs.iter().any(|input| input.is_bit() && ports::is_clock(&input.name));
    // If the text has no edges, registers are instantiated cells, and any input of one bit may be
    // their clock.
    let named = sources.edges();
    let names: HashSet<&str> = named.iter().map(|&(_, name)| name).collect();
    let edges: Vec<bool> = inputs.iter().map(|input| names.contains(&*input.name)).collect();
    let is_of_top =
        |input: &Input| named.iter().any(|&edge| Some(edge) == top.zip(Some(&*input.name)));
    let clock_is_certain = inputs.iter().any(is_of_top);
    let clock_is_seen = has_clock || edges.contains(&true);
    let (mut lacking, mut unclear) = (Vec::new(), 0);
    for (input, &edge) in inputs.iter().zip(&edges) {
        match input.party.as_deref() {
            None => {}
            Some("garbler" | "g" | "evaluator" | "e") => continue,
            Some(other) => {
                let place = input.place.clone().unwrap_or_else(|| file.to_owned());
                let (port, value) = (input.name.clone(), other.to_owned());
                return Err(Error::Party { place, port, value });
            }
        }
        let name = input.name.as_str();
        if ports::by_name(name).0.is_some() {
            continue;
        }
        // In a design without registers, an input with the name of a reset may be an ordinary
        // value.
        if input.is_bit() && ports::reset(name).is_some() {
            unclear += 1;
            continue;
        }
        let other_edge = edges.iter().filter(|&&edge| edge).count() > usize::from(edge);
        if input.is_bit() && ports::is_clock(name) && !other_edge {
            continue;
        }
        // If the clock is one bit of a word, this is a different error, which is reported later.
        if edge || input.is_bit() && (ports::is_clock(name) || !clock_is_seen) {
            unclear += 1;
        } else {
            lacking.push(input);
        }
    }
    let names = lacking.iter().map(|input| input.name.as_str());
    let is_certain = |input: &&&Input| clock_is_certain || !input.is_bit();
    let certain = lacking.iter().filter(is_certain).count();
    match (parties, lacking.first()) {
        (None, Some(first)) if certain > 0 => {
            Err(Error::no_party(first.place.as_deref().unwrap_or(file), names))
        }
        (Some(parties), _) if parties.len() < certain => Err(Error::parties(parties.len(), names)),
        (Some(parties), _) if parties.len() > lacking.len() + unclear => {
            Err(Error::parties(parties.len(), names))
        }
        _ => Ok(()),
    }
}

impl Input {
    fn is_bit(&self) -> bool {
        self.width == 1
    }
}

/// Returns the inputs in a dump, in the order of ports.
fn inputs(dump: &str) -> Vec<Input> {
    let mut inputs = Vec::new();
    let (mut party, mut place) = (None, None);
    for line in dump.lines().map(str::trim) {
        if let Some(attribute) = line.strip_prefix("attribute \\") {
            let value = |name: &str| {
                let value = attribute.strip_prefix(name)?.strip_prefix(' ')?;
                let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                Some(text.unwrap_or(value).to_owned())
            };
            if let Some(value) = value("party") {
                party = Some(value);
            }
            if let Some(value) = value("src") {
                place = line_of(&value);
            }
        } else if let Some(wire) = line.strip_prefix("wire ") {
            inputs.extend(input(wire, party.take(), place.take()));
        }
    }
    inputs.sort_by_key(|input| input.number);
    inputs
}

/// Parses `width 8 input 3 signed \x`.
fn input(wire: &str, party: Option<String>, place: Option<String>) -> Option<Input> {
    let (options, name) = wire.rsplit_once('\\')?;
    let words: Vec<&str> = options.split_whitespace().collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse().ok()
    };
    let (number, width) = (after("input")?, after("width").unwrap_or(1));
    Some(Input { name: name.to_owned(), number, width, party, place })
}

/// Returns `file:2` of `file:2.9-2.12|…`.
fn line_of(source: &str) -> Option<String> {
    let (name, range) = source.split('|').next()?.rsplit_once(':')?;
    let line = range.split(['.', '-']).next()?;
    (line != "0").then(|| format!("{name}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_from_a_dump() {
        let dump = "
  attribute \\src \"m.v:3.17-3.18\"
  attribute \\party \"evaluator\"
  wire width 8 input 2 signed \\x

  attribute \\src \"m.v:2.9-2.12\"
  wire input 1 \\clk
";
        let found = inputs(dump);
        let clk = Input {
            name: "clk".into(),
            number: 1,
            width: 1,
            party: None,
            place: Some("m.v:2".into()),
        };
        let x = Input {
            name: "x".into(),
            number: 2,
            width: 8,
            party: Some("evaluator".into()),
            place: Some("m.v:3".into()),
        };
        assert_eq!(found, [clk, x]);
    }
}
