//! A second-price auction (Vickrey): the highest bid wins and pays the second highest. Two houses
//! hold the bids of their own bidders. The number of bidders is fixed when the function is created.

use halfgate::{Function, Length, U8, U32, when};

/// The winner's number and the price.
fn auction(mine: Vec<U32>, yours: Vec<U32>) -> (U8, U32) {
    let mut winner = U8::from(0);
    let (mut highest, mut second) = (U32::ZERO, U32::ZERO);
    for (number, bid) in mine.into_iter().chain(yours).enumerate() {
        let wins = bid.gt(highest);
        winner = when!(if wins { U8::from(number) } else { winner });
        // The loser of the two is a candidate for the price.
        let (loser, best) = wins.swap(bid, highest);
        (highest, second) = (best, second.max(loser));
    }
    (winner, second)
}

fn main() -> Result<(), halfgate::Error> {
    let mine = vec![310, 25, 500];
    let yours = vec![480, 730];
    let (ours, theirs) = (Length(mine.len()), Length(yours.len()));
    let auction = Function::with_shapes("auction", ours, theirs, auction).named(
        &["bids_here"],
        &["bids_there"],
        &["winner", "price"],
    );
    let program = auction.compile()?;
    let (winner, price) = program.run(mine, yours)?;
    println!("bidder {winner} wins and pays {price} ({} ANDs)", program.ands());
    assert_eq!((winner, price), (4, 500));
    Ok(())
}
