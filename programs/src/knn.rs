//! Classification by the K nearest neighbours: one party has labelled points, the other a query
//! point. The result is the most frequent label among the K points nearest to the query. The
//! points, the query, and which points are nearest stay secret.
//!
//! **Distance** is the square of the Euclidean distance. Coordinates are bytes: scale all features
//! to 0..=255 first, so that each has the same weight. Sums are exact. They are no wider than their
//! largest value, because constants fold.
//!
//! **Ties.** Among points at equal distance, the first in the list counts as nearest. Among labels
//! with equally many votes, the one with the nearest point wins.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Function, Length, Secret, U8, U16, U32};
//!
//! /// The label of the nearest point.
//! fn nearest(points: &[[U8; 2]], labels: &[U8], query: [U8; 2]) -> U8 {
//!     let distance = |point: &[U8; 2]| -> U32 {
//!         let squares = point.iter().zip(query).map(|(p, q)| {
//!             let size: U16 = p.abs_diff(q).cast();
//!             (size * size).cast::<32>()
//!         });
//!         squares.sum()
//!     };
//!     let mut best = (distance(&points[0]), labels[0]);
//!     for (point, &label) in points.iter().zip(labels).skip(1) {
//!         let distance = distance(point);
//!         best.assign_if(distance.lt(best.0), (distance, label));
//!     }
//!     best.1
//! }
//!
//! let shape = (Length(3), Length(3));
//! let function = Function::with_shapes("nearest", shape, (), |labelled, query: [U8; 2]| {
//!     let (points, labels): (Vec<[U8; 2]>, Vec<U8>) = labelled;
//!     nearest(&points, &labels, query)
//! });
//! let program = function.compile()?;
//! let labelled = (vec![[0, 0], [9, 9], [200, 200]], vec![4, 5, 6]);
//! assert_eq!(program.run(labelled, [8, 10])?, 5);
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::{Circuit, Party};
use halfgate_secret::{Int, U8, U16, U32, list, output, trace};

/// `knn`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "knn",
    params: "POINTSxDIMENSIONSxK",
    default: "64x4x3",
    summary: "label of the evaluator's point by the majority of its K nearest among the garbler's",
    ports: "garbler points (POINTS times DIMENSIONS coordinates of 8 bits, point by point), \
            labels (POINTS of 8 bits); evaluator query (DIMENSIONS of 8 bits); output \
            label:8",
    types: &[
        PortType::list("points", Element::Unsigned, Width::Bits(8)),
        PortType::list("labels", Element::Unsigned, Width::Bits(8)),
        PortType::list("query", Element::Unsigned, Width::Bits(8)),
    ],
    make: Make::Flat(|params: Params| {
        let (points, dimensions, k) = params.three(["POINTS", "DIMENSIONS", "K"])?;
        circuit(points, dimensions, k)
    }),
};

/// Garbler's `points` and `labels`, evaluator's `query`; output `label`, as described in the
/// module.
///
/// About 88 ANDs per coordinate, and for each point `2 (16 + log2 dimensions) + 8` for each of the
/// `k` nearest points that it is compared with; 29,679 for `64x4x3`.
///
/// # Errors
/// If `points` is not 1 to 65,536, `dimensions` not 1 to 1,024 or `k` not 1 to 32 and at most
/// `points`, if together they make more than [`MAX_ANDS`](crate::program::MAX_ANDS), or if the
/// gates cannot be stored.
pub fn circuit(points: u32, dimensions: u32, k: u32) -> Result<Circuit, MakeError> {
    check("POINTS", points.into(), 1..=1 << 16)?;
    check("DIMENSIONS", dimensions.into(), 1..=1 << 10)?;
    check("K", k.into(), 1..=u64::from(points.min(32)))?;
    check_size(&[points.into(), 120 * u64::from(dimensions) + 60 * u64::from(k)])?;
    let (points, dimensions, k) = (points as usize, dimensions as usize, k as usize);
    Ok(trace(|| {
        let coordinates: Vec<U8> = list("points", Party::Garbler, points * dimensions);
        let labels: Vec<U8> = list("labels", Party::Garbler, points);
        let query: Vec<U8> = list("query", Party::Evaluator, dimensions);

        // Sorted by distance, nearest first.
        let mut nearest: Vec<(U32, U8)> = Vec::with_capacity(k + 1);
        for (point, &label) in coordinates.chunks(dimensions).zip(&labels) {
            let distance = distance(point, &query);
            let mut moved = (distance, label);
            for place in &mut nearest {
                // A point nearer than this one is nearer than all later ones, so these move by one.
                let is_nearer = distance.lt(place.0);
                (*place, moved) = is_nearer.swap(*place, moved);
            }
            if nearest.len() < k {
                nearest.push(moved);
            }
        }
        let labels: Vec<U8> = nearest.into_iter().map(|(_, label)| label).collect();
        output("label", &majority(&labels));
    })?)
}

/// The square of the Euclidean distance between two points.
fn distance(point: &[U8], query: &[U8]) -> U32 {
    let squares = point.iter().zip(query).map(|(&p, &q)| {
        let difference: Int<9> = (p.cast::<9>() - q.cast::<9>()).as_signed();
        let size: U8 = difference.unsigned_abs().cast();
        let square: U16 = size.widening_mul(size);
        square.cast()
    });
    let mut sums: Vec<U32> = squares.collect();
    // Added in pairs, so that sums grow by one bit per level.
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|x, y| x + y).unwrap_or(U32::ZERO))
            .collect();
    }
    sums.remove(0)
}

/// The most frequent of `labels`; in a tie, the one that occurs first.
fn majority(labels: &[U8]) -> U8 {
    let votes = |label: U8| -> U8 {
        let same = labels.iter().map(|other| other.equals(label).select(U8::from(1), 0));
        same.reduce(|x, y| x + y).unwrap_or(U8::ZERO)
    };
    let (mut label, mut most) = (labels[0], votes(labels[0]));
    for &other in &labels[1..] {
        let others = votes(other);
        let wins = most.lt(others);
        (label, most) = wins.select((other, others), (label, most));
    }
    label
}

/// The same function in plain Rust: sorts all points and counts each label.
///
/// # Panics
/// If `k` is 0 or above the number of points, or there are fewer labels than points.
pub fn plain(points: &[Vec<u8>], labels: &[u8], query: &[u8], k: usize) -> u8 {
    let distance = |point: &[u8]| -> u32 {
        point.iter().zip(query).map(|(&p, &q)| u32::from(p.abs_diff(q)).pow(2)).sum()
    };
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&i| (distance(&points[i]), i));
    let near: Vec<u8> = order[..k].iter().map(|&i| labels[i]).collect();
    let mut votes = [0usize; 256];
    near.iter().for_each(|&label| votes[usize::from(label)] += 1);
    let most = near.iter().map(|&label| votes[usize::from(label)]).max().expect("k is not 0");
    near.into_iter().find(|&label| votes[usize::from(label)] == most).expect("one has the most")
}
