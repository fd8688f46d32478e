//! The words and numbers of machines, as `words.toml` in a machine's folder has them, and what is
//! made of them: Rust constants and a SystemVerilog package.

use crate::SpecError;
use crate::home::Home;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where words are described: a machine's folder.
pub const FILE: &str = "spec/words.toml";

/// What is generated, and where it belongs.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// What the words are of, for comments.
    pub about: String,
    /// The Rust module, from the repository's root.
    pub rust: String,
    /// The SystemVerilog package, likewise; the file is called as the package.
    pub system_verilog: String,
}

impl Generated {
    /// The package's name.
    pub fn package(&self) -> &str {
        let file = self.system_verilog.rsplit('/').next().unwrap_or_default();
        file.trim_end_matches(".sv")
    }
}

/// A machine's words. Field names are those of the file.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// Where it goes.
    pub generated: Generated,
    /// In order; one that is part of another stands before it.
    #[serde(default, rename = "struct")]
    pub structs: Vec<Struct>,
    /// Numbers that have names.
    #[serde(default)]
    pub names: Vec<Names>,
}

/// Numbers that say the same thing.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// In lower case.
    pub name: String,
    /// What they say something of.
    pub about: String,
    /// Bits of one, up to 8.
    pub width: u32,
    /// All of them.
    pub value: Vec<Value>,
}

/// A number with a name.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// In lower case.
    pub name: String,
    /// The number.
    pub is: u32,
    /// What it says.
    pub about: String,
}

/// A word or a part of one.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Struct {
    /// In lower case.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The lowest first.
    pub field: Vec<Field>,
}

/// A part of a word: bits, or structs.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// In lower case.
    pub name: String,
    /// What it says.
    pub about: String,
    /// Its bits.
    pub width: Option<u32>,
    /// How many structs it is.
    pub count: Option<u32>,
    /// Which ones.
    pub of: Option<String>,
}

impl Words {
    /// Reads the file's text.
    ///
    /// # Errors
    /// If it is not of this form, or a field is neither bits nor structs that stand before it.
    pub fn parse(home: &Home, text: &str) -> Result<Words, SpecError> {
        let file = home.path(FILE);
        let words: Words =
            toml::from_str(text).map_err(|e| SpecError::Words(file.clone(), e.to_string()))?;
        let mut widths = BTreeMap::new();
        for found in &words.structs {
            let mut sum = 0;
            for field in &found.field {
                let width = width(field, &widths).ok_or_else(|| {
                    let what = "is neither bits nor structs from further up";
                    SpecError::Words(file.clone(), format!("{}.{}: {what}", found.name, field.name))
                })?;
                sum += width;
            }
            if widths.insert(found.name.clone(), sum).is_some() {
                let what = format!("{} stands there twice", found.name);
                return Err(SpecError::Words(file, what));
            }
        }
        for names in &words.names {
            for value in &names.value {
                if !(1..=8).contains(&names.width) || value.is >> names.width != 0 {
                    let what = format!("{}.{}: {} bits", names.name, value.name, names.width);
                    return Err(SpecError::Words(file, what));
                }
            }
        }
        Ok(words)
    }

    /// The text of the Rust module.
    pub fn rust(&self, home: &Home) -> String {
        let what = match self.structs.is_empty() {
            true => "Numbers that have names",
            false => "Where the fields of words are",
        };
        let mut text = format!(
            "//! {what}. Generated from `{}` by `make spec`: change that.\n",
            home.path(FILE)
        );
        if !self.structs.is_empty() {
            text.push_str("\nuse halfgate_model::Field;\n");
        }
        for Names { name, about, value: values, .. } in &self.names {
            let upper = name.to_uppercase();
            for Value { name, is, about: what } in values {
                let _ = write!(
                    text,
                    "\n/// {}: {what}.\npub const {upper}_{}: u8 = {is};\n",
                    capital(about),
                    name.to_uppercase(),
                );
            }
        }
        let mut widths = BTreeMap::new();
        for Struct { name, about, field: fields } in &self.structs {
            let upper = name.to_uppercase();
            let mut low = 0;
            for field in fields {
                let bits = width(field, &widths).expect("checked when it was read");
                let _ = write!(
                    text,
                    "\n/// {}: {}.\npub const {upper}_{}: Field = Field {{ low: {low}, width: {} }};\n",
                    capital(name),
                    field.about,
                    field.name.to_uppercase(),
                    bits / field.count.unwrap_or(1),
                );
                low += bits;
            }
            let _ = write!(text, "\n/// Bits of {about}.\npub const {upper}_BITS: u32 = {low};\n");
            widths.insert(name.clone(), low);
        }
        text
    }

    /// The text of the package.
    pub fn system_verilog(&self, home: &Home) -> String {
        let mut text = format!(
            "// Words of {}. Generated from {} by `make spec`: change that.\n\n\
             // A package is there for everybody; nobody uses all of it.\n\
             /* verilator lint_off UNUSED */\n\n\
             package {};\n",
            self.generated.about,
            home.path(FILE),
            self.generated.package()
        );
        for Names { name, about, width, value: values } in &self.names {
            let _ = write!(text, "\n  // {}.\n", capital(about));
            for Value { name: own, is, about } in values {
                let (name, own) = (camel(name), camel(own));
                let _ = writeln!(
                    text,
                    "  localparam logic [{}:0] {name}{own} = {width}'d{is};  // {about}",
                    width - 1
                );
            }
        }
        for Struct { name, about, field: fields } in &self.structs {
            let _ = write!(text, "\n  // {}; the lowest field stands last.\n", capital(about));
            text.push_str("  typedef struct packed {\n");
            for field in fields.iter().rev() {
                let name = &field.name;
                let _ = match (field.width, field.count, &field.of) {
                    (None, Some(count), Some(of)) => {
                        writeln!(text, "    {of}_t [{}:0] {name};", count - 1)
                    }
                    (width, ..) => match width.unwrap_or(0) {
                        1 => writeln!(text, "    logic {name};"),
                        width => writeln!(text, "    logic [{}:0] {name};", width - 1),
                    },
                };
            }
            let _ = writeln!(text, "  }} {name}_t;");
        }
        text.push_str("\nendpackage\n");
        text
    }
}

fn width(field: &Field, widths: &BTreeMap<String, u32>) -> Option<u32> {
    match (field.width, field.count, &field.of) {
        (Some(width @ 1..=64), None, None) => Some(width),
        (None, Some(count @ 1..), Some(of)) => Some(count * widths.get(of)?),
        _ => None,
    }
}

/// `to_a` as `ToA`.
fn camel(name: &str) -> String {
    name.split('_').map(capital).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
