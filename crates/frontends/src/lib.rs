//! Circuit files: Bristol and Bristol Fashion, read as streams and written.
