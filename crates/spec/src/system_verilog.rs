//! A SystemVerilog package for each named machine, in lowRISC's style.

use crate::isa::{Isa, Width};
use halfgate_machines::haac::Machine;
use std::fmt::Write;

/// Where the packages belong.
pub const FOLDER: &str = "rtl/haac/generated";

/// The name of the machine's package: `haac_16ge_pkg` for `haac-16ge`.
pub fn package(machine: &Machine) -> String {
    format!("{}_pkg", machine.name.replace('-', "_"))
}

/// The package's text.
pub fn text(isa: &Isa, machine: &Machine) -> String {
    let package = package(machine);
    let mut text = format!(
        "// The machine {name} and its instruction set. Generated from spec/isa.toml and\n\
         // spec/machines/{name}.toml by `make spec`: change those.\n\n\
         package {package};\n",
        name = machine.name
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    let (shape, latency, queues) = (machine.shape, machine.latency, machine.queues);
    let sections: [(&str, Vec<(&str, u32)>); 6] = [
        (
            "Gate engines and the window of labels.",
            vec![
                ("Engines", shape.engines),
                ("WindowLabels", shape.window),
                ("HalfLabels", shape.half()),
                ("Banks", machine.banks()),
                ("BankLabels", (shape.window / machine.banks()).max(1)),
            ],
        ),
        (
            "Widths in bits.",
            vec![
                ("SlotWidth", shape.slot_bits()),
                ("AddressWidth", isa.size.address_bits),
                ("AndNumberWidth", isa.size.and_number_bits),
                ("LabelWidth", 8 * isa.size.label_bytes),
                ("TableWidth", 8 * isa.size.table_bytes),
                ("BurstWidth", 8 * isa.size.burst_bytes),
                ("InstrWidth", shape.instruction_bits()),
            ],
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
            "Depths of the queues that all engines share: in bursts, and in labels.",
            vec![
                ("InstrQueueBursts", queues.instruction_bytes / isa.size.burst_bytes),
                ("InputQueueLabels", queues.inputs),
            ],
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
        ("The version of the instruction set.", vec![("IsaVersion", isa.version)]),
    ];
    for (about, parameters) in sections {
        put(format!("\n  // {about}"));
        for (name, value) in parameters {
            put(format!("  parameter int unsigned {name} = {value};"));
        }
    }
    let width = |width: Width| match width {
        Width::Bits(bits) => bits,
        Width::OfWindow(_) => shape.slot_bits(),
    };
    let op = width(isa.field[0].width);
    put("\n  // Operations.".to_owned());
    put(format!("  typedef enum logic [{}:0] {{", op - 1));
    for (i, code) in isa.operation.iter().enumerate() {
        let comma = if i + 1 < isa.operation.len() { "," } else { "" };
        put(format!("    Op{} = {op}'d{}{comma}", camel(&code.name), code.code));
    }
    put("  } op_e;".to_owned());
    put("\n  // Field b of OpUnary.".to_owned());
    for code in &isa.unary {
        let name = camel(&code.name);
        put(format!("  parameter logic [SlotWidth-1:0] Unary{name} = {};", code.code));
    }
    put("\n  // Operand fields of this value come from the out-of-range queue.".to_owned());
    put("  parameter logic [SlotWidth-1:0] SlotOor = 0;".to_owned());
    put("\n  // An instruction of the encoding plain; the lowest field stands last.".to_owned());
    put("  typedef struct packed {".to_owned());
    for field in isa.field.iter().rev() {
        let declared = match (field.name.as_str(), width(field.width)) {
            ("op", _) => "op_e".to_owned(),
            (_, 1) => "logic".to_owned(),
            (_, bits) => format!("logic [{}:0]", bits - 1),
        };
        put(format!("    {declared} {};", field.name));
    }
    put("  } instr_t;".to_owned());
    put("\n  // A word of an engine's out-of-range stream; the lowest field stands last."
        .to_owned());
    put("  typedef struct packed {".to_owned());
    for field in isa.oor_field.iter().rev() {
        let declared = match field.width {
            1 => "logic".to_owned(),
            bits => format!("logic [{}:0]", bits - 1),
        };
        put(format!("    {declared} {};", field.name));
    }
    put("  } oor_word_t;\n".to_owned());
    put(format!("endpackage : {package}"));
    text
}

/// `xor` as `Xor`.
fn camel(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}
