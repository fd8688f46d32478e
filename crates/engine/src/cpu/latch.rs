//! The moves between two cycles: orders single moves so that all flip-flops change as if at once.

use halfgate_kernels::ops::Move;
use std::ops::Range;

/// Orders moves that are meant to happen at once. All targets are different and in `homes`. The
/// result has one move for each of them, and one more for each ring of flip-flops that only pass
/// values on. `spare` returns an unused address.
///
/// Memory: 12 bytes per home.
pub(super) fn in_order(
    moves: Vec<Move>,
    homes: Range<u32>,
    mut spare: impl FnMut() -> u32,
) -> Vec<Move> {
    const NONE: u32 = u32::MAX;
    let home = |address: u32| homes.contains(&address).then(|| (address - homes.start) as usize);
    // For each home: the pending move to it, and the number of pending moves that read it. A value
    // inverted in place does not wait for itself.
    let mut to = vec![NONE; homes.len()];
    let mut readers = vec![0u32; homes.len()];
    for (number, m) in (0..).zip(&moves) {
        to[home(m.to).expect("flip-flops are moved to their homes")] = number;
        if let Some(from) = home(m.from).filter(|_| m.from != m.to) {
            readers[from] += 1;
        }
    }
    let mut ready: Vec<u32> = (0..readers.len())
        .filter(|&home| readers[home] == 0 && to[home] != NONE)
        .map(|home| to[home])
        .collect();
    let mut ordered = Vec::with_capacity(moves.len());
    let mut first_left = 0;
    loop {
        while let Some(number) = ready.pop() {
            let m = moves[number as usize];
            let own = home(m.to).expect("checked above");
            // In a broken ring, the first move saved the value elsewhere.
            to[own] = NONE;
            ordered.push(m);
            let Some(from) = home(m.from).filter(|_| m.from != m.to) else { continue };
            readers[from] -= 1;
            if readers[from] == 0 && to[from] != NONE {
                ready.push(to[from]);
            }
        }
        // Only rings remain, each home read once. Save one value of the ring elsewhere.
        let Some(number) = to[first_left..].iter().position(|number| *number != NONE) else {
            return ordered;
        };
        first_left += number;
        let aside = spare();
        let mut at = first_left;
        ordered.push(Move { from: homes.start + at as u32, to: aside, invert: false });
        while to[at] != NONE {
            let m = moves[to[at] as usize];
            to[at] = NONE;
            let from = home(m.from).expect("a ring has only homes");
            let last = from == first_left;
            ordered.push(Move { from: if last { aside } else { m.from }, ..m });
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn ordered_moves_equal_simultaneous_moves(
            sources in prop::collection::vec((0u32..30, any::<bool>()), 1..20),
        ) {
            let homes = 10..10 + sources.len() as u32;
            let moves: Vec<Move> = (homes.start..)
                .zip(&sources)
                .map(|(to, &(from, invert))| Move { from, to, invert })
                .filter(|m| m.from != m.to || m.invert)
                .collect();
            let mut spare = 100;
            let ordered = in_order(moves.clone(), homes.clone(), || {
                spare += 1;
                spare
            });
            let mut memory: HashMap<u32, (u32, bool)> = (0..40).map(|i| (i, (i, false))).collect();
            let before = memory.clone();
            for m in &ordered {
                let (value, inverted) = memory[&m.from];
                memory.insert(m.to, (value, inverted ^ m.invert));
            }
            for (to, (from, invert)) in homes.clone().zip(sources) {
                let wanted = (before[&from].0, invert);
                prop_assert_eq!(memory[&to], wanted, "to {}", to);
            }
            prop_assert!(ordered.len() <= moves.len() + moves.len() / 2);
        }
    }

    #[test]
    fn a_shift_register_takes_one_move_per_flip_flop_and_a_swap_one_more() {
        let homes = 0..1000;
        let shift = (1..1000).map(|to| Move { from: to - 1, to, invert: false }).collect();
        assert_eq!(in_order(shift, homes.clone(), || unreachable!()).len(), 999);
        let swap = [(0, 1), (1, 0)].map(|(from, to)| Move { from, to, invert: true });
        assert_eq!(in_order(swap.to_vec(), homes, || 2000).len(), 3);
    }
}
