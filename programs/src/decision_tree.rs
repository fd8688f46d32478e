//! Inference on a decision tree: one party has the tree, the other has the features of a case, and
//! the result is the case's class. Both parties know DEPTH and FEATURES. The tree's
//! shape, its thresholds, the feature that each node compares, and the case's path through the
//! tree stay secret.
//!
//! **The tree** is complete: node 0 is the root, node `i` has the children `2i + 1` and `2i + 2`,
//! and 2^DEPTH leaves follow from left to right. A case goes left at a node if the feature is at
//! most the threshold, as in scikit-learn. To complete a tree that has a leaf above the last level,
//! repeat the leaf's class below it, under any thresholds.
//!
//! **The circuit** follows only one path. At each level it selects the node that the path so far
//! leads to, and then the feature that this node compares. Selecting one of the `2^l` nodes of
//! level `l` takes `2^l - 1` selections, so most ANDs are in the last levels.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Bool, Function, I32, Length, U8};
//!
//! /// A tree that looks at one feature a level, in order: node `i` of level `l` is
//! /// `threshold[2^l - 1 + i]`.
//! fn class(threshold: &[I32], leaf: &[U8], x: &[I32]) -> U8 {
//!     let mut way: Vec<Bool> = Vec::new();
//!     for (level, &x) in x.iter().enumerate() {
//!         let nodes = threshold[(1 << level) - 1..(2 << level) - 1].to_vec();
//!         way.push(x.gt(descend(nodes, &way)));
//!     }
//!     descend(leaf.to_vec(), &way)
//! }
//!
//! /// The element that a way from the root leads to: to the right where true.
//! fn descend<T: halfgate::Secret + Copy>(mut row: Vec<T>, way: &[Bool]) -> T {
//!     for &right in way {
//!         let (lower, upper) = row.split_at(row.len() / 2);
//!         row = lower.iter().zip(upper).map(|(&l, &r)| right.select(r, l)).collect();
//!     }
//!     row[0]
//! }
//!
//! let shape = (Length(3), Length(4));
//! let function = Function::with_shapes("class", shape, Length(2), |tree, x: Vec<I32>| {
//!     let (threshold, leaf): (Vec<I32>, Vec<U8>) = tree;
//!     class(&threshold, &leaf, &x)
//! });
//! let program = function.compile()?;
//! assert_eq!(program.run((vec![-3, 5, 10], vec![1, 2, 3, 4]), vec![-2, 10])?, 3);
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::{Circuit, Party, array};
use halfgate_secret::{Bool, I32, Secret, U8, list, output, trace, with_builder};

/// `decision-tree`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "decision-tree",
    params: "DEPTHxFEATURES",
    default: "8x16",
    summary: "class of the evaluator's case by the garbler's decision tree",
    ports: "garbler feature (2^DEPTH-1 numbers of 8 bits: which feature a node compares), threshold \
            (2^DEPTH-1 signed numbers of 32 bits), leaf (2^DEPTH classes of 8 bits); evaluator x \
            (FEATURES signed numbers of 32 bits); output class:8; left where x <= threshold",
    types: &[
        PortType::list("feature", Element::Unsigned, Width::Bits(8)),
        PortType::list("threshold", Element::Signed, Width::Bits(32)),
        PortType::list("leaf", Element::Unsigned, Width::Bits(8)),
        PortType::list("x", Element::Signed, Width::Bits(32)),
    ],
    make: Make::Flat(|params: Params| {
        let (depth, features) = params.two(["DEPTH", "FEATURES"], 'x')?;
        circuit(depth, features)
    }),
};

/// Garbler's `feature`, `threshold` and `leaf`, evaluator's `x`; output `class`, as described in
/// the module. A feature number that is not below `features` selects the value 0.
///
/// With `d = depth` and `f = features`, a power of two above 1 and below 256:
/// `40 (2^d - 1 - d) + 8 (2^d - 1) + d (32 (f + 1) + 7 - log2 f)` ANDs, 16,296 for `8x16`; up to
/// `39 d` more for other numbers of features.
///
/// # Errors
/// If `depth` is not 1 to 16 or `features` not 1 to 256, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(depth: u32, features: u32) -> Result<Circuit, MakeError> {
    check("DEPTH", depth.into(), 1..=16)?;
    check("FEATURES", features.into(), 1..=256)?;
    check_size(&[(48 << depth) + u64::from(32 * depth * features)])?;
    let (leaves, depth) = (1usize << depth, depth as usize);
    Ok(trace(|| {
        let feature: Vec<U8> = list("feature", Party::Garbler, leaves - 1);
        let threshold: Vec<I32> = list("threshold", Party::Garbler, leaves - 1);
        let leaf: Vec<U8> = list("leaf", Party::Garbler, leaves);
        let x: Vec<I32> = list("x", Party::Evaluator, features as usize);

        let mut way: Vec<Bool> = Vec::with_capacity(depth);
        for level in 0..depth {
            let nodes = (1 << level) - 1..(2 << level) - 1;
            let nodes = nodes.map(|node| (feature[node], threshold[node])).collect();
            let (feature, threshold) = descend(nodes, &way);
            way.push(pick(&x, feature).gt(threshold));
        }
        output("class", &descend(leaf, &way));
    })?)
}

/// The one of `2^k` elements of `row` that the `k` turns in `way` lead to; a true turn goes right.
fn descend<T: Secret>(mut row: Vec<T>, way: &[Bool]) -> T {
    for &right in way {
        let upper = row.split_off(row.len() / 2);
        row = row.into_iter().zip(upper).map(|(l, r)| right.select(r, l)).collect();
    }
    row.remove(0)
}

/// The feature with index `number`; 0 if there is none.
fn pick(x: &[I32], number: U8) -> I32 {
    let features: Vec<_> = x.iter().map(I32::to_bits).collect();
    let picked = with_builder(|b| array::read(b, &features, &number.to_bits()));
    I32::from_bits(&(), &picked)
}

/// The same function in plain Rust.
///
/// # Panics
/// If `threshold` has not as many elements as `feature`, or `leaf` not one more.
pub fn plain(feature: &[u8], threshold: &[i32], leaf: &[u8], x: &[i32]) -> u8 {
    assert_eq!((threshold.len(), leaf.len()), (feature.len(), feature.len() + 1), "a whole tree");
    let mut node = 0;
    while node < feature.len() {
        let value = x.get(usize::from(feature[node])).copied().unwrap_or(0);
        node = 2 * node + if value <= threshold[node] { 1 } else { 2 };
    }
    leaf[node - feature.len()]
}
