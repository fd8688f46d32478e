//! The words and named numbers of machines, read from `words.toml` in a machine's folder, and the
//! Rust constants and SystemVerilog package generated from them.

use crate::SpecError;
use crate::comment::LICENCE;
use crate::comment::{comment, generated_from};
use crate::home::Home;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Path of the file in a machine's folder.
pub const FILE: &str = "spec/words.toml";

/// Title and paths of the generated files.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// What the words belong to, for comments.
    pub about: String,
    /// Path of the Rust module, from the repository's root.
    pub rust: String,
    /// Path of the SystemVerilog package, likewise. The file has the package's name.
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
    /// Title and paths of the generated files.
    pub generated: Generated,
    /// The structs, in order. A struct that is part of another comes first.
    #[serde(default, rename = "struct")]
    pub structs: Vec<Struct>,
    /// Named numbers.
    #[serde(default)]
    pub names: Vec<Names>,
}

/// A group of named numbers.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Name of the group, in lower case.
    pub name: String,
    /// What the numbers describe.
    pub about: String,
    /// Bits of a number, at most 8.
    pub width: u32,
    /// The numbers of the group.
    pub value: Vec<Value>,
}

/// A number with a name.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// Name, in lower case.
    pub name: String,
    /// The number.
    pub is: u32,
    /// Meaning, for comments.
    pub about: String,
}

/// A word, or a part of a word.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Struct {
    /// Name, in lower case.
    pub name: String,
    /// What the word is.
    pub about: String,
    /// Fields, the lowest first.
    pub field: Vec<Field>,
}

/// A field of a word: bits, or structs.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Name, in lower case.
    pub name: String,
    /// Meaning, for comments.
    pub about: String,
    /// Width in bits, if the field is bits.
    pub width: Option<u32>,
    /// Number of structs, if the field is structs.
    pub count: Option<u32>,
    /// Name of the struct.
    pub of: Option<String>,
}

impl Words {
    /// Parses the file's text.
    ///
    /// # Errors
    /// If the text has another form, or a field is neither bits nor structs defined before it.
    pub fn parse(home: &Home, text: &str) -> Result<Words, SpecError> {
        let file = home.path(FILE);
        let words: Words =
            toml::from_str(text).map_err(|e| SpecError::Words(file.clone(), e.to_string()))?;
        let mut widths = BTreeMap::new();
        for found in &words.structs {
            let mut sum = 0;
            for field in &found.field {
                let width = width(field, &widths).ok_or_else(|| {
                    let what = "is neither bits nor structs defined above it";
                    SpecError::Words(file.clone(), format!("{}.{}: {what}", found.name, field.name))
                })?;
                sum += width;
            }
            if widths.insert(found.name.clone(), sum).is_some() {
                let what = format!("{} is defined twice", found.name);
                return Err(SpecError::Words(file, what));
            }
        }
        for names in &words.names {
            for value in &names.value {
                if !(1..=8).contains(&names.width) || value.is >> names.width != 0 {
                    let what = format!(
                        "{}.{}: {} does not fit a width of {}, which must be 1 to 8 bits",
                        names.name, value.name, value.is, names.width
                    );
                    return Err(SpecError::Words(file, what));
                }
            }
        }
        Ok(words)
    }

    /// Returns the text of the Rust module.
    pub fn rust(&self, home: &Home) -> String {
        let what = match self.structs.is_empty() {
            true => "Named numbers",
            false => "Positions of the fields of words",
        };
        let mut text = format!(
            "//! {what}, for {}.\n//!\n{}\n",
            self.generated.about,
            comment("//!", &generated_from(&format!("`{}`", home.path(FILE))))
        );
        if !self.structs.is_empty() {
            text.push_str("\nuse halfgate_model::Field;\n");
        }
        for Names { name, about, value: values, .. } in &self.names {
            let upper = name.to_uppercase();
            for Value { name, is, about: what } in values {
                let _ = write!(
                    text,
                    "\n{}\npub const {upper}_{}: u8 = {is};\n",
                    comment("///", &format!("{}: {what}.", capital(about))),
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
                    "\n{}\npub const {upper}_{}: Field = Field {{ low: {low}, width: {} }};\n",
                    comment("///", &format!("{}: {}.", capital(name), field.about)),
                    field.name.to_uppercase(),
                    bits / field.count.unwrap_or(1),
                );
                low += bits;
            }
            let about = comment("///", &format!("Bits of {about}."));
            let _ = write!(text, "\n{about}\npub const {upper}_BITS: u32 = {low};\n");
            widths.insert(name.clone(), low);
        }
        text
    }

    /// Returns the text of the SystemVerilog package.
    pub fn system_verilog(&self, home: &Home) -> String {
        let mut text = format!(
            "{LICENCE}// Words of {}.\n//\n{}\n\n\
             package {};\n",
            self.generated.about,
            comment("//", &generated_from(&home.path(FILE))),
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
            let about = format!("{}; the lowest field is last.", capital(about));
            let _ = write!(text, "\n{}\n", comment("  //", &about));
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

/// Converts `to_a` to `ToA`.
fn camel(name: &str) -> String {
    name.split('_').map(capital).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
