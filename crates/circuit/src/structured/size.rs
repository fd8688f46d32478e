//! Gates of the flattening, and the number of lanes of a map that run side by side.

use super::function::{Body, Call, Form, Function};
use crate::gates::Gates;

/// Most lanes of a block of a map: as many labels as fill the vectors of every kernel. More gain
/// little, and take label memory.
pub const BLOCK: u64 = 16;

/// The size of a function's flattening, or of the outermost body's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Gates of all kinds.
    pub gates: u64,
    /// ANDs.
    pub ands: u64,
    /// ANDs in maps whose blocks have [`WIDE`] lanes or more.
    pub wide_ands: u64,
    /// The most lanes that run side by side in one run: 1 if there is no map.
    pub lanes: u64,
    /// How deep calls are nested: 0 if there are none.
    pub nesting: u32,
    /// Lanes of a block if the function is mapped: see [`Size::block_of`].
    pub block: u64,
}

/// Lanes side by side from which an AND counts as wide.
pub const WIDE: u64 = 8;

/// The sizes of a circuit's functions, in their order.
///
/// Memory: 48 bytes for each function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sizes(Vec<Size>);

impl Sizes {
    /// Computes the sizes of `functions`, each of which must call only earlier ones.
    ///
    /// Returns the number of the function whose flattening has more gates than 64 bits can count.
    ///
    /// # Errors
    /// If there is one.
    pub fn of(functions: &[Function]) -> Result<Sizes, usize> {
        let mut sizes = Sizes(Vec::with_capacity(functions.len()));
        for (number, function) in functions.iter().enumerate() {
            let size = sizes.of_body(&function.body).ok_or(number)?;
            sizes.0.push(size);
        }
        Ok(sizes)
    }

    /// The size of a function.
    pub fn get(&self, function: super::FunctionId) -> Size {
        self.0[function.index()]
    }

    /// The size of a body that calls these functions. `None` if 64 bits cannot count its gates.
    pub fn of_body(&self, body: &Body) -> Option<Size> {
        self.of_items(&body.gates, &body.calls)
    }

    /// As [`of_body`](Sizes::of_body), of a body with these items.
    pub fn of_items(&self, gates: &Gates, calls: &[Call]) -> Option<Size> {
        let (gates, ands) = (gates.len() as u64, gates.ands());
        let mut size = Size { gates, ands, lanes: 1, ..Size::default() };
        for call in calls {
            let (inner, runs) = (self.get(call.function), call.form.runs());
            let ands = inner.ands.checked_mul(runs)?;
            let lanes = self.block(call) * inner.lanes;
            let wide = match call.form {
                Form::Map { .. } if lanes >= WIDE => ands,
                _ => inner.wide_ands.checked_mul(runs)?,
            };
            size.gates = size.gates.checked_add(inner.gates.checked_mul(runs)?)?;
            size.ands = size.ands.checked_add(ands)?;
            size.wide_ands = size.wide_ands.checked_add(wide)?;
            size.lanes = size.lanes.max(lanes);
            size.nesting = size.nesting.max(inner.nesting + 1);
        }
        size.block = Size::block_of(&size);
        Some(size)
    }

    /// The number of lanes in a full block of `call`; 1 unless it is a map.
    pub fn block(&self, call: &Call) -> u64 {
        match call.form {
            Form::Map { lanes } => self.get(call.function).block.min(lanes),
            Form::Once | Form::Fold { .. } => 1,
        }
    }
}

impl Size {
    /// Lanes of a block if a function of this size is mapped: [`BLOCK`], but 1 if at least three
    /// quarters of its ANDs fill vectors already, or more than [`BLOCK`] of its lanes run side by
    /// side.
    fn block_of(&self) -> u64 {
        let narrow = self.ands - self.wide_ands;
        let filled = self.wide_ands > 0 && self.wide_ands / 3 >= narrow;
        if filled || self.lanes > BLOCK { 1 } else { BLOCK }
    }
}
