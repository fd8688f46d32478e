//! The join of two tables, against plain Rust.

use crate::common::{self, number, numbers, value};
use crate::structured::{run, structured};
use halfgate_circuit::Bits;
use halfgate_circuit::structured::clear;
use halfgate_programs::join;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeMap;

fn rows(table: &BTreeMap<u32, u32>) -> [Bits; 2] {
    let column = |values: Vec<u128>| numbers(&values, 32);
    let keys = table.keys().map(|&key| key.into()).collect();
    [column(keys), column(table.values().map(|&value| value.into()).collect())]
}

fn joins(
    a: &BTreeMap<u32, u32>,
    b: &BTreeMap<u32, u32>,
    run: impl Fn(&str, &[Bits]) -> Vec<Bits>,
) -> Result<(), TestCaseError> {
    let pairs = |table: &BTreeMap<u32, u32>| -> Vec<(u32, u32)> {
        table.iter().map(|(&key, &value)| (key, value)).collect()
    };
    let (matches, sum) = join::plain(&pairs(a), &pairs(b));
    let inputs = [rows(a), rows(b)].concat();
    let outputs = run(&format!("join:{}x{}", a.len(), b.len()), &inputs);
    prop_assert_eq!(outputs[0].len() as u32, a.len().min(b.len()).ilog2() + 1);
    prop_assert_eq!(outputs[1].len(), 64);
    prop_assert_eq!((value(&outputs[0]), value(&outputs[1])), (matches.into(), sum.into()));
    Ok(())
}

/// Tables of which about half of the keys match, large enough that levels are divided into runs.
#[test]
fn large_joins() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u32
    };
    let mut table = |rows: usize, keys: u32| {
        let mut table = BTreeMap::new();
        while table.len() < rows {
            table.insert(random() % keys, random() << 1 | 1);
        }
        table
    };
    let evaluate = |spec: &str, inputs: &[Bits]| {
        clear::evaluate(&structured(spec), inputs, 1).expect("evaluated")
    };
    for (n, m) in [(1000, 1000), (1500, 300), (1, 700)] {
        let (a, b) = (table(n, 2500), table(m, 2500));
        joins(&a, &b, evaluate).unwrap_or_else(|error| panic!("{n} {m}: {error}"));
    }
    let extremes: BTreeMap<u32, u32> =
        (0..100).map(|i| (u32::MAX - 101 * i, u32::MAX)).chain([(0, u32::MAX)]).collect();
    joins(&extremes, &extremes, evaluate).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_small_join() {
    let column = |values: &[u128]| numbers(values, 32);
    let a = [column(&[3, 5, 9]), column(&[10, 20, 30])];
    let b = [column(&[5, 9]), column(&[0, 1000])];
    let outputs = run("join:3x2", &[a, b].concat());
    assert_eq!(outputs, [number(2, 2), number(1050, 64)]);
}

fn table() -> impl Strategy<Value = BTreeMap<u32, u32>> {
    let key = prop_oneof![3 => 0..30u32, 1 => any::<u32>()];
    prop::collection::btree_map(key, any::<u32>(), 1..20)
}

proptest! {
    #![proptest_config(common::cases(16))]

    #[test]
    fn join_of_tables(a in table(), b in table()) {
        joins(&a, &b, run)?;
    }
}
