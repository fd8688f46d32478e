//! Garblings of a flat program that run together: some in lanes, side by side, others one after
//! another; on several threads if the engine has them.

use crate::EngineError;
use crate::cpu::chunk::{Gives, Loads};
use crate::cpu::program::CpuProgram;
use crate::cpu::role::Run;
use crate::cpu::walk::{Steps, walk};
use crate::io::{Garbling, PIECE_ANDS};
use halfgate_kernels::ops::{Ops, WINDOW};
use halfgate_kernels::{Instances, Label, LabelMemory, wipe};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;
use zeroize::Zeroizing;

/// Most garblings side by side: their labels of a wire are a few vectors of every kernel.
pub(super) const MAX_SIDE_BY_SIDE: usize = 16;
/// Least garblings side by side: with fewer, more than half of the lanes of the kernel are idle.
const MIN_SIDE_BY_SIDE: usize = Instances::MULTIPLE / 2;

/// Garbles all of `garblings`.
pub(super) fn garble(
    program: &CpuProgram<'_>,
    cycles: u64,
    garblings: &mut [Garbling<'_>],
) -> Result<(), EngineError> {
    let threads = program.threads.count.get();
    let share = garblings.len().div_ceil(threads).clamp(1, MAX_SIDE_BY_SIDE);
    let is_divided = threads > 1 && garblings.len() > share;
    let pool = if is_divided { program.pool() } else { None };
    match pool {
        Some(pool) => pool.install(|| {
            let shares = garblings.par_chunks_mut(share);
            shares.try_for_each(|part| wipe::stack_after(|| garble_share(program, cycles, part)))
        }),
        None => {
            if let (Some(first), true) = (garblings.first_mut(), is_divided) {
                first.io.note(&program.threads.lacking()).map_err(EngineError::Io)?;
            }
            let mut shares = garblings.chunks_mut(MAX_SIDE_BY_SIDE);
            shares.try_for_each(|part| garble_share(program, cycles, part))
        }
    }
}

/// Garbles at most [`MAX_SIDE_BY_SIDE`] of the garblings.
fn garble_share(
    program: &CpuProgram<'_>,
    cycles: u64,
    garblings: &mut [Garbling<'_>],
) -> Result<(), EngineError> {
    let suite = garblings[0].key.suite;
    let fits = program.code.addresses as usize <= WINDOW && suite.has_half_gates();
    let is_one_suite = garblings.iter().all(|garbling| garbling.key.suite == suite);
    if fits && is_one_suite && garblings.len() >= MIN_SIDE_BY_SIDE {
        return walk(&program.code, cycles, &mut SideBySide::new(program, garblings));
    }
    for garbling in garblings {
        program.run(garbling.key, cycles, None, garbling.role(program.kernel))?;
    }
    Ok(())
}

/// Garblings side by side.
struct SideBySide<'p, 'g, 'a> {
    program: &'p CpuProgram<'p>,
    garblings: &'g mut [Garbling<'a>],
    instances: Instances,
    /// The labels of address x, one for each lane, begin at `places[x]`.
    memory: LabelMemory,
    places: Vec<u32>,
    /// Tables of a piece: AND after AND, those of all lanes adjacent.
    tables: Vec<[u8; TABLE]>,
    labels: Zeroizing<Vec<Label>>,
}

/// Bytes of a table of half gates.
const TABLE: usize = 32;

impl<'p, 'g, 'a> SideBySide<'p, 'g, 'a> {
    fn new(program: &'p CpuProgram<'p>, garblings: &'g mut [Garbling<'a>]) -> Self {
        let suite = garblings[0].key.suite;
        let starts: Vec<_> = garblings.iter().map(|g| (g.key.point, g.delta)).collect();
        let instances = program.kernel.start_instances(suite, &starts);
        let lanes = instances.lanes() as u32;
        let places: Vec<u32> = (0..program.code.addresses).map(|address| address * lanes).collect();
        SideBySide {
            program,
            garblings,
            memory: LabelMemory::new(places.len() * instances.lanes()),
            instances,
            places,
            tables: Vec::new(),
            labels: Zeroizing::new(Vec::new()),
        }
    }

    fn set(&mut self, address: u32, lane: usize, label: Label) {
        self.memory.set(self.places[address as usize] + lane as u32, label);
    }

    /// Gives the tables of a piece with this many ANDs.
    fn give_tables(&mut self, ands: usize) -> Result<(), EngineError> {
        let lanes = self.instances.lanes();
        for (lane, garbling) in self.garblings.iter_mut().enumerate() {
            let space = garbling.io.table_space(ands * TABLE).map_err(EngineError::Io)?;
            let (space, _) = space.as_chunks_mut::<TABLE>();
            let tables = self.tables[lane..].iter().step_by(lanes);
            space.iter_mut().zip(tables).for_each(|(to, from)| *to = *from);
            garbling.io.tables_ready().map_err(EngineError::Io)?;
        }
        Ok(())
    }
}

impl Steps for SideBySide<'_, '_, '_> {
    fn constant(&mut self, address: u32) -> Result<(), EngineError> {
        for lane in 0..self.garblings.len() {
            let label = self.garblings[lane].io.constant().map_err(EngineError::Io)?;
            self.set(address, lane, label);
        }
        Ok(())
    }

    fn load(&mut self, cycle: u64, loads: &Loads) -> Result<(), EngineError> {
        let mut labels = std::mem::take(&mut self.labels);
        let more = loads.wires.len().saturating_sub(labels.len());
        wipe::reserve(&mut labels, more);
        labels.resize(loads.wires.len(), Label::ZERO);
        for lane in 0..self.garblings.len() {
            let io = &mut self.garblings[lane].io;
            io.false_labels(cycle, &loads.wires, &mut labels).map_err(EngineError::Io)?;
            for (&address, &label) in loads.addresses.iter().zip(labels.iter()) {
                self.set(address, lane, label);
            }
        }
        self.labels = labels;
        Ok(())
    }

    fn give(&mut self, cycle: u64, gives: &Gives) -> Result<(), EngineError> {
        self.labels.clear();
        wipe::reserve(&mut self.labels, gives.bits.len());
        for (lane, garbling) in self.garblings.iter_mut().enumerate() {
            let (memory, places) = (&self.memory, &self.places);
            let offset = garbling.delta.label();
            self.labels.clear();
            self.labels.extend(gives.addresses.iter().zip(&gives.inverted).map(
                |(&address, &inverted)| {
                    let label = memory.get(places[address as usize] + lane as u32);
                    label ^ offset.masked(inverted)
                },
            ));
            garbling.io.output(cycle, &gives.bits, &self.labels).map_err(EngineError::Io)?;
        }
        Ok(())
    }

    // In pieces whose tables stay in a cache.
    fn ops(&mut self, ops: &Ops<'_>) -> Result<(), EngineError> {
        for piece in ops.pieces(PIECE_ANDS / self.instances.lanes()) {
            let tables = piece.ands.len() * self.instances.lanes();
            self.tables.resize(tables.max(self.tables.len()), [0; TABLE]);
            let (kernel, tables) = (self.program.kernel, &mut self.tables[..tables]);
            wipe::far_below(|| {
                let bytes = tables.as_flattened_mut();
                kernel.garble_instances(
                    &mut self.instances,
                    &mut self.memory,
                    &piece,
                    &self.places,
                    bytes,
                );
            });
            if !tables.is_empty() {
                self.give_tables(piece.ands.len())?;
            }
        }
        Ok(())
    }

    fn progress(&mut self, cycle: u64) -> Result<(), EngineError> {
        let ands = self.instances.ands();
        let mut all = self.garblings.iter_mut();
        all.try_for_each(|garbling| garbling.io.progress(cycle, ands)).map_err(EngineError::Io)
    }

    fn next_cycle(&mut self) {
        self.instances.next_cycle();
    }
}
