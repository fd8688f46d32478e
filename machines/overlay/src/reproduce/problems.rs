//! Tables 1, 3 and 4: counts of the gates and wires of the paper's problems.

use super::published::{COLUMNS, Problem, problems};
use halfgate_circuit::{Layers, Stats};
use halfgate_programs::{build, published};
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

/// AND cells of a board that is reprogrammed for each part of a circuit.
const CELLS: u64 = 10;

/// The paper's problems, in the paper's circuits and in ours.
pub struct Problems(Vec<Measured>);

struct Measured {
    published: Problem,
    counts: [u64; 11],
    batches: u64,
    ours: Stats,
}

impl Problems {
    /// Builds and counts all problems.
    ///
    /// # Errors
    /// If a circuit cannot be built.
    pub fn measure(report: &mut dyn FnMut(&str)) -> Result<Problems, String> {
        let measured = problems().into_iter().map(|published| {
            report(&format!("{} ({})", published.name, published.spec));
            Measured::of(published)
        });
        Ok(Problems(measured.collect::<Result<_, _>>()?))
    }

    /// Table 1.
    pub fn gates(&self) -> Part {
        let mut part = Part::new("table1", "gates of the problems, in the paper's circuits");
        for problem in &self.0 {
            (0..6).for_each(|column| problem.row(&mut part, column));
            let (name, published) = (problem.name("reprogrammings"), problem.published);
            let measured = problem.counts[3].div_ceil(CELLS);
            part.measured(&name, "times", Some(published.reprogrammings as f64), measured as f64);
            if measured != published.reprogrammings {
                part.note("a tenth of the ANDs, rounded up; the paper rounds this row down");
            }
        }
        part.remark("inputs and outputs are those of both parties; a copy or an inverter counts as an XOR with a constant");
        part.remark(
            "reprogrammings are a tenth of the ANDs, as in the paper's table; the paper's text programs layer by layer, which \
             takes more: see `halfgate inspect --layers`",
        );
        part
    }

    /// Table 3.
    pub fn wires(&self) -> Part {
        let mut part = Part::new("table3", "wires of the problems, in the paper's circuits");
        for problem in &self.0 {
            (6..11).for_each(|column| problem.row(&mut part, column));
            let each = |counts: &[u64; 11]| counts[6] as f64 / counts[0] as f64;
            let name = problem.name("wires a layer");
            let published = each(&problem.published.counts);
            part.measured(&name, "wires", Some(published), each(&problem.counts));
        }
        part.remark(
            "\"at most in a layer\" counts wires that the next layer reads; the row of sorting shows this",
        );
        part
    }

    /// Table 4.
    pub fn shares(&self) -> Part {
        let mut part = Part::new("table4", "shares of one-to-one wires");
        for problem in &self.0 {
            for (what, of, all) in [
                ("A: one-to-one, of all wires", 7, 6),
                ("B: read in the next layer, of one-to-one", 8, 7),
                ("C: read in the next layer, of all wires", 8, 6),
            ] {
                let share = |counts: &[u64; 11]| 100.0 * counts[of] as f64 / counts[all] as f64;
                let published = Some(share(&problem.published.counts));
                part.measured(&problem.name(what), "%", published, share(&problem.counts));
            }
        }
        part.remark("published percentages are recomputed from Table 3");
        part
    }

    /// Our circuits beside theirs.
    pub fn ours(&self) -> Part {
        let mut part =
            Part::new("ours", "our circuits for the problems, beside the published ones");
        for problem in &self.0 {
            let published = |column: usize| Some(problem.published.counts[column] as f64);
            let Stats { ands, depth, .. } = problem.ours;
            part.measured(&problem.name("ANDs"), "gates", published(3), ands as f64);
            part.measured(&problem.name("layers"), "layers", published(0), f64::from(depth));
        }
        part.remark("the paper's sort compares by the sign of a 4-bit difference, ours (`sort-network`) all of 4 bits");
        part
    }

    /// The targets: each count equals the published one, or the difference is explained.
    pub fn targets(&self) -> Vec<Figure> {
        let of = |columns: &[usize]| {
            let rows = self.0.iter().filter(|problem| {
                columns.iter().all(|&column| {
                    problem.is_published(column) || problem.explained(column).is_some()
                })
            });
            rows.count() as f64
        };
        let note = "equal, or the difference explained from the text. Row 11 (10x10, 4 bits, 7,526 ANDs) is neither: it has \
                    the layers of this problem and a quarter of its gates";
        let figure = |part: &str, name: &str, columns: &[usize]| {
            let figure = Figure::measured(name, "of 14", of(columns)).at_least(14.0).note(note);
            Figure { part: part.to_owned(), ..figure }
        };
        let columns = [0, 1, 2, 3, 4, 5];
        vec![
            figure("table1", "SIFO: rows of Table 1 met by the paper's circuits", &columns),
            figure(
                "table3",
                "SIFO: rows of Table 3 met by the paper's circuits",
                &[6, 7, 8, 9, 10],
            ),
        ]
    }
}

impl Measured {
    fn of(problem: Problem) -> Result<Measured, String> {
        let circuit = published::build(problem.spec).map_err(|error| error.to_string())?;
        let layers = Layers::of(&circuit);
        let total = layers.total();
        let counts = [
            layers.layers.len() as u64,
            circuit.input_bits() as u64,
            circuit.output_bits() as u64,
            total.ands,
            total.xors,
            total.ands + total.xors,
            layers.wires,
            layers.one_to_one,
            layers.adjacent,
            layers.one_to_one - layers.adjacent,
            layers.most_direct(),
        ];
        let ours = build(problem.ours().as_str()).map_err(|error| error.to_string())?;
        let batches = layers.batches(CELLS);
        Ok(Measured { published: problem, counts, batches, ours: Stats::of(&ours) })
    }

    fn name(&self, what: &str) -> String {
        format!("{}, {what}", self.published.name)
    }

    fn is_published(&self, column: usize) -> bool {
        self.counts[column] == self.published.counts[column]
    }

    fn explained(&self, column: usize) -> Option<&'static str> {
        self.published.explained(column)
    }

    fn row(&self, part: &mut Part, column: usize) {
        let name = self.name(COLUMNS[column]);
        let unit = if column == 0 {
            "layers"
        } else if column < 6 {
            "count"
        } else {
            "wires"
        };
        let published = Some(self.published.counts[column] as f64);
        part.measured(&name, unit, published, self.counts[column] as f64);
        if column == 0 {
            part.note(format!("{} batches of up to {CELLS} ANDs, layer by layer", self.batches));
        }
        if !self.is_published(column) {
            part.note(
                self.explained(column)
                    .unwrap_or("unexplained: the row fits no product of matrices"),
            );
        }
    }
}
