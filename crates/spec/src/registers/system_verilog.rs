//! The SystemVerilog package of registers.

use super::{Code, Part, Registers, camel};
use crate::comment::{LICENCE, comment, generated_from};
use crate::home::Home;
use std::fmt::Write;

/// Path of the package.
pub fn path(home: &Home) -> String {
    home.path(&format!("rtl/generated/{}_regs_pkg.sv", home.name))
}

/// Returns the text of the package.
pub fn text(registers: &Registers, home: &Home) -> String {
    let package = format!("{}_regs_pkg", home.name);
    let mut text = format!(
        "{LICENCE}// Registers, codes and the launch descriptor of a {}.\n//\n{}\n\n\
         package {package};\n\n",
        home.title(),
        comment("//", &generated_from(&home.path("spec/registers.toml")))
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    let span = registers.span.bits;
    let value = |name: &str, value: u32| format!("  parameter int unsigned {name} = {value};");
    let at = |name: &str, offset: u32| {
        format!("  parameter logic [{}:0] {name} = {span}'h{offset:x};", span - 1)
    };
    put("  // Version of the registers and the launch descriptor; bits of a register's address."
        .to_owned());
    put(value("RegsVersion", registers.version));
    put(value("RegAddrWidth", span));
    put("\n  // Offsets of registers, and the lowest bits of their fields.".to_owned());
    for register in &registers.register {
        let name = camel(&register.name);
        for word in 0..register.words {
            let number = if register.words > 1 { word.to_string() } else { String::new() };
            put(at(&format!("Reg{name}{number}"), register.offset + 4 * word));
        }
        for field in &register.fields {
            put(value(&format!("{name}{}Bit", camel(&field.name)), field.low));
        }
    }
    put("\n  // Counters: implemented bits, offsets, and numbers in order.".to_owned());
    put(value("CounterWidth", registers.counters.width));
    put(value("NumCounters", registers.counters.names.len() as u32));
    put(at("RegCounters", registers.counters.base));
    put(at("RegCauses", registers.causes.base));
    put(value("CausesStride", registers.causes.stride));
    for (number, name) in registers.counters.names.iter().enumerate() {
        put(value(&format!("Counter{}", camel(name)), number as u32));
    }
    for (what, name, width, codes) in [
        ("The field `state` of the register `status`.", "state", 4, &registers.state),
        ("The field `code` of the register `error`.", "error", 8, &registers.error),
        ("The field `stream` of the register `error`.", "stream", 8, &registers.stream),
    ] {
        put(format!("\n  // {what}"));
        put(enumeration(name, width, codes));
    }
    let descriptor = &registers.descriptor;
    put("\n  // First word of the launch descriptor.".to_owned());
    put(format!("  parameter logic [31:0] DescriptorMagic = 32'h{:x};", descriptor.magic));
    put("\n  // Header of the launch descriptor; the lowest bytes are last.".to_owned());
    put(structure("descriptor_header_t", descriptor.header_bytes, &descriptor.header));
    put("\n  // An engine's entry in the launch descriptor; the lowest bytes are last.".to_owned());
    put(structure("descriptor_engine_t", descriptor.engine_bytes, &descriptor.engine));
    put(format!("\nendpackage : {package}"));
    text
}

fn enumeration(name: &str, width: u32, codes: &[Code]) -> String {
    let prefix = camel(name);
    let values: Vec<String> = codes
        .iter()
        .map(|code| format!("    {prefix}{} = {width}'d{}", camel(&code.name), code.code))
        .collect();
    format!("  typedef enum logic [{}:0] {{\n{}\n  }} {name}_e;", width - 1, values.join(",\n"))
}

/// Returns a packed structure. Gaps between parts get names too.
fn structure(name: &str, bytes: u32, parts: &[Part]) -> String {
    let mut lines = Vec::new();
    let mut next = 0;
    let gap = |from: u32, to: u32| format!("    logic [{}:0] gap_{from};", 8 * (to - from) - 1);
    for part in parts {
        if part.offset > next {
            lines.push(gap(next, part.offset));
        }
        lines.push(format!("    logic [{}:0] {};", 8 * part.bytes - 1, part.name));
        next = part.offset + part.bytes;
    }
    if next < bytes {
        lines.push(gap(next, bytes));
    }
    lines.reverse();
    format!("  typedef struct packed {{\n{}\n  }} {name};", lines.join("\n"))
}
