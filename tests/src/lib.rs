//! Code that the tests of several packages share: [`command`] runs the built command as a user
//! does.

pub mod command;
