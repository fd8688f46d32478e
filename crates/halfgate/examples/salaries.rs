//! Statistics of two companies' salaries: both learn the mean, the median and the maximum. With a
//! file name and two numbers of salaries as arguments, the circuit is written to that file for the
//! `halfgate` command:
//!
//!     cargo run --example salaries -- salaries.hgc 4 3

use halfgate::{Function, Length, List, U32, U64};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

fn statistics(ours: Vec<U32>, theirs: Vec<U32>) -> (U32, U32, U32) {
    let mut all: Vec<U32> = ours.into_iter().chain(theirs).collect();
    let count = all.len();
    let total = all.iter().fold(U64::from(0), |total, salary| total + salary.cast());
    all.sort_values();
    ((total / count).cast(), all[count / 2], all[count - 1])
}

fn main() -> Result<(), Box<dyn Error>> {
    let function = |ours, theirs| {
        Function::with_shapes("salaries", Length(ours), Length(theirs), statistics).named(
            &["ours"],
            &["theirs"],
            &["mean", "median", "highest"],
        )
    };
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [file, ours, theirs] = &words[..] {
        let mut to = BufWriter::new(File::create(file)?);
        return Ok(function(ours.parse()?, theirs.parse()?).write_hgc(&mut to)?);
    }
    let (ours, theirs) = (vec![61_000, 58_500, 72_000, 49_900], vec![55_000, 83_000, 64_100]);
    let program = function(ours.len(), theirs.len()).compile()?;
    assert_eq!(program.run(ours, theirs)?, (63_357, 61_000, 83_000));
    println!("{} ANDs", program.ands());
    Ok(())
}
