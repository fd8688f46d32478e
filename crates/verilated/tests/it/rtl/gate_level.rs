//! A synthesised unit, gate by gate and with four states, through its reset. Verilator has two
//! states and random registers, so it cannot see that a register has no reset.
//!
//! Yosys (pyosys, which `make setup` installs) makes a netlist of gates and flip-flops, and Icarus
//! Verilog simulates it with the benches in `gate_level`. Registers, inputs and the reset itself
//! start unknown. Without one of the tools, the tests print that they are not run.

use halfgate_reference::{Key, Place, Suite, garble_and};
use halfgate_verilated::testing::stimulus::Random;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

type Tested = Result<(), Box<dyn std::error::Error>>;

const UNIT: &str = "half_gate_garbler_folded";

/// A changed place of a source: file, text, and the text that replaces it.
type Change = (&'static str, &'static str, &'static str);

/// Unknown before the reset, known after it, and equal to the reference with random ANDs.
#[test]
#[ignore = "long: make rtl"]
fn a_netlist_starts_from_unknown_states() -> Tested {
    let Some(last) = simulated(24, None)? else { return Ok(()) };
    assert!(last.starts_with("PASS: 24 results"), "{last}");
    Ok(())
}

/// Each fault is in one register. The first two have no effect in a simulator with two states,
/// unless a register happens to start with the wrong value.
#[test]
#[ignore = "long: make rtl"]
fn registers_without_a_reset_stay_unknown() -> Tested {
    let faults: [(Change, &str); 3] = [
        (
            (
                "folded_control.sv",
                "    if (!rst_ni) begin\n      busy_q  <= 1'b0;\n",
                "    if (!rst_ni) begin\n",
            ),
            "the handshake is unknown",
        ),
        (
            (
                "folded_control.sv",
                "      valid_q <= 1'b0;\n    end else if (clear_i) begin",
                "    end else if (clear_i) begin",
            ),
            "the handshake is unknown",
        ),
        (
            ("pipe_reg.sv", "      if (clear_i) q <= '0;\n      else if", "      if"),
            "a clear leaves something",
        ),
    ];
    for (change, wanted) in faults {
        let Some(last) = simulated(2, Some(change))? else { return Ok(()) };
        assert!(last.starts_with("FAIL") && last.contains(wanted), "{change:?}: {last}");
    }
    Ok(())
}

/// The last line of the bench with `count` ANDs on the unit, with a fault if one is given. `None`
/// if a tool is missing.
fn simulated(
    count: usize,
    fault: Option<Change>,
) -> Result<Option<String>, Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let Some(mut yosys) = yosys(&root) else { return Ok(None) };
    if !is_there("iverilog", "-V") {
        eprintln!("not run: iverilog is not installed (on Debian: apt-get install iverilog)");
        return Ok(None);
    }
    let work = tempfile::tempdir()?;
    let at = |name: &str| work.path().join(name);
    std::fs::write(
        at("synthesis.ys"),
        format!(
            "read_slang -j 1 --top {UNIT} -G Impl=1 {}\nsynth -flatten -noabc -top {UNIT}\n\
             dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x\nsplitnets\nopt_clean -purge\n\
             write_verilog -noattr netlist.v\n",
            sources(&root.join("rtl/lib"), work.path(), fault)?.join(" ")
        ),
    )?;
    run(yosys.args(["-q", "synthesis.ys"]).current_dir(&work))?;
    // A delay for each gate: without one, Icarus propagates every glitch of an S-box to its end.
    let netlist = std::fs::read_to_string(at("netlist.v"))?;
    std::fs::write(at("netlist.v"), netlist.replace("  assign ", "  assign #1 "))?;
    let delta = Random(5).u128() | 1;
    std::fs::write(at("vectors.hex"), vectors(count, delta))?;
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/rtl/gate_level");
    let bench = bench.join(UNIT).with_extension("v");
    let count = format!("-Pbench.COUNT={count}");
    let mut compile = Command::new("iverilog");
    compile.args(["-g2012", "-Wall", "-Wno-timescale", "-s", "bench", &count, "-o", "sim"]);
    run(compile.arg(bench).arg("netlist.v").current_dir(&work))?;
    let mut simulate = Command::new("vvp");
    simulate.args(["-n", "sim", "+vectors=vectors.hex", &format!("+delta={delta:032x}")]);
    let text = run(simulate.current_dir(&work))?;
    Ok(Some(text.lines().last().unwrap_or_default().to_owned()))
}

/// A line for each random AND: A0, B0, both keys, C0, and the table.
fn vectors(count: usize, delta: u128) -> String {
    let mut random = Random(11);
    let mut lines = String::new();
    for _ in 0..count {
        let (point, and) = (random.u128(), random.u64() >> 1);
        let (a, b) = (random.u128(), random.u128());
        let key = |half| point ^ (2 * u128::from(and) + half) << 64;
        let suite = Key { suite: Suite::HalfGates, point };
        let (label, table) = garble_and(suite, delta, Place { and, cycle: 0, gate: 0 }, a, b);
        for value in [a, b, key(0), key(1), label] {
            let _ = write!(lines, "{value:032x}");
        }
        for byte in table.iter().rev() {
            let _ = write!(lines, "{byte:02x}");
        }
        lines.push('\n');
    }
    lines
}

/// Yosys with slang, from `PATH` or from where `make setup` installs it.
fn yosys(root: &Path) -> Option<Command> {
    if is_there("yosys-slang", "-V") {
        return Some(Command::new("yosys-slang"));
    }
    let installed = root.join("target/tools/pyosys");
    if !installed.join("pyosys").is_dir() {
        eprintln!("not run: pyosys is not installed: run make setup");
        return None;
    }
    let mut command = Command::new("python3");
    command.arg(root.join("scripts/yosys-slang.py")).env("PYTHONPATH", installed);
    Some(command)
}

fn is_there(tool: &str, option: &str) -> bool {
    Command::new(tool).arg(option).output().is_ok_and(|output| output.status.success())
}

/// The files below `folder`, packages first. The one with the fault is a changed copy in `work`.
fn sources(
    folder: &Path,
    work: &Path,
    fault: Option<Change>,
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|end| end == "sv") => files.push(path),
                false => (),
            }
        }
    }
    if let Some((file, from, to)) = fault {
        let place = files.iter_mut().find(|path| path.ends_with(file)).ok_or("no such file")?;
        let text = std::fs::read_to_string(&*place)?;
        assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
        *place = work.join(file);
        std::fs::write(&*place, text.replace(from, to))?;
    }
    files.sort_by_key(|path| (!path.to_string_lossy().ends_with("_pkg.sv"), path.clone()));
    Ok(files.iter().map(|path| path.display().to_string()).collect())
}

/// The standard output of a program that must succeed.
fn run(command: &mut Command) -> Result<String, Box<dyn std::error::Error>> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {text}{errors}").into());
    }
    Ok(text)
}
