//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.quick {
        let what = "fase has no --quick: it takes only seconds at the paper's sizes";
        return Err(Failure::new(Exit::Usage, what));
    }
    let parts = args.wanted(&reproduce::PARTS)?;
    let want = reproduce::Want { parts, netlists: args.netlists.clone() };
    let command = std::env::current_exe().map_err(Failure::with(Exit::Local))?;
    let found = reproduce::reproduce(&command, &want, &mut print::note);
    let (parts, targets) = found.map_err(Failure::with::<String>(Exit::Circuit))?;
    Ok(Reproduced { parts, targets })
}
