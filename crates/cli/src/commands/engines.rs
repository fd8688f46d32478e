//! `halfgate engines`.

use crate::args::ListArgs;
use crate::error::Failure;
use crate::{options, print};
use halfgate_engine::kernels;
use serde_json::json;

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let best = kernels::best().name;
    if args.json {
        let kernels: Vec<_> = kernels::KERNELS
            .iter()
            .map(|k| json!({ "name": k.name, "works": k.is_available(), "chosen": k.name == best }))
            .collect();
        let engines: Vec<_> = options::ENGINES
            .iter()
            .map(|(name, what)| json!({ "name": name, "what": what, "kernels": kernels }))
            .collect();
        return print::line(&json!({ "engines": engines }).to_string());
    }
    for (name, what) in options::ENGINES {
        print::line(&format!("{name}    {what}; its kernels (--kernel):"))?;
    }
    for kernel in kernels::KERNELS {
        let state = match (kernel.is_available(), kernel.name == best) {
            (true, true) => "works here, chosen",
            (true, false) => "works here",
            (false, _) => "this processor lacks its instructions",
        };
        print::line(&format!("    {:10} {state}", kernel.name))?;
    }
    Ok(())
}
