//! Memory and engines outside the contract: responses at random times, backpressure, stalling
//! engines. Tables and outputs stay the same.

use crate::rtl::common::*;
use halfgate_haac::engine::Disturbance;
use halfgate_haac::rtl::{Options, RtlEngine};

#[test]
fn late_answers_and_stalls_change_times_alone() {
    let _turn = one_at_a_time();
    let plain = RtlEngine::new(small(), quick());
    for seed in 0..4 {
        let program = random_program(20 + seed, 350);
        let wanted = garble(&plain, &program).expect("garbles");
        let usual = plain.measured().expect("it ran").report.cycles;
        for (extra_latency, refuse_percent, stall_percent) in [(90, 30, 20), (3, 60, 0), (0, 0, 50)]
        {
            let disturbance = Disturbance { seed, extra_latency, refuse_percent, stall_percent };
            let options = Options { disturbance: Some(disturbance), ..quick() };
            let engine = RtlEngine::new(small(), options);
            conform(&engine, &program, seed, 1);
            assert!(garble(&engine, &program).expect("garbles") == wanted);
            let cycles = engine.measured().expect("it ran").report.cycles;
            assert_ne!(cycles, usual, "nothing was disturbed");
        }
    }
}
