//! Errors of a port, of the chip behind it, and of a simulated chip.

use halfgate_mobile_model::frame::FrameError;
use halfgate_mobile_model::transport::LinkError;
use std::io;
use std::path::PathBuf;

/// Why a port, or the chip behind it, cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// The system refused a step of opening the port.
    #[error("{}: cannot {doing}: {error}", .path.display())]
    Open {
        /// The port or device.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// The system's error.
        error: io::Error,
    },
    /// The port does not support the rate.
    #[error("{}: cannot set {baud} baud: {error}", .path.display())]
    Baud {
        /// The port.
        path: PathBuf,
        /// The requested rate.
        baud: u32,
        /// The system's error.
        error: io::Error,
    },
    /// The SPI device does not support mode 0 or the rate.
    #[error("{}: cannot set mode 0 at {hz} Hz: {error}", .path.display())]
    SpiRate {
        /// The device.
        path: PathBuf,
        /// The requested rate, in Hz.
        hz: u32,
        /// The system's error.
        error: io::Error,
    },
    /// The path is no port of the expected kind.
    #[error("{} is no {what}", .path.display())]
    Other {
        /// The path.
        path: PathBuf,
        /// The expected kind.
        what: &'static str,
    },
    /// Another program uses the port.
    #[error("{} is in use", .path.display())]
    InUse {
        /// The port or device.
        path: PathBuf,
    },
    /// The port has disappeared.
    #[error("the port {} is gone; was the coprocessor unplugged?{}", .path.display(), why(.error))]
    Gone {
        /// The port.
        path: PathBuf,
        /// The system's error, if there is one.
        error: Option<io::Error>,
    },
    /// More bytes were received than a coprocessor ever sends.
    #[error(
        "{} sends more than a coprocessor would: is it the right port, at the right rate?",
        .path.display()
    )]
    TooMuch {
        /// The port.
        path: PathBuf,
    },
    /// The port does not accept bytes any more.
    #[error("the port {} accepts no more bytes", .path.display())]
    Stuck {
        /// The port.
        path: PathBuf,
    },
    /// A transfer with the SPI device failed.
    #[error("the SPI device {name} fails: {error}")]
    Spi {
        /// The device.
        name: String,
        /// The system's error.
        error: io::Error,
    },
    /// More bytes were received than the host requested.
    #[error("the SPI device {name} sends more than a coprocessor would: is it the right device?")]
    Unasked {
        /// The device.
        name: String,
    },
    /// The device at the port violates the link's protocol, or does not respond.
    #[error("{engine}: {error}")]
    Link {
        /// The engine's name.
        engine: String,
        /// The error of the link.
        error: LinkError,
    },
    /// The chip returned a label that was not requested.
    #[error("{engine}: the coprocessor returned a label that was not requested")]
    UnreadLabel {
        /// The engine's name.
        engine: String,
    },
    /// A pseudo-terminal for a simulated chip cannot be opened.
    #[error("cannot open a pseudo-terminal: {0}")]
    NoTerminal(io::Error),
    /// The pseudo-terminal failed.
    #[error("the pseudo-terminal failed: {0}")]
    Terminal(io::Error),
    /// Ports are untested on this system.
    #[error("{what}: coprocessors at a port are supported on Linux only")]
    LinuxOnly {
        /// The port or device that could not be opened.
        what: String,
    },
}

/// Errors of a simulated chip. Observed events are stored as text, which contains no labels.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChipError {
    /// The SystemVerilog and the model have different events.
    #[error("clock {clock}: RTL {rtl}, model {model}")]
    Differs {
        /// Number of the clock cycle, from 0.
        clock: u64,
        /// Events of the SystemVerilog.
        rtl: String,
        /// Events of the model.
        model: String,
    },
    /// A request to the label memory was replaced before it was accepted.
    #[error(
        "clock {clock}: the request {now} to the label memory was replaced by {then} before it was accepted"
    )]
    Requested {
        /// Number of the clock cycle, from 0.
        clock: u64,
        /// The first request.
        now: String,
        /// The request that replaced it.
        then: String,
    },
    /// Received bytes were no frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The core accepts no bytes and makes no progress.
    #[error("the core accepts no more bytes")]
    TakesNothing,
    /// The thread of the simulation panicked.
    #[error("the chip's thread panicked")]
    Panicked,
}

fn why(error: &Option<io::Error>) -> String {
    error.as_ref().map_or_else(String::new, |error| format!(": {error}"))
}
