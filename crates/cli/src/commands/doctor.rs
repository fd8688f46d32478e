//! `halfgate doctor`: the parts of this computer that Halfgate uses, and what missing parts would
//! enable.

use crate::config;
use crate::tool_args::DoctorArgs;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_engine::kernels;
use halfgate_machine::building;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An external program.
struct Tool {
    /// Its name, or the name of the variable that overrides it.
    name: &'static str,
    variable: Option<&'static str>,
    version: &'static str,
    /// Features that need it.
    enables: &'static str,
    /// Its package on Debian.
    package: &'static str,
}

const TOOLS: [Tool; 7] = [
    Tool {
        name: "yosys",
        variable: Some("HALFGATE_YOSYS"),
        version: "-V",
        enables: "circuits in Verilog, and programs for the garbled processor",
        package: "yosys",
    },
    Tool {
        name: "mips-linux-gnu-gcc",
        variable: None,
        version: "--version",
        enables: "`halfgate mips build`: programs in C for the garbled processor",
        package: "gcc-mips-linux-gnu",
    },
    Tool {
        name: "verilator",
        variable: Some("VERILATOR"),
        version: "--version",
        enables: "engines rtl: (simulated SystemVerilog), with g++ and make",
        package: "verilator",
    },
    Tool {
        name: "g++",
        variable: Some("CXX"),
        version: "--version",
        enables: "engines rtl:, with verilator and make",
        package: "g++",
    },
    Tool {
        name: "make",
        variable: None,
        version: "--version",
        enables: "engines rtl:, with verilator and g++",
        package: "make",
    },
    Tool {
        name: "nextpnr-ice40",
        variable: None,
        version: "--version",
        enables: "`make place`: place and route for iCE40 (for developers)",
        package: "nextpnr-ice40",
    },
    Tool {
        name: "nextpnr-ecp5",
        variable: None,
        version: "--version",
        enables: "`make place`: place and route for ECP5 (for developers)",
        package: "nextpnr-ecp5",
    },
];

/// Longest version shown, in characters.
const VERSION_CHARS: usize = 60;

pub(super) fn execute(args: &DoctorArgs) -> Result<(), Failure> {
    let report = report();
    match args.json {
        true => print::line(&report.to_string()),
        false => text(&report).iter().try_for_each(|line| print::line(line)),
    }
}

fn report() -> Value {
    let best = kernels::best().name;
    let kernels: Vec<_> = kernels::KERNELS
        .iter()
        .map(|k| json!({ "name": k.name, "works": k.is_available(), "chosen": k.name == best }))
        .collect();
    let features: Vec<_> =
        features().iter().map(|(name, found)| json!({ "name": name, "found": found })).collect();
    let place = std::env::var_os(config::VARIABLE).filter(|text| !text.is_empty());
    let place = place.map(PathBuf::from).or_else(config::usual);
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "system": std::env::consts::OS,
        "processor": {
            "architecture": std::env::consts::ARCH,
            "cores": std::thread::available_parallelism().map_or(1, usize::from),
            "features": features,
        },
        "kernels": kernels,
        "configuration": {
            "file": place.as_ref().map(|path| path.display().to_string()),
            "found": place.is_some_and(|path| path.exists()),
        },
        "systemverilog": match building::sources() {
            Ok(folders) => json!({ "folders": folders }),
            Err(error) => json!({ "error": error }),
        },
        "tools": TOOLS.iter().map(Tool::report).collect::<Vec<_>>(),
    })
}

impl Tool {
    fn report(&self) -> Value {
        let named = self.variable.and_then(std::env::var_os);
        let program = named.unwrap_or(self.name.into());
        let found = Command::new(&program).arg(self.version).stdin(Stdio::null()).output();
        // A tool that prints no version counts as found.
        let version = found.as_ref().ok().map(|printed| {
            let all = [&printed.stdout[..], &printed.stderr[..]].concat();
            let text = String::from_utf8_lossy(&all).into_owned();
            let line = text.lines().map(str::trim).find(|line| !line.is_empty());
            line.unwrap_or_default().chars().take(VERSION_CHARS).collect::<String>()
        });
        json!({
            "name": self.name,
            "program": program.to_string_lossy(),
            "variable": self.variable,
            "found": found.is_ok_and(|printed| printed.status.success()),
            "version": version,
            "enables": self.enables,
            "package": self.package,
        })
    }
}

/// Instruction sets that kernels use, each with whether this processor has it.
fn features() -> Vec<(&'static str, bool)> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        vec![
            ("aes", has!("aes")),
            ("pclmulqdq", has!("pclmulqdq")),
            ("sha", has!("sha")),
            ("avx2", has!("avx2")),
            ("vaes", has!("vaes")),
            ("avx512f", has!("avx512f")),
            ("avx512bw", has!("avx512bw")),
            ("avx512vl", has!("avx512vl")),
            ("gfni", has!("gfni")),
        ]
    }
    #[cfg(target_arch = "aarch64")]
    {
        use std::arch::is_aarch64_feature_detected as has;
        vec![("neon", has!("neon")), ("aes", has!("aes")), ("sha2", has!("sha2"))]
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Vec::new()
}

fn text(report: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let processor = &report["processor"];
    let mut lines = vec![
        format!("halfgate {} on {}", word(&report["version"]), word(&report["system"])),
        format!("processor: {}, {} cores", word(&processor["architecture"]), processor["cores"]),
    ];
    let features = list(&processor["features"]);
    for (title, wanted) in [("has", true), ("lacks", false)] {
        let named = features.iter().filter(|feature| feature["found"] == wanted);
        let names: Vec<_> = named.map(|feature| word(&feature["name"])).collect();
        if !names.is_empty() {
            lines.push(format!("    {title} {}", names.join(", ")));
        }
    }
    lines.push("kernels:".to_owned());
    for kernel in list(&report["kernels"]) {
        let state = match (kernel["works"] == true, kernel["chosen"] == true) {
            (true, true) => "works here, chosen",
            (true, false) => "works here",
            (false, _) => "this processor lacks its instructions",
        };
        lines.push(format!("    {:10} {state}", word(&kernel["name"])));
    }
    let configuration = &report["configuration"];
    let state = if configuration["found"] == true { "" } else { ": not there" };
    lines.push(format!("configuration: {}{state}", word(&configuration["file"])));
    let systemverilog = &report["systemverilog"];
    let folders = list(&systemverilog["folders"]);
    lines.push(match folders.first() {
        Some(first) if folders.len() == 1 => format!("SystemVerilog: {}", word(first)),
        Some(first) => format!("SystemVerilog: {} and {} more", word(first), folders.len() - 1),
        None => format!("SystemVerilog: {}", word(&systemverilog["error"])),
    });
    lines.push("tools:".to_owned());
    let mut packages = Vec::new();
    for tool in list(&report["tools"]) {
        let name = word(&tool["name"]);
        if tool["found"] == true {
            lines.push(format!("    {name:18} {}", word(&tool["version"])));
            continue;
        }
        let program = word(&tool["program"]);
        let what = if program == name { "not found" } else { "cannot be run" };
        lines.push(format!(
            "    {name:18} {what} ({program}); it enables {}",
            word(&tool["enables"])
        ));
        packages.push(word(&tool["package"]));
    }
    if !packages.is_empty() {
        lines.push(format!("on Debian or Ubuntu: sudo apt-get install {}", packages.join(" ")));
    }
    lines
}
