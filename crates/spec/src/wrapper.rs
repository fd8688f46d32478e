//! A top for each named machine: the module `haac` with the machine's numbers, so that whoever
//! simulates or synthesises a machine by its name takes the same. Its ports are those of `haac`, as
//! they stand in that module's file.

use crate::SpecError;
use crate::system_verilog::package;
use halfgate_machines::haac::Machine;
use std::fmt::Write;

/// The file of the module `haac`.
pub const SOURCE: &str = "rtl/haac/haac.sv";

const BEGIN: &str = "\n) (\n";
const END: &str = "\n);\n";

/// The name of the machine's top: `haac_16ge` for `haac-16ge`.
pub fn module(machine: &Machine) -> String {
    machine.name.replace('-', "_")
}

/// The text of the machine's top; `source` is the text of [`SOURCE`].
///
/// # Errors
/// If the module's ports are not found in it.
pub fn text(source: &str, machine: &Machine) -> Result<String, SpecError> {
    let (_, rest) = source.split_once(BEGIN).ok_or(SpecError::Marker(SOURCE, BEGIN))?;
    let (ports, _) = rest.split_once(END).ok_or(SpecError::Marker(SOURCE, END))?;
    let (name, package) = (module(machine), package(machine));
    let mut text = format!(
        "// The machine {0} in either role. Generated from spec/machines/{0}.toml and the ports of\n\
         // {SOURCE} by `make spec`: change those, and see there what ports mean.\n\n\
         module {name}\n  import haac_isa_pkg::*;\n  import haac_regs_pkg::*;\n#(\n\
         \x20 // 1: garbles, 0: evaluates.\n\
         \x20 parameter bit          Garbler  = 1'b1,\n\
         \x20 // S-boxes: 0 tables, 1 composite field, 2 AES of a simulation.\n\
         \x20 parameter int unsigned AesImpl  = 0,\n\
         \x20 parameter bit          Counters = 1'b1,\n",
        machine.name
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    let sizes: [(&str, String); 4] = [
        ("Engines", format!("{package}::Engines")),
        ("NumPorts", format!("{package}::AxiPorts")),
        ("DataWidth", format!("{package}::AxiDataWidth")),
        ("AddrWidth", "40".to_owned()),
    ];
    for (number, (size, value)) in sizes.iter().enumerate() {
        let comma = if number + 1 < sizes.len() { "," } else { "" };
        put(format!("  localparam int unsigned {size:9} = {value}{comma}"));
    }
    put(format!(") (\n{ports}\n);\n"));
    put("  haac #(".to_owned());
    let of_package = [
        ("WindowLabels", "WindowLabels"),
        ("Banks", "Banks"),
        ("XorLatency", "XorLatency"),
        ("IssueDepth", "IssueQueueDepth"),
        ("TableDepth", "TableQueueDepth"),
        ("OorAddressDepth", "OorAddressQueueDepth"),
        ("OorWireDepth", "OorWireQueueDepth"),
        ("LiveDepth", "LiveQueueDepth"),
        ("InstrBursts", "InstrQueueBursts"),
        ("LoaderBursts", "LoaderBursts"),
    ];
    for (parameter, constant) in of_package {
        put(format!("    .{parameter}({package}::{constant}),"));
    }
    put(format!(
        "    .AndLatency(Garbler ? {package}::AndLatencyGarbler : {package}::AndLatencyEvaluator),"
    ));
    put(
        "    .Engines(Engines), .NumPorts(NumPorts), .DataWidth(DataWidth), .AddrWidth(AddrWidth),"
            .to_owned(),
    );
    put("    .Garbler(Garbler), .AesImpl(AesImpl), .Counters(Counters)\n  ) u_haac (.*);\n"
        .to_owned());
    put("endmodule".to_owned());
    Ok(text)
}
