//! Tests that the command lists everything that the registry has of machines.

use halfgate_registry::MACHINES;
use halfgate_tests::command::halfgate;

#[test]
fn every_configuration_of_every_machine_is_listed() {
    let printed = halfgate(&["machines", "--json"]).json();
    let listed = printed["machines"].as_array().expect("a list");
    let text = halfgate(&["machines"]).stdout;
    let mut count = 0;
    for machine in MACHINES {
        let found = machine.configurations().expect("descriptions that it ships");
        assert!(!found.is_empty(), "{}", machine.name());
        count += found.len();
        for configuration in found {
            let is_it = |one: &&serde_json::Value| {
                one["machine"] == machine.name() && one["name"] == configuration.name
            };
            let one = listed.iter().find(is_it).unwrap_or_else(|| panic!("{}", configuration.name));
            for (name, fact) in &configuration.facts {
                assert_eq!(one[*name], *fact, "{name}: {one}");
            }
            assert!(text.contains(&configuration.name), "{}: {text}", configuration.name);
            assert!(text.contains(&configuration.about), "{}: {text}", configuration.about);
            for line in &configuration.details {
                assert!(text.contains(line), "{line}: {text}");
            }
        }
    }
    assert_eq!(listed.len(), count);
}

#[test]
fn every_engine_of_every_machine_is_listed() {
    let printed = halfgate(&["engines", "--json"]).json();
    let listed = printed["engines"].as_array().expect("a list");
    assert_eq!(listed[0]["name"], "cpu");
    let text = halfgate(&["engines"]).stdout;
    let mut count = 1;
    for machine in MACHINES {
        assert!(text.contains(machine.summary()), "{text}");
        count += machine.engines().len();
        for engine in machine.engines() {
            let is_it = |one: &&serde_json::Value| {
                one["machine"] == machine.name() && one["name"] == engine.form
            };
            let one = listed.iter().find(is_it).unwrap_or_else(|| panic!("{}", engine.form));
            assert_eq!(one["kind"], engine.kind.to_string());
            assert_eq!(one["roles"].as_array().map(Vec::len), Some(machine.roles().len()));
            assert!(text.contains(engine.form), "{}: {text}", engine.form);
        }
    }
    assert_eq!(listed.len(), count);
}

#[test]
fn an_unknown_machine_names_all() {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--engine", "model:cray"];
    let names = halfgate_registry::configurations().expect("descriptions that they ship");
    let mut wanted = vec!["\"cray\""];
    wanted.extend(names.iter().map(String::as_str));
    halfgate(&words).failed(5, &wanted);
    halfgate(&["simulate", "adder:8", "--machine", "cray"]).failed(5, &wanted);
    let names: Vec<_> = MACHINES.iter().map(|machine| machine.name()).collect();
    halfgate(&["reproduce", "cray"]).failed(5, &["\"cray\"", &names.join(", ")]);
}

#[test]
fn options_of_hardware_require_hardware() {
    for machine in MACHINES {
        let examples = machine.examples("simulate").iter();
        let mut models = examples.filter(|example| !example.contains("--model rtl"));
        let example = models.next().unwrap_or_else(|| panic!("{}", machine.name()));
        let words: Vec<_> = example.split(' ').skip(1).collect();
        for option in [["--aes", "dpi"], ["--build", "fast"]] {
            halfgate(&[&words[..], &option].concat()).failed(2, &[option[0], "--model rtl"]);
        }
    }
}

#[test]
fn help_names_parts_and_examples_of_machines() {
    let help = |command: &str| halfgate(&[command, "--help"]).stdout;
    let (reproduce, simulate) = (help("reproduce"), help("simulate"));
    for machine in MACHINES {
        for part in machine.parts() {
            assert!(reproduce.contains(part), "{part}: {reproduce}");
        }
        for example in machine.examples("simulate") {
            // Long lines are wrapped.
            let start = example.split(' ').take(4).collect::<Vec<_>>().join(" ");
            assert!(simulate.contains(&start), "{start}: {simulate}");
        }
        for command in machine.commands() {
            let name = command.get_name().to_owned();
            let about = command.get_about().expect("a summary").to_string();
            assert!(!about.contains(&format!("halfgate {name}")), "{about}");
            assert_eq!(halfgate(&[&name, "--help"]).code, Some(0), "{name}");
        }
    }
}
