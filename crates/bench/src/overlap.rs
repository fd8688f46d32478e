//! What a session costs beside engine and link: the share of what they allow, the first run beside
//! the second, TLS beside TCP, and a thread that sends beside none.
//!
//! Both parties run in this process, each on its own thread, over loopback. All values of a
//! comparison are measured in turns.

use crate::session::{seal_seconds, tcp_seconds};
use halfgate_compiler::Program;
use halfgate_record::engine::{measure, program};
use halfgate_record::measure::Spread;
use halfgate_record::record::{Figure, machine};
use halfgate_record::session::{Over, Sender, parties, two_runs};

const TURNS: usize = 7;
const SPECS: [&str; 2] = [SHORT_TEXT, "sort:256x32"];
/// A program whose body is short, so that its first run should cost what later ones cost.
const SHORT_TEXT: &str = "aes128-chained:1000";
/// Why the share of what one core allows has no verdict.
const ONE_CORE: &str = "no bound for threads that do these things at the same time on more cores";
/// Why the first run of other programs has no target.
const NO_TARGET: &str = "no target: the first run lowers a long program";
/// The program of the long run, and its target in M ANDs/s on the processor [`ZEN4`].
const LONG: (&str, f64) = ("aes128-chained:100000", 65.0);
/// How these processors are described: those of servers and of desktop computers.
const ZEN4: [&str; 2] = ["(family 25, model 17)", "(family 25, model 97)"];

/// Measures sessions over TCP and TLS.
///
/// # Errors
/// If a session fails.
pub fn run(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for spec in SPECS {
        report(&format!("  {spec}"));
        let program = program(spec)?;
        let turns = (0..TURNS).map(|_| turn(&program)).collect::<Result<Vec<_>, _>>()?;
        figures.extend(of_program(spec, &program, &turns));
    }
    report(&format!("  {}", LONG.0));
    let long = program(LONG.0)?;
    let (garbler, evaluator) = parties(&long, Over::Tcp)?;
    let seconds = garbler.total.max(evaluator.total).as_secs_f64();
    let rate = garbler.counters.ands as f64 / seconds * 1e-6;
    let is_zen4 = ZEN4.iter().any(|described| machine().contains(described));
    let elsewhere = (!is_zen4).then_some("the target is for two cores of a Zen 4");
    let name = format!("{}, both parties, TCP", LONG.0);
    let figure = Figure::measured(&name, "M AND/s", rate).note("one run");
    figures.push(figure.at_least(LONG.1).unlike_if(elsewhere));
    Ok(figures)
}

/// Seconds in one turn.
struct Turn {
    /// The first run and the second, over TCP as usual.
    tcp: [f64; 2],
    /// The second run over TLS as usual.
    tls: f64,
    /// The second run over TCP and over TLS, without a thread that sends and with one.
    by_sender: [[f64; 2]; 2],
    /// Garbling an AND on one core alone, and its transfer over TCP and over TLS.
    allowed: [f64; 2],
}

fn turn(program: &Program) -> Result<Turn, String> {
    let (garble, send, seal) = (measure(program)?.garble.median, tcp_seconds()?, seal_seconds());
    let second = |over, sender| two_runs(program, over, sender).map(|[_, second]| second);
    let both = |over| -> Result<[f64; 2], String> {
        Ok([second(over, Sender::NoThread)?, second(over, Sender::Thread)?])
    };
    Ok(Turn {
        tcp: two_runs(program, Over::Tcp, Sender::AsUsual)?,
        tls: second(Over::Tls, Sender::AsUsual)?,
        by_sender: [both(Over::Tcp)?, both(Over::Tls)?],
        allowed: [garble + send, garble + send + seal],
    })
}

fn of_program(spec: &str, program: &Program, turns: &[Turn]) -> Vec<Figure> {
    let ands = (program.ands_per_cycle() * program.circuit.cycles) as f64;
    let spread = |of: &dyn Fn(&Turn) -> f64| Spread::of(turns.iter().map(of).collect());
    let figure = |what: &str, unit, of: &dyn Fn(&Turn) -> f64| {
        let spread = spread(of);
        Figure::measured(&format!("{spec}, {what}"), unit, spread.median).note(spread.to_string())
    };
    let rates = [spread(&|t| ands / t.tcp[1] * 1e-6), spread(&|t| ands / t.tls * 1e-6)];
    let share = |name: &str, seconds: &dyn Fn(&Turn) -> f64, over: usize| {
        let shares = spread(&|t| 100.0 * ands * t.allowed[over] / seconds(t));
        let note = format!(
            "{shares}; {} M AND/s; allowed is one core that garbles, seals and sends in turn",
            rates[over]
        );
        let name = format!("{spec}, {name}, share of what engine and link allow");
        Figure::measured(&name, "%", shares.median).note(note)
    };
    let mut figures = vec![
        share("TCP", &|t| t.tcp[1], 0).at_least(90.0).unlike(ONE_CORE),
        share("TLS", &|t| t.tls, 1),
        figure("TLS over TCP", "times", &|t| t.tcp[1] / t.tls).at_least(0.8),
    ];
    let first = figure("TCP, first run over second, rates", "times", &|t| t.tcp[1] / t.tcp[0]);
    figures.push(match spec {
        SHORT_TEXT => first.at_least(0.9),
        _ => Figure { note: format!("{}; {NO_TARGET}", first.note), ..first },
    });
    for (over, name) in ["TCP", "TLS"].into_iter().enumerate() {
        let of = |t: &Turn| t.by_sender[over][0] / t.by_sender[over][1];
        let what = format!("{name}, a thread that sends over none");
        figures.push(figure(&what, "times", &of));
    }
    figures
}
