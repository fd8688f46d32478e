//! Inference with a quantised multi-layer perceptron: the garbler has the network, the evaluator
//! the image, and the output is the most likely class. An example of maps and folds in each other.
//!
//! **Arithmetic.** Inputs and activations are unsigned integers of 8 bits, weights are signed
//! integers of 8 bits, and biases are signed integers of 24 bits. A neuron with `n` inputs computes
//!
//! ```text
//! sum = bias + the sum of input[i] * weight[i]
//! activation = min(max(sum, 0) >> SHIFT, 255)         in a hidden layer (ReLU)
//! ```
//!
//! The sum never overflows: its width holds `255 * 128 * n + 2^23` of either sign. This takes 27
//! bits for 784 inputs. The shift, the same in all hidden layers, is a parameter of the
//! program; it is 8 unless the spec gives another one (`mlp:784-128-10/9`). The last layer has no
//! activation: the class is the number of its largest sum, the first one if several are equal.
//!
//! To quantise a network, choose a scale for each layer, so that its largest activation is about
//! 255; scales of ReLU layers do not change the class. With the scale `s` of the inputs of a layer
//! and `t` of its activations, a weight `w` becomes `w * 2^SHIFT * t / s`, and a bias `v` becomes
//! `v * 2^SHIFT * t`, both rounded.
//!
//! **The circuit** is structured. A layer is a map over its neurons. A neuron is a fold over groups
//! of 16 inputs, each of which adds 16 products to the sum, column by column. Weights enter the
//! products as `weight + 128`, which is unsigned and takes no gate. So a product has 64 ANDs and no
//! sign, and `128` times the sum of the layer's inputs is subtracted from the biases. That sum is
//! computed once for the layer.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Party, int};

/// `mlp`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "mlp",
    params: "LAYERS[/SHIFT]",
    default: "16-8-4",
    summary: "class of an image by a quantised neural network with LAYERS such as 784-128-10",
    ports: "garbler weights: 8 bits each, signed, those of a neuron next to each other, neuron \
            after neuron, layer after layer; garbler biases: 24 bits each, signed, one a neuron; \
            evaluator image: 8 bits each; output class",
    types: &[
        PortType::list("weights", Element::Signed, Width::Bits(8)),
        PortType::list("biases", Element::Signed, Width::Bits(24)),
        PortType::list("image", Element::Unsigned, Width::Bits(8)),
    ],
    make: Make::Structured(|params: Params| {
        let (layers, shift) = parse(params)?;
        circuit(&layers, shift)
    }),
};

/// The shift if the spec gives none.
pub const SHIFT: u32 = 8;
/// Largest shift.
pub const MAX_SHIFT: u32 = 24;
/// Most inputs or neurons of a layer.
pub const MAX_LAYER: u32 = 1 << 16;
/// Most layers, inputs included.
pub const MAX_LAYERS: u64 = 16;
/// Most weights of a network: their bits must fit in the wires of a body.
pub const MAX_WEIGHTS: u64 = 1 << 24;

/// Bits of a weight, an input and an activation.
const BYTE: usize = 8;
/// Bits of a bias.
const BIAS: usize = 24;
/// Inputs that a step of a neuron's fold takes.
const GROUP: usize = 16;

fn parse(params: Params<'_>) -> Result<(Vec<u32>, u32), MakeError> {
    let (layers, shift) = match params.text.split_once('/') {
        Some((layers, shift)) => (layers, Params { text: shift }.one("SHIFT")?),
        None => (params.text, SHIFT),
    };
    let size = |text| Params { text }.one("a layer's size");
    Ok((layers.split('-').map(size).collect::<Result<_, _>>()?, shift))
}

/// A network whose `layers` are the number of inputs, then the number of neurons of each layer.
/// Garbler's `weights` and `biases`, evaluator's `image`, output `class`, in just enough bits for
/// the largest class.
///
/// With groups of 16 inputs, a weight takes 128 ANDs, and a group and a neuron each about as many
/// more as the sum has bits above 16: 13,111,631 ANDs for `784-128-10`.
///
/// # Errors
/// If there are fewer than 2 or more than [`MAX_LAYERS`] layers, a layer has no neurons or more
/// than [`MAX_LAYER`], the last has only one, there are more than [`MAX_WEIGHTS`] weights, `shift`
/// is above [`MAX_SHIFT`], or the gates cannot be stored.
pub fn circuit(layers: &[u32], shift: u32) -> Result<StructuredCircuit, MakeError> {
    check("the number of layers", layers.len() as u64, 2..=MAX_LAYERS)?;
    for &size in layers {
        check("a layer's size", size.into(), 1..=MAX_LAYER.into())?;
    }
    let classes = layers[layers.len() - 1];
    check("the last layer's size", classes.into(), 2..=MAX_LAYER.into())?;
    let products = layers.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1]));
    let weights: u64 = products.sum();
    check("the number of weights", weights, 1..=MAX_WEIGHTS)?;
    check("SHIFT", shift.into(), 0..=MAX_SHIFT.into())?;

    let mut b = Builder::new();
    let neurons = layers[1..].iter().sum();
    let weights = b.input_array("weights", Party::Garbler, BYTE as u32, weights as u32).bits();
    let biases = b.input_array("biases", Party::Garbler, BIAS as u32, neurons).bits();
    let mut inputs = b.input("image", Party::Evaluator, BYTE as u32 * layers[0]);
    let (mut weights, mut biases) = (&weights[..], &biases[..]);
    for (layer, pair) in layers.windows(2).enumerate() {
        let (n, neurons) = (pair[0] as usize, pair[1] as usize);
        let (own_weights, rest) = weights.split_at(BYTE * n * neurons);
        let (own_biases, others) = biases.split_at(BIAS * neurons);
        (weights, biases) = (rest, others);
        let is_last = layer + 2 == layers.len();
        let activation = |b: &mut Builder, sum: &[Bit]| match is_last {
            true => sum.to_vec(),
            false => activate(b, sum, shift as usize),
        };
        inputs = self::layer(&mut b, &inputs, own_weights, own_biases, activation);
    }
    let class = largest(&mut b, &inputs, classes as usize);
    b.output("class", &class);
    Ok(b.finish_structured()?)
}

/// Bits of the sum of a neuron with `inputs` inputs, the sign included.
pub fn sum_bits(inputs: u32) -> usize {
    let largest = 255 * 128 * u64::from(inputs) + (1 << (BIAS - 1));
    (u64::BITS - largest.leading_zeros()) as usize + 1
}

/// A layer: `activation` of each neuron's sum.
fn layer(
    b: &mut Builder,
    inputs: &[Bit],
    weights: &[Bit],
    biases: &[Bit],
    activation: impl Fn(&mut Builder, &[Bit]) -> Vec<Bit>,
) -> Vec<Bit> {
    let width = sum_bits((inputs.len() / BYTE) as u32);
    let neurons = (biases.len() / BIAS) as u64;
    let excess = sum_of_inputs(b, inputs, width);
    let arguments =
        [Arg::Shared(inputs), Arg::Shared(&excess), Arg::Sliced(weights), Arg::Sliced(biases)];
    let layer = b.map("neuron", neurons, &arguments, |b, arguments| {
        let [inputs, excess, weights, bias] = arguments else { unreachable!("four arguments") };
        // The products are of `weight + 128`.
        let bias = int::sign_extend(bias, width);
        let high = int::sub(b, &bias[BYTE - 1..], excess);
        let first = [&bias[..BYTE - 1], &high].concat();
        let sum = neuron(b, first, inputs, weights);
        activation(b, &sum)
    });
    layer.bits()
}

/// The sum of the inputs, which is subtracted from the bits 7 and up of a sum of `width` bits.
fn sum_of_inputs(b: &mut Builder, inputs: &[Bit], width: usize) -> Vec<Bit> {
    let zero = vec![Bit::FALSE; width - BYTE + 1];
    in_groups(b, "sum of inputs", zero, &[inputs], |b, sum, group| {
        let values: Vec<&[Bit]> = group[0].chunks(BYTE).chain([sum]).collect();
        int::sum(b, &values, sum.len())
    })
}

/// `first` plus the products of `inputs` and `weights + 128`.
fn neuron(b: &mut Builder, first: Vec<Bit>, inputs: &[Bit], weights: &[Bit]) -> Vec<Bit> {
    in_groups(b, "products", first, &[inputs, weights], |b, sum, group| {
        let mut columns: Vec<Vec<Bit>> = sum.iter().map(|&bit| vec![bit]).collect();
        for (input, weight) in group[0].chunks(BYTE).zip(group[1].chunks(BYTE)) {
            let (sign, low) = weight.split_last().expect("a weight has bits");
            for (j, &w) in low.iter().chain([&!*sign]).enumerate() {
                for (i, &x) in input.iter().enumerate() {
                    columns[i + j].push(b.and(x, w));
                }
            }
        }
        sum_columns(b, columns)
    })
}

/// A fold of `step` over the bytes of `lists`, a group at a time; the bytes left over are a group
/// of their own. `step` returns the next state.
fn in_groups(
    b: &mut Builder,
    name: &str,
    first: Vec<Bit>,
    lists: &[&[Bit]],
    step: impl Fn(&mut Builder, &[Bit], &[Vec<Bit>]) -> Vec<Bit>,
) -> Vec<Bit> {
    let groups = lists[0].len() / (BYTE * GROUP);
    let (full, rest): (Vec<&[Bit]>, Vec<&[Bit]>) =
        lists.iter().map(|list| list.split_at(groups * BYTE * GROUP)).unzip();
    let mut state = first;
    if groups > 0 {
        let arguments: Vec<Arg<'_>> = full.iter().map(|bits| Arg::Sliced(bits)).collect();
        let folded = b.fold(name, groups as u64, &state, &arguments, |b, state, group| {
            (step(b, state, group), Vec::new())
        });
        state = folded.state;
    }
    if rest[0].is_empty() {
        return state;
    }
    let rest: Vec<Vec<Bit>> = rest.iter().map(|bits| bits.to_vec()).collect();
    step(b, &state, &rest)
}

/// The sum of bits, those of `columns[j]` with weight `2^j`, modulo 2 to the number of columns. A
/// full adder takes one AND and leaves one bit less; the last column takes none.
fn sum_columns(b: &mut Builder, columns: Vec<Vec<Bit>>) -> Vec<Bit> {
    let last = columns.len() - 1;
    let mut carries: Vec<Bit> = Vec::new();
    let mut sum = Vec::with_capacity(columns.len());
    for (j, mut column) in columns.into_iter().enumerate() {
        column.append(&mut carries);
        // The oldest bits are added first, which keeps the tree of adders flat.
        let mut oldest = 0;
        while column.len() - oldest > 1 {
            let bit = |at: usize| column.get(at).copied().unwrap_or(Bit::FALSE);
            let (x, y, z) = (bit(oldest), bit(oldest + 1), bit(oldest + 2));
            oldest = (oldest + 3).min(column.len());
            let (xz, yz) = (b.xor(x, z), b.xor(y, z));
            if j < last {
                let change = b.and(xz, yz);
                carries.push(b.xor(change, z));
            }
            column.push(b.xor(xz, y));
        }
        sum.push(column[oldest]);
    }
    sum
}

/// `min(max(sum, 0) >> shift, 255)`.
fn activate(b: &mut Builder, sum: &[Bit], shift: usize) -> Vec<Bit> {
    let (&sign, magnitude) = sum.split_last().expect("a sum has bits");
    let shifted = magnitude.get(shift..).unwrap_or_default();
    let (low, high) = shifted.split_at(shifted.len().min(BYTE));
    let saturates = !int::is_zero(b, high);
    let low = int::zero_extend(low, BYTE);
    low.iter()
        .map(|&bit| {
            let kept = b.or(bit, saturates);
            b.and(kept, !sign)
        })
        .collect()
}

/// The number of the largest of `count` sums, the first one if several are equal: a fold.
fn largest(b: &mut Builder, sums: &[Bit], count: usize) -> Vec<Bit> {
    let width = sums.len() / count;
    let bits = (usize::BITS - (count - 1).leading_zeros()) as usize;
    let numbers: Vec<Bit> = (1..count).flat_map(|i| int::constant(bits, i as u128)).collect();
    let first = [&sums[..width], &int::constant(bits, 0)].concat();
    let arguments = [Arg::Sliced(&sums[width..]), Arg::Sliced(&numbers)];
    let folded = b.fold("larger", count as u64 - 1, &first, &arguments, |b, best, other| {
        let larger = int::lt_signed(b, &best[..width], &other[0]);
        (int::select(b, larger, &other.concat(), best), Vec::new())
    });
    folded.state[width..].to_vec()
}

/// The same function in plain Rust.
pub fn plain(layers: &[u32], shift: u32, weights: &[i8], biases: &[i32], image: &[u8]) -> usize {
    let (mut weights, mut biases) = (weights, biases);
    let mut inputs = image.to_vec();
    let mut sums: Vec<i64> = Vec::new();
    for &neurons in &layers[1..] {
        let (own, others) = weights.split_at(inputs.len() * neurons as usize);
        let (own_biases, other_biases) = biases.split_at(neurons as usize);
        (weights, biases) = (others, other_biases);
        let product = |(&x, &w): (&u8, &i8)| i64::from(x) * i64::from(w);
        let neuron = |(weights, &bias): (&[i8], &i32)| {
            i64::from(bias) + inputs.iter().zip(weights).map(product).sum::<i64>()
        };
        sums = own.chunks(inputs.len()).zip(own_biases).map(neuron).collect();
        inputs = sums.iter().map(|&sum| (sum.max(0) >> shift).min(255) as u8).collect();
    }
    let largest = sums.iter().max().expect("the last layer has neurons");
    sums.iter().position(|sum| sum == largest).expect("it is one of them")
}
