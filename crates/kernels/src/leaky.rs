//! Leaky ANDs of authenticated garbling: hashes of shares under the keys of consecutive ANDs, with
//! H of `half-gates`, and the sums that a party makes of them.
//!
//! The letters are those of the module `leaky` of the crate `halfgate-protocol`, which has the
//! formulas and their source.

use crate::hash::{Hash, Place, ReKeyed};
use crate::label::{Delta, Label};
use crate::lanes::Lanes;
use crate::schedule::BLOCK;
use crate::state::{Hashing, State};

/// Vectors that are hashed side by side, to keep the processor's AES units busy through the latency
/// of a round.
const VECTORS: usize = 4;

/// A party's labels of one bit of each leaky AND: keys with its own share added, and MACs.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    /// The keys.
    pub key: &'a [Label],
    /// The MACs.
    pub mac: &'a [Label],
}

/// What is to be computed for some leaky ANDs. All slices have one length.
pub(crate) enum Work<'a> {
    Send(Sent<'a>),
    Receive(Received<'a>),
}

/// `L = H(K[x]) ^ key[z] ^ mac[z]`, and `G = H(K[x]) ^ H(K[x] ^ Δ) ^ key[y] ^ mac[y]`.
pub(crate) struct Sent<'a> {
    pub delta: &'a Delta,
    /// K\[x\] with the own share added.
    pub x: &'a [Label],
    pub y: Bits<'a>,
    pub z: Bits<'a>,
    pub l: &'a mut [Label],
    pub g: &'a mut [Label],
}

/// Adds `H(M[x]) ^ x·(G ^ key[y] ^ mac[y])` to L.
pub(crate) struct Received<'a> {
    /// M\[x\]; its colour bit is x.
    pub x: &'a [Label],
    pub y: Bits<'a>,
    pub g: &'a [Label],
    pub l: &'a mut [Label],
}

/// Computes in vectors of type `L`, with keys of the ANDs' first (`half` 0) or second (1) inputs.
///
/// # Safety
/// The processor must have the instructions of `L`. The slices of `work` must have one length. The
/// state must be of `half-gates`.
#[inline(always)]
pub(crate) unsafe fn run<L: Lanes>(state: &mut State, half: usize, work: Work<'_>) {
    // The half is a constant in all loops, so that a round key takes no branch.
    // SAFETY: the caller makes the same promise.
    unsafe {
        match (work, half) {
            (Work::Send(work), 0) => blocks::<L, _, 0>(state, work.l.len(), Sending::new(work)),
            (Work::Send(work), _) => blocks::<L, _, 1>(state, work.l.len(), Sending::new(work)),
            (Work::Receive(work), 0) => {
                blocks::<L, _, 0>(state, work.l.len(), Receiving::new(work))
            }
            (Work::Receive(work), _) => {
                blocks::<L, _, 1>(state, work.l.len(), Receiving::new(work))
            }
        }
    }
}

/// Works on each block of the key schedule, and counts ANDs.
#[inline(always)]
unsafe fn blocks<L: Lanes, T: Task, const HALF: usize>(state: &mut State, count: usize, task: T) {
    let Hashing::ReKeyed(schedule) = &mut state.hashing else {
        unreachable!("the suite was checked")
    };
    let mut done = 0;
    while done < count {
        let in_block = (state.next_and % BLOCK as u64) as usize;
        let (first, end) = (done, count.min(done + BLOCK - in_block));
        let hash = ReKeyed(schedule.keys(state.next_and));
        state.next_and += (end - done) as u64;
        // SAFETY: `done` plus the lanes of the vectors never exceeds `end`, and the slices have as
        // many labels.
        unsafe {
            while end - done >= VECTORS * L::N {
                let keys = Key(in_block + done - first);
                task.vectors::<L, _, HALF, VECTORS>(&hash, keys, done, L::N);
                done += VECTORS * L::N;
            }
            while done < end {
                let lanes = L::N.min(end - done);
                let keys = Key(in_block + done - first);
                task.vectors::<L, _, HALF, 1>(&hash, keys, done, lanes);
                done += lanes;
            }
        }
    }
}

/// A party's work, by pointers.
trait Task: Copy {
    /// Computes M vectors from AND `first` on, each of `lanes` ANDs: N, or fewer if M is 1.
    ///
    /// # Safety
    /// The processor must have the instructions of `L`, and the slices must have the labels.
    unsafe fn vectors<L: Lanes, H: Hash, const HALF: usize, const M: usize>(
        self,
        hash: &H,
        keys: Key,
        first: usize,
        lanes: usize,
    );
}

/// The sum of both labels of some bits.
#[derive(Clone, Copy)]
struct Sum(*const Label, *const Label);

impl Sum {
    fn new(bits: Bits<'_>) -> Sum {
        Sum(bits.key.as_ptr(), bits.mac.as_ptr())
    }

    /// # Safety
    /// As for [`Task::vectors`].
    #[inline(always)]
    unsafe fn load<L: Lanes>(self, first: usize, lanes: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe {
            let key = L::load_labels(self.0.add(first), lanes);
            key.xor(L::load_labels(self.1.add(first), lanes))
        }
    }
}

#[derive(Clone, Copy)]
struct Sending {
    delta: u128,
    x: *const Label,
    y: Sum,
    z: Sum,
    l: *mut Label,
    g: *mut Label,
}

impl Sending {
    fn new(work: Sent<'_>) -> Sending {
        let Sent { delta, x, y, z, l, g } = work;
        Sending {
            delta: delta.label().to_u128(),
            x: x.as_ptr(),
            y: Sum::new(y),
            z: Sum::new(z),
            l: l.as_mut_ptr(),
            g: g.as_mut_ptr(),
        }
    }
}

impl Task for Sending {
    #[inline(always)]
    unsafe fn vectors<L: Lanes, H: Hash, const HALF: usize, const M: usize>(
        self,
        hash: &H,
        keys: Key,
        first: usize,
        lanes: usize,
    ) {
        // SAFETY: the caller's promise. These are loops, not `map`: see `Lanes::hash` of the
        // kernels.
        unsafe {
            let delta = L::splat(self.delta);
            let mut x = [L::splat(0); M];
            for (m, x) in x.iter_mut().enumerate() {
                let label = L::load_labels(self.x.add(first + m * L::N), lanes);
                let key = label.xor(label.colour_and(delta));
                *x = hash.input(key, HALF, keys.after(m * L::N));
            }
            let key = |r, m| hash.key(r, HALF, keys.after(m * L::N));
            let h = L::hash(x, key);
            let difference = hash.difference(delta);
            for x in &mut x {
                *x = x.xor(difference);
            }
            for (m, (&h, &other)) in h.iter().zip(&L::hash(x, key)).enumerate() {
                let at = first + m * L::N;
                h.xor(self.z.load(at, lanes)).store_labels(self.l.add(at), lanes);
                h.xor(other).xor(self.y.load(at, lanes)).store_labels(self.g.add(at), lanes);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Receiving {
    x: *const Label,
    y: Sum,
    g: *const Label,
    l: *mut Label,
}

impl Receiving {
    fn new(work: Received<'_>) -> Receiving {
        let Received { x, y, g, l } = work;
        Receiving { x: x.as_ptr(), y: Sum::new(y), g: g.as_ptr(), l: l.as_mut_ptr() }
    }
}

impl Task for Receiving {
    #[inline(always)]
    unsafe fn vectors<L: Lanes, H: Hash, const HALF: usize, const M: usize>(
        self,
        hash: &H,
        keys: Key,
        first: usize,
        lanes: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut x = [L::splat(0); M];
            let mut inputs = x;
            for (m, (x, input)) in x.iter_mut().zip(&mut inputs).enumerate() {
                *x = L::load_labels(self.x.add(first + m * L::N), lanes);
                *input = hash.input(*x, HALF, keys.after(m * L::N));
            }
            let h = L::hash(inputs, |r, m| hash.key(r, HALF, keys.after(m * L::N)));
            for (m, (&x, &h)) in x.iter().zip(&h).enumerate() {
                let at = first + m * L::N;
                let chosen = L::load_labels(self.g.add(at), lanes).xor(self.y.load(at, lanes));
                let l = L::load_labels(self.l.add(at), lanes);
                l.xor(h).xor(x.colour_and(chosen)).store_labels(self.l.add(at), lanes);
            }
        }
    }
}

/// The place of a vector's first key.
#[derive(Clone, Copy)]
struct Key(usize);

impl Key {
    #[inline(always)]
    fn after(self, count: usize) -> Key {
        Key(self.0 + count)
    }
}

impl Place for Key {
    /// The re-keyed hash uses no positions.
    #[inline(always)]
    unsafe fn position(self, _: usize) -> u64 {
        0
    }

    #[inline(always)]
    fn first_key(self) -> usize {
        self.0
    }
}
