//! A folder with one file for each session; each file is used once.
//!
//! A file is moved to `used/` before anything that depends on it is sent, and the move is flushed
//! to the disk first. So neither a crash nor a second server uses it again.

use super::{InputsError, Taking};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

const USED: &str = "used";

/// A file that belongs to this session alone.
pub(super) struct Taken {
    /// The path it was moved to.
    pub path: PathBuf,
    /// Its original name, for messages.
    pub name: String,
    /// Whether its name indicates raw bytes.
    pub bytes: bool,
}

pub(super) fn prepare(folder: &Path) -> io::Result<()> {
    fs::read_dir(folder)?;
    match fs::create_dir(folder.join(USED)) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Files that may be taken, sorted by name. Names that begin with a dot are skipped, because tools
/// use such names for incomplete files.
fn waiting(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
            && entry.file_type()?.is_file()
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(super) fn has_more(folder: &Path) -> bool {
    waiting(folder).is_ok_and(|names| !names.is_empty())
}

/// Moves the first file away for the session `id`.
pub(super) fn take(folder: &Path, id: &str, taking: &Taking) -> Result<Taken, InputsError> {
    let _one = taking.lock().unwrap_or_else(PoisonError::into_inner);
    let shown = folder.display();
    let failed = |error: io::Error| InputsError::Failed(format!("{shown}: {error}"));
    for name in waiting(folder).map_err(failed)? {
        // The session's id makes the name unique.
        let path = folder.join(USED).join(format!("{id}-{name}"));
        match fs::rename(folder.join(&name), &path) {
            // Another server took it first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            moved => moved.map_err(failed)?,
        }
        // The move is on the disk only after both folders are synced.
        for changed in [folder.join(USED), folder.to_owned()] {
            File::open(changed).and_then(|folder| folder.sync_all()).map_err(failed)?;
        }
        let bytes = name.to_ascii_lowercase().ends_with(".bin");
        return Ok(Taken { path, name, bytes });
    }
    Err(InputsError::UsedUp(shown.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_taken_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let (path, taking) = (folder.path(), Taking::default());
        prepare(path).unwrap();
        prepare(path).unwrap();
        fs::create_dir(path.join("a-folder")).unwrap();
        for (name, content) in [("b.json", "2"), ("a.bin", "1"), (".c.json", "3")] {
            fs::write(path.join(name), content).unwrap();
        }
        assert!(has_more(path));
        let first = take(path, "s-1", &taking).unwrap();
        assert_eq!((first.name.as_str(), first.bytes), ("a.bin", true));
        let second = take(path, "s-2", &taking).unwrap();
        assert_eq!(fs::read_to_string(&second.path).unwrap(), "2");
        assert!(second.path.ends_with("used/s-2-b.json") && !second.bytes);
        assert!(!has_more(path));
        assert!(matches!(take(path, "s-3", &taking), Err(InputsError::UsedUp(_))));
        // A new file of the same name is another file, and the used one is kept.
        fs::write(path.join("b.json"), "4").unwrap();
        assert_eq!(fs::read_to_string(take(path, "s-4", &taking).unwrap().path).unwrap(), "4");
        assert_eq!(fs::read_to_string(second.path).unwrap(), "2");
    }

    #[test]
    fn many_threads_take_different_files() {
        let folder = tempfile::tempdir().unwrap();
        let (path, taking) = (folder.path(), Taking::default());
        prepare(path).unwrap();
        for number in 0..40 {
            fs::write(path.join(format!("{number}.txt")), number.to_string()).unwrap();
        }
        let took = std::thread::scope(|scope| {
            let taking = &taking;
            let threads: Vec<_> = (0..50)
                .map(|id| scope.spawn(move || take(path, &format!("s-{id}"), taking).ok()))
                .collect();
            let taken = threads.into_iter().filter_map(|thread| thread.join().unwrap());
            taken.map(|taken| fs::read_to_string(taken.path).unwrap()).collect::<Vec<_>>()
        });
        let mut different = took.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!((took.len(), different.len()), (40, 40));
    }
}
