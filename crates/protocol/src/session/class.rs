//! Kinds of errors.

/// Kinds of errors, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorClass {
    /// This side's inputs or options are wrong.
    Usage,
    /// The parties differ in version, role, suite, program or the like.
    Mismatch,
    /// The peer vanished or the connection failed.
    Connection,
    /// The peer sent nothing within the idle timeout, or a deadline passed.
    Timeout,
    /// The peer ended the session.
    Aborted,
    /// The peer violated the protocol, or its data was damaged in transit.
    Protocol,
    /// This side was cancelled.
    Cancelled,
    /// This side's engine, disk or operating system failed.
    Internal,
    /// The file of garbled tables, or of preprocessing, cannot be used.
    File,
}
