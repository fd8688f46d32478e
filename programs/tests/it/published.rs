//! Circuits with the counts of papers: all counts that are equal, and the functions.

use halfgate_circuit::{Bits, Layers, Stats, clear, verify};
use halfgate_programs::{build, published};

/// A program and its counts, in the paper's order: layers, inputs, ANDs, XORs, wires, one-to-one
/// wires, one-to-one wires that the next layer reads, and the maximum of the latter in a layer.
type Row = (&'static str, [u64; 8]);

/// The paper's rows. Comments give the paper's figure where it differs.
const ROWS: [Row; 13] = [
    // The paper has 17 layers and 42 wires: without the last carry, which its gate counts include,
    // and without the first one.
    ("adder:6", [18, 12, 6, 24, 43, 12, 12, 1]),
    ("hamming:10", [22, 20, 20, 90, 140, 55, 50, 7]),
    // The paper has 163 one-to-one wires, of which 147 are adjacent and 11 are not. But 163 is the
    // number of adjacent ones.
    ("hamming:30", [27, 60, 60, 270, 420, 174, 163, 22]),
    ("hamming:50", [32, 100, 100, 450, 700, 293, 269, 37]),
    ("multiplier-full:8", [57, 16, 120, 352, 495, 296, 247, 64]),
    ("multiplier-full:16", [121, 32, 496, 1472, 2015, 1232, 1007, 256]),
    ("multiplier-full:32", [249, 64, 2016, 6016, 8127, 5024, 4063, 1024]),
    ("multiplier-full:64", [505, 128, 8128, 24320, 32639, 20288, 16319, 4096]),
    // The paper has the 40 inputs of one party, and 4,638 XORs; its wires are those of 4,664 XORs.
    ("sort:20x4", [278, 80, 848, 4664, 5717, 2968, 2136, 40]),
    // For matrices, the paper exchanges inputs and outputs.
    ("matmult:5x4", [25, 200, 3900, 11600, 16175, 9700, 8350, 2000]),
    ("matmult:5x8", [57, 400, 15800, 47200, 64375, 39400, 32850, 8000]),
    ("matmult:10x8", [57, 1600, 127_200, 380_800, 517_500, 317_600, 263_400, 64_000]),
    ("matmult:20x4", [37, 3200, 254_400, 761_600, 1_050_800, 635_200, 541_600, 128_000]),
];

#[test]
fn counts_are_the_papers() {
    for (spec, expected) in ROWS {
        let circuit = published::build(spec).unwrap();
        verify::verify(&circuit).unwrap();
        let layers = Layers::of(&circuit);
        let total = layers.total();
        let found = [
            layers.layers.len() as u64,
            circuit.input_bits() as u64,
            total.ands,
            total.xors,
            layers.wires,
            layers.one_to_one,
            layers.adjacent,
            layers.most_direct(),
        ];
        assert_eq!(found, expected, "{spec}");
    }
}

/// The same ports and values as our own programs.
#[test]
fn they_compute_what_our_programs_do() {
    let mut random = 1_u64;
    let mut bit = || {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 63 == 1
    };
    let specs =
        ["adder:1", "adder:6", "multiplier-full:1", "multiplier-full:2", "multiplier-full:8"];
    let others = ["matmult:1x3", "matmult:2x1", "matmult:3x4", "matmult:4x5"];
    let counts = (1..=18).map(|n| format!("hamming:{n}"));
    let sorts = [2, 3, 5, 7, 10, 16, 20].map(|n| format!("sort:{n}x5"));
    let all = specs.iter().chain(&others).map(|s| (*s).to_owned()).chain(counts).chain(sorts);
    for spec in all {
        let (ours, theirs) = (build(&spec).unwrap(), published::build(&spec).unwrap());
        assert_eq!(ours.inputs, theirs.inputs, "{spec}");
        let ports = |c: &halfgate_circuit::Circuit| {
            c.outputs.iter().map(|o| (o.name.clone(), o.bits.len())).collect::<Vec<_>>()
        };
        assert_eq!(ports(&ours), ports(&theirs), "{spec}");
        for _ in 0..40 {
            let value = |width: u32| {
                // Sorting compares by the sign of a difference: the highest bit of a number is 0.
                let small = spec.starts_with("sort");
                (0..width).map(|i| bit() && !(small && i % 5 == 4)).collect::<Vec<bool>>()
            };
            let inputs: Vec<Bits> = ours
                .inputs
                .iter()
                .map(|input| input.width)
                .map(value)
                .map(|v| v.into_iter().collect())
                .collect();
            let clear = |c| clear::evaluate(c, &inputs, 1).unwrap();
            assert_eq!(clear(&ours), clear(&theirs), "{spec}");
        }
    }
}

fn benchmark(spec: &str) -> Stats {
    let circuit = published::build_as("haac", spec).unwrap();
    verify::verify(&circuit).unwrap();
    Stats::of(&circuit)
}

/// HAAC's Table 2, which rounds gates to thousands, and gates per level to whole numbers.
#[test]
fn counts_of_the_benchmark_are_the_papers() {
    for (spec, levels, gates_k, and_percent, gates_a_level) in [
        ("bubble-sort:256x32", 75636, 12534, 33.33, 166),
        ("triangle:13x32", 1403, 6979, 34.02, 4974),
        ("hamming:40960", 76, 328, 25.00, 4311),
        ("relu:2048x32", 2, 68, 96.97, 33792),
    ] {
        let stats = benchmark(spec);
        let gates = stats.gates as f64;
        assert_eq!(stats.depth, levels, "{spec}");
        assert_eq!((gates / 1e3).round() as u64, gates_k, "{spec}");
        assert_eq!((gates / f64::from(levels)).round() as u64, gates_a_level, "{spec}");
        let percent = 100.0 * stats.ands as f64 / gates;
        assert!((percent - and_percent).abs() <= 0.005, "{spec}: {percent}");
    }
}

#[test]
fn counts_of_the_others_are_near_the_papers() {
    for (spec, wanted, published) in [
        ("mersenne:1000", [1_434_519, 391_558, 1652], [1444e3, 27.15, 1764.0]),
        ("gradient-descent:9x20", [6_350_166, 2_725_790, 101_667], [6343e3, 42.91, 106_314.0]),
    ] {
        let stats = benchmark(spec);
        assert_eq!([stats.gates, stats.ands, stats.depth.into()], wanted, "{spec}");
        let [gates, ands, levels] = wanted.map(|count| count as f64);
        let of = [gates, 100.0 * ands / gates, levels];
        for ((found, published), most) in of.into_iter().zip(published).zip([0.02, 0.02, 0.1]) {
            assert!((found / published - 1.0).abs() <= most, "{spec}: {found} of {published}");
        }
    }
}

#[test]
fn gradient_descent_of_the_benchmark_is_that_of_its_source() {
    let mut random = numbers();
    for (points, rounds) in [(1, 1), (3, 2), (9, 3)] {
        let spec = format!("gradient-descent:{points}x{rounds}");
        let circuit = published::build_as("haac", &spec).unwrap();
        for turn in 0..20 {
            // Numbers of similar size, then any bit patterns.
            let mut float = || match turn % 2 {
                0 => random() as u32 as f32 / 1e8 - 20.0,
                _ => f32::from_bits(random() as u32),
            };
            let points: Vec<(f32, f32)> = (0..points).map(|_| (float(), float())).collect();
            let (weight, bias) = published::plain_gradient_descent(&points, rounds);
            let port = |floats: Vec<f32>| -> Bits {
                let bits = |float: f32| (0..32).map(move |i| float.to_bits() >> i & 1 == 1);
                floats.into_iter().flat_map(bits).collect()
            };
            let (x, y) = points.into_iter().unzip();
            let found = clear::evaluate(&circuit, &[port(x), port(y)], 1).unwrap();
            // Circuits have only this NaN.
            let known =
                |float: f32| if float.is_nan() { f32::from_bits(0x7fc0_0000) } else { float };
            assert_eq!(found, [weight, bias].map(|float| port(vec![known(float)])), "{spec}");
        }
    }
}

#[test]
fn circuits_of_the_benchmark_compute_what_our_programs_do() {
    let mut random = numbers();
    let specs = ["relu:2x2", "relu:5x32", "hamming:1", "hamming:2", "hamming:7", "hamming:100"];
    for spec in specs.into_iter().chain(["triangle:2x6", "triangle:3x32", "triangle:4x8"]).chain([
        "bubble-sort:2x1",
        "bubble-sort:7x5",
        "bubble-sort:12x32",
        "mersenne:3",
    ]) {
        let (ours, theirs) = (build(spec).unwrap(), published::build_as("haac", spec).unwrap());
        assert_eq!(ours.inputs, theirs.inputs, "{spec}");
        let turns = if spec.starts_with("mersenne") { 3 } else { 100 };
        for _ in 0..turns {
            // Entries are small, so that the trace is positive as a signed number too.
            let is_graph = spec.starts_with("triangle");
            let width: u32 =
                spec.rsplit('x').next().and_then(|bits| bits.parse().ok()).unwrap_or(1);
            let value = |bits: u32| {
                let bit = |i| random() & 1 == 1 && (!is_graph || i % width == 0);
                (0..bits).map(bit).collect::<Bits>()
            };
            let inputs: Vec<Bits> =
                ours.inputs.iter().map(|input| input.width).map(value).collect();
            let clear = |c| clear::evaluate(c, &inputs, 1).unwrap().remove(0);
            let (ours, theirs) = (clear(&ours), clear(&theirs));
            // The paper's Hamming distance is wider; its upper bits are 0.
            assert_eq!(
                ours.iter().collect::<Vec<_>>(),
                theirs.iter().take(ours.len()).collect::<Vec<_>>(),
                "{spec}"
            );
            assert!(theirs.iter().skip(ours.len()).all(|bit| !bit), "{spec}");
        }
    }
}

/// The integers of the benchmark's source are signed.
#[test]
fn triangles_are_divided_as_signed_numbers() {
    let circuit = published::build_as("haac", "triangle:3x32").unwrap();
    let mut random = numbers();
    let mut negative = 0;
    for _ in 0..50 {
        let graph: Vec<u32> = (0..9).map(|_| random() as u32).collect();
        let squared = halfgate_programs::vip::matmult::plain(3, &graph, &graph);
        let cubed = halfgate_programs::vip::matmult::plain(3, &squared, &graph);
        let trace = (0..3).fold(0u32, |sum, i| sum.wrapping_add(cubed[4 * i])).cast_signed();
        let port = |words: &[u32]| -> Bits {
            words.iter().flat_map(|word| (0..32).map(move |i| word >> i & 1 == 1)).collect()
        };
        let found = clear::evaluate(&circuit, &[port(&graph[..6]), port(&graph[6..])], 1).unwrap();
        assert_eq!(found, [port(&[(trace / 6).cast_unsigned()])]);
        negative += u32::from(trace < -5);
    }
    assert!(negative > 5, "signs are tried");
}

/// Upper halves of a linear congruential generator (Knuth's MMIX).
fn numbers() -> impl FnMut() -> u64 {
    let mut random = 1_u64;
    move || {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 32
    }
}

#[test]
fn programs_that_no_paper_has_are_refused() {
    let error = |spec| published::build(spec).unwrap_err().to_string();
    assert!(error("psi:4x4").contains("no published circuit of 'psi'"));
    assert!(
        error("nonsense").contains("adder, hamming, multiplier-full, matmult, sort, bubble-sort")
    );
    assert!(error("adder:0").contains("BITS"));
    assert!(error("sort:4").contains("COUNTxBITS"));
    assert!(error("matmult:1024x1024").contains("program 'matmult'"));
    let error = |paper, spec| published::build_as(paper, spec).unwrap_err().to_string();
    assert!(error("sifo", "relu:2x2").contains("no published circuit of 'relu'"));
    assert!(error("haac", "sort:4x4").contains("bubble-sort, mersenne, triangle, hamming, relu"));
    assert!(error("nobody", "adder:4").contains("no published circuit of 'adder'"));
}
