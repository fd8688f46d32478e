//! When each wire is next read.
