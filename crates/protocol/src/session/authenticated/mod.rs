//! Malicious sessions: authenticated garbling.

pub mod cost;
