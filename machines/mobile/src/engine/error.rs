//! What the host finds wrong with a chip, its port, or a simulated one.

use halfgate_mobile_model::frame::FrameError;
use halfgate_mobile_model::transport::LinkError;
use std::io;
use std::path::PathBuf;

/// Why a port, or the chip behind it, cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// The system refuses what is done to open it.
    #[error("{}: cannot {doing}: {error}", .path.display())]
    Open {
        /// The port or device.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's error.
        error: io::Error,
    },
    /// It does not have the rate.
    #[error("{}: cannot set {baud} baud: {error}", .path.display())]
    Baud {
        /// The port.
        path: PathBuf,
        /// The rate that was asked for.
        baud: u32,
        /// The system's error.
        error: io::Error,
    },
    /// It does not have the mode, or the rate.
    #[error("{}: cannot have mode 0 at {hz} Hz: {error}", .path.display())]
    SpiRate {
        /// The device.
        path: PathBuf,
        /// The rate that was asked for, in Hz.
        hz: u32,
        /// The system's error.
        error: io::Error,
    },
    /// There is something else at this path.
    #[error("{} is no {what}", .path.display())]
    Other {
        /// The path.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
    },
    /// Another program has it.
    #[error("{} is in use", .path.display())]
    InUse {
        /// The port or device.
        path: PathBuf,
    },
    /// It was there, and is not any more.
    #[error("the port {} is gone; was the coprocessor unplugged?{}", .path.display(), why(.error))]
    Gone {
        /// The port.
        path: PathBuf,
        /// The system's error, if it gives one.
        error: Option<io::Error>,
    },
    /// More bytes come than a coprocessor ever sends.
    #[error(
        "{} sends more than a coprocessor would: is it the right port, at the right rate?",
        .path.display()
    )]
    TooMuch {
        /// The port.
        path: PathBuf,
    },
    /// It takes no bytes any more.
    #[error("the port {} takes no bytes any more", .path.display())]
    Stuck {
        /// The port.
        path: PathBuf,
    },
    /// Bytes cannot be exchanged.
    #[error("the SPI device {name} fails: {error}")]
    Spi {
        /// The device.
        name: String,
        /// The system's error.
        error: io::Error,
    },
    /// More bytes come than were asked for.
    #[error("{name} says more than it is asked")]
    Unasked {
        /// The device.
        name: String,
    },
    /// What is at the port speaks wrongly, or not at all.
    #[error("{engine}: {error}")]
    Link {
        /// The engine's name.
        engine: String,
        /// What is wrong with the other end.
        error: LinkError,
    },
    /// A label came that nobody asked for.
    #[error("{engine}: a label came back that nobody read")]
    UnreadLabel {
        /// The engine's name.
        engine: String,
    },
    /// There is no pseudo-terminal for a simulated chip.
    #[error("cannot open a pseudo-terminal: {0}")]
    NoTerminal(io::Error),
    /// The pseudo-terminal failed.
    #[error("the pseudo-terminal failed: {0}")]
    Terminal(io::Error),
    /// Nobody has tried a chip on this system.
    #[error("{what}: coprocessors at a port are supported on Linux only")]
    LinuxOnly {
        /// What was to be opened.
        what: String,
    },
}

/// What a simulated chip did that it must not. What the chip shows is kept as text, which leaves
/// labels out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChipError {
    /// The SystemVerilog shows something else than the model.
    #[error("clock {clock}: RTL {rtl}, model {model}")]
    Differs {
        /// The clock, from 0.
        clock: u64,
        /// What the SystemVerilog shows.
        rtl: String,
        /// What the model shows.
        model: String,
    },
    /// It asked for something else before the first was taken.
    #[error("clock {clock}: the label memory was asked {now}, and before it took that {then}")]
    Requested {
        /// The clock, from 0.
        clock: u64,
        /// What was asked first.
        now: String,
        /// What is asked instead.
        then: String,
    },
    /// What was sent to it is no frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// It takes no bytes, and does nothing.
    #[error("the core takes nothing more")]
    TakesNothing,
    /// The thread that simulates it ended.
    #[error("the chip's thread panicked")]
    Panicked,
}

fn why(error: &Option<io::Error>) -> String {
    error.as_ref().map_or_else(String::new, |error| format!(": {error}"))
}
