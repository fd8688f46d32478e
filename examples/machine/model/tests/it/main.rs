//! The model's clock cycles are those that follow from the numbers of gates.

use halfgate_circuit::random::{self, Shape};
use halfgate_toy_model::{AND_CYCLES, Toy, XOR_CYCLES, clock_cycles};

#[test]
fn gates_follow_each_other_in_program_order() {
    let circuit = random::circuit(1, &Shape { flip_flops: 3, ..Shape::default() });
    let mut toy = Toy::new(None);
    let mut before = 0;
    for _ in 0..2 {
        let steps: Vec<_> = toy.body(&circuit).collect();
        assert_eq!(steps.len(), circuit.gates.len());
        for (gate, step) in circuit.gates.iter().zip(&steps) {
            let takes = if gate.is_and() { AND_CYCLES } else { XOR_CYCLES };
            assert_eq!(step.done, before + takes, "{gate:?}");
            before = step.done;
        }
    }
    assert_eq!(clock_cycles(&circuit, 2), before);
}

#[test]
fn the_time_of_a_run_follows_from_its_gates() {
    for seed in 0..20 {
        let circuit = random::circuit(seed, &Shape { flip_flops: 2, ..Shape::default() });
        let ands = circuit.gates.ands();
        let others = circuit.gates.len() as u64 - ands;
        let each = others * XOR_CYCLES + ands * AND_CYCLES;
        assert_eq!(clock_cycles(&circuit, circuit.cycles), each * circuit.cycles);
    }
}
