//! A sealed-bid second-price auction (Vickrey) with many bidders, run by two servers that do not
//! trust each other: the highest bidder wins and pays the second highest bid. Neither server learns
//! a bid, apart from the price.
//!
//! **Bids** are in XOR shares: server A has a random number, and server B has the bid XORed with
//! it. A bidder that trusts one server can give it the bid; the other server's share is then 0.
//!
//! **The circuit** is a tournament. As Dodgson observed for tennis prizes, the second best is among
//! those that the best has beaten. In round `j`, the winner of a pair keeps the `j - 1` bids that
//! it has beaten so far. For `n` bids, this is one more selection per bid; at the end, the price is
//! the highest of `log2 n` bids. So a bidder takes 3 ANDs per bit of a bid and one for the index.
//! The sequential [`auction`](crate::auction) takes 4 ANDs per bit, and one for each bit of the
//! index.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Function, Length, Secret, U32};
//!
//! /// The index of the highest bid (the first, if several), and the second highest bid.
//! fn auction(bids: &[U32]) -> (U32, U32) {
//!     let (mut winner, mut highest, mut price) = (U32::ZERO, bids[0], U32::ZERO);
//!     for (index, &bid) in bids.iter().enumerate().skip(1) {
//!         let wins = bid.gt(highest);
//!         winner.assign_if(wins, index as u32);
//!         let lower;
//!         (highest, lower) = wins.swap(highest, bid);
//!         price = price.max(lower);
//!     }
//!     (winner, price)
//! }
//!
//! let function = Function::with_shapes("auction", Length(3), Length(3), |a: Vec<U32>, b: Vec<U32>|
//! {
//!     let bids: Vec<U32> = a.into_iter().zip(b).map(|(a, b)| a ^ b).collect();
//!     auction(&bids)
//! })
//! .named(&["a"], &["b"], &["winner", "price"]);
//! let program = function.compile()?;
//! assert_eq!(program.run(vec![300, 200, 0], vec![0, 0, 250])?, (0, 250));
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `vickrey`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "vickrey",
    params: "BIDDERSxBITS",
    default: "256x32",
    summary: "second-price auction of many bidders; two servers hold the bids in XOR shares",
    ports: "garbler a, evaluator b: BIDDERS*BITS each, a bid is the XOR of both (0 in one of them if \
            the other has the bid itself); outputs winner (index of the highest bid, the lowest \
            index among equals) and price:BITS, the second highest bid",
    types: &[
        PortType::list("a", Element::Unsigned, Width::Parameter(1)),
        PortType::list("b", Element::Unsigned, Width::Parameter(1)),
    ],
    make: Make::Flat(|params: Params| {
        let (bidders, bits) = params.two(["BIDDERS", "BITS"], 'x')?;
        circuit(bidders, bits)
    }),
};

/// Garbler's `a` and evaluator's `b`: the shares of `bidders` bids, unsigned integers of `bits`
/// bits. Outputs `winner`, the index of the highest bid (of the first one among equals), as wide
/// as the highest index in binary, and `price`, the second highest bid, `bits` wide.
///
/// For `n = 2^k` bidders and bids of `w` bits: `2w (n + k - 2) + (w + 1) (n - k - 1)` ANDs, 24,919
/// for `256x32`. Other numbers of bidders take slightly more than in proportion.
///
/// # Errors
/// If `bidders` is not 2 to 65,536 or `bits` not 1 to 1,024, if together they make more than
/// [`MAX_ANDS`](crate::program::MAX_ANDS), or if the gates cannot be stored.
pub fn circuit(bidders: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("BIDDERS", bidders.into(), 2..=1 << 16)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    check_size(&[bidders.into(), bits.into(), 4])?;
    let mut b = Builder::new();
    let a_shares = b.input("a", Party::Garbler, bidders * bits);
    let b_shares = b.input("b", Party::Evaluator, bidders * bits);
    let bids = int::xor(&mut b, &a_shares, &b_shares);

    let mut round: Vec<Survivor> = bids.chunks(bits as usize).map(Survivor::new).collect();
    while round.len() > 1 {
        let mut next = Vec::with_capacity(round.len().div_ceil(2));
        let mut pairs = round.into_iter();
        while let Some(first) = pairs.next() {
            next.push(match pairs.next() {
                Some(second) => first.against(&mut b, second),
                None => first.unopposed(),
            });
        }
        round = next;
    }
    let Survivor { index, beaten, .. } = round.remove(0);
    let price = beaten.into_iter().reduce(|x, y| int::max_unsigned(&mut b, &x, &y));
    b.output("winner", &index);
    b.output("price", &price.unwrap_or_default());
    Ok(b.finish()?)
}

/// The highest of a group of bids.
struct Survivor {
    bid: Vec<Bit>,
    /// Its index in the group: one bit per round so far.
    index: Vec<Bit>,
    /// The bids that it has beaten, one per round.
    beaten: Vec<Vec<Bit>>,
}

impl Survivor {
    fn new(bid: &[Bit]) -> Survivor {
        Survivor { bid: bid.to_vec(), index: Vec::new(), beaten: Vec::new() }
    }

    /// The survivor of two groups; the bidders of `self` are the first ones.
    fn against(self, b: &mut Builder, other: Survivor) -> Survivor {
        // A bid must be strictly higher to win, so the first of equal bids survives.
        let loses = int::lt_unsigned(b, &self.bid, &other.bid);
        let (bid, lower) = int::swap_if(b, loses, &self.bid, &other.bid);
        let mut index = int::select(b, loses, &other.index, &self.index);
        index.push(loses);
        // The second group may be smaller, and its survivor may have beaten fewer bids. Zeros
        // replace the missing ones: no bid is lower.
        let none = vec![Bit::FALSE; bid.len()];
        let mut beaten: Vec<Vec<Bit>> = self
            .beaten
            .iter()
            .enumerate()
            .map(|(i, mine)| int::select(b, loses, other.beaten.get(i).unwrap_or(&none), mine))
            .collect();
        beaten.push(lower);
        Survivor { bid, index, beaten }
    }

    /// The survivor after a round without an opponent.
    fn unopposed(mut self) -> Survivor {
        self.index.push(Bit::FALSE);
        self
    }
}

/// The same function in plain Rust, by sorting: the winner's index, and the price.
///
/// # Panics
/// If there are fewer than two bids.
pub fn plain(bids: &[u128]) -> (usize, u128) {
    let mut order: Vec<usize> = (0..bids.len()).collect();
    order.sort_by_key(|&bidder| (std::cmp::Reverse(bids[bidder]), bidder));
    (order[0], bids[order[1]])
}
