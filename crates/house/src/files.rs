//! The rule on long files.

use crate::report::Breach;
use crate::repository::{Repository, is_generated};
use crate::rules::Rules;

const SOURCES: [&str; 4] = [".rs", ".sv", ".sh", ".py"];

/// Sources with more lines than `rules` permits, apart from generated ones.
pub fn long_files(repository: &Repository, rules: &Rules) -> Vec<Breach> {
    let most = rules.limits.file_lines;
    let sources = repository.files().filter(|(path, _)| {
        SOURCES.iter().any(|extension| path.ends_with(extension))
            && !is_generated(path)
            && !rules.files.long.iter().any(|exempt| exempt == path)
    });
    sources
        .filter_map(|(path, text)| {
            let lines = text.lines().count();
            let what = format!("file of {lines} lines; split it into files of {most} at most");
            (lines > most).then(|| Breach::new(path, most + 1, what))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::with_packages;

    #[test]
    fn one_line_too_many_is_found() {
        let rules = with_packages("").unwrap();
        let (fits, too_long) = ("x\n".repeat(500), "x\n".repeat(501));
        let repository = Repository::of(&[
            ("a/fits.rs", &fits),
            ("a/long.sv", &too_long),
            ("a/long.txt", &too_long),
            ("a/generated.rs", &too_long),
            ("crates/reference/src/lib.rs", &too_long),
        ]);
        let breaches = long_files(&repository, &rules);
        assert_eq!(breaches.len(), 1);
        assert_eq!((breaches[0].path.as_str(), breaches[0].line), ("a/long.sv", 501));
    }
}
