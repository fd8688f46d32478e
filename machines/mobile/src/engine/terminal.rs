//! A simulated chip behind a pseudo-terminal, which programs use like the port of a board. The byte
//! rate is limited to the link's rate, both in the chip's time and in real time.

use super::error::PortError;
use super::host::Port;
use super::model::{Clocked, Faulty, Linked};
use halfgate_engine::EngineError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{ffi::OsString, thread};
use zeroize::Zeroizing;

/// Number of idle clock cycles after which the chip rests: its clock stops. Wiping the memory takes
/// fewer.
const RESTS: u64 = 40_000;
/// Number of clock cycles between reads of the terminal.
const LOOKS: u64 = 128;
/// Maximum bytes of one read.
const PIECE: usize = 64;
/// Interval at which a resting chip checks `stop`.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
/// Maximum time by which the chip's time may be ahead of real time.
const AHEAD: Duration = Duration::from_millis(1);

/// What a chip behind a terminal shares with other threads: a flag that stops the chip, whether it
/// rests, and the number of its clock cycles.
#[derive(Default)]
pub struct Watch {
    /// Set to stop the chip.
    pub stop: AtomicBool,
    /// Set while the chip rests: it has answered all bytes that it received. The host clears it
    /// before it sends more.
    pub rests: AtomicBool,
    /// Busy clock cycles: from the first to the last byte of each busy period.
    pub clocks: AtomicU64,
}

/// A pseudo-terminal, removed on drop.
pub struct Terminal {
    chip: OwnedFd,
    /// The host's side. It is kept open, because hosts connect and disconnect.
    _host: OwnedFd,
    path: PathBuf,
}

impl Terminal {
    /// Opens a pseudo-terminal without echo.
    ///
    /// # Errors
    /// If the system cannot open a pseudo-terminal.
    pub fn open() -> Result<Terminal, EngineError> {
        let wrong = |error: Errno| EngineError::device(PortError::NoTerminal(error.into()));
        let chip = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map_err(wrong)?;
        grantpt(&chip).map_err(wrong)?;
        unlockpt(&chip).map_err(wrong)?;
        let path = ptsname(&chip, Vec::new()).map_err(wrong)?;
        let path = PathBuf::from(OsString::from_vec(path.into_bytes()));
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let host = rustix::fs::open(&path, flags, rustix::fs::Mode::empty()).map_err(wrong)?;
        let mut line = tcgetattr(&host).map_err(wrong)?;
        line.make_raw();
        tcsetattr(&host, OptionalActions::Now, &line).map_err(wrong)?;
        rustix::io::ioctl_fionbio(&chip, true).map_err(wrong)?;
        Ok(Terminal { chip, _host: host, path })
    }

    /// Path of the host's side.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Serves the chip's side of the link until `stop` is set, or until `unplug` bytes were
    /// received.
    ///
    /// # Errors
    /// If the simulation or the terminal fails.
    pub fn serve<C: Clocked>(
        self,
        mut chip: Faulty<Linked<C>>,
        unplug: Option<u64>,
        watch: &Watch,
    ) -> Result<(), EngineError> {
        let gone = |error: Errno| EngineError::device(PortError::Terminal(error.into()));
        let mut piece = Zeroizing::new([0; PIECE]);
        let mut to_host = Zeroizing::new(Vec::new());
        let (mut pace, mut taken) = (None::<Pace>, 0);
        while !watch.stop.load(Ordering::Relaxed) {
            let count = match rustix::io::read(&self.chip, &mut piece[..]) {
                Ok(count) => count,
                Err(Errno::AGAIN | Errno::INTR) => 0,
                Err(error) => return Err(gone(error)),
            };
            let clocks = chip.port().clocks();
            let now = pace.get_or_insert_with(|| Pace::new(clocks, chip.port().seconds()));
            match count {
                0 => chip.port().rest(LOOKS)?,
                count => chip.send(&piece[..count])?,
            }
            to_host.extend(Zeroizing::new(chip.receive(false)?).iter());
            if count > 0 || !to_host.is_empty() {
                now.last = chip.port().clocks();
            }
            while !to_host.is_empty() {
                match rustix::io::write(&self.chip, &to_host) {
                    Ok(count) => drop(to_host.drain(..count)),
                    // The terminal is full. The host may read later.
                    Err(Errno::AGAIN | Errno::INTR) => break,
                    Err(error) => return Err(gone(error)),
                }
            }
            now.hold(chip.port().seconds());
            taken += count as u64;
            if unplug.is_some_and(|most| taken >= most) {
                break;
            }
            if chip.port().clocks() > now.last + RESTS {
                watch.clocks.fetch_add(now.last - now.first, Ordering::Relaxed);
                pace = None;
                watch.rests.store(true, Ordering::Relaxed);
                let mut requested = [PollFd::new(&self.chip, PollFlags::IN)];
                while !watch.stop.load(Ordering::Relaxed) {
                    match poll(&mut requested, Some(&PAUSE)) {
                        Ok(0) | Err(Errno::INTR) => (),
                        Ok(_) => break,
                        Err(error) => return Err(gone(error)),
                    }
                }
                watch.rests.store(false, Ordering::Relaxed);
            }
        }
        if let Some(now) = pace {
            watch.clocks.fetch_add(now.last - now.first, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Timing of a busy period, between two rests.
struct Pace {
    first: u64,
    last: u64,
    began: (Instant, f64),
}

impl Pace {
    fn new(clocks: u64, seconds: f64) -> Pace {
        Pace { first: clocks, last: clocks, began: (Instant::now(), seconds) }
    }

    /// Sleeps while the chip's time is ahead of real time.
    fn hold(&self, seconds: f64) {
        let chip = Duration::from_secs_f64((seconds - self.began.1).max(0.0));
        let ahead = chip.saturating_sub(self.began.0.elapsed());
        if ahead > AHEAD {
            thread::sleep(ahead);
        }
    }
}
