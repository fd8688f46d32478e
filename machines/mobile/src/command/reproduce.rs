//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.quick {
        let what = "mobile has no --quick: it takes seconds";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = args.wanted(&reproduce::PARTS)?;
    let found = reproduce::reproduce(&want, args.netlists.as_deref(), &mut print::note);
    let (parts, targets) = found.map_err(Failure::with(Exit::Local))?;
    Ok(Reproduced { parts, targets })
}
