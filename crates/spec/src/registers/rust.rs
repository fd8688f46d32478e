//! The Rust constants of registers.

use super::{Code, Part, Registers, camel};
use crate::comment::{comment, generated_from, sentence};
use crate::home::Home;
use std::fmt::Write;

/// Path of the Rust module.
pub fn path(home: &Home) -> String {
    home.path("src/rtl/registers/generated.rs")
}

/// Returns the text of the module.
pub fn constants(registers: &Registers, home: &Home) -> String {
    let mut text = format!(
        "//! Registers, codes and the launch descriptor of a {} in hardware.\n//!\n{}\n\n\
         use super::{{Bits, Part}};\n\n",
        home.title(),
        comment("//!", &generated_from(&format!("`{}`", home.path("spec/registers.toml"))))
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put("/// Version of the registers and the launch descriptor.".to_owned());
    put(format!("pub const VERSION: u32 = {};", registers.version));
    put("/// Bits of a register's address.".to_owned());
    put(format!("pub const ADDRESS_BITS: u32 = {};\n", registers.span.bits));
    for register in &registers.register {
        let name = register.name.to_uppercase();
        put(comment("///", &register.described()));
        put(format!("pub const REG_{name}: u32 = {:#x};", register.offset));
        for field in &register.fields {
            put(comment("///", &register.described_field(field)));
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
    put("/// Bits of a counter that are implemented.".to_owned());
    put(format!("pub const COUNTER_BITS: u32 = {};", counters.width));
    for (number, name) in counters.names.iter().enumerate() {
        put(format!("/// Offset of the counter `{name}`."));
        let offset = counters.base + 8 * number as u32;
        put(format!("pub const COUNTER_{}: u32 = {offset:#x};", name.to_uppercase()));
    }
    put("/// Offset of engine 0's counters of causes, 8 bytes each.".to_owned());
    put(format!("pub const CAUSES: u32 = {:#x};", registers.causes.base));
    put("/// Distance from one engine's counters of causes to those of the next engine.".to_owned());
    put(format!("pub const CAUSES_STRIDE: u32 = {:#x};", registers.causes.stride));
    put(enumeration("State", "State of a machine.", &registers.state));
    put(enumeration("Code", "Error of a run.", &registers.error));
    put(enumeration("Stream", "A stream of the machine.", &registers.stream));
    let descriptor = &registers.descriptor;
    put("/// First word of the launch descriptor.".to_owned());
    put(format!("pub const DESCRIPTOR_MAGIC: u32 = {:#x};", descriptor.magic));
    put("/// Bytes of the launch descriptor's header.".to_owned());
    put(format!("pub const HEADER_BYTES: usize = {};", descriptor.header_bytes));
    put("/// Bytes of an engine's entry in the launch descriptor.".to_owned());
    put(format!("pub const ENGINE_BYTES: usize = {};", descriptor.engine_bytes));
    for part in &descriptor.header {
        put(constant("HEADER", "the header", part));
    }
    for part in &descriptor.engine {
        put(constant("ENGINE", "an engine's entry", part));
    }
    text
}

fn constant(prefix: &str, of: &str, part: &Part) -> String {
    let Part { name, offset, bytes, about } = part;
    format!(
        "{}\n\
         pub const {prefix}_{}: Part = Part {{ offset: {offset}, bytes: {bytes} }};",
        comment("///", &format!("Part `{name}` of {of}: {about}.")),
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
        let about = comment("    ///", &sentence(&code.about));
        text += &format!("{about}\n    {variant} = {},\n", code.code);
        arms += &format!("            {} => Some({name}::{variant}),\n", code.code);
        abouts += &format!("            {name}::{variant} => {:?},\n", code.about);
    }
    text += &format!(
        "}}\n\nimpl {name} {{\n    \
         /// Converts the number `code`. Returns `None` if it has no meaning.\n    \
         pub fn from_code(code: u32) -> Option<{name}> {{\n        \
         match code {{\n{arms}            _ => None,\n        }}\n    }}\n\n    \
         /// Returns the meaning as text.\n    \
         #[rustfmt::skip]\n    \
         pub fn about(self) -> &'static str {{\n        \
         match self {{\n{abouts}        }}\n    }}\n}}\n"
    );
    text
}
