//! The documentation page of registers.

use super::{Code, Part, Registers};
use crate::home::Home;
use std::fmt::Write;

/// Path of the page.
pub fn path(home: &Home) -> String {
    home.path("docs/registers.md")
}

/// Returns the text of the page.
pub fn page(registers: &Registers, home: &Home) -> String {
    let mut text = format!(
        "# Registers and launch descriptor\n\n\
         Generated from `{}`: change that file and run `make spec`.\n\
         [control.md](control.md) describes the sequence of a run.\n\n",
        home.path("spec/registers.toml")
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put(format!(
        "Version {}. The port is AXI4-Lite with 32 data bits and {} address bits.\n",
        registers.version, registers.span.bits
    ));
    put("| offset | register | access | bits | |\n|---|---|---|---|---|".to_owned());
    for register in &registers.register {
        let words = match register.words {
            1 => String::new(),
            words => format!(" ({words} words)"),
        };
        put(format!(
            "| `0x{:03x}` | `{}`{words} | {} | | {} |",
            register.offset,
            register.name,
            register.access.name(),
            register.about
        ));
        for field in &register.fields {
            let bits = match field.width {
                1 => field.low.to_string(),
                width => format!("{}:{}", field.low + width - 1, field.low),
            };
            put(format!("| | `{}` | | {bits} | {} |", field.name, field.about));
        }
    }
    let counters = &registers.counters;
    put(format!(
        "\nA counter takes eight bytes, the lower word first; {} bits are implemented.\n",
        counters.width
    ));
    put("| offset | counter |\n|---|---|".to_owned());
    for (number, name) in counters.names.iter().enumerate() {
        put(format!("| `0x{:03x}` | `{name}` |", counters.base + 8 * number as u32));
    }
    put(format!(
        "\nThe cycles of engine e by cause are at `{:#x} + {:#x} e + 8 cause`. The instruction set \
         numbers the\ncauses (issue 0, …, finished 12).\n",
        registers.causes.base, registers.causes.stride
    ));
    for (title, codes) in
        [("state", &registers.state), ("error", &registers.error), ("stream", &registers.stream)]
    {
        put(table(title, codes));
    }
    let descriptor = &registers.descriptor;
    put(format!(
        "## Launch descriptor\n\n\
         The descriptor is at the address in `program`, little endian: a header of {} bytes, then \
         {} bytes\nfor each engine, padded with zeros to whole bursts of 64 bytes.\n",
        descriptor.header_bytes, descriptor.engine_bytes
    ));
    put(parts("header", &descriptor.header));
    put(parts("entry of an engine", &descriptor.engine));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn table(title: &str, codes: &[Code]) -> String {
    let mut text = format!("| code | {title} | |\n|---|---|---|\n");
    for code in codes {
        text += &format!("| {} | `{}` | {} |\n", code.code, code.name, code.about);
    }
    text
}

fn parts(title: &str, parts: &[Part]) -> String {
    let mut text = format!("| offset | bytes | {title} | |\n|---|---|---|---|\n");
    for part in parts {
        text +=
            &format!("| {} | {} | `{}` | {} |\n", part.offset, part.bytes, part.name, part.about);
    }
    text
}
