//! The formats of circuit files.

use std::fmt;

/// A format of circuit files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// HGC: Halfgate's own format, which can express every circuit.
    Hgc,
    /// Bristol, the old format: two inputs, one output.
    Bristol,
    /// Bristol Fashion.
    Fashion,
    /// SCD: TinyGarble's netlists.
    Scd,
    /// HSCD: SCD as hexadecimal words, as they are stored in a machine's memory.
    Hscd,
    /// ABY's circuit files, which can only be read.
    Aby,
    /// Verilog and SystemVerilog, which can only be read.
    Verilog,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Hgc => "HGC",
            Format::Bristol => "Bristol",
            Format::Fashion => "Bristol Fashion",
            Format::Scd => "SCD",
            Format::Hscd => "HSCD",
            Format::Aby => "ABY",
            Format::Verilog => "Verilog",
        })
    }
}
