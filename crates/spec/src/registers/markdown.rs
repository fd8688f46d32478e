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
         Generated from `{}` by `make spec`: change that. How a run goes is in \
         [control.md](control.md).\n\n",
        home.path("spec/registers.toml")
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put(format!(
        "Version {}. AXI4-Lite with 32 bits of data and {} of address.\n",
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
        "\nCounters take eight bytes each, the lower word first; {} bits count.\n",
        counters.width
    ));
    put("| offset | counter |\n|---|---|".to_owned());
    for (number, name) in counters.names.iter().enumerate() {
        put(format!("| `0x{:03x}` | `{name}` |", counters.base + 8 * number as u32));
    }
    put(format!(
        "\nCycles of engine e by cause are at `{:#x} + {:#x} e + 8 cause`; causes are numbered in the \
         order of the machine's description (issue 0, …, finished 12).\n",
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
         At the address in `program`, in bursts of 64 bytes, little endian: a header of {} bytes, \
         then {} bytes for each engine, filled up with zeros to whole bursts.\n",
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
