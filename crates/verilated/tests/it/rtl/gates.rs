//! Compares the units for gates in SystemVerilog with the reference and with the vectors of
//! `spec/vectors`.

use halfgate_reference::{Key, Place, Suite, colour, evaluate_and, garble_and, position_tweak};
use halfgate_verilated::{Design, Error, In, Out, Simulation};

use halfgate_verilated::testing::stimulus::{
    Expected, Handshake, Random, Tested, cleared, pipeline,
};

const TABLE: u64 = 0;
const COMPOSITE: u64 = 1;
const DPI: u64 = 2;
const ROM: u64 = 3;

/// The ports of a half-gate unit, pipelined or folded.
struct Unit {
    a: In,
    b: In,
    key_a: In,
    key_b: In,
    label: Out,
    /// For a garbler, the value of Δ at its port, and the port of the table.
    garbler: Option<(u128, Out)>,
    table_in: Option<In>,
}

impl Unit {
    fn garbler(sim: &mut Simulation, delta: u128) -> Result<Unit, Error> {
        sim.set_u128(sim.input("delta_i", 128)?, delta);
        let garbler = Some((delta, sim.output("table_o", 256)?));
        Ok(Unit { garbler, table_in: None, ..Unit::common(sim)? })
    }

    fn evaluator(sim: &Simulation) -> Result<Unit, Error> {
        Ok(Unit { table_in: Some(sim.input("table_i", 256)?), ..Unit::common(sim)? })
    }

    fn common(sim: &Simulation) -> Result<Unit, Error> {
        Ok(Unit {
            a: sim.input("a_i", 128)?,
            b: sim.input("b_i", 128)?,
            key_a: sim.input("key_a_i", 128)?,
            key_b: sim.input("key_b_i", 128)?,
            label: sim.output("label_o", 128)?,
            garbler: None,
            table_in: None,
        })
    }

    fn set(&self, sim: &mut Simulation, point: u128, and: u64, a: u128, b: u128) {
        let key = |half| point ^ (2 * u128::from(and) + half) << 64;
        sim.set_u128(self.a, a);
        sim.set_u128(self.b, b);
        sim.set_u128(self.key_a, key(0));
        sim.set_u128(self.key_b, key(1));
    }

    /// Sets the inputs of a random AND, and returns its expected outputs.
    fn drive(&self, sim: &mut Simulation, random: &mut Random) -> Expected {
        let (point, and) = (random.u128(), random.u64() >> 1);
        let (a, b) = (random.u128(), random.u128());
        self.set(sim, point, and, a, b);
        let key = Key { suite: Suite::HalfGates, point };
        let place = Place { and, cycle: 0, gate: 0 };
        let half = |bytes: &[u8]| u128::from_le_bytes(bytes.try_into().expect("16 bytes"));
        if let Some((delta, table_out)) = self.garbler {
            let (label, table) = garble_and(key, delta, place, a, b);
            let rows = (half(&table[..16]), half(&table[16..]));
            vec![(self.label, 0, label), (table_out, 0, rows.0), (table_out, 128, rows.1)]
        } else {
            let table: Vec<u8> =
                [random.u128().to_le_bytes(), random.u128().to_le_bytes()].concat();
            sim.set_bytes(self.table_in.expect("the evaluator's"), &table);
            vec![(self.label, 0, evaluate_and(key, place, &table, a, b))]
        }
    }
}

fn check_garbler(implementation: u64, latency: usize) -> Tested {
    let design = Design::of("half_gate_garbler").param("Impl", implementation);
    let mut sim = Simulation::new(&design.param("Latency", latency as u64).build()?)?;
    sim.reset()?;
    let unit = Unit::garbler(&mut sim, Random(7).u128() | 1)?;
    let mut random = Random(latency as u64);
    pipeline(&mut sim, latency, 400, &mut random, |sim, random| unit.drive(sim, random))?;
    cleared(&mut sim, latency, &[unit.label, unit.garbler.expect("it is one").1])?;
    Ok(())
}

fn check_evaluator(implementation: u64, latency: usize) -> Tested {
    let design = Design::of("half_gate_evaluator").param("Impl", implementation);
    let mut sim = Simulation::new(&design.param("Latency", latency as u64).build()?)?;
    sim.reset()?;
    let unit = Unit::evaluator(&sim)?;
    let mut random = Random(latency as u64);
    pipeline(&mut sim, latency, 400, &mut random, |sim, random| unit.drive(sim, random))?;
    cleared(&mut sim, latency, &[unit.label])?;
    Ok(())
}

#[test]
#[ignore = "long: make rtl"]
fn the_garbler_of_tables_garbles() -> Tested {
    check_garbler(TABLE, 21)
}

#[test]
fn the_evaluator_of_tables_evaluates() -> Tested {
    check_evaluator(TABLE, 18)
}

#[test]
fn garbler_and_evaluator_with_dpi_work_at_every_latency() -> Tested {
    for latency in [2, 3, 21] {
        check_garbler(DPI, latency)?;
    }
    check_evaluator(DPI, 2)?;
    check_evaluator(DPI, 18)
}

#[test]
#[ignore = "long: make rtl"]
fn garbler_and_evaluator_work_in_every_form() -> Tested {
    check_garbler(COMPOSITE, 21)?;
    check_garbler(TABLE, 8)?;
    check_garbler(TABLE, 24)?;
    check_evaluator(COMPOSITE, 18)?;
    check_evaluator(TABLE, 3)
}

fn check_folded(implementation: u64) -> Tested {
    let mut sim = Simulation::new(&folded("garbler", implementation).build()?)?;
    sim.reset()?;
    let unit = Unit::garbler(&mut sim, Random(8).u128() | 1)?;
    let drive = |sim: &mut Simulation, random: &mut Random| unit.drive(sim, random);
    Handshake::of(&sim)?.sweep(&mut sim, (11, 10), &mut Random(1), drive)?;
    check_folded_evaluator(implementation)
}

fn check_folded_evaluator(implementation: u64) -> Tested {
    let mut sim = Simulation::new(&folded("evaluator", implementation).build()?)?;
    sim.reset()?;
    let unit = Unit::evaluator(&sim)?;
    let drive = |sim: &mut Simulation, random: &mut Random| unit.drive(sim, random);
    Handshake::of(&sim)?.sweep(&mut sim, (11, 10), &mut Random(2), drive)?;
    Ok(())
}

fn folded(role: &str, implementation: u64) -> Design {
    Design::of(&format!("half_gate_{role}_folded")).param("Impl", implementation)
}

#[test]
fn folded_units_work_whatever_stalls_them() -> Tested {
    check_folded(TABLE)
}

#[test]
fn a_folded_unit_with_block_rams_works() -> Tested {
    check_folded_evaluator(ROM)
}

#[test]
#[ignore = "long: make rtl"]
fn folded_units_with_composite_s_boxes_work() -> Tested {
    check_folded(COMPOSITE)
}

/// Runs the circuits of vector files gate by gate through the folded units, and compares tables
/// and labels with the files. The EMP toolkit made one of the files.
#[test]
fn folded_units_give_the_vectors() -> Tested {
    ["half-gates-small.json", "half-gates-emp.json"].into_iter().try_for_each(check_vector)
}

fn check_vector(file: &str) -> Tested {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors");
    let text = std::fs::read_to_string(std::path::Path::new(folder).join(file))?;
    let vector: serde_json::Value = serde_json::from_str(&text)?;
    let number = |value: &serde_json::Value| -> u128 {
        u128::from_str_radix(value.as_str().expect("hexadecimal"), 16).expect("128 bits")
    };
    let index = |value: &serde_json::Value| value.as_u64().expect("a wire") as usize;
    let list = |name: &str| vector[name].as_array().expect("a list").clone();
    let (delta, point) = (number(&vector["delta"]), number(&vector["start"]));

    let mut garbler = Simulation::new(&folded("garbler", TABLE).build()?)?;
    garbler.reset()?;
    let garbler_unit = Unit::garbler(&mut garbler, delta)?;
    let table_out = garbler_unit.garbler.expect("it is one").1;
    let mut evaluator = Simulation::new(&folded("evaluator", TABLE).build()?)?;
    evaluator.reset()?;
    let evaluator_unit = Unit::evaluator(&evaluator)?;

    let mut labels: Vec<u128> = list("inputs").iter().map(number).collect();
    // The evaluator's inputs: 0, 1, 0, 1, ...
    let mut values: Vec<bool> = (0..labels.len()).map(|input| input % 2 == 1).collect();
    let mut and = 0;
    for gate in list("gates") {
        let (a, b) = (index(&gate[1]), index(&gate[2]));
        assert_eq!(index(&gate[3]), labels.len(), "wires come in order");
        if gate[0] == "XOR" {
            labels.push(labels[a] ^ labels[b]);
            values.push(values[a] ^ values[b]);
            continue;
        }
        assert_eq!(gate[0], "AND");
        garbler_unit.set(&mut garbler, point, and, labels[a], labels[b]);
        operate(&mut garbler)?;
        let label = garbler.get_u128(garbler_unit.label);
        let table = &list("tables")[and as usize];
        assert_eq!(garbler.field(table_out, 0, 128), number(&table[0]), "{file}: TG of AND {and}");
        assert_eq!(
            garbler.field(table_out, 128, 128),
            number(&table[1]),
            "{file}: TE of AND {and}"
        );

        let active = |wire: usize| labels[wire] ^ if values[wire] { delta } else { 0 };
        evaluator_unit.set(&mut evaluator, point, and, active(a), active(b));
        evaluator.set_bytes(evaluator_unit.table_in.expect("its"), garbler.bytes(table_out));
        operate(&mut evaluator)?;
        let value = values[a] && values[b];
        let expected = label ^ if value { delta } else { 0 };
        assert!(evaluator.get_u128(evaluator_unit.label) == expected, "{file}: label of AND {and}");
        labels.push(label);
        values.push(value);
        and += 1;
    }
    assert_eq!(and as usize, list("tables").len());
    for (wire, label) in vector["outputs"].as_object().expect("outputs") {
        assert!(labels[wire.parse::<usize>()?] == number(label), "{file}: output {wire}");
    }
    Ok(())
}

/// Runs one operation through a folded unit, until the clock cycle in which its result is offered.
fn operate(sim: &mut Simulation) -> Result<(), Error> {
    let (valid, ready) = (sim.input("valid_i", 1)?, sim.input("ready_i", 1)?);
    let offered = sim.output("valid_o", 1)?;
    sim.set_bit(ready, true);
    sim.set_bit(valid, true);
    sim.clock()?;
    sim.set_bit(valid, false);
    for _ in 0..10 {
        sim.settle()?;
        assert!(!sim.is_set(offered), "early");
        sim.clock()?;
    }
    sim.settle()?;
    assert!(sim.is_set(offered), "late");
    Ok(())
}

#[test]
fn units_refuse_delta_without_colour_and_equal_keys() -> Tested {
    let pipelined = Design::of("half_gate_garbler").param("Impl", DPI).param("Latency", 21);
    for design in [pipelined, folded("garbler", TABLE)] {
        for (delta, colour_is_set) in [(2, false), (3, true)] {
            assert_eq!(colour(delta), colour_is_set);
            let mut sim = Simulation::new(&design.build()?)?;
            sim.reset()?;
            let unit = Unit::garbler(&mut sim, delta)?;
            unit.set(&mut sim, 5, 1, 6, 7);
            if colour_is_set {
                sim.set_u128(unit.key_b, 5 ^ 2 << 64);
            }
            sim.set_bit(sim.input("valid_i", 1)?, true);
            let error = sim.clock().unwrap_err().to_string();
            let reported =
                if colour_is_set { "both hashes under one key" } else { "bit 0 of delta_i is" };
            assert!(error.contains(reported), "{error}");
        }
    }
    Ok(())
}

#[test]
fn free_gates_are_xor_copy_and_inversion() -> Tested {
    let mut sim = Simulation::new(&Design::of("free_xor").build()?)?;
    sim.reset()?;
    let (a_in, b_in) = (sim.input("a_i", 128)?, sim.input("b_i", 128)?);
    let (copy_in, invert_in) = (sim.input("copy_i", 1)?, sim.input("invert_i", 1)?);
    let (delta_in, label) = (sim.input("delta_i", 128)?, sim.output("label_o", 128)?);
    let delta = Random(4).u128() | 1;
    sim.set_u128(delta_in, delta);
    let drive = |sim: &mut Simulation, random: &mut Random| {
        let (a, b, copy, invert) =
            (random.u128(), random.u128(), random.chance(50), random.chance(50));
        sim.set_u128(a_in, a);
        sim.set_u128(b_in, b);
        sim.set_bit(copy_in, copy);
        sim.set_bit(invert_in, invert);
        let value = a ^ if copy { 0 } else { b } ^ if invert { delta } else { 0 };
        vec![(label, 0, value)]
    };
    pipeline(&mut sim, 1, 1000, &mut Random(6), drive)?;
    cleared(&mut sim, 1, &[label])?;
    Ok(())
}

#[test]
fn the_hash_under_a_fixed_key_is_the_suites() -> Tested {
    let stages = 13;
    let mut sim = Simulation::new(&Design::of("hash_fixed_key").param("Stages", stages).build()?)?;
    sim.reset()?;
    let point = Random(2).u128();
    let (label_in, tweak_in) = (sim.input("label_i", 128)?, sim.input("tweak_i", 128)?);
    let (hash, valid) = (sim.output("hash_o", 128)?, sim.output("valid_o", 1)?);
    let (key_valid, key_ready) = (sim.input("key_valid_i", 1)?, sim.output("key_ready_o", 1)?);
    sim.set_u128(sim.input("key_i", 128)?, point);
    sim.set_bit(key_valid, true);
    sim.clock()?;
    sim.set_bit(key_valid, false);
    while !sim.is_set(key_ready) {
        assert!(sim.cycles() < 30, "no key");
        sim.clock()?;
    }
    sim.set_bit(sim.input("en_i", 1)?, true);
    sim.set_bit(sim.input("valid_i", 1)?, true);
    let mut random = Random(3);
    let mut inside = std::collections::VecDeque::new();
    for cycle in 0..100 {
        let place = Place { and: 0, cycle: random.u64(), gate: random.u64() >> 1 };
        let (label, half) = (random.u128(), cycle % 2);
        sim.set_u128(label_in, label);
        sim.set_u128(tweak_in, position_tweak(place, half));
        inside.push_back(Key { suite: Suite::HalfGatesFixedKey, point }.hash(label, place, half));
        sim.clock()?;
        assert_eq!(sim.is_set(valid), cycle + 1 >= stages, "cycle {cycle}");
        if sim.is_set(valid) {
            assert!(sim.get_u128(hash) == inside.pop_front().expect("it went in"), "{cycle}");
        }
    }
    Ok(())
}
