//! `halfgate chip`: a simulated coprocessor at a pseudo-terminal. A party in another process can
//! use it.

use super::device::{Chip, PREFIX};
use crate::engine::terminal::{Terminal, Watch};
use clap::Args;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{interrupt, print};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Arguments of `halfgate chip`.
#[derive(Args, Debug)]
#[command(after_help = CHIP_HELP)]
pub struct ChipArgs {
    /// The simulated chip, as settings separated by commas: chip=rtl|model, link=spi|uart3|uart12
    /// (limits the byte rate), faults=N (one in N bytes is lost, duplicated or altered), unplug=N
    /// (the chip is unplugged after N bytes) [default: chip=rtl,link=spi]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "KEY=VALUE,…")]
    pub options: String,
}

const CHIP_HELP: &str = "\
It prints the engine's name and serves until Ctrl-C. In two terminals:
  halfgate chip --options link=uart3
  halfgate run divide:64 --garbler 1000 --evaluator 7 --evaluator-engine mobile:/dev/pts/3";

/// Interval at which a request to stop is checked.
const LOOKS: Duration = Duration::from_millis(20);

/// Serves a simulated chip until it is interrupted.
///
/// # Errors
/// If the chip cannot be built, there is no pseudo-terminal, or the simulation fails.
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
