//! A top module for each named machine: the machine's module with the parameters of its
//! description. All simulations and syntheses of a machine thus use the same parameters. The ports
//! are those in the module's file.

use crate::SpecError;
use crate::comment::{LICENCE, comment};
use crate::description::Description;
use crate::home::Home;
use crate::system_verilog::{common_name, package};
use std::fmt::Write;

/// Path of the machine's module.
pub fn source(home: &Home) -> String {
    home.path(&format!("rtl/{}.sv", home.name))
}

const BEGIN: &str = "\n) (\n";
const END: &str = "\n);\n";

/// Name of the machine's top: `x_16ge` for `x-16ge`.
pub fn module(machine: &Description) -> String {
    machine.name.replace('-', "_")
}

/// Returns the text of the machine's top. `text` is the text of [`source`].
///
/// # Errors
/// If `text` does not contain the module's ports.
pub fn wrapper(text: &str, machine: &Description, home: &Home) -> Result<String, SpecError> {
    let lacks = |marker| SpecError::Marker(source(home), marker);
    let (_, rest) = text.split_once(BEGIN).ok_or_else(|| lacks(BEGIN))?;
    let (ports, _) = rest.split_once(END).ok_or_else(|| lacks(END))?;
    let (name, package) = (module(machine), package(machine));
    let mut text = format!(
        "{LICENCE}// The machine {0} in either role. {own}.sv describes the ports.\n//\n{source}\n\n\
         module {name}\n  import {isa}::*;\n  import {own}_regs_pkg::*;\n#(\n\
         \x20 // 1: garbles, 0: evaluates.\n\
         \x20 parameter bit          Garbler  = 1'b1,\n\
         \x20 // S-boxes: 0 tables, 1 composite field, 2 AES by DPI (simulation).\n\
         \x20 parameter int unsigned AesImpl  = 0,\n\
         \x20 parameter bit          Counters = 1'b1,\n\
         \x20 // What the AXI4 ports send in these signals with every request.\n\
         \x20 parameter int unsigned IdWidth  = 4,\n\
         \x20 parameter int unsigned AxiId    = 0,\n\
         \x20 parameter logic [3:0]  AxiCache = 4'b0011,\n\
         \x20 parameter logic [2:0]  AxiProt  = 3'b010,\n\
         \x20 parameter logic [3:0]  AxiQos   = 4'd0,\n",
        machine.name,
        source = comment(
            "//",
            &format!(
                "Generated from {} and the ports of {}.sv: change those files and run `make spec`.",
                home.path(&format!("spec/machines/{}.toml", machine.name)),
                home.name
            )
        ),
        own = home.name,
        isa = common_name(home)
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
    put(format!("  {} #(", home.name));
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
    put(format!(
        "    .Garbler(Garbler), .AesImpl(AesImpl), .Counters(Counters), .IdWidth(IdWidth),\n\
         \x20   .AxiId(AxiId), .AxiCache(AxiCache), .AxiProt(AxiProt), .AxiQos(AxiQos)\n\
         \x20 ) u_{} (.*);\n",
        home.name
    ));
    put("endmodule".to_owned());
    Ok(text)
}
