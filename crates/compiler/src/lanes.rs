//! In how many lanes functions run.

use halfgate_circuit::structured::{Call, Sizes, StructuredCircuit};

/// For each function, the least number of lanes in which a call runs it.
pub(crate) fn least_lanes(circuit: &StructuredCircuit) -> Vec<u64> {
    let sizes = Sizes::of(&circuit.functions).expect("a valid circuit's gates can be counted");
    let mut least = vec![u64::MAX; circuit.functions.len()];
    let mut visit = |caller: Option<usize>, calls: &[Call]| {
        let lanes = caller.map_or(1, |caller| least[caller]);
        for call in calls {
            let callee = &mut least[call.function.index()];
            *callee = lanes.saturating_mul(sizes.block(call)).min(*callee);
        }
    };
    visit(None, &circuit.body.calls);
    // A function is called by later ones only.
    for (index, function) in circuit.functions.iter().enumerate().rev() {
        visit(Some(index), &function.body.calls);
    }
    least
}
