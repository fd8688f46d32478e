//! Runs all rules on a repository.

use std::path::Path;

use crate::glossary::{self, Glossary};
use crate::report::{Finding, Measurement};
use crate::repository::Repository;
use crate::rules::{self, Rules};
use crate::workspace::Workspace;
use crate::{
    comments, dependencies, errors, files, functions, machines, models, modules, rtl, sources,
};

/// The results of all rules.
pub struct House {
    /// The findings of each rule.
    pub findings: Vec<Finding>,
    /// For each machine, the lines outside its folder that name its package.
    pub outside: Vec<Measurement>,
}

/// Runs all rules on the repository at `root`. `names` are the machines; `None` takes those of the
/// repository.
pub fn inspect(root: &Path, names: Option<Vec<String>>) -> Result<House, String> {
    let repository = Repository::read(root)?;
    let text = std::fs::read_to_string(root.join(rules::PATH))
        .map_err(|error| format!("{} cannot be read: {error}", rules::PATH))?;
    let rules = Rules::parse(&text)?;
    let workspace = Workspace::read(root)?;
    if let Some(pattern) = rules.stale(&workspace) {
        return Err(format!("{}: no package matches {pattern}; correct the pattern", rules::PATH));
    }
    let names = names.unwrap_or_else(|| machines::names(&repository));
    if names.is_empty() {
        return Err("no folder in machines/ has src/lib.rs: name the machines with --names".into());
    }
    let glossary = Glossary::read(&repository)?;
    let outside = machines::registrations(&repository, &names, rules.limits.registrations);
    Ok(House { findings: findings(&repository, &workspace, &rules, &glossary, &names), outside })
}

fn findings(
    repository: &Repository,
    workspace: &Workspace,
    rules: &Rules,
    glossary: &Glossary,
    names: &[String],
) -> Vec<Finding> {
    let limits = &rules.limits;
    let finding = |rule, title, limit, breaches| Finding { rule, title, limit, breaches };
    vec![
        finding(
            "long_functions",
            "long functions",
            limits.long_functions,
            functions::long_functions(repository, limits.function_lines),
        ),
        finding(
            "long_files",
            "long files",
            limits.long_files,
            files::long_files(repository, rules),
        ),
        finding(
            "circles",
            "circles of imports between modules",
            limits.circles,
            modules::circles(repository),
        ),
        finding(
            "machine_lines",
            "lines in crates/, scripts/ and Makefile that name a machine",
            limits.machine_lines,
            machines::named_lines(repository, names),
        ),
        finding(
            "registrations",
            "lines outside a machine's folder beyond those that name its package",
            0,
            machines::far_registered(repository, names, limits.registrations),
        ),
        finding(
            "labels_in_models",
            "models that reach labels",
            0,
            models::labels_in_models(workspace, &rules.models),
        ),
        finding(
            "dependencies",
            "dependencies that are not permitted",
            0,
            dependencies::forbidden(repository, workspace, rules),
        ),
        finding(
            "sources",
            "unsafe code and network I/O where there may be none",
            0,
            sources::forbidden(repository, workspace, rules),
        ),
        finding(
            "text_errors",
            "errors of engines that carry text",
            limits.text_errors,
            errors::of_text(repository),
        ),
        finding(
            "glossary",
            "identifiers that the glossary refuses",
            0,
            glossary::refused(repository, glossary),
        ),
        finding(
            "comment_columns",
            "lines of comments beyond the last column",
            0,
            comments::wide(repository, limits.comment_column),
        ),
        finding(
            "lint_waivers",
            "waivers of lint in hardware descriptions",
            limits.lint_waivers,
            rtl::waivers(repository),
        ),
        finding(
            "lint_reasons",
            "waivers of lint without a reason",
            0,
            rtl::without_reason(repository),
        ),
        finding(
            "rtl_licences",
            "hardware descriptions without a licence line",
            0,
            rtl::without_licence(repository),
        ),
    ]
}
