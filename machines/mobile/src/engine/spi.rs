//! The chip behind an SPI device of Linux, such as `/dev/spidev0.0`. Each transfer moves bytes in
//! both directions. A byte 0 between frames has no meaning, so the host sends zeros in order to
//! receive.

use super::error::PortError;
use super::host::Port;
use super::receive_buffer::ReceiveBuffer;
use halfgate_engine::EngineError;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use spidev::{SpiModeFlags, Spidev, SpidevOptions, SpidevTransfer};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// Timeout. It is many times longer than the chip takes to wipe its memory.
const PATIENCE: Duration = Duration::from_millis(300);
/// Maximum bytes of one transfer: the default limit of the system's driver.
const PIECE: usize = 4096;
/// Number of zeros in a transfer that only receives: little more than the frame of a label.
const LISTENS: usize = 32;

/// A device that receives as many bytes as it sends.
pub trait Exchange {
    /// Sends `out`, and writes the bytes that are received meanwhile to `came`.
    ///
    /// # Errors
    /// If the system reports an error.
    fn exchange(&mut self, out: &[u8], came: &mut [u8]) -> io::Result<()>;
}

impl Exchange for Spidev {
    fn exchange(&mut self, out: &[u8], came: &mut [u8]) -> io::Result<()> {
        self.transfer(&mut SpidevTransfer::read_write(out, came))
    }
}

/// The chip at an SPI device, locked until it is closed.
pub struct Spi<E> {
    device: E,
    name: String,
    /// Received bytes. A zero after another zero is dropped.
    receive_buffer: ReceiveBuffer,
    /// Whether the last received byte was 0.
    rests: bool,
}

/// Opens a device at this many Hz, in mode 0, with eight bits per byte, the highest bit first.
///
/// # Errors
/// If there is no such device, it is no SPI device, it does not support the rate, or it is in use.
pub fn open(path: &Path, hz: u32) -> Result<Spi<Spidev>, EngineError> {
    let own = || path.to_owned();
    let wrong = |doing, error| EngineError::device(PortError::Open { path: own(), doing, error });
    let mut device = Spidev::open(path).map_err(|error| wrong("open the device", error))?;
    flock(device.inner(), FlockOperation::NonBlockingLockExclusive).map_err(
        |error| match error {
            Errno::AGAIN => EngineError::device(PortError::InUse { path: own() }),
            error => wrong("lock the device", error.into()),
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
            EngineError::device(PortError::Other { path: own(), what: "SPI device" })
        }
        _ => EngineError::device(PortError::SpiRate { path: own(), hz, error }),
    })?;
    Ok(Spi::new(path.display().to_string(), device, PATIENCE))
}

impl<E: Exchange> Spi<E> {
    /// Uses a device that has this name and this timeout.
    pub fn new(name: String, device: E, patience: Duration) -> Spi<E> {
        Spi { device, name, receive_buffer: ReceiveBuffer::new(patience), rests: true }
    }

    fn exchange(&mut self, out: &[u8]) -> Result<(), EngineError> {
        let mut came = Zeroizing::new([0; PIECE]);
        let came = &mut came[..out.len()];
        self.device.exchange(out, came).map_err(|error| {
            EngineError::device(PortError::Spi { name: self.name.clone(), error })
        })?;
        for &byte in &*came {
            if byte != 0 || !self.rests {
                if self.receive_buffer.space() == 0 {
                    let name = self.name.clone();
                    return Err(EngineError::device(PortError::Unasked { name }));
                }
                self.receive_buffer.came.push(byte);
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

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let since = Instant::now();
        // The chip can send only during a transfer.
        self.exchange(&[0; LISTENS])?;
        while waits
            && self.receive_buffer.came.is_empty()
            && since.elapsed() < self.receive_buffer.patience
        {
            self.exchange(&[0; LISTENS])?;
        }
        Ok(self.receive_buffer.take(since, waits))
    }

    fn is_late(&self) -> bool {
        self.receive_buffer.is_late()
    }

    fn restart_timeout(&mut self) {
        self.receive_buffer.restart_timeout();
    }
}
