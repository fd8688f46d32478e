//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.quick || args.netlists.is_some() {
        let what =
            "garbledcpu has no --quick and no --netlists: it runs our own programs, in minutes";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = args.wanted(&reproduce::PARTS)?;
    let command = std::env::current_exe().map_err(Failure::with(Exit::Local))?;
    let found = reproduce::reproduce(&command, &want, &mut print::note);
    let (parts, targets) = found.map_err(Failure::with::<String>(Exit::Local))?;
    Ok(Reproduced { parts, targets })
}
