//! Files with values: reading leaves no copies, and written files belong to their owner only.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// Maximum bytes of a session's values.
const MAX_BYTES: usize = 256 << 20;

/// Reads the file at `path`.
pub(crate) fn read(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    read_all(&mut File::open(path)?)
}

/// Reads to the end. Buffers that became too small are wiped.
pub(crate) fn read_all(from: &mut dyn Read) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut all = Zeroizing::new(vec![0; 64 << 10]);
    let mut end = 0;
    loop {
        if end == all.len() {
            if end >= MAX_BYTES {
                let what = format!("more than {MAX_BYTES} bytes of values");
                return Err(io::Error::other(what));
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

/// Writes the file `name` into `folder`, for its owner only (mode 0600). The file appears complete
/// or not at all, and an existing file of that name is not replaced.
pub(crate) fn write(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".halfgate-").tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(folder.join(name)).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_content_is_read_whole() {
        let content: Vec<u8> = (0..200_001u32).map(|number| number as u8).collect();
        assert_eq!(*read_all(&mut &content[..]).unwrap(), content);
        assert!(read_all(&mut &[][..]).unwrap().is_empty());
    }

    #[test]
    fn a_file_belongs_to_its_owner_and_replaces_no_file() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "a.json", b"1").unwrap();
        assert!(write(folder.path(), "a.json", b"2").is_err());
        let path = folder.path().join("a.json");
        assert_eq!(std::fs::read(&path).unwrap(), b"1");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
