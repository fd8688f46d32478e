//! Converts a user's values to the inputs of a session.

use crate::ports;
use halfgate_circuit::{Bits, Circuit, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_protocol::session::PartyInputs;
use halfgate_values::{self as values, Port, Value};
use std::io::Read;

/// Values of one party for one run, read but not yet converted to bits. The number of cycles may
/// depend on the other party's values, if both are in this process.
pub struct Given {
    party: Party,
    /// What the user named as the circuit.
    spec: String,
    ports: Vec<Port>,
    values: Vec<Value>,
    /// Inputs that the program itself supplies, not the user.
    implied: Vec<(String, Bits)>,
}

/// Standard input, until a value reads it.
pub type Stdin = Option<std::io::StdinLock<'static>>;

impl Given {
    /// Parses and reads `text`, the values of `party` for `circuit`, which the user named `spec`.
    /// The first value `-` reads `stdin`.
    ///
    /// # Errors
    /// If values are malformed or cannot be read, or their number differs from that of the ports.
    pub fn read<R: Read>(
        text: &str,
        spec: &str,
        circuit: &Circuit,
        party: Party,
        stdin: &mut Option<R>,
    ) -> Result<Given, Failure> {
        let implied = match party {
            Party::Garbler => ports::implied(spec, &circuit.inputs)?,
            Party::Evaluator => Vec::new(),
        };
        let mut ports = Port::of_party(&circuit.inputs, party);
        ports.retain(|port| implied.iter().all(|(name, _)| *name != port.name));
        let sources = values::parse(text).map_err(failure(party))?;
        let values = values::read(sources, &ports, stdin).map_err(failure(party))?;
        Ok(Given { party, spec: spec.to_owned(), ports, values, implied })
    }

    /// The number of cycles that the values have, if any value is per cycle.
    ///
    /// # Errors
    /// If bytes are not a whole number of cycles.
    pub fn cycles(&self) -> Result<Option<u64>, Failure> {
        values::cycles(&self.values, &self.ports).map_err(failure(self.party))
    }

    /// Converts the values to bits, with an entry for each input of `circuit`.
    ///
    /// # Errors
    /// If a value does not fit its port, or is not in the order that the program needs.
    pub fn bits(&self, circuit: &Circuit, cycles: u64) -> Result<PartyInputs, Failure> {
        let own = self.values.iter().zip(&self.ports);
        let own: Result<Vec<Bits>, _> = own.map(|(value, port)| value.bits(port, cycles)).collect();
        let own = own.map_err(failure(self.party))?;
        for (bits, port) in own.iter().zip(&self.ports) {
            ports::check_ascending(&self.spec, self.party, &port.name, bits)?;
        }
        let mut own = own.into_iter();
        let entry = |input: &halfgate_circuit::Input| {
            let implied = self.implied.iter().find(|(name, _)| *name == input.name);
            match implied {
                _ if input.party != self.party => None,
                Some((_, bits)) => Some(bits.clone()),
                None => own.next(),
            }
        };
        Ok(circuit.inputs.iter().map(entry).collect())
    }
}

/// Warns if `text` contains a literal value: every user of the computer can see the command line.
pub fn warn_of_literals(text: &str) {
    if values::parse(text).is_ok_and(|sources| values::has_literal(&sources)) {
        print::warning(
            "a value on the command line can be seen by others on this machine; use @FILE or -",
        );
    }
}

/// For `map_err`: describes the error in the values of `party`.
pub fn failure(party: Party) -> impl Fn(values::ValueError) -> Failure {
    move |error| {
        let remedy = match error {
            values::ValueError::Count { .. } => {
                "; separate them by commas, or give @FILE.json".to_owned()
            }
            values::ValueError::Cycles { got, .. } => format!(", or use --cycles {got}"),
            _ => String::new(),
        };
        Failure::new(Exit::Value, format!("the {party}'s values: {error}{remedy}"))
    }
}
