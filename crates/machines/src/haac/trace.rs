//! A trace of the exact model for Perfetto (<https://ui.perfetto.dev>) or `chrome://tracing`, in the
//! JSON format of Chrome's trace events: a track for each engine, on which every stretch of cycles
//! with one cause is a slice, and a counter for each kind of queue.
//!
//! Time is that of the machine's clock; Perfetto counts in microseconds. Written as the model runs:
//! memory holds one open slice an engine.

use crate::haac::machine::Machine;
use crate::haac::model::Cause;
use crate::haac::model::exact::{QueueLevels, Snapshot, Watch};
use std::io::{self, Write};

/// Cycles between two samples of the queues.
const SAMPLE: u64 = 16;

/// Writes a trace to `W` as it watches.
pub struct Trace<W: Write> {
    out: W,
    mhz: f64,
    /// For each engine its cause, and since which cycle.
    open: Vec<(Cause, u64)>,
    queues: QueueLevels,
    end: u64,
    events: u64,
    failed: Option<io::Error>,
}

impl<W: Write> Trace<W> {
    /// A trace of `machine`, which runs what `title` names.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(out: W, machine: &Machine, title: &str) -> io::Result<Trace<W>> {
        let mut trace = Trace {
            out,
            mhz: f64::from(machine.mhz),
            open: Vec::new(),
            queues: QueueLevels::default(),
            end: 0,
            events: 0,
            failed: None,
        };
        trace.out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        trace.name("process_name", 0, title)?;
        for engine in 0..machine.shape.engines {
            trace.name("thread_name", engine + 1, &format!("engine {engine}"))?;
        }
        Ok(trace)
    }

    /// Ends the trace and gives the writer back, flushed.
    ///
    /// # Errors
    /// The first error of the writer, now or before.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        for engine in 0..self.open.len() {
            self.close(engine, self.end)?;
        }
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn name(&mut self, what: &str, thread: u32, name: &str) -> io::Result<()> {
        let event = serde_json::json!({
            "ph": "M", "name": what, "pid": 1, "tid": thread, "args": { "name": name },
        });
        self.event(&event.to_string())
    }

    fn event(&mut self, event: &str) -> io::Result<()> {
        let before = if self.events == 0 { "\n" } else { ",\n" };
        self.events += 1;
        write!(self.out, "{before}{event}")
    }

    fn us(&self, cycle: u64) -> f64 {
        cycle as f64 / self.mhz
    }

    /// Writes the slice of `engine` that ends before cycle `end`.
    fn close(&mut self, engine: usize, end: u64) -> io::Result<()> {
        let (cause, start) = self.open[engine];
        if end == start {
            return Ok(());
        }
        let (from, length) = (self.us(start), self.us(end - start));
        let (name, thread) = (cause.name(), engine + 1);
        self.event(&format!(
            "{{\"ph\":\"X\",\"pid\":1,\"tid\":{thread},\"name\":\"{name}\",\"ts\":{from},\"dur\":{length}}}"
        ))
    }

    fn watch(&mut self, snapshot: &Snapshot<'_>) -> io::Result<()> {
        let cycle = snapshot.cycle;
        if self.open.is_empty() {
            self.open = snapshot.causes.iter().map(|&cause| (cause, cycle)).collect();
        }
        for (engine, &cause) in snapshot.causes.iter().enumerate() {
            if self.open[engine].0 != cause {
                self.close(engine, cycle)?;
                self.open[engine] = (cause, cycle);
            }
        }
        if cycle.is_multiple_of(SAMPLE) {
            let queues = snapshot.queues();
            if queues != self.queues || cycle == 0 {
                self.queues = queues;
                self.counters(cycle, queues)?;
            }
        }
        self.end = cycle + 1;
        Ok(())
    }

    fn counters(&mut self, cycle: u64, queues: QueueLevels) -> io::Result<()> {
        let QueueLevels { issue, tables, addresses, wires, live, in_flight } = queues;
        let at = self.us(cycle);
        for (name, level) in [
            ("issue queues", issue),
            ("tables", tables),
            ("out-of-range addresses", addresses),
            ("out-of-range labels", wires),
            ("live labels", live),
            ("memory in flight", in_flight),
        ] {
            self.event(&format!(
                "{{\"ph\":\"C\",\"pid\":1,\"name\":\"{name}\",\"ts\":{at},\"args\":{{\"entries\":{level}}}}}"
            ))?;
        }
        Ok(())
    }
}

impl<W: Write> Watch for Trace<W> {
    fn cycle(&mut self, snapshot: &Snapshot<'_>) {
        if self.failed.is_none()
            && let Err(error) = self.watch(snapshot)
        {
            self.failed = Some(error);
        }
    }
}
