//! `halfgate programs`.

use crate::args::ListArgs;
use crate::error::Failure;
use crate::print;
use serde_json::json;

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let all = halfgate_programs::all();
    if args.json {
        let program = |info: &halfgate_programs::ProgramInfo| {
            json!({
                "name": info.name,
                "parameters": info.params,
                "default": info.default,
                "summary": info.summary,
                "ports": info.ports,
            })
        };
        return print::line(
            &json!({ "programs": all.iter().map(program).collect::<Vec<_>>() }).to_string(),
        );
    }
    for info in all {
        print::line(&format!("{}\n    {}\n    {}", info.usage(), info.summary, info.ports))?;
    }
    Ok(())
}
