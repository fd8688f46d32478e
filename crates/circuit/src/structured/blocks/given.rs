//! Outputs that maps give block by block.

use crate::structured::{Form, Item, StructuredCircuit};
use std::collections::HashMap;
use std::ops::Range;

/// Finds the maps of the outermost body whose results are given block by block. All bits that such
/// a map drives are output bits in the same order, each once and not inverted, and nothing else
/// reads them. Returns, for the number of each such call, its first output bit, numbered across all
/// outputs.
pub fn given_by_maps(circuit: &StructuredCircuit) -> HashMap<usize, u32> {
    let mut maps = Maps::of(circuit);
    if maps.0.is_empty() {
        return HashMap::new();
    }
    let mut number = 0;
    for (bit, count) in circuit.outputs.iter().flat_map(|output| output.bits.runs()) {
        if let Some(wire) = bit.wire() {
            let (low, high) = (wire.number(), wire.number() + (count - 1));
            for index in maps.between(low, high) {
                let map = &mut maps.0[index];
                let is_whole = low <= map.first && map.last <= high;
                match map.output {
                    None if is_whole && !bit.is_inverted() => {
                        map.output = Some(number + (map.first - low));
                    }
                    _ => map.is_read = true,
                }
            }
        }
        number += count;
    }
    for item in circuit.items() {
        match item {
            Item::Gate(_, gate) => {
                gate.operands().for_each(|wire| maps.read(wire.number(), wire.number()));
            }
            Item::Call(_, call) => {
                call.intervals().into_iter().for_each(|(low, high)| maps.read(low, high));
            }
        }
    }
    for wire in circuit.flip_flops.iter().filter_map(|flip_flop| flip_flop.next.wire()) {
        maps.read(wire.number(), wire.number());
    }
    let given = maps.0.into_iter().filter(|map| !map.is_read);
    given.filter_map(|map| Some((map.call, map.output?))).collect()
}

/// The maps of an outermost body, in order.
struct Maps(Vec<Map>);

struct Map {
    /// The number of the call.
    call: usize,
    /// The first and the last wire that it drives.
    first: u32,
    last: u32,
    /// The output bit at which these wires begin, if all of them are output bits in order.
    output: Option<u32>,
    /// Whether anything else reads one of these wires.
    is_read: bool,
}

impl Maps {
    fn of(circuit: &StructuredCircuit) -> Maps {
        let calls = circuit.items().filter_map(|item| match item {
            Item::Call(wire, call) => Some((wire, call)),
            Item::Gate(..) => None,
        });
        let maps = calls.enumerate().filter_map(|(number, (wire, call))| {
            let Form::Map { .. } = call.form else { return None };
            let outputs = circuit.functions[call.function.index()].outputs.len();
            let count = call.wires(outputs).expect("a valid call's wires can be numbered") as u32;
            let (first, last) = (wire.number(), wire.number() + (count - 1));
            Some(Map { call: number, first, last, output: None, is_read: false })
        });
        Maps(maps.collect())
    }

    /// The maps that drive any of the wires `low` to `high`.
    fn between(&self, low: u32, high: u32) -> Range<usize> {
        let from = self.0.partition_point(|map| map.last < low);
        let to = self.0.partition_point(|map| map.first <= high);
        from..to.max(from)
    }

    fn read(&mut self, low: u32, high: u32) {
        for index in self.between(low, high) {
            self.0[index].is_read = true;
        }
    }
}
