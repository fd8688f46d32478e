//! Counts the cells of an FPGA that Yosys makes of a module.

use super::Design;
use super::files::read;
use super::tools::{LEFT_OUT, Tools};
use serde_json::Value;
use std::collections::BTreeMap;

/// Families of FPGAs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5: lookup tables of four inputs, wider ones are not used; S-boxes as in the
    /// design.
    Ecp5,
    /// Xilinx UltraScale+: lookup tables of up to six inputs; S-boxes as tables.
    UltraScalePlus,
    /// Xilinx 7 series, which includes Virtex-7: like UltraScale+.
    Series7,
}

/// The cells that a module takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Lookup tables, including those of carry chains (ECP5) and small RAMs.
    pub luts: u64,
    /// Lookup tables among them that are small RAMs and shift registers.
    pub lut_rams: u64,
    /// Flip-flops.
    pub registers: u64,
    /// Block RAMs: of 18 Kbit (ECP5: DP16KD; UltraScale+: RAMB18, and RAMB36 for two).
    pub block_rams: u64,
    /// Multipliers: MULT18X18D, DSP48E2.
    pub multipliers: u64,
}

impl Family {
    /// The family's name.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ECP5",
            Family::UltraScalePlus => "UltraScale+",
            Family::Series7 => "7 series",
        }
    }
}

impl Counts {
    /// Adds `other`'s counts `times` over.
    pub fn plus(self, other: Counts, times: u64) -> Counts {
        Counts {
            luts: self.luts + times * other.luts,
            registers: self.registers + times * other.registers,
            block_rams: self.block_rams + times * other.block_rams,
            lut_rams: self.lut_rams + times * other.lut_rams,
            multipliers: self.multipliers + times * other.multipliers,
        }
    }

    fn of(cells: &BTreeMap<String, u64>) -> Counts {
        let mut counts = Counts::default();
        for (cell, &n) in cells {
            match cell.as_str() {
                // A carry cell of ECP5 takes two lookup tables, a small RAM of 16 x 4 takes four.
                "CCU2C" => counts.luts += 2 * n,
                "TRELLIS_DPR16X4" => counts.lut_rams += 4 * n,
                "TRELLIS_FF" => counts.registers += n,
                "DP16KD" | "RAMB18E2" | "RAMB18E1" => counts.block_rams += n,
                "RAMB36E2" | "RAMB36E1" => counts.block_rams += 2 * n,
                "MULT18X18D" | "DSP48E2" => counts.multipliers += n,
                name if name.starts_with("LUT") => counts.luts += n,
                name if name.starts_with("INV") => counts.luts += n,
                name if name.starts_with("FD") => counts.registers += n,
                name if name.starts_with("RAM") => counts.lut_rams += n * small_ram(name),
                name if name.starts_with("SRL") => counts.lut_rams += n,
                _ => {}
            }
        }
        counts.luts += counts.lut_rams;
        counts
    }
}

/// Lookup tables of UltraScale+ that a small RAM takes, by its name: RAM64M8, RAM128X1D and
/// similar.
fn small_ram(name: &str) -> u64 {
    match name.trim_start_matches("RAM") {
        "32M" | "64M" | "128X1D" | "256X1S" => 4,
        "32M16" | "64M8" | "256X1D" | "512X1S" => 8,
        "32X1S" | "64X1S" => 1,
        _ => 2,
    }
}

/// Parameters of the modules that may be left out, including derived ones.
pub const PARAMETERS: [&str; 36] = [
    "AddrsWidth",
    "AesImpl",
    "AndInterval",
    "AndLatency",
    "BankWidth",
    "BankWrites",
    "Banks",
    "Counters",
    "Engines",
    "FifoWidth",
    "ForwardAll",
    "Garbler",
    "HalfWidth",
    "Impl",
    "InstrWidth",
    "IssueDepth",
    "Latency",
    "LiveDepth",
    "LivesWidth",
    "LoaderBursts",
    "Loads",
    "OorAddressDepth",
    "OorWireDepth",
    "Reads",
    "Results",
    "RowWidth",
    "Rows",
    "SlotWidth",
    "Source",
    "Stages",
    "TableDepth",
    "TablesWidth",
    "WindowLabels",
    "WiresWidth",
    "Writes",
    "XorLatency",
];

/// The command that reads `design` as one module, except for S-boxes and modules that are left out.
pub fn reading(design: &Design, files: &[String]) -> String {
    reading_with(design, &design.top, &design.parameters, files)
}

/// Like [`reading`], with another top module.
pub fn reading_with(
    design: &Design,
    top: &str,
    parameters: &[(&'static str, u64)],
    files: &[String],
) -> String {
    // Assertions are for simulation only.
    let mut script = "read_slang -j 1 --ignore-assertions -D SYNTHESIS".to_owned();
    for (name, value) in parameters {
        script += &format!(" -G {name}={value}");
    }
    for module in &design.without {
        script += &format!(" {LEFT_OUT} {module}");
    }
    if let Some(sbox) = design.sbox {
        script += &format!(" {LEFT_OUT} {sbox}");
    }
    script += &format!(" --top {top} {}\n", files.join(" "));
    // abc9 accepts no parameters of modules that it does not see.
    // slang makes parameters of genvars too, which have one letter here.
    let genvars = ('a'..='z').map(String::from);
    let names = PARAMETERS.iter().map(ToString::to_string).chain(genvars);
    let unset = names.map(|name| format!("-unset {name}")).collect::<Vec<_>>().join(" ");
    for module in &design.without {
        script += &format!("setparam {unset} t:{module}\n");
    }
    if let Some(sbox) = design.sbox {
        // One S-box is mapped, instead of hundreds of equal ones.
        let name = format!("{sbox}.sv");
        let file = files.iter().find(|file| file.ends_with(&name)).unwrap_or(&name);
        script += &format!("delete ={sbox}\nread_slang -j 1 --top {sbox} {file}\n");
        script += &format!("setattr -mod -set keep_hierarchy 1 {sbox}\n");
    }
    script
}

/// Synthesises `design` alone and counts its cells.
///
/// # Errors
/// Yosys' error, or a timeout.
pub fn count(
    tools: &Tools,
    files: &[String],
    design: &Design,
    family: Family,
) -> Result<Counts, String> {
    // An S-box by arithmetic saves tables of four inputs but costs more tables of six inputs.
    let design = match family {
        Family::Ecp5 => design,
        Family::UltraScalePlus | Family::Series7 => &design.with_tables(),
    };
    let Design { top, .. } = design;
    let (short, synthesis) = match family {
        Family::Ecp5 => ("ecp5", format!("synth_ecp5 -top {top} -nowidelut")),
        Family::UltraScalePlus => {
            ("xcup", format!("synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top}"))
        }
        Family::Series7 => {
            ("xc7", format!("synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}"))
        }
    };
    let name = file_name(&format!("{} {short}", design.files));
    // ABC would prove that it mapped correctly, which changes no count: 19 of 20 minutes for the
    // registers and requests of four engines. Designs that are placed are proved.
    let script = format!(
        "{}scratchpad -set abc9.verify false\n{synthesis}\ntee -q -o {name}.json stat -json -top {top}\n",
        reading(design, files)
    );
    let statistics = format!("{name}.json");
    tools.alone(&name, || tools.yosys(&name, &script, &[], &[&statistics]))?;
    let path = tools.work.join(statistics);
    let stat: Value = serde_json::from_str(&read(&path)?)
        .map_err(|e| format!("{}: not Yosys' statistics: {e}", path.display()))?;
    Ok(Counts::of(&cells(&stat)))
}

/// The cells of a design; modules inside count once per instance.
fn cells(stat: &Value) -> BTreeMap<String, u64> {
    let whole = stat["design"]["num_cells_by_type"].as_object();
    // A design of one module has no separate section in the report.
    let only = stat["modules"].as_object().and_then(|modules| modules.values().next());
    let cells = whole.or(only.and_then(|module| module["num_cells_by_type"].as_object()));
    let cells = cells.into_iter().flatten();
    cells.filter_map(|(name, n)| Some((name.clone(), n.as_u64()?))).collect()
}

/// Makes a name usable as a file name.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let parts: String = name.chars().map(plain).collect();
    parts.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_both_families_are_counted() {
        let stat = serde_json::json!({
            "modules": { "\\m": { "num_cells_by_type": { "LUT4": 1 } } },
            "design": { "num_cells_by_type": {
                "LUT4": 100, "CCU2C": 3, "TRELLIS_FF": 7, "DP16KD": 2, "sbox_composite": 4,
                "TRELLIS_DPR16X4": 1, "MULT18X18D": 8
            } }
        });
        let counts = Counts::of(&cells(&stat));
        assert_eq!(
            counts,
            Counts { luts: 110, lut_rams: 4, registers: 7, block_rams: 2, multipliers: 8 }
        );
        let stat = serde_json::json!({ "modules": { "\\m": { "num_cells_by_type": {
            "LUT6": 10, "LUT2": 1, "INV": 1, "FDRE": 5, "FDCE": 1, "RAMB36E2": 3, "RAMB18E2": 1,
            "RAM64M8": 2, "RAM128X1D": 1, "RAM64X1D": 3, "SRL16E": 1, "MUXF7": 9
        } } } });
        let counts = Counts::of(&cells(&stat));
        assert_eq!(
            counts,
            Counts { luts: 39, lut_rams: 27, registers: 6, block_rams: 7, multipliers: 0 }
        );
    }

    #[test]
    fn names_of_files_have_no_blanks() {
        assert_eq!(file_name("x-1ge garbler: the rest"), "x-1ge-garbler-the-rest");
    }
}
