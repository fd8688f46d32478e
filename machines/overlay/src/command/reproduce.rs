//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.quick || args.netlists.is_some() {
        let what = "overlay has no --quick or --netlists: it takes seconds, on built-in programs";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = args.wanted(&reproduce::PARTS)?;
    let found = reproduce::reproduce(&want, &mut print::note);
    let (parts, targets) = found.map_err(Failure::with(Exit::Local))?;
    Ok(Reproduced { parts, targets })
}
