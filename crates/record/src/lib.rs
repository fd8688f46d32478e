//! Targets and what was measured of them. [`record`] has a figure and the files that keep figures,
//! [`scoreboard`] prints them all; [`part`] is a table or figure of a paper, published beside
//! measured; [`table`] prints figures; [`compare`] says which rows of two records differ, and
//! [`check`] which rows of a record do not come out again.
//! [`measure`], [`engine`], [`session`] and [`processes`] take times.

pub mod check;
pub mod compare;
pub mod engine;
pub mod measure;
pub mod part;
pub mod processes;
pub mod record;
pub mod scoreboard;
pub mod session;
pub mod table;

pub use record::{Figure, How, Results};
