//! The command `halfgate-house`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use halfgate_house::house::{House, inspect};
use halfgate_house::report;

const USAGE: &str = "\
Measures and enforces the structure rules of this repository (crates/house/rules.toml).
Only files that git tracks are checked: add a new file first.

usage: halfgate-house check [--strict] [--only RULE,...] [--names NAME,...]
       halfgate-house measure [--json] [--names NAME,...]

  check       print the breaches of each rule that exceeds its limit; exit 1 if there are any
  measure     print the number of breaches of each rule, and its limit
  --strict    set all limits to 0, which also prints breaches within the limits
  --only      check only these rules; `measure --json` prints the names of all rules
  --names     the machines (default: the folders below machines/ that have a src/lib.rs)
";

#[derive(Default)]
struct Options {
    command: String,
    strict: bool,
    json: bool,
    only: Option<Vec<String>>,
    names: Option<Vec<String>>,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return fail(&format!("{error}\n\n{USAGE}")),
    };
    let inspected = root().and_then(|root| inspect(&root, options.names.clone()));
    match (inspected, options.command.as_str()) {
        (Ok(house), "check") => check(house, &options),
        (Ok(House { findings, outside }), _) if options.json => {
            println!("{:#}", report::json(&findings, &outside));
            ExitCode::SUCCESS
        }
        (Ok(House { findings, outside }), _) => {
            print!("{}", report::table(&findings, &outside));
            ExitCode::SUCCESS
        }
        (Err(error), _) => fail(&error),
    }
}

fn check(mut house: House, options: &Options) -> ExitCode {
    if let Some(only) = &options.only {
        let known = |name: &&String| house.findings.iter().any(|finding| finding.rule == **name);
        if let Some(unknown) = only.iter().find(|name| !known(name)) {
            return fail(&format!(
                "there is no rule {unknown}; `measure --json` prints the names of all rules"
            ));
        }
        house.findings.retain(|finding| only.iter().any(|name| name == finding.rule));
    }
    if options.strict {
        house.findings.iter_mut().for_each(|finding| finding.limit = 0);
    }
    print!("{}", report::breaches(&house.findings));
    if house.findings.iter().any(|finding| finding.fails()) {
        return ExitCode::FAILURE;
    }
    println!("halfgate-house: {} rules hold", house.findings.len());
    ExitCode::SUCCESS
}

fn fail(error: &str) -> ExitCode {
    eprintln!("halfgate-house: {error}");
    ExitCode::from(2)
}

/// The root of the repository that contains the current folder.
fn root() -> Result<PathBuf, String> {
    let output = Command::new("git")
        .args(["rev-parse", "--show-toplevel"])
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim_end()).to_path_buf()),
        false => Err("not in a git repository; run it in a clone".to_string()),
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::to_string).collect()
}

/// Parses the command line; `None` means that help is requested.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" | "help" => return Ok(None),
            "--strict" => options.strict = true,
            "--json" => options.json = true,
            "--only" => options.only = Some(list(&value()?)),
            "--names" => options.names = Some(list(&value()?.to_lowercase())),
            "check" | "measure" if options.command.is_empty() => options.command = argument,
            _ => return Err(format!("unexpected argument {argument}")),
        }
    }
    match (options.command.as_str(), options.json, options.strict || options.only.is_some()) {
        ("check", false, _) | ("measure", _, false) => Ok(Some(options)),
        ("", ..) => Err("no command".to_string()),
        (command, ..) => Err(format!("{command} does not take all of these options")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<Options>, String> {
        parse(line.split_whitespace().map(str::to_string))
    }

    #[test]
    fn options_go_with_their_command() {
        let options = parsed("check --strict --names Alpha,beta").unwrap().unwrap();
        assert!(options.strict);
        assert_eq!(options.names.unwrap(), ["alpha", "beta"]);
        for wrong in ["", "check --json", "measure --strict", "check --only", "check measure"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        assert!(parsed("--help").unwrap().is_none());
    }
}
