//! Files that only their owner may use. Systems without Unix's modes have no such thing to set or
//! to look at: there the folder's own permissions protect a file.

use std::fs::{Metadata, OpenOptions};

/// Has `options` create files with this mode, where there are modes.
pub fn set_mode(options: &mut OpenOptions, mode: u32) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
    #[cfg(not(unix))]
    let _ = (options, mode);
}

/// The mode of a file that others than its owner may use.
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
