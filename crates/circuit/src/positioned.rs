//! Reads and writes files at an offset. Operating systems have different names for these
//! operations.

#[cfg(unix)]
pub use std::os::unix::fs::FileExt;

/// The trait `std::os::unix::fs::FileExt` of Unix, for Windows. Here the file's cursor moves too,
/// so a file must be used either by offset or in order, not both.
#[cfg(windows)]
pub trait FileExt {
    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// An error of the system, or if the file ends too early.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()>;

    /// Writes all of `buffer` from `offset` on.
    ///
    /// # Errors
    /// An error of the system.
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> std::io::Result<()>;
}

#[cfg(windows)]
impl FileExt for std::fs::File {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let at = offset + done as u64;
            match std::os::windows::fs::FileExt::seek_read(self, &mut buffer[done..], at) {
                Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write_all_at(&self, buffer: &[u8], offset: u64) -> std::io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let at = offset + done as u64;
            match std::os::windows::fs::FileExt::seek_write(self, &buffer[done..], at) {
                Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
