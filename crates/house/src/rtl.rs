//! The rules on hardware descriptions: waivers of lint, and licence lines.

use crate::report::Breach;
use crate::repository::Repository;

/// The first line of a hardware description.
const LICENCE: &str = "// SPDX-License-Identifier: MIT OR Apache-2.0";

/// What a waiver is called.
const WAIVER: &str = "lint_off";

const DESCRIPTIONS: [&str; 4] = [".sv", ".svh", ".v", ".vlt"];

/// All waivers of lint.
pub fn waivers(repository: &Repository) -> Vec<Breach> {
    let lines = descriptions(repository).flat_map(|(path, text)| waived(path, text));
    lines.map(|(path, line, _)| Breach::new(path, line, "waiver of lint".to_owned())).collect()
}

/// Waivers of lint that no comment precedes.
pub fn without_reason(repository: &Repository) -> Vec<Breach> {
    let what = "waiver of lint without a reason; give it in a comment in the line before";
    let lines = descriptions(repository).flat_map(|(path, text)| waived(path, text));
    lines
        .filter(|(.., before)| !is_reason(before))
        .map(|(path, line, _)| Breach::new(path, line, what.to_owned()))
        .collect()
}

/// Whether a line is a comment that can be a reason: neither a licence nor another waiver.
fn is_reason(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("// ") && line != LICENCE && !line.contains(WAIVER)
}

/// Files whose first line is not their licence.
pub fn without_licence(repository: &Repository) -> Vec<Breach> {
    let what = format!("file without a licence; its first line must be `{LICENCE}`");
    descriptions(repository)
        .filter(|(_, text)| text.lines().next() != Some(LICENCE))
        .map(|(path, _)| Breach::new(path, 1, what.clone()))
        .collect()
}

/// Hardware descriptions of the library, of machines and of crates.
fn descriptions(repository: &Repository) -> impl Iterator<Item = (&str, &str)> {
    repository.files().filter(|(path, _)| {
        let mut folders = path.split('/');
        let is_rtl = match folders.next() {
            Some("rtl") => true,
            Some("machines" | "crates") => folders.nth(1) == Some("rtl"),
            _ => false,
        };
        is_rtl && DESCRIPTIONS.iter().any(|extension| path.ends_with(extension))
    })
}

/// The waivers of a file: its path, the number of the line, and the line before.
fn waived<'a>(path: &'a str, text: &'a str) -> impl Iterator<Item = (&'a str, usize, &'a str)> {
    let before = std::iter::once("").chain(text.lines());
    let lines = text.lines().zip(before).enumerate();
    lines
        .filter(|(_, (line, _))| line.contains(WAIVER))
        .map(move |(index, (_, before))| (path, index + 1, before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waivers_and_missing_reasons_and_licences_are_found() {
        let good = format!("{LICENCE}\n\nmodule a;\n  // Why.\n  /* lint_off X */\nendmodule\n");
        let chained = format!("{LICENCE}\n// lint_off X\n// lint_off Y\n");
        let bad = "module b;\n  logic x;\n  /* lint_off X */\nendmodule\n";
        let repository = Repository::of(&[
            ("rtl/lib/a.sv", &good),
            ("machines/m/rtl/b.svh", bad),
            ("machines/m/tests/b.sv", bad),
            ("rtl/lib/chained.vlt", &chained),
            ("rtl/lib/a.md", bad),
        ]);
        let places = |breaches: Vec<Breach>| -> Vec<(String, usize)> {
            breaches.into_iter().map(|breach| (breach.path, breach.line)).collect()
        };
        let (a, b) = ("rtl/lib/a.sv".to_owned(), "machines/m/rtl/b.svh".to_owned());
        let mut all = places(waivers(&repository));
        all.sort();
        let c = "rtl/lib/chained.vlt".to_owned();
        assert_eq!(all, [(b.clone(), 3), (a, 5), (c.clone(), 2), (c.clone(), 3)]);
        let mut unexplained = places(without_reason(&repository));
        unexplained.sort();
        assert_eq!(unexplained, [(b.clone(), 3), (c.clone(), 2), (c, 3)]);
        assert_eq!(places(without_licence(&repository)), [(b, 1)]);
    }
}
