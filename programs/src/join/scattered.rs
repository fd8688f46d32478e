//! Maps over elements that are not in one array.
//!
//! A map reads regular slices: from a lane to the next, each argument moves by a fixed number of
//! wires. [`map`] divides lanes with arguments anywhere into runs that are regular, each of which
//! is one map of the circuit. It chooses the order of lanes with the fewest runs, so that the text
//! stays small.

use halfgate_circuit::builder::Arg;
use halfgate_circuit::{Bit, Builder, Wire};
use std::ops::Range;

/// An argument of [`map`].
pub(super) struct Elements<'a> {
    /// Bits of an element, which are consecutive wires.
    pub width: usize,
    /// For each lane, the first wire of its element.
    pub first: &'a [u32],
}

/// The bits of an element.
pub(super) fn bits(first: u32, width: usize) -> impl Iterator<Item = Bit> {
    (first..first + width as u32).map(|number| Wire::new(number).bit())
}

/// Maps a function, as [`Builder::map`] does, over lanes that form lists of the lengths `lists`.
/// Lanes are numbered list after list. Returns, for each lane, the first wire of its outputs.
///
/// Lanes that are regular along a list, along every `2^k`th element of a list, or across lists, are
/// recognised as such.
pub(super) fn map(
    b: &mut Builder,
    name: &str,
    lists: &[usize],
    arguments: &[Elements<'_>],
    build: impl Fn(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>,
) -> Vec<u32> {
    let order = best_order(lists, arguments);
    let mut driven = vec![0; order.len()];
    for run in runs(&order, arguments) {
        let lanes = &order[run];
        let bits = |of: &Elements<'_>| -> Vec<Bit> {
            lanes.iter().flat_map(|&lane| bits(of.first[lane as usize], of.width)).collect()
        };
        let slices: Vec<Vec<Bit>> = arguments.iter().map(bits).collect();
        let slices: Vec<Arg<'_>> = slices.iter().map(|bits| Arg::Sliced(bits)).collect();
        let outputs = b.map(name, lanes.len() as u64, &slices, &build);
        let first = outputs.element(0)[0].wire().map_or(0, Wire::number);
        for (place, &lane) in lanes.iter().enumerate() {
            driven[lane as usize] = first + (place * outputs.width()) as u32;
        }
    }
    driven
}

/// The lanes in the order of those tried that has the fewest runs.
fn best_order(lists: &[usize], arguments: &[Elements<'_>]) -> Vec<u32> {
    let longest = lists.iter().copied().max().unwrap_or(0);
    let steps = (0..usize::BITS).map(|k| 1 << k).take_while(|&step| step <= longest);
    let mut best = across(lists);
    let mut fewest = runs(&best, arguments).count();
    for step in steps {
        let order = along(lists, step);
        let count = runs(&order, arguments).count();
        if count < fewest {
            (best, fewest) = (order, count);
        }
    }
    best
}

/// The first lanes of all lists, then the second lanes, and so on.
fn across(lists: &[usize]) -> Vec<u32> {
    let starts = starts(lists);
    let longest = lists.iter().copied().max().unwrap_or(0);
    let nth = |i: usize| {
        let has = move |(_, len): &(u32, usize)| i < *len;
        let all = starts.iter().copied().zip(lists.iter().copied());
        all.filter(has).map(move |(start, _)| start + i as u32)
    };
    (0..longest).flat_map(nth).collect()
}

/// List after list, in each the lanes `0, step, 2 step, …`, then `1, step + 1, …`, and so on.
fn along(lists: &[usize], step: usize) -> Vec<u32> {
    let list = |(start, &len): (u32, &usize)| {
        let lanes = move |first: usize| (first..len).step_by(step);
        (0..step.min(len)).flat_map(lanes).map(move |i| start + i as u32)
    };
    starts(lists).into_iter().zip(lists).flat_map(list).collect()
}

/// The number of each list's first lane.
fn starts(lists: &[usize]) -> Vec<u32> {
    let mut next = 0;
    let start = |&len: &usize| {
        let start = next;
        next += len as u32;
        start
    };
    lists.iter().map(start).collect()
}

/// The longest runs of `order`, from its beginning, in which each argument is a regular slice.
fn runs<'a>(
    order: &'a [u32],
    arguments: &'a [Elements<'_>],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let wire = |of: &Elements<'_>, place: usize| i64::from(of.first[order[place] as usize]);
    let step = move |of: &Elements<'_>, place: usize| wire(of, place + 1) - wire(of, place);
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut end = start + 1;
        while end < order.len()
            && arguments
                .iter()
                .all(|of| step(of, end - 1) >= 0 && step(of, end - 1) == step(of, start))
        {
            end += 1;
        }
        let run = start..end;
        start = end;
        (run.start < order.len()).then_some(run)
    })
}
