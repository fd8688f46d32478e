//! `halfgate programs`.

use crate::args::ListArgs;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_programs::ProgramInfo;
use halfgate_programs::ports::{PortType, Width};
use serde_json::{Value, json};

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let all = halfgate_programs::all();
    if args.json {
        let program = |info: &ProgramInfo| {
            json!({
                "name": info.name,
                "parameters": info.params,
                "default": info.default,
                "summary": info.summary,
                "ports": info.ports,
                "types": info.types.iter().map(|of| port_type(info, of)).collect::<Vec<_>>(),
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

/// The JSON of a port that is not one unsigned integer. `bits` is the width of an element: a
/// number, the name of the parameter that sets it, or null if the port is one element.
fn port_type(info: &ProgramInfo, of: &PortType) -> Value {
    let bits = match of.width {
        Width::Port => Value::Null,
        Width::Bits(bits) => json!(bits),
        Width::Parameter(place) => json!(info.params.split(['x', '+']).nth(place)),
    };
    let mut named = json!({
        "name": of.name,
        "element": of.element.kind(),
        "bits": bits,
        "set": of.is_set,
    });
    if let Some(fraction) = of.element.fraction() {
        named["fraction"] = json!(fraction);
    }
    named
}
