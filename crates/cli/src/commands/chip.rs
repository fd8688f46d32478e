//! `halfgate chip`: a simulated coprocessor at a pseudo-terminal, for a party in another process.

use crate::args::ChipArgs;
use crate::device_engine::{Chip, PREFIX};
use crate::error::{Exit, Failure};
use crate::{interrupt, print};
use halfgate_engine::mobile::terminal::{Terminal, Watch};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// How often it is looked whether to stop.
const LOOKS: Duration = Duration::from_millis(20);

/// Serves a chip until it is interrupted.
///
/// # Errors
/// If it cannot be built, there is no terminal, or it fails.
pub fn execute(args: &ChipArgs) -> Result<(), Failure> {
    let serve = Chip::of("chip", &args.options)?.serve(None)?;
    let cancel = interrupt::flag_for("switching the coprocessor off")?;
    let local = Failure::with(Exit::Local);
    let terminal = Terminal::open().map_err(&local)?;
    print::line(&format!("{PREFIX}{}", terminal.path().display()))?;
    let watch = Arc::new(Watch::default());
    let served = {
        let watch = Arc::clone(&watch);
        thread::spawn(move || serve(terminal, &watch))
    };
    while !served.is_finished() {
        watch.stop.fetch_or(cancel.load(Ordering::SeqCst), Ordering::Relaxed);
        thread::sleep(LOOKS);
    }
    let gone = || Failure::new(Exit::Local, "the chip's thread panicked; please report this");
    served.join().map_err(|_| gone())?.map_err(local)
}
