//! The server's metrics, in the text format of Prometheus.

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Mutex;
use std::sync::PoisonError;

/// The media type of [`Metrics::text`].
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets of the session histogram, in seconds.
const SECONDS: [f64; 12] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 300.0, 1800.0, 7200.0];

/// A program by its name in the configuration; empty if the peer named none.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ByProgram {
    pub program: String,
}

/// How a session of a program ended.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ByOutcome {
    pub program: String,
    pub outcome: &'static str,
}

/// Why a connection or a peer was refused.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ByReason {
    pub reason: &'static str,
}

/// All metrics. Memory: one counter for each program and outcome.
pub(crate) struct Metrics {
    registry: Mutex<Registry>,
    pub sessions: Family<ByOutcome, Counter>,
    pub in_progress: Gauge,
    pub unknown_peers: Family<ByReason, Counter>,
    pub refused: Family<ByReason, Counter>,
    pub ands: Family<ByProgram, Counter>,
    pub sent: Family<ByProgram, Counter>,
    pub received: Family<ByProgram, Counter>,
    pub seconds: Family<ByProgram, Histogram, fn() -> Histogram>,
    pub panics: Counter,
    pub reloads: Family<ByReason, Counter>,
    process: Process,
}

/// The system's figures for this process.
#[derive(Default)]
struct Process {
    resident: Gauge,
    descriptors: Gauge,
    threads: Gauge,
}

fn histogram() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
    pub fn new() -> Metrics {
        let metrics = Metrics {
            registry: Mutex::default(),
            sessions: Family::default(),
            in_progress: Gauge::default(),
            unknown_peers: Family::default(),
            refused: Family::default(),
            ands: Family::default(),
            sent: Family::default(),
            received: Family::default(),
            seconds: Family::new_with_constructor(histogram),
            panics: Counter::default(),
            reloads: Family::default(),
            process: Process::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&self) {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let ours = registry.sub_registry_with_prefix("halfgate");
        ours.register("sessions", "Sessions that have ended", self.sessions.clone());
        let about = "Sessions in progress";
        ours.register("sessions_in_progress", about, self.in_progress.clone());
        let about = "Connections that were not from a known peer";
        ours.register("strangers", about, self.unknown_peers.clone());
        ours.register("refused", "Refusals of known peers", self.refused.clone());
        ours.register("ands", "ANDs of sessions", self.ands.clone());
        let bytes = Unit::Bytes;
        let about = "Bytes sent in sessions";
        ours.register_with_unit("sent", about, bytes.clone(), self.sent.clone());
        let about = "Bytes received in sessions";
        ours.register_with_unit("received", about, bytes.clone(), self.received.clone());
        let about = "Time of sessions";
        ours.register_with_unit("session", about, Unit::Seconds, self.seconds.clone());
        ours.register("panics", "Sessions that ended with a panic", self.panics.clone());
        ours.register("reloads", "Reloads of the configuration", self.reloads.clone());
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        ours.register("build", "Version of the server", build);
        let process = registry.sub_registry_with_prefix("process");
        let own = &self.process;
        let about = "Memory of the process";
        process.register_with_unit("resident_memory", about, bytes, own.resident.clone());
        process.register("open_fds", "Open descriptors", own.descriptors.clone());
        process.register("threads", "Threads", own.threads.clone());
    }

    /// All metrics as text.
    pub fn text(&self) -> String {
        self.process.look();
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &registry);
        text
    }
}

impl Process {
    /// Reads the system's figures. On systems other than Linux they stay 0.
    fn look(&self) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let number = |name: &str| -> i64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|rest| rest.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        self.resident.set(number("VmRSS:") * 1024);
        self.threads.set(number("Threads:"));
        let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        // Do not count the folder itself, which was open during the count.
        self.descriptors.set(open.saturating_sub(1) as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_the_text() {
        let metrics = Metrics::new();
        let by = ByOutcome { program: "aes".to_owned(), outcome: "ok" };
        metrics.sessions.get_or_create(&by).inc();
        let by = ByProgram { program: "aes".to_owned() };
        metrics.seconds.get_or_create(&by).observe(0.3);
        metrics.sent.get_or_create(&by).inc_by(12);
        let text = metrics.text();
        for line in [
            "halfgate_sessions_total{program=\"aes\",outcome=\"ok\"} 1",
            "halfgate_sent_bytes_total{program=\"aes\"} 12",
            "halfgate_session_seconds_count{program=\"aes\"} 1",
            "halfgate_sessions_in_progress 0",
            "# EOF",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        if cfg!(target_os = "linux") {
            let resident = "process_resident_memory_bytes ";
            let found = text.lines().find_map(|line| line.strip_prefix(resident));
            assert!(found.unwrap().parse::<u64>().unwrap() > 1 << 20, "{text}");
        }
    }
}
