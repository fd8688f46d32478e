//! Both models with a memory that has times of its own.

use crate::common::{Checker, Random, random_case, random_code};
use halfgate_circuit::Party;
use halfgate_haac_model::model::attached::{Attached, Bursts};
use halfgate_haac_model::model::config::Config;
use halfgate_haac_model::model::layout::{Layout, Region};
use halfgate_haac_model::model::places::Places;
use halfgate_haac_model::model::rows::{Plain, survey};
use halfgate_haac_model::model::{Error, Options, exact, fast};

/// A memory that refuses, delays and reorders at random. It notes its requests.
struct Moody {
    random: Random,
    refuses: u32,
    longest: u64,
    now: u64,
    waits: Vec<(u64, u32)>,
    requests: Vec<(u64, u64, bool)>,
}

impl Moody {
    fn new(seed: u64) -> Moody {
        let refuses = [0, 20, 70][seed as usize % 3];
        let longest = [1, 30, 400][seed as usize / 3 % 3];
        let random = Random(seed);
        Moody { random, refuses, longest, now: 0, waits: Vec::new(), requests: Vec::new() }
    }
}

impl Bursts for Moody {
    fn accepts(&self, address: u64, is_write: bool) -> bool {
        let mut random = Random(self.now ^ address << 20 ^ u64::from(is_write));
        !random.percent(self.refuses)
    }

    fn add(&mut self, address: u64, is_write: bool, tag: u32) {
        self.requests.push((self.now, address, is_write));
        let late = self.random.below(self.longest);
        self.waits.push((self.now + late, tag));
    }

    fn cycle(&mut self, done: &mut dyn FnMut(u32)) {
        self.waits.retain(|(due, tag)| {
            let is_due = *due <= self.now;
            if is_due {
                done(*tag);
            }
            !is_due
        });
        self.now += 1;
    }
}

#[test]
fn both_models_ask_and_take_the_same() {
    for seed in 0..100 {
        let (machine, recipe) = random_case(seed);
        let random = random_code(seed, &recipe);
        for role in [Party::Garbler, Party::Evaluator] {
            let options = Options { role, preloaded: seed % 4 == 3 };
            let config = Config::new(&machine, role).unwrap();
            let ands = survey(&random.code, &config).unwrap().unwrap().ands;
            let layout = Layout::of(&random.code, &ands, 1024, 1 << 20).unwrap();
            let ports = 1 + (seed % 4) as u32;
            let mut memories = [Moody::new(seed), Moody::new(seed)];
            let [first, second] = &mut memories;
            let labels = match seed % 2 {
                0 => Places::ByAddress,
                _ => Places::packed(&random.code).unwrap(),
            };
            let attached = |memory| {
                let (layout, labels) = (layout.clone(), labels.clone());
                Attached { memory, layout, ports, labels }
            };
            let mut checker = Checker::new(&random);
            let mut sizes = Plain::new(machine.shape);
            let code = &random.code;
            let at = attached(first);
            let exact = exact::run_attached(code, &machine, &options, &mut sizes, &mut checker, at);
            let exact = exact.unwrap_or_else(|error| panic!("exact, seed {seed}: {error}"));
            checker.verdict().unwrap();
            let mut checker = Checker::new(&random);
            let mut sizes = Plain::new(machine.shape);
            let at = attached(second);
            let fast = fast::run_attached(code, &machine, &options, &mut sizes, &mut checker, at);
            let fast = fast.unwrap_or_else(|error| panic!("fast, seed {seed}: {error}"));
            checker.verdict().unwrap();
            assert_eq!(fast, exact, "seed {seed}, {options:?}, {machine:?}, {recipe:?}");
            let [first, second] = memories;
            assert_eq!(first.requests, second.requests, "seed {seed}");
            for (_, address, is_write) in first.requests {
                let (region, _) = layout.find(address, 16).expect("in a region");
                let may_be_written = match region {
                    Region::Labels => true,
                    Region::Tables(_) => role == Party::Garbler,
                    _ => false,
                };
                assert!(!is_write || may_be_written, "{region:?}");
            }
        }
    }
}

/// A memory that is never done.
struct Dead;

impl Bursts for Dead {
    fn accepts(&self, _: u64, _: bool) -> bool {
        true
    }

    fn add(&mut self, _: u64, _: bool, _: u32) {}

    fn cycle(&mut self, _: &mut dyn FnMut(u32)) {}
}

#[test]
fn a_memory_that_no_longer_responds_ends_the_run() {
    let (machine, recipe) = random_case(1);
    let random = random_code(1, &recipe);
    let layout = Layout::of(&random.code, &vec![0; recipe.shape.engines as usize], 64, 1).unwrap();
    let options = Options::new(Party::Garbler);
    for is_exact in [false, true] {
        let mut memory = Dead;
        let at = Attached {
            memory: &mut memory,
            layout: layout.clone(),
            ports: 1,
            labels: Places::ByAddress,
        };
        let mut sizes = Plain::new(machine.shape);
        let mut checker = Checker::new(&random);
        let (code, sizes, sink) = (&random.code, &mut sizes, &mut checker);
        let run = match is_exact {
            true => exact::run_attached(code, &machine, &options, sizes, sink, at),
            false => fast::run_attached(code, &machine, &options, sizes, sink, at),
        };
        assert!(matches!(run, Err(Error::Stuck { .. })), "{run:?}");
    }
}
