//! Executes steps and the link's bytes on plain values.

use super::item::{Decoder, ItemError};
use super::model::Form;
use super::*;
use halfgate_circuit::{Bits, Circuit, Init, random};
use halfgate_programs::build;
use std::collections::HashMap;

const TABLE: usize = 32;

/// Counts of what the link carried for a body.
#[derive(Default)]
struct Sent {
    bytes: Vec<u8>,
    ands: u64,
    xors: u64,
    spilled: u64,
}

/// Lowers a body, and executes the link's bytes on a chip with plain values. Returns the host's
/// final value of each wire.
fn run(circuit: &Circuit, slots: Slot, values: &[bool]) -> (HashMap<u32, bool>, Sent) {
    let mut lowering = Lowering::new(circuit, slots).unwrap();
    let mut host: HashMap<u32, bool> = (0..).zip(values.iter().copied()).collect();
    let mut chip: Vec<Option<bool>> = vec![None; slots as usize];
    let (mut encoder, mut sent, mut steps) = (Encoder::default(), Sent::default(), Vec::new());
    let mut last = None;
    while let Some(step) = lowering.next_step().unwrap() {
        if let Step::Forget { wire } = step {
            host.remove(&wire).expect("what is forgotten was there");
            continue;
        }
        steps.push(step);
        let item = step.item().expect("an item");
        let table = [0xa5; TABLE];
        let follows: &[u8] = match step {
            Step::And(..) => &table,
            Step::Load { .. } => &table[..16],
            _ => &[],
        };
        encoder.push(item, None, follows, &mut sent.bytes);
        let of = |chip: &[Option<bool>], slot: Slot| chip[slot as usize].expect("a label");
        match step {
            Step::Load { slot, wire } => {
                sent.spilled += u64::from(wire as usize >= circuit.first_gate_wire());
                chip[slot as usize] = Some(host[&wire]);
            }
            Step::Read { slot, wire } => drop(host.insert(wire, of(&chip, slot))),
            Step::Xor(Item::Xor { a, b, c, out }) => {
                let third = c.is_some_and(|c| of(&chip, c));
                chip[out as usize] = Some(of(&chip, a) ^ of(&chip, b) ^ third);
            }
            Step::And(Item::And { a, b, c, xors, out }, position) => {
                assert!(last.replace(position) < Some(position), "ANDs are in their order");
                let third = |bit: u8| xors & bit != 0 && of(&chip, c);
                let [a, b] = [a, b].map(|slot| of(&chip, slot));
                chip[out as usize] = Some(((a ^ third(1)) & (b ^ third(2))) ^ third(4));
            }
            other => panic!("{other:?}"),
        }
    }
    encoder.push(Item::End, None, &[], &mut sent.bytes);
    encoder.flush(&mut sent.bytes);
    [sent.ands, sent.xors] = lowering.counts();
    // An evaluator ignores inversions, because it only has active labels.
    let mut decoder = Decoder::new(&sent.bytes, false);
    let mut found = steps.iter().filter_map(|step| step.item());
    while let Some((item, follows)) = decoder.next_item().unwrap() {
        assert_eq!(item, found.next().unwrap_or(Item::End));
        let wanted = match item {
            Item::And { .. } => TABLE,
            Item::Load { .. } => 16,
            _ => 0,
        };
        assert_eq!(follows.len(), wanted);
    }
    assert_eq!(found.next(), None);
    let sources: Vec<(u32, bool)> = (reads::outputs(circuit))
        .map(|wire| {
            let wire = halfgate_circuit::Wire::new(wire as u32);
            (wire.number(), host[&lowering.source(wire)])
        })
        .collect();
    (sources.into_iter().collect(), sent)
}

/// Computes the circuit without its inversions, as an evaluator does.
fn plain(circuit: &Circuit, values: &[bool]) -> Vec<bool> {
    use halfgate_circuit::GateKind::{And, Copy, Xor};
    let mut wires = values.to_vec();
    for gate in circuit.gates.iter() {
        let of = |wire: halfgate_circuit::Wire| wires[wire.index()];
        wires.push(match gate.kind() {
            Xor { a, b, .. } => of(a) ^ of(b),
            And { a, b, .. } => of(a.wire().unwrap()) & of(b.wire().unwrap()),
            Copy { a, .. } => of(a),
        });
    }
    wires
}

fn check(circuit: &Circuit, slots: Slot, seed: u64) -> Sent {
    let inputs = random::inputs_for(circuit, seed, 1);
    let mut values: Vec<bool> = inputs.iter().flat_map(Bits::iter).collect();
    let given = values.clone();
    values.extend(circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
        Init::Constant(value) => value,
        Init::Input(wire) => given[wire.index()],
    }));
    let (found, sent) = run(circuit, slots, &values);
    let expected = plain(circuit, &values);
    for wire in reads::outputs(circuit) {
        assert_eq!(
            found[&(wire as u32)],
            expected[wire],
            "wire {wire}, {slots} slots, seed {seed}"
        );
    }
    let ands = circuit.gates.iter().filter(|gate| gate.is_and()).count() as u64;
    assert_eq!(sent.ands, ands, "every AND has a table");
    sent
}

#[test]
fn steps_compute_what_bodies_do() {
    for seed in 0..60 {
        let shape = random::Shape {
            gates: 1 + 97 * seed as u32 % 700,
            flip_flops: seed as u32 % 4,
            ..Default::default()
        };
        let circuit = random::circuit(seed, &shape);
        for slots in [5, 6, 9, 40, SLOTS] {
            let sent = check(&circuit, slots, seed);
            assert!(slots < SLOTS || sent.spilled == 0, "{slots}");
        }
    }
    for (name, circuit) in random::machines() {
        println!("{name}");
        check(&circuit, 5, 1);
        check(&circuit, SLOTS, 1);
    }
}

#[test]
fn programs_take_few_bytes() {
    for spec in ["divide:64", "sqrt64", "aes128", "multiplier:32"] {
        let circuit = build(spec).unwrap();
        let (ands, gates) = (circuit.gates.ands(), circuit.gates.len() as u64);
        let sent = check(&circuit, SLOTS, 3);
        // Published: 55 bytes per AND and 7 per XOR. Neither count includes inputs.
        let published = 55 * ands + 7 * (gates - ands);
        let loads = 18 * circuit.input_bits();
        println!("{spec}: {} bytes, {published} as published", sent.bytes.len() - loads);
        assert!((sent.bytes.len() - loads) as f64 <= 0.64 * published as f64, "{spec}");
        assert_eq!(sent.spilled, 0);
        assert!(check(&circuit, 60, 4).spilled > 0);
    }
}

#[test]
fn bytes_that_are_no_items_are_refused() {
    let all = |bytes: &[u8]| -> Result<Vec<Item>, ItemError> {
        let mut decoder = Decoder::new(bytes, false);
        let mut items = Vec::new();
        while let Some((item, _)) = decoder.next_item()? {
            items.push(item);
        }
        Ok(items)
    };
    assert_eq!(all(&[]), Ok(vec![]));
    assert_eq!(all(&[0xfd]), Ok(vec![Item::End]));
    assert_eq!(all(&[0xf0, 1, 2]), Err(ItemError::CutShort));
    assert_eq!(all(&[0xf4, 1, 2, 3, 0]), Err(ItemError::CutShort));
    assert_eq!(all(&[0xff]), Err(ItemError::Unknown(0, 15)));
    assert_eq!(all(&[0xfe, 0]), Err(ItemError::CutShort));
    assert!(matches!(all(&[0xfa, 1, 2, 3, 0x80]), Err(ItemError::Unknown(4, 0x80))));
    assert_eq!(all(&[0xf0, 1, 2, 0xff, 0xff]), Err(ItemError::Slot(3, 224 + (31 << 8) + 255)));
    let (slot, a) = (231, 5);
    let xor = Item::Xor { a, b: 6, c: None, out: a };
    assert_eq!(all(&[0x1c, 0xe0, 7, 5, 6]), Ok(vec![Item::Read { slot }, xor]));
}

#[test]
fn an_and_of_grr3_encodes_its_distance() {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    let begin = Begin { is_grr3: true, number: 0, cycle: 5, point: 9 };
    encoder.push(Item::Begin, None, &begin.bytes(), &mut bytes);
    let and = Item::And { a: 1, b: 2, c: 0, xors: 0, out: 3 };
    let distances = [0, 1, 254, 255, 256, 509, 510, 10_000];
    for far in distances {
        encoder.push(and, Some(far), &[7; 48], &mut bytes);
    }
    encoder.flush(&mut bytes);
    let mut decoder = Decoder::new(&bytes, false);
    assert_eq!(decoder.next_item(), Ok(Some((Item::Begin, &begin.bytes()[..]))));
    for far in distances {
        assert_eq!(decoder.next_item(), Ok(Some((and, &[7; 48][..]))));
        assert_eq!(decoder.far(), Some(far));
    }
    assert_eq!(decoder.next_item(), Ok(None));
}

#[test]
fn gates_take_the_documented_cycles() {
    let table = [0x77; 32];
    let and = |xors, out| (Item::And { a: 1, b: 2, c: 3, xors, out }, &table[..]);
    let xor = |a, b, c, out| (Item::Xor { a, b, c, out }, &[][..]);
    for (form, cycles, load, read) in [(Form::Half, 50, 19, 35), (Form::Round, 30, 11, 27)] {
        let between = |items: &[(Item, &[u8])]| {
            let times = super::model::stores(form, items);
            times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<u64>>()
        };
        let times = |items: &[(Item, &[u8])]| {
            let times = between(items);
            assert_eq!(times.len() + 1, items.len());
            times
        };
        let ands = [and(0, 4), and(0, 5), and(0, 300), and(0, 6)];
        assert_eq!(times(&ands), [cycles; 3]);
        let xors = [and(0, 4), and(1, 5), and(6, 2), and(7, 3)];
        assert_eq!(times(&xors), [cycles + 2, cycles + 4, cycles + 6]);
        // In the first list, operand a is the previous result; in the second, it is another slot.
        assert_eq!(
            times(&[and(0, 4), xor(4, 7, None, 4), xor(4, 8, None, 4), xor(4, 9, Some(5), 4)]),
            [4, 4, 6]
        );
        assert_eq!(
            times(&[and(0, 4), xor(5, 7, None, 5), xor(6, 8, None, 6), xor(9, 1, Some(5), 9)]),
            [6, 6, 8]
        );
        let label = [0x5a; 16];
        let loads = [1, 2, 3].map(|slot| (Item::Load { slot }, &label[..]));
        assert_eq!(times(&loads), [load; 2]);
        // An item that sends a label back writes no slot.
        let reads = [(Item::Read { slot: 1 }, &[][..]); 2];
        let [one, two] = [1, 2].map(|count| {
            let items = [&[and(0, 4)], &reads[..count], &[xor(5, 7, None, 5)]].concat();
            between(&items)[0]
        });
        assert_eq!(two - one, read);
    }
}
