//! Reads the part of the Liberty format that delays need: cells, pins, tables of rise and fall.
//!
//! Yosys' `sta` takes delays from `specify` blocks of Verilog modules, not from Liberty files. So
//! [`Library::timing_model`] writes such modules. For each arc it takes the middle of its tables,
//! which is an average load and slope, whatever load the cell really drives.

use std::fmt::Write;

/// A group: `kind (name) { attributes and groups }`.
#[derive(Clone, Debug, Default)]
struct Group {
    kind: String,
    name: String,
    attributes: Vec<(String, Vec<String>)>,
    groups: Vec<Group>,
}

impl Group {
    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    fn attribute(&self, name: &str) -> Option<&[String]> {
        let found = self.attributes.iter().find(|(attribute, _)| attribute == name);
        found.map(|(_, values)| values.as_slice())
    }

    fn text(&self, name: &str) -> &str {
        self.attribute(name).and_then(|values| values.first()).map_or("", String::as_str)
    }
}

/// A Liberty file's library.
pub struct Library {
    library: Group,
}

impl Library {
    /// Reads `text`.
    ///
    /// # Errors
    /// If it is not a Liberty file, or has no cells.
    pub fn parse(text: &str) -> Result<Library, String> {
        let mut tokens = tokens(text).into_iter().peekable();
        let mut root = Group::default();
        statements(&mut tokens, &mut root, 0)?;
        let library = root.groups.into_iter().find(|group| group.kind == "library");
        let library = library.ok_or("it contains no library")?;
        if library.of("cell").next().is_none() {
            return Err("its library has no cells".to_owned());
        }
        Ok(Library { library })
    }

    /// The library's name.
    pub fn name(&self) -> &str {
        &self.library.name
    }

    /// The library's unit of time in picoseconds.
    fn picoseconds(&self) -> f64 {
        let unit = self.library.text("time_unit");
        let digits: String = unit.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let number: f64 = digits.parse().unwrap_or(1.0);
        number * if unit.ends_with("ps") { 1.0 } else { 1000.0 }
    }

    /// Its cells as Verilog modules with `specify` blocks, in picoseconds.
    pub fn timing_model(&self) -> String {
        let scale = self.picoseconds();
        let mut text = String::new();
        for cell in self.library.of("cell") {
            let direction = |pin: &Group| match pin.text("direction") {
                "input" => Some("input"),
                "output" => Some("output"),
                _ => None,
            };
            let pins: Vec<(&Group, &str)> =
                cell.of("pin").filter_map(|pin| Some((pin, direction(pin)?))).collect();
            let state = cell.of("ff").chain(cell.of("latch")).next().is_some();
            let ports: Vec<String> = pins
                .iter()
                .map(|(pin, direction)| format!("{direction} \\{} ", pin.name))
                .collect();
            let _ = writeln!(text, "module \\{} ({});\n  specify", cell.name, ports.join(", "));
            for (pin, _) in &pins {
                for arc in pin.of("timing") {
                    let Some(delay) = delay(arc) else { continue };
                    let delay = (delay * scale).round().max(0.0) as u64;
                    // For example, a flip-flop's second output names several pins.
                    for from in arc.text("related_pin").split_whitespace() {
                        if !pins.iter().any(|(pin, _)| pin.name == from) {
                            continue;
                        }
                        let (from, to) = (format!("\\{from} "), format!("\\{} ", pin.name));
                        let _ = match arc.text("timing_type") {
                            "" | "combinational" if !state => {
                                writeln!(text, "    ({from} => {to}) = {delay};")
                            }
                            "rising_edge" => {
                                writeln!(text, "    (posedge {from} => ({to} : 1'bx)) = {delay};")
                            }
                            "setup_rising" => {
                                writeln!(text, "    $setup({to}, posedge {from}, {delay});")
                            }
                            _ => continue,
                        };
                    }
                }
            }
            text += "  endspecify\nendmodule\n";
        }
        text
    }
}

/// The largest of the middle entries of an arc's tables.
fn delay(arc: &Group) -> Option<f64> {
    let tables = ["cell_rise", "cell_fall", "rise_constraint", "fall_constraint"];
    let middles = tables.iter().flat_map(|table| arc.of(table)).filter_map(|table| {
        let rows = table.attribute("values")?;
        let row = &rows[(rows.len() - 1) / 2];
        let numbers: Vec<f64> =
            row.split([',', ' ']).filter_map(|n| n.trim().parse().ok()).collect();
        numbers.get(numbers.len().checked_sub(1)? / 2).copied()
    });
    middles.fold(None, |most: Option<f64>, delay| Some(most.map_or(delay, |most| most.max(delay))))
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Mark(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let (word, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            tokens.push(Token::Word(word.replace("\\\n", " ")));
            rest = after;
        } else if "(){}:;,".contains(c) {
            tokens.push(Token::Mark(c));
            rest = &rest[1..];
        } else if c.is_whitespace() || c == '\\' {
            rest = &rest[c.len_utf8()..];
        } else {
            let stop = |c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c);
            let end = rest.find(stop).unwrap_or(rest.len()).max(c.len_utf8());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    tokens
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

/// Reads statements into `group` up to its closing brace, or to the end of the text at the top
/// level.
fn statements(tokens: &mut Tokens, group: &mut Group, depth: usize) -> Result<(), String> {
    if depth > 16 {
        return Err("its groups are nested too deep".to_owned());
    }
    loop {
        let word = match tokens.next() {
            None if depth == 0 => return Ok(()),
            None => return Err(format!("it ends inside {} ({})", group.kind, group.name)),
            Some(Token::Mark('}')) if depth > 0 => return Ok(()),
            Some(Token::Mark(';')) => continue,
            Some(Token::Mark(mark)) => {
                return Err(format!("it has {mark:?} where a name is expected"));
            }
            Some(Token::Word(word)) => word,
        };
        match tokens.next() {
            Some(Token::Mark(':')) => {
                let mut values = Vec::new();
                while let Some(token) =
                    tokens.next_if(|token| !matches!(token, Token::Mark(';' | '}')))
                {
                    if let Token::Word(value) = token {
                        values.push(value);
                    }
                }
                group.attributes.push((word, values));
            }
            Some(Token::Mark('(')) => {
                let mut values = Vec::new();
                loop {
                    match tokens.next() {
                        Some(Token::Word(value)) => values.push(value),
                        Some(Token::Mark(')')) => break,
                        Some(Token::Mark(_)) => {}
                        None => return Err(format!("it ends inside {word}")),
                    }
                }
                if tokens.next_if_eq(&Token::Mark('{')).is_some() {
                    let name = values.into_iter().next().unwrap_or_default();
                    let mut inner = Group { kind: word, name, ..Group::default() };
                    statements(tokens, &mut inner, depth + 1)?;
                    group.groups.push(inner);
                } else {
                    group.attributes.push((word, values));
                }
            }
            _ => return Err(format!("it has {word:?} with neither value nor group")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
/* a comment */
library (tiny) {
  time_unit : "1ns"; capacitive_load_unit (1, pf);
  cell (INV) { area : 16;
    pin(A) { direction : input; capacitance : 0.01; }
    pin(Y) { direction : output; function : "(!A)";
      timing() { related_pin : "A";
        cell_rise(t) { index_1 ("1, 2, 3"); values ("0.1, 0.2, 0.3", \
          "0.2, 0.3, 0.4", "0.5, 0.6, 0.7"); }
        cell_fall(t) { values ("0.1, 0.25, 0.3"); } } } }
  cell (DFF) { area : 96; ff (q, n) { next_state : "D"; clocked_on : "C"; }
    pin(D) { direction : input; timing() { related_pin : "C"; timing_type : setup_rising;
      rise_constraint(t) { values ("0.05"); } } }
    pin(C) { direction : input; clock : true }
    pin(Q) { direction : output; timing() { related_pin : "C"; timing_type : rising_edge;
      cell_rise(t) { values ("0.4"); } } } }
}"#;

    #[test]
    fn delays_are_the_middles_of_tables_in_picoseconds() {
        let library = Library::parse(SMALL).expect("a library");
        assert_eq!(library.name(), "tiny");
        let model = library.timing_model();
        assert!(model.contains("(\\A  => \\Y ) = 300;"), "{model}");
        assert!(model.contains("(posedge \\C  => (\\Q  : 1'bx)) = 400;"), "{model}");
        assert!(model.contains("$setup(\\D , posedge \\C , 50);"), "{model}");
    }

    #[test]
    fn invalid_libraries_are_refused() {
        for (text, why) in [
            ("", "no library"),
            ("library (x) { }", "no cells"),
            ("library (x) { cell (y) {", "ends inside"),
            ("hello world", "neither value nor group"),
            (&"a(b){".repeat(100), "too deep"),
        ] {
            let error = Library::parse(text).err().unwrap_or_default();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
