//! Converts between typed values and a circuit's ports.
//!
//! A group of ports carries one typed value, such as the garbler's inputs or the outputs. A tuple
//! has one part for each member; any other value is one part. Parts without bits have no port. The
//! others are ports of the circuit, in order.

use crate::error::Error;
use halfgate_circuit::{Bits, Input, Party};
use halfgate_protocol::session::PartyInputs;
use halfgate_secret::{Native, Secret, input_parts, output_parts};

/// A group of ports: the name and width of each part.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) names: Vec<String>,
    widths: Vec<usize>,
}

impl Group {
    /// The ports of a value of this shape: `name`, or `name0`, `name1`, … for a tuple.
    pub(crate) fn new<T: Secret>(name: &str, shape: &T::Shape) -> Group {
        let widths = T::port_widths(shape);
        let names = match widths.len() {
            1 => vec![name.to_owned()],
            count => (0..count).map(|i| format!("{name}{i}")).collect(),
        };
        Group { names, widths }
    }

    /// Declares the ports as inputs of the circuit being written.
    pub(crate) fn declare<T: Secret>(&self, party: Party, shape: &T::Shape, each_cycle: bool) -> T {
        input_parts(&self.names, party, shape, each_cycle)
    }

    /// Declares the ports as outputs of the circuit being written.
    pub(crate) fn give_out<T: Secret>(&self, value: &T, each_cycle: bool) {
        output_parts(&self.names, value, each_cycle);
    }

    /// Names the parts. An empty list keeps the current names.
    ///
    /// # Panics
    /// If the list is not empty and has not one name for each part.
    pub(crate) fn rename(&mut self, names: &[&str], what: &str) {
        if names.is_empty() {
            return;
        }
        let parts = self.names.len();
        assert!(names.len() == parts, "named: {parts} names for the {what}, not {}", names.len());
        self.names = names.iter().map(|&name| name.to_owned()).collect();
    }

    /// From a list with one entry for each part, selects the entries of the parts that have a port.
    pub(crate) fn of_ports<T: Clone>(&self, of_parts: &[T]) -> Vec<T> {
        let parts = of_parts.iter().zip(&self.widths);
        parts.filter(|&(_, &width)| width > 0).map(|(part, _)| part.clone()).collect()
    }

    /// The names of the ports.
    pub(crate) fn port_names(&self) -> Vec<String> {
        self.of_ports(&self.names)
    }

    /// The bits of a value, for each port.
    pub(crate) fn encode<T: Native>(
        &self,
        shape: &T::Shape,
        value: &T::Clear,
    ) -> Result<Vec<Bits>, Error> {
        let parts = T::encode_ports(shape, value);
        let parts = parts
            .map_err(|(part, error)| Error::Input { input: self.names[part].clone(), error })?;
        Ok(parts.into_iter().filter(|bits| !bits.is_empty()).collect())
    }

    /// The bits of one value for each cycle, for each port. Values without bits may be left out.
    pub(crate) fn encode_cycles<T: Native>(
        &self,
        shape: &T::Shape,
        values: &[T::Clear],
        cycles: u64,
    ) -> Result<Vec<Bits>, Error> {
        let names = self.port_names();
        let mut ports = vec![Bits::new(); names.len()];
        if !ports.is_empty() && values.len() as u64 != cycles {
            return Err(Error::Cycles { input: names.join(", "), cycles, found: values.len() });
        }
        for value in values {
            for (all, bits) in ports.iter_mut().zip(self.encode::<T>(shape, value)?) {
                all.append(&bits);
            }
        }
        Ok(ports)
    }

    /// Takes this group's ports from the front of a circuit's ports. Returns the known bits of each
    /// part.
    pub(crate) fn parts<'a>(
        &self,
        ports: &mut impl Iterator<Item = &'a Option<Bits>>,
    ) -> Vec<Option<Bits>> {
        let known = |&width: &usize| match width {
            0 => Some(Bits::new()),
            _ => ports.next().expect("an entry for each port").clone(),
        };
        self.widths.iter().map(known).collect()
    }

    /// Selects one cycle's bits from the known bits of each part in all cycles.
    pub(crate) fn of_cycle(&self, parts: &[Option<Bits>], cycle: usize) -> Vec<Option<Bits>> {
        let slice = |(part, &width): (&Option<Bits>, &usize)| {
            part.as_ref().map(|bits| bits.slice(cycle * width, width))
        };
        parts.iter().zip(&self.widths).map(slice).collect()
    }

    /// The value if all parts are known, otherwise the name of the first unknown part.
    pub(crate) fn whole<T: Native>(
        &self,
        shape: &T::Shape,
        parts: &[Option<Bits>],
    ) -> Result<T::Clear, String> {
        T::whole(T::decode_ports(shape, parts)).ok_or_else(|| {
            let missing = parts.iter().position(Option::is_none);
            self.names[missing.expect("a value is whole if all of its parts are")].clone()
        })
    }
}

/// A party's inputs, with an entry for each of the circuit's `inputs`: the next bits of `ports` if
/// the input is the party's own, otherwise `None`.
pub(crate) fn of_party(
    inputs: &[Input],
    party: Party,
    ports: impl IntoIterator<Item = Bits>,
) -> PartyInputs {
    let mut ports = ports.into_iter();
    let mut own = |input: &Input| if input.party == party { ports.next() } else { None };
    inputs.iter().map(&mut own).collect()
}

/// Both parties' inputs, for evaluation in the clear.
pub(crate) fn of_both(garbler: PartyInputs, evaluator: PartyInputs) -> Vec<Bits> {
    let pairs = garbler.into_iter().zip(evaluator);
    pairs.filter_map(|(garbler, evaluator)| garbler.or(evaluator)).collect()
}
