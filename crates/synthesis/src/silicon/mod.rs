//! Parts of machines in standard cells: area, longest path, and power in simulated programs.
//!
//! A machine names its [`Piece`]s and how much of the time each program uses them.
//! [`Setting::measure`] synthesises them; a [`Row`] has what was found, for [`table`] and
//! [`figures`].

pub mod figures;
pub mod scaling;
pub mod table;

use crate::cells::{self, Area, Cells, Memories};
use crate::jobs::{self, Event};
use crate::liberty::Macro;
use crate::tools::Tools;
use crate::{Design, Part};
use std::num::NonZeroUsize;

/// A part of a machine to measure.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The machine and role that it belongs to, or what else its group is called.
    pub group: String,
    /// How often the machine has it.
    pub count: u64,
    /// The part.
    pub design: Design,
    /// How much of the time simulated programs use it.
    pub uses: Vec<Use>,
}

impl Piece {
    /// Makes pieces of a machine's parts, which are named `MACHINE: PART`. No program's use of them
    /// is known.
    pub fn of(parts: impl IntoIterator<Item = Part>) -> Vec<Piece> {
        let piece = |Part { count, design }: Part| {
            let (group, _) = design.name.split_once(": ").unwrap_or((&design.name, ""));
            Piece { group: group.to_owned(), count, design, uses: Vec::new() }
        };
        parts.into_iter().map(piece).collect()
    }
}

/// How much of the time a program uses a part, by a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The program.
    pub program: String,
    /// The share of clock cycles in which the part takes new data: 0 to 1.
    pub cells: f64,
    /// Accesses to each of its RAMs in a clock cycle, on average.
    pub rams: f64,
}

/// A part, and what was found out about it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The part.
    pub piece: Piece,
    /// Its figures, or why there are none.
    pub area: Result<Area, String>,
}

/// All parts in one library.
pub struct Found {
    /// The tools' versions.
    pub tools: String,
    /// The library and its process.
    pub library: String,
    /// The process as the user named it; empty if not named.
    pub process: String,
    /// The library's memories.
    pub macros: Vec<Macro>,
    /// The clock of all power figures, in megahertz.
    pub mhz: f64,
    /// The parts.
    pub rows: Vec<Row>,
}

/// How pieces are measured.
pub struct Setting<'t> {
    /// The tools.
    pub tools: &'t Tools,
    /// The library.
    pub cells: &'t Cells,
    /// The sources, by their names in the folder that the tools work in.
    pub files: &'t [String],
    /// The clock of power figures, in megahertz.
    pub mhz: f64,
    /// How many pieces are measured at a time.
    pub jobs: NonZeroUsize,
}

impl Setting<'_> {
    /// Measures `pieces`. Calls `report` when one begins, and `save` after each. A part that fails
    /// does not end the run: its row has the reason.
    ///
    /// # Errors
    /// If `save` fails.
    pub fn measure(
        &self,
        pieces: &[Piece],
        report: &mut dyn FnMut(&str),
        save: &mut dyn FnMut(&Found) -> Result<(), String>,
    ) -> Result<Found, String> {
        let Setting { tools, cells, files, mhz, jobs } = *self;
        let mut found = Found {
            tools: tools.versions(),
            library: cells.title(),
            process: cells.process.clone(),
            macros: cells.macros.clone(),
            mhz,
            rows: Vec::new(),
        };
        let mut areas: Vec<Option<Result<Area, String>>> = vec![None; pieces.len()];
        let work = |piece: &Piece| cells::measure(tools, cells, files, &piece.design, 1e6 / mhz);
        jobs::run(pieces, jobs, work, || tools.stop(), &mut |event| match event {
            Event::Started(number) => {
                let name = &pieces[number].design.name;
                report(&format!("{name} ({} of {})", number + 1, pieces.len()));
                Ok(())
            }
            Event::Ended(number, area) => {
                areas[number] = Some(area);
                let rows = pieces.iter().zip(&areas).filter_map(|(piece, area)| {
                    Some(Row { piece: piece.clone(), area: area.clone()? })
                });
                found.rows = rows.collect();
                save(&found)
            }
        })?;
        Ok(found)
    }
}

impl Found {
    /// The row of the part called `name`.
    ///
    /// # Errors
    /// That it was not measured, or why it has no figures.
    pub fn row(&self, name: &str) -> Result<(&Row, &Area), String> {
        let row = self.rows.iter().find(|row| row.piece.design.name == name);
        let row = row.ok_or_else(|| format!("{name} was not measured"))?;
        let area = row.area.as_ref().map_err(|why| format!("{name}: {why}"))?;
        Ok((row, area))
    }

    /// The groups, in the order of the rows.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = self.rows.iter().map(|row| row.piece.group.as_str()).collect();
        groups.dedup();
        groups
    }

    /// The process in nanometres, if the user named it.
    pub fn nanometres(&self) -> Option<f64> {
        scaling::nanometres(&self.process)
    }

    /// The memories for all RAMs of a part; `None` if the library has none for it.
    pub fn memories(&self, area: &Area) -> Option<Memories> {
        area.rams.iter().try_fold(Memories::default(), |sum, ram| {
            let of = ram.of(&self.macros)?;
            Some(Memories {
                count: sum.count + of.count,
                area: sum.area + of.area,
                leakage: sum.leakage + of.leakage,
                access: sum.access.zip(of.access).map(|(sum, of)| sum + of),
            })
        })
    }

    /// Power of one part in milliwatts while it takes new data in this share of clock cycles.
    pub fn milliwatts(&self, area: &Area, share: f64) -> Option<f64> {
        let power = area.timed.as_ref().ok()?.power.at(self.mhz);
        Some(1e3 * (power.idle + share * (power.busy - power.idle)))
    }

    /// Power of the memories of one part in milliwatts, at this number of accesses to each RAM in a
    /// clock cycle; `None` if the library has no memories, or no energy for them.
    pub fn memory_milliwatts(&self, area: &Area, accesses: f64) -> Option<f64> {
        let memories = self.memories(area)?;
        let each = memories.access?;
        Some(1e3 * (memories.leakage + accesses * each * self.mhz * 1e6))
    }

    /// Names of the parts without figures.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.rows.iter().filter(|row| row.area.is_err());
        failed.map(|row| row.piece.design.name.as_str()).collect()
    }
}

impl Row {
    /// How much of the time `program` uses it.
    pub fn use_of(&self, program: &str) -> Option<&Use> {
        self.piece.uses.iter().find(|of| of.program == program)
    }
}
