//! `halfgate-spec`: writes the files generated from `spec/`, or reports those that are stale.

use halfgate_spec::{SpecError, left_over, outputs};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: halfgate-spec [--check]\n\
    Writes the files that are generated from spec/; with --check it compares them instead.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    // The repository that the generator was built in. The generator is never installed.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match run(&root, check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("halfgate-spec: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes or compares the files. Returns false if one is stale.
fn run(root: &Path, check: bool) -> Result<bool, SpecError> {
    let outputs = outputs(root)?;
    let left_over = left_over(root, &outputs)?;
    let mut stale = 0;
    for output in &outputs {
        let path = root.join(&output.path);
        if std::fs::read_to_string(&path).is_ok_and(|text| text == output.text) {
            continue;
        }
        stale += 1;
        if check {
            eprintln!("halfgate-spec: {} is stale", output.path.display());
        } else {
            let failed = |source| SpecError::File { path: path.clone(), source };
            std::fs::write(&path, &output.text).map_err(failed)?;
            println!("halfgate-spec: wrote {}", output.path.display());
        }
    }
    for path in &left_over {
        eprintln!("halfgate-spec: {} belongs to no machine: remove it", path.display());
    }
    if check && stale > 0 {
        eprintln!("halfgate-spec: run `make spec`");
    }
    Ok(left_over.is_empty() && (stale == 0 || !check))
}
