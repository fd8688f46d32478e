//! Oblivious transfer: correlated and random, one core a party.

use halfgate_engine::{Delta, Label};
use halfgate_protocol::ot::{
    BaseReceiver, BaseSender, ExtensionReceiver, ExtensionSender, OtMode, RandomOtHash, SessionId,
};
use halfgate_record::measure::{Spread, timed};
use halfgate_record::record::Figure;
use std::sync::mpsc::sync_channel;
use std::thread;

const TURNS: usize = 7;
const BATCH: usize = 1 << 16;
const BATCHES: usize = 64;

/// Rates of correlated and random OT in both modes, and the time of the base OTs.
///
/// # Errors
/// Those of the transfers.
pub fn run() -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for mode in [OtMode::SemiHonest, OtMode::Malicious] {
        let mut rates: [Vec<f64>; 3] = Default::default();
        for _ in 0..TURNS {
            let (sides, seconds) = timed(|| base(mode));
            rates[0].push(seconds * 1e3);
            let sides = sides?;
            rates[1].push(extend(sides, false)?);
            rates[2].push(extend(base(mode)?, true)?);
        }
        let [base, correlated, random] = rates.map(Spread::of);
        let name = |what: &str| format!("{what} OT, {mode}");
        let correlated = Figure::measured(&name("correlated"), "M/s", correlated.median)
            .note(correlated.to_string());
        let elsewhere = crate::PEERS_MACHINE;
        let random = Figure::measured(&name("random"), "M/s", random.median)
            .note(format!("{random}; published: EMP 0.3, IKNP, {elsewhere}"));
        figures.push(
            Figure::measured(&name("128 base"), "ms", base.median)
                .note(format!("{base}; both parties on one core, one after the other")),
        );
        if mode == OtMode::SemiHonest {
            figures.push(correlated.at_least(25.0));
            figures.push(random.published(27.0).at_least(15.0));
        } else {
            figures.push(correlated);
            figures.push(random.published(24.0));
        }
    }
    Ok(figures)
}

type Sides = (ExtensionSender, ExtensionReceiver);

const SESSION: SessionId = SessionId([7; 32]);

fn base(mode: OtMode) -> Result<Sides, String> {
    let delta = Delta::new(Label::from_u128(0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1));
    let failed = |e: halfgate_protocol::ot::OtError| e.to_string();
    let (receiver, opening) = BaseReceiver::new(SESSION, &delta).map_err(failed)?;
    let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening).map_err(failed)?;
    let (answer, seeds) = receiver.finish(&challenge).map_err(failed)?;
    owed.check(&answer).map_err(failed)?;
    Ok((ExtensionSender::new(mode, &seeds), ExtensionReceiver::new(mode, &pairs)))
}

/// Million transfers a second between two threads; hashed to random ones if `random`.
fn extend((mut sender, mut receiver): Sides, random: bool) -> Result<f64, String> {
    let (to_garbler, from_evaluator) = sync_channel::<Vec<u8>>(4);
    let (result, seconds) = timed(|| {
        thread::scope(|scope| {
            let evaluator = scope.spawn(move || -> Result<(), String> {
                let hash = RandomOtHash::new(&SESSION);
                let choices = vec![0x5a; BATCH / 8];
                let mut labels = Vec::new();
                for batch in 0..BATCHES {
                    let mut message = Vec::new();
                    labels.clear();
                    receiver
                        .extend(&choices, BATCH, &mut message, &mut labels)
                        .map_err(|e| e.to_string())?;
                    if random {
                        hash.hash((batch * BATCH) as u64, &mut labels);
                    }
                    to_garbler.send(message).map_err(|_| "the garbler's thread ended")?;
                }
                Ok(())
            });
            let hash = RandomOtHash::new(&SESSION);
            let (mut labels, mut pairs) = (Vec::new(), Vec::new());
            for batch in 0..BATCHES {
                let message = from_evaluator.recv().map_err(|_| "the evaluator's thread ended")?;
                labels.clear();
                sender.extend(BATCH, &message, &mut labels).map_err(|e| e.to_string())?;
                if random {
                    pairs.clear();
                    let first = (batch * BATCH) as u64;
                    hash.hash_pairs(first, &labels, sender.delta(), &mut pairs);
                }
            }
            evaluator.join().map_err(|_| "the evaluator's thread panicked".to_owned())?
        })
    });
    result?;
    Ok((BATCH * BATCHES) as f64 / seconds * 1e-6)
}
