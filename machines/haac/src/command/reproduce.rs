//! `halfgate reproduce`.

use crate::reproduce;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;

pub fn reproduce(args: &ReproduceArgs) -> Result<Reproduced, Failure> {
    if args.netlists.is_some() {
        let what = "--netlists is not for haac: its programs are built in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = reproduce::Want::of(&args.only, args.quick).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && args.quick {
        let what = "--out writes the targets at the paper's sizes: omit --quick";
        return Err(Failure::new(Exit::Usage, what));
    }
    let found = reproduce::reproduce(&want, &mut print::note);
    let found = found.map_err(Failure::with::<String>(Exit::Local))?;
    Ok(Reproduced { parts: found.parts, targets: found.targets })
}
