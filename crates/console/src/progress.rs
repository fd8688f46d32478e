//! Progress on standard error, for work that takes over a second.

use crate::print;
use halfgate_frontends::verilog;
use halfgate_protocol::session::Event;
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
    bar: Option<ProgressBar>,
    terminal: bool,
    last_line: Instant,
}

impl Progress {
    /// Starts the progress of a session.
    pub fn start() -> Progress {
        let now = Instant::now();
        let terminal = print::draws();
        Progress { started: now, run: None, bar: None, terminal, last_line: now }
    }

    /// Records `event` and updates the display.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::RunStarted { run } => {
                self.finish();
                (self.run, self.started, self.last_line) =
                    (Some(run), Instant::now(), Instant::now());
            }
            Event::Note { what } => self.note(&what),
            Event::Progress { ands, total_ands, .. } if self.started.elapsed() >= QUIET => {
                if self.terminal {
                    self.draw(ands, total_ands)
                } else {
                    self.line(ands, total_ands)
                }
            }
            _ => {}
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
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self, ands: u64, total: u64) {
        let started = self.started;
        let bar = self.bar.get_or_insert_with(|| {
            let form =
                "{bar:30} {percent:>3} %  {human_pos} of {human_len} ANDs  {per_sec}  {eta} left";
            let style =
                ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_elapsed(started.elapsed())
        });
        bar.set_position(ands);
    }

    fn line(&mut self, ands: u64, total: u64) {
        if self.last_line.elapsed() < BETWEEN_LINES {
            return;
        }
        self.last_line = Instant::now();
        let percent = 100.0 * ands as f64 / total.max(1) as f64;
        let rate = print::rate(ands as f64 / self.started.elapsed().as_secs_f64(), "AND");
        let run = self.run.map_or(String::new(), |run| format!("run {}, ", run + 1));
        print::note(&format!(
            "{run}{percent:.0} %: {} of {} ANDs, {rate}",
            print::grouped(ands),
            print::grouped(total)
        ));
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

/// Shows the present stage of reading a design, after its first second: a spinner on a terminal;
/// otherwise a line when a stage has begun, and another while it continues.
pub struct Reading {
    name: String,
    /// Dropped at the end, which ends the thread.
    stages: Option<mpsc::Sender<verilog::Stage>>,
    shown: Option<JoinHandle<()>>,
}

impl Reading {
    /// Starts to read `name`. Nothing is shown before a stage begins.
    pub fn start(name: &str) -> Reading {
        Reading { name: name.to_owned(), stages: None, shown: None }
    }

    /// Shows `stage` from now on.
    pub fn begins(&mut self, stage: verilog::Stage) {
        let name = self.name.clone();
        let stages = self.stages.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::channel();
            self.shown = Some(std::thread::spawn(move || show(&name, &receiver)));
            sender
        });
        let _ = stages.send(stage);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        drop(self.stages.take());
        if let Some(shown) = self.shown.take() {
            let _ = shown.join();
        }
    }
}

/// Shows the stages of reading `name` until the channel closes.
fn show(name: &str, stages: &mpsc::Receiver<verilog::Stage>) {
    let (started, terminal) = (Instant::now(), print::draws());
    let mut stage = match stages.recv() {
        Ok(stage) => stage,
        Err(_) => return,
    };
    let text = |stage| format!("reading {name}: {stage}");
    let spinner = terminal.then(|| Stage::begin(&text(stage)));
    let mut wait = QUIET;
    loop {
        match stages.recv_timeout(wait) {
            Ok(next) => {
                stage = next;
                if let Some(spinner) = &spinner {
                    spinner.then(&text(stage));
                }
                // A stage that begins within the first second does not get a line.
                if started.elapsed() < QUIET {
                    wait = QUIET - started.elapsed();
                    continue;
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        if !terminal {
            let seconds = started.elapsed().as_secs();
            print::note(&format!("{}, {seconds} s", text(stage)));
        }
        wait = BETWEEN_LINES;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
