//! Writes the conformance vectors: `cargo run -p halfgate-reference --example vectors -- OUTDIR`.

mod files;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(directory), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: vectors OUTDIR");
        return ExitCode::from(2);
    };
    for (name, text) in files::all() {
        let path = PathBuf::from(&directory).join(name);
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("{}", path.display());
    }
    ExitCode::SUCCESS
}
