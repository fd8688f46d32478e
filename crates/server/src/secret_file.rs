//! Files with secrets: reading leaves no copies, and written files belong to their owner only.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// Maximum bytes of a session's values.
pub(crate) const MAX_VALUE_BYTES: usize = 256 << 20;

/// Reads the file at `path`, of about `most` bytes at most.
///
/// # Errors
/// If it cannot be read, or is longer.
pub fn read(path: &Path, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    read_all(&mut File::open(path)?, most)
}

/// Reads to the end. Buffers that became too small are wiped.
pub(crate) fn read_all(from: &mut dyn Read, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut all = Zeroizing::new(vec![0; 64 << 10]);
    let mut end = 0;
    loop {
        if end == all.len() {
            if end >= most {
                return Err(io::Error::other(format!("more than {most} bytes")));
            }
            let mut larger = Zeroizing::new(vec![0; 2 * end]);
            larger[..end].copy_from_slice(&all);
            all = larger;
        }
        match from.read(&mut all[end..]) {
            Ok(0) => break,
            Ok(count) => end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    all.truncate(end);
    Ok(all)
}

/// Lets `body` write the file at `path`, for its owner only (mode 0600). The file appears complete
/// or not at all, and an existing file of that name is not replaced.
///
/// # Errors
/// Those of `body` and of the system.
pub fn write(path: &Path, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".halfgate-").tempfile_in(folder)?;
    body(&mut file)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    // This makes the new name survive a crash too, where the file system supports it.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_content_is_read_whole() {
        let content: Vec<u8> = (0..200_001u32).map(|number| number as u8).collect();
        assert_eq!(*read_all(&mut &content[..], MAX_VALUE_BYTES).unwrap(), content);
        assert!(read_all(&mut &[][..], MAX_VALUE_BYTES).unwrap().is_empty());
    }

    #[test]
    fn a_file_belongs_to_its_owner_and_replaces_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, |file| file.write_all(b"1")).unwrap();
        assert!(write(&path, |file| file.write_all(b"2")).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"1");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
