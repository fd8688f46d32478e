//! All-but-one OT: turns the k base OTs of a group into q = 2^k seeds. The garbler gets all seeds
//! except the seed at its element of Δ. SoftSpoken's VOLE over small fields starts from these
//! seeds.
//!
//! The construction is BuildPPRF and ProvePPRF of Roy, "SoftSpokenOT" (CRYPTO 2022, ePrint
//! 2022/192, figures 13 and 14): a tree of seeds after Goldreich, Goldwasser and Micali, punctured
//! at a leaf by OT, and a check of Boyle, Couteau, Gilboa, Ishai, Kohl, Rindal and Scholl (CCS
//! 2019) that both parties have the same leaves.
//!
//! The evaluator builds one tree for each group. Its nodes of level 1 are the keys of the group's
//! first base OT; key b is node 1 - b. The children of node x of level i are G(node) = AES-128
//! under the node, of 0 and of 1; they are nodes x and x + 2^i of level i + 1. For level i + 1 the
//! evaluator sends `c_b = S_(1-b) ^ key_b` for both b, where key_b are the keys of the group's base
//! OT i, and S_b is the sum of all children on side b. The garbler's element of Δ has the bits d_i.
//! It knows all nodes of a level except the one whose number is the low bits of d. With key_(d_i)
//! it gets the sum of the side opposite to the unknown node. That gives it the one node of that
//! side that it cannot compute.
//!
//! The garbler numbers nodes by y = x ^ d, so the unknown node is 0 at each level. Hence no branch
//! and no address depends on d, which only selects the order of two children.
//!
//! # The check
//!
//! A leaf is hashed to `s̃`, 32 bytes, and to the seed that is used. For each tree the evaluator
//! sends the sum `t̃` of all s̃, from which the garbler computes the s̃ that it lacks. It also
//! sends a digest of all s̃ in the order of x, which the garbler compares. (The paper calls the
//! hash PRG'; here it is BLAKE3, keyed by the session.)
//!
//! - *A cheating evaluator.* The digest fixes every s̃, and each s̃ fixes its leaf, up to
//!   collisions of BLAKE3. So whenever the check passes, the garbler's leaves are those of one tree
//!   that does not depend on Δ. Whether the check passes may depend on Δ. As with a wrong challenge
//!   of the base OTs, the evaluator may learn that Δ is in a set of its choice, at the risk that Δ
//!   is not in the set. Then the connection ends, and Δ is never used again. That is the selective
//!   abort of the paper's functionality: the set is a product of one set for each group.
//! - *A cheating garbler.* It has one of two keys of each base OT. So one leaf of each tree is
//!   pseudo-random to it, and so is that leaf's s̃. t̃ and the digest reveal nothing about the
//!   seed, which is another part of the same hash.
//!
//! With k = 1 the two keys of a base OT are the seeds, and nothing is sent. Neither party can be
//! inconsistent, and the extension is then the original one, without trees.

use super::base::{BASE_OTS, SeedPairs, Seeds, check_length, finish};
use super::{OtError, OtField, SessionId, mask, oracle};
use halfgate_kernels::transfer::Stream;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

const NODE_BYTES: usize = 16;
/// Bytes of s̃, of t̃, and of a digest.
const PROOF_BYTES: usize = 32;

type Node = [u8; NODE_BYTES];

/// Bytes that the evaluator sends for all trees of a field; zero for [`OtField::One`].
pub const fn tree_bytes(field: OtField) -> usize {
    match field {
        OtField::One => 0,
        _ => field.groups() * (2 * NODE_BYTES * (field.bits() - 1) + 2 * PROOF_BYTES),
    }
}

/// The seeds of all groups, one group after the other: the evaluator's q seeds of each group in the
/// order of x, or the garbler's q - 1 seeds in the order of y, from y = 1. Wiped on drop.
pub(super) struct Leaves {
    pub(super) seeds: Zeroizing<Vec<Node>>,
    pub(super) session: SessionId,
}

/// Builds the evaluator's trees. Also returns the message of [`tree_bytes`] for the garbler.
pub(super) fn grow(field: OtField, base: &SeedPairs) -> (Vec<u8>, Leaves) {
    let mut message = Vec::with_capacity(tree_bytes(field));
    let mut seeds = Zeroizing::new(Vec::with_capacity(field.groups() * field.leaves()));
    let mut nodes = Zeroizing::new(vec![[0; NODE_BYTES]; field.leaves()]);
    let mut proofs = Zeroizing::new(vec![[0; PROOF_BYTES]; field.leaves()]);
    for (group, pairs) in base.pairs.chunks_exact(field.bits()).enumerate() {
        [nodes[1], nodes[0]] = pairs[0];
        for (i, pair) in pairs.iter().enumerate().skip(1) {
            let width = 1 << i;
            let mut sums = Zeroizing::new([[0; NODE_BYTES]; 2]);
            for x in 0..width {
                let children = children(&nodes[x]);
                for side in [0, 1] {
                    xor(&mut sums[side], &children[side]);
                    nodes[x + side * width] = children[side];
                }
            }
            for b in [0, 1] {
                let mut correction = sums[1 - b];
                xor(&mut correction, &pair[b]);
                message.extend_from_slice(&correction);
            }
        }
        if field == OtField::One {
            seeds.extend_from_slice(&nodes);
            continue;
        }
        let mut total = [0; PROOF_BYTES];
        for (node, proof) in nodes.iter().zip(proofs.iter_mut()) {
            seeds.push([0; NODE_BYTES]);
            let seed = seeds.last_mut().expect("just pushed");
            hash_leaf(&base.session, group, node, proof, seed);
            xor(&mut total, proof);
        }
        message.extend_from_slice(&total);
        message.extend_from_slice(&digest(&base.session, group, &proofs));
    }
    let session = transcript(&base.session, &message);
    (message, Leaves { seeds, session })
}

/// Rebuilds the garbler's trees from the evaluator's `message` and checks them.
///
/// # Errors
/// [`OtError::Length`], and [`OtError::Trees`] if the check fails.
pub(super) fn regrow(field: OtField, base: &Seeds, message: &[u8]) -> Result<Leaves, OtError> {
    check_length("the evaluator", "message of trees", tree_bytes(field), message)?;
    let mut seeds = Zeroizing::new(Vec::with_capacity(field.groups() * (field.leaves() - 1)));
    let mut nodes = Zeroizing::new(vec![[0; NODE_BYTES]; field.leaves()]);
    let mut proofs = Zeroizing::new(vec![[0; PROOF_BYTES]; field.leaves()]);
    let mut right = Choice::from(1);
    let group_bytes = tree_bytes(field) / field.groups();
    for (group, keys) in base.keys.chunks_exact(field.bits()).enumerate() {
        let message = &message[group * group_bytes..][..group_bytes];
        let element = Zeroizing::new((base.choices >> (group * field.bits())) as u8);
        nodes[1] = keys[0];
        let (corrections, proof) = message.split_at(2 * NODE_BYTES * (field.bits() - 1));
        let (corrections, _) = corrections.as_chunks::<NODE_BYTES>();
        for (i, pair) in corrections.chunks_exact(2).enumerate() {
            let level = i + 1;
            let chosen = mask((*element >> level).into()) as u8;
            open_level(&mut nodes[..2 << level], chosen, pair, &keys[level]);
        }
        if field == OtField::One {
            seeds.push(nodes[1]);
            continue;
        }
        let (total, theirs) = proof.split_at(PROOF_BYTES);
        proofs[0].copy_from_slice(total);
        for y in 1..field.leaves() {
            let mut proof = Zeroizing::new([0; PROOF_BYTES]);
            seeds.push([0; NODE_BYTES]);
            let seed = seeds.last_mut().expect("just pushed");
            hash_leaf(&base.session, group, &nodes[y], &mut proof, seed);
            xor(&mut proofs[0], &*proof);
            proofs[y] = *proof;
        }
        reorder(&mut proofs, *element);
        right &= digest(&base.session, group, &proofs).ct_eq(theirs);
    }
    match bool::from(right) {
        true => Ok(Leaves { seeds, session: transcript(&base.session, message) }),
        false => Err(OtError::Trees),
    }
}

/// Computes the garbler's nodes of the next level. The lower half of `nodes` holds the nodes of
/// this level. `chosen` is the bit of Δ for the next level as a mask, `pair` the evaluator's
/// corrections for that level, and `key` the garbler's key of that base OT.
fn open_level(nodes: &mut [Node], chosen: u8, pair: &[Node], key: &Node) {
    let (low, high) = nodes.split_at_mut(nodes.len() / 2);
    let mut missing = *key;
    for (byte, (zero, one)) in missing.iter_mut().zip(pair[0].iter().zip(&pair[1])) {
        *byte ^= zero ^ (zero ^ one) & chosen;
    }
    for (low, high) in low[1..].iter_mut().zip(&mut high[1..]) {
        let children = children(low);
        for byte in 0..NODE_BYTES {
            let swapped = (children[0][byte] ^ children[1][byte]) & chosen;
            low[byte] = children[0][byte] ^ swapped;
            high[byte] = children[1][byte] ^ swapped;
        }
        xor(&mut missing, high);
    }
    high[0] = missing;
    missing.zeroize();
}

/// Reorders a list indexed by y into one indexed by x = y ^ `element`.
fn reorder(proofs: &mut [[u8; PROOF_BYTES]], element: u8) {
    for level in 0..proofs.len().ilog2() {
        let chosen = mask((element >> level).into()) as u8;
        for pair in proofs.chunks_exact_mut(2 << level) {
            let (zeros, ones) = pair.split_at_mut(1 << level);
            for (a, b) in zeros.as_flattened_mut().iter_mut().zip(ones.as_flattened_mut()) {
                let swapped = (*a ^ *b) & chosen;
                *a ^= swapped;
                *b ^= swapped;
            }
        }
    }
}

/// The function G.
fn children(node: &Node) -> Zeroizing<[Node; 2]> {
    let mut blocks = Zeroizing::new([0; 2]);
    Stream::new(node).fill(&mut *blocks);
    Zeroizing::new([blocks[0].to_le_bytes(), blocks[1].to_le_bytes()])
}

/// Computes s̃ and the seed of a leaf.
fn hash_leaf(
    session: &SessionId,
    group: usize,
    leaf: &Node,
    proof: &mut [u8; PROOF_BYTES],
    seed: &mut Node,
) {
    let mut hasher = oracle(session, "OT tree, leaf");
    hasher.update(&(group as u64).to_le_bytes());
    hasher.update(leaf);
    let mut out = Zeroizing::new([0; PROOF_BYTES + NODE_BYTES]);
    finish(hasher, &mut *out);
    proof.copy_from_slice(&out[..PROOF_BYTES]);
    seed.copy_from_slice(&out[PROOF_BYTES..]);
}

/// The evaluator's commitment to a tree's leaves.
fn digest(session: &SessionId, group: usize, proofs: &[[u8; PROOF_BYTES]]) -> [u8; PROOF_BYTES] {
    let mut hasher = oracle(session, "OT tree, digest from the evaluator");
    hasher.update(&(group as u64).to_le_bytes());
    hasher.update(proofs.as_flattened());
    let mut digest = [0; PROOF_BYTES];
    finish(hasher, &mut digest);
    digest
}

/// The session id for everything after the trees: binds everything before and the message.
fn transcript(session: &SessionId, message: &[u8]) -> SessionId {
    if message.is_empty() {
        return *session;
    }
    let mut hasher = oracle(session, "OT tree, transcript");
    hasher.update(message);
    SessionId(*hasher.finalize().as_bytes())
}

fn xor(into: &mut [u8], other: &[u8]) {
    for (into, other) in into.iter_mut().zip(other) {
        *into ^= other;
    }
}

// An element of Δ is read as a byte.
const _: () = assert!(OtField::Eight.bits() <= 8 && BASE_OTS.is_multiple_of(8));

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
