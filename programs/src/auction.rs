//! A sealed-bid second-price auction (Vickrey): the highest bidder wins and pays the second highest
//! bid. Two auctioneers are the parties; each holds the bids of half of the bidders. Neither learns
//! a bid of the other half, apart from what winner and price reveal.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `auction`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "auction",
    params: "BIDDERSxBITS",
    default: "8x32",
    summary: "second-price auction: the winner, and the second highest bid",
    ports: "bid0:BITS, bid1:BITS, ... (the first half, rounded up, the garbler's; the rest the \
            evaluator's); outputs winner (index of the highest bid, the lowest index among \
            equals) and price:BITS",
    types: &[],
    make: Make::Flat(|params: Params| {
        let (bidders, bits) = params.two(["BIDDERS", "BITS"], 'x')?;
        circuit(bidders, bits)
    }),
};

/// Inputs `bid0`, `bid1`, …, unsigned integers of `bits` bits: the first half (rounded up) from the
/// garbler, the others from the evaluator. Outputs `winner`, the index of the highest bid (of the
/// first one among equals), as wide as the highest index in binary, and `price`, the second
/// highest bid, `bits` wide. About `4 * bits` ANDs per bidder.
///
/// # Errors
/// If `bidders` is not 2 to 4,096 or `bits` not 1 to 1,024, or the gates cannot be stored.
pub fn circuit(bidders: u32, bits: u32) -> Result<Circuit, MakeError> {
    check("BIDDERS", bidders.into(), 2..=1 << 12)?;
    check("BITS", bits.into(), 1..=1 << 10)?;
    let mut b = Builder::new();
    let bids: Vec<Vec<Bit>> = (0..bidders)
        .map(|i| {
            let party = if i < bidders.div_ceil(2) { Party::Garbler } else { Party::Evaluator };
            b.input(format!("bid{i}"), party, bits)
        })
        .collect();

    let index_width = (bidders - 1).ilog2() as usize + 1;
    let mut winner = int::constant(index_width, 0);
    let mut highest = bids[0].clone();
    let mut price = int::constant(bits as usize, 0);
    for (index, bid) in bids.iter().enumerate().skip(1) {
        // A bid must be strictly higher to win, so the first of equal bids stays the winner.
        let wins = int::lt_unsigned(&mut b, &highest, bid);
        let challenger = int::constant(index_width, index as u128);
        winner = int::select(&mut b, wins, &challenger, &winner);
        let (higher, lower) = int::swap_if(&mut b, wins, &highest, bid);
        highest = higher;
        price = int::max_unsigned(&mut b, &price, &lower);
    }
    b.output("winner", &winner);
    b.output("price", &price);
    Ok(b.finish()?)
}
