//! Sessions with the RTL engine.

use halfgate_mobile::rtl;
use halfgate_tests::command::halfgate;
use halfgate_verilated::Toolchain;

#[test]
fn a_mobile_coprocessor_evaluates() {
    let division = ["run", "divide:16", "--garbler", "50000", "--evaluator", "123", "--json"];
    let by = |engine, suite: &[&str]| {
        halfgate(&[&division[..], suite, &["--evaluator-engine", engine]].concat()).json()
    };
    let clocks = |of: &serde_json::Value| of["simulated"]["evaluator"]["clock_cycles"].as_u64();
    let has_verilator = Toolchain::from_environment().version().is_ok();
    if has_verilator {
        let built = rtl::RtlMobile::new(rtl::Options::default()).build();
        built.expect("builds, which takes longer than the timer of a command allows");
    }
    for suite in [&[][..], &["--suite", "grr3"]] {
        let [cpu, model] = ["cpu", "model:mobile"].map(|engine| by(engine, suite));
        assert_eq!(model["outputs"], cpu["outputs"]);
        if has_verilator {
            let rtl = by("rtl:mobile", suite);
            assert_eq!(rtl["outputs"], cpu["outputs"]);
            // Byte stuffing depends on the labels, which are different in each session.
            let [rtl, model] =
                [&rtl, &model].map(|of| clocks(of).expect("they are counted") as f64);
            assert!((rtl / model - 1.0).abs() < 0.01, "{rtl} {model}");
        }
    }
    let slow = by("model:mobile,link=uart3", &[]);
    assert!(clocks(&slow) > clocks(&by("model:mobile", &[])));
    halfgate(&["run", "divide:16", "--garbler-engine", "model:mobile"])
        .failed(2, &["evaluates only"]);
    halfgate(&["run", "divide:16", "--evaluator-engine", "model:mobile,link=i2c"])
        .failed(5, &["link=i2c", "link=spi|uart3|uart12"]);
}
