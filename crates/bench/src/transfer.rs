//! Measures oblivious transfer, correlated and random, on one core per party.

use halfgate_engine::{Delta, Label};
use halfgate_protocol::ot::{
    BaseReceiver, BaseSender, ExtensionReceiver, ExtensionSender, OtError, OtField, OtMode,
    RandomOtHash, SessionId,
};
use halfgate_record::measure::{Spread, cpu_timed};
use halfgate_record::record::Figure;

const TURNS: usize = 7;
const BATCH: usize = 1 << 16;
const BATCHES: usize = 32;

/// Measures the time of the base OTs, and each side's rates of correlated and random OT. Rates are
/// per second of one thread's processor time, with messages passed in memory.
///
/// # Errors
/// The errors of the transfers.
pub fn run() -> Result<Vec<Figure>, String> {
    let mut millis = Vec::new();
    for _ in 0..TURNS {
        let (sides, seconds) = cpu_timed(|| set_up(OtMode::Malicious, OtField::default()));
        sides.map_err(|e| e.to_string())?;
        millis.push(seconds * 1e3);
    }
    let base = Spread::of(millis);
    let mut figures = vec![
        Figure::measured("128 base OT", "ms", base.median)
            .at_most(12.0)
            .note(format!("{base}; both parties' work, trees for k = 2 included")),
    ];
    for mode in [OtMode::SemiHonest, OtMode::Malicious] {
        for field in OtField::ALL {
            let rates = rates(mode, field).map_err(|e| e.to_string())?;
            figures.extend(figures_of(mode, field, rates));
        }
    }
    Ok(figures)
}

/// Million transfers per second: correlated OT at the receiver and at the sender, then random OT at
/// each.
type Rates = [Spread; 4];

fn figures_of(mode: OtMode, field: OtField, rates: Rates) -> [Figure; 3] {
    let [receiver, sender, random_receiver, random_sender] = rates;
    let random = match random_receiver.median < random_sender.median {
        true => random_receiver,
        false => random_sender,
    };
    let figure = |name: &str, rate: Spread| {
        Figure::measured(&format!("{name}, {mode}, k = {field}"), "M/s", rate.median)
            .note(rate.to_string())
    };
    let receiver = figure("correlated OT, receiver", receiver);
    let sender = figure("correlated OT, sender", sender);
    let random = figure("random OT, slower side", random);
    // EMP toolkit 0.3, IKNP.
    let beside = |random: Figure, rate: f64| {
        let why = format!("published: EMP 0.3, IKNP, {}", crate::PEERS_MACHINE);
        random.published(rate).at_least(rate).unlike(&why)
    };
    match (field == OtField::default(), mode) {
        (false, _) => [receiver, sender, random],
        (true, OtMode::SemiHonest) => {
            let random = beside(random, 27.0);
            [receiver.at_least(25.0), sender.at_least(25.0), random]
        }
        (true, OtMode::Malicious) => {
            [receiver.at_least(100.0), sender.at_least(100.0), beside(random, 24.0)]
        }
    }
}

type Sides = (ExtensionSender, ExtensionReceiver);

const SESSION: SessionId = SessionId([7; 32]);

fn set_up(mode: OtMode, field: OtField) -> Result<Sides, OtError> {
    let delta = Delta::new(Label::from_u128(0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1));
    let (base, opening) = BaseReceiver::new(SESSION, &delta)?;
    let (challenge, pairs, owed) = BaseSender::respond(SESSION, &opening)?;
    let (receiver, trees) = ExtensionReceiver::new(mode, field, &pairs);
    let (response, seeds) = base.finish(&challenge)?;
    let sender = ExtensionSender::new(mode, field, &seeds, &trees)?;
    owed.check(&response)?;
    Ok((sender, receiver))
}

fn rates(mode: OtMode, field: OtField) -> Result<Rates, OtError> {
    let mut rates: [Vec<f64>; 4] = Default::default();
    for _ in 0..TURNS {
        let [receive, send, hash, hash_pairs] = seconds(set_up(mode, field)?)?;
        let turn = [receive, send, receive + hash, send + hash_pairs];
        for (rates, seconds) in rates.iter_mut().zip(turn) {
            rates.push((BATCH * BATCHES) as f64 / seconds * 1e-6);
        }
    }
    Ok(rates.map(Spread::of))
}

/// Returns the seconds of [`BATCHES`] batches for each of four steps: the receiver's extension, the
/// sender's extension, and the hashes with which the receiver and the sender make their transfers
/// random.
fn seconds((mut sender, mut receiver): Sides) -> Result<[f64; 4], OtError> {
    let mut seconds = [0.0; 4];
    let hash = RandomOtHash::new(&SESSION);
    let choices = vec![0x5a; BATCH / 8];
    let (mut message, mut pairs) = (Vec::new(), Vec::new());
    let (mut t, mut q) = (Vec::new(), Vec::new());
    for batch in 0..BATCHES {
        let first = (batch * BATCH) as u64;
        message.clear();
        t.clear();
        q.clear();
        pairs.clear();
        let (result, time) = cpu_timed(|| receiver.extend(&choices, BATCH, &mut message, &mut t));
        result?;
        seconds[0] += time;
        let (result, time) = cpu_timed(|| sender.extend(BATCH, &message, &mut q));
        result?;
        seconds[1] += time;
        seconds[2] += cpu_timed(|| hash.hash(first, &mut t)).1;
        let delta = sender.delta();
        seconds[3] += cpu_timed(|| hash.hash_pairs(first, &q, delta, &mut pairs)).1;
    }
    Ok(seconds)
}
