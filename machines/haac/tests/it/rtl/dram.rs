//! A simulated DRAM behind models and hardware: tables and labels stay those of the reference.

use crate::rtl::common::{ROLES, code, conform, one_at_a_time, quick, random_program, small};
use halfgate_haac::dram::Attachment;
use halfgate_haac::engine::{HaacEngine, Model};
use halfgate_haac::rtl::{Options as RtlOptions, RtlEngine};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::model::Options;
use halfgate_haac_model::model::rows::Plain;

const NAMES: [&str; 4] =
    ["dram:ddr4-4400", "dram:hbm2", "dram:ddr4-4400+packed", "dram:hbm2+packed"];

fn attachment(name: &str) -> Attachment {
    Attachment::of(name).expect("makes sense").expect("is a DRAM")
}

#[test]
fn models_agree_and_labels_are_the_references() {
    for (seed, name) in (30..).zip(NAMES) {
        let dram = attachment(name);
        let program = random_program(seed, 900);
        for model in [Model::Fast, Model::Exact] {
            let engine = HaacEngine::new(small()).with_model(model).with_dram(dram.clone());
            conform(&engine, &program, seed, 1);
        }
        let machine = dram.attach(small());
        let code = code(&machine, &program);
        assert!(code.stats.oor_reads > 0 && code.stats.live > 0, "nothing leaves the window");
        for role in ROLES {
            let [fast, exact] = [false, true].map(|is_exact| {
                let how = (&Options::new(role), is_exact);
                let run = dram.run(&code, &machine, how, &mut Plain::new(code.shape), &mut NoSink);
                run.expect("runs")
            });
            assert_eq!(fast, exact, "{name}, {role:?}");
        }
    }
}

/// How far cycles of hardware and model may be apart. Requests of an engine take turns at its port
/// in the hardware, and come in the order of the contract in the model.
const NEAR_PERCENT: u64 = 10;

#[test]
fn the_hardware_garbles_the_same_in_about_the_models_time() {
    let _turn = one_at_a_time();
    for (seed, name) in (40..).zip(&NAMES[..2]) {
        let dram = attachment(name);
        let machine = dram.attach(small());
        let program = random_program(seed, 900);
        let options = RtlOptions { dram: Some(dram.configuration.clone()), ..quick() };
        let engine = RtlEngine::new(machine.clone(), options);
        conform(&engine, &program, seed, 1);
        // The evaluator ran last.
        let found = engine.measured().expect("it ran").report.cycles;
        let code = code(&machine, &program);
        let how = (&Options::new(ROLES[1]), false);
        let run = dram.run(&code, &machine, how, &mut Plain::new(code.shape), &mut NoSink);
        let wanted = run.expect("runs").cycles;
        println!("{name}: {found} cycles of hardware, {wanted} of the model");
        assert!(100 * found.abs_diff(wanted) <= NEAR_PERCENT * wanted, "{found} {wanted}");
    }
}
