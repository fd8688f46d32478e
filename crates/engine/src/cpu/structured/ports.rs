//! Places for the ports of the outermost body.
//!
//! An input port that only one call reads, a slice for each lane or step, has no slots: its labels
//! are fetched block after block. The results that a map [gives block by block][given_by_maps] have
//! no slots either.
//!
//! [given_by_maps]: halfgate_circuit::structured::blocks::given_by_maps

use super::code::{Blocks, Give, Rule};
use super::lower::{Lowerer, home};
use super::ranges::{AT_END, Kind, NEVER, Range};
use halfgate_circuit::structured::passes::passes;
use halfgate_circuit::structured::{Argument, Body, Call, Form};
use halfgate_circuit::{Bit, Wire};

impl Lowerer<'_> {
    /// Takes slots for the input ports of the outermost body, but not for those that nothing reads
    /// or that are fetched block after block.
    pub(super) fn place_inputs(&mut self, body: &Body) {
        for range in self.ranges.all().to_vec() {
            let Kind::Input(_) = range.kind else { continue };
            let readers = readers(body, range);
            let only = readers.as_ref().filter(|readers| readers.is_one);
            let fetched = range.last_read == NEVER
                || range.last_read != AT_END
                    && only.is_some_and(|only| !self.passes_through(body, only.call))
                    && self.is_read_by_calls_only(body, range);
            let place = (!fetched).then(|| self.slots.take_range(range.count));
            let rule = |base| match readers {
                Some(Readers { width, runs: lanes, call, are_maps: true, .. }) => {
                    let block = self.sizes.block(&body.calls[call]) as u32;
                    Rule::Blocks(Blocks { base, width, lanes: lanes as u32, block })
                }
                _ => Rule::Flat(base),
            };
            self.inputs.push(place.map(|base| home(range.first, range.count, rule(base))));
        }
    }

    /// Whether a call's function passes inputs through. Then labels may be needed after the run
    /// that takes them.
    fn passes_through(&self, body: &Body, call: usize) -> bool {
        let function = body.calls[call].function;
        passes(&self.functions[function.index()]).iter().any(Option::is_some)
    }

    /// Whether no gate reads a wire of an input port.
    fn is_read_by_calls_only(&self, body: &Body, range: Range) -> bool {
        let inside = |wire: Wire| (range.first..range.first + range.count).contains(&wire.number());
        !body.gates.iter().any(|gate| gate.operands().any(inside))
    }

    /// Adds those of `count` consecutive output bits that have slots, in parts.
    pub(super) fn give(&self, number: u32, first: Bit, count: u32, gives: &mut Vec<Give>) {
        let Some(wire) = first.wire() else { return };
        let (low, high) = (wire.number(), wire.number() + count - 1);
        for range in self.ranges.between(low, high) {
            if let Kind::Call(call) = range.kind
                && self.calls[call].is_none()
            {
                continue;
            }
            let from = low.max(range.first);
            let to = high.min(range.first + range.count - 1);
            gives.push(Give {
                number: number + (from - low),
                first: from,
                count: to - from + 1,
                inverted: first.is_inverted(),
                homes: self.homes(from, to),
            });
        }
    }
}

/// How calls read an input port.
struct Readers {
    width: u32,
    runs: u64,
    /// The number of the first of these calls.
    call: usize,
    /// Whether all of them are maps.
    are_maps: bool,
    /// Whether a single argument reads the port.
    is_one: bool,
}

/// How calls read an input port. `None` if no call reads it, or unless the runs of each such call
/// take the port's bits one after the other, all with the same width.
fn readers(body: &Body, range: Range) -> Option<Readers> {
    let wires = range.first..range.first + range.count;
    let overlaps = |call: &Call, argument: &Argument| match argument {
        Argument::Shared(bits) | Argument::Listed { bits, .. } => {
            bits.iter().filter_map(|bit| bit.wire()).any(|wire| wires.contains(&wire.number()))
        }
        Argument::Sliced { .. } => {
            let (low, high) = argument.interval(call.form.runs());
            low < wires.end && wires.start <= high
        }
    };
    let all = body.calls.iter().enumerate().flat_map(|(number, call)| {
        call.arguments.iter().map(move |argument| (number, call, argument))
    });
    let mut found: Option<Readers> = None;
    for (number, call, argument) in all.filter(|(_, call, argument)| overlaps(call, argument)) {
        let &Argument::Sliced { width, first, run_stride, bit_stride } = argument else {
            return None;
        };
        let runs = call.form.runs();
        let in_order = first.number() == range.first
            && run_stride == width
            && (bit_stride == 1 || width == 1)
            && u128::from(runs) * u128::from(width) == u128::from(range.count);
        let is_map = matches!(call.form, Form::Map { .. });
        match &mut found {
            _ if !in_order => return None,
            None => {
                let call = number;
                found = Some(Readers { width, runs, call, are_maps: is_map, is_one: true });
            }
            Some(readers) if readers.width == width => {
                readers.are_maps &= is_map;
                readers.is_one = false;
            }
            Some(_) => return None,
        }
    }
    found
}
