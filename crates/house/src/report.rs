//! Findings of rules, and their output.

use std::fmt::Write;

use serde_json::{Map, Value, json};

/// A breach of a rule, at one place.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach {
    /// Path from the repository's root.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// The problem, and how to correct it.
    pub what: String,
    /// Further lines with an explanation.
    pub details: Vec<String>,
}

impl Breach {
    /// A breach without further lines.
    pub fn new(path: &str, line: usize, what: String) -> Self {
        Self { path: path.to_string(), line, what, details: Vec::new() }
    }
}

/// A rule and its breaches.
pub struct Finding {
    /// Name of the rule, for JSON and `--only`.
    pub rule: &'static str,
    /// Title of the rule: the things that it counts.
    pub title: &'static str,
    /// Maximum number of breaches.
    pub limit: usize,
    /// All breaches, also those within the limit.
    pub breaches: Vec<Breach>,
}

impl Finding {
    /// Whether there are more breaches than the limit permits.
    pub fn fails(&self) -> bool {
        self.breaches.len() > self.limit
    }
}

/// A number that is reported and not enforced.
pub struct Measurement {
    /// Name of the measured thing.
    pub name: String,
    /// The measured number.
    pub count: usize,
    /// The number that it should not exceed.
    pub limit: usize,
}

/// The breaches of each rule that fails: one line per breach, with its details indented below.
pub fn breaches(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings.iter().filter(|finding| finding.fails()) {
        for Breach { path, line, what, details } in &finding.breaches {
            writeln!(text, "{path}:{line}: {what}").expect("text takes everything");
            for detail in details {
                writeln!(text, "    {detail}").expect("text takes everything");
            }
        }
        let (count, limit) = (finding.breaches.len(), finding.limit);
        writeln!(text, "{}: {count} of at most {limit}\n", finding.title)
            .expect("text takes everything");
    }
    text
}

/// A table of all numbers.
pub fn table(findings: &[Finding], outside: &[Measurement]) -> String {
    let mut text = format!("{:<60} {:>6} {:>6}\n", "rule", "count", "limit");
    let mut row = |title: &str, count: usize, limit: usize| {
        writeln!(text, "{title:<60} {count:>6} {limit:>6}").expect("text takes everything");
    };
    for finding in findings {
        row(finding.title, finding.breaches.len(), finding.limit);
    }
    for Measurement { name, count, limit } in outside {
        row(&format!("lines outside machines/{name}/ that name its package"), *count, *limit);
    }
    text
}

/// All numbers as an object: each rule's count and limit, and `registrations` by machine.
pub fn json(findings: &[Finding], outside: &[Measurement]) -> Value {
    let mut object: Map<String, Value> = findings
        .iter()
        .map(|Finding { rule, limit, breaches, .. }| {
            (rule.to_string(), json!({ "count": breaches.len(), "limit": limit }))
        })
        .collect();
    let outside: Map<String, Value> = outside
        .iter()
        .map(|Measurement { name, count, limit }| {
            (name.clone(), json!({ "count": count, "limit": limit }))
        })
        .collect();
    object.insert("registrations_by_machine".to_string(), outside.into());
    object.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(limit: usize) -> Finding {
        let breaches = vec![Breach::new("a.rs", 3, "is too long; split it".to_string())];
        Finding { rule: "long", title: "long things", limit, breaches }
    }

    #[test]
    fn breaches_within_the_limit_are_not_printed() {
        assert_eq!(breaches(&[finding(1)]), "");
        assert!(breaches(&[finding(0)]).starts_with("a.rs:3: is too long; split it\n"));
    }

    #[test]
    fn json_has_counts_and_limits() {
        let outside = [Measurement { name: "alpha".to_string(), count: 7, limit: 2 }];
        let object = json(&[finding(4)], &outside);
        assert_eq!(object["long"], json!({ "count": 1, "limit": 4 }));
        assert_eq!(object["registrations_by_machine"]["alpha"]["count"], 7);
    }
}
