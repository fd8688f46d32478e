//! SystemVerilog packages in lowRISC's style: one that all machines share, and one with the sizes
//! of each named machine.

use crate::comment::{LICENCE, comment, generated_from};
use crate::description::Description;
use crate::home::Home;
use crate::isa::{Isa, Width};
use std::fmt::Write;

/// Folder of a machine's packages.
pub fn folder(home: &Home) -> String {
    home.path("rtl/generated")
}

/// Name of the package that is the same for all sizes.
pub fn common_name(home: &Home) -> String {
    format!("{}_isa_pkg", home.name)
}

/// Name of the package for one size: `x_16ge_pkg` for `x-16ge`.
pub fn package(machine: &Description) -> String {
    format!("{}_pkg", machine.name.replace('-', "_"))
}

/// Returns the text of the package that all machines share.
pub fn common(isa: &Isa, home: &Home) -> String {
    let (name, title) = (common_name(home), home.title());
    let mut text = format!(
        "{LICENCE}// {title}'s instruction set: the part that does not depend on the machine's size.\n//\n\
         {}\n\n\
         package {name};\n",
        comment("//", &generated_from(&home.path("spec/isa.toml")))
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    let numbers = [
        ("Version of the instruction set", "IsaVersion", isa.version),
        ("Bits of a wire's address", "AddressWidth", isa.size.address_bits),
        ("Bits of an AND's number in a launch", "AndNumberWidth", isa.size.and_number_bits),
        ("Bits of a label", "LabelWidth", 8 * isa.size.label_bytes),
        ("Bits of a garbled table", "TableWidth", 8 * isa.size.table_bytes),
        ("Bits of a burst", "BurstWidth", 8 * isa.size.burst_bytes),
    ];
    for (about, name, value) in numbers {
        put(format!("\n  // {about}."));
        put(format!("  parameter int unsigned {name} = {value};"));
    }
    let op = match isa.field[0].width {
        Width::Bits(bits) => bits,
        Width::OfWindow(_) => unreachable!("checked when it was read"),
    };
    put("\n  // Operations.".to_owned());
    let codes = isa.operation.iter().map(|code| (format!("Op{}", camel(&code.name)), code.code));
    enumeration("op_e", op, codes.collect(), &mut put);
    put("\n  // Field b of OpUnary.".to_owned());
    for code in &isa.unary {
        put(format!("  parameter int unsigned Unary{} = {};", camel(&code.name), code.code));
    }
    put("\n  // A word of an engine's out-of-range stream; the lowest field is last.".to_owned());
    put("  typedef struct packed {".to_owned());
    for field in isa.oor_field.iter().rev() {
        put(format!("    {} {};", vector(field.width), field.name));
    }
    put("  } oor_word_t;".to_owned());
    put("\n  // What an engine did in a cycle.".to_owned());
    put(format!("  parameter int unsigned CauseCount = {};", isa.cause.len()));
    let bits = isa.cause.len().next_power_of_two().trailing_zeros();
    put(format!("  parameter int unsigned CauseWidth = {bits};"));
    let names = isa.cause.iter().map(|cause| format!("Cause{}", camel(&cause.name)));
    enumeration("cause_e", bits, names.zip(0..).collect(), &mut put);
    put(format!("\nendpackage : {name}"));
    text
}

/// Returns the text of a machine's package.
pub fn text(isa: &Isa, machine: &Description, home: &Home) -> String {
    let package = package(machine);
    let mut text = format!(
        "{LICENCE}// Parameters of the machine {name}. {common} has those that all machines share.\n//\n\
         {source}\n\n\
         package {package};\n",
        name = machine.name,
        common = common_name(home),
        source = comment(
            "//",
            &format!(
                "Generated from isa.toml and machines/{}.toml in {}: change those files and run \
                 `make spec`.",
                machine.name,
                home.path("spec")
            )
        ),
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    for (about, parameters) in sections(isa, machine) {
        put(format!("\n  // {about}"));
        for (name, value) in parameters {
            put(format!("  parameter int unsigned {name} = {value};"));
        }
    }
    put("\n  // Operand fields with this value refer to the out-of-range queue.".to_owned());
    put("  parameter logic [SlotWidth-1:0] SlotOor = 0;".to_owned());
    put("\n  // An instruction of the encoding plain; the lowest field is last.".to_owned());
    put("  typedef struct packed {".to_owned());
    for field in isa.field.iter().rev() {
        // Packages do not import each other, so they may be read in any order.
        let declared = match field.width {
            Width::Bits(bits) => vector(bits),
            Width::OfWindow(_) => vector(machine.slot_bits()),
        };
        put(format!("    {declared} {};", field.name));
    }
    put("  } instr_t;\n".to_owned());
    put(format!("endpackage : {package}"));
    text
}

/// Parameters, each with a name and a value.
type Parameters = Vec<(&'static str, u32)>;

/// Returns a machine's parameters in sections, each with a title.
fn sections(isa: &Isa, machine: &Description) -> [(&'static str, Parameters); 6] {
    let (window, latency, queues) = (&machine.window, &machine.latency, &machine.queues);
    // Input bursts requested and placed per cycle, as in the model.
    let loader_bursts = queues.inputs.min(machine.banks()).min(window.labels)
        * isa.size.label_bytes
        / isa.size.burst_bytes;
    [
        (
            "Gate engines and the window of labels.",
            vec![
                ("Engines", machine.engines.count),
                ("WindowLabels", window.labels),
                ("HalfLabels", machine.half()),
                ("Banks", machine.banks()),
                ("BankLabels", (window.labels / machine.banks()).max(1)),
            ],
        ),
        (
            "Widths in bits.",
            vec![("SlotWidth", machine.slot_bits()), ("InstrWidth", machine.instruction_bits(isa))],
        ),
        (
            "Latencies in cycles.",
            vec![
                ("XorLatency", latency.xor),
                ("AndLatencyGarbler", latency.and_garbler),
                ("AndLatencyEvaluator", latency.and_evaluator),
                ("ReadStages", latency.read),
                ("WriteBackStages", latency.write_back),
            ],
        ),
        (
            "Depths of the shared queues, in bursts and in labels; maximum input bursts per cycle.",
            vec![
                ("InstrQueueBursts", queues.instruction_bytes / isa.size.burst_bytes),
                ("InputQueueLabels", queues.inputs),
                ("LoaderBursts", loader_bursts),
            ],
        ),
        (
            "AXI4 ports.",
            vec![("AxiPorts", machine.rtl.ports), ("AxiDataWidth", machine.rtl.data_bits)],
        ),
        (
            "Depths of each engine's queues, in entries.",
            vec![
                ("IssueQueueDepth", queues.issue),
                ("TableQueueDepth", queues.tables),
                ("OorAddressQueueDepth", queues.oor_addresses),
                ("OorWireQueueDepth", queues.oor_wires),
                ("LiveQueueDepth", queues.live),
            ],
        ),
    ]
}

/// An enumeration of `bits` bits.
fn enumeration(name: &str, bits: u32, codes: Vec<(String, u32)>, put: &mut impl FnMut(String)) {
    put(format!("  typedef enum {} {{", vector_of(bits)));
    let last = codes.len();
    for (number, (code, value)) in codes.into_iter().enumerate() {
        let comma = if number + 1 < last { "," } else { "" };
        put(format!("    {code} = {bits}'d{value}{comma}"));
    }
    put(format!("  }} {name};"));
}

/// Returns the type of a field.
fn vector(bits: u32) -> String {
    if bits == 1 { "logic".to_owned() } else { vector_of(bits) }
}

fn vector_of(bits: u32) -> String {
    format!("logic [{}:0]", bits - 1)
}

/// Converts `xor` to `Xor` and `live_full` to `LiveFull`.
fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('_').map(word).collect()
}
