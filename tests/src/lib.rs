//! Conformance across engines, golden files, end-to-end runs of the command: see `tests/`.
