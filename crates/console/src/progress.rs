//! Progress on standard error, for work that takes over a second.

use crate::print;
use halfgate_frontends::verilog;
use halfgate_protocol::session::Event;
use halfgate_protocol::session::authenticated::cost::Phase;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shorter work shows no progress.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two lines if standard error is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Shows a session's events.
pub struct Progress {
    started: Instant,
    /// The present run, if it has a number.
    run: Option<usize>,
    /// The present phase of a malicious session.
    phase: Option<Phase>,
    /// ANDs done, and ANDs of the run.
    ands: Option<(u64, u64)>,
    setup: Option<Waiting>,
    bar: Option<ProgressBar>,
    terminal: bool,
    last_line: Instant,
}

impl Progress {
    /// Starts the progress of a session.
    pub fn start() -> Progress {
        let now = Instant::now();
        let terminal = print::draws();
        Progress {
            started: now,
            run: None,
            phase: None,
            ands: None,
            setup: None,
            bar: None,
            terminal,
            last_line: now,
        }
    }

    /// Records `event` and updates the display.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::SetupStarted => {
                self.setup = Some(Waiting::start("setting up oblivious transfers".to_owned()));
            }
            Event::Setup { .. } => self.setup = None,
            Event::RunStarted { run } => {
                self.finish();
                (self.run, self.phase, self.ands) = (Some(run), None, None);
                (self.started, self.last_line) = (Instant::now(), Instant::now());
            }
            Event::PhaseStarted { phase } => {
                // A line names the phase that has gone on since the last one.
                if !self.terminal {
                    self.show();
                }
                self.phase = Some(phase);
                if self.terminal {
                    self.show();
                }
            }
            Event::Note { what } => self.note(&what),
            Event::Progress { ands, total_ands, .. } => {
                self.ands = Some((ands, total_ands));
                self.show();
            }
            _ => {}
        }
    }

    fn show(&mut self) {
        if self.started.elapsed() < QUIET {
        } else if self.terminal {
            self.draw();
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            print::note(&self.line());
        }
    }

    fn note(&self, what: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(what)),
            None => print::note(what),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        self.setup = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self) {
        let Some((ands, total)) = self.ands else { return };
        let started = self.started;
        let bar = self.bar.get_or_insert_with(|| {
            let form = "{bar:30} {percent:>3} %  {human_pos} of {human_len} ANDs  {per_sec}  \
                        {eta} left  {msg}";
            let style =
                ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_elapsed(started.elapsed())
        });
        if let Some(phase) = self.phase {
            bar.set_message(phase.to_string());
        }
        bar.set_position(ands);
    }

    /// What a line says, such as `run 1, 50 %: 5 of 10 ANDs, 2 AND/s, phase online`.
    fn line(&self) -> String {
        let run = self.run.map(|run| format!("run {}", run + 1));
        let done = self.ands.map(|(ands, total)| {
            let percent = 100.0 * ands as f64 / total.max(1) as f64;
            let rate = print::rate(ands as f64 / self.started.elapsed().as_secs_f64(), "AND");
            let [ands, total] = [ands, total].map(print::grouped);
            format!("{percent:.0} %: {ands} of {total} ANDs, {rate}")
        });
        let phase = self.phase.map(|phase| format!("phase {phase}"));
        [run, done, phase].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Shows the present step of a long piece of work without a session, with the seconds that it has
/// taken. It is shown on a terminal only, not in a log file.
pub struct Stage {
    bar: ProgressBar,
}

impl Stage {
    /// Starts with the step `what`.
    pub fn begin(what: &str) -> Stage {
        let bar = match print::draws() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        let form = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        bar.set_style(form.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(QUIET / 4);
        let stage = Stage { bar };
        stage.then(what);
        stage
    }

    /// Continues with the step `what`.
    pub fn then(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.reset_elapsed();
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the present stage of reading a design, after its first second.
pub struct Reading {
    name: String,
    waiting: Option<Waiting>,
}

impl Reading {
    /// Starts to read `name`. Nothing is shown before a stage begins.
    pub fn start(name: &str) -> Reading {
        Reading { name: name.to_owned(), waiting: None }
    }

    /// Shows `stage` from now on.
    pub fn begins(&mut self, stage: verilog::Stage) {
        let text = format!("reading {}: {stage}", self.name);
        match &self.waiting {
            Some(waiting) => waiting.then(text),
            None => self.waiting = Some(Waiting::start(text)),
        }
    }
}

/// Shows the present step of work that reports nothing while it continues, after the first second:
/// a spinner on a terminal; otherwise a line when a step has begun, and another while it continues.
struct Waiting {
    /// Dropped at the end, which ends the thread.
    steps: Option<mpsc::Sender<String>>,
    shown: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts with the step `what`.
    fn start(what: String) -> Waiting {
        let (sender, receiver) = mpsc::channel();
        let shown = std::thread::spawn(move || show(what, &receiver));
        Waiting { steps: Some(sender), shown: Some(shown) }
    }

    /// Continues with the step `what`.
    fn then(&self, what: String) {
        if let Some(steps) = &self.steps {
            let _ = steps.send(what);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.steps.take());
        if let Some(shown) = self.shown.take() {
            let _ = shown.join();
        }
    }
}

/// Shows `step`, and those that follow it, until the channel closes.
fn show(mut step: String, steps: &mpsc::Receiver<String>) {
    let (started, terminal) = (Instant::now(), print::draws());
    let mut spinner: Option<Stage> = None;
    let mut wait = QUIET;
    loop {
        match steps.recv_timeout(wait) {
            Ok(next) => {
                step = next;
                if let Some(spinner) = &spinner {
                    spinner.then(&step);
                }
                // A step that begins within the first second does not get a line.
                if started.elapsed() < QUIET {
                    wait = QUIET - started.elapsed();
                    continue;
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        if terminal {
            spinner.get_or_insert_with(|| Stage::begin(&step));
        } else {
            print::note(&format!("{step}, {} s", started.elapsed().as_secs()));
        }
        wait = BETWEEN_LINES;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_the_phase_of_malicious_sessions_only() {
        let mut progress = Progress::start();
        progress.terminal = false;
        progress.event(Event::RunStarted { run: 0 });
        assert_eq!(progress.line(), "run 1");
        for phase in Phase::ALL {
            progress.event(Event::PhaseStarted { phase });
            assert_eq!(progress.line(), format!("run 1, phase {phase}"));
        }
        progress.event(Event::Progress { cycles: 0, ands: 1_000, total_ands: 4_000 });
        let line = progress.line();
        assert!(line.starts_with("run 1, 25 %: 1,000 of 4,000 ANDs, "), "{line}");
        assert!(line.ends_with(" AND/s, phase online"), "{line}");
        progress.event(Event::PhaseStarted { phase: Phase::Correlations });
        assert!(progress.line().ends_with("phase correlations"));

        progress.event(Event::RunStarted { run: 1 });
        progress.event(Event::Progress { cycles: 0, ands: 1, total_ands: 2 });
        assert!(progress.line().starts_with("run 2, 50 %: 1 of 2 ANDs, "));
        assert!(!progress.line().contains("phase"));
    }

    #[test]
    fn the_set_up_is_shown_until_it_is_done() {
        let mut progress = Progress::start();
        progress.terminal = false;
        progress.event(Event::SetupStarted);
        assert!(progress.setup.is_some());
        progress.event(Event::Setup { after: Duration::ZERO });
        assert!(progress.setup.is_none());
        // A session that fails.
        progress.event(Event::SetupStarted);
        progress.finish();
        assert!(progress.setup.is_none());
    }
}
