//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;
use halfgate_record::part::Wanted;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.quick || args.netlists.is_some() {
        let what =
            "--quick and --netlists are for others: garbledcpu takes minutes, on our own programs";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = Wanted::of(&args.only, &reproduce::PARTS).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && !want.has("targets") {
        let what = "--out writes the targets: leave --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let command = std::env::current_exe().map_err(Failure::with(Exit::Local))?;
    let found = reproduce::reproduce(&command, &want, &mut print::note);
    let (parts, targets) = found.map_err(Failure::with::<String>(Exit::Local))?;
    Ok(Reproduced { parts, targets })
}
