//! The Rust constants of an instruction set.

use crate::comment::{comment, generated_from};
use crate::home::Home;
use crate::isa::{Class, Isa, Width};
use std::fmt::Write;

/// Returns the text of the module.
pub fn constants(isa: &Isa, home: &Home) -> String {
    let mut text = format!(
        "//! The instruction set's numbers.\n//!\n{}\n\n\
         use crate::encoding::compact::class::Class;\n\n",
        comment("//!", &generated_from(&format!("`{}`", home.path("spec/isa.toml"))))
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put("/// Version of the instruction set.".to_owned());
    put(format!("pub const VERSION: u32 = {};\n", isa.version));
    for code in &isa.operation {
        let about = format!("Code of the operation `{}`: {}.", code.name, code.about);
        put(comment("///", &about));
        put(format!("pub const OP_{}: u8 = {};", code.name.to_uppercase(), code.code));
    }
    put(String::new());
    for code in &isa.unary {
        let about = format!("Field b of the unary operation `{}`: {}.", code.name, code.about);
        put(comment("///", &about));
        put(format!("pub const UNARY_{}: u8 = {};", code.name.to_uppercase(), code.code));
    }
    for field in &isa.field {
        let (argument, width) = match field.width {
            Width::Bits(bits) => ("_slot", bits.to_string()),
            Width::OfWindow(_) => ("slot", "slot".to_owned()),
        };
        let about = format!("Bits of the field `{}`: {}.", field.name, field.about);
        put(format!("\n{}", comment("///", &about)));
        put(format!("pub const fn {}_bits({argument}: u32) -> u32 {{", field.name));
        put(format!("    {width}\n}}"));
    }
    let sum: Vec<String> = isa.field.iter().map(|f| format!("{}_bits(slot)", f.name)).collect();
    put("\n/// Bits of an instruction, if the number of a slot has `slot` bits.".to_owned());
    put("pub const fn instruction_bits(slot: u32) -> u32 {".to_owned());
    put(format!("    {}\n}}\n", sum.join(" + ")));
    let word: u32 = isa.oor_field.iter().map(|field| field.width).sum();
    put("/// Bytes of a word of an out-of-range stream.".to_owned());
    put(format!("pub const OOR_WORD_BYTES: u32 = {};", word / 8));
    let mut low = 0;
    for field in &isa.oor_field {
        let about =
            format!("Mask of the field `{}` of an out-of-range word: {}.", field.name, field.about);
        put(comment("///", &about));
        let mask = ((1u64 << field.width) - 1) << low;
        put(format!("pub const OOR_{}: u32 = {mask:#x};", field.name.to_uppercase()));
        low += field.width;
    }
    put(String::new());
    let size = &isa.size;
    for (name, what, value) in [
        ("ADDRESS_BITS", "Bits of a wire's address", size.address_bits),
        ("AND_NUMBER_BITS", "Bits of the number of an AND in a launch", size.and_number_bits),
        ("LABEL_BYTES", "Bytes of a label", size.label_bytes),
        ("TABLE_BYTES", "Bytes of a garbled table", size.table_bytes),
        ("BURST_BYTES", "Bytes of a memory burst", size.burst_bytes),
    ] {
        put(format!("/// {what}.\npub const {name}: u32 = {value};"));
    }
    put("\n/// Class tables of the encoding `compact`.\n#[rustfmt::skip]".to_owned());
    put(format!("pub const COMPACT_TABLES: [&[Class]; {}] = [", isa.compact_table.len()));
    for table in &isa.compact_table {
        put("    &[".to_owned());
        for text in &table.classes {
            let Class { name, widths } = Class::parse(text).expect("checked when it was read");
            let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
            put(match widths[..] {
                [] => format!("        Class::{name},"),
                _ => format!("        Class::{name}({}),", widths.join(", ")),
            });
        }
        put("    ],".to_owned());
    }
    put("];".to_owned());
    text
}
