//! The files of a library.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Most bytes of a file, unpacked. A library of 200 cells in 7 nm takes 25 MB.
const MAX_BYTES: u64 = 1 << 30;

/// The texts of Liberty files, and of those in folders.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(of_folder(path)?),
            false => files.push(path.clone()),
        }
    }
    files.into_iter().map(|path| Ok((path.clone(), text(&path)?))).collect()
}

fn of_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".lib") || name.ends_with(".lib.gz") {
            files.push(path);
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(format!("{}: it has no Liberty file (.lib, .lib.gz)", folder.display())),
        false => Ok(files),
    }
}

fn text(path: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(failed)?;
    let is_packed = path.extension().is_some_and(|end| end == "gz");
    let from: Box<dyn Read> =
        if is_packed { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut text = String::new();
    from.take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
    match text.len() as u64 {
        MAX_BYTES => Err(format!("{}: it has more than {MAX_BYTES} bytes", path.display())),
        _ => Ok(text),
    }
}
