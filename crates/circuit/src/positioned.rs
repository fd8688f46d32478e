//! Reading and writing a file at an offset, on systems that differ in how that is called.

#[cfg(unix)]
pub use std::os::unix::fs::FileExt;

/// What `std::os::unix::fs::FileExt` has on Unix. Here the file's cursor moves as well, so a file
/// is either used by offset or read and written in order.
#[cfg(windows)]
pub trait FileExt {
    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// Those of the system, and if the file ends before.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()>;

    /// Writes all of `buffer` from `offset` on.
    ///
    /// # Errors
    /// Those of the system.
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
