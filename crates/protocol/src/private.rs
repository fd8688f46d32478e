//! Files that only their owner may use. Systems without Unix file modes have nothing to set or
//! check here; the folder's permissions protect a file there.

use std::fs::{Metadata, OpenOptions};

/// Makes `options` create files with this mode, on systems that have modes.
pub fn set_mode(options: &mut OpenOptions, mode: u32) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
    #[cfg(not(unix))]
    let _ = (options, mode);
}

/// The mode of the file if users other than its owner may use it.
pub fn shared_mode(file: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o7777;
        (mode & 0o077 != 0).then_some(mode)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}
