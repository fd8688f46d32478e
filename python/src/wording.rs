//! Options of the command in messages, as a user of the package writes them.

/// Options with a value.
const VALUED: [&str; 6] = ["--security", "--engine", "--ot", "--suite", "--kernel", "--order"];
/// Options without one, and those that are something else here.
const OTHERS: [(&str, &str); 7] = [
    ("--garbler-engine", r#"engine={"garbler": …}"#),
    ("--evaluator-engine", r#"engine={"evaluator": …}"#),
    ("--insecure-suite", "insecure_suite=True"),
    ("--preprocess-to", "session.preprocess"),
    ("--preprocessed", "ahead=hg.Preprocessing(…)"),
    ("--preprocess-key", "key=…"),
    ("--preprocess-passphrase-file", "passphrase=…"),
];

/// Replaces options of the command by those of the package: `--engine cpu` by `engine="cpu"`.
/// Other text stays.
pub fn in_python(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut given = text.split(' ').peekable();
    while let Some(word) = given.next() {
        let bare = word.trim_end_matches([',', ';', ':']);
        let end = &word[bare.len()..];
        let name = bare.trim_start_matches('-').replace('-', "_");
        let other = OTHERS.iter().find(|(option, _)| *option == bare);
        if let Some((_, here)) = other {
            words.push(format!("{here}{end}"));
        } else if VALUED.contains(&word) && given.peek().is_some() {
            let value = given.next().unwrap_or_default();
            let bare = value.trim_end_matches([',', ';', ':']);
            let (bare, end) = (format!("{bare:?}"), &value[bare.len()..]);
            words.push(match name.as_str() {
                "order" => format!("program.in_order({bare}){end}"),
                _ => format!("{name}={bare}{end}"),
            });
        } else {
            words.push(word.to_owned());
        }
    }
    words.join(" ")
}
