//! Tests of the simulation of FASE.

use halfgate_tests::command::halfgate;

#[test]
fn fase_garbles_on_models() {
    let clocks = |machine: &str| {
        let printed = halfgate(&["simulate", "dot-product:8x8", "--machine", machine, "--json"]);
        printed.json()["clocks"].as_u64().expect("a number")
    };
    // The list is ordered by speed, the slowest machine first.
    let all = ["fase-paper-1", "fase-paper-2", "fase-2", "fase-4", "fase-wide-4"].map(clocks);
    assert!(all.is_sorted_by(|slower, faster| slower > faster), "{all:?}");
    let printed = halfgate(&["simulate", "adder:16", "--machine", "fase-2"]);
    assert!(printed.stdout.contains("no netlist cycles to overlap"), "{printed:?}");
    // Every clock cycle of every slot is counted under exactly one cause.
    let json = halfgate(&["simulate", "adder:16", "--machine", "fase-wide-2", "--json"]).json();
    let went = json["slot_clocks"].as_object().expect("causes").values();
    let went: u64 = went.filter_map(|clocks| clocks.as_u64()).sum();
    assert_eq!(Some(went), json["clocks"].as_u64().map(|clocks| 6 * clocks), "{json}");
    let printed = halfgate(&["simulate", "adder:16", "--machine", "fase-wide-2"]).stdout;
    assert!(printed.contains("slots went   and "), "{printed}");
    let printed = halfgate(&["simulate", "adder:16", "--machine", "fase-paper-1"]).stdout;
    assert!(printed.contains("clocks went  work "), "{printed}");
    halfgate(&["simulate", "adder:16", "--machine", "fase-0"])
        .failed(5, &["fase-0", "fase-wide-N"]);
    let done = halfgate(&["simulate", "adder:16", "--machine", "fase-2", "--labels"]);
    assert!(done.stdout.contains("15 tables and 16 output labels equal"), "{done:?}");
    let done = halfgate(&["simulate", "adder:16", "--machine", "fase-paper-9", "--labels"]);
    assert!(done.stdout.contains("15 tables and 16 output labels equal"), "{done:?}");
    let ours = ["simulate", "adder:16", "--machine", "fase-2"];
    halfgate(&[&ours[..], &["--model", "exact"]].concat())
        .failed(2, &["--model exact is not for machine fase-2"]);
    halfgate(&[&ours[..], &["--trace", "/dev/null"]].concat()).failed(2, &["--trace", "rtl"]);
    let done = halfgate(&["simulate", "adder:16", "--machine", "fase-2", "--cycles", "3"]);
    done.failed(2, &["--cycles 3"]);
    let forever = ["--cycles", "18446744073709551615"];
    let circuit = ["simulate", "aes128-chained:4", "--machine", "fase-2"];
    halfgate(&[&circuit[..], &forever[..]].concat()).failed(2, &["--cycles 18446744073709551615"]);
}

#[test]
fn what_the_paper_has_not_is_refused() {
    halfgate(&["reproduce", "fase", "--only", "table9"]).failed(5, &["\"table9\"", "table3"]);
    halfgate(&["reproduce", "fase", "--quick"]).failed(2, &["--quick"]);
    let done = halfgate(&["reproduce", "fase", "--netlists", "/nowhere"]);
    done.failed(3, &["/nowhere: none of Mill_8_8"]);
}
