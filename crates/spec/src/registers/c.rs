//! The C header of registers, for drivers.

use super::{Code, Part, Registers};
use crate::comment::{LICENCE, comment, generated_from, sentence};
use crate::home::Home;
use std::fmt::Write;

/// Path of the header.
pub fn path(home: &Home) -> String {
    home.path(&format!("driver/{}_regs.h", home.name))
}

/// Returns the text of the header.
pub fn header(registers: &Registers, home: &Home) -> String {
    let prefix = home.title();
    let mut text = format!(
        "{LICENCE}// Registers, codes and the launch descriptor of a {prefix} in hardware.\n//\n{}\n\n\
         #ifndef {prefix}_REGS_H\n#define {prefix}_REGS_H\n\n#include <stdint.h>\n\n",
        comment("//", &generated_from(&home.path("spec/registers.toml")))
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put("// Version of the registers and the launch descriptor.".to_owned());
    put(format!("#define {prefix}_VERSION {}u\n", registers.version));
    for register in &registers.register {
        let name = register.name.to_uppercase();
        put(comment("//", &register.described()));
        put(format!("#define {prefix}_REG_{name} {:#x}u", register.offset));
        for field in &register.fields {
            put(comment("//", &register.described_field(field)));
            let name = format!("{prefix}_{name}_{}", field.name.to_uppercase());
            let mask = u32::MAX >> (32 - field.width);
            put(format!("#define {name}_LOW {}u", field.low));
            put(format!("#define {name}_MASK {mask:#x}u"));
        }
    }
    let counters = &registers.counters;
    put("\n// Offsets of counters, 8 bytes each, the lower word first.".to_owned());
    for (number, name) in counters.names.iter().enumerate() {
        let offset = counters.base + 8 * number as u32;
        put(format!("#define {prefix}_COUNTER_{} {offset:#x}u", name.to_uppercase()));
    }
    put("// Offset of engine 0's counters of causes, 8 bytes each.".to_owned());
    put(format!("#define {prefix}_CAUSES {:#x}u", registers.causes.base));
    put("// Distance from one engine's counters of causes to those of the next engine.".to_owned());
    put(format!("#define {prefix}_CAUSES_STRIDE {:#x}u", registers.causes.stride));
    for (name, about, codes) in [
        ("state", "State of the machine.", &registers.state),
        ("error", "Error of a run.", &registers.error),
        ("stream", "A stream of the machine.", &registers.stream),
    ] {
        put(enumeration(&home.name, name, about, codes));
    }
    put(texts(&home.name, &registers.error));
    let descriptor = &registers.descriptor;
    put(format!(
        "// The launch descriptor: its first word, and bytes of header and entries.\n\
         #define {prefix}_DESCRIPTOR_MAGIC {:#x}u\n\
         #define {prefix}_HEADER_BYTES {}u\n\
         #define {prefix}_ENGINE_BYTES {}u\n",
        descriptor.magic, descriptor.header_bytes, descriptor.engine_bytes
    ));
    for part in &descriptor.header {
        put(offset(&prefix, "HEADER", "the header", part));
    }
    for part in &descriptor.engine {
        put(offset(&prefix, "ENGINE", "an engine's entry", part));
    }
    put(format!("\n#endif  // {prefix}_REGS_H"));
    text
}

fn offset(prefix: &str, of: &str, what: &str, part: &Part) -> String {
    let Part { name, offset, bytes, about } = part;
    let about = format!("Offset of `{name}` ({bytes} bytes) in {what}: {about}.");
    format!("{}\n#define {prefix}_{of}_{} {offset}u", comment("//", &about), name.to_uppercase())
}

fn enumeration(machine: &str, name: &str, about: &str, codes: &[Code]) -> String {
    let mut text = format!("\n// {about}\nenum {machine}_{name} {{\n");
    for code in codes {
        let constant = format!("{machine}_{name}_{}", code.name).to_uppercase();
        text += &format!(
            "{}\n    {constant} = {},\n",
            comment("    //", &sentence(&code.about)),
            code.code
        );
    }
    text + "};"
}

/// A function that returns an error's meaning.
fn texts(machine: &str, codes: &[Code]) -> String {
    let mut text = format!(
        "\n// The meaning of the field `code` of the register `error`.\n\
         static inline const char *{machine}_error_text(uint32_t code) {{\n    switch (code) {{\n"
    );
    for code in codes {
        let constant = format!("{machine}_error_{}", code.name).to_uppercase();
        text += &format!("    case {constant}:\n        return {:?};\n", code.about);
    }
    text + "    default:\n        return \"an unknown error\";\n    }\n}\n"
}
