//! SPI with the chip behind it, as Linux has it: `/dev/spidev0.0`. Bytes go both ways at once, and 0 is nothing: who wants to hear sends
//! zeros.

use super::heard::Heard;
use super::host::Port;
use halfgate_engine::EngineError;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use spidev::{SpiModeFlags, Spidev, SpidevOptions, SpidevTransfer};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// How long nothing may come before something is believed to be lost: more than a chip takes to wipe its memory, many times.
const PATIENCE: Duration = Duration::from_millis(300);
/// Bytes that are exchanged at once at most: what the system's driver takes if it was not told otherwise.
const PIECE: usize = 4096;
/// Zeros that are sent at once to hear something: little more than a label's frame.
const LISTENS: usize = 32;

/// Whatever exchanges bytes: as many come as go.
pub trait Exchange {
    /// Sends bytes, and gives as many that came meanwhile.
    ///
    /// # Errors
    /// The system's.
    fn exchange(&mut self, out: &[u8], came: &mut [u8]) -> io::Result<()>;
}

impl Exchange for Spidev {
    fn exchange(&mut self, out: &[u8], came: &mut [u8]) -> io::Result<()> {
        self.transfer(&mut SpidevTransfer::read_write(out, came))
    }
}

/// The chip at an SPI device, no other host's until it is closed.
pub struct Spi<E> {
    device: E,
    name: String,
    /// But for zeros behind zeros.
    heard: Heard,
    /// Whether the last byte was 0.
    rests: bool,
}

/// Opens a device at so many Hz: mode 0, eight bits, the highest first.
///
/// # Errors
/// If there is none, it is no SPI device, lacks the rate, or is in use.
pub fn open(path: &Path, hz: u32) -> Result<Spi<Spidev>, EngineError> {
    let name = path.display().to_string();
    let wrong = |what: &str| EngineError::Device(format!("{name}: {what}"));
    let mut device =
        Spidev::open(path).map_err(|error| wrong(&format!("cannot open the device: {error}")))?;
    flock(device.inner(), FlockOperation::NonBlockingLockExclusive).map_err(
        |error| match error {
            Errno::AGAIN => EngineError::Device(format!("{name} is in use")),
            error => wrong(&format!("cannot have the device alone: {}", io::Error::from(error))),
        },
    )?;
    let options = SpidevOptions::new()
        .bits_per_word(8)
        .max_speed_hz(hz)
        .lsb_first(false)
        .mode(SpiModeFlags::SPI_MODE_0)
        .build();
    device.configure(&options).map_err(|error| match error.raw_os_error() {
        Some(code) if code == Errno::NOTTY.raw_os_error() => {
            EngineError::Device(format!("{name} is no SPI device"))
        }
        _ => wrong(&format!("cannot have mode 0 at {hz} Hz: {error}")),
    })?;
    Ok(Spi::new(name, device, PATIENCE))
}

impl<E: Exchange> Spi<E> {
    /// Over a device of this name; something is believed to be lost if nothing comes for so long.
    pub fn new(name: String, device: E, patience: Duration) -> Spi<E> {
        Spi { device, name, heard: Heard::new(patience), rests: true }
    }

    fn exchange(&mut self, out: &[u8]) -> Result<(), EngineError> {
        let mut came = Zeroizing::new([0; PIECE]);
        let came = &mut came[..out.len()];
        self.device.exchange(out, came).map_err(|error| {
            EngineError::Device(format!("the SPI device {} fails: {error}", self.name))
        })?;
        for &byte in &*came {
            if byte != 0 || !self.rests {
                if self.heard.room() == 0 {
                    let what = format!("{} says more than it is asked", self.name);
                    return Err(EngineError::Device(what));
                }
                self.heard.came.push(byte);
            }
            self.rests = byte == 0;
        }
        Ok(())
    }
}

impl<E: Exchange> Port for Spi<E> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        bytes.chunks(PIECE).try_for_each(|piece| self.exchange(piece))
    }

    fn hear(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let since = Instant::now();
        // What there is to be said is said when it is asked for.
        self.exchange(&[0; LISTENS])?;
        while waits && self.heard.came.is_empty() && since.elapsed() < self.heard.patience {
            self.exchange(&[0; LISTENS])?;
        }
        Ok(self.heard.take(since, waits))
    }

    fn is_late(&self) -> bool {
        self.heard.is_late()
    }

    fn news(&mut self) {
        self.heard.news();
    }
}
