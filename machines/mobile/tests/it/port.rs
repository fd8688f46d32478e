//! The mobile coprocessor at a serial port. Tests the model behind a pseudo-terminal, and devices
//! that are no coprocessor.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bits, Wire};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, EngineError, EvaluatorIo, IoError, Label, RunKey, Suite, kernels};
use halfgate_mobile::engine::device::{BAUD, Serve};
use halfgate_mobile::engine::serial::Serial;
use halfgate_mobile::engine::terminal::{Terminal, Watch};
use halfgate_mobile::engine::{
    Clocked, DeviceEngine, Evaluates, Faulty, Link, Linked, Modelled, Port, SUITES,
};
use halfgate_mobile_model::frame::{Deframer, Frame};
use halfgate_mobile_model::model::{Form, Step};
use halfgate_mobile_model::names::FORMAT_VERSION;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const QUICK: Link = Link { mhz: 42.0, clocks: 1.0 };

fn program(seed: u64, gates: u32) -> (Program, Vec<Bits>, u64) {
    let circuit = random::circuit(seed, &Shape { gates, flip_flops: 3, ..Shape::default() });
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    (compile(circuit, Order::default()).expect("compiles"), inputs, cycles)
}

fn run(engine: &DeviceEngine, suite: Suite, seed: u64, gates: u32) -> Result<(), String> {
    let (program, inputs, cycles) = program(seed, gates);
    let garbler = CpuEngine::new(None).expect("an engine");
    check_pair(&garbler, engine, &program, &inputs, Run { suite, seed, cycles })
}

/// Serves a model. One in `well` bytes on its link has a fault.
fn modelled(well: u64, unplug: Option<u64>) -> Serve {
    Arc::new(move |terminal: Terminal, watch: &Watch| {
        let chip = Linked::new(Modelled::new(Form::Half, kernels::best()), QUICK)?;
        terminal.serve(Faulty::new(chip, 3, well), unplug, watch)
    })
}

#[test]
fn a_chip_behind_a_terminal_evaluates() {
    for (seed, suite) in (1..).zip(SUITES.into_iter().cycle()).take(6) {
        let engine = DeviceEngine::simulated("mobile:sim", modelled(u64::MAX, None));
        let engine = engine.with_slots([8192, 40, 5][seed as usize % 3]);
        run(&engine, suite, seed, 300).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        let (simulated, traffic) = (engine.simulated().unwrap(), engine.traffic().unwrap());
        assert!(simulated.clock_cycles > 0 && traffic.to_chip > 0 && traffic.from_chip > 0);
    }
}

#[test]
fn damaged_frames_are_retransmitted() {
    let engine = DeviceEngine::simulated("mobile:sim", modelled(1500, None));
    run(&engine, Suite::HalfGates, 7, 900).expect("all goes well in the end");
    assert!(engine.traffic().unwrap().again > 0);
}

/// A chip whose simulation stalls at the 1000th byte that it receives.
struct Stalls {
    chip: Modelled,
    received: u32,
}

impl Clocked for Stalls {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        self.received += u32::from(comes.is_some());
        if comes.is_some() && self.received == 1000 {
            thread::sleep(Duration::from_secs(1));
        }
        self.chip.clock(comes, takes)
    }
}

/// Timeouts at a simulated chip do not depend on the speed of the simulation.
#[test]
fn a_slow_simulation_is_not_late() {
    let serve = |terminal: Terminal, watch: &Watch| {
        let chip = Stalls { chip: Modelled::new(Form::Half, kernels::best()), received: 0 };
        terminal.serve(Faulty::new(Linked::new(chip, QUICK)?, 3, u64::MAX), None, watch)
    };
    let engine = DeviceEngine::simulated("mobile:sim", Arc::new(serve));
    run(&engine, Suite::HalfGates, 7, 900).expect("a run");
    assert!(engine.traffic().unwrap().to_chip > 1000);
    assert_eq!(engine.traffic().unwrap().again, 0);
}

#[test]
fn a_chip_that_is_unplugged_is_gone() {
    let engine = DeviceEngine::simulated("mobile:sim", modelled(u64::MAX, Some(2000)));
    let what = run(&engine, Suite::HalfGates, 8, 900).unwrap_err();
    assert!(what.contains("was the coprocessor unplugged?"), "{what}");
}

/// A chip serves several hosts in turn, and one of them stops during a run.
#[test]
fn a_host_that_stops_leaves_the_chip_ready() {
    let terminal = Terminal::open().expect("a terminal");
    let (path, watch) = (terminal.path().to_owned(), Watch::default());
    thread::scope(|scope| {
        let chip = scope.spawn(|| modelled(u64::MAX, None)(terminal, &watch));
        let engine = DeviceEngine::at(&path, BAUD).expect("it responds");
        run(&engine, Suite::HalfGates, 9, 200).expect("the first host");
        {
            let _other = Serial::open(&path, BAUD).expect("a host that has the port");
            let what = DeviceEngine::at(&path, BAUD).err().map(|error| error.to_string());
            assert!(what.is_some_and(|what| what.ends_with("is in use")));
        }
        // The tables of this run end early, so the run fails with the caller's error.
        let (program, inputs, cycles) = program(10, 400);
        let broken = Broken(engine.clone());
        let garbler = CpuEngine::new(None).expect("an engine");
        let of = Run { suite: Suite::HalfGates, seed: 10, cycles };
        assert!(check_pair(&garbler, &broken, &program, &inputs, of).is_err());
        run(&engine, Suite::Grr3, 11, 200).expect("the host after it");
        assert!(engine.simulated().is_none(), "the clocks of a chip at a port are unknown");
        watch.stop.store(true, Ordering::Relaxed);
        chip.join().expect("no panic").expect("the chip is fine");
    });
}

/// A chip that counts how often its memory is wiped.
struct Wiped {
    chip: Modelled,
    count: Arc<AtomicU64>,
    wipes: bool,
}

impl Clocked for Wiped {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        let byte = self.chip.clock(comes, takes)?;
        let wipes = self.chip.seen.is_some_and(|seen| seen.execute == Step::Wipe);
        let before = std::mem::replace(&mut self.wipes, wipes);
        self.count.fetch_add(u64::from(wipes && !before), Ordering::Relaxed);
        Ok(byte)
    }
}

/// The chip wipes its memory at power-on, when the port is opened (before the greeting), when a run
/// begins, and when a run ends.
#[test]
fn no_run_leaves_its_labels_in_a_chip_at_a_port() {
    let terminal = Terminal::open().expect("a terminal");
    let (path, watch) = (terminal.path().to_owned(), Watch::default());
    let count = Arc::<AtomicU64>::default();
    let chip = Modelled::new(Form::Half, kernels::best());
    let chip = Wiped { chip, count: Arc::clone(&count), wipes: false };
    thread::scope(|scope| {
        let chip = scope.spawn(|| {
            terminal.serve(Faulty::new(Linked::new(chip, QUICK)?, 1, u64::MAX), None, &watch)
        });
        let wiped = |times: u64| {
            let since = Instant::now();
            while count.load(Ordering::Relaxed) < times && since.elapsed().as_secs() < 10 {
                thread::sleep(Duration::from_millis(1));
            }
            count.load(Ordering::Relaxed)
        };
        let engine = DeviceEngine::at(&path, BAUD).expect("it responds");
        let done = run(&engine, Suite::HalfGates, 9, 200);
        let after_run = wiped(4);
        let (program, inputs, cycles) = program(10, 400);
        let garbler = CpuEngine::new(None).expect("an engine");
        let of = Run { suite: Suite::HalfGates, seed: 10, cycles };
        let broken = check_pair(&garbler, &Broken(engine), &program, &inputs, of);
        let after_error = wiped(6);
        watch.stop.store(true, Ordering::Relaxed);
        chip.join().expect("no panic").expect("the chip is fine");
        assert_eq!(done, Ok(()));
        assert!(broken.unwrap_err().contains("the garbler is gone"));
        assert_eq!([after_run, after_error], [4, 6]);
    });
}

/// An engine that stops during a run.
struct Broken(DeviceEngine);

mod broken {
    use super::Broken;
    use halfgate_circuit::Wire;
    use halfgate_compiler::Program;
    use halfgate_engine::{
        Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, IoError, Label, Prepared,
        RunKey,
    };

    impl Engine for Broken {
        fn name(&self) -> String {
            self.0.name()
        }

        fn prepare_flat<'p>(
            &self,
            program: &'p Program,
        ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
            Ok(Box::new(Stops(self.0.prepare(program)?)))
        }
    }

    struct Stops<'p>(Box<dyn Prepared + 'p>);

    impl Prepared for Stops<'_> {
        fn garble(
            &mut self,
            key: RunKey,
            delta: &Delta,
            cycles: u64,
            io: &mut dyn GarblerIo,
        ) -> Result<Counters, EngineError> {
            self.0.garble(key, delta, cycles, io)
        }

        fn evaluate(
            &mut self,
            key: RunKey,
            cycles: u64,
            io: &mut dyn EvaluatorIo,
        ) -> Result<Counters, EngineError> {
            self.0.evaluate(key, cycles, &mut Ends { io, left: 50 })
        }
    }

    struct Ends<'a> {
        io: &'a mut dyn EvaluatorIo,
        left: u32,
    }

    impl EvaluatorIo for Ends<'_> {
        fn constant(&mut self) -> Result<Label, IoError> {
            self.io.constant()
        }

        fn active_labels(
            &mut self,
            cycle: u64,
            wires: &[Wire],
            labels: &mut [Label],
        ) -> Result<(), IoError> {
            self.io.active_labels(cycle, wires, labels)
        }

        fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
            self.left = self
                .left
                .checked_sub(1)
                .ok_or_else(|| std::io::Error::other("the garbler is gone"))?;
            self.io.tables(bytes)
        }

        fn output(&mut self, cycle: u64, numbers: &[u32], labels: &[Label]) -> Result<(), IoError> {
            self.io.output(cycle, numbers, labels)
        }
    }
}

/// A device that sends fixed bytes, once or repeatedly, and ignores what it receives.
struct Other {
    to_host: VecDeque<u8>,
    again: bool,
    received: Option<Deframer>,
}

impl Clocked for Other {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        // If there is a deframer, the device responds to a reset with a greeting of another
        // version.
        if let (Some(byte), Some(received)) = (comes, &mut self.received)
            && let Some(Ok(Frame::Reset { run })) = received.push(byte)
        {
            let version = FORMAT_VERSION + 1;
            let hello = Frame::Hello { run, version, suites: 3, slots: 13, space: 3 };
            self.to_host.extend(hello.encode().iter());
        }
        let next = self.to_host.front().copied();
        if takes && let Some(byte) = next {
            self.to_host.pop_front();
            if self.again {
                self.to_host.push_back(byte);
            }
        }
        Ok(next)
    }
}

/// A device that sends a byte at an interval of clock cycles, and ignores what it receives.
struct Periodic {
    each: u64,
    clocks: u64,
}

impl Clocked for Periodic {
    fn clock(&mut self, _: Option<u8>, _: bool) -> Result<Option<u8>, EngineError> {
        self.clocks += 1;
        Ok(self.clocks.is_multiple_of(self.each).then_some(b'x'))
    }
}

/// Connects a host to a device that sends a byte every `each` clock cycles, at a clock of `mhz`
/// MHz. Returns the host's error.
fn with_periodic_device(
    each: u64,
    mhz: f64,
    then: impl FnOnce(Serial) -> Result<(), EngineError>,
) -> String {
    let (other, link) = (Periodic { each, clocks: 0 }, Link { mhz, clocks: 1.0 });
    let terminal = Terminal::open().expect("a terminal");
    let (path, watch) = (terminal.path().to_owned(), Watch::default());
    thread::scope(|scope| {
        let chip = scope.spawn(|| {
            terminal.serve(Faulty::new(Linked::new(other, link)?, 1, u64::MAX), None, &watch)
        });
        let what = Serial::open(&path, BAUD).and_then(then);
        watch.stop.store(true, Ordering::Relaxed);
        chip.join().expect("no panic").expect("it goes on");
        what.expect_err("it is no coprocessor").to_string()
    })
}

/// Rare bytes that are no valid frame do not extend the timeout.
#[test]
fn a_peer_of_rare_bytes_is_given_up() {
    // The device sends a byte every 20 ms.
    let what = with_periodic_device(2000, 0.1, |port| {
        let mut port = port.with_patience(Duration::from_millis(50));
        let (program, _, cycles) = program(1, 10);
        let key = RunKey { suite: Suite::HalfGates, point: 1 };
        let run = Evaluates::new("mobile:it", &program, key, cycles, &mut port).expect("a run");
        run.run(cycles, &mut Nothing).map(drop)
    });
    assert!(what.starts_with("mobile:it: the device at the port does not follow"), "{what}");
}

struct Nothing;

impl EvaluatorIo for Nothing {
    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::ZERO)
    }

    fn active_labels(&mut self, _: u64, _: &[Wire], _: &mut [Label]) -> Result<(), IoError> {
        unreachable!("the chip has sent no greeting")
    }

    fn tables(&mut self, _: usize) -> Result<&[u8], IoError> {
        unreachable!("the chip has sent no greeting")
    }

    fn output(&mut self, _: u64, _: &[u32], _: &[Label]) -> Result<(), IoError> {
        unreachable!("the chip has sent no greeting")
    }
}

/// Bytes received during a send are kept, up to a limit.
#[test]
fn a_peer_that_floods_during_a_send_is_given_up() {
    let what = with_periodic_device(1, 42.0, |mut port| {
        // The device sends a byte for each received byte.
        port.send(&vec![1; 1 << 20])
    });
    assert!(what.contains("sends more than a coprocessor would"), "{what}");
}

#[test]
fn a_device_that_is_no_coprocessor_is_reported() {
    let hello = Frame::Hello { run: 7, version: FORMAT_VERSION, suites: 3, slots: 13, space: 3 };
    let response = Frame::Ack { number: 0, run: 0, space: 0, status: 0, again: true };
    let idle = Other { to_host: VecDeque::new(), again: false, received: None };
    let text = |to_host: &[u8]| Other {
        to_host: to_host.iter().copied().collect(),
        again: true,
        received: None,
    };
    let older =
        Other { to_host: VecDeque::new(), again: false, received: Some(Deframer::default()) };
    let others = [
        (idle, "no response from the port"),
        (text(b"login: "), "does not follow"),
        (text(&[0]), "does not follow"),
        (text(&hello.encode()), "does not follow"),
        (text(&response.encode()), "does not follow"),
        (older, "has version 2 of the link, this program has version 1"),
    ];
    for (other, words) in others {
        let terminal = Terminal::open().expect("a terminal");
        let (path, watch) = (terminal.path().to_owned(), Watch::default());
        thread::scope(|scope| {
            let chip = scope.spawn(|| {
                let chip = Linked::new(other, Link { mhz: 42.0, clocks: 20.0 })?;
                terminal.serve(Faulty::new(chip, 1, u64::MAX), None, &watch)
            });
            let what = DeviceEngine::at(&path, BAUD).err().map(|error| error.to_string());
            watch.stop.store(true, Ordering::Relaxed);
            chip.join().expect("no panic").expect("it goes on");
            let what = what.expect("it is no coprocessor");
            assert!(what.contains(words), "{words}: {what}");
            assert!(what.starts_with("mobile:/dev/"), "{what}");
        });
    }
}
