//! Two parties: oblivious transfer, channels, sessions.
