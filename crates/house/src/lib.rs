//! Measures and enforces the structure rules of this repository.
//!
//! The limits and the table of permitted dependencies are in `crates/house/rules.toml`. A rule gets
//! the repository as a value, so tests can show that the rule finds a breach:
//!
//! - [`functions`], [`files`]: long functions, long files;
//! - [`modules`]: circles of imports between the modules of a crate;
//! - [`machines`]: names of machines where no machine may be named;
//! - [`models`], [`dependencies`], [`sources`]: what a package may reach, depend on, and contain;
//! - [`errors`]: engines' errors that carry text;
//! - [`glossary`], [`comments`]: refused words in identifiers, and comments that are too wide;
//! - [`rtl`]: waivers of lint and licence lines of hardware descriptions.
//!
//! [`house`] runs all rules; [`report`] prints their findings.

pub mod comments;
pub mod dependencies;
pub mod errors;
pub mod files;
pub mod functions;
pub mod glossary;
pub mod house;
pub mod machines;
pub mod models;
pub mod modules;
pub mod pattern;
pub mod report;
pub mod repository;
pub mod rtl;
pub mod rules;
pub mod sources;
pub mod workspace;
