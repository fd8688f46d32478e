//! The Rust constants of registers.

use super::{Code, Part, Registers, camel};
use crate::home::Home;
use std::fmt::Write;

/// Path of the Rust module.
pub fn path(home: &Home) -> String {
    home.path("src/rtl/registers/generated.rs")
}

/// Returns the text of the module.
pub fn constants(registers: &Registers, home: &Home) -> String {
    let mut text = format!(
        "//! Registers, codes and the launch descriptor of a {} in hardware. Generated from\n\
         //! `{}` by `make spec`: change that.\n\n\
         use super::{{Bits, Part}};\n\n",
        home.title(),
        home.path("spec/registers.toml")
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put("/// The version of all this.".to_owned());
    put(format!("pub const VERSION: u32 = {};", registers.version));
    put("/// Bits of a register's address.".to_owned());
    put(format!("pub const ADDRESS_BITS: u32 = {};\n", registers.span.bits));
    for register in &registers.register {
        let name = register.name.to_uppercase();
        let words = match register.words {
            1 => String::new(),
            words => format!(", {words} words"),
        };
        let access = register.access.name();
        put(format!("/// Register `{}` ({access}{words}): {}.", register.name, register.about));
        put(format!("pub const REG_{name}: u32 = {:#x};", register.offset));
        for field in &register.fields {
            put(format!("/// Its field `{}`: {}.", field.name, field.about));
            let (low, width) = (field.low, field.width);
            put(format!(
                "pub const {name}_{}: Bits = Bits {{ low: {low}, width: {width} }};",
                field.name.to_uppercase()
            ));
        }
    }
    let counters = &registers.counters;
    put("\n/// Offset of the first counter; the others follow, 8 bytes each.".to_owned());
    put(format!("pub const COUNTERS: u32 = {:#x};", counters.base));
    put("/// Bits of a counter that count.".to_owned());
    put(format!("pub const COUNTER_BITS: u32 = {};", counters.width));
    for (number, name) in counters.names.iter().enumerate() {
        put(format!("/// Offset of the counter `{name}`."));
        let offset = counters.base + 8 * number as u32;
        put(format!("pub const COUNTER_{}: u32 = {offset:#x};", name.to_uppercase()));
    }
    put("/// Offset of engine 0's counters of causes, 8 bytes each.".to_owned());
    put(format!("pub const CAUSES: u32 = {:#x};", registers.causes.base));
    put("/// From one engine's to the next one's.".to_owned());
    put(format!("pub const CAUSES_STRIDE: u32 = {:#x};", registers.causes.stride));
    put(enumeration("State", "Where a machine is.", &registers.state));
    put(enumeration("Code", "What went wrong.", &registers.error));
    put(enumeration("Stream", "Which of the machine's streams.", &registers.stream));
    let descriptor = &registers.descriptor;
    put("/// The launch descriptor's first word.".to_owned());
    put(format!("pub const DESCRIPTOR_MAGIC: u32 = {:#x};", descriptor.magic));
    put("/// Bytes of its header.".to_owned());
    put(format!("pub const HEADER_BYTES: usize = {};", descriptor.header_bytes));
    put("/// Bytes of an engine's entry.".to_owned());
    put(format!("pub const ENGINE_BYTES: usize = {};", descriptor.engine_bytes));
    for part in &descriptor.header {
        put(constant("HEADER", part));
    }
    for part in &descriptor.engine {
        put(constant("ENGINE", part));
    }
    text
}

fn constant(of: &str, part: &Part) -> String {
    let Part { name, offset, bytes, about } = part;
    format!(
        "/// `{name}`: {about}.\n\
         pub const {of}_{}: Part = Part {{ offset: {offset}, bytes: {bytes} }};",
        name.to_uppercase()
    )
}

/// An enumeration with a function that converts codes to it.
fn enumeration(name: &str, about: &str, codes: &[Code]) -> String {
    let mut text = format!(
        "\n/// {about}\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub enum {name} {{\n"
    );
    let mut arms = String::new();
    let mut abouts = String::new();
    for code in codes {
        let variant = camel(&code.name);
        text += &format!("    /// {}.\n    {variant} = {},\n", code.about, code.code);
        arms += &format!("            {} => Some({name}::{variant}),\n", code.code);
        abouts += &format!("            {name}::{variant} => {:?},\n", code.about);
    }
    text += &format!(
        "}}\n\nimpl {name} {{\n    \
         /// What has the number `code`, if anything does.\n    \
         pub fn from_code(code: u32) -> Option<{name}> {{\n        \
         match code {{\n{arms}            _ => None,\n        }}\n    }}\n\n    \
         /// What it means.\n    \
         #[rustfmt::skip]\n    \
         pub fn about(self) -> &'static str {{\n        \
         match self {{\n{abouts}        }}\n    }}\n}}\n"
    );
    text
}
