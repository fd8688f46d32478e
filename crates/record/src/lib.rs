//! Targets, and the figures measured for them. [`record`] defines a figure and the files of
//! figures, and [`scoreboard`] prints all of them. [`part`] is a table or figure of a paper, with
//! published beside measured values. [`table`] prints figures. [`compare`] finds the rows of two
//! records that differ, and [`check`] the rows of a record that are not reproduced. [`measure`],
//! [`engine`], [`timed`], [`session`] and [`processes`] measure times.

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
pub mod timed;

pub use record::{Figure, How, Results};
