//! Finds the command option that would avoid an engine's error. Engines do not know the command's
//! options.

use crate::machine::{Machine, SizeOption};
use halfgate_engine::{EngineError, Exceeded};

/// Returns text to append to `error`, an error of an engine of `machine`: the option that would
/// avoid it, if there is one.
pub fn advice(machine: Option<&dyn Machine>, error: &EngineError) -> Option<String> {
    match error {
        EngineError::Limit { engine, exceeded } => Some(larger(machine, engine, exceeded)),
        EngineError::Order { wanted: Some(order), .. } => {
            Some(format!("; --order {order} puts them in its order"))
        }
        _ => None,
    }
}

fn larger(machine: Option<&dyn Machine>, engine: &str, exceeded: &Exceeded) -> String {
    let option = machine.and_then(|machine| machine.size_option(engine, exceeded.resource));
    let enough = exceeded.needed.checked_next_power_of_two();
    match option.zip(enough) {
        Some((SizeOption { key, most }, enough)) if enough <= most => {
            format!("; {engine},{key}={enough} makes it larger, up to {most}")
        }
        _ => "; --engine cpu has no such limit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Configuration, EngineForm, EngineRequest};
    use halfgate_circuit::Party;
    use halfgate_compiler::Order;
    use halfgate_console::error::Failure;
    use halfgate_engine::{Engine, Resource, Suite};

    /// A machine with a configurable size of its input memory.
    struct Sized;

    impl Machine for Sized {
        fn name(&self) -> &'static str {
            "sized"
        }
        fn summary(&self) -> &'static str {
            ""
        }
        fn roles(&self) -> &'static [Party] {
            &[]
        }
        fn suites(&self) -> &'static [Suite] {
            &[]
        }
        fn engines(&self) -> &'static [EngineForm] {
            &[]
        }
        fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
            Ok(Vec::new())
        }
        fn engine(&self, _: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
            Err(self.lacks("engine"))
        }
        fn size_option(&self, _: &str, resource: Resource) -> Option<SizeOption> {
            let option = SizeOption { key: "inputs", most: 1 << 12 };
            (resource == Resource::InputWords).then_some(option)
        }
    }

    #[test]
    fn an_option_is_named_where_it_helps() {
        let printed = |resource, needed| {
            let exceeded = Exceeded { resource, needed, available: 8 };
            let error = EngineError::Limit { engine: "rtl:sized-1".to_owned(), exceeded };
            advice(Some(&Sized), &error).unwrap()
        };
        let larger = "; rtl:sized-1,inputs=1024 makes it larger, up to 4096";
        assert_eq!(printed(Resource::InputWords, 1000), larger);
        let none = "; --engine cpu has no such limit";
        assert_eq!(printed(Resource::InputWords, 5000), none);
        assert_eq!(printed(Resource::Gates, 1000), none);
    }

    #[test]
    fn an_order_is_named_where_one_helps() {
        let engine = || "model:sized".to_owned();
        let error = EngineError::Order { engine: engine(), wanted: Some(Order::Given) };
        assert_eq!(advice(None, &error).unwrap(), "; --order given puts them in its order");
        let error = EngineError::Order { engine: engine(), wanted: None };
        assert_eq!(advice(None, &error), None);
        assert_eq!(advice(None, &EngineError::Skips { engine: engine() }), None);
    }
}
