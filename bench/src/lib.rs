//! The benchmark harness and the scoreboard.
