//! `halfgate machines`.

use crate::args::ListArgs;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_registry::MACHINES;
use serde_json::{Map, Value, json};

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let mut list = Vec::new();
    for machine in MACHINES {
        for found in machine.configurations()? {
            if args.json {
                let mut facts = Map::new();
                facts.insert("machine".to_owned(), json!(machine.name()));
                facts.insert("name".to_owned(), json!(found.name));
                facts.insert("about".to_owned(), json!(found.about));
                facts.extend(found.facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)));
                list.push(Value::Object(facts));
                continue;
            }
            print::line(&format!("{}\n    {}", found.name, found.about))?;
            found.details.iter().try_for_each(|line| print::line(&format!("    {line}")))?;
        }
    }
    if args.json {
        return print::line(&json!({ "machines": list }).to_string());
    }
    Ok(())
}
