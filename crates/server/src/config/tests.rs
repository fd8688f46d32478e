//! Valid configurations, and the errors of invalid ones.

use super::*;

const KEY: &str = "SHA256:Zmh6rfhivXdsj8GLjp+OIAiXFIVu4jOzkCpZHQ1fKSU";

fn parsed(text: &str) -> Result<Config, ConfigError> {
    Config::parse(Path::new("/etc/here/serve.toml"), text)
}

fn whole(more: &str) -> String {
    format!(
        "listen = \":7766\"\nidentity = \"server\"\n{more}\n[[peer]]\nname = \"alice\"\nkey = \
         \"{KEY}\"\nprograms = [\"aes\"]\n[[program]]\nname = \"aes\"\ncircuit = \"aes128\"\nrole = \
         \"garbler\"\n"
    )
}

#[test]
fn a_short_configuration_has_defaults() {
    let config = parsed(&whole("")).unwrap();
    assert_eq!(config.listen, "0.0.0.0:7766");
    assert_eq!(config.identity, Path::new("/etc/here/server"));
    assert_eq!((config.sessions, config.unknown_peers), (64, 128));
    assert_eq!(config.timeout, Duration::from_secs(30));
    assert_eq!(config.metrics, None);
    let [alice] = &config.peers[..] else { panic!("{config:?}") };
    assert_eq!((alice.name.as_str(), alice.key.as_str(), alice.line), ("alice", KEY, 6));
    assert_eq!(alice.limits, Limits::default());
    let [aes] = &config.programs[..] else { panic!("{config:?}") };
    assert_eq!((aes.role, aes.line, &aes.inputs), (Party::Garbler, 8, &None));
    assert_eq!((aes.ot, aes.security), (OtMode::Malicious, None));
}

#[test]
fn peers_inherit_missing_limits_from_the_common_ones() {
    let text = whole("[limits]\nsessions = 9\nands = 1000\ndeadline = 5");
    let text = format!("{text}inputs = {{ directory = \"in\" }}\nlearn = \"evaluator\"\n").replace(
        "programs = [\"aes\"]",
        "programs = [\"aes\"]\nlimits = { sessions = 2, rate = 7 }",
    );
    let config = parsed(&text).unwrap();
    let deadline = Duration::from_secs(5);
    let limits = Limits { sessions: 2, rate: 7, ands: Some(1000), bytes: None, deadline };
    assert_eq!(config.peers[0].limits, limits);
    let inputs = Inputs::Directory(PathBuf::from("/etc/here/in"));
    assert_eq!(config.programs[0].inputs, Some(inputs));
    assert_eq!(config.programs[0].learn, ["evaluator"]);
}

#[test]
fn a_program_may_have_a_security_level() {
    for security in SecurityLevel::ALL {
        let text = format!("{}security = \"{security}\"\n", whole(""));
        assert_eq!(parsed(&text).unwrap().programs[0].security, Some(security));
    }
    let unknown = parsed(&format!("{}security = \"covert\"\n", whole(""))).unwrap_err();
    let what = "security = \"covert\": \"semi-honest\" or \"malicious\" is expected";
    assert_eq!((unknown.line, unknown.what), (12, format!("program aes: {what}")));
}

#[test]
fn errors_have_the_file_the_line_and_the_key() {
    for (more, line, words) in [
        ("sessoins = 5", 3, "sessoins"),
        ("sessions = 0", 3, "sessions = 0: a number from 1 to 1024 is expected"),
        ("sessions = -1", 3, "integer"),
        ("strangers = 5000", 3, "strangers = 5000: a number from 1 to 4096 is expected"),
        ("timeout = \"5\"", 3, "string"),
        ("[limits]\nrat = 5", 4, "rat"),
        ("[limits]\nrate = 0", 4, "rate = 0"),
        ("[limits]\nbytes = 0", 4, "bytes = 0"),
        ("listen = \":1\"", 3, "duplicate"),
        ("[[peer", 3, ""),
        ("[[peer]]\nname = \"a b\"\nkey = \"k\"\nprograms = []", 4, "name = \"a b\""),
        ("[[peer]]\nname = \"../a\"\nkey = \"k\"\nprograms = []", 4, "does not begin with '-'"),
        ("[[peer]]\nname = \"alice\"\nkey = \"k\"\nprograms = []", 8, "two peers have this name"),
        (
            "[[peer]]\nname = \"b\"\nkey = \"k\"\nprograms = [\"x\"]",
            6,
            "there is no program \"x\"; there is aes",
        ),
        ("[[peer]]\nname = \"b\"\nkey = \"k\"", 3, "programs"),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"server\"",
            6,
            "role = \"server\": \"garbler\" or \"evaluator\"",
        ),
        ("[[program]]\nname = \"x\"\ncircuit = \"c\"", 3, "role"),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\ncycles = 0",
            7,
            "cycles = 0",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\nlearn = 5",
            7,
            "who learns the outputs",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\not = \"none\"",
            7,
            "ot = \"none\"",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\noutputs = \"all\"",
            7,
            "outputs = \"all\"",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\ninputs = {}",
            7,
            "one of file, command and directory is expected",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\ninputs = { command = [] }",
            7,
            "command = [] names no command",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\ninputs = { file = \"a\", bytes = true }",
            7,
            "for a command",
        ),
        (
            "[[program]]\nname = \"x\"\ncircuit = \"c\"\nrole = \"garbler\"\ninputs = { file = \"a\", directory = \"b\" }",
            7,
            "one of file",
        ),
    ] {
        let text = whole(more);
        let error = parsed(&text).unwrap_err().to_string();
        let begin = format!("/etc/here/serve.toml:{line}: ");
        assert!(error.starts_with(&begin) && error.contains(words), "{more:?}: {error}");
        assert!(!error.contains('\n'), "{error:?}");
    }
    let error = parsed("listen = \"here\"\nidentity = \"server\"").unwrap_err().to_string();
    assert!(error.contains("at least one [[peer]]"), "{error}");
    let error = parsed(&whole("").replace(":7766", "here")).unwrap_err().to_string();
    assert_eq!(error, "/etc/here/serve.toml:1: listen = \"here\": HOST:PORT or :PORT is expected");
}
