//! Measures and enforces the structure rules of this repository.
//!
//! The limits and the table of permitted dependencies are in `crates/house/rules.toml`. Each rule
//! takes what it checks as a value, so that tests can show that it fails:
//!
//! - [`functions`], [`files`]: long functions, long files;
//! - [`modules`]: circles of imports between the modules of a crate;
//! - [`machines`]: names of machines where no machine may be named;
//! - [`models`], [`dependencies`], [`sources`]: what a package may reach, depend on, and contain;
//! - [`errors`]: engines' errors that carry text.
//!
//! [`house`] runs them all; [`report`] prints what they find.

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
pub mod rules;
pub mod sources;
pub mod workspace;
